//! The locations of a loaded program: their declarations, their initial contents, and the reader's edits of these contents.

use fletch_calculus::{LocationRef, Program, Tensor};
use fletch_syntax::{Span, tree};
use serde::{Deserialize, Serialize};

/// Contents that a reader gave to a location instead of the program's initial contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Name of the location, such as `ℓ0`.
    pub location: String,
    /// All entries, in row-major order.
    pub entries: Vec<f64>,
}

/// Origin of the contents of a cell before the first write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blank {
    /// Initial contents given by the program.
    Initial,
    /// Zeros: the program declares no initial contents.
    Zero,
    /// Initial contents given by the reader.
    Edited,
}

/// The locations of a program.
#[derive(Default)]
pub(crate) struct Locations {
    /// Declared locations, indexed by location number.
    pub(crate) declared: Vec<Declared>,
}

/// A declared location.
pub(crate) struct Declared {
    pub(crate) location: LocationRef,
    /// Origin of the contents before the first write.
    pub(crate) blank: Blank,
    /// Span of the name in the declaration.
    pub(crate) span: Span,
}

impl Locations {
    /// References to the locations, indexed by location number.
    pub(crate) fn references(&self) -> Vec<LocationRef> {
        let declared = self.declared.iter();
        declared.map(|declared| declared.location.clone()).collect()
    }

    /// Collects the locations of a program and applies the reader's edits to its initial contents. An edit applies
    /// if its location exists, its number of entries fits and all entries are finite. Other edits are ignored.
    pub(crate) fn of(program: &mut Program, tree: &tree::Program, edits: &[Edit]) -> Locations {
        let declared = program
            .locations
            .iter()
            .zip(&mut program.initial)
            .map(|(location, contents)| {
                // `velocity[ℓ0]` is a member of the family `velocity`.
                let family = location.name.split('[').next().unwrap_or_default();
                let declaration = tree.items.iter().find_map(|item| match &item.node {
                    tree::ItemKind::Loc(loc) if *loc.name.text == *family => Some(loc),
                    _ => None,
                });
                let edited = edits
                    .iter()
                    .rev()
                    .find(|edit| *edit.location == *location.name)
                    .filter(|edit| edit.entries.iter().all(|entry| entry.is_finite()))
                    .and_then(|edit| Tensor::new(contents.shape().clone(), edit.entries.clone()));
                let blank = match (&edited, declaration) {
                    (Some(_), _) => Blank::Edited,
                    (None, Some(loc)) if loc.init.is_none() => Blank::Zero,
                    (None, _) => Blank::Initial,
                };
                if let Some(edited) = edited {
                    *contents = edited;
                }
                Declared {
                    location: location.clone(),
                    blank,
                    span: declaration.map_or(Span::default(), |loc| loc.name.span),
                }
            })
            .collect();
        Locations { declared }
    }
}
