//! The heap at a position: contents, past and future writes, and the change by the last write with its term. A location
//! that the step from this position writes is shown with its contents after that step, since the sentence at the position
//! is about that step.

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

/// A heap cell. If the step from the position writes the cell, the cell is shown after that step, with the change, because
/// the sentence at the position tells that step. Only `writes` and `history` still count that write as a future one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellView {
    /// Name of the location, such as `ℓ0`.
    pub name: String,
    /// Shape, such as `4 × 3`.
    pub shape: String,
    /// Number of rows as drawn.
    pub rows: u32,
    /// Number of columns as drawn.
    pub columns: u32,
    /// Contents at the position, or after its step if that step writes the cell; row-major. A tensor of more than 4096
    /// entries is divided into `rows × columns` blocks, and each block is represented by its entry farthest from zero.
    pub entries: Vec<f64>,
    /// Contents before the displayed `Put`, in the form of `entries`. The displayed `Put` is the step from the position,
    /// or else the last one.
    pub before: Option<Vec<f64>>,
    /// Contents at the start of the run, if the displayed `Put` is not the first and all entries are included. Otherwise
    /// `before` has them, or `entries` if there is no `Put`.
    pub start: Option<Vec<f64>>,
    /// Ids of the tensors of `entries` and `before` for [`crate::protocol::Ask::Entries`]; 0 if all entries are included.
    pub ids: (u32, u32),
    /// Id of the tensor of `entries`, the same as in chips that show that tensor.
    pub value: u32,
    /// Layout of the tensor as a picture.
    pub picture: Picture,
    /// Statistics of a tensor of more than 64 entries.
    pub summary: Option<Summary>,
    /// Origin of the contents, if no `Put` is displayed.
    pub blank: Option<Blank>,
    /// Number of writes before this position.
    pub writes: u32,
    /// Writes around the position, past and future, oldest first; at most 64.
    pub history: Vec<WriteView>,
    /// Term that the displayed `Put` stores, as its clause writes it.
    pub update: Option<Update>,
    /// Access by the step from the position, or write by the step before it.
    pub active: Option<Access>,
    /// Source span of the declaration: from, to.
    pub source: (u32, u32),
}

/// Layout of a tensor as a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Picture {
    /// A number or a matrix.
    Matrix,
    /// A vector, drawn as a line of cells: number of channels, drawn one above the other, and their length.
    Signal(u32, u32),
    /// Images side by side: number of images, and the rows and columns of each.
    Images(u32, u32, u32),
}

/// Statistics of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of entries.
    pub size: u32,
    /// Smallest entry.
    pub least: f64,
    /// Largest entry.
    pub greatest: f64,
    /// Mean of the entries.
    pub mean: f64,
    /// Square root of the sum of the squares.
    pub norm: f64,
    /// Number of zeros.
    pub zeros: u32,
}

/// A write to a heap cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteView {
    /// Position just before the write; the sentence there tells the write.
    pub position: u32,
    /// Call whose clause wrote, such as `FC[ℓ0] backward`.
    pub by: Option<String>,
    /// Line of the `Put` in the source, from 1.
    pub line: u32,
    /// Source span of the `Put`: from, to.
    pub source: (u32, u32),
    /// Norm of the contents after the write.
    pub norm: f64,
    /// Norm of the difference of the contents after and before the write.
    pub change: f64,
}

/// Access of a step to a heap cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// The step from the position reads the cell.
    Reads,
    /// The step from the position writes the cell, which is shown after that step.
    WillWrite,
    /// The step before the position wrote the cell.
    Wrote,
}

/// Maximum number of entries that a cell includes; a larger tensor is shown in blocks.
const CELL_LIMIT: usize = 4096;
/// Number of entries beyond which a cell has a summary.
const SUMMARY_FROM: usize = 64;
/// Maximum number of writes in the history, on both sides of the position together.
const HISTORY: usize = 64;

/// Makes one card per location. Also returns the largest absolute value shown.
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
            // Position of the displayed write. The write by the step from the position takes precedence over earlier ones.
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

/// Layout of a tensor: a vector is a line, a matrix a matrix, a tensor of higher rank a row of matrices. The kernels of a
/// convolution are one matrix for each output channel, with a row for each input channel.
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

/// Writes around the position, of which `done` come before it.
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

/// Position before the write that a card displays, if any: the step from the position if it writes, or else the last write.
fn told(trace: &Trace, location: &LocationRef, position: usize, done: usize) -> Option<usize> {
    let writes = trace.writes().of(location.number);
    let coming = writes.get(done).filter(|write| write.at == position);
    let last = || writes.get(done.checked_sub(1)?);
    coming.or_else(last).map(|write| write.at)
}

/// Access to a location by the steps next to a position. Positions that the trace has not reached access nothing. Neither
/// do operations that a handler intercepts.
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
