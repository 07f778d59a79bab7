//! Tensors as chips: shape, thumbnail, and all entries on demand.

use crate::numbers::Digits;
use crate::pieces::Chip;
use fletch_calculus::{Tensor, Term, TermKind};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Maximum number of entries of a chip; a larger tensor is shown by blocks.
const CHIP_LIMIT: usize = 256;
/// Maximum number of entries of a reply.
const ENTRY_LIMIT: usize = 65_536;

/// Store of the tensors of a view, and of later replies about the view. It numbers each tensor once, and returns all entries of
/// a large tensor on request. Without a view no tensors are kept.
#[derive(Debug, Default)]
pub struct Chips {
    kept: Option<RefCell<Kept>>,
    digits: Digits,
}

/// Kept tensors, and their numbers by address and length of their entries.
#[derive(Debug, Default)]
struct Kept {
    tensors: Vec<Tensor>,
    numbers: BTreeMap<(*const f64, usize), u32>,
}

impl Chips {
    /// Chips of a new view; keeps the tensors.
    pub fn kept() -> Chips {
        Chips {
            kept: Some(RefCell::default()),
            ..Chips::default()
        }
    }

    /// Chips of a text, with numbers in this notation; keeps no tensors.
    pub fn written(digits: Digits) -> Chips {
        Chips {
            digits,
            ..Chips::default()
        }
    }

    /// Notation of the numbers that are not chips.
    pub fn digits(&self) -> Digits {
        self.digits
    }

    /// Number of a tensor, from 1, equal for all its occurrences; 0 if no tensors are kept. [`Chips::entries`] takes this number.
    pub fn register(&self, tensor: &Tensor) -> u32 {
        let Some(kept) = &self.kept else { return 0 };
        let Kept { tensors, numbers } = &mut *kept.borrow_mut();
        let data = tensor.data();
        *numbers
            .entry((data.as_ptr(), data.len()))
            .or_insert_with(|| {
                // A kept tensor's address is not reused, so that it identifies the tensor.
                tensors.push(tensor.clone());
                u32::try_from(tensors.len()).unwrap_or(0)
            })
    }

    /// Entries of a kept tensor, at most 65 536.
    pub fn entries(&self, chip: u32) -> Option<Vec<f64>> {
        let at = usize::try_from(chip).ok()?.checked_sub(1)?;
        let kept = self.kept.as_ref()?.borrow();
        let entries = kept.tensors.get(at)?.data().iter().take(ENTRY_LIMIT);
        Some(entries.copied().collect())
    }

    /// The chip of a tensor. A vector is drawn as a row, a tensor of rank 3 as its matrices one below the other.
    pub fn chip(&self, tensor: &Tensor) -> Chip {
        let blocks = Blocks::of(tensor, CHIP_LIMIT);
        let clip = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        let value = self.register(tensor);
        Chip {
            id: if blocks.is_whole() { 0 } else { value },
            value,
            shape: tensor.shape().to_string(),
            rows: clip(blocks.rows()),
            columns: clip(blocks.columns()),
            entries: blocks.entries(tensor),
            size: clip(tensor.len()),
        }
    }

    /// The chips of a value: one for each tensor in it, in order.
    pub fn of(&self, value: &Term) -> Vec<Chip> {
        match value.kind() {
            TermKind::Constant(tensor) if !tensor.is_empty() => vec![self.chip(tensor)],
            TermKind::Tuple(parts) => parts.iter().flat_map(|part| self.of(part)).collect(),
            _ => Vec::new(),
        }
    }
}

/// Rows and columns as drawn, row-major.
fn drawn(tensor: &Tensor) -> (usize, usize) {
    match tensor.shape().dims() {
        [] => (1, 1),
        [size] => (1, *size),
        [rows @ .., columns] => (rows.iter().product(), *columns),
    }
}

/// Partition of a tensor into a limited number of blocks.
pub struct Blocks {
    /// Rows and columns of the tensor as drawn.
    drawn: (usize, usize),
    /// Rows and columns of a block.
    block: (usize, usize),
}

impl Blocks {
    /// Partition into at most `limit` blocks, about as many across as down.
    pub fn of(tensor: &Tensor, limit: usize) -> Blocks {
        let (rows, columns) = drawn(tensor);
        let side = limit.isqrt();
        let (most_rows, most_columns) = if tensor.len() <= limit {
            (rows, columns)
        } else if rows <= side {
            (rows, limit / rows.max(1))
        } else if columns <= side {
            (limit / columns.max(1), columns)
        } else {
            (side, side)
        };
        Blocks {
            drawn: (rows, columns),
            block: (
                rows.div_ceil(most_rows.max(1)).max(1),
                columns.div_ceil(most_columns.max(1)).max(1),
            ),
        }
    }

