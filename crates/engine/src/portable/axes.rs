//! Axes of a loop, split: those of the points of a block, and the loops around it.

use super::operations::BLOCK;
use super::shapes::{factors, in_lanes, neighbours};
use crate::loops::{Loop, Sum};

/// Split of a loop's axes: the loops around, and the axes along which the points of a block lie.
pub(super) struct Axes {
    pub(super) around: Vec<usize>,
    pub(super) inside: Vec<usize>,
    /// Extents of the inside axes.
    pub(super) extents: Vec<usize>,
}

/// Points in a row from which on a block needs no second axis; an operand constant along a row is then not gathered.
const ENOUGH: usize = 24;

/// Maximum number of points that several axes together may have: each point's offset is tabulated.
const MOST: usize = 64 * BLOCK;

impl Axes {
    /// The axis of neighbours.
    pub(super) fn vectors(&self) -> usize {
        self.inside.last().copied().unwrap_or(0)
    }

    pub(super) fn of(each: &Loop) -> Axes {
        let extent = |axis: &usize| each.space.get(*axis).copied().unwrap_or(1);
        if matches!(&each.sum, Some(sum) if in_lanes(sum) && factors(sum, 0).is_none()) {
            // The points of a block are terms.
            let around = (0..each.space.len()).filter(|axis| extent(axis) != 1);
            return Axes {
                around: around.collect(),
                inside: Vec::new(),
                extents: Vec::new(),
            };
        }
        let vectors = each.axis_of_vectors();
        let others = 0..each.space.len();
        let others = others.filter(|axis| *axis != vectors && extent(axis) != 1);
        let mut around: Vec<usize> = others.collect();
        let rows = each.axis_of_rows(vectors);
        // The factors of sums in lanes: along the axes inside the second one stays.
        let still = each
            .sum
            .as_ref()
            .filter(|sum| in_lanes(sum))
            .and_then(|sum| factors(sum, vectors));
        let stays = still
            .map(|[_, second]| second)
            .filter(|second| second.stride(vectors) == Some(0));
        match stays {
            Some(second) => around.sort_by_key(|axis| second.stride(*axis) == Some(0)),
            None => around.sort_by_key(|axis| Some(*axis) == rows),
        }
        let mut inside = vec![vectors];
        let mut points = extent(&vectors);
        // Products of neighbours are computed row by row; all else as many points at once as there is room for.
        let in_rows =
            |sum: &Sum| !in_lanes(sum) && neighbours(sum, vectors).is_some() && points >= 4;
        if !each.sum.as_ref().is_some_and(in_rows) {
            let (enough, most) = match stays {
                Some(_) => (BLOCK, BLOCK),
                None => (ENOUGH, MOST),
            };
            while let Some(axis) = around.last()
                && points < enough
                && points * extent(axis) <= most
                && stays.is_none_or(|second| second.stride(*axis) == Some(0))
            {
                points *= extent(axis);
                inside.insert(0, *axis);
                around.pop();
            }
        }
        Axes {
            extents: inside.iter().map(extent).collect(),
            around,
            inside,
        }
    }
}
