//! Switches for *features*, additional inputs of a network that are computed from its own input: squares, sines, a product.
//!
//! A feature is concatenated to the argument of the first operation, `FC[ℓ0](concat[2, 2, 1](x, square(x)))`, and the locations of the
//! operation become wider by its number of entries.

use super::{Chain, EditKind, Proposal};
use fletch_syntax::tree::{
    Command, CommandDecl, CommandKind, Index, ItemKind, Name, OpDecl, Size, SizeKind, SymbolKind,
    Term, TermKind, TypeKind,
};

/// A feature of an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feature {
    Squares,
    Product,
    Sines,
}

/// All features, in the order in which they are concatenated.
const FEATURES: [Feature; 3] = [Feature::Squares, Feature::Product, Feature::Sines];

impl Feature {
    /// The term of the feature for an input of this name.
    fn of(self, input: &str) -> String {
        match self {
            Feature::Squares => format!("square({input})"),
            Feature::Product => format!("([[1, 0]] ∗ {input}) ⊙ ([[0, 1]] ∗ {input})"),
            Feature::Sines => format!("sin({input})"),
        }
    }

    /// Name of the feature on a switch.
    fn name(self, input: &str) -> String {
        match self {
            Feature::Product => "product of the two".to_owned(),
            _ => self.of(input),
        }
    }

    /// Number of entries of the feature for an input of `input` entries; `None` if such an input has no such feature.
    fn entries(self, input: u64) -> Option<u64> {
        match self {
            Feature::Squares | Feature::Sines => Some(input),
            Feature::Product => (input == 2).then_some(1),
        }
    }
}

/// The input of a network: a parameter of a command, and the features that are concatenated to it.
struct Inputs<'a> {
    name: &'a Name,
    entries: u64,
    on: Vec<Feature>,
}

impl Inputs<'_> {
    /// Total number of entries of these features.
    fn added(&self, on: &[Feature]) -> u64 {
        let entries = on.iter().filter_map(|it| it.entries(self.entries));
        entries.sum()
    }

    /// The term for the input with these features.
    fn with(&self, on: &[Feature]) -> String {
        let (mut text, mut width) = (self.name.text.to_string(), self.entries);
        let parts = on.iter();
        let parts =
            parts.filter_map(|it| Some((it.of(&self.name.text), it.entries(self.entries)?)));
        for (other, entries) in parts {
            text = format!("concat[{width}, {entries}, 1]({text}, {other})");
            width += entries;
        }
        text
    }
}

impl Chain<'_> {
    /// Proposes a switch for each feature of the input of a command, if the only argument of its first operation is the input with
    /// features.
    pub(super) fn inputs(&self, command: &CommandDecl, proposals: &mut Vec<Proposal>) {
        let Some((operation, indices, argument)) = self.first_call(&command.body) else {
            return;
        };
        let Some(inputs) = self.read(command, argument) else {
            return;
        };
        let call = self.written(operation, indices);
        let features = FEATURES.into_iter();
        for feature in features.filter(|it| it.entries(inputs.entries).is_some()) {
            let on = inputs.on.contains(&feature);
            let wanted = |it: &Feature| inputs.on.contains(it) != (*it == feature);
            let after: Vec<Feature> = FEATURES.into_iter().filter(wanted).collect();
            let added = [inputs.on.as_slice(), &after].map(|on| inputs.added(on));
            let sizes = self.taken(operation, indices).into_iter().flatten();
            let changes = sizes.map(|size| Some((size, wider(size.text(self.source), added)?)));
            let Some(mut changes) = changes.collect::<Option<Vec<_>>>() else {
                return;
            };
            changes.push((argument.span, inputs.with(&after)));
            changes.sort_by_key(|(span, _)| (span.start, span.end));
            let of = feature.of(&inputs.name.text);
            proposals.push(Proposal {
                title: match on {
                    true => format!("Take {of} away from the inputs of {call}"),
                    false => format!("Give {call} {of} too"),
                },
                kind: EditKind::Switch {
                    of: format!("Inputs of {call}"),
                    name: feature.name(&inputs.name.text),
                    on,
                },
                at: argument.span,
                changes,
            });
        }
    }

    /// The first operation that a command performs, with its indices and its only argument.
    fn first_call<'c>(&'c self, body: &'c Command) -> Option<(&'c OpDecl, &'c [Index], &'c Term)> {
        match &body.node {
            CommandKind::Let(_, bound, _) => self.first_call(bound),
            CommandKind::Call {
                name,
                indices,
                arguments,
            } => match arguments.as_slice() {
                [argument] => Some((self.operation(name)?, indices, argument)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The parameter in a term, with the features that the term concatenates to it.
    fn read<'c>(&self, command: &'c CommandDecl, term: &Term) -> Option<Inputs<'c>> {
        match &term.node {
            TermKind::Variable(name) => {
                let mut params = command.params.iter();
                let param = params.find(|param| param.name == *name)?;
                let TypeKind::Real(sizes) = &param.ty.node else {
                    return None;
                };
                let [size] = sizes.as_slice() else {
                    return None;
                };
                Some(Inputs {
                    name: &param.name,
                    entries: self.number(size)?,
                    on: Vec::new(),
                })
            }
            TermKind::Call(symbol, parts) => {
                let [before, last] = parts.as_slice() else {
                    return None;
                };
                if !matches!(&symbol.node, SymbolKind::Named(name, _) if &*name.text == "concat") {
                    return None;
                }
                let mut inputs = self.read(command, before)?;
                let written = bare(last.span.text(self.source));
                let mut all = FEATURES.into_iter();
                let feature = all.find(|it| bare(&it.of(&inputs.name.text)) == written)?;
                inputs.on.push(feature);
                Some(inputs)
            }
            _ => None,
        }
    }

    /// The value of a size that is a number or the name of a number.
    pub(super) fn number(&self, size: &Size) -> Option<u64> {
        match &size.node {
            SizeKind::Number(number) => Some(*number),
            SizeKind::Name(name) => self.program.items.iter().find_map(|item| match &item.node {
                ItemKind::Dim(dims) => {
                    let (_, size) = dims.iter().find(|(own, _)| own == name)?;
                    match size.node {
                        SizeKind::Number(number) => Some(number),
                        _ => None,
                    }
                }
                _ => None,
            }),
            _ => None,
        }
    }
}

/// Changes a size that includes `before` as a summand so that it includes `after` instead: `n + 2` for `n`.
fn wider(text: &str, [before, after]: [u64; 2]) -> Option<String> {
    if let Ok(number) = text.parse::<u64>() {
        return Some((number.checked_sub(before)? + after).to_string());
    }
    let own = match before {
        0 => text,
        _ => text
            .strip_suffix(&before.to_string())?
            .trim_end()
            .strip_suffix('+')?
            .trim_end(),
    };
    Some(match after {
        0 => own.to_owned(),
        _ => format!("{own} + {after}"),
    })
}

/// A text without spaces, with one spelling of the product sign.
fn bare(text: &str) -> String {
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    letters
        .map(|letter| if letter == '*' { '∗' } else { letter })
        .collect()
}
