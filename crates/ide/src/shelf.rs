//! The *shelf*: handlers that can be inserted into a program as text, so that the program stays self-contained.
//!
//! Optimisers are ordinary handlers of `Put`. They fit any network, and their text is adapted to the shapes of its locations. Handlers of
//! operations (inference, descent, checkpointing) are derived from the clauses of the program. An insertion is offered only if the program
//! has no errors with it, together with an item that uses the handler where one fits.

mod checkpoint;
mod forward;
mod network;
mod optimiser;
mod site;

use crate::answers::{Insertion, TextEdit};
use crate::check::Checked;
use crate::examination::examine;
use crate::place::utf16;
use fletch_elaborate::{Files, nearest};
use fletch_syntax::{Diagnostic, LineIndex, Span};
use optimiser::Optimiser;
use site::Site;
use std::fmt;

/// A handler of the shelf.
pub struct OnShelf {
    /// Name on the shelf: `adam`.
    pub name: &'static str,
    /// One sentence about the handler.
    pub about: &'static str,
    kind: Kind,
}

enum Kind {
    /// A handler of `Put`.
    Steps(Optimiser),
    /// Handlers of the operations, derived from the program.
    Derived(fn(&Site<'_>) -> Result<Draft, Unfit>),
}

/// An insertion that was not checked yet.
struct Draft {
    /// Name of the handler.
    handler: String,
    /// Text of the declarations.
    declarations: String,
    /// Items that use the handler, best first. The first one without errors is inserted, or none.
    examples: Vec<Example>,
}

/// An item that uses an inserted handler.
struct Example {
    text: String,
    /// End offset of the item that it is inserted after; `None` if it follows the declarations.
    after: Option<usize>,
}

/// All handlers of the shelf, in the order in which they are listed.
pub const SHELF: [OnShelf; 15] = [
    OnShelf {
        name: "descent",
        about: "A reverse handler for the operations: each takes its step down the gradient.",
        kind: Kind::Derived(network::descent),
    },
    OnShelf {
        name: "inference",
        about: "An ordinary handler for the operations: the network runs forward only.",
        kind: Kind::Derived(network::inference),
    },
    OnShelf {
        name: "checkpoint",
        about: "Nothing of a network is kept but its input: on the way back it runs again.",
        kind: Kind::Derived(checkpoint::checkpoint),
    },
    OnShelf {
        name: "momentum",
        about: "Around any optimiser: its steps push a velocity, and the velocity moves the weights.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/momentum.fletch"),
            arguments: "0.9",
            of_gradient: false,
        }),
    },
    OnShelf {
        name: "adam",
        about: "A step size of its own for each entry, from averages of the gradient and of its square.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/adam.fletch"),
            arguments: "0.01, 0.9, 0.999",
            of_gradient: true,
        }),
    },
    OnShelf {
        name: "adamw",
        about: "Adam, and weights that decay apart from the gradient.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/adamw.fletch"),
            arguments: "0.01, 0.9, 0.999, 0.01",
            of_gradient: true,
        }),
    },
    OnShelf {
        name: "rmsprop",
        about: "Each entry of a gradient is measured by how large it has been of late.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/rmsprop.fletch"),
            arguments: "0.01, 0.9",
            of_gradient: true,
        }),
    },
    OnShelf {
        name: "lion",
        about: "Every entry takes a step of the same length, in the direction of an average.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/lion.fletch"),
            arguments: "0.001, 0.9, 0.99, 0.01",
            of_gradient: true,
        }),
    },
    OnShelf {
        name: "clip",
        about: "No entry of a gradient counts for more than c.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/clip.fletch"),
            arguments: "0.1, 0.5",
            of_gradient: true,
        }),
    },
    OnShelf {
        name: "clip_norm",
        about: "The gradient of a location that is longer than c is shortened to c.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/clip_norm.fletch"),
            arguments: "0.1, 1",
            of_gradient: true,
        }),
    },
    OnShelf {
        name: "decay",
        about: "Around any optimiser: with each step, a share of every weight goes.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/decay.fletch"),
            arguments: "0.0001",
            of_gradient: false,
        }),
    },
    OnShelf {
        name: "l1",
        about: "Around any optimiser: with each step, every weight goes towards 0, and those that do little reach it.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/l1.fletch"),
            arguments: "0.0001",
            of_gradient: false,
        }),
    },
    OnShelf {
        name: "batch",
        about: "Minibatches around any optimiser: the mean of b steps is made at once.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/batch.fletch"),
            arguments: "4",
            of_gradient: false,
        }),
    },
    OnShelf {
        name: "warmup",
        about: "A schedule around any optimiser: steps grow to their full length.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/warmup.fletch"),
            arguments: "100",
            of_gradient: false,
        }),
    },
    OnShelf {
        name: "cosine",
        about: "A schedule around any optimiser: steps become shorter along a cosine, down to none.",
        kind: Kind::Steps(Optimiser {
            template: include_str!("shelf/cosine.fletch"),
            arguments: "2000",
            of_gradient: false,
        }),
    },
];

