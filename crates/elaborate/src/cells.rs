//! The heap as it is made: instances of declared locations, numbered as they first occur, with their contents.

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

    /// A new cell, whose contents come from this recipe if they are generated.
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

    /// Forgets all but the first `count`.
    pub(crate) fn forget(&mut self, count: usize) {
        for location in self.locations.split_off(count.min(self.locations.len())) {
            self.by_name.remove(&*location.name);
        }
        self.initial.truncate(count);
        self.recipes.truncate(count);
    }

    /// Generator of the contents of each location, if there is one.
    pub(crate) fn recipes(&self) -> &[Option<Recipe>] {
        &self.recipes
    }

    /// Locations and initial contents.
    pub(crate) fn contents(&self) -> (&[LocationRef], &[Tensor]) {
        (&self.locations, &self.initial)
    }
}
