//! Tapes, which are the wires of saved values between the lanes: the points where each one leaves and enters, the level on which it changes
//! columns, and its chip.

use super::lanes::Lanes;
use super::{Bend, Segment, unit as unit_of};
use crate::display::{Dot, Flow, Picture, Text};
use crate::graph::{End, Graph};
use crate::lane::{LaneFrame, Port, spread};
use crate::measure::{CHIP, CHIPS, JOG, LANES, chip_width};
use crate::pieces::path;
use std::collections::BTreeMap;

/// A saved value between the lanes: the point where it leaves the forward lane; and the boxes, by their positions in the backward lane,
/// with the points where it enters them.
struct Tape {
    net: usize,
    /// The unit that it enters first.
    unit: usize,
    from: (f64, f64),
    to: Vec<(usize, (f64, f64))>,
}

impl Tape {
    /// True if the value goes straight across.
    fn is_straight(&self) -> bool {
        self.to.iter().all(|(_, to)| to.0 == -self.from.0)
    }

    /// Positions of its dots, along u of the backward lane: all points on its level except the ends.
    fn branches(&self) -> Vec<f64> {
        if self.to.len() < 2 {
            return Vec::new();
        }
        let mut all: Vec<f64> = self.to.iter().map(|(_, to)| to.0).collect();
        all.push(-self.from.0);
        all.sort_by(f64::total_cmp);
        all.dedup();
        let inner = all.len().saturating_sub(2);
        all.into_iter().skip(1).take(inner).collect()
    }
}

/// Saved values of a segment, with the levels between the lanes.
pub(super) struct Tapes {
    all: Vec<Tape>,
    /// Level of each value, counted from the backward lane; 0 for a straight value.
    levels: Vec<usize>,
    /// Extent of all levels across, in pixels.
    deepest: f64,
}

impl Tapes {
    pub(super) fn of(bend: &Bend, graph: &Graph, segment: &Segment, lanes: &Lanes) -> Tapes {
        let all = saved(bend, graph, segment, lanes);
        // A value that is not straight changes columns next to its destination; each unit has levels of its own.
        let mut jogs: BTreeMap<usize, usize> = BTreeMap::new();
        let mut levels: Vec<usize> = Vec::new();
        for tape in &all {
            if !tape.is_straight() {
                *jogs.entry(tape.unit).or_default() += 1;
            }
            levels.push(jogs.get(&tape.unit).copied().unwrap_or(0));
        }
        let deepest = jogs.values().copied().max().unwrap_or(0) as f64 * JOG;
        Tapes {
            all,
            levels,
            deepest,
        }
    }

    /// Room that saved values need between the lanes; in a downward diagram, with two chips side by side.
    pub(super) fn room(&self, graph: &Graph) -> f64 {
        if !graph.down {
            return self.deepest + LANES;
        }
        let nets = self.all.iter().filter_map(|tape| graph.nets.get(tape.net));
        let names = nets.filter_map(|net| net.name.as_deref());
        let widest = names.map(chip_width).fold(0.0, f64::max);
        self.deepest + LANES.max(2.0 * widest + CHIPS)
    }

    /// Room that values changing columns need in a frame of the backward lane.
    pub(super) fn jogs_of(&self, graph: &Graph, frame: &LaneFrame) -> f64 {
        let outermost = (graph.frames.get(frame.frame)).is_some_and(|f| !graph.is_opened(f.parent));
        let enters = |tape: &Tape| {
            let mut places = tape.to.iter().map(|(_, (u, _))| *u);
            places.any(|u| (frame.from..=frame.to).contains(&u))
        };
        let own = self.all.iter().zip(&self.levels);
        let own = own.filter(|(tape, _)| enters(tape));
        let most = own.map(|(_, level)| *level).max().unwrap_or(0);
        if outermost && frame.spine && most > 0 {
            JOG * most as f64 + JOG
        } else {
            0.0
        }
    }

