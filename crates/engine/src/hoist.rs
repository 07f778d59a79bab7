//! Hoisting of derivatives. Values that a later loop computes, point by point, only from buffers of an earlier loop are computed in the
//! earlier loop instead, if that reduces the total memory traffic. The derivative σ′ is then computed next to σ, from registers.

use crate::compose::{Digits, located, through};
use crate::fuse::{Assignments, Uses, operands};
use crate::loops::{Access, Buffer, Holds, Item, Loop, Plan, Source};
use fletch_smooth::Operation;

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
        let mut writers = vec![None; self.buffers.len()];
        for later in 0..self.items.len() {
            let item = hoisting.plan.items.get(later);
            let read = item.map(Item::reads).unwrap_or_default();
            let writer = |buffer: &usize| writers.get(*buffer).copied().flatten();
            let mut before: Vec<usize> = read.iter().filter_map(writer).collect();
            before.sort_unstable();
            before.dedup();
            for earlier in before {
                if let Some(moved) = hoisting.moved(earlier, later) {
                    hoisting.take(moved);
                }
            }
            let item = hoisting.plan.items.get(later);
            for buffer in item.map(Item::writes).unwrap_or_default() {
                if let Some(slot) = writers.get_mut(buffer) {
                    *slot = Some(later);
                }
            }
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
    last_writes: Vec<Option<usize>>,
}

/// A change of a plan: loops that replace the items of these numbers, and the buffers that the change adds.
struct Moved {
    loops: Vec<(usize, Loop)>,
    buffers: Vec<Buffer>,
}

