//! Comparison of two runs of one program, from the same heap and on the same input. Each run has an edit at one position of
//! the source, most often another handler. Results are listed location by location, with the difference.

use crate::clip;
use crate::locations::{Edit, Locations};
use crate::program::{Mode, Program};
use fletch_calculus::Program as Calculus;
use fletch_elaborate::{Use, handler_uses};
use fletch_ide::{self as ide, Checked, TextEdit, place};
use fletch_print::Blocks;
use fletch_runs::ending;
use fletch_runs::{Engine, Outcome, run_by};
use fletch_smooth::{Tensor, Value};
use fletch_syntax::tree::ItemKind;
use fletch_syntax::{Diagnostic, LineIndex, Span};
use fletch_trace::{Budget, norm};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of entries of a tensor in the result; a larger tensor is represented by blocks.
const ENTRIES: usize = 1024;
/// Maximum number of variants listed.
const MOST: usize = 24;

/// A variant of a program: the program with other text at one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Source text at that position: a handler, or all of `main`.
    pub written: String,
    /// Line of the position, from 1.
    pub line: u32,
    /// True if the text is that of `main`, false if it is a handler.
    pub main: bool,
    /// Edit that makes the variant. For the original program it inserts the text that is already there.
    pub edit: TextEdit,
}

impl Variant {
    /// True if the variant is the program unchanged.
    pub fn is_original(&self) -> bool {
        self.written == self.edit.insert
    }
}

/// Request to compare two runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// Edit of the program in the first run.
    pub left: TextEdit,
    /// Edit of the program in the second run.
    pub right: TextEdit,
}

/// Result of comparing two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// End of the first run.
    pub left: End,
    /// End of the second run.
    pub right: End,
    /// Tensors of both values; empty unless both runs end at a value of the same number of tensors.
    pub values: Vec<Pair>,
    /// Locations of both heaps, also if a run stopped on an error.
    pub heap: Vec<Pair>,
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The run reached a value.
    Value,
    /// The program is rejected because of this error.
    Rejected(Wrong),
    /// The run stopped on an error, or was refused because it would exceed its bounds.
    Stopped(Wrong),
    /// The program has no `main`.
    NoMain,
}

/// An error of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    /// Code of the error, such as `F0601`.
    pub code: String,
    /// Message, as a sentence.
    pub message: String,
    /// Hint for repairing the error, if there is one.
    pub hint: Option<String>,
}

/// A tensor that both runs have, or one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Name of the location, such as `ℓ0`. A value is `result`; if it has several components, the second one is `result.2`.
    pub name: String,
    /// Shape, such as `8 × 2`.
    pub shape: String,
    /// Number of rows as drawn.
    pub rows: u32,
    /// Number of columns as drawn.
    pub columns: u32,
    /// True if every entry is present. Otherwise each number is the entry farthest from zero of a block.
    pub whole: bool,
    /// Initial contents in both runs, if the tensor is a location's.
    pub start: Option<Vec<f64>>,
    /// The tensor at the end of the first run.
    pub left: Option<RunTensor>,
    /// The tensor at the end of the second run.
    pub right: Option<RunTensor>,
    /// The second tensor minus the first, with the norm of the difference.
    pub difference: Option<RunTensor>,
}

/// A tensor of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunTensor {
    /// Entries, row-major.
    pub entries: Vec<f64>,
    /// Euclidean norm: for a location, of the change since the start; else of the tensor itself.
    pub norm: f64,
}

/// Lists the variants of a program that check: the program itself, variants with another handler instead of one that it
/// uses, and variants whose `main` calls a command without parameters.
pub(crate) fn variants(program: &Program) -> Vec<Variant> {
    let Program {
        checked, source, ..
    } = program;
    let variant = |span: Span, insert: &str, main| {
        let (from, to) = place::utf16(span, &checked.index);
        Variant {
            written: span.text(source).to_owned(),
            line: checked.index.line_column(span.start).0,
            main,
            edit: TextEdit {
                from,
                to,
                insert: insert.to_owned(),
            },
        }
    };
    let mut all = Vec::new();
    for Use { span, instead } in handler_uses(&checked.program, source) {
        all.push(variant(span, span.text(source), false));
        all.extend(instead.iter().map(|other| variant(span, other, false)));
    }
    let mut items = checked.program.items.iter();
    let main = items.find_map(|item| match &item.node {
        ItemKind::Main(command) => Some(command.span),
        _ => None,
    });
    if let Some(span) = main {
        all.push(variant(span, span.text(source), true));
        let items = checked.program.items.iter();
        let calls = items.filter_map(|item| match &item.node {
            ItemKind::Command(decl) if decl.params.is_empty() && decl.index_params.is_empty() => {
                Some(format!("{}()", decl.name.text))
            }
            _ => None,
        });
        all.extend(calls.map(|call| variant(span, &call, true)));
    }
    all.truncate(MOST);
    all.retain(|variant| {
        variant.is_original() || runs(&ide::check(&edited(source, &variant.edit)))
    });
    all
}

fn runs(checked: &Checked) -> bool {
    checked.main.is_some() && !checked.rejected()
}

/// The text of the program after an edit.
fn edited(source: &str, edit: &TextEdit) -> String {
    let index = LineIndex::new(source);
    let at = |offset| index.from_utf16(offset) as usize;
    let before = source.get(..at(edit.from)).unwrap_or(source);
    let after = source.get(at(edit.to)..).unwrap_or_default();
    format!("{before}{}{after}", edit.insert)
}

