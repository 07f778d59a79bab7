//! Role of each axis of a loop. Neighbours along one axis are the lanes of vectors. A tile of several vectors, and of rows along another
//! axis, is computed at once, so that a loaded operand serves several results.

use fletch_engine::{Access, Fold, Loop, Sum};
use fletch_smooth::Operation;

/// The roles of the axes of a loop, and the size of its tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Roles {
    /// Axis of the lanes of the results.
    pub(crate) vector: usize,
    /// Axis of extent 2 within vectors, if there is one: several pairs of its neighbours fill a vector.
    pub(crate) pairs: Option<usize>,
    /// Axis of the rows of a tile, if there is another axis.
    pub(crate) row: Option<usize>,
    /// Number of rows of a tile.
    pub(crate) rows: usize,
    /// Number of vectors in a row of a tile.
    pub(crate) vectors: usize,
    /// True if the loop over rows is inside of the loop over vectors.
    pub(crate) down: bool,
    /// True if the loop is fully unrolled.
    pub(crate) straight: bool,
}

/// Maximum number of vector steps that are unrolled.
const STRAIGHT: usize = 48;
/// Maximum number of accumulators, so that they and their operands fit into the registers.
const ACCUMULATORS: usize = 8;

impl Roles {
    /// Roles for a loop with at least one axis, and for vectors of `lanes` lanes.
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
            .operations
            .iter()
            .any(|operation| matches!(operation, Operation::Map(..)));
        let (rows, vectors) = match &each.sum {
            // An accumulator for each result.
            Some(_) if in_lanes => {
                // Each vector of results has as many accumulators as lanes.
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
    /// Number of rows of a tile that is `entries` wide. A narrow tile is higher, so that independent sums hide the latency of addition.
    pub(crate) fn rows_of(&self, sum: &Sum, entries: usize, lanes: usize) -> usize {
        let accumulators = match sum.fold {
            Fold::Lanes(_) => entries,
            _ => entries.div_ceil(lanes),
        };
        self.rows.max(ACCUMULATORS / accumulators.max(1))
    }
}

/// Number of neighbours in a pair.
pub(crate) const PAIR: usize = 2;

/// Axis of vectors and axis of pairs of a loop without a sum, if all writes are contiguous pair by pair along the two.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::Roles;
    use crate::cases::{access, entrywise, loops, planned};
    use fletch_engine::Loop;
    use fletch_smooth::{Binary, Operation};

    /// Roles of the axes by letters, and the size of a tile: rows × vectors.
    fn roles(each: &Loop, lanes: usize) -> String {
        let letter = |axis: usize| ["i", "j", "k"].get(axis).copied().unwrap();
        let roles = Roles::of(each, lanes);
        let along = |name: &str, axis: Option<usize>| {
            axis.map_or(String::new(), |axis| {
                format!("{name} along {}", letter(axis))
            })
        };
        let mut text = along("lanes", Some(roles.vector));
        text += &along(", pairs", roles.pairs);
        text += &along(", rows", roles.row);
        text += &format!(": {} × {}", roles.rows, roles.vectors);
        text += if roles.row.is_some() && roles.down {
            ", rows inside"
        } else {
            ""
        };
        text += if roles.straight { ", straight" } else { "" };
        text
    }

    #[track_caller]
    fn check(judgement: &str, lanes: usize, expected: &str) {
        let plan = planned(judgement);
        let found: Vec<String> = loops(&plan).iter().map(|each| roles(each, lanes)).collect();
        assert_eq!(found, [expected]);
    }

    #[test]
    fn a_loop_of_few_vectors_is_straight() {
        let sum = "x : Real(100), y : Real(100) ⊢ ⌊x + y⌋";
        check(sum, 2, "lanes along i: 1 × 8");
        check(sum, 4, "lanes along i: 1 × 8, straight");
        check("x : Real(100) ⊢ ⌊swish[100](x)⌋", 2, "lanes along i: 1 × 2");
    }

    #[test]
    fn lanes_lie_where_nothing_is_gathered_and_rows_share_what_is_summed() {
        check(
            "x : Real(6), y : Real(6) ⊢ ⌊matmul[2, 3, 2](x, y)⌋",
            2,
            "lanes along j, rows along i: 2 × 1, rows inside, straight",
        );
        check(
            "x : Real(24), y : Real(24) ⊢ ⌊matmul[8, 3, 8](x, y)⌋",
            2,
            "lanes along j, rows along i: 2 × 4, rows inside",
        );
    }

    #[test]
    fn a_sum_in_lanes_takes_an_accumulator_for_each_entry() {
        let product = "x : Real(60), y : Real(10) ⊢ ⌊matmul[6, 10, 1](x, y)⌋";
        check(product, 2, "lanes along i: 1 × 3, straight");
        check(product, 4, "lanes along i: 1 × 2, straight");
    }

    #[test]
    fn a_narrow_tile_is_higher() {
        let plan = planned("x : Real(24), y : Real(24) ⊢ ⌊matmul[8, 3, 8](x, y)⌋");
        let each = *loops(&plan).first().unwrap();
        let rows = |entries| Roles::of(each, 2).rows_of(each.sum.as_ref().unwrap(), entries, 2);
        assert_eq!([8, 4, 2].map(rows), [2, 4, 8]);
    }

    #[test]
    fn rows_of_two_are_pairs_in_vectors_of_four() {
        let body = vec![
            Operation::Read(0),
            Operation::Read(1),
            Operation::Binary(Binary::Add, 0, 1),
        ];
        let reads = vec![access(0, &[2, 1]), access(1, &[0, 1])];
        let each = entrywise(&[3, 2], reads, body, access(2, &[2, 1]));
        assert_eq!(
            roles(&each, 4),
            "lanes along i, pairs along j: 1 × 2, straight"
        );
        assert_eq!(
            roles(&each, 2),
            "lanes along j, rows along i: 1 × 1, rows inside, straight"
        );
    }
}
