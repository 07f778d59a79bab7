//! The data sets of a program, and operations on them: add a sample to the text, save all samples, replace them by a file, change the
//! seeds of initial contents. Changes of the text are returned as edits that the page makes.

use crate::clip;
use crate::program::Program;
use fletch_elaborate::{DataSet, Files, seeds, with_items};
use fletch_ide::{ChainEdit, TextEdit, chain_edits, place};
use fletch_smooth::{Shape, symbols};
use fletch_syntax::{Span, parse, tree};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Maximum number of samples of a data set in a list.
const FIRST: usize = 12;

/// Request about the data sets of a program, or an edit of its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum WishOfData {
    /// List the data sets.
    #[default]
    List,
    /// Add a sample to the data set of this index: all its numbers.
    Add(u32, Vec<f64>),
    /// Write the data set of this index as a table.
    Save(u32),
    /// Read the data set of this index from the file of this name.
    Read(u32, String),
    /// Change the seeds of the random initial contents.
    Reseed,
    /// List the edits that are offered for the network.
    Network,
}

/// Reply to a [`WishOfData`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OfData {
    /// The data sets.
    List(Vec<DataCard>),
    /// Edits of the program text that fulfil the request.
    Edits(Vec<TextEdit>),
    /// Edits of the network; the program checks after each of them.
    Network(Vec<ChainEdit>),
    /// A file: its name and its text.
    File(String, String),
    /// Reason for which the request is refused.
    Refused(String),
}

/// A data set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DataCard {
    /// Name of the data set.
    pub name: String,
    /// Type of a sample: `Real(2) × Real(1)`.
    pub ty: String,
    /// Number of samples.
    pub count: u32,
    /// Generator, such as `spirals`, or file name of the samples; `None` if the samples are written in the program.
    pub origin: Option<String>,
    /// True if a generator makes the samples.
    pub generated: bool,
    /// Shape of each component of a sample: rows and columns.
    pub shapes: Vec<(u32, u32)>,
    /// Numbers of the first samples, one sample after the other.
    pub first: Vec<f64>,
    /// Start of the span of the declaration after its name, in UTF-16 code units.
    pub from: u32,
    /// End of the span of the declaration, in UTF-16 code units.
    pub to: u32,
}

/// The items of a program, with only the names of its data sets. Two programs with equal results train the same heap, perhaps on
/// different data. Their texts may differ in comments and spaces.
pub(super) fn besides_data(program: &Program) -> Vec<tree::ItemKind> {
    without_data(&program.checked.program)
}

/// Result of [`besides_data`] for a text.
pub(super) fn besides(text: &str) -> Vec<tree::ItemKind> {
    without_data(&parse(text, symbols()).0)
}

fn without_data(program: &tree::Program) -> Vec<tree::ItemKind> {
    let items = program.items.iter().map(|item| match &item.node {
        tree::ItemKind::Data(data) => tree::ItemKind::Data(tree::DataDecl {
            ty: None,
            dataset: tree::Dataset::Samples(Vec::new()),
            ..data.clone()
        }),
        other => other.clone(),
    });
    items.collect()
}

/// Performs a request.
pub(crate) fn answer(program: &Program, files: &Files, wish: &WishOfData) -> OfData {
    let tree = &program.checked.program;
    match wish {
        WishOfData::Reseed => reseed(program, tree),
        WishOfData::Network => {
            let source = &program.source;
            OfData::Network(chain_edits(source, &program.checked, Some(files), None))
        }
        WishOfData::List => with_items(tree, files, |items| {
            let sets = items.data_sets();
            OfData::List(sets.iter().map(|set| card(program, set)).collect())
        }),
        WishOfData::Add(number, sample) => {
            of_set(tree, files, *number, |set| add(program, set, sample))
        }
        WishOfData::Save(number) => of_set(tree, files, *number, |set| {
            OfData::File(format!("{}.csv", set.name()), table(set))
        }),
        WishOfData::Read(number, file) => of_set(tree, files, *number, |set| {
            let file = file.replace('"', "");
            let text = format!(" : {} = csv(\"{file}\")", set.ty);
            OfData::Edits(vec![edit(program, set.rest, text)])
        }),
    }
}

