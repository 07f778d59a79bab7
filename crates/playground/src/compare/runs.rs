//! Comparison of two runs of one program: from the same heap, on the same input, each with an edit at one place, most often
//! another handler. Results are listed location by location, with the difference.

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

/// A map carries no more entries than this; of a larger tensor it shows blocks.
const ENTRIES: usize = 1024;
/// Maximum number of variants listed.
const MOST: usize = 24;

/// A way to run a program: one place of it written otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Source text at the place: a handler, or all of `main`.
    pub written: String,
    /// The line of the place, from 1.
    pub line: u32,
    /// True if the place is `main`, false if it is a handler.
    pub main: bool,
    /// Edit that puts the text of this run there; for the original program it changes nothing.
    pub edit: TextEdit,
}

impl Variant {
    /// True if the variant is the program unchanged.
    pub fn is_original(&self) -> bool {
        self.written == self.edit.insert
    }
}

/// Two runs that are to be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// The edit of the program in the first.
    pub left: TextEdit,
    /// The edit of the program in the second.
    pub right: TextEdit,
}

/// Two runs compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// End of the first run.
    pub left: End,
    /// End of the second run.
    pub right: End,
    /// The parts of both values, if both have one.
    pub values: Vec<Pair>,
    /// The locations of both heaps, also where a run stopped.
    pub heap: Vec<Pair>,
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// At a value.
    Value,
    /// The program is rejected so.
    Rejected(Wrong),
    /// The run stopped on an error, or was refused because it would exceed the bounds.
    Stopped(Wrong),
    /// The program has no `main`.
    NoMain,
}

/// Error of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    /// `F0601`
    pub code: String,
    /// In a sentence.
    pub message: String,
    /// Way to repair the error, if one is known.
    pub hint: Option<String>,
}

/// A tensor that both runs have, or one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// `ℓ0`; of a value `result`, of one of several parts `result.2`.
    pub name: String,
    /// `8 × 2`
    pub shape: String,
    /// Rows as drawn.
    pub rows: u32,
    /// Columns as drawn.
    pub columns: u32,
    /// True if every entry is present; else each entry is the one farthest from zero in its block.
    pub whole: bool,
    /// Common initial contents of both runs, if the tensor is a location's.
    pub start: Option<Vec<f64>>,
    /// Tensor at the end of the first run.
    pub left: Option<RunTensor>,
    /// Tensor at the end of the second run.
    pub right: Option<RunTensor>,
    /// The second less the first, with its norm.
    pub difference: Option<RunTensor>,
}

/// A tensor of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunTensor {
    /// The entries, row-major.
    pub entries: Vec<f64>,
    /// Euclidean norm: of the change since the start for a location, else of the tensor itself.
    pub norm: f64,
}

/// Variants of a program that check: the program itself, those with another handler in place of one that it uses, and those
/// that run a command without parameters.
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

/// The program with one place written otherwise.
fn edited(source: &str, edit: &TextEdit) -> String {
    let index = LineIndex::new(source);
    let at = |offset| index.from_utf16(offset) as usize;
    let before = source.get(..at(edit.from)).unwrap_or(source);
    let after = source.get(at(edit.to)..).unwrap_or_default();
    format!("{before}{}{after}", edit.insert)
}

/// Initial contents and end of a run.
struct Run {
    end: End,
    /// The parts of its value, with their names.
    values: Vec<(String, Tensor)>,
    /// The locations by name, as they are at first and in the end.
    heap: BTreeMap<String, (Tensor, Tensor)>,
    /// Names in the order in which they are listed.
    order: Vec<String>,
}

/// Runs a program twice, each time with one edit, by its denotation, or by reduction where the denotation would be
/// enormous. The heap is that of the program with the reader's contents.
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

/// The tensors of a value that have entries, in order.
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

/// The second less the first, if they are of one size.
fn apart(first: &Tensor, second: &Tensor) -> Option<Tensor> {
    let pairs = first.data().iter().zip(second.data());
    let entries = pairs.map(|(first, second)| second - first).collect();
    Tensor::new(second.shape().clone(), entries).filter(|_| first.len() == second.len())
}

fn size(tensor: &Tensor) -> f64 {
    norm(tensor.data().iter().copied())
}