impl Hoisting {
    /// Values of a loop hoisted into an earlier one that writes their operands, if that reduces the traffic.
    fn moved(&self, earlier: usize, later: usize) -> Option<Moved> {
        let plan = &self.plan;
        let (Item::Loop(before), Item::Loop(after)) =
            (plan.items.get(earlier)?, plan.items.get(later)?)
        else {
            return None;
        };
        let written = |access: &Access| {
            let size = plan.buffers.get(access.buffer)?.size;
            let mut writes = before.writes.iter();
            writes.find(|(write, _)| {
                write.buffer == access.buffer && write.is_all(&before.space, size)
            })
        };
        // Access of the later loop to a buffer that the earlier loop writes; it relates the points of the two.
        let entries = after.sources.iter().filter_map(|source| match source {
            Source::Entry(access) => Some(access),
            Source::Sum => None,
        });
        let place = entries.clone().find(|access| written(access).is_some())?;
        let digits = located(place, &after.space, &before.space)?;
        let at_place =
            |access: &Access| (access.offset, &access.steps) == (place.offset, &place.steps);
        let mut known: Vec<Known> = Vec::new();
        for (register, operation) in after.body.iter().enumerate() {
            let of = operands(operation);
            let at = |register: &usize| known.get(*register).copied().unwrap_or(Known::No);
            known.push(match operation {
                Operation::Constant(_) => Known::There,
                Operation::Index(_) => Known::No,
                Operation::Read(position) => match after.sources.get(*position) {
                    _ if !after.holds_still(register, earlier, &self.last_writes) => Known::No,
                    Some(Source::Entry(access)) if written(access).is_some() => {
                        if at_place(access) {
                            Known::Made
                        } else {
                            Known::No
                        }
                    }
                    Some(Source::Entry(access)) => match beside(before, access, place, &digits) {
                        Some(_) => Known::There,
                        None => Known::No,
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
        let computed = |register: usize| {
            is(register) && !matches!(after.body.get(register), Some(Operation::Read(_)))
        };
        let rest = after.body.iter().enumerate().filter(|(user, _)| !is(*user));
        let needed = rest.flat_map(|(_, operation)| operands(operation));
        let needed = needed.chain(after.writes.iter().map(|(_, value)| *value));
        let mut roots: Vec<usize> = needed.filter(|register| computed(*register)).collect();
        roots.sort_unstable();
        roots.dedup();
        if roots.is_empty() {
            return None;
        }
        let mut added = Vec::new();
        let mut before = before.clone();
        let registers = before.compute(after, &known, place, &digits)?;
        let mut changed = after.clone();
        for root in roots {
            let value = *registers.get(root)?;
            let buffer = before.leave(value, &plan.buffers, &mut added);
            changed.sources.push(Source::Entry(Access {
                buffer,
                ..place.clone()
            }));
            let read = Operation::Read(changed.sources.len() - 1);
            *changed.body.get_mut(root)? = read;
        }
        changed.tidy();
        let mut moved = Moved {
            loops: vec![(earlier, before), (later, changed)],
            buffers: added,
        };
        self.drop_unread(after, &mut moved);
        let traffic = |each: &Loop| -> usize {
            let points: usize = each.space.iter().product();
            points * (each.sources.len() + each.writes.len())
        };
        let less: usize = moved.loops.iter().map(|(_, each)| traffic(each)).sum();
        let old = moved
            .loops
            .iter()
            .filter_map(|(number, _)| match plan.items.get(*number) {
                Some(Item::Loop(each)) => Some(traffic(each)),
                _ => None,
            });
        (less < old.sum()).then_some(moved)
    }

    /// Drops writes of local buffers that only the later loop read, and that it no longer reads.
    fn drop_unread(&self, after: &Loop, moved: &mut Moved) {
        let read: Vec<usize> = moved
            .loops
            .iter()
            .flat_map(|(_, each)| each.reads().map(|access| access.buffer))
            .collect();
        let changed: Vec<usize> = moved.loops.iter().map(|(number, _)| *number).collect();
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
                let known = moved.loops.iter().position(|(number, _)| number == writer);
                let place = match (known, self.plan.items.get(*writer)) {
                    (Some(place), _) => place,
                    (None, Some(Item::Loop(each))) => {
                        moved.loops.push((*writer, each.clone()));
                        moved.loops.len() - 1
                    }
                    _ => continue,
                };
                if let Some((_, each)) = moved.loops.get_mut(place) {
                    each.writes.retain(|(write, _)| write.buffer != buffer);
                    each.tidy();
                }
            }
        }
    }

    fn take(&mut self, moved: Moved) {
        for (number, _) in &moved.loops {
            self.uses.forget(*number, &self.plan);
        }
        let earlier = moved.loops.first().map(|(number, _)| *number);
        self.plan.buffers.extend(moved.buffers);
        self.last_writes.resize(self.plan.buffers.len(), earlier);
        for (number, each) in moved.loops {
            if let Some(item) = self.plan.items.get_mut(number) {
                *item = Item::Loop(each);
            }
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
        let mut made = Assignments {
            sources: self.sources.clone(),
            body: self.body.clone(),
        };
        let there = |position: usize| match after.sources.get(position)? {
            Source::Entry(access) => {
                let mut writes = self.writes.iter();
                match writes.find(|(write, _)| write.buffer == access.buffer) {
                    Some((_, value)) => Some(Ok(*value)),
                    None => beside(self, access, place, digits).cloned().map(Err),
                }
            }
            Source::Sum => None,
        };
        let mut all = true;
        let read = |made: &mut Assignments, position: usize| match there(position) {
            Some(Ok(value)) => value,
            Some(Err(source)) => made.read(source),
            None => {
                all = false;
                usize::MAX
            }
        };
        let body = after.body.iter().zip(known);
        let body = body.map(|(operation, known)| (*known != Known::No).then_some(operation));
        let registers = made.rewrite(body, read, |made, _, operation| made.push(operation));
        if !all {
            return None;
        }
        self.part_of.extend(&after.part_of);
        self.part_of.sort_unstable();
        self.part_of.dedup();
        (self.sources, self.body) = (made.sources, made.body);
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
    before.sources.iter().find(|source| match source {
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
