//! Translation of a line to loops: each primitive becomes the loop nests of its kernel, with reduction loops separated from the loops over
//! results.

use crate::line::{Line, Op};
use crate::loops::{Access, Body, Buffer, Fold, Holds, Item, Loop, Plan, Source, chosen, for_each};
use fletch_smooth::{self as smooth, Kernel, Nest, Operation, Partiality, among};

/// Loops of a line. `planned` plans the bodies of loops over moments. A location is read in place, without a copy.
pub(crate) fn looped(
    line: &Line,
    mode: Partiality,
    planned: &dyn Fn(&Line, Partiality) -> Plan,
) -> Plan {
    let mut plan = Plan {
        origins: line.origins.clone(),
        ..Plan::default()
    };
    let mut buffers: Vec<usize> = Vec::new();
    for (input, size) in line.map.inputs().iter().enumerate() {
        buffers.push(plan.buffer(*size, Holds::Input(input)));
    }
    let mut puts: Vec<(usize, usize)> = Vec::new();
    for statement in line.map.statements() {
        let arguments = among(&buffers, &statement.arguments);
        match &statement.applied {
            Op::Constant(constant) => {
                let holds = Holds::Constant(constant.clone());
                buffers.push(plan.buffer(constant.0.len(), holds));
            }
            Op::Get(cell, size) => buffers.push(plan.cell(*cell, *size)),
            Op::Put(cell, size) => {
                let cell = plan.cell(*cell, *size);
                let from = arguments.first().copied().unwrap_or(cell);
                puts.push((cell, from));
            }
            Op::Repeat(repeat) => {
                let body = planned(&repeat.body, mode);
                buffers.extend(plan.repeat(repeat, body, &arguments, statement.part_of));
            }
            Op::Primitive(primitive) => {
                let part_of = statement.part_of;
                if primitive.is_partial_in(mode) {
                    plan.items.push(Item::Check {
                        primitive: primitive.clone(),
                        arguments: arguments.clone(),
                        outside: primitive.outside(mode),
                        part_of,
                    });
                }
                let output = plan.buffer(primitive.output(), Holds::Local);
                buffers.push(output);
                if statement.live {
                    plan.kernel(&primitive.kernel(), &arguments, output, part_of);
                }
            }
        }
    }
    // Old contents of a written location that an output or another location needs are copied to another buffer first.
    let written: Vec<usize> = puts.iter().map(|(cell, _)| *cell).collect();
    for (cell, from) in &mut puts {
        if from != cell && written.contains(from) {
            *from = plan.copied(*from);
        }
    }
    for output in among(&buffers, line.map.outputs()) {
        let output = match written.contains(&output) {
            true => plan.copied(output),
            false => output,
        };
        plan.outputs.push(output);
    }
    let puts = puts.into_iter().filter(|(cell, from)| cell != from);
    plan.items
        .extend(puts.map(|(cell, from)| Item::Put { cell, from }));
    plan
}

impl Plan {
    pub(crate) fn buffer(&mut self, size: usize, holds: Holds) -> usize {
        self.buffers.push(Buffer { size, holds });
        self.buffers.len() - 1
    }

    /// New buffer with a copy of another one's contents at this point of the step.
    fn copied(&mut self, from: usize) -> usize {
        let size = self.size(from);
        let copy = self.buffer(size, Holds::Local);
        let body = Body::copy_of(Source::Entry(Access::new(from, &[1])));
        let write = Access::new(copy, &[1]);
        let copying = Loop::of(vec![size], None, body, write, Vec::new());
        self.items.push(Item::Loop(copying));
        copy
    }

    /// Buffer of a location.
    fn cell(&mut self, cell: usize, size: usize) -> usize {
        let holds = Holds::Cell(cell);
        let known = self.buffers.iter().position(|known| known.holds == holds);
        known.unwrap_or_else(|| self.buffer(size, holds))
    }

    fn kernel(&mut self, kernel: &Kernel, inputs: &[usize], output: usize, part_of: Option<usize>) {
        let temporaries = kernel.temporaries.iter();
        let temporaries: Vec<usize> = temporaries
            .map(|size| self.buffer(*size, Holds::Local))
            .collect();
        let buffer = |buffer: smooth::Buffer| match buffer {
            smooth::Buffer::Input(k) => inputs.get(k).copied().unwrap_or(output),
            smooth::Buffer::Temporary(k) => temporaries.get(k).copied().unwrap_or(output),
            smooth::Buffer::Output => output,
        };
        let written = kernel.nests.iter().map(|nest| buffer(nest.write.buffer));
        let written: Vec<usize> = written.collect();
        for (number, nest) in kernel.nests.iter().enumerate() {
            let target = buffer(nest.write.buffer);
            let first = written.iter().position(|other| *other == target) == Some(number);
            let item = item(nest, &buffer, part_of);
            let scatters = matches!(item, Item::Scatter(_));
            let size = self.size(target);
            let nests = kernel.nests.iter().zip(&written);
            let nests = nests.filter(|(_, other)| **other == target);
            if first && (scatters || !covers(size, nests.map(|(nest, _)| nest))) {
                self.items.push(Item::Fill(target));
            }
            self.items.push(item);
        }
        if kernel.nests.is_empty() {
            self.items.push(Item::Fill(output));
        }
    }
}

