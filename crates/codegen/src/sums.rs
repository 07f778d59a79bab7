//! Code for reductions: an accumulator for each result of a tile, in the order that the plan says.

use crate::code::{Kind, SAMPLE};
use crate::kernel::{Kernel, Tile};
use crate::roles::Roles;
use crate::values::Expression;
use crate::width::Width;
use fletch_engine::{Fold, Loop, Sum};
use wasm_encoder::Instruction;

impl Kernel<'_> {
    /// Writes a tile with a reduction at each point.
    pub(crate) fn summed(
        &mut self,
        each: &Loop,
        sum: &Sum,
        roles: &Roles,
        rows: usize,
        entries: usize,
    ) {
        let lanes = self.lane_count();
        let vectors = entries.div_ceil(lanes);
        let sums = match sum.fold {
            Fold::Lanes(start) => {
                let tile = self.tile(roles, rows, entries, 1);
                let along = each.space.len() + sum.extents.len().saturating_sub(1);
                let sums = self.folded(each, sum, tile, along, start);
                self.together(sums)
            }
            Fold::InTurn(start) => {
                let tile = self.tile(roles, rows, vectors, lanes);
                self.folded(each, sum, tile, roles.vector, start)
            }
            Fold::Maximum | Fold::AtMaximum => {
                let tile = self.tile(roles, rows, vectors, lanes);
                self.folded(each, sum, tile, roles.vector, f64::NEG_INFINITY)
            }
        };
        let mut expression = Expression::of(each, roles, &sums);
        self.finish(each, &mut expression, roles, rows, entries);
        self.forget(&mut expression, 0);
        self.code.give_all(sums.into_iter().flatten());
    }

    /// Writes the reductions of a tile; returns a local for each, by row and vector.
    pub(crate) fn folded(
        &mut self,
        each: &Loop,
        sum: &Sum,
        tile: Tile,
        along: usize,
        start: f64,
    ) -> Vec<Vec<u32>> {
        let space = each.space.len();
        let root = sum.body.operations.len().saturating_sub(1);
        let addends = sum.addends();
        let mut expression = Expression::new(&sum.body, &[], along, &tile, &addends);
        let sums: Vec<Vec<u32>> = (0..tile.size.0)
            .map(|_| {
                let locals = (0..tile.size.1).map(|_| {
                    self.lanes().splat(start);
                    let local = self.code.take(Kind::Vector);
                    self.code.set(local);
                    local
                });
                locals.collect()
            })
            .collect();
        // Terms at the largest keys so far, which are the first terms at the beginning.
        let mut best = Vec::new();
        if sum.fold == Fold::AtMaximum {
            for row in 0..tile.size.0 {
                let mut locals = Vec::new();
                for vector in 0..tile.size.1 {
                    self.go(&tile, row, vector);
                    if sum.extents.contains(&0) {
                        self.lanes().splat(0.0);
                    } else {
                        let lanes = self.lane_count();
                        self.value(&mut expression, root, (row, vector), lanes);
                    }
                    let local = self.code.take(Kind::Vector);
                    self.code.set(local);
                    locals.push(local);
                }
                best.push(locals);
            }
            self.forget(&mut expression, 0);
        }
        if !sum.extents.contains(&0) {
            let terms: usize = sum.extents.iter().product::<usize>() * addends.len();
            let straight = terms * tile.size.0 * tile.size.1 <= 64 && terms <= 16;
            let mut add = |kernel: &mut Self, lanes: usize| {
                for addend in &addends {
                    for vector in 0..tile.size.1 {
                        for row in 0..tile.size.0 {
                            let local = |locals: &[Vec<u32>]| -> u32 {
                                let locals = locals.get(row).and_then(|row| row.get(vector));
                                locals.copied().unwrap_or(SAMPLE)
                            };
                            kernel.go(&tile, row, vector);
                            let best = (sum.fold == Fold::AtMaximum).then(|| local(&best));
                            let value = (*addend, (row, vector), lanes);
                            kernel.add(&mut expression, sum.fold, value, local(&sums), best);
                        }
                    }
                    kernel.forget(&mut expression, 0);
                }
            };
            self.terms(sum, space, 0, straight, along, &mut add);
        }
        self.go(&tile, 0, 0);
        if sum.fold == Fold::AtMaximum {
            self.code.give_all(sums.into_iter().flatten());
            best
        } else {
            sums
        }
    }

    /// Writes loops over all terms of a sum, from this level of its extents on. `add` writes one term.
    pub(crate) fn terms(
        &mut self,
        sum: &Sum,
        space: usize,
        level: usize,
        straight: bool,
        along: usize,
        add: &mut dyn FnMut(&mut Self, usize),
    ) {
        let axis = space + level;
        let Some(extent) = sum.extents.get(level).copied() else {
            return add(self, self.lane_count());
        };
        if level + 1 < sum.extents.len() {
            return self.along(axis, extent, 1, straight, &mut |kernel, _| {
                kernel.terms(sum, space, level + 1, straight, along, add);
            });
        }
        // An iteration has a few terms, so that counting costs less.
        let in_lanes = along == axis;
        let count = self.lane_count();
        let unit = if in_lanes { count } else { 1 };
        let few = if in_lanes {
            4 * unit
        } else {
            (4 / sum.addends().len().max(1)).max(1)
        };
        self.along(axis, extent, few, straight, &mut |kernel, some| {
            let start = kernel.position(axis).constant;
            let mut done = 0;
            while done < some {
                let lanes = if in_lanes {
                    unit.min(some - done)
                } else {
                    count
                };
                kernel.set_constant(axis, start + done);
                add(kernel, lanes);
                done += unit;
            }
            kernel.set_constant(axis, start);
        });
    }

    /// Adds a term to the accumulator `sum`, or one addend of the term. With `best`, `sum` is the largest key so far, and `best` the term
    /// there.
    pub(crate) fn add(
        &mut self,
        expression: &mut Expression<'_>,
        fold: Fold,
        (addend, point, lanes): (usize, (usize, usize), usize),
        sum: u32,
        best: Option<u32>,
    ) {
        let width = self.width();
        if let Some(best) = best {
            // The key is the first operand.
            let key = self.code.take(Kind::Vector);
            self.read(expression, 0, point, lanes);
            self.code.set(key);
            self.value(expression, addend, point, lanes);
            for instruction in [
                Instruction::LocalGet(best),
                Instruction::LocalGet(sum),
                Instruction::LocalGet(key),
                width.less(),
                Instruction::V128Bitselect,
                Instruction::LocalSet(best),
                Instruction::LocalGet(sum),
                Instruction::LocalGet(key),
                width.larger(),
                Instruction::LocalSet(sum),
            ] {
                self.code.put(instruction);
            }
            return self.code.give(key);
        }
        self.code.get(sum);
        self.value(expression, addend, point, lanes);
        if lanes < width.lanes() {
            // Numbers read past the end count as 0.
            self.lanes().mask(lanes);
            self.code.put(Instruction::V128And);
        }
        self.code.put(match fold {
            Fold::Maximum => width.larger(),
            _ => width.add(),
        });
        self.code.set(sum);
    }

    /// Horizontal sums: as many accumulators as a vector has lanes become one vector of totals. Neighbouring lanes are added first.
    pub(crate) fn together(&mut self, lanes: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let count = self.lane_count();
        let mut sums = Vec::new();
        for row in lanes {
            let mut vectors = Vec::new();
            for few in row.chunks(count) {
                // A missing sum is replaced by the last one.
                let at = |number: usize| few.get(number).or(few.last()).copied().unwrap_or(SAMPLE);
                let mut level: Vec<u32> = (0..count).map(at).collect();
                let mut made = Vec::new();
                while level.len() > 1 {
                    let mut next = Vec::new();
                    for pair in level.chunks(2) {
                        let (Some(first), Some(second)) = (pair.first(), pair.last()) else {
                            continue;
                        };
                        let sum = self.neighbours(*first, *second);
                        made.push(sum);
                        next.push(sum);
                    }
                    level = next;
                }
                vectors.extend(level.first());
                self.code
                    .give_all(made.into_iter().filter(|local| !level.contains(local)));
            }
            self.code.give_all(row);
            sums.push(vectors);
        }
        sums
    }

    /// Local with the sums of neighbouring lanes, first of one vector, then of the other.
    fn neighbours(&mut self, first: u32, second: u32) -> u32 {
        for odd in [0, 1] {
            self.code.get(first);
            self.code.get(second);
            self.shuffle(|lane| 2 * lane + odd);
        }
        self.code.put(self.width().add());
        let sum = self.code.take(Kind::Vector);
        self.code.set(sum);
        sum
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, planned};

    #[test]
    fn numbers_behind_the_end_of_a_sum_in_lanes_count_as_zero() {
        check(
            &planned("x : Real(3), y : Real(3) ⊢ ⌊dot[3](x, y)⌋"),
            "
            (local.set 1 zeros)
            (local.set 1 (f64x2.add (local.get 1) (f64x2.mul (v128.load (local.get 0)) (v128.load offset=32 (local.get 0)))))
            (local.set 1 (f64x2.add (local.get 1) (v128.and (f64x2.mul (v128.load offset=16 (local.get 0)) (v128.load offset=48 (local.get 0))) (v128.load offset=192 (i32.const 0)))))
            (local.set 2 (f64x2.add (shuffle 0 1 4 5 (local.get 1) (local.get 1)) (shuffle 2 3 6 7 (local.get 1) (local.get 1))))
            (local.set 1 (local.get 2))
            (v128.store64_lane offset=128 0 (i32.const 0) (local.get 1))",
        );
    }

    #[test]
    fn rows_have_an_accumulator_each_and_share_what_is_the_same_for_them() {
        check(
            &planned("x : Real(4), y : Real(4) ⊢ ⌊matmul[2, 2, 2](x, y)⌋"),
            "
            (local.set 1 (v128.load offset=192 (i32.const 0)))
            (local.set 2 (v128.load offset=192 (i32.const 0)))
            (local.set 1 (f64x2.add (local.get 1) (f64x2.mul (v128.load64_splat (local.get 0)) (local.tee 3 (v128.load offset=32 (local.get 0))))))
            (local.set 2 (f64x2.add (local.get 2) (f64x2.mul (v128.load64_splat offset=16 (local.get 0)) (local.get 3))))
            (local.set 1 (f64x2.add (local.get 1) (f64x2.mul (v128.load64_splat offset=8 (local.get 0)) (local.tee 3 (v128.load offset=48 (local.get 0))))))
            (local.set 2 (f64x2.add (local.get 2) (f64x2.mul (v128.load64_splat offset=24 (local.get 0)) (local.get 3))))
            (v128.store offset=128 (i32.const 0) (local.tee 3 (local.get 1)))
            (v128.store offset=144 (i32.const 0) (local.tee 4 (local.get 2)))",
        );
    }

    #[test]
    fn the_place_of_the_largest_is_that_of_the_first_of_several() {
        // Local 1 is the largest number so far, at first minus infinity. Local 2 is its index, which changes where the next number (local
        // 3) is larger.
        check(
            &planned("x : Real(2) ⊢ ⌊argmax[2](x)⌋"),
            "
            (local.set 1 (v128.load offset=128 (i32.const 0)))
            (local.set 2 zeros)
            (local.set 3 (v128.load64_splat (local.get 0)))
            (local.set 2 (v128.bitselect zeros (local.get 2) (f64x2.lt (local.get 1) (local.get 3))))
            (local.set 1 (f64x2.pmax (local.get 1) (local.get 3)))
            (local.set 3 (v128.load64_splat offset=8 (local.get 0)))
            (local.set 2 (v128.bitselect (v128.load offset=144 (i32.const 0)) (local.get 2) (f64x2.lt (local.get 1) (local.get 3))))
            (local.set 1 (f64x2.pmax (local.get 1) (local.get 3)))
            (local.set 1 (local.get 2))
            (v128.store64_lane offset=64 0 (i32.const 0) (local.get 1))",
        );
    }
}
