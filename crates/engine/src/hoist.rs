//! Hoisting of derivatives. Values that a later loop computes, point by point, only from buffers of an earlier loop are computed in the
//! earlier loop instead, if that reduces the total memory traffic. The derivative σ′ is then computed next to σ, from registers.

use crate::body::operands;
use crate::compose::{Digits, located, through};
use crate::fuse::Uses;
use crate::loops::{Access, Body, Holds, Item, Loop, Plan, Source, set};
use fletch_smooth::Operation;
use std::collections::BTreeMap;

/// Availability of a later loop's register in an earlier loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Computable in the earlier loop, from values that it computes.
    Made,
    /// Readable in the earlier loop as in the later one, or a constant.
    There,
    No,
}

impl Plan {
    /// Plan with values hoisted into the loops that compute their operands.
    #[must_use]
    pub fn hoisted(&self) -> Plan {
        let mut hoisting = Hoisting {
            uses: Uses::of(self),
            last_writes: self.last_writes(),
            plan: self.clone(),
        };
        // The last item so far that writes each buffer.
        let mut writers: BTreeMap<usize, usize> = BTreeMap::new();
        for later in 0..self.items.len() {
            let item = hoisting.plan.items.get(later);
            let read = item.map(Item::reads).unwrap_or_default();
            let writer = |buffer: &usize| writers.get(buffer).copied();
            let mut before: Vec<usize> = read.iter().filter_map(writer).collect();
            before.sort_unstable();
            before.dedup();
            for earlier in before {
                let buffers = hoisting.plan.buffers.len();
                match hoisting.moved(earlier, later) {
                    Some(loops) => hoisting.take(loops),
                    // The buffers of a rejected change are removed.
                    None => hoisting.plan.buffers.truncate(buffers),
                }
            }
            let item = hoisting.plan.items.get(later);
            let written = item.map(Item::writes).unwrap_or_default();
            writers.extend(written.into_iter().map(|buffer| (buffer, later)));
        }
        hoisting.plan.swept().alike()
    }

    /// Plan without buffers that duplicate another one, entry by entry, written by the same loop.
    fn alike(mut self) -> Plan {
        for number in 0..self.items.len() {
            while let Some((kept, gone)) = self.twins(number) {
                for item in &mut self.items {
                    item.read_instead(gone, kept);
                }
                if let Some(Item::Loop(each)) = self.items.get_mut(number) {
                    each.writes.retain(|(write, _)| write.buffer != gone);
                }
            }
        }
        self
    }

    /// Two local buffers to which a loop writes the same value at the same entries, and which no other item writes.
    fn twins(&self, number: usize) -> Option<(usize, usize)> {
        let Some(Item::Loop(each)) = self.items.get(number) else {
            return None;
        };
        let sole = |buffer: usize| {
            let local = self.buffers.get(buffer)?.holds == Holds::Local;
            let mut writers = self.items.iter().filter(|item| item.writes_to(buffer));
            let only = writers.next().is_some() && writers.next().is_none();
            (local && only && !self.outputs.contains(&buffer)).then_some(())
        };
        let mut pairs = each.writes.iter().enumerate().flat_map(|(at, one)| {
            let later = each.writes.get(at + 1..).unwrap_or(&[]);
            later.iter().map(move |other| (one, other))
        });
        pairs.find_map(|((one, value), (other, same))| {
            let place = |access: &Access| (access.offset, access.steps.clone());
            let alike = value == same && place(one) == place(other) && one.buffer != other.buffer;
            (alike && sole(one.buffer).is_some() && sole(other.buffer).is_some())
                .then_some((one.buffer, other.buffer))
        })
    }
}

/// Plan whose values are being hoisted.
struct Hoisting {
    plan: Plan,
    uses: Uses,
    last_writes: BTreeMap<usize, usize>,
}

