//! Drawing of a segment: both lanes, at a distance that leaves room for saved values and for the turn.

use super::lanes::Lanes;
use super::tapes::Tapes;
use super::{Bend, Segment};
use crate::display::{Dot, Frame, Picture};
use crate::graph::{Graph, Labels};
use crate::lane::{Lane, Placed};
use crate::measure::{self, HALF, LEVEL};
use crate::pieces::{flow, framed, piece, shape, size};
use crate::snake::Road;
use std::borrow::Cow;

/// Gap between the frame of a run and the frames in it, where saved values change columns.
const BETWEEN: f64 = 4.0;

/// Map from a point of a lane to its point on the page.
type Turned<'a> = &'a dyn Fn((f64, f64)) -> (f64, f64);

/// Outcome of drawing a segment, whose upper edge is at 0.
pub(super) struct Drawn {
    /// Wires at the left end, each with its position, and true if it enters the segment.
    pub(super) ends: Vec<(usize, (f64, f64), bool)>,
    /// Lower edge.
    pub(super) bottom: f64,
    /// Road of the segment, with the gaps at which it may be broken into rows.
    pub(super) road: Road,
}

impl Bend {
    pub(super) fn draw(&self, graph: &Graph, segment: &Segment, picture: &mut Picture) -> Drawn {
        let mut lanes = Lanes::of(self);
        let tapes = Tapes::of(self, graph, segment, &lanes);
        let turn = segment.turn.and_then(|index| graph.boxes.get(index));
        let turn_height = match segment.turn {
            Some(_) => 2.0 * turn.map_or(HALF, |block| size(graph, block).1) + 2.0 * LEVEL,
            None => 0.0,
        };
        let between = lanes.out.inner + lanes.back.inner + tapes.room(graph);
        lanes.y0 = lanes.out.outer;
        lanes.y1 = lanes.y0 + between.max(turn_height);
        let bottom = lanes.y1 + lanes.back.outer;
        let on_out = |point| lanes.on_out(point);
        let on_back = |point| lanes.on_back(point);

        boxes(
            graph,
            picture,
            &segment.out,
            (&self.out, &lanes.out),
            &on_out,
        );
        boxes(
            graph,
            picture,
            &segment.back,
            (&self.back, &lanes.back),
            &on_back,
        );
        wires(graph, picture, &self.out_nets, &lanes.out, &on_out);
        wires(graph, picture, &self.back_nets, &lanes.back, &on_back);
        tapes.draw(graph, &lanes, picture);
        frames(graph, picture, &tapes, &lanes);
        self.turn(graph, segment, picture, &lanes);
        let mut ends = Vec::new();
        for (k, number) in self.coming.iter().enumerate() {
            let v = lanes.out.starts.get(k).copied().unwrap_or(0.0);
            ends.push((*number, on_out((lanes.left, v)), true));
        }
        for (k, number) in self.leaving.iter().enumerate() {
            let v = lanes.back.ends.get(k).copied().unwrap_or(0.0);
            ends.push((*number, on_back((-lanes.left, v)), false));
        }
        Drawn {
            ends,
            bottom,
            road: lanes.road,
        }
    }
}

/// Draws the boxes of a lane, each with the width that the lane gives it.
fn boxes(
    graph: &Graph,
    picture: &mut Picture,
    list: &[usize],
    (lane, placed): (&Lane, &Placed),
    turned: Turned<'_>,
) {
    for (place, (index, (at, centre))) in list.iter().zip(&placed.boxes).enumerate() {
        if let Some(block) = graph.boxes.get(*index) {
            let width = lane.width_of(place);
            let mut shape = shape(graph, block, turned((at + width / 2.0, *centre)), true);
            shape.frame.0 -= (width - shape.frame.2) / 2.0;
            shape.frame.2 = width;
            // A box that is wide because of its saved values has room for a longer label.
            let more = [Labels::Brief, Labels::Cut].into_iter();
            let more = more.filter(|more| !graph.down && *more < graph.labels);
            let mut more = more.map(|more| block.said(more));
            let fits = |said: &Cow<'_, str>| measure::width(said, block.mark.is_some()) <= width;
            if let Some(said) = more.find(fits) {
                shape.short = (said != block.label).then(|| said.into_owned());
            }
            picture.boxes.push(shape);
        }
    }
}

/// Draws the wires of a lane, and their dots.
fn wires(
    graph: &Graph,
    picture: &mut Picture,
    nets: &[usize],
    placed: &Placed,
    turned: Turned<'_>,
) {
    for (number, pieces) in nets.iter().zip(&placed.wires) {
        let Some(net) = graph.nets.get(*number) else {
            continue;
        };
        for (place, points) in pieces.iter().enumerate() {
            let points = points.iter().map(|point| turned(*point)).collect();
            let wire = piece(net, place, points, flow(graph, net));
            picture.wires.push(wire);
        }
    }
    for (place, u, v) in &placed.dots {
        let net = nets.get(*place).and_then(|number| graph.nets.get(*number));
        if let Some(net) = net {
            let flow = flow(graph, net);
            picture.dots.push(Dot {
                at: turned((*u, *v)),
                flow,
            });
        }
    }
}

