//! The heap at a position: contents, past and coming writes, and the change by the last write with its term. A location
//! that the step from here writes is shown as that step leaves it, since the sentence at the position is about that step.

pub(crate) mod update;

use crate::clip;
use crate::locations::Blank;
use crate::program::Program;
use fletch_calculus::{LocationRef, Tensor};
use fletch_ide::place;
use fletch_print::{Blocks, Chips};
use fletch_reduction::Action;
use fletch_syntax::LineIndex;
use fletch_trace::{Trace, Write, norm};
use serde::{Deserialize, Serialize};
use update::Update;

/// A heap cell. The sentence at a position tells the step from there: if that writes the cell, the cell is shown as the
/// step leaves it, with what it changes. Only `writes` and `history` still count the write among those to come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellView {
    /// `ℓ0`
    pub name: String,
    /// `4 × 3`
    pub shape: String,
    /// Rows as drawn.
    pub rows: u32,
    /// Columns as drawn.
    pub columns: u32,
    /// Contents now, or after the step from here if it writes the cell; row-major. Of a tensor of more than 4096 entries,
    /// the entry farthest from zero of each of `rows × columns` blocks.
    pub entries: Vec<f64>,
    /// Contents before the `Put` on display, in the same form: the `Put` of the step from here, or else the last one.
    pub before: Option<Vec<f64>>,
    /// Contents at the start of the run, if the `Put` on display is not the first and all entries are here. Otherwise they
    /// are in `before`, or in `entries` where there is no `Put`.
    pub start: Option<Vec<f64>>,
    /// Ids of `entries` and `before` for [`crate::protocol::Ask::Entries`]; 0 if all entries are here.
    pub ids: (u32, u32),
    /// Id of the tensor `entries`, shared with the chips that show it.
    pub value: u32,
    /// Layout of the tensor as a picture.
    pub picture: Picture,
    /// Statistics of a tensor of more than 64 entries.
    pub summary: Option<Summary>,
    /// Origin of the contents if no `Put` is on display.
    pub blank: Option<Blank>,
    /// Number of writes before this position.
    pub writes: u32,
    /// The writes around the position, those to come too, oldest first; at most 64.
    pub history: Vec<WriteView>,
    /// Term that the `Put` on display stores, as its clause writes it.
    pub update: Option<Update>,
    /// Access by the step from here, or write by the last step.
    pub active: Option<Access>,
    /// Source span of the declaration: from, to.
    pub source: (u32, u32),
}

/// Layout of a tensor as a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Picture {
    /// A number or a matrix.
    Matrix,
    /// A vector, a line of cells: channels, one above the other, and their length.
    Signal(u32, u32),
    /// Images side by side: their number, and the rows and columns of each.
    Images(u32, u32, u32),
}

/// Statistics of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of entries.
    pub size: u32,
    /// The least entry.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
    /// Mean of the entries.
    pub mean: f64,
    /// The square root of the sum of their squares.
    pub norm: f64,
    /// Number of zeros.
    pub zeros: u32,
}

/// A write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteView {
    /// The position right before it, whose sentence tells it.
    pub position: u32,
    /// Call that wrote: `FC[ℓ0] backward`.
    pub by: Option<String>,
    /// The line of the `Put` in the source, from 1.
    pub line: u32,
    /// Source span of the `Put`: from, to.
    pub source: (u32, u32),
    /// The norm of the contents after it.
    pub norm: f64,
    /// The norm of the difference.
    pub change: f64,
}

/// Access of a step to a heap cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// The step from here reads it.
    Reads,
    /// The step from here writes it, and the cell is shown as it leaves it.
    WillWrite,
    /// The last step wrote it.
    Wrote,
}

/// A cell carries no more entries than this; of a larger tensor it shows blocks.
const CELL_LIMIT: usize = 4096;
/// Number of entries beyond which a cell has a summary.
const SUMMARY_FROM: usize = 64;
/// Maximum number of writes in the history, on both sides of the position together.
const HISTORY: usize = 64;

