//! Role of each axis of a loop: neighbours along one axis are the lanes of vectors, and a tile of several vectors, and of rows
//! along another axis, is computed at once, so that an operand serves several results.

use fletch_engine::{Access, Fold, Loop, Sum};
use fletch_smooth::Operation;

/// The roles of the axes of a loop, and the size of its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Roles {
    /// Axis of the lanes of the results.
    pub(crate) vector: usize,
    /// Second axis within vectors, if there is one: pairs of its neighbours, several of which fill a vector.
    pub(crate) pairs: Option<usize>,
    /// Axis of the rows of a tile, if there is another axis.
    pub(crate) row: Option<usize>,
    /// The rows of a tile.
    pub(crate) rows: usize,
    /// The vectors in a row of a tile.
    pub(crate) vectors: usize,
    /// True if rows are the inner loop within tiles of vectors.
    pub(crate) down: bool,
    /// True if the loop is fully unrolled.
    pub(crate) straight: bool,
}

/// Maximum number of vector steps that are unrolled.
const STRAIGHT: usize = 48;
/// Maximum number of accumulators, so that they and their operands fit into the registers.
const ACCUMULATORS: usize = 8;

impl Roles {
    /// The roles for a loop with at least one axis, where a vector has so many lanes.
    pub(crate) fn of(each: &Loop, lanes: usize) -> Roles {
        let extent = |axis: usize| each.space.get(axis).copied().unwrap_or(1);
        if lanes > PAIR
            && let Some((vector, pairs)) = paired(each)
        {
            let across = (extent(vector) * PAIR).div_ceil(lanes);
            let rest = (0..each.space.len()).filter(|axis| *axis != vector && *axis != pairs);
            let points: usize = rest.map(extent).product();
            return Roles {
                vector,
                pairs: Some(pairs),
                row: None,
                rows: 1,
                vectors: across.clamp(1, 4),
                down: false,
                straight: points * across <= STRAIGHT,
            };
        }
        let vector = each.axis_of_vectors();
        let row = each.axis_of_rows(vector);
        let across = extent(vector).div_ceil(lanes);
        let down = row.map_or(1, extent);
        let terms: usize = each.sum.iter().flat_map(|sum| &sum.extents).product();
        let points: usize = each.space.iter().product();
        let work = (points / extent(vector).max(1)) * across * terms.max(1);
        let in_lanes = matches!(&each.sum, Some(sum) if matches!(sum.fold, Fold::Lanes(_)));
        let dear = each
            .body
            .iter()
            .any(|operation| matches!(operation, Operation::Map(..)));
        let (rows, vectors) = match &each.sum {
            // An accumulator for each result.
            Some(_) if in_lanes => {
                // Each has as many accumulators as lanes.
                let vectors = if down > 1 { 4 / lanes } else { 8 / lanes };
                let vectors = vectors.min(across).max(1);
                (down.min(ACCUMULATORS / (vectors * lanes)).max(1), vectors)
            }
            Some(_) => {
                let vectors = if down > 1 { 4 } else { 8 }.min(across).max(1);
                (down.min(ACCUMULATORS / vectors).max(1), vectors)
            }
            None if dear => (1, across.clamp(1, 2)),
            None => (1, across.clamp(1, 8)),
        };
        Roles {
            vector,
            pairs: None,
            row,
            rows,
            vectors,
            down: each.sum.is_some() || across <= 16,
            straight: work <= STRAIGHT,
        }
    }
}

impl Roles {
    /// Rows of a tile of so many entries: a narrow tile is higher, so that independent sums hide the latency of addition.
    pub(crate) fn rows_of(&self, sum: &Sum, entries: usize, lanes: usize) -> usize {
        let accumulators = match sum.fold {
            Fold::Lanes(_) => entries,
            _ => entries.div_ceil(lanes),
        };
        self.rows.max(ACCUMULATORS / accumulators.max(1))
    }
}

/// Neighbours in a pair.
pub(crate) const PAIR: usize = 2;

/// Axis with a second axis of pairs, if all writes are contiguous pair by pair along the two.
fn paired(each: &Loop) -> Option<(usize, usize)> {
    if each.sum.is_some() {
        return None;
    }
    let axes = 0..each.space.len();
    let fits = |along: usize, pairs: usize| {
        let strides = |access: &Access| Some((access.stride(along)?, access.stride(pairs)?));
        let written = each
            .writes
            .iter()
            .all(|(write, _)| strides(write) == Some((PAIR, 1)));
        let read = each.reads().all(|read| match strides(read) {
            Some((PAIR, 1) | (_, 0) | (0, _)) => true,
            Some(_) | None => false,
        });
        written && read
    };
    let twos = axes
        .clone()
        .filter(|axis| each.space.get(*axis) == Some(&PAIR));
    let mut both = twos.flat_map(|pairs| axes.clone().map(move |along| (along, pairs)));
    both.find(|(along, pairs)| along != pairs && fits(*along, *pairs))
}