/// True if the nests together write each entry of a buffer.
fn covers<'n>(size: usize, nests: impl Iterator<Item = &'n Nest>) -> bool {
    let mut written = vec![false; size];
    let mut left = size;
    for nest in nests {
        for_each(&nest.extents, &[], |indices| {
            if let Some(slot) = written.get_mut(nest.write.place(indices)) {
                left -= usize::from(!std::mem::replace(slot, true));
            }
        });
        if left == 0 {
            return true;
        }
    }
    left == 0
}

fn access(access: &smooth::Access, number: &dyn Fn(smooth::Buffer) -> usize) -> Access {
    Access {
        buffer: number(access.buffer),
        offset: access.offset,
        steps: access.steps.clone(),
    }
}

/// True if no two points access the same entry: each loop's stride exceeds the sum of what the loops with smaller strides reach.
pub(crate) fn is_injective(access: &Access, extents: &[usize]) -> bool {
    let steps = access.steps.iter().zip(extents);
    let mut steps: Vec<(usize, usize)> = steps
        .filter(|(_, extent)| **extent > 1)
        .map(|(step, extent)| (step.stride, *extent))
        .collect();
    steps.sort_unstable();
    let mut reached = 0;
    steps.iter().all(|(stride, extent)| {
        let over = *stride > reached;
        reached += stride * (extent - 1);
        over
    })
}

/// Fold of a plan for the fold of a kernel. The running sums of kernels suit other machines; [`Plan::ordered`] chooses the order of sums.
fn fold(fold: smooth::Fold) -> Fold {
    match fold {
        smooth::Fold::Sum(start) => Fold::InTurn(start),
        smooth::Fold::Store | smooth::Fold::Four | smooth::Fold::Eight => Fold::InTurn(0.0),
        smooth::Fold::Maximum => Fold::Maximum,
        smooth::Fold::AtMaximum => Fold::AtMaximum,
    }
}

/// Item of a nest, with reduction loops separated from the loops over results.
fn item(nest: &Nest, number: &dyn Fn(smooth::Buffer) -> usize, part_of: Option<usize>) -> Item {
    let levels = 0..nest.extents.len();
    let extent = |level: usize| nest.extents.get(level).copied().unwrap_or(1);
    let step = |level: usize| nest.write.steps.get(level).copied();
    let is_still = |level: usize| step(level).is_some_and(|step| step.stride == 0);
    let is_scaled = |level: usize| step(level).is_some_and(|step| step.scale != (1, 1));
    let still = levels.clone().filter(|level| is_still(*level));
    // A reduction of extent 1 is a plain read.
    let folds = nest.fold != smooth::Fold::Store && still.clone().any(|level| extent(level) != 1);
    let summed: Vec<usize> = still.filter(|_| folds).collect();
    let space = levels.clone();
    let space = space.filter(|level| !summed.contains(level) && extent(*level) != 1);
    let space: Vec<usize> = space.collect();
    let extents = chosen(&nest.extents, &space);
    let write = access(&nest.write, number);
    let reads = nest.reads.iter().map(|read| access(read, number));
    let operations = nest.value.operations().iter().copied();
    let part_of = part_of.into_iter().collect();
    if { levels }.any(is_scaled) || !is_injective(&write.along(&space), &extents) {
        // A scatter keeps the loop order of the nest, because that is the order of its sums.
        let body = Body::on(reads, operations.collect());
        let all = nest.extents.clone();
        return Item::Scatter(Loop::of(all, None, body, write, part_of));
    }
    let order = [space.as_slice(), &summed].concat();
    let renumbered = |operation| match operation {
        Operation::Index(level) => match order.iter().position(|other| *other == level) {
            Some(position) => Operation::Index(position),
            None => Operation::Constant(0.0),
        },
        other => other,
    };
    let reads = reads.map(|read| read.along(&order));
    let body = Body::on(reads, operations.map(renumbered).collect());
    let fold = folds.then(|| (chosen(&nest.extents, &summed), fold(nest.fold)));
    Item::Loop(Loop::of(extents, fold, body, write.along(&space), part_of))
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn a_primitive_is_a_loop_over_its_entries() {
        check(
            &looped("x : Real(2) ⊢ ⌊swish[2](x)⌋"),
            "
                for i < 2
                  b1[i] = (x0[i] · σ(x0[i]))",
        );
        check(
            &looped("x : Real(4) ⊢ ⌊transpose[2, 2](x)⌋"),
            "
                for i < 2, j < 2
                  b1[2 i + j] = x0[i + 2 j]",
        );
    }

    #[test]
    fn a_sum_has_loops_of_its_own() {
        check(
            &looped("x : Real(6), y : Real(6) ⊢ ⌊matmul[2, 3, 2](x, y)⌋"),
            "
                for i < 2, j < 2
                  s = the sum over k < 3 of (x0[3 i + k] · x1[j + 2 k])
                  b2[2 i + j] = s",
        );
    }

    #[test]
    fn what_adds_to_its_neighbours_is_scattered() {
        check(
            &looped(
                "x : Real(4), k : Real(2), y : Real(3) ⊢ ⌊y.rd(u. conv1d[4, 2, 1, 1](u, k))(x)⌋",
            ),
            "
                b3 = zeros
                for i < 1, j < 1, k < 2, l < 3, one after the other
                  b3[4 j + k + l] += (x1[2 i + 2 j + k] · x2[3 i + l])",
        );
    }

    #[test]
    fn a_location_is_read_in_place() {
        check(
            &looped("x : Real(2) ⊢ let a ⇐ Get[v]() in let _ ⇐ Put[v](a + x) in ⌊x⌋"),
            "
                for i < 2
                  b2[i] = (v[i] + x0[i])
                v = b2",
        );
    }
}
