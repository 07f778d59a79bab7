//! Pass that turns scatters into gathers. An axis whose index is scaled becomes two plain axes. A sliding window that adds to its
//! neighbours becomes a sum over the contributions to an entry. Each result is then written once, and neighbouring results share a vector.

use crate::compose::reshaped;
use crate::loops::{Access, Body, Fold, Holds, Item, Loop, Plan, Source, chosen, dense, set};
use crate::nests::is_injective;
use fletch_smooth::{Binary, Operation, Step};
use std::collections::BTreeMap;

/// Maximum length of a window that is unrolled.
const SHORT: usize = 8;

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
            let mut item = item.clone();
            if let Item::Loop(each) | Item::Scatter(each) = &mut item {
                each.flatten();
            }
            if let Item::Scatter(scatter) = &item
                && let Some(gathering) = plan.gathering(scatter)
            {
                item = Item::Loop(gathering);
            }
            plan.items.push(item);
        }
        plan.covered()
    }

    /// Loop that writes what a scatter adds up, if its buffer holds zeros before. The items that it needs are added to the plan.
    fn gathering(&mut self, scatter: &Loop) -> Option<Loop> {
        let (write, _) = scatter.writes.first()?;
        let is_plain = scatter.reads().chain([write]).all(Access::is_plain);
        let fits = is_plain && !scatter.body.is_indexed() && self.begun(write.buffer);
        fits.then_some(())?;
        let sliding = self.window(scatter, write);
        sliding.or_else(|| summed(scatter, write))
    }

    /// True if the only writer of the buffer so far is its fill with zeros.
    fn begun(&self, buffer: usize) -> bool {
        let mut writers = self.items.iter().filter(|item| item.writes_to(buffer));
        matches!(writers.next(), Some(Item::Fill(_))) && writers.next().is_none()
    }

    /// The plan without fills of buffers that the next loop to touch them overwrites completely.
    fn covered(mut self) -> Plan {
        let items = std::mem::take(&mut self.items);
        for (number, item) in items.iter().enumerate() {
            if let Item::Fill(buffer) = item {
                let later = items.get(number + 1..).unwrap_or(&[]).iter();
                let mut touching =
                    later.filter(|item| item.writes_to(*buffer) || item.reads_from(*buffer));
                if let Some(next @ Item::Loop(each)) = touching.next()
                    && each.covers(*buffer, self.size(*buffer))
                    && !next.reads_from(*buffer)
                {
                    continue;
                }
            }
            self.items.push(item.clone());
        }
        self
    }

    /// Loop that sums the contributions of a sliding window to each entry, which it reads from a copy padded with zeros. `None` if the
    /// scatter has no such window. No access of the scatter is scaled.
    fn window(&mut self, scatter: &Loop, write: &Access) -> Option<Loop> {
        let extent = |axis: usize| scatter.space.get(axis).copied().unwrap_or(1);
        if scatter.space.contains(&0) {
            return None;
        }
        let axes = 0..scatter.space.len();
        // The window's axis, and the axis that it slides along.
        let slides = |a: usize, b: usize| {
            let step = stride(write, a);
            step > 0 && step == stride(write, b) && extent(a) <= SHORT && extent(a) <= extent(b)
        };
        let mut pairs = axes.clone().flat_map(|a| axes.clone().map(move |b| (a, b)));
        let (window, along) = pairs.find(|(a, b)| a != b && slides(*a, *b))?;
        let mut moving = scatter.reads().filter(|read| stride(read, along) > 0);
        let source = moving.next()?;
        if moving.next().is_some() || stride(source, window) > 0 {
            return None;
        }
        let (taps, length) = (extent(window), extent(along));
        let rest = axes.clone();
        let rest = rest.filter(|axis| *axis != window && *axis != along);
        let (mut space, summed): (Vec<usize>, Vec<usize>) =
            rest.partition(|axis| stride(write, *axis) > 0);
        // The axis that the window slides along comes last, so that neighbours are contiguous.
        let mut extents = chosen(&scatter.space, &space);
        extents.push(length + taps - 1);
        space.push(along);
        let write = write.along(&space);
        if !is_injective(&write, &extents) {
            return None;
        }
        // Shape of the padded copy: rows along which the window slides.
        let rows = axes.filter(|axis| *axis != along && stride(source, *axis) > 0);
        let mut rows: Vec<usize> = rows.collect();
        rows.push(along);
        let inner = chosen(&scatter.space, &rows);
        let mut shape = inner.clone();
        if let Some(width) = shape.last_mut() {
            *width += 2 * (taps - 1);
        }
        let places = dense(&shape);
        let copy = self.buffer(shape.iter().product(), Holds::Local);
        let copied = Access {
            offset: taps - 1,
            ..Access::new(copy, &places)
        };
        let body = Body::copy_of(Source::Entry(source.along(&rows)));
        let copying = Loop::of(inner, None, body, copied, scatter.part_of.clone());
        self.items.push(Item::Fill(copy));
        self.items.push(Item::Loop(copying));
        // Contribution of each tap, a position in the window, in order.
        let order = [space.as_slice(), &summed].concat();
        let of_copy = order.iter().map(|axis| {
            let row = rows.iter().position(|row| row == axis);
            row.and_then(|row| places.get(row)).copied().unwrap_or(0)
        });
        let of_copy = Access::new(copy, &of_copy.collect::<Vec<usize>>());
        let mut terms = Body::default();
        let mut total: Option<usize> = None;
        for tap in 0..taps {
            let contribution = terms.copy(&scatter.body, |terms, entry| {
                let Source::Entry(read) = entry else {
                    return terms.read(entry);
                };
                let (access, offset) = match read == source {
                    true => (of_copy.clone(), taps - 1 - tap),
                    false => {
                        let moved = tap * stride(read, window);
                        (read.along(&order), read.offset + moved)
                    }
                };
                terms.read(&Source::Entry(Access { offset, ..access }))
            });
            let term = contribution.last().copied()?;
            total = Some(match total {
                None => term,
                Some(total) => terms.push(Operation::Binary(Binary::Add, total, term)),
            });
        }
        Some(sum(scatter, extents, &summed, terms, write))
    }
}

