//! Builder of kernels: registers of assignments, and the ways that they are read and written along.

use super::forms::Forms;
use super::kernel::{Kernel, span};
use super::operations::{Assignment, At, BLOCK, Form, Operand, What};
use super::pool::Pool;
use super::sums::Further;
use super::ways::{Along, Way, terms};
use crate::loops::{self, Access, Source};
use fletch_smooth::{Operation, Step};
use std::ops::Range;

/// A kernel on the way.
pub(super) struct Builder<'p> {
    pub(super) pool: &'p mut Pool,
    pub(super) kernel: Kernel,
    /// Size of the registers allocated so far, in numbers.
    pub(super) registers: usize,
    /// Ways through all of a buffer in one block: padding follows it, as it follows a register.
    pub(super) whole: Vec<usize>,
}

/// Single assignments, and where their values are.
#[derive(Default)]
pub(super) struct Compiled {
    pub(super) code: Vec<Assignment>,
    pub(super) values: Vec<Operand>,
    /// Operands of derivatives that are computed ahead, with their function.
    pub(super) slopes: Vec<(usize, Operand)>,
}

impl Compiled {
    pub(super) fn value(&self, register: usize) -> Operand {
        let value = self.values.get(register).copied();
        value.unwrap_or(in_register(0))
    }

    pub(super) fn slope(&self, register: usize) -> Operand {
        let mut slopes = self.slopes.iter();
        let known = slopes.find(|(known, _)| *known == register);
        known.map_or(in_register(0), |(_, value)| *value)
    }
}

/// Single assignments on the way.
pub(super) struct Assignments<'a> {
    pub(super) body: &'a [Operation],
    pub(super) forms: &'a Forms,
    pub(super) read: &'a dyn Fn(usize) -> Option<Source>,
    /// Assignments that are requested; only these and their operands are computed.
    pub(super) asked: &'a [usize],
    /// Assignments written along a way directly, without a register, and read back there.
    pub(super) homes: &'a [(usize, usize)],
    pub(super) sum: Option<Operand>,
}

/// Layout of a block's points, for the compilation of assignments.
pub(super) struct Inside<'i> {
    pub(super) around: &'i [usize],
    pub(super) axes: &'i [usize],
    pub(super) extents: &'i [usize],
    /// Reduction loops, if there are any.
    pub(super) sum: Range<usize>,
    pub(super) sum_extents: &'i [usize],
}

