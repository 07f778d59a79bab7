//! The locations of a loaded program: their declarations, their initial contents, and the reader's edits of those.

use fletch_calculus::{LocationRef, Program, Tensor};
use fletch_syntax::{Span, tree};
use serde::{Deserialize, Serialize};

/// Contents that a reader gave to a location in place of the program's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// `ℓ0`
    pub location: String,
    /// All entries, row-major.
    pub entries: Vec<f64>,
}

/// Origin of the contents of a cell before the first write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blank {
    /// Initial contents given by the program.
    Initial,
    /// Zeros, since the program gives it nothing else.
    Zero,
    /// Initial contents given by the reader.
    Edited,
}

/// The locations of a program.
#[derive(Default)]
pub(crate) struct Locations {
    /// Declared locations, by number.
    pub(crate) declared: Vec<Declared>,
}

/// A location.
pub(crate) struct Declared {
    pub(crate) location: LocationRef,
    /// Origin of the contents until the first write.
    pub(crate) blank: Blank,
    /// The name in its declaration.
    pub(crate) span: Span,
}

impl Locations {
    /// The locations alone, by number.
    pub(crate) fn references(&self) -> Vec<LocationRef> {
        let declared = self.declared.iter();
        declared.map(|declared| declared.location.clone()).collect()
    }

    /// The locations of a program, whose initial contents are replaced where an edit fits: by name and by size, and
    /// finite. What does not fit is left out.
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