/// One card per location, and the largest absolute value shown.
pub(crate) fn cells(
    trace: &Trace,
    program: &Program,
    position: usize,
    chips: &Chips,
) -> (Vec<CellView>, f64) {
    let heap = trace.state(position).heap();
    let index = &program.checked.index;
    let cells: Vec<CellView> = program
        .locations
        .declared
        .iter()
        .zip(heap.contents())
        .map(|(declared, contents)| {
            let location = &declared.location;
            let written = trace.writes().until(location.number, position);
            // The write that is told: what the step from here does comes before what was done.
            let told = told(trace, location, position, written);
            let write = told.and_then(|at| trace.step(at)?.write.as_ref());
            let contents = write.map_or(contents, |write| &write.after);
            let before = write.map(|write| &write.before);
            let first = trace.writes().of(location.number).first();
            let once = told == first.map(|first| first.at);
            let blocks = Blocks::of(contents, CELL_LIMIT);
            let whole = blocks.is_whole();
            CellView {
                name: location.name.to_string(),
                shape: contents.shape().to_string(),
                rows: clip(blocks.rows()),
                columns: clip(blocks.columns()),
                entries: blocks.entries(contents),
                before: before.map(|before| blocks.entries(before)),
                start: (whole && told.is_some() && !once)
                    .then(|| trace.state(0).heap().get(location))
                    .flatten()
                    .map(|start| start.data().to_vec()),
                value: chips.register(contents),
                ids: (
                    if whole { 0 } else { chips.register(contents) },
                    before
                        .filter(|_| !whole)
                        .map_or(0, |before| chips.register(before)),
                ),
                picture: if whole {
                    picture(contents)
                } else {
                    Picture::Matrix
                },
                summary: (contents.len() > SUMMARY_FROM).then(|| summary(contents)),
                blank: told.is_none().then_some(declared.blank),
                writes: clip(written),
                history: history(trace, location, written, index),
                update: told.map(|at| update::update(trace, at, &program.source)),
                active: access(trace, location, position),
                source: place::utf16(declared.span, index),
            }
        })
        .collect();
    let scale = cells
        .iter()
        .flat_map(|cell| cell.entries.iter().chain(cell.before.iter().flatten()))
        .filter(|entry| entry.is_finite())
        .fold(0.0_f64, |scale, entry| scale.max(entry.abs()));
    (cells, scale)
}

/// A vector is a line, a matrix a matrix, and a tensor of higher rank as many matrices as it holds: the kernels of
/// a convolution are one for each channel that comes out, with a row for each that goes in.
fn picture(tensor: &Tensor) -> Picture {
    match tensor.shape().dims() {
        [size] if *size > 1 => Picture::Signal(1, clip(*size)),
        [count @ .., rows, columns] if !count.is_empty() => {
            Picture::Images(clip(count.iter().product()), clip(*rows), clip(*columns))
        }
        _ => Picture::Matrix,
    }
}

fn summary(tensor: &Tensor) -> Summary {
    let entries = tensor.data();
    #[allow(clippy::cast_precision_loss)] // Far below 2⁵².
    let size = entries.len() as f64;
    Summary {
        size: clip(entries.len()),
        least: entries.iter().copied().fold(f64::INFINITY, f64::min),
        greatest: entries.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        mean: entries.iter().sum::<f64>() / size,
        norm: norm(entries.iter().copied()),
        zeros: clip(entries.iter().filter(|entry| **entry == 0.0).count()),
    }
}

/// The writes around the position: `done` of them lie behind it.
fn history(
    trace: &Trace,
    location: &LocationRef,
    done: usize,
    index: &LineIndex,
) -> Vec<WriteView> {
    let writes = trace.writes().of(location.number);
    // Room left over on one side of the position is used on the other.
    let from = done
        .saturating_sub(HISTORY / 2)
        .min(writes.len().saturating_sub(HISTORY));
    writes
        .iter()
        .skip(from)
        .take(HISTORY)
        .filter_map(|write| write_view(trace, write, index))
        .collect()
}

fn write_view(trace: &Trace, write: &Write, index: &LineIndex) -> Option<WriteView> {
    let span = place::span(trace.origin(write.at)?);
    Some(WriteView {
        position: clip(write.at),
        by: write.by(trace.calls()),
        line: index.line_column(span.start).0,
        source: place::utf16(span, index),
        norm: write.norm,
        change: write.change,
    })
}

/// The position before the write that a card tells of, if any: the step from here if it writes, or else the last one.
fn told(trace: &Trace, location: &LocationRef, position: usize, done: usize) -> Option<usize> {
    let writes = trace.writes().of(location.number);
    let coming = writes.get(done).filter(|write| write.at == position);
    let last = || writes.get(done.checked_sub(1)?);
    coming.or_else(last).map(|write| write.at)
}

/// Access to a location by the steps around a position. Positions that the trace has not reached, and operations that a
/// handler intercepts, access nothing.
fn access(trace: &Trace, location: &LocationRef, position: usize) -> Option<Access> {
    let touched = |at: Option<usize>| match &trace.step(at?)?.action {
        Action::Get { location: read, .. } if read.number == location.number => Some(Access::Reads),
        Action::Put {
            location: written, ..
        } if written.number == location.number => Some(Access::WillWrite),
        _ => None,
    };
    match (touched(Some(position)), touched(position.checked_sub(1))) {
        (Some(Access::WillWrite), _) => Some(Access::WillWrite),
        (_, Some(Access::WillWrite)) => Some(Access::Wrote),
        (next, _) => next,
    }
}
