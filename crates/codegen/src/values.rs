//! Values at the points of a tile: assignments compiled to vector code.

use crate::code::{Kind, SAMPLE};
use crate::kernel::{Kernel, Tile};
use crate::roles::Roles;
use fletch_engine::elementary::logarithm;
use fletch_engine::{Access, Body, Loop, Precision, Source, operands, single};
use fletch_smooth::{Binary, Operation};
use wasm_encoder::Instruction;

/// Body of a loop in single-assignment form, computed for the points of a tile. A point is a row, and a vector in the row.
pub(crate) struct Expression<'e> {
    pub(crate) body: &'e Body,
    /// Results of a reduction, in these locals by row and vector.
    sums: &'e [Vec<u32>],
    /// Axis of the lanes.
    pub(crate) along: usize,
    /// Variation of each assignment over the tile: true if it differs by row, and true if it differs by vector.
    pub(crate) differs: Vec<(bool, bool)>,
    /// True for an assignment that is computed once and kept in a local.
    pub(crate) shared: Vec<bool>,
    /// Values in locals, by [`Expression::key`].
    pub(crate) known: Vec<((usize, usize, usize), u32)>,
}

impl<'e> Expression<'e> {
    pub(crate) fn new(
        body: &'e Body,
        sums: &'e [Vec<u32>],
        along: usize,
        tile: &Tile,
        roots: &[usize],
    ) -> Expression<'e> {
        let mut differs: Vec<(bool, bool)> = Vec::new();
        let operations = body.operations.as_slice();
        let mut uses = vec![0; operations.len()];
        let moves = |access: &Access, axis: usize| {
            access.steps.get(axis).is_some_and(|step| step.stride > 0)
        };
        for operation in operations {
            let both = operands(operation)
                .into_iter()
                .fold((false, false), |sum, operand| {
                    if let Some(count) = uses.get_mut(operand) {
                        *count += 1;
                    }
                    let (row, vector) = differs.get(operand).copied().unwrap_or_default();
                    (sum.0 || row, sum.1 || vector)
                });
            differs.push(match *operation {
                Operation::Read(position) => match body.sources.get(position) {
                    Some(Source::Entry(access)) => (
                        tile.row.is_some_and(|row| moves(access, row)),
                        moves(access, tile.across),
                    ),
                    _ => (true, true),
                },
                Operation::Index(axis) => (tile.row == Some(axis), tile.across == axis),
                _ => both,
            });
        }
        for root in roots {
            if let Some(count) = uses.get_mut(*root) {
                *count += 1;
            }
        }
        let mut shared: Vec<bool> = uses.iter().map(|count| *count > 1).collect();
        // Values that serve several points of the tile are kept too.
        let all = differs.clone();
        for (number, operation) in operations.iter().enumerate() {
            let whole = all.get(number).copied().unwrap_or_default();
            for operand in operands(operation) {
                let part = all.get(operand).copied().unwrap_or_default();
                let again = (whole.0 && !part.0 && tile.size.0 > 1)
                    || (whole.1 && !part.1 && tile.size.1 > 1);
                if again && let Some(slot) = shared.get_mut(operand) {
                    *slot = true;
                }
            }
        }
        Expression {
            body,
            sums,
            along,
            differs,
            shared,
            known: Vec::new(),
        }
    }

    /// Key of an assignment's value, equal for all points of the tile where the value is the same.
    pub(crate) fn key(&self, number: usize, point: (usize, usize)) -> (usize, usize, usize) {
        let (row, vector) = self.differs.get(number).copied().unwrap_or((true, true));
        let along = |differs: bool, index: usize| if differs { index } else { 0 };
        (number, along(row, point.0), along(vector, point.1))
    }

    /// True if the assignment is no constant, and a user of it does not satisfy `is`. A value that satisfies `is` is then the last
    /// loop-invariant one, which is worth hoisting.
    pub(crate) fn is_edge(&self, number: usize, is: &impl Fn((bool, bool)) -> bool) -> bool {
        let needs = |operation: &Operation| operands(operation).contains(&number);
        let constant = matches!(
            self.body.operations.get(number),
            Some(Operation::Constant(_))
        );
        let mut others = self.body.operations.iter().zip(&self.differs);
        !constant && others.any(|(operation, differs)| needs(operation) && !is(*differs))
    }
}

impl<'e> Expression<'e> {
    /// Expression of a loop's body, on entries of buffers and on the sums in these locals.
    pub(crate) fn of(each: &'e Loop, roles: &Roles, sums: &'e [Vec<u32>]) -> Expression<'e> {
        let tile = Tile {
            row: roles.row,
            across: roles.vector,
            start: (0, 0),
            size: (2, 2),
            unit: 1,
        };
        let roots: Vec<usize> = each.writes.iter().map(|(_, root)| *root).collect();
        Expression::new(&each.body, sums, roles.vector, &tile, &roots)
    }
}

