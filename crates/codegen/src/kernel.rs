//! Code for a loop: loops along its outer axes, and a tile of results inside of them.

use crate::code::{Code, Kind};
use crate::lanes::Lanes;
use crate::memory::Places;
use crate::module::Imports;
use crate::roles::{PAIR, Roles};
use crate::values::Expression;
use crate::walk::{Form, Position};
use fletch_engine::{Access, Loop, Precision};
use wasm_encoder::Instruction;

/// Code generator of one item.
pub(crate) struct Kernel<'c> {
    pub(crate) code: &'c mut Code,
    pub(crate) places: &'c mut Places,
    pub(crate) imports: &'c mut Imports,
    pub(crate) at: Vec<Position>,
    /// Reads and writes of the loop.
    pub(crate) accesses: Vec<Access>,
    pub(crate) pointers: Vec<(Form, u32)>,
    /// The axis of pairs within vectors.
    pub(crate) pairs: Option<usize>,
}

/// Tile of results that are computed at once: rows along one axis, vectors along another.
#[derive(Clone, Copy)]
pub(crate) struct Tile {
    pub(crate) row: Option<usize>,
    pub(crate) across: usize,
    pub(crate) start: (usize, usize),
    /// Rows, and vectors or entries in each.
    pub(crate) size: (usize, usize),
    /// Distance to the next vector or entry along the axis `across`, in entries.
    pub(crate) unit: usize,
}

/// Writes code for a loop.
pub(crate) fn write_loop(each: &Loop, code: &mut Code, places: &mut Places, imports: &mut Imports) {
    if each.space.contains(&0) {
        return;
    }
    let mut each = each.clone();
    if each.space.is_empty() {
        each.add_axis();
    }
    let roles = Roles::of(&each, places.precision().lanes());
    let writes = each.writes.iter().map(|(write, _)| write);
    let accesses: Vec<Access> = each.reads().chain(writes).cloned().collect();
    let axes = each.space.len() + each.sum.as_ref().map_or(0, |sum| sum.extents.len());
    let mut kernel = Kernel {
        code,
        places,
        imports,
        at: vec![Position::default(); axes],
        accesses,
        pointers: Vec::new(),
        pairs: roles.pairs,
    };
    let outer: Vec<usize> = (0..each.space.len())
        .filter(|axis| ![Some(roles.vector), roles.pairs, roles.row].contains(&Some(*axis)))
        .collect();
    kernel.through(&outer, &each, &roles);
}

