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

/// A heap cell.
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
    /// Contents now, row-major; of a large tensor (more than 4096 entries) the entry farthest from zero of each of
    /// `rows × columns` blocks.
    pub entries: Vec<f64>,
    /// Contents before the last `Put`, if there was one, in the same form.
    pub before: Option<Vec<f64>>,
    /// What the run started from, if it was written more than once and all entries are here: else that is what is there
    /// now, or before the last `Put`.
    pub start: Option<Vec<f64>>,
    /// What to call the contents now, and those before, in [`super::Request::Entries`]; 0 if all entries are here.
    pub ids: (u32, u32),
    /// What the tensor is, as a picture.
    pub picture: Picture,
    /// Of a tensor of more than 64 entries, what it is like.
    pub summary: Option<Summary>,
    /// Whether nothing has written it yet, and if so, what it holds.
    pub blank: Option<Blank>,
    /// How many times it was written so far.
    pub writes: u32,
    /// The writes around the position, those to come too, oldest first; at most 64.
    pub history: Vec<WriteView>,
    /// What the last `Put` stored, as the clause writes it.
    pub update: Option<Update>,
    /// Whether the last step read or wrote it, or the next one will.
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
    /// The next step reads it.
    Reads,
    /// The next step writes it.
    WillWrite,
    /// The last step wrote it.
    Wrote,
}
