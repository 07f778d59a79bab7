//! Kernels from loops: where their registers are, and what suits their sums.

use super::axes::Axes;
use super::dots::Dots;
use super::forms::Forms;
use super::instructions::Instructions;
use super::kernel::{Kernel, span};
use super::operations::{Assignment, At, BLOCK, Form, Operand, What};
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
    /// Those that lie in rows, and where.
    pub(super) rows: Vec<(Vec<f64>, usize)>,
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

    /// Where these numbers lie side by side.
    fn row(&mut self, numbers: Vec<f64>) -> usize {
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        let begins =
            |row: &Vec<f64>| row.len() >= numbers.len() && row.iter().zip(&numbers).all(same);
        if let Some((_, place)) = self.rows.iter().find(|(row, _)| begins(row)) {
            return *place;
        }
        let place = self.first + self.constants.len();
        self.constants.extend_from_slice(&numbers);
        self.rows.push((numbers, place));
        place
    }
}

/// A kernel on the way.
struct Builder<'p> {
    pool: &'p mut Pool,
    kernel: Kernel,
    /// So much room is taken.
    registers: usize,
    /// Ways through all of a buffer in one block: behind it there is room, as behind a register.
    whole: Vec<usize>,
}

/// Single assignments, and where their values are.
#[derive(Default)]
struct Compiled {
    code: Vec<Assignment>,
    values: Vec<Operand>,
    /// Those of what is computed before its turn.
    slopes: Vec<(usize, Operand)>,
}

impl Compiled {
    fn value(&self, register: usize) -> Operand {
        let value = self.values.get(register).copied();
        value.unwrap_or(in_register(0))
    }

    fn slope(&self, register: usize) -> Operand {
        let mut slopes = self.slopes.iter();
        let known = slopes.find(|(known, _)| *known == register);
        known.map_or(in_register(0), |(_, value)| *value)
    }
}

