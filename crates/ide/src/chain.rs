//! Edits of a network that is a chain: another layer, and another activation. Each is tried: what is offered checks.
//!
//! A chain is where a command binds what an operation gives, and all that is done with it is an activation:
//! `let z ⇐ FC[ℓ0](x) in … swish(z) …`. Another layer is the same operation once more, of as many numbers out as in, on locations of its own.

mod walk;

pub(crate) use walk::names as names_of;

use crate::answers::TextEdit;
use crate::check::Checked;
use crate::place::utf16;
use fletch_elaborate::{Files, seeds};
use fletch_syntax::tree::{
    self, Command, CommandDecl, Index, IndexKind, IndexParamKind, Init, ItemKind, LocDecl, Name,
    OpDecl, SizeKind, SymbolKind, TermKind, TypeKind,
};
use fletch_syntax::{Span, parse};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The activations that are offered for one another.
const ACTIVATIONS: [&str; 6] = ["relu", "tanh", "sigmoid", "swish", "gelu", "softplus"];
/// Maximum number of bytes read again in all, and of edits tried. An edit beyond them is not offered.
const BYTES: usize = 1 << 20;
const TRIED: usize = 48;

/// An edit of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEdit {
    /// `Add a layer after z`
    pub title: String,
    /// The activation that it puts in the place of another; nothing for a layer.
    pub activation: Option<Activation>,
    /// Start of what it is about, in UTF-16 code units.
    pub from: u32,
    /// End of that.
    pub to: u32,
    /// The changes of the text, in order of place.
    pub edits: Vec<TextEdit>,
}

/// An activation in the place of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activation {
    /// The call as it is written: `tanh(z)`.
    pub call: String,
    /// The activation as it is.
    pub before: String,
    /// The one in its place.
    pub after: String,
}

/// An edit before it is tried.
struct Proposal {
    title: String,
    activation: Option<Activation>,
    at: Span,
    changes: Vec<(Span, String)>,
}

/// The edits that a program offers for what a place touches, or for all of it; none if it has an error.
pub fn chain_edits(
    source: &str,
    checked: &Checked,
    files: Option<&Files>,
    place: Option<Span>,
) -> Vec<ChainEdit> {
    if checked.diagnostics.iter().any(|found| found.is_error()) {
        return Vec::new();
    }
    let program = Chain {
        source,
        program: &checked.program,
    };
    let mut proposals = Vec::new();
    for item in &checked.program.items {
        if let ItemKind::Command(command) = &item.node {
            program.layers(command, &mut proposals);
            program.activations(command, &mut proposals);
        }
    }
    let touched = |at: Span| place.is_none_or(|it| it.start <= at.end && at.start <= it.end);
    proposals.retain(|proposal| touched(proposal.at));
    let room = (BYTES / source.len().max(1)).min(TRIED);
    let helpful = proposals.into_iter().take(room);
    let helpful = helpful.filter(|proposal| {
        checks(
            &applied(source, Span::new(0, source.len()), &proposal.changes),
            files,
        )
    });
    let offered = helpful.map(|proposal| {
        let (from, to) = utf16(proposal.at, &checked.index);
        let edits = proposal.changes.into_iter().map(|(span, insert)| {
            let (from, to) = utf16(span, &checked.index);
            TextEdit { from, to, insert }
        });
        ChainEdit {
            title: proposal.title,
            activation: proposal.activation,
            from,
            to,
            edits: edits.collect(),
        }
    });
    offered.collect()
}

/// True if a text has no error.
fn checks(source: &str, files: Option<&Files>) -> bool {
    let (_, syntax) = parse(source, fletch_smooth::symbols());
    if syntax.iter().any(|found| found.is_error()) {
        return false;
    }
    let examined = crate::examination::examine(source, files);
    !examined.diagnostics.iter().any(|found| found.is_error())
}

/// A part of a text with these changes, which are in it in order of place.
fn applied(source: &str, part: Span, changes: &[(Span, String)]) -> String {
    let mut text = String::new();
    let mut at = part.start;
    for (span, insert) in changes {
        let (start, end) = (at, span.start);
        text.push_str(Span { start, end }.text(source));
        text.push_str(insert);
        at = span.end;
    }
    let end = part.end;
    text.push_str(Span { start: at, end }.text(source));
    text
}

