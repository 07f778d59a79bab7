//! Kernels from loops: where their registers are, and what suits their sums.

use super::axes::Axes;
use super::dots::Dots;
use super::forms::Forms;
use super::kernel::{Kernel, span};
use super::operations::{Assignment, At, BLOCK, Operand, What};
use super::products::Products;
use super::shapes::{factors, neighbours};
use super::sums::{Each, Further, Lanes, Sums, Terms};
use super::updates::Update;
use super::ways::{Along, Way, terms};
use crate::loops::{self, Access, Loop, Source, Sum};
use fletch_smooth::{Binary, Comparison, Operation, Step};
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

impl Compiled {
    fn value(&self, register: usize) -> Operand {
        let value = self.values.get(register).copied();
        value.unwrap_or(in_register(0))
    }
}

/// Single assignments on the way.
struct Assignments<'a> {
    body: &'a [Operation],
    forms: &'a Forms,
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
        let at = At::Way(way);
        let same = match self.kernel.ways.get(way).map(|way| &way.along) {
            Some(Along::Same) => true,
            Some(Along::Row) | None => false,
            Some(_) => {
                let to = in_register(self.register(points));
                let what = What::Copy(Operand { at, same: false });
                code.push(Assignment { to: to.at, what });
                return to;
            }
        };
        Operand { at, same }
    }

    fn compile(
        &mut self,
        given: &Assignments<'_>,
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> Compiled {
        let points: usize = inside.extents.iter().product();
        let points = points.min(BLOCK);
        let mut made = Compiled {
            code: Vec::new(),
            values: Vec::new(),
        };
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
                    self.read(way, points, &mut made.code)
                }
                Operation::Map(..) | Operation::Binary(..) | Operation::Choose(..) => {
                    let to = in_register(self.register(points));
                    let form = given.forms.form(register);
                    if let Some(what) = form.map(|form| form.map(|other| made.value(other))) {
                        made.code.push(Assignment { to: to.at, what });
                    }
                    to
                }
            };
            made.values.push(value);
        }
        made
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
    let written: Vec<usize> = each.writes.iter().map(|(_, register)| *register).collect();
    let forms = Forms::of(&each.body, &written);
    // What is used nowhere else is computed where it goes.
    let late: Vec<Option<&What<usize>>> = each
        .writes
        .iter()
        .zip(&ways)
        .map(|((access, register), way)| {
            let along = &builder.kernel.ways.get(*way)?.along;
            let form = forms.once(*register)?;
            let safe = |operand: &usize| each.reads_before(*operand, access);
            (*along == Along::Row && form.operands().iter().all(safe)).then_some(form)
        })
        .collect();
    let asked = written.iter().zip(&late).flat_map(|(register, late)| {
        let register = || vec![*register];
        late.map_or_else(register, What::operands)
    });
    let asked: Vec<usize> = asked.collect();
    let body = Assignments {
        body: &each.body,
        forms: &forms,
        read: &|position| each.sources.get(position).cloned(),
        asked: &asked,
        sum,
    };
    let mut made = builder.compile(&body, &inside, none);
    let mut last = Vec::new();
    for (((access, register), late), way) in each.writes.iter().zip(&late).zip(&ways) {
        let what = match late {
            Some(form) => form.map(|other| made.value(other)),
            None => {
                let mut value = made.value(*register);
                if matches!(value.at, At::Way(_)) && !each.reads_before(*register, access) {
                    let to = in_register(builder.register(points.min(BLOCK)));
                    made.code.push(Assignment {
                        to: to.at,
                        what: What::Copy(value),
                    });
                    value = to;
                }
                What::Copy(value)
            }
        };
        last.push(Assignment {
            to: At::Way(*way),
            what,
        });
    }
    builder.kernel.twice = match sums.as_ref().map(|sums| &sums.what) {
        Some(Terms::Products(products)) => builder.twice(products.row, products.number),
        Some(Terms::Dots(dots)) => dots.shared && builder.twice(dots.ways[0], dots.ways[1]),
        Some(Terms::Lanes(_) | Terms::Each(_)) | None => false,
    };
    builder.kernel.sums = sums;
    builder.kernel.code = [made.code, last].concat();
    if builder.kernel.sums.is_none() {
        builder.kernel.update = Update::of(&builder.kernel.code, &builder.kernel.ways);
    }
    builder.kernel.begin();
    let Builder {
        pool,
        kernel,
        registers,
    } = builder;
    // Those of a second row begin one further.
    pool.registers = pool.registers.max(registers + span(kernel.length));
    kernel
}

impl Loop {
    /// Whether an assignment still has its value when all is written but this: what is read of what is written would have changed.
    fn reads_before(&self, register: usize, written: &Access) -> bool {
        let Some(Operation::Read(position)) = self.body.get(register) else {
            return true;
        };
        let Some(Source::Entry(read)) = self.sources.get(*position) else {
            return true;
        };
        let mut writes = self.writes.iter();
        writes.all(|(write, _)| write.buffer != read.buffer || (write == written && write == read))
    }
}