/// Draws the frames of both lanes, outer frames before inner ones. A frame of the backward lane includes the levels on which saved values
/// change columns. The frame of a loop is one across both lanes.
fn frames(graph: &Graph, picture: &mut Picture, tapes: &Tapes, lanes: &Lanes) {
    let mut loops: Vec<Frame> = Vec::new();
    let mut back: Vec<Frame> = Vec::new();
    for frame in lanes.back.frames.iter().rev() {
        let jogs = tapes.jogs_of(graph, frame);
        let inner = if jogs > 0.0 {
            let run = (graph.frames.get(frame.frame)).is_some_and(|own| own.is_run);
            let apart = if run { frame.depth } else { 1 };
            lanes.back.inner.max(frame.inner) + jogs + BETWEEN * (apart as f64 - 1.0)
        } else {
            frame.inner
        };
        let at = (
            -frame.to,
            lanes.y1 - inner,
            frame.to - frame.from,
            inner - frame.outer,
        );
        let framed = framed(graph, frame.frame, at, false);
        match framed.as_ref().is_some_and(|frame| frame.is_loop) {
            true => loops.extend(framed),
            false => back.extend(framed),
        }
    }
    for frame in lanes.out.frames.iter().rev() {
        let mut at = (
            frame.from,
            lanes.y0 + frame.outer,
            frame.to - frame.from,
            frame.inner - frame.outer,
        );
        let opens = graph.frames.get(frame.frame).map(|frame| &frame.opens);
        let other = loops.iter().position(|other| Some(&other.opens) == opens);
        let across = other.map(|other| loops.remove(other));
        if let Some(other) = &across {
            at = around(at, other.frame);
        }
        let framed = framed(graph, frame.frame, at, true);
        picture.frames.extend(framed.map(|frame| {
            Frame {
                // The frame belongs to both halves.
                half: if across.is_some() {
                    String::new()
                } else {
                    frame.half
                },
                statements: both(
                    across.as_ref().map(|other| &other.statements),
                    &frame.statements,
                ),
                steps: both(across.as_ref().map(|other| &other.steps), &frame.steps),
                ..frame
            }
        }));
    }
    picture.frames.extend(loops);
    picture.frames.extend(back);
}

/// The statements of the other half, and those of this one.
fn both(other: Option<&Vec<usize>>, own: &[usize]) -> Vec<usize> {
    other.into_iter().flatten().chain(own).copied().collect()
}

/// The rectangle around two.
fn around(
    (x, y, w, h): (f64, f64, f64, f64),
    (a, b, c, d): (f64, f64, f64, f64),
) -> (f64, f64, f64, f64) {
    let (left, top) = (x.min(a), y.min(b));
    (
        left,
        top,
        (x + w).max(a + c) - left,
        (y + h).max(b + d) - top,
    )
}

#[cfg(test)]
mod tests {
    use crate::cases::{graph, sketch};
    use crate::display::Picture;
    use crate::graph::Labels;
    use crate::picture::Style;

    #[test]
    fn the_frame_of_a_loop_is_one_across_both_lanes() {
        let frames = |body: &str| -> Vec<String> {
            let main = format!("rev handle([1, 2])⟨s⟩. ({body}) with H");
            let picture = Picture::of(&graph(&main), Style::Bent);
            let frames = picture.frames.iter().map(|frame| {
                let (left, top, width, height) = frame.frame;
                let inside = picture.boxes.iter().filter(|shape| {
                    let (x, y, w, h) = shape.frame;
                    left < x && x + w < left + width && top < y && y + h < top + height
                });
                format!("{} {} around {}", frame.label, frame.half, inside.count())
            });
            frames.collect()
        };
        let looped = "feedback[5](s, ())⟨s, _⟩. F(sin(s))";
        assert_eq!(frames(looped), ["feedback × 5  around 4"]);
        let inside = "rev handle(s)⟨s⟩. F(s) with N";
        assert_eq!(
            frames(inside),
            ["N forward around 1", "N backward around 1"]
        );
    }

    #[test]
    fn a_box_that_is_wide_for_what_it_saves_says_more() {
        let shown = |wires: &str| {
            let mut graph = sketch("s› r⤺ s‹", wires);
            graph.labels = Labels::Least;
            for block in &mut graph.boxes {
                block.label = "softmax(x)".to_owned();
                block.brief = "softmax".to_owned();
                block.kind = crate::graph::Kind::Pure;
                block.mark = None;
            }
            let picture = Picture::of(&graph, Style::Bent);
            picture.boxes.first().map(|shape| shape.shown().to_owned())
        };
        let run = "in0 → s›; s› → r⤺; r⤺ → s‹; s‹ → out0";
        let saved = |count: usize| format!("{run}{}", "; s› → s‹".repeat(count));
        assert_eq!(shown(&saved(1)).as_deref(), Some("sof…"));
        assert_eq!(shown(&saved(4)).as_deref(), Some("softmax"));
    }
}
