//! The diagram of a command: its drawing for a page, its links with a run of `main`, and the values on its wires.

mod definitions;
pub(crate) mod draw;
pub(crate) mod follow;
pub(crate) mod inside;
pub mod link;
pub mod times;
pub(crate) mod values;

pub use fletch_diagrams::{
    FIT_MOST, Flow, Frame, Kind, LEGIBLE, Mark, Path, Picture, Room, Shape, Style, Text,
};
pub use fletch_runs::diagram::Format;
