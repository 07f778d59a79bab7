//! The numerals of a text that a reader may vary: sizes, batches, and arguments of generators, such as seeds and noise.

use crate::program::Program;
use fletch_elaborate::Files;
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
}

/// A number and its place in the text; of sizes it is not known whether another one fits.
struct Found {
    numeral: Numeral,
    span: Span,
    size: bool,
}

/// The numbers of a program. A size is one of them if the program checks with the next one too: others are fixed by data.
pub(super) fn numerals(program: &Program, files: &Files) -> Vec<Numeral> {
    let mut found = Vec::new();
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
            ItemKind::Data(decl) => made(&decl.name.text, &decl.dataset, &mut found),
            ItemKind::Train(decl) => {
                let batch = decl.batch.as_ref();
                found.extend(batch.and_then(|batch| self::size(&decl.data.text, "batch", batch)));
            }
            _ => {}
        }
    }
    let fits = |found: &Found| {
        let mut text = program.source.clone();
        let next = (found.numeral.value + 1.0).to_string();
        text.replace_range(found.span.start as usize..found.span.end as usize, &next);
        !found.size || !check_with_files(&text, files).rejected()
    };
    let found = found.into_iter().filter(fits).map(|found| {
        let (from, to) = place::utf16(found.span, &program.checked.index);
        Numeral {
            from,
            to,
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
                size: false,
            });
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
            arguments(of, &combination.call, found);
        }
        Dataset::Samples(_) | Dataset::Csv(_) => {}
    }
}
