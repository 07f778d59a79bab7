//! String diagrams: what an arrow's statements are drawn as, laid out once into a display list that every renderer draws.

mod bend;
mod display;
mod fit;
mod graph;
mod lane;
mod measure;
mod picture;
mod pieces;
mod snake;
mod svg;
mod tikz;
mod unbent;

/// So many moments of a feedback are drawn, one after the other.
pub const MOMENTS: usize = 32;

pub use display::{Dot, Flow, Frame, Mark, Path, Picture, Shape, Text};
pub use fit::{FIT_MOST, LEGIBLE, Room};
pub use graph::{Block, End, Graph, Kind, Labels, Net, Opened, Opening, Part, Run};
pub use picture::Style;
