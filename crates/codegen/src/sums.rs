//! Sums: an accumulator for each result of a tile, in the order that the plan says.

use crate::code::{Kind, SAMPLE};
use crate::kernel::{Kernel, Tile};
use crate::roles::Roles;
use crate::values::{Expression, Input};
use fletch_engine::{Fold, LANES, Loop, Sum};
use wasm_encoder::Instruction;

impl Kernel<'_> {
    /// A tile with a sum at each point.
    pub(crate) fn summed(
        &mut self,
        each: &Loop,
        sum: &Sum,
        roles: &Roles,
        rows: usize,
        entries: usize,
    ) {
        let vectors = entries.div_ceil(LANES);
        let sums = match sum.fold {
            Fold::Lanes(start) => {
                let tile = self.tile(roles, rows, entries, 1);
                let along = each.space.len() + sum.extents.len().saturating_sub(1);
                let lanes = self.folded(each, sum, tile, along, start);
                self.together(lanes)
            }
            Fold::InTurn(start) => {
                let tile = self.tile(roles, rows, vectors, LANES);
                self.folded(each, sum, tile, roles.vector, start)
            }
            Fold::Maximum | Fold::AtMaximum => {
                let tile = self.tile(roles, rows, vectors, LANES);
                self.folded(each, sum, tile, roles.vector, f64::NEG_INFINITY)
            }
        };
        let mut expression = Expression::of(each, roles, &sums);
        self.finish(each, &mut expression, roles, rows, entries);
        self.forget(&mut expression, 0);
        self.code.give_all(sums.into_iter().flatten());
    }

    /// The sums of a tile, in a local each.
    pub(crate) fn folded(
        &mut self,
        each: &Loop,
        sum: &Sum,
        tile: Tile,
        along: usize,
        start: f64,
    ) -> Vec<Vec<u32>> {
        let space = each.space.len();
        let inputs = sum.reads.iter().map(Input::Entry).collect();
        let root = sum.body.len().saturating_sub(1);
        let mut expression = Expression::new(&sum.body, inputs, along, &tile, &[root]);
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
        // The values at the largest, which are the first ones to begin with.
        let mut best = Vec::new();
        if sum.fold == Fold::AtMaximum {
            for row in 0..tile.size.0 {
                let mut locals = Vec::new();
                for vector in 0..tile.size.1 {
                    self.go(&tile, row, vector);
                    if sum.extents.contains(&0) {
                        self.lanes().splat(0.0);
                    } else {
                        self.value(&mut expression, root, (row, vector), LANES);
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
            let terms: usize = sum.extents.iter().product();
            let straight = terms * tile.size.0 * tile.size.1 <= 64 && terms <= 16;
            let mut add = |kernel: &mut Self, lanes: usize| {
                for vector in 0..tile.size.1 {
                    for row in 0..tile.size.0 {
                        let local = |locals: &[Vec<u32>]| -> u32 {
                            let locals = locals.get(row).and_then(|row| row.get(vector));
                            locals.copied().unwrap_or(SAMPLE)
                        };
                        kernel.go(&tile, row, vector);
                        let best = (sum.fold == Fold::AtMaximum).then(|| local(&best));
                        let point = (row, vector);
                        kernel.add(&mut expression, sum.fold, point, lanes, local(&sums), best);
                    }
                }
                kernel.forget(&mut expression, 0);
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

    /// Goes through all terms of a sum from this level on.
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
            return add(self, LANES);
        };
        if level + 1 < sum.extents.len() {
            return self.along(axis, extent, 1, straight, &mut |kernel, _| {
                kernel.terms(sum, space, level + 1, straight, along, add);
            });
        }
        // A few at once, so that counting costs less.
        let in_lanes = along == axis;
        let unit = if in_lanes { LANES } else { 1 };
        let few = 4 * unit;
        self.along(axis, extent, few, straight, &mut |kernel, count| {
            let start = kernel.position(axis).constant;
            let mut done = 0;
            while done < count {
                let lanes = if in_lanes {
                    unit.min(count - done)
                } else {
                    LANES
                };
                kernel.set_constant(axis, start + done);
                add(kernel, lanes);
                done += unit;
            }
            kernel.set_constant(axis, start);
        });
    }

    /// Adds a term to a sum.
    pub(crate) fn add(
        &mut self,
        expression: &mut Expression<'_>,
        fold: Fold,
        point: (usize, usize),
        lanes: usize,
        sum: u32,
        best: Option<u32>,
    ) {
        let root = expression.body.len().saturating_sub(1);
        if let Some(best) = best {
            // The first number read decides.
            let key = self.code.take(Kind::Vector);
            self.read(expression, 0, point, lanes);
            self.code.set(key);
            self.value(expression, root, point, lanes);
            for instruction in [
                Instruction::LocalGet(best),
                Instruction::LocalGet(sum),
                Instruction::LocalGet(key),
                Instruction::F64x2Lt,
                Instruction::V128Bitselect,
                Instruction::LocalSet(best),
                Instruction::LocalGet(sum),
                Instruction::LocalGet(key),
                Instruction::F64x2PMax,
                Instruction::LocalSet(sum),
            ] {
                self.code.put(instruction);
            }
            return self.code.give(key);
        }
        self.code.get(sum);
        self.value(expression, root, point, lanes);
        if lanes < LANES {
            // What was read beyond the end counts as 0.
            let mask = [f64::from_bits(u64::MAX), 0.0];
            self.lanes().vector(mask);
            self.code.put(Instruction::V128And);
        }
        self.code.put(match fold {
            Fold::Maximum => Instruction::F64x2PMax,
            _ => Instruction::F64x2Add,
        });
        self.code.set(sum);
    }

    /// Of sums in lanes, one each: pairs of them become vectors.
    pub(crate) fn together(&mut self, lanes: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let mut sums = Vec::new();
        for row in lanes {
            let mut vectors = Vec::new();
            for pair in row.chunks(LANES) {
                let (Some(first), Some(second)) = (pair.first(), pair.last()) else {
                    continue;
                };
                for half in [0, 8] {
                    self.code.get(*first);
                    self.code.get(*second);
                    // The even or the odd lanes of both.
                    let byte = |number: u8| (number % 8) + half + if number < 8 { 0 } else { 16 };
                    let bytes = std::array::from_fn(|number| byte(number as u8));
                    self.code.put(Instruction::I8x16Shuffle(bytes));
                }
                self.code.put(Instruction::F64x2Add);
                let sum = self.code.take(Kind::Vector);
                self.code.set(sum);
                vectors.push(sum);
            }
            self.code.give_all(row);
            sums.push(vectors);
        }
        sums
    }
}
