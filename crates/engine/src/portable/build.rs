//! Kernels from loops: where their registers are, and what suits their sums.

use super::axes::Axes;
use super::changes::changes;
use super::dots::Dots;
use super::kernel::{Kernel, span};
use super::operations::{Assignment, At, BLOCK, Operand, What};
use super::products::Products;
use super::shapes::{factors, neighbours};
use super::sums::{Each, Fold, Further, Lanes, Sums, Terms};
use super::ways::{Along, Way, terms};
use super::writes::{Write, Written};
use crate::fuse::operands;
use crate::loops::{self, Access, Loop, Source, Sum};
use fletch_smooth::{Binary, Operation, Step};
use std::ops::Range;

/// What kernels need besides the buffers of their plan.
pub(super) struct Pool {
    /// Where the constants lie.
    pub(super) first: usize,
    pub(super) constants: Vec<f64>,
    /// So many numbers lie in order, from 0 on, and where.
    pub(super) counts: Vec<(usize, usize)>,
    /// So much room do registers need.
    pub(super) registers: usize,
}

impl Pool {
    /// Where a constant is.
    fn constant(&mut self, number: f64) -> usize {
        let mut known = self.constants.iter();
        let known = known.position(|constant| constant.to_bits() == number.to_bits());
        self.first
            + known.unwrap_or_else(|| {
                self.constants.push(number);
                self.constants.len() - 1
            })
    }

    /// Where the numbers below one are, from 0 on.
    fn below(&mut self, end: usize) -> usize {
        let mut known = self.counts.iter();
        if let Some((_, place)) = known.find(|(count, _)| *count >= end) {
            return *place;
        }
        let place = self.first + self.constants.len();
        self.constants.extend((0..end).map(|number| number as f64));
        self.counts.push((end, place));
        place
    }
}

/// A kernel on the way.
struct Builder<'p> {
    pool: &'p mut Pool,
    kernel: Kernel,
    /// So much room is taken.
    registers: usize,
}

/// Single assignments, and where their values are.
struct Compiled {
    code: Vec<Assignment>,
    values: Vec<Operand>,
}

/// Single assignments on the way.
struct Assignments<'a> {
    body: &'a [Operation],
    read: &'a dyn Fn(usize) -> Option<Source>,
    /// What is asked for; only that is computed, and what it needs.
    asked: &'a [usize],
    sum: Option<Operand>,
}

/// What the points of a block are when assignments are compiled.
struct Inside<'i> {
    around: &'i [usize],
    axes: &'i [usize],
    extents: &'i [usize],
    /// The loops that only lead through a sum, if there is one.
    sum: Range<usize>,
    sum_extents: &'i [usize],
}

