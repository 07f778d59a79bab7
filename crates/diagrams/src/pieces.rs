//! Shapes and paths for the boxes and wires of a graph, in either direction of the diagram.

use crate::display::{Flow, Frame, Mark, Path, Shape};
use crate::graph::{Block, End, Graph, Kind, Net, real};
use crate::lane::Element;
use crate::measure::{BETWEEN_BOXES, DELAY, HALF, HEADER, SUM, TIGHT, columns, width};
use fletch_arrows::Pass;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Size of a box: its length along the flow, and half of its extent across.
pub(crate) fn size(graph: &Graph, block: &Block) -> (f64, f64) {
    let (width, half) = match block.kind {
        Kind::Sum => (2.0 * SUM, SUM),
        Kind::Delay => (2.0 * DELAY, DELAY),
        Kind::Operation | Kind::Pure => {
            (width(&block.said(graph.labels), block.mark.is_some()), HALF)
        }
    };
    match graph.down {
        true => (2.0 * half, width / 2.0),
        false => (width, half),
    }
}

/// Room between two boxes along the flow.
pub(crate) fn between(graph: &Graph) -> f64 {
    if graph.tight { TIGHT } else { BETWEEN_BOXES }
}

/// Half of the extent of frame headers across the flow: in a downward diagram, headers stand next to the contents of their frames.
pub(crate) fn header(graph: &Graph) -> f64 {
    const WIDEST: f64 = 170.0;
    if !graph.down {
        return HEADER / 2.0;
    }
    let texts = graph.frames.iter().map(|frame| {
        let half = frame.half.map_or(0.0, |half| columns(half.name()) + 1.0);
        7.0 * (columns(&frame.label) + half) + 28.0
    });
    texts.fold(HEADER, f64::max).min(WIDEST) / 2.0
}

/// Frames of runs, as indices into the frames of the graph.
pub(crate) fn runs(graph: &Graph) -> BTreeSet<usize> {
    let frames = graph.frames.iter().enumerate();
    let runs = frames.filter(|(_, frame)| frame.is_run);
    runs.map(|(place, _)| place).collect()
}

/// Element of a lane for a box: the room that the box takes.
pub(crate) fn element(graph: &Graph, block: &Block, unit: usize) -> Element {
    let (width, half) = size(graph, block);
    let mut frames = Vec::new();
    let mut frame = block.frame;
    while let Some(index) = frame {
        frames.insert(0, index);
        frame = graph.frames.get(index).and_then(|opened| opened.parent);
    }
    Element {
        width,
        half,
        unit,
        rank: block.rank,
        frames,
    }
}

/// Shape of a box with its centre at this point.
pub(crate) fn shape(graph: &Graph, block: &Block, centre: (f64, f64), bent: bool) -> Shape {
    let (width, half) = size(graph, block);
    Shape {
        frame: (centre.0 - width / 2.0, centre.1 - half, width, 2.0 * half),
        label: block.label.clone(),
        short: Some(block.said(graph.labels))
            .filter(|said| *said != block.label)
            .map(Cow::into_owned),
        kind: block.kind,
        derivative: block.derivative,
        turned: false,
        mark: match block.kind {
            Kind::Delay => Some(delay(block, bent)),
            _ => block.mark.and_then(|pass| mark(pass, bent)),
        },
        key: block.key.clone(),
        statements: graph.of_arrow(&block.statements),
        steps: graph.steps(&block.statements),
        place: block.place,
        part: block.part,
        handler: (block.part.and_then(|part| graph.runs.get(part.run)))
            .map(|run| run.handler.clone()),
        opens: block.opens.clone(),
        folds: block.folds.clone(),
        within: within(graph, block.frame),
        saves: Vec::new(),
    }
}

fn within(graph: &Graph, frame: Option<usize>) -> Option<String> {
    Some(graph.frames.get(frame?)?.key.clone())
}

/// Frame in the rectangle `at`, with its header on the upper side if `above`, else on the lower side.
pub(crate) fn framed(
    graph: &Graph,
    frame: usize,
    at: (f64, f64, f64, f64),
    above: bool,
) -> Option<Frame> {
    let opened = graph.frames.get(frame)?;
    let (x, y, w, h) = at;
    let deep = 2.0 * header(graph);
    // In a downward diagram, x of the forward lane later runs down the screen, and y from left to right.
    let header = match (graph.down, above) {
        (true, true) => (x, y, HEADER.min(w), deep.min(h)),
        (true, false) => (x, y + h - deep.min(h), HEADER.min(w), deep.min(h)),
        (false, true) => (x, y, w, HEADER),
        (false, false) => (x, y + h - HEADER, w, HEADER),
    };
    Some(Frame {
        frame: at,
        header,
        label: opened.label.clone(),
        is_run: opened.is_run,
        is_loop: opened.is_loop,
        half: opened.half.map_or("", Pass::name).to_owned(),
        kind: opened.kind,
        key: opened.key.clone(),
        opens: opened.opens.clone(),
        within: within(graph, opened.parent),
        statements: graph.of_arrow(&opened.statements),
        steps: graph.steps(&opened.statements),
        place: opened.place,
    })
}

/// Clause mark: a sign along the flow in a bent diagram, a letter in an unbent one.
fn mark(pass: Pass, bent: bool) -> Option<Mark> {
    match (pass, bent) {
        (Pass::Forward, true) => Some(Mark::Right),
        (Pass::Backward, true) => Some(Mark::Left),
        (Pass::Forward, false) => Some(Mark::Letter('f')),
        (Pass::Backward, false) => Some(Mark::Letter('b')),
        (Pass::Return, _) => None,
    }
}

