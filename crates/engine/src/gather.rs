//! Pass that turns scatters into gathers. An axis whose index is scaled becomes two plain axes. A sliding window that adds to its
//! neighbours becomes a sum over the contributions to an entry. Each result is then written once, and neighbouring results share a vector.

use crate::loops::{Access, Buffer, Fold, Holds, Item, Loop, Plan, Scatter, Source, Sum, dense};
use crate::nests::is_injective;
use fletch_smooth::{Binary, Operation, Step};

/// Maximum length of a window that is unrolled.
const SHORT: usize = 8;

/// Step that does not scale the index.
fn plain(stride: usize) -> Step {
    Step {
        stride,
        scale: (1, 1),
    }
}

fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

impl Plan {
    /// The plan with scatters replaced by loops where possible.
    #[must_use]
    pub fn gathered(&self) -> Plan {
        let mut plan = self.clone();
        plan.items.clear();
        for item in &self.items {
            match item {
                Item::Loop(each) => {
                    let mut each = each.clone();
                    each.flatten();
                    plan.items.push(Item::Loop(each));
                }
                Item::Scatter(scatter) => {
                    let mut scatter = scatter.clone();
                    scatter.flatten();
                    let alone = plan.begun(scatter.write.buffer);
                    let sliding = if alone { plan.window(&scatter) } else { None };
                    let better = sliding.or_else(|| scatter.summed().filter(|_| alone));
                    match better {
                        Some(each) => plan.items.push(Item::Loop(each)),
                        None => plan.items.push(Item::Scatter(scatter)),
                    }
                }
                other => plan.items.push(other.clone()),
            }
        }
        plan.covered()
    }

    /// True if the only writer of the buffer so far is its fill with zeros.
    fn begun(&self, buffer: usize) -> bool {
        let mut writers = self
            .items
            .iter()
            .filter(|item| item.writes().contains(&buffer));
        matches!(writers.next(), Some(Item::Fill(_))) && writers.next().is_none()
    }

    /// The plan without fills of buffers that the next loop to touch them overwrites completely.
    fn covered(mut self) -> Plan {
        let items = std::mem::take(&mut self.items);
        for (number, item) in items.iter().enumerate() {
            if let Item::Fill(buffer) = item {
                let size = self.buffers.get(*buffer).map_or(0, |buffer| buffer.size);
                let later = items.get(number + 1..).unwrap_or(&[]);
                let next = later
                    .iter()
                    .find(|item| item.writes().contains(buffer) || item.reads().contains(buffer));
                let whole = matches!(next, Some(Item::Loop(each)) if each.writes.iter().any(
                    |(write, _)| write.buffer == *buffer && covers(write, &each.space, size),
                ) && each.reads().all(|read| read.buffer != *buffer));
                if whole {
                    continue;
                }
            }
            self.items.push(item.clone());
        }
        self
    }