/// Stride along an axis.
fn stride(access: &Access, axis: usize) -> usize {
    access.steps.get(axis).map_or(0, |step| step.stride)
}

/// Loop that writes the sum of a scatter's contributions over some axes.
fn sum(scatter: &Loop, space: Vec<usize>, summed: &[usize], body: Body, write: Access) -> Loop {
    let extents = chosen(&scatter.space, summed);
    let fold = (!summed.is_empty()).then_some((extents, Fold::InTurn(0.0)));
    Loop::of(space, fold, body, write, scatter.part_of.clone())
}

/// Loop with a sum at each entry, if no two points of the axes that the write moves along share an entry. No access of the scatter is
/// scaled.
fn summed(scatter: &Loop, write: &Access) -> Option<Loop> {
    let axes = 0..scatter.space.len();
    let (space, summed): (Vec<usize>, Vec<usize>) = axes.partition(|axis| stride(write, *axis) > 0);
    let extents = chosen(&scatter.space, &space);
    let write = write.along(&space);
    let order = [space, summed.clone()].concat();
    let reads = scatter.reads().map(|read| read.along(&order));
    let body = Body::on(reads, scatter.body.operations.clone());
    is_injective(&write, &extents).then(|| sum(scatter, extents, &summed, body, write))
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
    let both = [outer, inner].map(Step::plain);
    access.steps.splice(axis..=axis, both);
}

fn deeper(body: &mut Body, axis: usize) {
    for operation in &mut body.operations {
        if let Operation::Index(level) = operation
            && *level > axis
        {
            *level += 1;
        }
    }
}

fn halve(extents: &mut Vec<usize>, axis: usize, over: usize) {
    if let Some(extent) = extents.get(axis).copied() {
        extents.splice(axis..=axis, [extent / over, over]);
    }
}

impl Loop {
    /// True if the loop writes each entry of a buffer of this size exactly once.
    fn covers(&self, buffer: usize, size: usize) -> bool {
        let all = self.space.iter().product::<usize>() == size;
        let mut writes = self.writes.iter().map(|(write, _)| write);
        all && writes.any(|write| {
            write.buffer == buffer && write.is_plain() && is_injective(write, &self.space)
        })
    }

    /// Axis whose index is scaled by 1/n, and n. The extent must be a multiple of n, so that each scaled index occurs n times.
    fn stretched(&self) -> Option<(usize, usize)> {
        let sums = self.sum.iter();
        let inner = sums.clone().flat_map(|sum| &sum.extents);
        let mut extents = self.space.iter().chain(inner).enumerate();
        let bodies = sums.map(|sum| &sum.body).chain([&self.body]);
        let writes = self.writes.iter().map(|(write, _)| write);
        let accesses: Vec<&Access> = self.reads().chain(writes).collect();
        extents.find_map(|(axis, extent)| {
            let steps = accesses.iter().filter_map(|access| access.steps.get(axis));
            let scaled = steps.filter(|step| step.scale != (1, 1));
            let mut scales = scaled.map(|step| {
                let common = divisor(step.scale.0, step.scale.1).max(1);
                (step.scale.0 / common, step.scale.1 / common)
            });
            let (times, over) = scales.next()?;
            let same = scales.all(|scale| scale == (times, over));
            let index = Operation::Index(axis);
            let indexed = bodies.clone().any(|body| body.operations.contains(&index));
            let even = times == 1 && over > 1 && extent % over == 0;
            (same && even && !indexed).then_some((axis, over))
        })
    }

    /// Replaces each axis of the loop whose index is scaled by two plain axes.
    fn flatten(&mut self) {
        while let Some((axis, over)) = self.stretched() {
            self.accesses()
                .for_each(|(access, _)| split(access, axis, over));
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

impl Plan {
    /// Plan with one-axis loops reshaped to the space of the loop that computes their operands.
    #[must_use]
    pub fn spread(&self) -> Plan {
        let mut plan = self.clone();
        // The last item so far that writes each buffer.
        let mut writers: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, item) in self.items.iter().enumerate() {
            let shaped = plan.reshaped(item, &writers);
            if let Some(shaped) = shaped {
                set(&mut plan.items, number, Item::Loop(shaped));
            }
            let written = item.writes().into_iter();
            writers.extend(written.map(|buffer| (buffer, number)));
        }
        plan
    }

    /// A one-axis loop in the space of the loop that computes all of one of its operands.
    fn reshaped(&self, item: &Item, writers: &BTreeMap<usize, usize>) -> Option<Loop> {
        let Item::Loop(each) = item else {
            return None;
        };
        if each.space.len() != 1 || each.sum.is_some() {
            return None;
        }
        let shape = each.body.entries().find_map(|access| {
            let size = self.size(access.buffer);
            let Item::Loop(writer) = self.items.get(*writers.get(&access.buffer)?)? else {
                return None;
            };
            let all = access.is_all(&each.space, size) && writer.space.len() > 1;
            all.then(|| writer.fills(access.buffer, size))??;
            Some(&writer.space)
        });
        reshaped(each, shape?)
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