/// The program that is looked through.
struct Chain<'a> {
    source: &'a str,
    program: &'a tree::Program,
}

impl Chain<'_> {
    /// Each activation that a command applies, with each other in its place.
    fn activations(&self, command: &CommandDecl, proposals: &mut Vec<Proposal>) {
        let mut found = Vec::new();
        walk::terms(&command.body, &mut |term| {
            if let TermKind::Call(symbol, _) = &term.node
                && let Some(name) = activation(symbol)
            {
                found.push((name.clone(), term.span));
            }
        });
        for (name, call) in found {
            let others = ACTIVATIONS.iter().filter(|other| **other != &*name.text);
            proposals.extend(others.map(|other| {
                let call = call.text(self.source);
                Proposal {
                    title: format!("Use {other} in the place of {} in {call}", name.text),
                    activation: Some(Activation {
                        call: call.to_owned(),
                        before: name.text.to_string(),
                        after: (*other).to_owned(),
                    }),
                    at: name.span,
                    changes: vec![(name.span, (*other).to_owned())],
                }
            }));
        }
    }

    /// Another layer after each `let z ⇐ Op[…](…)` whose value goes through an activation and nowhere else.
    fn layers(&self, command: &CommandDecl, proposals: &mut Vec<Proposal>) {
        walk::commands(&command.body, &mut |inner| {
            let tree::CommandKind::Let(pattern, bound, rest) = &inner.node else {
                return;
            };
            let tree::PatternKind::Name(variable) = &pattern.node else {
                return;
            };
            if let tree::CommandKind::Call { name, indices, .. } = &bound.node
                && let Some(operation) = self.operation(name)
            {
                let layer = self.layer(command, inner, (variable, rest), (operation, indices));
                proposals.extend(layer);
            }
        });
    }

    fn layer(
        &self,
        command: &CommandDecl,
        inner: &Command,
        (variable, rest): (&Name, &Command),
        (operation, indices): (&OpDecl, &[Index]),
    ) -> Option<Proposal> {
        let (symbol, argument) = self.only_use(variable, rest)?;
        let locations = self.locations(operation, indices)?;
        // The sizes by the names of the operation, then as of a layer of as many numbers out as in.
        let sizes = self.sizes(operation, indices, &locations)?;
        let sizes = square(operation, sizes)?;
        let mut changes: Vec<(Span, String)> = Vec::new();
        let mut written = Vec::new();
        let mut fresh = Vec::new();
        let mut seed = self.next_seed();
        for (param, index) in paired(operation, indices)? {
            match &param.node {
                IndexParamKind::Location { shape, .. } => {
                    let IndexKind::Name(name, _) = &index.node else {
                        return None;
                    };
                    let decl = locations.get(&*name.text)?;
                    let new = self.fresh_location(&name.text, &fresh);
                    let shape = shape.iter().map(|size| match &size.node {
                        SizeKind::Name(name) => sizes.get(&*name.text).cloned(),
                        SizeKind::Number(number) => Some(number.to_string()),
                        _ => None,
                    });
                    let shape: Vec<String> = shape.collect::<Option<_>>()?;
                    let init = self.init(decl, shape.len(), &mut seed);
                    let text = format!("\nloc {new} ∷ ({}){init}", shape.join(", "));
                    changes.push((self.after(decl)?, text));
                    written.push(new.clone());
                    fresh.push(new);
                }
                IndexParamKind::Name(name) => written.push(sizes.get(&*name.text)?.clone()),
                IndexParamKind::Size(_) => written.push(index.span.text(self.source).to_owned()),
            }
        }
        if fresh.is_empty() {
            return None;
        }
        let mut name = format!("{}'", variable.text);
        while walk::names(&command.body).contains(&*name) {
            name.push('\'');
        }
        let call = match written.is_empty() {
            true => operation.name.text.to_string(),
            false => format!("{}[{}]", operation.name.text, written.join(", ")),
        };
        let (start, own) = (rest.span.start, &variable.text);
        let text = format!(
            "let {name} ⇐ {call}({symbol}({own})) in{}",
            self.break_at(inner)
        );
        changes.push((Span { start, end: start }, text));
        changes.push((argument, name));
        changes.sort_by_key(|(span, _)| (span.start, span.end));
        Some(Proposal {
            title: format!("Add a layer after {own}: {call}, {symbol}"),
            activation: None,
            at: variable.span,
            changes,
        })
    }

    /// The activation that a variable goes through, as it is written, and the place of the variable there; nothing if it goes elsewhere too.
    fn only_use(&self, variable: &Name, rest: &Command) -> Option<(String, Span)> {
        let (mut uses, mut found) = (0, None);
        walk::terms(rest, &mut |term| match &term.node {
            TermKind::Variable(name) if name.text == variable.text => uses += 1,
            TermKind::Call(symbol, arguments) => {
                if let [argument] = arguments.as_slice()
                    && matches!(&argument.node, TermKind::Variable(name) if name.text == variable.text)
                    && activation(symbol).is_some()
                {
                    found = Some((symbol.span.text(self.source).to_owned(), argument.span));
                }
            }
            _ => {}
        });
        let bound_again = walk::bound(rest)
            .iter()
            .any(|name| **name == *variable.text);
        found.filter(|_| uses == 1 && !bound_again)
    }

    fn operation(&self, name: &Name) -> Option<&OpDecl> {
        self.program.items.iter().find_map(|item| match &item.node {
            ItemKind::Op(operation) if operation.name == *name => Some(operation),
            _ => None,
        })
    }

    /// The declared locations among the indices of a call, each a single one.
    fn locations(
        &self,
        operation: &OpDecl,
        indices: &[Index],
    ) -> Option<BTreeMap<String, &LocDecl>> {
        let mut found = BTreeMap::new();
        for (param, index) in paired(operation, indices)? {
            let IndexParamKind::Location { .. } = &param.node else {
                continue;
            };
            let IndexKind::Name(name, family) = &index.node else {
                return None;
            };
            let decl = self.program.items.iter().find_map(|item| match &item.node {
                ItemKind::Loc(decl) if decl.name == *name => Some(decl),
                _ => None,
            });
            let decl = decl.filter(|decl| family.is_empty() && decl.params.is_empty())?;
            found.insert(name.text.to_string(), decl);
        }
        Some(found)
    }

    /// The sizes that a call gives the names of its operation, as they are written.
    fn sizes(
        &self,
        operation: &OpDecl,
        indices: &[Index],
        locations: &BTreeMap<String, &LocDecl>,
    ) -> Option<BTreeMap<String, String>> {
        let mut sizes = BTreeMap::new();
        for (param, index) in paired(operation, indices)? {
            match (&param.node, &index.node) {
                (IndexParamKind::Location { shape, .. }, IndexKind::Name(name, _)) => {
                    let decl = locations.get(&*name.text)?;
                    for (size, given) in shape.iter().zip(&decl.shape) {
                        if let SizeKind::Name(name) = &size.node {
                            let given = given.span.text(self.source).to_owned();
                            sizes.entry(name.text.to_string()).or_insert(given);
                        }
                    }
                }
                (IndexParamKind::Name(name), _) => {
                    let given = index.span.text(self.source).to_owned();
                    sizes.entry(name.text.to_string()).or_insert(given);
                }
                _ => {}
            }
        }
        Some(sizes)
    }

    /// Initial contents of a location like this one: made by the same generator with another seed; random numbers in the place of written ones.
    fn init(&self, decl: &LocDecl, rank: usize, seed: &mut u64) -> String {
        match &decl.init {
            None => String::new(),
            Some(Init::Literal(_)) if rank < 2 => String::new(),
            Some(Init::Literal(_)) => {
                *seed += 1;
                format!(" = glorot(seed: {})", *seed - 1)
            }
            Some(Init::Generator(call)) => {
                let all = seeds(self.program);
                let inside =
                    |place: &Span| call.span.start <= place.start && place.end <= call.span.end;
                let mut changes = Vec::new();
                for found in all.iter().filter(|found| inside(&found.span)) {
                    changes.push((found.span, seed.to_string()));
                    *seed += 1;
                }
                format!(" = {}", applied(self.source, call.span, &changes))
            }
        }
    }

    /// A seed that no location has.
    fn next_seed(&self) -> u64 {
        let all = seeds(self.program);
        all.iter().map(|seed| seed.value).max().unwrap_or(0) + 1
    }

    /// The end of the line on which a location is declared, if nothing but a remark follows there.
    fn after(&self, decl: &LocDecl) -> Option<Span> {
        let items = self.program.items.iter();
        let mut items =
            items.filter(|item| matches!(&item.node, ItemKind::Loc(own) if own.name == decl.name));
        let end = items.next()?.span.end;
        let rest = self.source.get(end as usize..)?;
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        let remark = line.trim_start();
        let end = match remark.is_empty() || remark.starts_with("--") {
            true => end as usize + line.trim_end().len(),
            false => end as usize,
        };
        Some(Span::new(end, end))
    }

    /// A name for a location like this one: `ℓ2` after `ℓ0` and `ℓ1`.
    fn fresh_location(&self, like: &str, taken: &[String]) -> String {
        let stem = like.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let declared = self
            .program
            .items
            .iter()
            .filter_map(|item| match &item.node {
                ItemKind::Loc(decl) => Some(&*decl.name.text),
                _ => None,
            });
        let all = declared.chain(taken.iter().map(String::as_str));
        let numbers = all.filter_map(|name| {
            let digits = name.strip_prefix(stem)?;
            digits.parse::<u32>().ok()
        });
        let next = numbers.max().map_or(2, |most| most.saturating_add(1));
        format!("{stem}{next}")
    }

    /// Separator of two lines of a command: a line break with the indent of this one, or a space if it does not begin its line.
    fn break_at(&self, command: &Command) -> String {
        let (start, end) = (0, command.span.start);
        let before = Span { start, end }.text(self.source);
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        match line.trim().is_empty() {
            true => format!("\n{line}"),
            false => " ".to_owned(),
        }
    }
}

