//! String diagrams of arrows, laid out once into a display list that every renderer draws.

mod bend;
#[cfg(test)]
mod cases;
mod display;
mod fit;
mod graph;
mod lane;
mod measure;
mod picture;
mod pieces;
mod sequence;
mod snake;
mod svg;
mod tikz;
mod unbent;

pub use display::{Dot, Flow, Frame, Mark, Path, Picture, Shape, Text};
pub use fit::{FIT_MOST, LEGIBLE, Layout, Room};
pub use graph::{
    Block, Border, End, Graph, Kind, Labels, Net, Once, Opened, Opening, Part, Place, Role, Round,
    Run, Step,
};
pub use picture::Style;
