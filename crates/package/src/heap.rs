//! Heaps that the caller passes in. They are converted like a heap in a file, so the same rules apply: names in NFC, shapes of the program.

use crate::requests::refusal;
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
    /// An empty heap, with which all locations keep their contents.
    #[wasm_bindgen(constructor)]
    pub fn new() -> GivenHeap {
        GivenHeap::default()
    }

    /// Adds a location by its shape, outermost size first, and its entries, row-major.
    ///
    /// # Errors
    /// A `TypeError`, if the number of entries does not match the shape.
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
    /// The contents for these locations.
    ///
    /// # Errors
    /// In words, if a name is that of no location or a shape differs.
    pub(crate) fn cells(&self, locations: &[(String, Tensor)]) -> Result<Cells, String> {
        if self.cells.is_empty() {
            return Ok(Cells::new());
        }
        let file = weights::written(&self.cells)?;
        Ok(weights::read("the heap", &file, locations)?.cells)
    }
}