/// Initial heap and results of a run.
struct Run {
    end: End,
    /// The tensors of its value, with their names.
    values: Vec<(String, Tensor)>,
    /// Contents of each location at the start and at the end, by name.
    heap: BTreeMap<String, (Tensor, Tensor)>,
    /// Names of the locations in the order of the listing.
    order: Vec<String>,
}

/// Runs a program twice, each time with one edit, by evaluating its denotation. Where the denotation would be too large,
/// the program is reduced step by step. The heap is that of the program, with the reader's edits.
pub(crate) fn compare(program: &Program, asked: &Runs, budget: &Budget) -> Ran {
    let run = |edit| {
        let source = edited(&program.source, edit);
        run(&source, &program.heap, program.mode, budget)
    };
    let (left, right) = (run(&asked.left), run(&asked.right));
    let both = left.end == End::Value && right.end == End::Value;
    let values = if both {
        let pairs = left.values.iter().zip(&right.values);
        let same = left.values.len() == right.values.len();
        pairs
            .filter(|_| same)
            .map(|((name, a), (_, b))| pair(name, None, Some(a), Some(b)))
            .collect()
    } else {
        Vec::new()
    };
    let more = right.order.iter();
    let more = more.filter(|name| !left.heap.contains_key(*name));
    let names = left.order.iter().chain(more);
    let heap = names.map(|name| {
        let (a, b) = (left.heap.get(name), right.heap.get(name));
        let start = a.or(b).map(|(start, _)| start);
        pair(name, start, a.map(|(_, end)| end), b.map(|(_, end)| end))
    });
    Ran {
        heap: heap.collect(),
        values,
        left: left.end,
        right: right.end,
    }
}

fn run(source: &str, edits: &[Edit], mode: Mode, budget: &Budget) -> Run {
    let nowhere = |end| Run {
        end,
        values: Vec::new(),
        heap: BTreeMap::new(),
        order: Vec::new(),
    };
    let mut checked = ide::check(source);
    if let Some(error) = checked.diagnostics.iter().find(|found| found.is_error()) {
        return nowhere(End::Rejected(wrong(error)));
    }
    let Some(main) = &mut checked.main else {
        return nowhere(End::NoMain);
    };
    let program = &mut main.program;
    Locations::of(program, &checked.program, edits);
    let run = run_by(Engine::Denotation, program, mode.into(), *budget).or_else(|_| {
        run_by(
            Engine::Step {
                shortcuts: mode.shortcuts,
            },
            program,
            mode.into(),
            *budget,
        )
    });
    let run = match run {
        Ok(run) => run,
        Err(fault) => return nowhere(End::Stopped(wrong(&ending::no_arrow(&fault)))),
    };
    let end = run.error(program);
    Run {
        end: end.map_or(End::Value, |error| End::Stopped(wrong(&error))),
        values: match &run.outcome {
            Outcome::Value(value) => parts(value),
            Outcome::Stuck(_) | Outcome::Exhausted(_) => Vec::new(),
        },
        heap: heaps(program, run.heap.contents()),
        order: names(program).collect(),
    }
}

fn names(program: &Calculus) -> impl Iterator<Item = String> {
    let locations = program.locations.iter();
    locations.map(|location| location.name.to_string())
}

fn heaps(program: &Calculus, contents: &[Tensor]) -> BTreeMap<String, (Tensor, Tensor)> {
    let both = program
        .initial
        .iter()
        .cloned()
        .zip(contents.iter().cloned());
    names(program).zip(both).collect()
}

fn wrong(error: &Diagnostic) -> Wrong {
    Wrong {
        code: error.code.clone(),
        message: error.message.clone(),
        hint: error.hint.clone(),
    }
}

/// The non-empty tensors of a value, in order, with their names.
fn parts(value: &Value) -> Vec<(String, Tensor)> {
    let tensors = value.tensors();
    let one = tensors.len() == 1;
    let numbered = tensors.into_iter().enumerate();
    let numbered = numbered.filter(|(_, tensor)| !tensor.is_empty());
    numbered
        .map(|(k, tensor)| {
            let name = match one {
                true => "result".to_owned(),
                false => format!("result.{}", k + 1),
            };
            (name, tensor.clone())
        })
        .collect()
}

fn pair(name: &str, start: Option<&Tensor>, left: Option<&Tensor>, right: Option<&Tensor>) -> Pair {
    let empty = Tensor::vector(Vec::new());
    let like = start.or(left).or(right).unwrap_or(&empty);
    let blocks = Blocks::of(like, ENTRIES);
    let half = |tensor: &Tensor| RunTensor {
        entries: blocks.entries(tensor),
        norm: match start {
            Some(start) => apart(start, tensor).map_or(f64::NAN, |apart| size(&apart)),
            None => size(tensor),
        },
    };
    let difference = left.zip(right).and_then(|(left, right)| {
        let difference = apart(left, right)?;
        Some(RunTensor {
            entries: blocks.entries(&difference),
            norm: size(&difference),
        })
    });
    Pair {
        name: name.to_owned(),
        shape: like.shape().to_string(),
        rows: clip(blocks.rows()),
        columns: clip(blocks.columns()),
        whole: blocks.is_whole(),
        start: start.map(|start| blocks.entries(start)),
        left: left.map(half),
        right: right.map(half),
        difference,
    }
}

/// The second tensor minus the first; `None` if they differ in size.
fn apart(first: &Tensor, second: &Tensor) -> Option<Tensor> {
    let pairs = first.data().iter().zip(second.data());
    let entries = pairs.map(|(first, second)| second - first).collect();
    Tensor::new(second.shape().clone(), entries).filter(|_| first.len() == second.len())
}

fn size(tensor: &Tensor) -> f64 {
    norm(tensor.data().iter().copied())
}
