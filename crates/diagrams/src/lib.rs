//! String diagrams of arrows, laid out once into a display list that every renderer draws.

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

/// Maximum number of moments of a feedback that are drawn.
pub const MOMENTS: usize = 32;

pub use display::{Dot, Flow, Frame, Mark, Path, Picture, Shape, Text};
pub use fit::{FIT_MOST, LEGIBLE, Layout, Room};
pub use graph::{Block, End, Graph, Kind, Labels, Net, Opened, Opening, Part, Run};
pub use picture::Style;
