//! The heap 𝓗 of Example mlp-reduction: a tensor for every location.

use fletch_calculus::{Location, Tensor};
use std::sync::Arc;

/// A heap. Cloning is free; a write copies one pointer per location.
#[derive(Clone, Debug, PartialEq)]
pub struct Heap(Arc<[Tensor]>);

impl Heap {
    /// The heap with these contents, by location number.
    pub fn new(contents: Vec<Tensor>) -> Self {
        Heap(Arc::from(contents))
    }

    /// 𝓗(ℓ)
    pub fn get(&self, location: &Location) -> Option<&Tensor> {
        self.0.get(location.number)
    }

    /// 𝓗[ℓ ↦ v]
    #[must_use]
    pub fn with(&self, location: &Location, contents: Tensor) -> Heap {
        let mut cells = self.0.to_vec();
        if let Some(cell) = cells.get_mut(location.number) {
            *cell = contents;
        }
        Heap(Arc::from(cells))
    }

    /// All contents, by location number.
    pub fn contents(&self) -> &[Tensor] {
        &self.0
    }
}
