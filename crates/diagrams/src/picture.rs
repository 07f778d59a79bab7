//! From boxes and wires to a picture. *Unbent*: one lane, as in the paper. *Bent*: the paper's picture cut after the return
//! clause of each run, its right half turned by 180° under the left, so that each operation stands beside its own
//! backward clause, and a saved value is a short wire between the two.

use crate::bend::bent;
use crate::display::Picture;
use crate::graph::Graph;
use crate::measure::MARGIN;
use crate::unbent::unbent;
use serde::{Deserialize, Serialize};

/// How a diagram is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Style {
    /// Out and back, side by side.
    #[default]
    Bent,
    /// In one line, as in the paper.
    Unbent,
}

impl Picture {
    /// The picture of a graph.
    pub fn of(graph: &Graph, style: Style) -> Picture {
        let mut picture = Picture::default();
        let bends = style == Style::Bent && !graph.runs.is_empty();
        if !(bends && bent(graph, &mut picture)) {
            picture = Picture::default();
            unbent(graph, &mut picture);
        }
        picture.bound(MARGIN);
        picture
    }
}
