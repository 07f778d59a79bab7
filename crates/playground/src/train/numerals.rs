//! The numerals of a text that a reader may vary: sizes, batches, and arguments of generators, such as seeds and noise.

use crate::program::Program;
use fletch_elaborate::{Files, with_items};
use fletch_ide::{check_with_files, place};
use fletch_syntax::Span;
use fletch_syntax::tree::{ArgumentValue, Dataset, GeneratorCall, Init, ItemKind, Size, SizeKind};
use serde::{Deserialize, Serialize};

/// A number that is written in the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Numeral {
    /// The declaration that has it: `ℓ0`, `points`; empty for a size.
    pub of: String,
    /// `seed`, `noise`, the name of a size.
    pub name: String,
    /// The number.
    pub value: f64,
    /// True if only whole numbers may stand there.
    pub whole: bool,
    /// Start of the numeral's span, in UTF-16 code units.
    pub from: u32,
    /// End of that span.
    pub to: u32,
    /// Other spans where the number stands for the same: where a data set is cut into a part that is taken and one that is dropped.
    pub also: Vec<(u32, u32)>,
    /// The largest number that fits, if one is known.
    pub most: Option<f64>,
}

/// A number and its place in the text; of sizes it is not known whether another one fits.
struct Found {
    numeral: Numeral,
    span: Span,
    also: Vec<Span>,
    size: bool,
}

/// The numbers of a program. A size is one of them if the program checks with the next one too: others are fixed by data.
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

/// The numbers that a generator is given by their names.
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

/// A place where data sets are cut in two: the same number of samples is taken and dropped.
struct Cut<'a> {
    of: &'a Dataset,
    number: f64,
    spans: Vec<Span>,
}

/// Adds where a data set is cut to those found before.
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

/// Numerals of the generator of a data set.
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
