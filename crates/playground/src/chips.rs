//! Tensors as chips: shape, thumbnail, entries.

use crate::protocol::Chip;
use fletch_calculus::{Tensor, Term, TermKind};

/// No chip carries more entries than this; a larger tensor shows its first ones.
const ENTRY_LIMIT: usize = 1024;

/// The chip of a tensor. A vector is drawn as a row, a tensor of rank 3 as its matrices side by side.
pub(crate) fn chip(tensor: &Tensor) -> Chip {
    let shape = tensor.shape();
    let (rows, columns) = drawn(tensor);
    let clip = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
    Chip {
        id: 0,
        shape: shape.to_string(),
        rows: clip(rows),
        columns: clip(columns),
        entries: tensor.data().iter().take(ENTRY_LIMIT).copied().collect(),
        size: clip(tensor.len()),
    }
}

/// Rows and columns as drawn, row-major.
pub(crate) fn drawn(tensor: &Tensor) -> (usize, usize) {
    match tensor.shape().dims() {
        [] => (1, 1),
        [size] => (1, *size),
        [rows @ .., columns] => (rows.iter().product(), *columns),
    }
}

/// Plain text about as wide as a chip is drawn, so that the layout leaves room for it.
pub(crate) fn stand_in(chip: &Chip) -> String {
    let thumbnail = chip.columns.clamp(2, 8) as usize;
    format!("[{}{}]", "▪".repeat(thumbnail.div_ceil(2)), chip.shape)
}

/// The chips of a value: one for each tensor in it, in order.
pub(crate) fn chips(value: &Term) -> Vec<Chip> {
    match value.kind() {
        TermKind::Constant(tensor) if !tensor.is_empty() => vec![chip(tensor)],
        TermKind::Tuple(parts) => parts.iter().flat_map(chips).collect(),
        _ => Vec::new(),
    }
}
