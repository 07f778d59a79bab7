//! The heap at a position.

use serde::{Deserialize, Serialize};

/// Contents that a reader gave to a location in place of the program's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// `ℓ0`
    pub location: String,
    /// All entries, row-major.
    pub entries: Vec<f64>,
}

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
    /// Contents now, or after the step from here if it writes the cell; row-major. Of a large tensor (more than 4096 entries) the entry farthest from zero of each of
    /// `rows × columns` blocks.
    pub entries: Vec<f64>,
    /// Contents before the `Put` that is told, in the same form: that of the step from here, or else the last one.
    pub before: Option<Vec<f64>>,
    /// What the run started from, if the `Put` that is told is not the first and all entries are here: else `before`
    /// has it, or `entries` where there is no `Put`.
    pub start: Option<Vec<f64>>,
    /// What to call `entries` and `before` in [`super::Request::Entries`]; 0 if all entries are here.
    pub ids: (u32, u32),
    /// Which tensor `entries` are, as chips have it.
    pub value: u32,
    /// What the tensor is, as a picture.
    pub picture: Picture,
    /// Of a tensor of more than 64 entries, what it is like.
    pub summary: Option<Summary>,
    /// Whether no `Put` is told, and if so, what it holds.
    pub blank: Option<Blank>,
    /// How many times it was written before this position.
    pub writes: u32,
    /// The writes around the position, those to come too, oldest first; at most 64.
    pub history: Vec<WriteView>,
    /// What the `Put` that is told stores, as the clause writes it.
    pub update: Option<Update>,
    /// Whether the step from here reads or writes it, or the last one wrote it.
    pub active: Option<Access>,
    /// Where it is declared in the source: from, to.
    pub source: (u32, u32),
}

/// What a tensor is as a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Picture {
    /// A number or a matrix.
    Matrix,
    /// A vector, a line of cells: channels, one above the other, and their length.
    Signal(u32, u32),
    /// Pictures side by side: how many, rows and columns of each.
    Images(u32, u32, u32),
}

/// What a tensor is like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of entries.
    pub size: u32,
    /// The least entry.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
    /// Their mean.
    pub mean: f64,
    /// The square root of the sum of their squares.
    pub norm: f64,
    /// How many are zero.
    pub zeros: u32,
}

/// What a cell holds that nothing has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blank {
    /// What the program gives it.
    Initial,
    /// Zeros, since the program gives it nothing else.
    Zero,
    /// What the reader gave it.
    Edited,
}

/// A write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteView {
    /// The position right before it, whose sentence tells it.
    pub position: u32,
    /// Who wrote: `FC[ℓ0] backward`.
    pub by: Option<String>,
    /// The line of the `Put` in the source, from 1.
    pub line: u32,
    /// Where the `Put` stands in the source: from, to.
    pub source: (u32, u32),
    /// The norm of the contents after it.
    pub norm: f64,
    /// The norm of the difference.
    pub change: f64,
}

/// What a `Put` stored, as its clause writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// The argument in the source: `w − y ∗ xᵀ`.
    pub text: String,
    /// y and x, if what was stored is w − y ∗ xᵀ, with w the contents before: entry (i, j) changed by −yᵢ·xⱼ.
    pub factors: Option<(Vec<f64>, Vec<f64>)>,
    /// The names that y and x have in the clause.
    pub names: Option<(String, String)>,
}

/// How a step touches a heap cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// The step from here reads it.
    Reads,
    /// The step from here writes it, and the cell is shown as it leaves it.
    WillWrite,
    /// The last step wrote it.
    Wrote,
}