/// Direction of a delay: along the flow.
fn delay(block: &Block, bent: bool) -> Mark {
    let back = block.part.is_some_and(|part| part.pass == Pass::Backward);
    match bent && back {
        true => Mark::Left,
        false => Mark::Right,
    }
}

/// Flow of a wire, by the box that it comes from.
pub(crate) fn flow(graph: &Graph, net: &Net) -> Flow {
    match net.from {
        End::Box(index) => match graph.boxes.get(index).and_then(|block| block.part) {
            Some(part) if part.pass != Pass::Forward => Flow::Backward,
            _ => Flow::Forward,
        },
        End::Input(_) | End::Output(_) => Flow::Forward,
    }
}

/// Arrowheads of a backward wire: one for each 170 px of a straight segment; none on a segment shorter than 24 px, and none on other wires.
pub(crate) fn heads(points: &[(f64, f64)], flow: Flow) -> Vec<((f64, f64), (f64, f64))> {
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
    heads
}

/// A wire with its arrowheads.
pub(crate) fn path(points: Vec<(f64, f64)>, flow: Flow, net: &Net) -> Path {
    let heads = heads(&points, flow);
    let number = |end: &End| match end {
        End::Box(index) => Some(*index),
        End::Input(_) | End::Output(_) => None,
    };
    Path {
        points,
        flow,
        wire: net.wire,
        ty: real(net.size),
        name: net.name.clone(),
        ends: (
            number(&net.from),
            net.to.iter().filter_map(number).collect(),
        ),
        heads,
        thick: net.levels.first().is_some_and(|level| level.thick),
    }
}

/// Piece of a wire in a lane, by its index among the pieces. The first piece leads to the dot; the next ones are fed back, one to each
/// delay. A fed-back piece carries the value inside of the loop, although it goes around the frame of the loop.
pub(crate) fn piece(net: &Net, place: usize, points: Vec<(f64, f64)>, flow: Flow) -> Path {
    let whole = path(points, flow, net);
    let delay = place.checked_sub(1).and_then(|place| net.feeds.get(place));
    match (net.levels.last(), delay) {
        (Some(level), Some(delay)) => Path {
            ends: (whole.ends.0, vec![*delay]),
            wire: level.wire,
            ty: real(level.size),
            thick: level.thick,
            ..whole
        },
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::{framed, heads, piece, size};
    use crate::cases::{corners, opened, opening, sketch};
    use crate::display::Flow;

    #[test]
    fn a_box_is_as_long_as_its_label_or_downward_as_high_as_a_line() {
        let mut graph = sketch("abcdef› + ∇", "abcdef› → +");
        let sizes = |graph: &crate::graph::Graph| -> Vec<(f64, f64)> {
            graph.boxes.iter().map(|block| size(graph, block)).collect()
        };
        // Six letters, the ends, and the clause mark.
        let long = 6.0 * 7.5 + 18.0 + 12.0;
        assert_eq!(sizes(&graph), [(long, 15.0), (18.0, 9.0), (20.0, 10.0)]);
        graph.down = true;
        assert_eq!(
            sizes(&graph),
            [(30.0, long / 2.0), (18.0, 9.0), (20.0, 10.0)]
        );
    }

    #[test]
    fn what_goes_back_has_an_arrowhead_on_each_stretch_that_is_long_enough() {
        let heads = |points: &[(f64, f64)], flow: Flow| {
            let at: Vec<(f64, f64)> = heads(points, flow).iter().map(|(at, _)| *at).collect();
            corners(&at)
        };
        let way = [(400.0, 0.0), (0.0, 0.0), (0.0, 20.0), (0.0, 60.0)];
        assert_eq!(
            heads(&way, Flow::Backward),
            "(333, 0) (200, 0) (67, 0) (0, 40)"
        );
        assert_eq!(heads(&way, Flow::Forward), "");
        assert_eq!(heads(&way, Flow::Saved), "");
    }

    #[test]
    fn a_header_is_on_the_outer_side_or_downward_in_a_corner() {
        let mut graph = opened("rev handle([1, 2])⟨x⟩. F(x) with H", &opening(&["F"], &[]));
        let headers = |graph: &crate::graph::Graph| {
            let header = |above| framed(graph, 0, (0.0, 0.0, 300.0, 200.0), above);
            [true, false].map(|above| header(above).map(|frame| frame.header))
        };
        let along = [(0.0, 0.0, 300.0, 20.0), (0.0, 180.0, 300.0, 20.0)];
        assert_eq!(headers(&graph), along.map(Some));
        graph.down = true;
        // Across the flow, the header is as long as its text, `F backward`.
        let deep = 7.0 * 10.0 + 28.0;
        let corner = [(0.0, 0.0, 20.0, deep), (0.0, 200.0 - deep, 20.0, deep)];
        assert_eq!(headers(&graph), corner.map(Some));
    }

    #[test]
    fn what_is_fed_back_goes_to_its_delay_alone() {
        let graph = crate::cases::graph("feedback[3]([1, 2], ())⟨s, _⟩. ⌊sin(s)⌋");
        let fed = graph.nets.iter().find(|net| !net.feeds.is_empty());
        let ends = |place: usize| fed.map(|net| piece(net, place, Vec::new(), Flow::Forward).ends);
        // Three pieces: to the dot, back to the delay, and on to the end.
        assert_eq!(
            [0, 1, 2].map(ends),
            [
                Some((Some(2), vec![])),
                Some((Some(2), vec![1])),
                Some((Some(2), vec![]))
            ]
        );
    }
}