    /// Loop that sums the contributions of a sliding window to each entry, which it reads from a copy padded with zeros. `None` if the
    /// scatter has no such window.
    fn window(&mut self, scatter: &Scatter) -> Option<Loop> {
        let extent = |axis: usize| scatter.extents.get(axis).copied().unwrap_or(1);
        let stride = |access: &Access, axis: usize| {
            let step = access.steps.get(axis)?;
            (step.scale == (1, 1)).then_some(step.stride)
        };
        let axes = 0..scatter.extents.len();
        if scatter.extents.contains(&0)
            || axes.clone().any(|axis| {
                let all = scatter.reads.iter().chain([&scatter.write]);
                all.clone().any(|access| stride(access, axis).is_none())
            })
            || scatter
                .body
                .iter()
                .any(|one| matches!(one, Operation::Index(_)))
        {
            return None;
        }
        let stride = |access: &Access, axis: usize| stride(access, axis).unwrap_or(0);
        // The window's axis, and the axis that it slides along.
        let slides = |a: usize, b: usize| {
            let step = stride(&scatter.write, a);
            step > 0
                && step == stride(&scatter.write, b)
                && extent(a) <= SHORT
                && extent(a) <= extent(b)
        };
        let (window, along) = axes
            .clone()
            .flat_map(|a| axes.clone().map(move |b| (a, b)))
            .find(|(a, b)| a != b && slides(*a, *b))?;
        let mut moving = scatter.reads.iter().enumerate();
        let mut moving = moving.by_ref().filter(|(_, read)| stride(read, along) > 0);
        let (moves, source) = moving.next()?;
        if moving.next().is_some() || stride(source, window) > 0 {
            return None;
        }
        let (taps, length) = (extent(window), extent(along));
        let reach = length + taps - 1;
        let rest = axes.filter(|axis| *axis != window && *axis != along);
        let (space, summed): (Vec<usize>, Vec<usize>) =
            rest.partition(|axis| stride(&scatter.write, *axis) > 0);
        // The axis that the window slides along comes last, so that neighbours are contiguous.
        let extents: Vec<usize> = space
            .iter()
            .map(|axis| extent(*axis))
            .chain([reach])
            .collect();
        let strides = space.iter().chain([&along]);
        let write = Access {
            steps: strides
                .map(|axis| plain(stride(&scatter.write, *axis)))
                .collect(),
            ..scatter.write.clone()
        };
        if !is_injective(&write, &extents) {
            return None;
        }
        // Shape of the padded copy: rows along which the window slides.
        let rows: Vec<usize> = (0..scatter.extents.len())
            .filter(|axis| *axis != along && stride(source, *axis) > 0)
            .collect();
        let width = length + 2 * (taps - 1);
        let shape: Vec<usize> = rows
            .iter()
            .map(|axis| extent(*axis))
            .chain([width])
            .collect();
        let places = dense(&shape);
        let copy = self.buffers.len();
        self.buffers.push(Buffer {
            size: shape.iter().product(),
            holds: Holds::Local,
        });
        let inner: Vec<usize> = rows
            .iter()
            .map(|axis| extent(*axis))
            .chain([length])
            .collect();
        self.items.push(Item::Fill(copy));
        self.items.push(Item::Loop(Loop {
            space: inner,
            sum: None,
            sources: vec![Source::Entry(Access {
                steps: rows
                    .iter()
                    .chain([&along])
                    .map(|axis| plain(stride(source, *axis)))
                    .collect(),
                ..source.clone()
            })],
            body: vec![Operation::Read(0)],
            writes: vec![(
                Access {
                    buffer: copy,
                    offset: taps - 1,
                    steps: places.iter().map(|stride| plain(*stride)).collect(),
                },
                0,
            )],
            part_of: scatter.part_of.into_iter().collect(),
        }));
        // Contribution of each tap, a position in the window, in order.
        let order: Vec<usize> = space
            .iter()
            .copied()
            .chain([along])
            .chain(summed.clone())
            .collect();
        let mut reads = Vec::new();
        let mut body: Vec<Operation> = Vec::new();
        let mut total: Option<usize> = None;
        for tap in 0..taps {
            let first = reads.len();
            for (number, read) in scatter.reads.iter().enumerate() {
                reads.push(if number == moves {
                    let step = |axis: &usize| {
                        let row = rows.iter().position(|row| row == axis);
                        let place = row.and_then(|row| places.get(row)).copied();
                        plain(if *axis == along {
                            1
                        } else {
                            place.unwrap_or(0)
                        })
                    };
                    Access {
                        buffer: copy,
                        offset: taps - 1 - tap,
                        steps: order.iter().map(step).collect(),
                    }
                } else {
                    Access {
                        offset: read.offset + tap * stride(read, window),
                        steps: order
                            .iter()
                            .map(|axis| plain(stride(read, *axis)))
                            .collect(),
                        ..read.clone()
                    }
                });
            }
            let base = body.len();
            body.extend(scatter.body.iter().map(|operation| match *operation {
                Operation::Read(position) => Operation::Read(first + position),
                Operation::Map(function, x) => Operation::Map(function, base + x),
                Operation::Binary(binary, a, b) => Operation::Binary(binary, base + a, base + b),
                Operation::Choose(is, four) => Operation::Choose(is, four.map(|x| base + x)),
                other => other,
            }));
            let term = body.len() - 1;
            total = Some(match total {
                None => term,
                Some(total) => {
                    body.push(Operation::Binary(Binary::Add, total, term));
                    body.len() - 1
                }
            });
        }
        Some(sum(scatter, extents, &summed, reads, body, write))
    }
}

