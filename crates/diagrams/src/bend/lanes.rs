//! Coordinates of both lanes of a run. The lanes share columns for the units, so that saved values go straight across.

use super::{Bend, OUTSIDE};
use crate::lane::Placed;
use crate::measure::BETWEEN_DELAYS;
use crate::snake::Road;
use std::collections::BTreeMap;

/// Both lanes, with their positions on the page.
pub(super) struct Lanes {
    pub(super) out: Placed,
    pub(super) back: Placed,
    /// The ends of both along the flow.
    pub(super) left: f64,
    pub(super) right: f64,
    /// Road of the segment, with the gaps at which it may be broken into rows.
    pub(super) road: Road,
    /// Positions across the flow of v = 0 of either lane.
    pub(super) y0: f64,
    pub(super) y1: f64,
}

impl Lanes {
    /// Both lanes of a bend, whose positions across the flow (`y0` and `y1`) are still 0.
    pub(super) fn of(bend: &Bend) -> Lanes {
        let columns = Columns::of(bend);
        let (left, right) = (columns.left, columns.right);
        let out = bend.out.place(
            |unit| {
                let (at, width) = columns.of_unit(unit);
                at + (width - columns.out.get(&unit).copied().unwrap_or(width)) / 2.0
            },
            left,
            right,
        );
        let back = bend.back.place(
            |unit| {
                let (at, width) = columns.of_unit(unit);
                -(at + width) + (width - columns.back.get(&unit).copied().unwrap_or(width)) / 2.0
            },
            -right,
            -left,
        );
        Lanes {
            out,
            back,
            left,
            right,
            road: Road::of(
                (left, right),
                columns
                    .places
                    .values()
                    .map(|(at, width)| (*at, at + width))
                    .collect(),
            ),
            y0: 0.0,
            y1: 0.0,
        }
    }

    /// Point on the page of a point of the forward lane.
    pub(super) fn on_out(&self, (u, v): (f64, f64)) -> (f64, f64) {
        (u, self.y0 + v)
    }

    /// Point on the page of a point of the backward lane, which is turned by 180°.
    pub(super) fn on_back(&self, (u, v): (f64, f64)) -> (f64, f64) {
        (-u, self.y1 - v)
    }
}

/// Columns of the units, which both lanes share. Boxes before the run have columns in the forward lane alone, boxes after it in the
/// backward lane alone.
struct Columns {
    /// Width of each unit, in each of the lanes.
    out: BTreeMap<usize, f64>,
    back: BTreeMap<usize, f64>,
    /// Start and width of the column of each unit.
    places: BTreeMap<usize, (f64, f64)>,
    left: f64,
    right: f64,
}

impl Columns {
    fn of(bend: &Bend) -> Columns {
        let back_units = bend.back.units();
        let out: BTreeMap<usize, f64> = bend.out.units().into_iter().collect();
        let back: BTreeMap<usize, f64> = back_units.iter().copied().collect();
        let within = back.keys().filter(|unit| **unit < OUTSIDE);
        let mut units: Vec<usize> = out.keys().chain(within).copied().collect();
        units.sort_by_key(|unit| (*unit < OUTSIDE, *unit));
        units.dedup();
        let (out_delays, back_delays) = (bend.out.delays(), bend.back.delays());
        let is_delay = |unit: Option<&usize>| {
            unit.is_some_and(|unit| {
                (out_delays.contains(unit) || !out.contains_key(unit))
                    && (back_delays.contains(unit) || !back.contains_key(unit))
            })
        };
        let between =
            |unit: &usize, next: Option<&usize>| match is_delay(Some(unit)) && is_delay(next) {
                true => BETWEEN_DELAYS,
                false => bend.out.between(),
            };
        let mut places = BTreeMap::new();
        let mut right = 0.0;
        for (number, unit) in units.iter().enumerate() {
            let width = |widths: &BTreeMap<usize, f64>| widths.get(unit).copied().unwrap_or(0.0);
            let width = width(&out).max(width(&back));
            places.insert(*unit, (right, width));
            right += width + between(unit, units.get(number + 1));
        }
        let first = units.iter().find(|unit| **unit < OUTSIDE);
        let first = first.and_then(|unit| places.get(unit));
        let mut before = first.map_or(0.0, |(at, _)| *at) - bend.out.between();
        let outside = back_units.iter().filter(|(unit, _)| *unit >= OUTSIDE);
        let outside: Vec<&(usize, f64)> = outside.collect();
        for (number, (unit, width)) in outside.iter().enumerate() {
            before -= width;
            places.insert(*unit, (before, *width));
            before -= between(unit, outside.get(number + 1).map(|(next, _)| next));
        }
        let least = places.values().map(|(at, _)| *at).fold(0.0, f64::min);
        Columns {
            out,
            back,
            places,
            left: least - 2.0 * bend.out.between(),
            right,
        }
    }

    fn of_unit(&self, unit: usize) -> (f64, f64) {
        self.places.get(&unit).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::Columns;
    use crate::bend::{Bend, segments};
    use crate::cases::sketch;

    /// Columns of boxes, by their units: start and end.
    fn columns(boxes: &str, wires: &str) -> Vec<(f64, f64)> {
        let graph = sketch(boxes, wires);
        let bend = Bend::of(&graph, segments(&graph).first().unwrap()).unwrap();
        let columns = Columns::of(&bend);
        columns
            .places
            .into_values()
            .map(|(at, width)| (at, at + width))
            .collect()
    }

    #[test]
    fn a_column_is_as_wide_as_what_stands_in_it_on_either_side() {
        // The backward half of a unit may have one box more.
        let alone = columns("F› G› G‹ F‹", "F› → G›; G› → G‹; G‹ → F‹; F‹ → out0");
        // Labels of one letter: 37.5 with the clause mark.
        assert_eq!(alone, [(0.0, 37.5), (63.5, 101.0)]);
        let wide = columns("F› G› G‹ G‹ F‹", "F› → G›; G› → G‹; G‹ → F‹; F‹ → out0");
        assert_eq!(wide, [(0.0, 37.5), (63.5, 63.5 + 2.0 * 37.5 + 26.0)]);
    }

    #[test]
    fn what_comes_after_a_run_stands_below_what_comes_before_it() {
        let found = columns(
            "aaaa F› F‹ b",
            "in0 → aaaa; aaaa → F›; F› → F‹; F‹ → b; b → out0",
        );
        // The run, the box before it in the forward lane, and the box after it in the backward lane: both end where the run begins.
        assert_eq!(found, [(74.0, 111.5), (0.0, 48.0), (14.0, 48.0)]);
    }
}