/// The index of each parameter of an operation at a call; only those of the locations where the call leaves out the sizes.
fn paired<'o, 'i>(
    operation: &'o OpDecl,
    indices: &'i [Index],
) -> Option<Vec<(&'o tree::IndexParam, &'i Index)>> {
    let params = operation.params.iter();
    let params: Vec<&tree::IndexParam> = match operation.params.len() == indices.len() {
        true => params.collect(),
        false => params
            .filter(|param| matches!(param.node, IndexParamKind::Location { .. }))
            .collect(),
    };
    let fits = params.len() == indices.len();
    fits.then(|| params.into_iter().zip(indices).collect())
}

/// The sizes of a call with as many numbers out as in: each size of its argument is that of its result.
fn square(
    operation: &OpDecl,
    mut sizes: BTreeMap<String, String>,
) -> Option<BTreeMap<String, String>> {
    let (TypeKind::Real(domain), TypeKind::Real(codomain)) =
        (&operation.domain.node, &operation.codomain.node)
    else {
        return None;
    };
    if domain.len() != codomain.len() {
        return None;
    }
    for (size, given) in domain.iter().zip(codomain) {
        if let (SizeKind::Name(size), SizeKind::Name(given)) = (&size.node, &given.node)
            && size != given
        {
            let given = sizes.get(&*given.text)?.clone();
            sizes.insert(size.text.to_string(), given);
        }
    }
    Some(sizes)
}

/// The activation that a symbol is; of `rows[tanh]` that of `tanh`.
fn activation(symbol: &tree::SymbolRef) -> Option<&Name> {
    let SymbolKind::Named(name, indices) = &symbol.node else {
        return None;
    };
    if ACTIVATIONS.contains(&&*name.text) {
        return Some(name);
    }
    indices.iter().find_map(|index| match &index.node {
        IndexKind::Symbol(inner) => activation(inner),
        IndexKind::Name(inner, _) => ACTIVATIONS.contains(&&*inner.text).then_some(inner),
        IndexKind::Size(_) => None,
    })
}

#[cfg(test)]
mod tests;