impl Hoisting {
    /// Values of a loop hoisted into an earlier one that writes their operands, if that reduces the traffic: the loops that replace the
    /// items of these numbers. The buffers that they need are added to the plan, even if the result is `None`.
    fn moved(&mut self, earlier: usize, later: usize) -> Option<Vec<(usize, Loop)>> {
        let items = &self.plan.items;
        let (Item::Loop(before), Item::Loop(after)) = (items.get(earlier)?, items.get(later)?)
        else {
            return None;
        };
        let written = |access: &Access| {
            let filled = before.fills(access.buffer, self.plan.size(access.buffer));
            filled.is_some()
        };
        // Access of the later loop to a buffer that the earlier loop writes; it relates the points of the two.
        let place = after.body.entries().find(|access| written(access))?;
        let digits = located(place, &after.space, &before.space)?;
        let at_place =
            |access: &Access| (access.offset, &access.steps) == (place.offset, &place.steps);
        let is_beside = |access| beside(before, access, place, &digits).is_some();
        let mut known: Vec<Known> = Vec::new();
        for (register, operation) in after.body.operations.iter().enumerate() {
            let of = operands(operation);
            let at = |register: &usize| known.get(*register).copied().unwrap_or(Known::No);
            known.push(match operation {
                Operation::Constant(_) => Known::There,
                Operation::Index(_) => Known::No,
                Operation::Read(position) => match after.body.sources.get(*position) {
                    _ if !after.holds_still(register, earlier, &self.last_writes) => Known::No,
                    Some(Source::Entry(access)) => match written(access) {
                        true if at_place(access) => Known::Made,
                        false if is_beside(access) => Known::There,
                        _ => Known::No,
                    },
                    _ => Known::No,
                },
                _ if of.iter().any(|register| at(register) == Known::No) => Known::No,
                _ if of.iter().any(|register| at(register) == Known::Made) => Known::Made,
                _ => Known::There,
            });
        }
        // Hoistable values that the remainder of the later loop needs.
        let is = |register: usize| known.get(register) == Some(&Known::Made);
        let operations = &after.body.operations;
        let computed = |register: usize| {
            is(register) && !matches!(operations.get(register), Some(Operation::Read(_)))
        };
        let rest = operations.iter().enumerate().filter(|(user, _)| !is(*user));
        let needed = rest.flat_map(|(_, operation)| operands(operation));
        let needed = needed.chain(after.writes.iter().map(|(_, value)| *value));
        let mut roots: Vec<usize> = needed.filter(|register| computed(*register)).collect();
        roots.sort_unstable();
        roots.dedup();
        if roots.is_empty() {
            return None;
        }
        let (mut before, mut changed) = (before.clone(), after.clone());
        let registers = before.compute(after, &known, place, &digits)?;
        for root in roots {
            let buffer = before.leave(*registers.get(root)?, &mut self.plan.buffers);
            let read = Access {
                buffer,
                ..place.clone()
            };
            changed.body.replace_by_read(root, Source::Entry(read));
        }
        changed.tidy();
        let mut loops = vec![(earlier, before), (later, changed)];
        self.drop_unread(after, &mut loops);
        let traffic = |each: &Loop| -> usize {
            let points: usize = each.space.iter().product();
            points * (each.body.sources.len() + each.writes.len())
        };
        let less: usize = loops.iter().map(|(_, each)| traffic(each)).sum();
        let old = loops.iter().map(|(number, _)| match items.get(*number) {
            Some(Item::Loop(each)) => traffic(each),
            _ => 0,
        });
        (less < old.sum()).then_some(loops)
    }

    /// Drops writes of local buffers that only the later loop read, and that it no longer reads.
    fn drop_unread(&self, after: &Loop, loops: &mut Vec<(usize, Loop)>) {
        let reads = loops.iter().flat_map(|(_, each)| each.reads());
        let read: Vec<usize> = reads.map(|access| access.buffer).collect();
        let changed: Vec<usize> = loops.iter().map(|(number, _)| *number).collect();
        let is_lost = |buffer: &usize| {
            let holds = self.plan.buffers.get(*buffer).map(|buffer| &buffer.holds);
            let mut readers = self.uses.readers(*buffer).iter();
            holds == Some(&Holds::Local)
                && !read.contains(buffer)
                && readers.all(|reader| changed.contains(reader))
        };
        let mut lost: Vec<usize> = after.reads().map(|access| access.buffer).collect();
        lost.retain(is_lost);
        lost.sort_unstable();
        lost.dedup();
        for buffer in lost {
            for writer in self.uses.writers(buffer) {
                let known = loops.iter().position(|(number, _)| number == writer);
                let place = match (known, self.plan.items.get(*writer)) {
                    (Some(place), _) => place,
                    (None, Some(Item::Loop(each))) => {
                        loops.push((*writer, each.clone()));
                        loops.len() - 1
                    }
                    _ => continue,
                };
                if let Some((_, each)) = loops.get_mut(place) {
                    each.writes.retain(|(write, _)| write.buffer != buffer);
                    each.tidy();
                }
            }
        }
    }