    pub(super) fn draw(&self, graph: &Graph, lanes: &Lanes, picture: &mut Picture) {
        let end = lanes.y1 - lanes.back.inner;
        let middle = f64::midpoint(lanes.y0 + lanes.out.inner, end - self.deepest);
        for (tape, jog) in self.all.iter().zip(&self.levels) {
            let Some(net) = graph.nets.get(tape.net) else {
                continue;
            };
            let from = lanes.on_out(tape.from);
            let level = end - JOG * *jog as f64;
            for (_, to) in &tape.to {
                let to = lanes.on_back(*to);
                let points = if tape.is_straight() {
                    vec![from, to]
                } else {
                    vec![from, (from.0, level), (to.0, level), to]
                };
                picture.wires.push(path(points, Flow::Saved, net));
            }
            for at in tape.branches() {
                picture.dots.push(Dot {
                    at: (-at, level),
                    flow: Flow::Saved,
                });
            }
            let several = (net.count > 1).then(|| "…".to_owned());
            if let Some(text) = net.name.clone().or(several) {
                picture.chips.push(Text {
                    at: (from.0, middle),
                    text,
                    left: false,
                });
            }
        }
    }
}

/// Saved values of a segment, with the points where they leave and enter.
fn saved(bend: &Bend, graph: &Graph, segment: &Segment, lanes: &Lanes) -> Vec<Tape> {
    let places: BTreeMap<usize, usize> = (segment.back.iter().enumerate())
        .map(|(place, index)| (*index, place))
        .collect();
    let turned: BTreeMap<usize, &Vec<Port>> = (bend.back.nets().iter().zip(&bend.back_nets))
        .filter(|(net, _)| matches!(net.from, Port::Start(_)))
        .map(|(net, number)| (*number, &net.to))
        .collect();
    let mut tapes = Vec::new();
    let mut own: Vec<Vec<(usize, usize)>> = vec![Vec::new(); segment.back.len()];
    for (place, number) in bend.out_nets.iter().enumerate() {
        let Some(net) = graph.nets.get(*number) else {
            continue;
        };
        let Some(from) = lanes
            .out
            .leaving
            .get(place)
            .and_then(|leaving| leaving.first())
        else {
            continue;
        };
        let mut to = Vec::new();
        for end in &net.to {
            let End::Box(index) = end else { continue };
            let Some(target) = places.get(index).copied() else {
                continue;
            };
            let turns = turned.get(number);
            if turns.is_some_and(|ports| ports.contains(&Port::Element(target))) {
                continue;
            }
            if let Some(own) = own.get_mut(target) {
                own.push((tapes.len(), to.len()));
            }
            to.push((target, (0.0, 0.0)));
        }
        let unit = to.first().and_then(|(target, _)| segment.back.get(*target));
        tapes.push(Tape {
            net: *number,
            unit: unit.map_or(0, |index| unit_of(graph, *index)),
            from: *from,
            to,
        });
    }
    for (target, own) in own.iter_mut().enumerate() {
        let Some((a, b, v)) = lanes.back.entering.get(target).copied() else {
            continue;
        };
        // Values are ordered from right to left on the page, which is along u in the backward lane.
        let from = |(tape, _): &(usize, usize)| tapes.get(*tape).map_or(0.0, |t: &Tape| t.from.0);
        own.sort_by(|x, y| from(y).total_cmp(&from(x)));
        let count = own.len();
        let straight: Vec<f64> = own.iter().map(|end| -from(end)).collect();
        let fits = straight.iter().all(|u| (a..=b).contains(u))
            && straight
                .windows(2)
                .all(|pair| matches!(pair, [x, y] if y - x >= 10.0));
        for (k, (tape, end)) in own.iter().enumerate() {
            let u = if fits {
                straight.get(k).copied().unwrap_or(a)
            } else {
                a - 8.0 + spread(b - a + 16.0, k, count)
            };
            let tape = tapes.get_mut(*tape);
            if let Some((_, to)) = tape.and_then(|tape| tape.to.get_mut(*end)) {
                *to = (u, v);
            }
        }
    }
    tapes
}

