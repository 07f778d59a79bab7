//! Kernels from loops.

use super::axes::Axes;
use super::builder::{Assignments, Builder, Inside, in_register};
use super::forms::Forms;
use super::kernel::{Kernel, span};
use super::operations::{At, BLOCK, What};
use super::pool::Pool;
use super::sums::{Further, Terms};
use super::updates::Update;
use super::ways::Along;
use crate::loops::{Access, Loop, Source};
use fletch_smooth::Operation;

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
    // A value used once is computed at its store; a store to a buffer touched once receives the value without a register.
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
    // Registers of the second row follow those of the first.
    pool.registers = pool.registers.max(registers + span(kernel.length));
    kernel
}

impl Loop {
    /// True if the loop reads nothing of a buffer, and writes it once.
    fn touches_once(&self, buffer: usize) -> bool {
        let writes = self.writes.iter();
        let writes = writes.filter(|(write, _)| write.buffer == buffer);
        self.reads().all(|read| read.buffer != buffer) && writes.count() == 1
    }

    /// True if an operand is still intact when all stores but this one are done: none of them overwrites its source.
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
