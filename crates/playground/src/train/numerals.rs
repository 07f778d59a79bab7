//! The numerals of a text that a reader may vary: sizes, batch sizes, and arguments of generators, such as seeds and noise.

use crate::program::Program;
use fletch_elaborate::{Files, with_items};
use fletch_ide::{check_with_files, place};
use fletch_syntax::Span;
use fletch_syntax::tree::{ArgumentValue, Dataset, GeneratorCall, Init, ItemKind, Size, SizeKind};
use serde::{Deserialize, Serialize};

/// A number in the text of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Numeral {
    /// Name of the declaration that contains the number: `ℓ0`, `points`; empty for a size.
    pub of: String,
    /// Name of the number: `seed`, `noise`, or the name of a size.
    pub name: String,
    /// The number.
    pub value: f64,
    /// True if the number must be whole.
    pub whole: bool,
    /// Start of the numeral's span, in UTF-16 code units.
    pub from: u32,
    /// End of the numeral's span, in UTF-16 code units.
    pub to: u32,
    /// Spans of further numerals with the same role. A data set is cut by taking and dropping the same number of samples.
    pub also: Vec<(u32, u32)>,
    /// Largest value that fits, if known.
    pub most: Option<f64>,
}

/// A numeral with its byte spans. `size` is true if a check must decide whether another value fits.
struct Found {
    numeral: Numeral,
    span: Span,
    also: Vec<Span>,
    size: bool,
}

/// Lists the numerals of a program. A size is included only if the program still checks with the size plus 1: other sizes are fixed
/// by data.
pub(super) fn numerals(program: &Program, files: &Files) -> Vec<Numeral> {
    let mut found = Vec::new();
    let mut cuts: Vec<Cut<'_>> = Vec::new();
    for item in &program.checked.program.items {
        match &item.node {
            ItemKind::Dim(dims) => {
                found.extend(
                    dims.iter()
                        .filter_map(|(name, size)| self::size("", &name.text, size)),
                );
            }
            ItemKind::Loc(decl) => {
                if let Some(Init::Generator(call)) = &decl.init {
                    arguments(&decl.name.text, call, &mut found);
                }
            }
            ItemKind::Data(decl) => {
                made(&decl.name.text, &decl.dataset, &mut found);
                cut(&decl.dataset, &mut cuts);
            }
            ItemKind::Train(decl) => {
                let batch = decl.batch.as_ref();
                found.extend(batch.and_then(|batch| self::size(&decl.data.text, "batch", batch)));
            }
            _ => {}
        }
    }
    let counts = with_items(&program.checked.program, files, |items| {
        let sets = items.data_sets();
        let counts = sets
            .iter()
            .map(|set| (set.name().to_owned(), set.samples.len()));
        counts.collect::<Vec<_>>()
    });
    found.extend(cuts.into_iter().map(|cut| cut.found(&counts)));
    let fits = |found: &Found| {
        let mut text = program.source.clone();
        let next = (found.numeral.value + 1.0).to_string();
        text.replace_range(found.span.start as usize..found.span.end as usize, &next);
        !found.size || !check_with_files(&text, files).rejected()
    };
    let found = found.into_iter().filter(fits).map(|found| {
        let (from, to) = place::utf16(found.span, &program.checked.index);
        let also = found.also.iter();
        Numeral {
            from,
            to,
            also: also
                .map(|span| place::utf16(*span, &program.checked.index))
                .collect(),
            ..found.numeral
        }
    });
    found.collect()
}

fn size(of: &str, name: &str, size: &Size) -> Option<Found> {
    let SizeKind::Number(number) = size.node else {
        return None;
    };
    Some(Found {
        numeral: Numeral {
            of: of.to_owned(),
            name: name.to_owned(),
            value: number as f64,
            whole: true,
            ..Numeral::default()
        },
        span: size.span,
        also: Vec::new(),
        size: true,
    })
}

/// Collects the named numeric arguments of a generator.
fn arguments(of: &str, call: &GeneratorCall, found: &mut Vec<Found>) {
    for argument in &call.arguments {
        if let (Some(key), ArgumentValue::Number(value)) = (&argument.key, &argument.value.node) {
            found.push(Found {
                numeral: Numeral {
                    of: of.to_owned(),
                    name: key.text.to_string(),
                    value: *value,
                    whole: matches!(&*key.text, "seed" | "n"),
                    ..Numeral::default()
                },
                span: argument.value.span,
                also: Vec::new(),
                size: false,
            });
        }
    }
}

/// A cut of a data set in two: the same number of samples is taken and dropped.
struct Cut<'a> {
    of: &'a Dataset,
    number: f64,
    spans: Vec<Span>,
}

/// Records the cuts in a data set.
fn cut<'a>(dataset: &'a Dataset, found: &mut Vec<Cut<'a>>) {
    let Dataset::Combined(combination) = dataset else {
        return;
    };
    for part in &combination.of {
        cut(&part.node, found);
    }
    let taken = matches!(&*combination.call.name.text, "take" | "drop");
    if let ([part], [argument], true) = (
        combination.of.as_slice(),
        combination.call.arguments.as_slice(),
        taken,
    ) && let ArgumentValue::Number(number) = argument.value.node
    {
        let (of, span) = (&part.node, argument.value.span);
        match found
            .iter_mut()
            .find(|it| it.of == of && it.number == number)
        {
            Some(known) => known.spans.push(span),
            None => found.push(Cut {
                of,
                number,
                spans: vec![span],
            }),
        }
    }
}

impl Cut<'_> {
    fn found(mut self, counts: &[(String, usize)]) -> Found {
        let mut of = self.of;
        while let Dataset::Combined(combination) = of
            && let [part] = combination.of.as_slice()
        {
            of = &part.node;
        }
        let of = match of {
            Dataset::Generator(call) => &*call.name.text,
            _ => "",
        };
        let count = counts.iter().find(|(name, _)| name == of);
        let span = self.spans.remove(0);
        Found {
            numeral: Numeral {
                of: of.to_owned(),
                name: "cut".to_owned(),
                value: self.number,
                whole: true,
                most: count.map(|(_, count)| *count as f64),
                ..Numeral::default()
            },
            span,
            also: self.spans,
            size: false,
        }
    }
}

/// Collects the numeric arguments of the generators of a data set.
fn made(of: &str, dataset: &Dataset, found: &mut Vec<Found>) {
    match dataset {
        Dataset::Generator(call) => arguments(of, call, found),
        Dataset::Combined(combination) => {
            for part in &combination.of {
                made(of, &part.node, found);
            }
            if !matches!(&*combination.call.name.text, "take" | "drop") {
                arguments(of, &combination.call, found);
            }
        }
        Dataset::Samples(_) | Dataset::Csv(_) => {}
    }
}