impl Kernel<'_> {
    /// Precision of the numbers.
    pub(crate) fn width(&self) -> Precision {
        self.places.precision()
    }

    /// Number of lanes in a vector.
    pub(crate) fn lane_count(&self) -> usize {
        self.width().lanes()
    }

    /// Number of entries along the vector axis in one vector; half of the lanes if they hold pairs.
    pub(crate) fn span(&self) -> usize {
        self.lane_count() / if self.pairs.is_some() { PAIR } else { 1 }
    }

    pub(crate) fn lanes(&mut self) -> Lanes<'_> {
        Lanes {
            code: self.code,
            places: self.places,
            imports: self.imports,
        }
    }

    /// Writes the loops along the `outer` axes, then the loops along the axes of rows and vectors.
    pub(crate) fn through(&mut self, outer: &[usize], each: &Loop, roles: &Roles) {
        let extent = |axis: usize| each.space.get(axis).copied().unwrap_or(1);
        if let Some((axis, inner)) = outer.split_first() {
            return self.along(*axis, extent(*axis), 1, roles.straight, &mut |kernel, _| {
                kernel.through(inner, each, roles);
            });
        }
        let straight = roles.straight;
        let lanes = self.span();
        let part = roles.vectors * lanes;
        let across = (roles.vector, extent(roles.vector));
        match &each.sum {
            Some(sum) => {
                self.along(
                    across.0,
                    across.1,
                    part,
                    straight,
                    &mut |kernel, entries| match roles.row {
                        Some(row) => kernel.along(
                            row,
                            extent(row),
                            roles.rows_of(sum, entries, lanes),
                            straight,
                            &mut |kernel, rows| {
                                kernel.summed(each, sum, roles, rows, entries);
                            },
                        ),
                        None => kernel.summed(each, sum, roles, 1, entries),
                    },
                );
            }
            None => match roles.row {
                None => self.along(
                    across.0,
                    across.1,
                    part,
                    straight,
                    &mut |kernel, entries| {
                        let mut expression = Expression::of(each, roles, &[]);
                        kernel.finish(each, &mut expression, roles, 1, entries);
                        kernel.forget(&mut expression, 0);
                    },
                ),
                // Loads that are invariant in the inner loop are hoisted out of it.
                Some(row) if roles.down => {
                    self.along(
                        across.0,
                        across.1,
                        part,
                        straight,
                        &mut |kernel, entries| {
                            let mut expression = Expression::of(each, roles, &[]);
                            let tile = kernel.tile(roles, 1, entries.div_ceil(lanes), lanes);
                            kernel.know(&mut expression, tile, entries, |(by_row, _)| !by_row);
                            let known = expression.known.len();
                            kernel.along(row, extent(row), 1, straight, &mut |kernel, rows| {
                                kernel.finish(each, &mut expression, roles, rows, entries);
                                kernel.forget(&mut expression, known);
                            });
                            kernel.forget(&mut expression, 0);
                        },
                    );
                }
                Some(row) => self.along(row, extent(row), 1, straight, &mut |kernel, rows| {
                    let mut expression = Expression::of(each, roles, &[]);
                    let tile = kernel.tile(roles, rows, 1, lanes);
                    kernel.know(&mut expression, tile, lanes, |(_, by_vector)| !by_vector);
                    let known = expression.known.len();
                    kernel.along(
                        across.0,
                        across.1,
                        part,
                        straight,
                        &mut |kernel, entries| {
                            kernel.finish(each, &mut expression, roles, rows, entries);
                            kernel.forget(&mut expression, known);
                        },
                    );
                    kernel.forget(&mut expression, 0);
                }),
            },
        }
    }

    pub(crate) fn tile(&self, roles: &Roles, rows: usize, vectors: usize, unit: usize) -> Tile {
        let start = |axis: usize| self.position(axis).constant;
        Tile {
            row: roles.row,
            across: roles.vector,
            start: (roles.row.map_or(0, start), start(roles.vector)),
            size: (rows, vectors),
            unit,
        }
    }

    /// Sets the position to a row and a vector of a tile.
    pub(crate) fn go(&mut self, tile: &Tile, row: usize, vector: usize) {
        if let Some(axis) = tile.row {
            self.set_constant(axis, tile.start.0 + row);
        }
        self.set_constant(tile.across, tile.start.1 + vector * tile.unit);
    }

    /// Computes the assignments at the points of a tile, and stores the results.
    pub(crate) fn finish(
        &mut self,
        each: &Loop,
        expression: &mut Expression<'_>,
        roles: &Roles,
        rows: usize,
        entries: usize,
    ) {
        let (count, each_has) = (self.span(), self.lane_count() / self.span());
        let tile = self.tile(roles, rows, entries.div_ceil(count), count);
        for row in 0..rows {
            for vector in 0..tile.size.1 {
                self.go(&tile, row, vector);
                let lanes = each_has * count.min(entries - vector * count);
                let mut values = Vec::new();
                if each.writes.len() > 1 {
                    // All values are computed before any is stored.
                    for (_, root) in &each.writes {
                        self.value(expression, *root, (row, vector), lanes);
                        let local = self.code.take(Kind::Vector);
                        self.code.set(local);
                        values.push(local);
                    }
                }
                for (number, (write, root)) in each.writes.iter().enumerate() {
                    match values.get(number).copied() {
                        Some(local) => {
                            self.store(write, roles.vector, lanes, &mut |kernel| {
                                kernel.code.get(local)
                            });
                        }
                        None => self.store(write, roles.vector, lanes, &mut |kernel| {
                            kernel.value(expression, *root, (row, vector), lanes);
                        }),
                    }
                }
                self.code.give_all(values);
            }
        }
        self.go(&tile, 0, 0);
    }

    /// Hoists the values that satisfy `is`: computes them before an inner loop, into locals. `is` takes the variation of a value, as in
    /// [`Expression::differs`].
    pub(crate) fn know(
        &mut self,
        expression: &mut Expression<'_>,
        tile: Tile,
        entries: usize,
        is: impl Fn((bool, bool)) -> bool,
    ) {
        let (count, each_has) = (self.span(), self.lane_count() / self.span());
        let wanted: Vec<usize> = (0..expression.body.operations.len())
            .filter(|number| {
                let differs = expression.differs.get(*number).copied();
                differs.is_some_and(&is) && expression.is_edge(*number, &is)
            })
            .collect();
        for number in wanted {
            for row in 0..tile.size.0 {
                for vector in 0..tile.size.1 {
                    let key = expression.key(number, (row, vector));
                    if expression.known.iter().any(|(known, _)| *known == key) {
                        continue;
                    }
                    self.go(&tile, row, vector);
                    let lanes = count.min(entries.saturating_sub(vector * count)).max(1);
                    let lanes = each_has * lanes;
                    self.value(expression, number, (row, vector), lanes);
                    if !expression.known.iter().any(|(known, _)| *known == key) {
                        let local = self.code.take(Kind::Vector);
                        self.code.set(local);
                        expression.known.push((key, local));
                    } else {
                        self.code.put(Instruction::Drop);
                    }
                }
            }
        }
        self.go(&tile, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{access, check, entrywise, made, planned};
    use fletch_engine::Item;
    use fletch_smooth::{Binary, Elementary, Operation};

    #[test]
    fn all_that_a_point_gives_is_computed_before_any_of_it_is_stored() {
        check(
            &planned("x : Real(2) ⊢ let a ⇐ Get[v]() in let _ ⇐ Put[v](a + x) in ⌊a⌋"),
            "
            (local.set 2 (f64x2.add (local.tee 1 (v128.load offset=64 (i32.const 0))) (v128.load (local.get 0))))
            (local.set 3 (local.get 1))
            (v128.store offset=64 (i32.const 0) (local.tee 4 (local.get 2)))
            (v128.store offset=128 (i32.const 0) (local.tee 5 (local.get 3)))",
        );
    }

    #[test]
    fn what_is_the_same_along_the_inner_loop_is_computed_before_it() {
        // Square roots of four numbers, multiplied by one number for each of 30 rows.
        let body = vec![
            Operation::Read(0),
            Operation::Map(Elementary::Sqrt, 0),
            Operation::Read(1),
            Operation::Binary(Binary::Mul, 1, 2),
        ];
        let reads = vec![access(0, &[0, 1]), access(1, &[1, 0])];
        let each = entrywise(&[30, 4], reads, body, access(2, &[4, 1]));
        check(
            &made(vec![Item::Loop(each)], &[4, 30], &[120]),
            "
            (drop (local.tee 1 (f64x2.sqrt (v128.load (local.get 0)))))
            (drop (local.tee 2 (f64x2.sqrt (v128.load offset=16 (local.get 0)))))
            (local.set 3 (i32.const 0))
            (local.set 4 (local.get 0))
            (local.set 5 (i32.const 0))
            loop
              (v128.store offset=320 (local.get 5) (f64x2.mul (local.get 1) (local.tee 6 (v128.load64_splat offset=32 (local.get 4)))))
              (v128.store offset=336 (local.get 5) (f64x2.mul (local.get 2) (local.get 6)))
              (local.set 4 (i32.add (local.get 4) (i32.const 8)))
              (local.set 5 (i32.add (local.get 5) (i32.const 32)))
              (br_if 0 (i32.lt_u (local.tee 3 (i32.add (local.get 3) (i32.const 1))) (i32.const 30)))",
        );
    }

    #[test]
    fn a_loop_over_nothing_has_no_code() {
        let body = vec![Operation::Read(0)];
        let each = entrywise(&[3, 0], vec![access(0, &[1, 0])], body, access(1, &[0, 1]));
        check(&made(vec![Item::Loop(each)], &[3], &[0]), "");
    }
}