fn of_set(
    tree: &tree::Program,
    files: &Files,
    number: u32,
    answer: impl FnOnce(&DataSet<'_>) -> OfData,
) -> OfData {
    with_items(tree, files, |items| {
        let sets = items.data_sets();
        match sets.get(number as usize) {
            Some(set) => answer(set),
            None => OfData::Refused("there is no such data set any more".to_owned()),
        }
    })
}

fn edit(program: &Program, span: Span, insert: String) -> TextEdit {
    let (from, to) = place::utf16(span, &program.checked.index);
    TextEdit { from, to, insert }
}

fn card(program: &Program, set: &DataSet<'_>) -> DataCard {
    let (from, to) = place::utf16(set.rest, &program.checked.index);
    let first = set.samples.iter().take(FIRST);
    let shape = |shape: &Shape| {
        let (rows, columns) = shape.as_matrix().unwrap_or((1, shape.size()));
        (clip(rows), clip(columns))
    };
    DataCard {
        name: set.name().to_owned(),
        ty: set.ty.clone(),
        count: clip(set.samples.len()),
        origin: set.origin().map(str::to_owned),
        generated: set.is_generated(),
        shapes: set.shapes.iter().map(shape).collect(),
        first: first
            .flat_map(|sample| DataSet::entries(sample).concat())
            .collect(),
        from,
        to,
    }
}

/// Edits that add a sample. It goes after the last sample in the text. If a generator or a file gives the samples, they are joined with
/// the new one.
fn add(program: &Program, set: &DataSet<'_>, sample: &[f64]) -> OfData {
    let sizes: Vec<usize> = set.shapes.iter().map(Shape::size).collect();
    let Some(parts) = parts(sample, &sizes) else {
        return OfData::Refused("a sample has other sizes".to_owned());
    };
    let Some(new) = literal(&parts) else {
        return OfData::Refused("a sample is not finite".to_owned());
    };
    let at = |place: u32| Span {
        start: place,
        end: place,
    };
    if let Some(end) = set.end() {
        return OfData::Edits(vec![edit(program, at(end), format!(", {new}"))]);
    }
    if let Some(made) = set.made() {
        return OfData::Edits(vec![
            edit(program, at(made.start), "join(".to_owned()),
            edit(program, at(made.end), format!(", [{new}])")),
        ]);
    }
    let text = match set.origin() {
        Some(file) => format!(" : {} = join(csv(\"{file}\"), [{new}])", set.ty),
        None => format!(" = [{new}]"),
    };
    OfData::Edits(vec![edit(program, set.rest, text)])
}

/// Splits the numbers of a sample into components. `None` if there are too few numbers or too many.
fn parts(mut numbers: &[f64], sizes: &[usize]) -> Option<Vec<Vec<f64>>> {
    let mut parts = Vec::with_capacity(sizes.len());
    for size in sizes {
        let (part, rest) = numbers.split_at_checked(*size)?;
        parts.push(part.to_vec());
        numbers = rest;
    }
    numbers.is_empty().then_some(parts)
}

/// A sample in the notation of the language: `⟨[0.5, −1], [1]⟩`. `None` if a number is not finite.
fn literal(parts: &[Vec<f64>]) -> Option<String> {
    let finite = parts.iter().flatten().all(|entry| entry.is_finite());
    let vector = |part: &Vec<f64>| {
        let entries: Vec<String> = part.iter().map(|entry| written(*entry)).collect();
        format!("[{}]", entries.join(", "))
    };
    let texts: Vec<String> = parts.iter().map(vector).collect();
    match texts.as_slice() {
        _ if !finite => None,
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("⟨{}⟩", several.join(", "))),
    }
}

/// A number in the notation of the language, from which the same number is read again.
fn written(number: f64) -> String {
    let size = number.abs();
    let text = match size == 0.0 || (1e-5..1e15).contains(&size) {
        true => number.to_string(),
        false => format!("{number:e}"),
    };
    // Only the leading sign becomes `−`: the sign of an exponent stays `-`.
    match text.strip_prefix('-') {
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// The samples as comma-separated values, one line for each.
fn table(set: &DataSet<'_>) -> String {
    let mut text = String::new();
    for sample in &set.samples {
        let entries = DataSet::entries(sample).concat();
        for (at, entry) in entries.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{entry}", if at > 0 { "," } else { "" });
        }
        text.push('\n');
    }
    text
}

/// Edits that increase each seed by the number of seeds. If the seeds were consecutive, no new seed equals an old one.
fn reseed(program: &Program, tree: &tree::Program) -> OfData {
    let seeds = seeds(tree);
    if seeds.is_empty() {
        let none =
            "no location begins with random numbers: `loc w ∷ (2, 8) = glorot(seed: 1)` would";
        return OfData::Refused(none.to_owned());
    }
    let step = seeds.len() as u64;
    let edits = seeds.iter().map(|seed| {
        let next = (seed.value + step) % (1 << 32);
        edit(program, seed.span, next.to_string())
    });
    OfData::Edits(edits.collect())
}