/// Loop that writes the sum of a scatter's contributions over some axes.
fn sum(
    scatter: &Scatter,
    space: Vec<usize>,
    summed: &[usize],
    reads: Vec<Access>,
    body: Vec<Operation>,
    write: Access,
) -> Loop {
    let extents: Vec<usize> = summed
        .iter()
        .filter_map(|axis| scatter.extents.get(*axis).copied())
        .collect();
    let part_of = scatter.part_of.into_iter().collect();
    if summed.is_empty() {
        let last = body.len().saturating_sub(1);
        return Loop {
            space,
            sum: None,
            sources: reads.into_iter().map(Source::Entry).collect(),
            body,
            writes: vec![(write, last)],
            part_of,
        };
    }
    Loop {
        space,
        sum: Some(Sum {
            extents,
            reads,
            body,
            fold: Fold::InTurn(0.0),
        }),
        sources: vec![Source::Sum],
        body: vec![Operation::Read(0)],
        writes: vec![(write, 0)],
        part_of,
    }
}

/// True if a loop writes each entry of a buffer exactly once.
fn covers(write: &Access, space: &[usize], size: usize) -> bool {
    let plain = write.steps.iter().all(|step| step.scale == (1, 1));
    plain && is_injective(write, space) && space.iter().product::<usize>() == size
}

/// Axis whose index is scaled by 1/n, and n. The extent must be a multiple of n, so that each scaled index occurs n times.
fn stretched(
    extents: &[usize],
    accesses: &[&Access],
    body: &[Operation],
) -> Option<(usize, usize)> {
    extents.iter().enumerate().find_map(|(axis, extent)| {
        let mut scales = accesses
            .iter()
            .filter_map(|access| access.steps.get(axis))
            .filter(|step| step.scale != (1, 1))
            .map(|step| {
                let common = divisor(step.scale.0, step.scale.1).max(1);
                (step.scale.0 / common, step.scale.1 / common)
            });
        let (times, over) = scales.next()?;
        let same = scales.all(|scale| scale == (times, over));
        let indexed = body.contains(&Operation::Index(axis));
        let even = times == 1 && over > 1 && extent % over == 0;
        (same && even && !indexed).then_some((axis, over))
    })
}

/// Replaces an axis by two, of which the inner one has the extent `over`.
fn split(access: &mut Access, axis: usize, over: usize) {
    let Some(step) = access.steps.get(axis).copied() else {
        return;
    };
    let (outer, inner) = match step.scale {
        (1, 1) => (step.stride * over, step.stride),
        _ => (step.stride, 0),
    };
    access
        .steps
        .splice(axis..=axis, [plain(outer), plain(inner)]);
}

fn deeper(body: &mut [Operation], axis: usize) {
    for operation in body {
        if let Operation::Index(level) = operation
            && *level > axis
        {
            *level += 1;
        }
    }
}

impl Loop {
    /// Replaces each axis of the loop whose index is scaled by two plain axes.
    fn flatten(&mut self) {
        while let Some((axis, over)) = {
            let sums = self.sum.as_ref().map_or(&[][..], |sum| &sum.extents);
            let extents = [self.space.as_slice(), sums].concat();
            let writes = self.writes.iter().map(|(write, _)| write);
            let all: Vec<&Access> = self.reads().chain(writes).collect();
            let bodies = self.sum.iter().flat_map(|sum| &sum.body);
            let body: Vec<Operation> = bodies.chain(&self.body).copied().collect();
            stretched(&extents, &all, &body)
        } {
            self.accesses().for_each(|access| split(access, axis, over));
            deeper(&mut self.body, axis);
            let inside = self.space.len();
            if let Some(sum) = &mut self.sum {
                deeper(&mut sum.body, axis);
                if axis >= inside {
                    halve(&mut sum.extents, axis - inside, over);
                }
            }
            if axis < inside {
                halve(&mut self.space, axis, over);
            }
        }
    }
}

fn halve(extents: &mut Vec<usize>, axis: usize, over: usize) {
    if let Some(extent) = extents.get(axis).copied() {
        extents.splice(axis..=axis, [extent / over, over]);
    }
}

impl Scatter {
    /// Replaces each axis of the scatter whose index is scaled by two plain axes.
    fn flatten(&mut self) {
        while let Some((axis, over)) = {
            let all: Vec<&Access> = self.reads.iter().chain([&self.write]).collect();
            stretched(&self.extents, &all, &self.body)
        } {
            self.reads
                .iter_mut()
                .chain([&mut self.write])
                .for_each(|access| split(access, axis, over));
            deeper(&mut self.body, axis);
            halve(&mut self.extents, axis, over);
        }
    }