/// Moves chips that would overlap into two rows, which are side by side across the flow.
pub(super) fn apart(chips: &mut [Text], down: bool) {
    chips.sort_by(|a, b| a.at.1.total_cmp(&b.at.1).then(a.at.0.total_cmp(&b.at.0)));
    let reach = |chip: &Text| match down {
        true => CHIP / 2.0 + 1.5,
        false => chip_width(&chip.text) / 2.0 + 1.5,
    };
    let widest = chips.iter().map(|chip| chip_width(&chip.text));
    let widest = widest.fold(0.0, f64::max);
    let aside = if down { widest / 2.0 + 1.5 } else { 9.0 };
    let close: Vec<bool> = chips
        .windows(2)
        .map(|pair| match pair {
            [a, b] => (a.at.1 - b.at.1).abs() < 1.0 && b.at.0 - a.at.0 < reach(a) + reach(b),
            _ => false,
        })
        .collect();
    let mut lower = false;
    for (index, chip) in chips.iter_mut().enumerate() {
        let before = index.checked_sub(1).and_then(|index| close.get(index)) == Some(&true);
        let after = close.get(index) == Some(&true);
        lower = before && !lower;
        if before || after {
            chip.at.1 += if lower { aside } else { -aside };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::apart;
    use crate::cases::{corners, sketch};
    use crate::display::{Flow, Picture, Text};
    use crate::graph::Graph;
    use crate::picture::Style;

    fn saved(graph: &Graph) -> Vec<String> {
        let picture = Picture::of(graph, Style::Bent);
        let wires = picture.wires.iter().filter(|wire| wire.flow == Flow::Saved);
        wires.map(|wire| corners(&wire.points)).collect()
    }

    #[test]
    fn a_value_goes_straight_across_to_its_own_clause_and_changes_columns_to_another() {
        let run = "in0 → F›; F› → G›; G› → r⤺; r⤺ → G‹; G‹ → F‹; F‹ → out0";
        let wires = |more: &str| saved(&sketch("F› G› r⤺ G‹ F‹", &format!("{run}; {more}")));
        let straight = |wire: &String| wire.split(") (").count() == 2;
        assert_eq!(
            wires("G› → G‹").iter().map(straight).collect::<Vec<_>>(),
            [true]
        );
        assert_eq!(
            wires("F› → G‹").iter().map(straight).collect::<Vec<_>>(),
            [false]
        );
        assert_eq!(
            wires("F› → F‹; G› → G‹")
                .iter()
                .map(straight)
                .collect::<Vec<_>>(),
            [true, true]
        );
    }

    #[test]
    fn values_that_change_columns_to_one_unit_have_levels_of_their_own() {
        let run = "in0 → E›; E› → F›; F› → G›; G› → r⤺; r⤺ → G‹; G‹ → F‹; F‹ → E‹; E‹ → out0";
        let found = saved(&sketch(
            "E› F› G› r⤺ G‹ F‹ E‹",
            &format!("{run}; E› → G‹; F› → G‹"),
        ));
        // The first enters to the left of the second, on the nearer level.
        assert_eq!(
            found,
            [
                "(20, 30) (20, 79) (152, 79) (152, 88)",
                "(86, 30) (86, 70) (172, 70) (172, 88)"
            ]
        );
    }

    #[test]
    fn names_that_would_lie_on_one_another_stand_in_two_rows() {
        let rows = |places: &[f64]| -> Vec<f64> {
            let chip = |x: &f64| Text {
                at: (*x, 0.0),
                text: "ab".to_owned(),
                left: false,
            };
            let mut chips: Vec<Text> = places.iter().map(chip).collect();
            apart(&mut chips, false);
            chips.into_iter().map(|chip| chip.at.1).collect()
        };
        // The chip of a name of two letters is 22 wide, with 1.5 free on either side.
        assert_eq!(rows(&[0.0, 25.0]), [0.0, 0.0]);
        assert_eq!(rows(&[0.0, 24.0, 48.0]), [-9.0, 9.0, -9.0]);
        assert_eq!(rows(&[0.0, 24.0, 80.0]), [-9.0, 9.0, 0.0]);
    }
}