impl Builder<'_> {
    /// The sums of a loop whose space has so many axes.
    fn sums(&mut self, sum: &Sum, axes: &Axes, space: usize) -> Sums {
        let points = self.kernel.length;
        let to = self.register(points);
        // Of a second row.
        self.register(points);
        let what = match sum.fold {
            loops::Fold::Lanes(start) => match factors(sum, axes.vectors()) {
                Some(factors) => Terms::Dots(self.dots(sum, start, factors, axes, space)),
                None => Terms::Lanes(self.lanes(sum, start, axes, space)),
            },
            loops::Fold::InTurn(start) => match self.products(sum, start, axes, space) {
                Some(products) => Terms::Products(products),
                None => Terms::Each(self.each(sum, to, axes, space)),
            },
            _ => Terms::Each(self.each(sum, to, axes, space)),
        };
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
        let [_, second] = ways;
        let second = self.kernel.ways.get(second);
        Dots {
            ways,
            around: a.into_iter().zip(b).collect(),
            extent,
            start,
            shared: second.is_some_and(|way| way.along == Along::Same),
        }
    }

    /// Whether the next row of results is of the same numbers, and of others as far away in each.
    fn twice(&self, same: usize, other: usize) -> bool {
        let further = |way: usize| self.kernel.ways.get(way).and_then(Way::innermost);
        let is_row = !self.kernel.around.is_empty();
        is_row && further(same) == Some(0) && further(other).is_some()
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
        let addends = sum.addends();
        let forms = Forms::of(&sum.body, &addends);
        let mut made = self.terms(sum, &forms, &addends, &inside, &mut further);
        let value = made.value(addends.last().copied().unwrap_or(0));
        let value = match value {
            Operand {
                at: At::Register(register),
                same: false,
            } => register,
            _ => {
                let to = self.register(extent.min(BLOCK));
                made.code.push(Assignment {
                    to: At::Register(to),
                    what: What::Copy(value),
                });
                to
            }
        };
        Lanes {
            further,
            extent,
            code: made.code,
            value,
            start,
        }
    }

    fn terms(
        &mut self,
        sum: &Sum,
        forms: &Forms,
        asked: &[usize],
        inside: &Inside<'_>,
        further: &mut Further,
    ) -> Compiled {
        let given = Assignments {
            body: &sum.body,
            forms,
            read: &|position| sum.reads.get(position).cloned().map(Source::Entry),
            asked,
            sum: None,
        };
        self.compile(&given, inside, further)
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
        Some(Products {
            row,
            number,
            terms,
            start,
        })
    }

    /// Anything, into a register.
    fn each(&mut self, sum: &Sum, to: usize, axes: &Axes, space: usize) -> Each {
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
        let addends = sum.addends();
        let forms = Forms::of(&sum.body, &addends);
        let added = matches!(sum.fold, loops::Fold::InTurn(_) | loops::Fold::Lanes(_));
        let factors = |register: usize| match forms.once(register) {
            Some(What::Binary(Binary::Mul, factors)) if added => Some(*factors),
            _ => None,
        };
        let asked = addends.iter().flat_map(|addend| {
            let alone = || vec![*addend];
            factors(*addend).map_or_else(alone, Vec::from)
        });
        let asked: Vec<usize> = asked.collect();
        let mut made = self.terms(sum, &forms, &asked, &inside, &mut further);
        let sums = in_register(to);
        let start = self.constant(match sum.fold {
            loops::Fold::InTurn(start) | loops::Fold::Lanes(start) => start,
            loops::Fold::Maximum => f64::NEG_INFINITY,
            loops::Fold::AtMaximum => 0.0,
        });
        // What becomes of what was summed before.
        let mut fold = Folds::default();
        match sum.fold {
            loops::Fold::InTurn(_) | loops::Fold::Lanes(_) => {
                let mut before = start;
                for addend in &addends {
                    let plus = |before| match factors(*addend) {
                        Some(both) => {
                            let both = both.map(|factor| made.value(factor));
                            What::Product(Binary::Add, before, both)
                        }
                        None => What::Binary(Binary::Add, [before, made.value(*addend)]),
                    };
                    fold.push(to, plus(before), plus(sums));
                    before = sums;
                }
            }
            loops::Fold::Maximum => {
                let value = made.value(addends.last().copied().unwrap_or(0));
                let larger = |before| What::Binary(Binary::Max, [before, value]);
                fold.push(to, larger(start), larger(sums));
            }
            loops::Fold::AtMaximum => {
                let value = made.value(addends.last().copied().unwrap_or(0));
                let key = match sum.reads.first() {
                    Some(access) => {
                        let way = self.way(access, &inside, &mut further);
                        let points = self.kernel.length;
                        self.read(way, points, &mut made.code)
                    }
                    None => self.constant(f64::NAN),
                };
                let least = self.constant(f64::NEG_INFINITY);
                let register = self.register(self.kernel.length);
                let largest = in_register(register);
                let larger = |most, [then, otherwise]: [Operand; 2]| {
                    What::Choose(Comparison::Less, [most, key, then, otherwise])
                };
                // The first one anyway.
                fold.push(to, What::Copy(value), larger(largest, [value, sums]));
                let most = |before| larger(before, [key, before]);
                fold.push(register, most(least), most(largest));
            }
        }
        if further.terms == 0 {
            fold.first = vec![Assignment {
                to: At::Register(to),
                what: What::Copy(start),
            }];
            made.code.clear();
        }
        Each {
            further,
            first: [made.code.clone(), fold.first].concat(),
            later: [made.code, fold.later].concat(),
        }
    }
}

/// What is made of the first term, and of each later one.
#[derive(Default)]
struct Folds {
    first: Vec<Assignment>,
    later: Vec<Assignment>,
}

impl Folds {
    fn push(&mut self, to: usize, first: What<Operand>, later: What<Operand>) {
        let to = At::Register(to);
        self.first.push(Assignment { to, what: first });
        self.later.push(Assignment { to, what: later });
    }
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