    /// Loop with a sum at each entry, if no two points of the axes that the write moves along share an entry.
    fn summed(&self) -> Option<Loop> {
        let plain_all = self.reads.iter().chain([&self.write]);
        if plain_all.clone().any(|access| access.strides().is_none())
            || self
                .body
                .iter()
                .any(|one| matches!(one, Operation::Index(_)))
        {
            return None;
        }
        let stride = |access: &Access, axis: usize| access.steps.get(axis).map_or(0, |s| s.stride);
        let (space, summed): (Vec<usize>, Vec<usize>) =
            (0..self.extents.len()).partition(|axis| stride(&self.write, *axis) > 0);
        let extents: Vec<usize> = space
            .iter()
            .filter_map(|axis| self.extents.get(*axis).copied())
            .collect();
        let ordered = |access: &Access, axes: &[usize]| Access {
            steps: axes
                .iter()
                .map(|axis| plain(stride(access, *axis)))
                .collect(),
            ..access.clone()
        };
        let write = ordered(&self.write, &space);
        if !is_injective(&write, &extents) {
            return None;
        }
        let order: Vec<usize> = space.iter().chain(&summed).copied().collect();
        let reads = self
            .reads
            .iter()
            .map(|read| ordered(read, &order))
            .collect();
        Some(sum(self, extents, &summed, reads, self.body.clone(), write))
    }
}

impl Plan {
    /// Plan with one-axis loops reshaped to the space of the loop that computes their operands.
    #[must_use]
    pub fn spread(&self) -> Plan {
        let mut plan = self.clone();
        // The last item so far that writes each buffer.
        let mut writers: Vec<Option<usize>> = vec![None; plan.buffers.len()];
        for number in 0..plan.items.len() {
            let before = number
                .checked_sub(1)
                .and_then(|before| plan.items.get(before));
            for buffer in before.map(Item::writes).unwrap_or_default() {
                if let Some(slot) = writers.get_mut(buffer) {
                    *slot = number.checked_sub(1);
                }
            }
            let Some(Item::Loop(each)) = plan.items.get(number) else {
                continue;
            };
            if each.space.len() != 1 || each.sum.is_some() {
                continue;
            }
            let shaped = each.sources.iter().find_map(|source| {
                let Source::Entry(access) = source else {
                    return None;
                };
                let size = plan.buffers.get(access.buffer)?.size;
                let writer = writers.get(access.buffer).copied().flatten()?;
                let Some(Item::Loop(writer)) = plan.items.get(writer) else {
                    return None;
                };
                let whole = |(write, _): &(Access, usize)| {
                    write.buffer == access.buffer && write.is_all(&writer.space, size)
                };
                let all = access.is_all(&each.space, size) && writer.writes.iter().any(whole);
                (all && writer.space.len() > 1).then(|| writer.space.clone())
            });
            if let Some(shaped) = shaped.and_then(|space| crate::compose::reshaped(each, &space))
                && let Some(item) = plan.items.get_mut(number)
            {
                *item = Item::Loop(shaped);
            }
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn a_window_that_adds_to_its_neighbours_is_a_sum_at_each_place() {
        check(
            &looped(
                "x : Real(4), k : Real(2), y : Real(3) ⊢ ⌊y.rd(u. conv1d[4, 2, 1, 1](u, k))(x)⌋",
            )
            .gathered(),
            "
                b4 = zeros
                for i < 1, j < 3
                  b4[5 i + j + 1] = x2[3 i + j]
                for i < 1, j < 4
                  v2 = (x1[2 i + 2 k] · b4[j + 5 k + 1])
                  v5 = (x1[2 i + 2 k + 1] · b4[j + 5 k])
                  s = the sum over k < 1 of v2 + v5
                  b3[4 i + j] = s",
        );
    }

    #[test]
    fn what_writes_each_place_once_stays() {
        check(
            &looped("x : Real(6), y : Real(3) ⊢ ⌊y.rd(u. avgpool1d[6, 2, 1](u))(x)⌋").gathered(),
            "
                for i < 3, j < 2
                  b2[2 i + j] = (x1[i] / 2)",
        );
    }

    #[test]
    fn a_flat_loop_has_the_shape_of_what_it_reads() {
        check(
            &looped("x : Real(4) ⊢ ⌊transpose[2, 2](x) + x⌋").spread(),
            "
                for i < 2, j < 2
                  b1[2 i + j] = x0[i + 2 j]
                for i < 2, j < 2
                  b2[2 i + j] = (b1[2 i + j] + x0[2 i + j])",
        );
    }
}
