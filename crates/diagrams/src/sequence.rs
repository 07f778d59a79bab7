//! Sequences: a wire is thick outside of the frame of a loop, where it carries all moments, and thin inside, where it carries one.

use crate::display::{Flow, Frame, Path, Picture};
use crate::graph::{End, Graph, Kind, Level, Net, real};
use crate::pieces::heads;
use std::collections::BTreeMap;

/// A point.
type Point = (f64, f64);

impl Picture {
    /// Divides wires at the frames of loops, and makes the pieces thick that carry a sequence.
    pub(crate) fn sequences(&mut self, graph: &Graph) {
        let levels = (graph.nets.iter())
            .filter(|net| net.levels.len() > 1 || net.levels.iter().any(|level| level.thick));
        let levels: BTreeMap<usize, &Net> = levels.map(|net| (net.wire, net)).collect();
        if levels.is_empty() {
            return;
        }
        let frames: Vec<&Frame> = self.frames.iter().filter(|frame| frame.is_loop).collect();
        let mut wires = Vec::new();
        for wire in std::mem::take(&mut self.wires) {
            match levels.get(&wire.wire) {
                Some(net) if wire.flow == Flow::Saved => wires.push(Path {
                    thick: net.levels.iter().any(|level| level.thick),
                    ..wire
                }),
                Some(net) => {
                    let delay = match net.from {
                        End::Box(index) => graph.boxes.get(index),
                        End::Input(_) | End::Output(_) => None,
                    };
                    let delay = delay.is_some_and(|block| block.kind == Kind::Delay);
                    divided(&wire, (net, delay), &frames, &mut wires);
                }
                None => wires.push(wire),
            }
        }
        self.wires = wires;
    }
}

/// Adds the pieces of a wire between the borders of frames. A wire from a delay, which is before its loop, counts as inside of the loop
/// from its start on.
fn divided(wire: &Path, (net, delay): (&Net, bool), frames: &[&Frame], parts: &mut Vec<Path>) {
    let stretches = stretches(wire, frames);
    let inner = net.levels.len() - 1;
    let deep = |stretch: &Stretch| stretch.deep.saturating_sub(net.depth).min(inner);
    let enters = stretches.iter().position(|stretch| deep(stretch) == inner);
    let before = enters.filter(|_| delay).unwrap_or(0);
    let mut points: Vec<Point> = Vec::new();
    let mut own: Option<Level> = None;
    let mut finish = |points: Vec<Point>, level: Option<Level>| {
        let Some(level) = level else { return };
        parts.push(Path {
            wire: level.wire,
            ty: real(level.size),
            heads: heads(&points, wire.flow),
            thick: level.thick,
            points,
            ..wire.clone()
        });
    };
    for (place, stretch) in stretches.iter().enumerate() {
        let deep = if place < before { inner } else { deep(stretch) };
        let level = net.levels.get(deep).copied();
        if own != level {
            points.extend(own.map(|_| stretch.from));
            finish(std::mem::take(&mut points), own);
            points.push(stretch.from);
            own = level;
        }
        points.extend(stretch.corner.then_some(stretch.to));
    }
    finish(points, own);
}

/// A straight segment of a wire that crosses no border.
struct Stretch {
    from: Point,
    to: Point,
    /// True if it ends at a corner or at the end of the wire.
    corner: bool,
    /// Number of frames around it.
    deep: usize,
}

fn stretches(wire: &Path, frames: &[&Frame]) -> Vec<Stretch> {
    let mut found = Vec::new();
    for pair in wire.points.windows(2) {
        let [from, to] = *pair else { continue };
        let at = |t: f64| (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
        let mut cuts = vec![0.0, 1.0];
        for frame in frames {
            cuts.extend(crossings(from, to, frame.frame));
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        for cut in cuts.windows(2) {
            let [a, b] = *cut else { continue };
            let middle = at(f64::midpoint(a, b));
            let around = frames.iter().filter(|frame| is_in(middle, frame.frame));
            found.push(Stretch {
                from: at(a),
                to: at(b),
                corner: b == 1.0,
                deep: around.count(),
            });
        }
    }
    found
}

fn is_in((x, y): Point, (left, top, width, height): (f64, f64, f64, f64)) -> bool {
    (left..=left + width).contains(&x) && (top..=top + height).contains(&y)
}

/// Positions, from 0 to 1, at which a straight segment of a wire meets the border of a frame.
fn crossings(
    from: Point,
    to: Point,
    (left, top, width, height): (f64, f64, f64, f64),
) -> impl Iterator<Item = f64> {
    let along = |a: f64, b: f64, border: f64| (border - a) / (b - a);
    let sides = [
        along(from.0, to.0, left),
        along(from.0, to.0, left + width),
        along(from.1, to.1, top),
        along(from.1, to.1, top + height),
    ];
    sides.into_iter().filter(|at| *at > 0.0 && *at < 1.0)
}

#[cfg(test)]
mod tests {
    use super::crossings;
    use crate::cases::graph;
    use crate::display::Picture;
    use crate::picture::Style;

    #[test]
    fn a_wire_is_cut_where_it_meets_the_border_of_a_frame() {
        let frame = (10.0, -5.0, 20.0, 10.0);
        let cuts = |to: (f64, f64)| crossings((0.0, 0.0), to, frame).collect::<Vec<f64>>();
        assert_eq!(cuts((40.0, 0.0)), [0.25, 0.75]);
        assert_eq!(cuts((20.0, 0.0)), [0.5]);
        assert_eq!(cuts((5.0, 0.0)), []);
    }

    #[test]
    fn a_sequence_is_thick_up_to_the_frame_of_its_loop() {
        let main = "feedback[3]([1, 2], [[1, 2], [3, 4], [5, 6]])⟨s, x⟩. ⌊⟨s + x, sin(x)⟩⌋";
        let picture = Picture::of(&graph(main), Style::Unbent);
        let loops: Vec<(f64, f64)> = picture
            .frames
            .iter()
            .map(|frame| (frame.frame.0, frame.frame.0 + frame.frame.2))
            .collect();
        let [(left, right)] = loops[..] else {
            panic!("{loops:?}")
        };
        let mut thick = 0;
        for wire in &picture.wires {
            let inside = wire.points.iter().all(|(x, _)| (left..=right).contains(x));
            assert!(!(wire.thick && inside), "{wire:?}");
            assert_eq!(wire.thick, wire.ty == "Real(6)");
            thick += usize::from(wire.thick);
        }
        assert_eq!(thick, 2, "entries and results");
    }

    #[test]
    fn a_state_comes_from_its_delay_as_thin_as_it_is_inside() {
        let main = "let t ⇐ (feedback[3]([1, 2], ())⟨s, _⟩. ⌊sin(s)⌋) in ⌊cos(t)⌋";
        let picture = Picture::of(&graph(main), Style::Unbent);
        assert!(
            picture
                .wires
                .iter()
                .all(|wire| !wire.thick && wire.ty == "Real(2)")
        );
    }
}