    /// True if every entry is a block of its own.
    pub fn is_whole(&self) -> bool {
        self.block == (1, 1)
    }

    /// Rows of blocks.
    pub fn rows(&self) -> usize {
        self.drawn.0.div_ceil(self.block.0)
    }

    /// Columns of blocks.
    pub fn columns(&self) -> usize {
        self.drawn.1.div_ceil(self.block.1)
    }

    /// Entry farthest from zero of each block.
    pub fn entries(&self, tensor: &Tensor) -> Vec<f64> {
        if self.is_whole() {
            return tensor.data().to_vec();
        }
        let columns = self.columns();
        let mut cells = vec![0.0_f64; self.rows() * columns];
        for (row, values) in tensor.data().chunks(self.drawn.1.max(1)).enumerate() {
            for (column, value) in values.iter().enumerate() {
                let at = (row / self.block.0) * columns + column / self.block.1;
                if let Some(cell) = cells.get_mut(at)
                    && (value.abs() > cell.abs() || value.is_nan())
                {
                    *cell = *value;
                }
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::{Blocks, Chips};
    use fletch_calculus::Tensor;
    use fletch_smooth::Shape;

    fn tensor(dims: &[usize]) -> Tensor {
        let size = dims.iter().product::<usize>();
        let data = (0..size).map(|n| if n % 7 == 0 { -(n as f64) } else { 0.5 });
        Tensor::new(Shape::new(dims.to_vec()), data.collect()).expect("the size fits")
    }

    #[test]
    fn a_large_tensor_is_shown_by_blocks_and_sent_whole_when_asked_for() {
        let chips = Chips::kept();
        let chip = |tensor: &Tensor| chips.chip(tensor);
        let (small, large) = (tensor(&[16, 16]), tensor(&[40, 33]));
        assert_eq!((chip(&small).id, chip(&small).entries.len()), (0, 256));
        let shown = chip(&large);
        assert_eq!((shown.id, shown.rows, shown.columns), (2, 14, 11));
        assert_eq!(chip(&large).id, 2, "the same tensor has the same number");
        assert_eq!(chips.entries(2).as_deref(), Some(large.data()));
        assert_eq!((chips.entries(0), chips.entries(3)), (None, None));
        // Tensors with equal entries are different tensors.
        assert_eq!(chip(&small).value, chip(&small.clone()).value);
        assert_ne!(chip(&small).value, chip(&tensor(&[16, 16])).value);
        let unkept = Chips::default();
        assert_eq!((unkept.chip(&large).id, unkept.entries(1)), (0, None));
    }

    #[test]
    fn what_a_thumbnail_would_not_show_is_written() {
        let written = |dims: &[usize], data: &[f64]| {
            let tensor = Tensor::new(Shape::new(dims.to_vec()), data.to_vec()).expect("it fits");
            Chips::default().chip(&tensor).written()
        };
        assert_eq!(written(&[2], &[1.0, 0.0]).as_deref(), Some("[1, 0]"));
        assert_eq!(written(&[2], &[0.0, 0.0]).as_deref(), Some("[0, 0]"));
        assert_eq!(
            written(&[3], &[0.25, -0.12345, 7.0]).as_deref(),
            Some("[0.25, −0.123, 7]")
        );
        assert_eq!(written(&[4], &[0.0; 4]).as_deref(), Some("4 zeros"));
        assert_eq!(written(&[2, 4], &[0.0; 8]).as_deref(), Some("2 × 4 zeros"));
        assert_eq!(written(&[4], &[0.0, 0.0, 1.0, 0.0]), None);
        assert_eq!(written(&[1, 2], &[1.0, 2.0]), None, "a matrix");
    }

    #[test]
    fn blocks_are_few_and_lose_no_extreme() {
        for dims in [
            &[70_000][..],
            &[1, 5000],
            &[5000, 1],
            &[3, 2000],
            &[100, 100],
            &[8, 8, 100],
        ] {
            let tensor = tensor(dims);
            let blocks = Blocks::of(&tensor, 256);
            let cells = blocks.entries(&tensor);
            assert_eq!(cells.len(), blocks.rows() * blocks.columns());
            assert!(cells.len() <= 256, "{dims:?}");
            let far = |entries: &[f64]| entries.iter().fold(0.0_f64, |far, n| far.max(n.abs()));
            assert_eq!(far(&cells), far(tensor.data()));
        }
    }
}