impl Builder<'_> {
    pub(super) fn register(&mut self, points: usize) -> usize {
        let register = self.registers;
        self.registers += span(points);
        register
    }

    pub(super) fn way(
        &mut self,
        access: &Access,
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> usize {
        let way = Way::new(access, inside.around, inside.axes, inside.extents);
        if inside.sum.is_empty() {
            return self.known(way);
        }
        // A sum moves its ways separately from all others.
        let steps = terms(access, inside.sum.start, inside.sum_extents);
        let same = further.ways.iter().position(|(known, moves)| {
            self.kernel.ways.get(*known) == Some(&way) && *moves == steps
        });
        if let Some((way, _)) = same.and_then(|position| further.ways.get(position)) {
            return *way;
        }
        self.kernel.ways.push(way);
        let way = self.kernel.ways.len() - 1;
        further.ways.push((way, steps));
        way
    }

    pub(super) fn known(&mut self, way: Way) -> usize {
        let mut ways = self.kernel.ways.iter();
        ways.position(|known| *known == way).unwrap_or_else(|| {
            self.kernel.ways.push(way);
            self.kernel.ways.len() - 1
        })
    }

    /// Operand for the numbers along a way, gathered into a register unless they are contiguous or constant.
    pub(super) fn read(
        &mut self,
        way: usize,
        points: usize,
        code: &mut Vec<Assignment>,
    ) -> Operand {
        let at = At::Way(way);
        let form = match self.kernel.ways.get(way).map(|way| &way.along) {
            Some(Along::Same) => return Operand { at, same: true },
            Some(Along::Row) | None => return Operand { at, same: false },
            Some(Along::Strided(2)) => Form::EveryOther,
            Some(Along::Repeated(2)) => Form::EachTwice,
            Some(Along::Again(2)) => Form::TwoAgain,
            Some(_) => Form::Gather,
        };
        let to = in_register(self.register(points));
        code.push(Assignment {
            exactly: false,
            to: to.at,
            form,
            from: vec![at],
        });
        to
    }

    /// Appends an assignment, in a form that the machine has.
    pub(super) fn assign(
        &mut self,
        to: At,
        what: What<Operand>,
        points: usize,
        code: &mut Vec<Assignment>,
    ) {
        // A single point counts as a row.
        let what = match points {
            1 => what.map(|operand| different(operand.at)),
            _ => what,
        };
        let (form, from) = match (what.form(), what) {
            (Some(found), _) => found,
            (None, What::Two([first, second], [a, b, c])) => {
                let between = in_register(self.register(points));
                self.assign(between.at, What::Binary(first, [a, b]), points, code);
                return self.assign(to, What::Binary(second, [between, c]), points, code);
            }
            (None, what) => {
                let rows = what.map(|operand| match operand {
                    Operand { at, same: true } => self.spread(at, points, code),
                    other => other,
                });
                let Some(found) = rows.form() else { return };
                found
            }
        };
        code.push(Assignment {
            to,
            exactly: self.exactly(to),
            form,
            from,
        });
    }

    /// Assigns x σ(x) and its derivative in x.
    pub(super) fn swish(
        &mut self,
        [to, derivative]: [At; 2],
        what: &What<Operand>,
        points: usize,
        code: &mut Vec<Assignment>,
    ) {
        let one = |operand: &Operand| operand.same && points > 1;
        let operands = what.operands();
        let (form, mut from) = match operands.as_slice() {
            [a, b] if one(a) && one(b) => {
                let a = self.spread(a.at, points, code);
                (Form::SwishOfSumSame, vec![a.at, b.at])
            }
            [a, b] if one(a) => (Form::SwishOfSumSame, vec![b.at, a.at]),
            [a, b] if one(b) => (Form::SwishOfSumSame, vec![a.at, b.at]),
            [a, b] => (Form::SwishOfSum, vec![a.at, b.at]),
            [x] if one(x) => (Form::Swish, vec![self.spread(x.at, points, code).at]),
            operands => (Form::Swish, operands.iter().map(|x| x.at).collect()),
        };
        from.push(derivative);
        code.push(Assignment {
            to,
            exactly: self.exactly(to) || self.exactly(derivative),
            form,
            from,
        });
    }

    /// True if a write there may not spill past the last point.
    pub(super) fn exactly(&self, to: At) -> bool {
        match to {
            At::Way(way) => !self.whole.contains(&way),
            At::Place(_) | At::Register(_) => false,
        }
    }

    /// Destination of an assignment's value: its way, or a new register.
    pub(super) fn destination(
        &mut self,
        register: usize,
        given: &Assignments<'_>,
        points: usize,
    ) -> At {
        let mut homes = given.homes.iter();
        match homes.find(|(known, _)| *known == register) {
            Some((_, way)) => At::Way(*way),
            None => At::Register(self.register(points)),
        }
    }

    /// Writes a value along a way.
    pub(super) fn write(
        &mut self,
        way: usize,
        value: Operand,
        points: usize,
        code: &mut Vec<Assignment>,
    ) {
        let to = At::Way(way);
        let along = self.kernel.ways.get(way).map(|way| &way.along);
        if along == Some(&Along::Row) || points == 1 {
            return self.assign(to, What::Copy(value), points, code);
        }
        let value = match value {
            Operand { at, same: true } => self.spread(at, points, code),
            other => other,
        };
        code.push(Assignment {
            to,
            exactly: true,
            form: Form::Scatter,
            from: vec![value.at],
        });
    }

    /// A row of the same number everywhere.
    pub(super) fn spread(&mut self, at: At, points: usize, code: &mut Vec<Assignment>) -> Operand {
        let constant = match at {
            At::Place(place) => {
                let constants = &self.pool.constants;
                constants.get(place.wrapping_sub(self.pool.first)).copied()
            }
            At::Way(_) | At::Register(_) => None,
        };
        if let Some(constant) = constant {
            let at = At::Place(self.pool.row(vec![constant; points]));
            return Operand { at, same: false };
        }
        let to = in_register(self.register(points));
        code.push(Assignment {
            exactly: false,
            to: to.at,
            form: Form::Same,
            from: vec![at],
        });
        to
    }

    pub(super) fn compile(
        &mut self,
        given: &Assignments<'_>,
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> Compiled {
        let points: usize = inside.extents.iter().product();
        let points = points.min(BLOCK);
        let mut made = Compiled::default();
        let needed = given.forms.needed(given.asked);
        for ((register, operation), is_needed) in given.body.iter().enumerate().zip(needed) {
            if !is_needed {
                made.values.push(in_register(0));
                continue;
            }
            let value = match *operation {
                Operation::Read(position) => match ((given.read)(position), given.sum) {
                    (Some(Source::Entry(access)), _) => {
                        let way = self.way(&access, inside, further);
                        self.read(way, points, &mut made.code)
                    }
                    (Some(Source::Sum), Some(sum)) => sum,
                    (Some(Source::Sum) | None, _) => self.constant(f64::NAN),
                },
                Operation::Constant(constant) => self.constant(constant),
                Operation::Index(level) => {
                    let way = self.index(level, inside, further);
                    self.read(way, points, &mut made.code)
                }
                Operation::Map(..) | Operation::Binary(..) | Operation::Choose(..) => {
                    let form = given.forms.form(register);
                    let what = form.map(|form| form.map(|other| made.value(other)));
                    match (what, given.forms.slope_of(register)) {
                        (Some(What::Slope(_)), _) => made.slope(register),
                        (Some(what @ (What::Swish(_) | What::SwishOfSum(_))), Some(slope)) => {
                            let to = self.destination(register, given, points);
                            let derivative = self.destination(slope, given, points);
                            self.swish([to, derivative], &what, points, &mut made.code);
                            made.slopes.push((slope, different(derivative)));
                            different(to)
                        }
                        (Some(what), _) => {
                            let to = self.destination(register, given, points);
                            self.assign(to, what, points, &mut made.code);
                            different(to)
                        }
                        (None, _) => in_register(0),
                    }
                }
            };
            made.values.push(value);
        }
        made
    }

    pub(super) fn constant(&mut self, number: f64) -> Operand {
        Operand {
            at: At::Place(self.pool.constant(number)),
            same: true,
        }
    }

    /// An index, as if its numbers were read.
    pub(super) fn index(
        &mut self,
        level: usize,
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> usize {
        let still = Step {
            stride: 0,
            scale: (1, 1),
        };
        if let Some(position) = inside.axes.iter().position(|axis| *axis == level) {
            let mut numbers = Vec::new();
            loops::each(inside.extents, |indices| {
                numbers.push(indices.get(position).copied().unwrap_or(0) as f64);
            });
            let access = Access {
                buffer: 0,
                offset: self.pool.row(numbers),
                steps: Vec::new(),
            };
            let mut way = Way::new(&access, inside.around, &[], &[]);
            way.along = Along::Row;
            return self.known(way);
        }
        let extent = match inside.around.iter().position(|axis| *axis == level) {
            Some(position) => self.kernel.around.get(position),
            None => inside.sum_extents.get(level.wrapping_sub(inside.sum.start)),
        };
        let numbers = (0..extent.copied().unwrap_or(1)).map(|number| number as f64);
        let access = Access {
            buffer: 0,
            offset: self.pool.row(numbers.collect()),
            steps: (0..=level)
                .map(|other| Step {
                    stride: usize::from(other == level),
                    ..still
                })
                .collect(),
        };
        self.way(&access, inside, further)
    }
}

/// Operand with a number of its own at each point.
pub(super) fn different(at: At) -> Operand {
    Operand { at, same: false }
}

pub(super) fn in_register(register: usize) -> Operand {
    different(At::Register(register))
}