impl Kernel<'_> {
    /// Forgets all but the first `all_but` known values, and frees their locals.
    pub(crate) fn forget(&mut self, expression: &mut Expression<'_>, all_but: usize) {
        let gone = expression.known.drain(all_but..);
        self.code.give_all(gone.map(|(_, local)| local));
    }

    /// Pushes the value of an assignment at a point.
    pub(crate) fn value(
        &mut self,
        expression: &mut Expression<'_>,
        number: usize,
        point: (usize, usize),
        lanes: usize,
    ) {
        let key = expression.key(number, point);
        let known = expression.known.iter().find(|(known, _)| *known == key);
        if let Some((_, local)) = known {
            let local = *local;
            return self.code.get(local);
        }
        match expression.body.operations.get(number).copied() {
            Some(Operation::Read(position)) => self.read(expression, position, point, lanes),
            Some(Operation::Index(axis)) => self.index(axis, expression.along),
            Some(Operation::Constant(constant)) => return self.lanes().splat(constant),
            Some(Operation::Map(function, x)) => {
                self.value(expression, x, point, lanes);
                self.lanes().map(function, lanes);
            }
            Some(Operation::Binary(Binary::Pow, a, b))
                if let Some(logarithm) = self.logarithm(expression, a) =>
            {
                self.value(expression, b, point, lanes);
                self.lanes().raised(logarithm, lanes);
            }
            Some(Operation::Binary(operation, a, b)) => {
                self.value(expression, a, point, lanes);
                self.value(expression, b, point, lanes);
                self.lanes().binary(operation, lanes);
            }
            Some(Operation::Choose(is, [a, b, then, otherwise])) => {
                for operand in [then, otherwise, a, b] {
                    self.value(expression, operand, point, lanes);
                }
                self.lanes().compare(is);
                self.code.put(Instruction::V128Bitselect);
            }
            None => self.lanes().splat(f64::NAN),
        }
        if expression.shared.get(number) == Some(&true) {
            let local = self.code.take(Kind::Vector);
            self.code.put(Instruction::LocalTee(local));
            expression.known.push((key, local));
        }
    }

    /// Logarithm of an assignment that is a constant, which is first rounded to the precision of the module.
    fn logarithm(&self, expression: &Expression<'_>, number: usize) -> Option<[f64; 2]> {
        let Some(Operation::Constant(base)) = expression.body.operations.get(number) else {
            return None;
        };
        logarithm(match self.width() {
            Precision::Single => single(*base).into(),
            Precision::Double => *base,
        })
    }

    /// Pushes an input.
    pub(crate) fn read(
        &mut self,
        expression: &Expression<'_>,
        position: usize,
        point: (usize, usize),
        lanes: usize,
    ) {
        match expression.body.sources.get(position) {
            Some(Source::Sum) => {
                let local = expression.sums.get(point.0);
                let local = local.and_then(|row| row.get(point.1));
                self.code.get(local.copied().unwrap_or(SAMPLE));
            }
            Some(Source::Entry(access)) => self.load(access, expression.along, lanes),
            None => self.lanes().splat(f64::NAN),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use crate::cases::{check, planned};
    use crate::module::{Function, generate};
    use fletch_engine::Precision;

    #[test]
    fn what_is_used_twice_is_computed_once() {
        check(
            &planned("x : Real(2), y : Real(2) ⊢ let z ⇐ ⌊x + y⌋ in ⌊hadamard[2](z, z)⌋"),
            "
            (v128.store offset=128 (i32.const 0) (local.tee 2 (f64x2.mul (local.tee 1 (f64x2.add (v128.load (local.get 0)) (v128.load offset=16 (local.get 0)))) (local.get 1))))",
        );
    }

    #[test]
    fn a_choice_has_the_first_value_where_its_condition_holds() {
        check(
            &planned("x : Real(2) ⊢ ⌊relu[2](x)⌋"),
            "
            (v128.store offset=64 (i32.const 0) (local.tee 2 (v128.bitselect zeros (local.tee 1 (v128.load (local.get 0))) (f64x2.le (local.get 1) zeros))))",
        );
    }

    #[test]
    fn a_power_of_a_positive_constant_needs_no_host() {
        let imports = |judgement: &str| {
            generate(&planned(judgement), Precision::Double)
                .unwrap()
                .imports
        };
        assert_eq!(imports("x : Real(1) ⊢ ⌊pow[1](2, x)⌋"), []);
        assert_eq!(imports("x : Real(1) ⊢ ⌊pow[1](x, 2.5)⌋"), [Function::Pow]);
        assert_eq!(imports("x : Real(1) ⊢ ⌊pow[1](-2, x)⌋"), [Function::Pow]);
    }
}