    /// Replaces items by these loops.
    fn take(&mut self, loops: Vec<(usize, Loop)>) {
        for (number, _) in &loops {
            self.uses.forget(*number, &self.plan);
        }
        for (number, each) in loops {
            for (write, _) in &each.writes {
                self.last_writes.entry(write.buffer).or_insert(number);
            }
            set(&mut self.plan.items, number, Item::Loop(each));
            self.uses.note(number, &self.plan);
        }
    }
}

impl Loop {
    /// Adds the available assignments of a later loop to this loop; returns the new register of each. `None` if this loop cannot read one
    /// of their sources.
    fn compute(
        &mut self,
        after: &Loop,
        known: &[Known],
        place: &Access,
        digits: &Digits,
    ) -> Option<Vec<usize>> {
        let there = |made: &mut Body, source: &Source| {
            let Source::Entry(access) = source else {
                return None;
            };
            let mut writes = self.writes.iter();
            match writes.find(|(write, _)| write.buffer == access.buffer) {
                Some((_, value)) => Some(*value),
                None => Some(made.read(beside(self, access, place, digits)?)),
            }
        };
        let mut all = true;
        let read = |made: &mut Body, source: &Source| {
            let found = there(made, source);
            all &= found.is_some();
            found.unwrap_or(usize::MAX)
        };
        let is_known = |register: usize| known.get(register) != Some(&Known::No);
        let mut made = self.body.clone();
        let registers = made.rewrite(&after.body, is_known, read, |made, _, operation| {
            made.push(operation)
        });
        all.then_some(())?;
        self.body = made;
        self.add_statements(&after.part_of);
        Some(registers)
    }
}

/// Source of an earlier loop that reads the same entry as a later loop's access.
fn beside<'l>(
    before: &'l Loop,
    access: &Access,
    place: &Access,
    digits: &Digits,
) -> Option<&'l Source> {
    before.body.sources.iter().find(|source| match source {
        Source::Entry(own) => {
            own.buffer == access.buffer && through(own, place, digits).as_ref() == Some(access)
        }
        Source::Sum => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn a_derivative_is_computed_beside_its_function() {
        check(
            &looped("x : Real(2) ⊢ let m ⇐ Get[w]() in let o ⇐ ⌊matmul[2, 2, 1](m, swish[2](x))⌋ in ⌊o.rd(u. swish[2](u))(x)⌋").inlined().joined().shared().hoisted(),
            "
                for i < 2
                  v1 = σ(x0[i])
                  v2 = (x0[i] · v1)
                  b2[i] = v2
                  b7[i] = (v1 + (v2 · (1 − v1)))
                for i < 2
                  s = the sum over j < 2 of (w[2 i + j] · b2[j])
                  b5[i] = (s · b7[i])",
        );
    }

    #[test]
    fn what_would_leave_more_to_read_stays() {
        check(
            &looped(
                "x : Real(2) ⊢ let m ⇐ Get[w]() in ⌊matmul[2, 2, 1](m, swish[2](x)) + (x + x)⌋",
            )
            .inlined()
            .joined()
            .hoisted(),
            "
                for i < 2
                  b2[i] = (x0[i] · σ(x0[i]))
                for i < 2
                  s = the sum over j < 2 of (w[2 i + j] · b2[j])
                  b5[i] = (s + (x0[i] + x0[i]))",
        );
    }
}