/// A reason why a handler cannot be inserted.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfit {
    /// No handler of the shelf has this name. The field is the most similar name, if there is one.
    Unknown(Option<&'static str>),
    /// The program has errors.
    Rejected,
    /// The program lacks something that the handler is made from; the message says what.
    Lacks(String),
    /// The program would have this error with the handler.
    Error(Box<Diagnostic>),
}

/// Inserts a handler of the shelf into a program.
///
/// # Errors
/// If there is no such handler, if the program has errors, or if the handler does not fit.
pub fn insertion(
    source: &str,
    checked: &Checked,
    files: Option<&Files>,
    name: &str,
) -> Result<Insertion, Unfit> {
    let on_shelf = SHELF.iter().find(|it| it.name == name);
    let on_shelf = on_shelf.ok_or_else(|| {
        let names = SHELF.iter().map(|it| it.name);
        Unfit::Unknown(nearest(name, names))
    })?;
    if checked.rejected() {
        return Err(Unfit::Rejected);
    }
    let site = Site::new(source, checked, files);
    let draft = match &on_shelf.kind {
        Kind::Steps(optimiser) => optimiser.draft(on_shelf.name, &site)?,
        Kind::Derived(make) => make(&site)?,
    };
    let mut fault = None;
    for example in draft.examples.iter().map(Some).chain([None]) {
        let changes = site.changes(&draft, example);
        let text = applied(source, &changes);
        let found = examine(&text, files).diagnostics;
        match found.into_iter().find(Diagnostic::is_error) {
            None => return Ok(on_shelf.insertion(&site, &draft, changes, &text)),
            Some(error) => fault = Some(error),
        }
    }
    let fault = fault.map(|error| Unfit::Error(Box::new(error)));
    Err(fault.unwrap_or(Unfit::Rejected))
}

impl Insertion {
    /// The text with the handler; `source` is the text without it.
    pub fn applied(&self, source: &str) -> String {
        let index = LineIndex::new(source);
        let edits = self.edits.iter();
        let changes = edits.map(|edit| (index.from_utf16(edit.from) as usize, edit.insert.clone()));
        applied(source, &changes.collect::<Vec<_>>())
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Unknown(_) => write!(out, "there is no such handler on the shelf"),
            Unfit::Rejected => write!(out, "the program has errors"),
            Unfit::Lacks(what) => write!(out, "{what}"),
            Unfit::Error(error) => write!(
                out,
                "with it, the program would have {}: {}",
                error.code, error.message
            ),
        }
    }
}

impl OnShelf {
    fn insertion(
        &self,
        site: &Site<'_>,
        draft: &Draft,
        changes: Vec<(usize, String)>,
        text: &str,
    ) -> Insertion {
        let (from, to) = utf16(named(draft, &changes), &LineIndex::new(text));
        let edits = changes.into_iter().map(|(at, insert)| {
            let (from, to) = utf16(Span::new(at, at), &site.checked.index);
            TextEdit { from, to, insert }
        });
        Insertion {
            name: self.name.to_owned(),
            about: self.about.to_owned(),
            from,
            to,
            edits: edits.collect(),
        }
    }
}

/// The span of the handler's name in the text with these insertions.
fn named(draft: &Draft, changes: &[(usize, String)]) -> Span {
    let declared = format!("handler {}", draft.handler);
    let mut before = 0;
    for (place, text) in changes {
        if let Some(at) = text.find(&declared) {
            let start = place + before + at + "handler ".len();
            return Span::new(start, start + draft.handler.len());
        }
        before += text.len();
    }
    Span::default()
}

/// A text with insertions, given in the order of their offsets.
fn applied(source: &str, changes: &[(usize, String)]) -> String {
    let mut text = String::new();
    let mut at = 0;
    for (place, insert) in changes {
        text.push_str(source.get(at..*place).unwrap_or_default());
        text.push_str(insert);
        at = *place;
    }
    text.push_str(source.get(at..).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests;
