//! The initial heap: instances of declared locations, numbered in the order of their first occurrence, with their contents.

use crate::recipes::Recipe;
use fletch_calculus::{Location, LocationRef, Tensor};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The cells made so far, in order.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    locations: Vec<LocationRef>,
    initial: Vec<Tensor>,
    recipes: Vec<Option<Recipe>>,
    by_name: BTreeMap<String, usize>,
}

impl Cells {
    pub(crate) fn find(&self, name: &str) -> Option<LocationRef> {
        self.locations.get(*self.by_name.get(name)?).cloned()
    }

    /// Adds a cell; a recipe comes with contents that a generator has made.
    pub(crate) fn add(
        &mut self,
        name: String,
        sizes: Vec<usize>,
        (initial, recipe): (Tensor, Option<Recipe>),
    ) -> LocationRef {
        let number = self.locations.len();
        let location = Arc::new(Location {
            name: Arc::from(name.as_str()),
            number,
            sizes,
        });
        self.locations.push(location.clone());
        self.initial.push(initial);
        self.recipes.push(recipe);
        self.by_name.insert(name, number);
        location
    }

    pub(crate) fn count(&self) -> usize {
        self.locations.len()
    }

    /// Forgets all cells but the first `count`.
    pub(crate) fn forget(&mut self, count: usize) {
        for location in self.locations.split_off(count.min(self.locations.len())) {
            self.by_name.remove(&*location.name);
        }
        self.initial.truncate(count);
        self.recipes.truncate(count);
    }

    /// Recipe of the contents of each location; `None` if no generator has made them.
    pub(crate) fn recipes(&self) -> &[Option<Recipe>] {
        &self.recipes
    }

    /// Locations and initial contents.
    pub(crate) fn contents(&self) -> (&[LocationRef], &[Tensor]) {
        (&self.locations, &self.initial)
    }
}