/// Single assignments on the way.
struct Assignments<'a> {
    body: &'a [Operation],
    forms: &'a Forms,
    read: &'a dyn Fn(usize) -> Option<Source>,
    /// What is asked for; only that is computed, and what it needs.
    asked: &'a [usize],
    /// Which assignments go along a way at once, and are read there.
    homes: &'a [(usize, usize)],
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

    /// Assigns what is computed, in the forms that there are.
    fn assign(&mut self, to: At, what: What<Operand>, points: usize, code: &mut Vec<Assignment>) {
        // One point is a row too.
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
    fn swish(
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

    /// Whether nothing may be written behind what goes there.
    fn exactly(&self, to: At) -> bool {
        match to {
            At::Way(way) => !self.whole.contains(&way),
            At::Place(_) | At::Register(_) => false,
        }
    }

    /// Where the value of an assignment goes.
    fn destination(&mut self, register: usize, given: &Assignments<'_>, points: usize) -> At {
        let mut homes = given.homes.iter();
        match homes.find(|(known, _)| *known == register) {
            Some((_, way)) => At::Way(*way),
            None => At::Register(self.register(points)),
        }
    }

    /// Writes a value along a way.
    fn write(&mut self, way: usize, value: Operand, points: usize, code: &mut Vec<Assignment>) {
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
    fn spread(&mut self, at: At, points: usize, code: &mut Vec<Assignment>) -> Operand {
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

    fn compile(
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

    fn constant(&mut self, number: f64) -> Operand {
        Operand {
            at: At::Place(self.pool.constant(number)),
            same: true,
        }
    }

    /// An index, as if its numbers were read.
    fn index(&mut self, level: usize, inside: &Inside<'_>, further: &mut Further) -> usize {
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

/// A loop whose accesses are to memory itself, and the sizes of buffers.
pub(super) fn kernel(each: &Loop, size: &dyn Fn(usize) -> usize, pool: &mut Pool) -> Kernel {
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
        whole: Vec::new(),
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
    if builder.kernel.around.is_empty() && points <= builder.kernel.length {
        let writes = each.writes.iter().zip(&ways);
        let whole = writes.filter(|((access, _), _)| size(access.buffer) == points);
        builder.whole = whole.map(|(_, way)| *way).collect();
    }
    let written: Vec<usize> = each.writes.iter().map(|(_, register)| *register).collect();
    let forms = Forms::of(&each.body, &written);
    let row = |way: usize| {
        let along = builder.kernel.ways.get(way).map(|way| &way.along);
        along == Some(&Along::Row) || points == 1
    };
    // What is used nowhere else is computed where it goes; so is what goes where nothing else is.
    let mut late = Vec::new();
    let mut homes = Vec::new();
    for ((access, register), way) in each.writes.iter().zip(&ways) {
        let form = forms.form(*register).filter(|_| row(*way));
        let safe = |operand: &usize| each.reads_before(*operand, access);
        let at_home = form.is_some()
            && each.touches_once(access.buffer)
            && homes.iter().all(|(known, _)| known != register);
        if at_home {
            homes.push((*register, *way));
        }
        late.push(form.filter(|form| {
            let plain = !matches!(form, What::Swish(_) | What::SwishOfSum(_) | What::Slope(_));
            plain && !at_home && forms.once(*register).is_some() && form.operands().iter().all(safe)
        }));
    }
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
        homes: &homes,
        sum,
    };
    let mut made = builder.compile(&body, &inside, none);
    let mut last = Vec::new();
    let room = points.min(BLOCK);
    for (((access, register), late), way) in each.writes.iter().zip(&late).zip(&ways) {
        if homes.contains(&(*register, *way)) {
            continue;
        }
        let to = At::Way(*way);
        match late {
            Some(form) => {
                let what = form.map(|other| made.value(other));
                builder.assign(to, what, room, &mut last);
            }
            None => {
                let mut value = made.value(*register);
                if matches!(value.at, At::Way(_)) && !each.reads_before(*register, access) {
                    let to = in_register(builder.register(room));
                    builder.assign(to.at, What::Copy(value), room, &mut made.code);
                    value = to;
                }
                builder.write(*way, value, room, &mut last);
            }
        }
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
    let Builder {
        pool,
        kernel,
        registers,
        ..
    } = builder;
    // Those of a second row begin one further.
    pool.registers = pool.registers.max(registers + span(kernel.length));
    kernel
}

impl Loop {
    /// Whether it reads nothing of a buffer, and writes it once.
    fn touches_once(&self, buffer: usize) -> bool {
        let writes = self.writes.iter();
        let writes = writes.filter(|(write, _)| write.buffer == buffer);
        self.reads().all(|read| read.buffer != buffer) && writes.count() == 1
    }

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
                let room = extent.min(BLOCK);
                let to = self.register(room);
                self.assign(At::Register(to), What::Copy(value), room, &mut made.code);
                to
            }
        };
        Lanes {
            further,
            extent,
            code: Instructions::of(&made.code),
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
            homes: &[],
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
                    // It is known already.
                    Some(_) if sum.body == [Operation::Read(0)] => value,
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
                // After the last one nothing is compared.
                fold.last = Some(fold.later.clone());
                let most = |before| larger(before, [key, before]);
                fold.push(register, most(least), most(largest));
            }
        }
        if further.terms == 0 {
            fold.first = vec![(At::Register(to), What::Copy(start))];
            made.code.clear();
        }
        let points = self.kernel.length.min(self.kernel.points);
        let mut with = |fold: Vec<(At, What<Operand>)>| {
            let mut code = made.code.clone();
            for (to, what) in fold {
                self.assign(to, what, points, &mut code);
            }
            Instructions::of(&code)
        };
        Each {
            first: with(fold.first),
            last: with(fold.last.unwrap_or_else(|| fold.later.clone())),
            later: with(fold.later),
            further,
        }
    }
}

/// What is made of the first term, of each later one, and of the last one, if that is less.
#[derive(Default)]
struct Folds {
    first: Vec<(At, What<Operand>)>,
    later: Vec<(At, What<Operand>)>,
    last: Option<Vec<(At, What<Operand>)>>,
}

impl Folds {
    fn push(&mut self, to: usize, first: What<Operand>, later: What<Operand>) {
        let to = At::Register(to);
        self.first.push((to, first));
        self.later.push((to, later));
    }
}

/// The extent of the innermost loop, and those around it.
fn innermost(extents: &[usize]) -> (usize, &[usize]) {
    match extents.split_last() {
        Some((extent, around)) => (*extent, around),
        None => (1, &[]),
    }
}

/// What is there point by point.
fn different(at: At) -> Operand {
    Operand { at, same: false }
}

fn in_register(register: usize) -> Operand {
    different(At::Register(register))
}
