//! Heaps that are given. They go the way of a heap in a file, so that they are held to the same: names in NFC, shapes of the program.

use crate::asked::refusal;
use fletch_runs::{Cells, weights};
use fletch_smooth::{Shape, Tensor};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Contents of locations, by name.
#[wasm_bindgen]
#[derive(Default)]
pub struct GivenHeap {
    cells: Cells,
}

#[wasm_bindgen]
impl GivenHeap {
    /// An empty heap: all locations keep what they have.
    #[wasm_bindgen(constructor)]
    pub fn new() -> GivenHeap {
        GivenHeap::default()
    }

    /// Adds a location: its sizes, outermost first, and its entries, row-major.
    ///
    /// # Errors
    /// A `TypeError`, if there are more or fewer entries than the shape has.
    pub fn put(&mut self, name: String, shape: &[u32], data: &[f64]) -> Result<(), JsValue> {
        let dims: Vec<usize> = shape.iter().map(|size| *size as usize).collect();
        let entries = data.len();
        let size = dims
            .iter()
            .try_fold(1_usize, |size, dim| size.checked_mul(*dim));
        let tensor = match size == Some(entries) {
            true => Tensor::new(Shape::new(dims), data.to_vec()),
            false => None,
        };
        let tensor = tensor.ok_or_else(|| {
            refusal(&format!(
                "the heap has `{name}` of shape {shape:?} with {entries} entries"
            ))
        })?;
        self.cells.push((name, tensor));
        Ok(())
    }
}

impl GivenHeap {
    /// Contents of these locations.
    ///
    /// # Errors
    /// In words: a name that is no location, or another shape.
    pub(crate) fn cells(&self, locations: &[(String, Tensor)]) -> Result<Cells, String> {
        if self.cells.is_empty() {
            return Ok(Cells::new());
        }
        let file = weights::written(&self.cells)?;
        Ok(weights::read("the heap", &file, locations)?.cells)
    }
}
