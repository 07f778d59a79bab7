//! The diagram of a command: drawn for a page, joined with a run of `main`, and with what its wires carry.

mod definitions;
pub(crate) mod draw;
pub(crate) mod follow;
pub mod link;
pub(crate) mod values;

pub use fletch_diagrams::{
    FIT_MOST, Flow, Frame, Kind, LEGIBLE, Mark, Path, Picture, Room, Shape, Style, Text,
};
pub use fletch_runs::diagram::Format;