impl Builder<'_> {
    fn register(&mut self, points: usize) -> usize {
        let register = self.registers;
        self.registers += span(points);
        register
    }

    fn way(&mut self, access: &Access, inside: &Inside<'_>, further: &mut Further) -> usize {
        let way = Way::new(access, inside.around, inside.axes, inside.extents);
        if inside.sum.is_empty() {
            return self.known(way);
        }
        // In a sum they are moved apart from all others.
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

    fn known(&mut self, way: Way) -> usize {
        let mut ways = self.kernel.ways.iter();
        ways.position(|known| *known == way).unwrap_or_else(|| {
            self.kernel.ways.push(way);
            self.kernel.ways.len() - 1
        })
    }

    /// What is read along a way.
    fn read(&mut self, way: usize, points: usize, code: &mut Vec<Assignment>) -> Operand {
        match self.kernel.ways.get(way).map(|way| &way.along) {
            Some(Along::Apart(_)) => {
                let to = self.register(points);
                code.push(Assignment {
                    to,
                    what: What::Gather(way),
                });
                in_register(to)
            }
            along => Operand {
                at: At::Way(way),
                same: along == Some(&Along::Same),
            },
        }
    }

    fn compile(
        &mut self,
        given: &Assignments<'_>,
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> Compiled {
        let points: usize = inside.extents.iter().product();
        let points = points.min(BLOCK);
        let mut code = Vec::new();
        let mut values: Vec<Operand> = Vec::new();
        for (operation, is_needed) in given.body.iter().zip(needed(given.body, given.asked)) {
            if !is_needed {
                values.push(in_register(0));
                continue;
            }
            let value = |register: usize| values.get(register).copied().unwrap_or(in_register(0));
            let what = match *operation {
                Operation::Read(position) => {
                    let value = match ((given.read)(position), given.sum) {
                        (Some(Source::Entry(access)), _) => {
                            let way = self.way(&access, inside, further);
                            self.read(way, points, &mut code)
                        }
                        (Some(Source::Sum), Some(sum)) => sum,
                        (Some(Source::Sum) | None, _) => self.constant(f64::NAN),
                    };
                    values.push(value);
                    continue;
                }
                Operation::Constant(constant) => {
                    values.push(self.constant(constant));
                    continue;
                }
                Operation::Index(level) => {
                    // As if the numbers were read.
                    let extent = self.extent(level, inside);
                    let access = Access {
                        buffer: 0,
                        offset: self.pool.below(extent),
                        steps: (0..=level)
                            .map(|other| Step {
                                stride: usize::from(other == level),
                                scale: (1, 1),
                            })
                            .collect(),
                    };
                    let way = self.way(&access, inside, further);
                    values.push(self.read(way, points, &mut code));
                    continue;
                }
                Operation::Map(function, x) => What::Map(function, value(x)),
                Operation::Binary(operation, a, b) => What::Binary(operation, value(a), value(b)),
                Operation::Choose(is, four) => What::Choose(is, four.map(value)),
            };
            let to = self.register(points);
            code.push(Assignment { to, what });
            values.push(in_register(to));
        }
        Compiled { code, values }
    }

    fn constant(&mut self, number: f64) -> Operand {
        Operand {
            at: At::Place(self.pool.constant(number)),
            same: true,
        }
    }

    fn extent(&self, level: usize, inside: &Inside<'_>) -> usize {
        if let Some(position) = inside.axes.iter().position(|axis| *axis == level) {
            return inside.extents.get(position).copied().unwrap_or(1);
        }
        if let Some(position) = inside.around.iter().position(|axis| *axis == level) {
            return self.kernel.around.get(position).copied().unwrap_or(1);
        }
        let inner = level.checked_sub(inside.sum.start);
        inner
            .and_then(|inner| inside.sum_extents.get(inner))
            .copied()
            .unwrap_or(1)
    }
}

/// A loop whose accesses are to memory itself.
pub(super) fn kernel(each: &Loop, pool: &mut Pool) -> Kernel {
    let axes = Axes::of(each);
    let extent = |axis: &usize| each.space.get(*axis).copied().unwrap_or(1);
    let points = axes.extents.iter().product();
    let parts = usize::div_ceil(points, BLOCK).max(1);
    let mut builder = Builder {
        pool,
        kernel: Kernel {
            around: axes.around.iter().map(extent).collect(),
            points,
            length: points.div_ceil(parts).next_multiple_of(8).min(BLOCK),
            ..Kernel::default()
        },
        registers: 0,
    };
    let sums = each
        .sum
        .as_ref()
        .map(|sum| builder.sums(sum, &axes, each.space.len()));
    let sum = sums.as_ref().map(|sums| in_register(sums.to));
    let inside = Inside {
        around: &axes.around,
        axes: &axes.inside,
        extents: &axes.extents,
        sum: 0..0,
        sum_extents: &[],
    };
    let none = &mut Further::default();
    let writes = each.writes.iter();
    let ways: Vec<usize> = writes
        .map(|(access, _)| builder.way(access, &inside, none))
        .collect();
    let mut changes = changes(each);
    for (change, way) in changes.iter_mut().zip(&ways) {
        let way = builder.kernel.ways.get(*way);
        if way.is_some_and(|way| matches!(way.along, Along::Apart(_))) {
            *change = None;
        }
    }
    let written = each.writes.iter().zip(&changes);
    let asked = written.flat_map(|((_, register), change)| match change {
        Some(change) => change.factors,
        None => [Some(*register), None],
    });
    let asked: Vec<usize> = asked.flatten().collect();
    let body = Assignments {
        body: &each.body,
        read: &|position| each.sources.get(position).cloned(),
        asked: &asked,
        sum,
    };
    let Compiled { mut code, values } = builder.compile(&body, &inside, none);
    let value = |register: &usize| values.get(*register).copied().unwrap_or(in_register(0));
    for (((_, register), change), way) in each.writes.iter().zip(&changes).zip(ways) {
        let what = match change {
            Some(change) => {
                let one = builder.constant(1.0);
                let factors = change
                    .factors
                    .map(|factor| factor.as_ref().map_or(one, value));
                match change.operation {
                    Binary::Add => Written::Plus(factors),
                    _ => Written::Minus(factors),
                }
            }
            None => {
                let mut value = value(register);
                // What is written first may be what is read.
                if let (At::Way(from), true) = (value.at, each.writes.len() > 1) {
                    let to = builder.register(points.min(BLOCK));
                    code.push(Assignment {
                        to,
                        what: What::Gather(from),
                    });
                    value = in_register(to);
                }
                Written::Value(value)
            }
        };
        builder.kernel.writes.push(Write { way, what });
    }
    builder.kernel.sums = sums;
    builder.kernel.code = code;
    let Builder {
        pool,
        kernel,
        registers,
    } = builder;
    // Those of a second row begin one further.
    pool.registers = pool.registers.max(registers + span(kernel.length));
    kernel
}

impl Builder<'_> {
    /// The sums of a loop whose space has so many axes.
    fn sums(&mut self, sum: &Sum, axes: &Axes, space: usize) -> Sums {
        let what = match sum.fold {
            loops::Fold::Lanes(start) => match factors(sum, axes.vectors()) {
                Some(factors) => Terms::Dots(self.dots(sum, start, factors, axes, space)),
                None => Terms::Lanes(self.lanes(sum, start, axes, space)),
            },
            loops::Fold::InTurn(start) => match self.products(sum, start, axes, space) {
                Some(products) => Terms::Products(products),
                None => Terms::Each(self.each(sum, axes, space)),
            },
            _ => Terms::Each(self.each(sum, axes, space)),
        };
        let points = self.kernel.length;
        let to = self.register(points);
        // Of a second row.
        self.register(points);
        Sums { what, to }
    }

    fn plain(&mut self, access: &Access, axes: &Axes) -> usize {
        let way = Way::new(access, &axes.around, &axes.inside, &axes.extents);
        self.known(way)
    }

    fn dots(
        &mut self,
        sum: &Sum,
        start: f64,
        factors: [&Access; 2],
        axes: &Axes,
        space: usize,
    ) -> Dots {
        let (extent, around) = innermost(&sum.extents);
        let [a, b] = factors.map(|factor| terms(factor, space, around));
        let ways = factors.map(|factor| self.plain(factor, axes));
        let way = |way: usize| self.kernel.ways.get(way);
        let [first, second] = ways.map(way);
        let stays = |way: Option<&Way>| way.is_some_and(|way| way.along == Along::Same);
        let moved = |way: Option<&Way>| way.and_then(Way::innermost);
        let shared = stays(second);
        Dots {
            ways,
            around: a.into_iter().zip(b).collect(),
            extent,
            start,
            shared,
            twice: shared
                && !axes.around.is_empty()
                && moved(first) == Some(0)
                && moved(second).is_some(),
        }
    }

    fn lanes(&mut self, sum: &Sum, start: f64, axes: &Axes, space: usize) -> Lanes {
        let (extent, around) = innermost(&sum.extents);
        let mut further = Further {
            terms: around.iter().product(),
            ways: Vec::new(),
        };
        let inside = Inside {
            around: &axes.around,
            axes: &[space + around.len()],
            extents: &[extent],
            sum: space..space + around.len(),
            sum_extents: around,
        };
        let (mut code, values) = self.terms(sum, &inside, &mut further);
        let value = values.first().copied().unwrap_or(in_register(0));
        let value = match value {
            Operand {
                at: At::Register(register),
                same: false,
            } => register,
            Operand { at, .. } => {
                let to = self.register(extent.min(BLOCK));
                let what = match at {
                    At::Way(way) => What::Gather(way),
                    _ => What::Binary(Binary::Add, value, self.constant(-0.0)),
                };
                code.push(Assignment { to, what });
                to
            }
        };
        Lanes {
            further,
            extent,
            code,
            value,
            start,
        }
    }

    fn terms(
        &mut self,
        sum: &Sum,
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> (Vec<Assignment>, Vec<Operand>) {
        let addends = sum.addends();
        let given = Assignments {
            body: &sum.body,
            read: &|position| sum.reads.get(position).cloned().map(Source::Entry),
            asked: &addends,
            sum: None,
        };
        let Compiled { code, values } = self.compile(&given, inside, further);
        let value = |register: &usize| values.get(*register).copied().unwrap_or(in_register(0));
        (code, addends.iter().map(value).collect())
    }

    /// Sums of products of neighbours and a number.
    fn products(&mut self, sum: &Sum, start: f64, axes: &Axes, space: usize) -> Option<Products> {
        let [axis] = axes.inside.as_slice() else {
            return None;
        };
        let products = neighbours(sum, *axis)?;
        let way = |access: &Access| Way::new(access, &axes.around, &axes.inside, &axes.extents);
        let mut ways = [0; 2];
        let mut moves = Vec::new();
        for (factor, way_of) in ways.iter_mut().enumerate() {
            let accesses = products.iter().filter_map(|factors| factors.get(factor));
            let all: Vec<(Way, Vec<u32>)> = accesses
                .map(|access| (way(access), terms(access, space, &sum.extents)))
                .collect();
            let mut first = all.first()?.0.clone();
            for (way, _) in &all {
                if first.beside(way)? < 0 {
                    first = way.clone();
                }
            }
            for (way, steps) in &all {
                let apart = u32::try_from(first.beside(way)?).ok()?;
                moves.push(steps.iter().map(|step| step + apart).collect::<Vec<u32>>());
            }
            *way_of = self.known(first);
        }
        let (rows, numbers) = moves.split_at(products.len());
        let mut terms = Vec::new();
        for term in 0..rows.first()?.len() {
            for (row, number) in rows.iter().zip(numbers) {
                terms.push((*row.get(term)?, *number.get(term)?));
            }
        }
        let [row, number] = ways;
        let innermost = |way: usize| self.kernel.ways.get(way).and_then(Way::innermost);
        let twice = innermost(row) == Some(0) && innermost(number).is_some();
        Some(Products {
            row,
            number,
            terms,
            start,
            twice: twice && !axes.around.is_empty(),
        })
    }

    fn each(&mut self, sum: &Sum, axes: &Axes, space: usize) -> Each {
        let mut further = Further {
            terms: sum.extents.iter().product(),
            ways: Vec::new(),
        };
        let inside = Inside {
            around: &axes.around,
            axes: &axes.inside,
            extents: &axes.extents,
            sum: space..space + sum.extents.len(),
            sum_extents: &sum.extents,
        };
        let (mut code, values) = self.terms(sum, &inside, &mut further);
        let fold = match sum.fold {
            loops::Fold::InTurn(start) | loops::Fold::Lanes(start) => Fold::Sum(start),
            loops::Fold::Maximum => Fold::Maximum,
            loops::Fold::AtMaximum => {
                let key = match sum.reads.first() {
                    Some(access) => {
                        let way = self.way(access, &inside, &mut further);
                        let points = self.kernel.length;
                        self.read(way, points, &mut code)
                    }
                    None => self.constant(f64::NAN),
                };
                Fold::AtMaximum {
                    key,
                    largest: self.register(self.kernel.length),
                }
            }
        };
        Each {
            further,
            code,
            values,
            fold,
        }
    }
}

/// Which assignments are needed for those that are asked for.
fn needed(body: &[Operation], asked: &[usize]) -> Vec<bool> {
    let mut needed = vec![false; body.len()];
    for (register, operation) in body.iter().enumerate().rev() {
        if asked.contains(&register) || needed.get(register) == Some(&true) {
            for other in operands(operation).into_iter().chain([register]) {
                if let Some(slot) = needed.get_mut(other) {
                    *slot = true;
                }
            }
        }
    }
    needed
}

/// The extent of the innermost loop, and those around it.
fn innermost(extents: &[usize]) -> (usize, &[usize]) {
    match extents.split_last() {
        Some((extent, around)) => (*extent, around),
        None => (1, &[]),
    }
}

fn in_register(register: usize) -> Operand {
    Operand {
        at: At::Register(register),
        same: false,
    }
}
