//! What boxes and wires of a graph are drawn as, whichever way the diagram runs.

use crate::display::{Flow, Mark, Path, Shape};
use crate::graph::{Block, End, Graph, Kind, Net};
use crate::lane::Element;
use crate::measure::{HALF, SUM, width};
use fletch_arrows::Pass;

/// The room that a box takes in its lane.
pub(crate) fn element(block: &Block, unit: usize) -> Element {
    let (width, half) = match block.kind {
        Kind::Sum => (2.0 * SUM, SUM),
        Kind::Operation | Kind::Pure => (width(&block.label, block.mark.is_some()), HALF),
    };
    Element { width, half, unit }
}

/// A box with its centre there.
pub(crate) fn shape(block: &Block, centre: (f64, f64), bent: bool) -> Shape {
    let Element { width, half, .. } = element(block, 0);
    Shape {
        frame: (centre.0 - width / 2.0, centre.1 - half, width, 2.0 * half),
        label: block.label.clone(),
        kind: block.kind,
        mark: block.mark.and_then(|pass| mark(pass, bent)),
        key: block.key.clone(),
        statements: block.statements.clone(),
        place: block.place,
    }
}

/// The clause mark: along the flow where a diagram is bent, a letter where it is not.
fn mark(pass: Pass, bent: bool) -> Option<Mark> {
    match (pass, bent) {
        (Pass::Forward, true) => Some(Mark::Right),
        (Pass::Backward, true) => Some(Mark::Left),
        (Pass::Forward, false) => Some(Mark::Letter('f')),
        (Pass::Backward, false) => Some(Mark::Letter('b')),
        (Pass::Return, _) => None,
    }
}

/// What a wire carries, by the box that it comes from.
pub(crate) fn flow(graph: &Graph, net: &Net) -> Flow {
    match net.from {
        End::Box(index) => match graph.boxes.get(index).and_then(|block| block.part) {
            Some(part) if part.pass != Pass::Forward => Flow::Backward,
            _ => Flow::Forward,
        },
        End::Input(_) | End::Output(_) => Flow::Forward,
    }
}

/// A wire with its arrowheads: on what goes back, one for each stretch of 170 px, and where it is long enough.
pub(crate) fn path(points: Vec<(f64, f64)>, flow: Flow, wire: usize) -> Path {
    let mut heads = Vec::new();
    if flow == Flow::Backward {
        for pair in points.windows(2) {
            let [a, b] = pair else { continue };
            let length = (b.0 - a.0).abs() + (b.1 - a.1).abs();
            if length < 24.0 {
                continue;
            }
            let direction = ((b.0 - a.0) / length, (b.1 - a.1) / length);
            let count = (length / 170.0).ceil() as usize;
            for k in 0..count {
                let along = length * (k as f64 + 0.5) / count as f64;
                let at = (a.0 + direction.0 * along, a.1 + direction.1 * along);
                heads.push((at, direction));
            }
        }
    }
    Path {
        points,
        flow,
        wire,
        heads,
    }
}
