//! Fusion of loops: reads of copies become reads of the originals, entry-by-entry loops join their consumer or their producer, and loops
//! whose results nothing reads are dropped.

use crate::body::{cost, operands};
use crate::compose::{inlined, reshaped, view};
use crate::loops::{Access, Body, Holds, Item, Loop, Plan, Rounds, Source, may_stop, set};
use std::collections::BTreeMap;

/// Maximum number of operations that are recomputed at each use instead of being stored and read.
const CHEAP: usize = 2;

/// Maximum number of assignments in a fused loop: no machine has so many registers, and planning time would grow with the square.
const LARGE: usize = 400;

/// Writers and readers of each buffer, as item numbers.
#[derive(Default)]
pub(crate) struct Uses {
    writers: BTreeMap<usize, Vec<usize>>,
    readers: BTreeMap<usize, Vec<usize>>,
}

impl Uses {
    pub(crate) fn of(plan: &Plan) -> Uses {
        let mut uses = Uses::default();
        for number in 0..plan.items.len() {
            uses.note(number, plan);
        }
        // The end of the step reads the outputs.
        for output in &plan.outputs {
            let readers = uses.readers.entry(*output).or_default();
            readers.push(plan.items.len());
        }
        uses
    }

    /// Records the reads and writes of an item.
    pub(crate) fn note(&mut self, number: usize, plan: &Plan) {
        self.change(number, plan, |items| items.push(number));
    }

    /// Removes the reads and writes of an item.
    pub(crate) fn forget(&mut self, number: usize, plan: &Plan) {
        self.change(number, plan, |items| items.retain(|item| *item != number));
    }

    /// Changes the lists of all buffers that an item reads or writes.
    fn change(&mut self, number: usize, plan: &Plan, change: impl Fn(&mut Vec<usize>)) {
        let Some(item) = plan.items.get(number) else {
            return;
        };
        for buffer in item.writes() {
            change(self.writers.entry(buffer).or_default());
        }
        for buffer in item.reads() {
            change(self.readers.entry(buffer).or_default());
        }
    }

    /// The items that read a buffer; one past the last item stands for the end of the step, which reads outputs.
    pub(crate) fn readers(&self, buffer: usize) -> &[usize] {
        self.readers.get(&buffer).map_or(&[], Vec::as_slice)
    }

    /// The items that write a buffer.
    pub(crate) fn writers(&self, buffer: usize) -> &[usize] {
        self.writers.get(&buffer).map_or(&[], Vec::as_slice)
    }

    /// The only item that writes a buffer; `None` if there are several.
    fn writer(&self, buffer: usize) -> Option<usize> {
        match self.writers(buffer) {
            [only] => Some(*only),
            _ => None,
        }
    }
}

impl Plan {
    /// Plan with producers inlined into their consumers.
    #[must_use]
    pub fn inlined(&self) -> Plan {
        let uses = Uses::of(self);
        let mut plan = self.clone();
        for number in 0..plan.items.len() {
            let Some(mut item) = plan.items.get(number).cloned() else {
                break;
            };
            match &mut item {
                Item::Loop(each) => plan.inline(each, &uses),
                Item::Scatter(each) => plan.see_through(&mut each.body, &each.space, &uses),
                _ => {}
            }
            set(&mut plan.items, number, item);
        }
        plan.swept()
    }

    /// Loop without a sum that alone writes all of a local buffer, in order, and writes nothing else.
    fn producer(&self, buffer: usize, uses: &Uses) -> Option<&Loop> {
        let found = self.buffers.get(buffer)?;
        let Item::Loop(each) = self.items.get(uses.writer(buffer)?)? else {
            return None;
        };
        let [(write, value)] = each.writes.as_slice() else {
            return None;
        };
        let last = *value + 1 == each.body.operations.len();
        let whole = write.is_all(&each.space, found.size);
        (found.holds == Holds::Local && each.sum.is_none() && last && whole).then_some(each)
    }

    /// Makes a body read through copies. `extents` are those of all loops around it.
    fn see_through(&self, body: &mut Body, extents: &[usize], uses: &Uses) {
        for read in body.entries_mut() {
            while let Some(found) = self
                .producer(read.buffer, uses)
                .and_then(|producer| view(producer, read, extents))
            {
                *read = found;
            }
        }
    }

    /// Inlines producers into a loop.
    fn inline(&self, each: &mut Loop, uses: &Uses) {
        if let Some(sum) = &mut each.sum {
            let extents = [each.space.as_slice(), &sum.extents].concat();
            self.see_through(&mut sum.body, &extents, uses);
        }
        let mut made = Body::default();
        let registers = made.copy(&each.body, |made, source| {
            match self.opened(source, &each.space, uses, made.operations.len()) {
                Some(body) => made.copy(&body, Body::read).last().copied().unwrap_or(0),
                None => made.read(source),
            }
        });
        each.replace(made, &registers);
    }

    /// Body that computes a source of a loop, if its producer is inlined into the loop, which has `before` assignments so far.
    fn opened(&self, source: &Source, space: &[usize], uses: &Uses, before: usize) -> Option<Body> {
        let Source::Entry(access) = source else {
            return None;
        };
        let producer = self.producer(access.buffer, uses)?;
        let operations = &producer.body.operations;
        let whole = access.is_all(space, self.size(access.buffer));
        let once = whole && uses.readers(access.buffer).len() == 1;
        let small = before + operations.len() <= LARGE;
        let cheap = cost(operations).is_some_and(|cost| cost <= CHEAP);
        ((once && small) || cheap).then(|| inlined(producer, access, space))?
    }

    /// Plan with loops over the same space fused, where one reads at each point an entry that the other reads or writes there.
    #[must_use]
    pub fn joined(&self) -> Plan {
        let mut plan = self.clone();
        let mut number = 0;
        let mut uses = Uses::of(&plan);
        while number < plan.items.len() {
            let Some((earlier, stays, joined)) = plan.joint(number, &uses) else {
                number += 1;
                continue;
            };
            let (kept, gone) = match stays {
                true => (earlier, number),
                false => (number, earlier),
            };
            // A dropped item leaves an empty loop, so that all other items keep their numbers; a sweep at the end removes it.
            for changed in [kept, gone] {
                uses.forget(changed, &plan);
            }
            set(&mut plan.items, kept, Item::Loop(joined));
            set(&mut plan.items, gone, Item::Loop(Loop::default()));
            uses.note(kept, &plan);
            number += usize::from(stays);
        }
        plan.swept()
    }

    /// An earlier loop with which this loop can fuse, true if the fused loop takes the position of the earlier loop, and the fused loop.
    fn joint(&self, number: usize, uses: &Uses) -> Option<(usize, bool, Loop)> {
        let Item::Loop(each) = self.items.get(number)? else {
            return None;
        };
        let mut writes = each.writes.iter();
        let alone = writes.all(|(write, _)| uses.writer(write.buffer).is_some());
        if each.sum.is_some() || !alone {
            return None;
        }
        let fused = |access: &Access, earlier: usize| {
            let Item::Loop(before) = self.items.get(earlier)? else {
                return None;
            };
            let size = before.body.operations.len() + each.body.operations.len();
            let fits = size <= LARGE && before.touches_all(access.buffer, self);
            let shaped = fits.then(|| reshaped(each, &before.space))??;
            let stays = self.joins((number, each), (earlier, before), uses)?;
            Some((earlier, stays, self.together(before, shaped)))
        };
        each.body.entries().find_map(|access| {
            let whole = access.is_all(&each.space, self.size(access.buffer));
            let writer = uses.writer(access.buffer).into_iter();
            let users = writer.chain(uses.readers(access.buffer).iter().copied());
            let mut earlier = users.filter(|user| whole && *user < number);
            earlier.find_map(|earlier| fused(access, earlier))
        })
    }

    /// True if the two loops fuse at the earlier one's position, false if at the later one's; `None` if they do not fuse.
    fn joins(
        &self,
        (number, each): (usize, &Loop),
        (earlier, before): (usize, &Loop),
        uses: &Uses,
    ) -> Option<bool> {
        // Fusion requires that an entry written by one and read by the other belongs to the same point.
        let at_hand = each.reads().all(|read| {
            let size = self.size(read.buffer);
            let mut writes = before.writes.iter();
            writes.all(|(write, _)| {
                write.buffer != read.buffer
                    || (write.is_all(&before.space, size) && read.is_all(&each.space, size))
            })
        });
        let between = |items: &[usize]| {
            let mut items = items.iter();
            items.any(|item| earlier < *item && *item < number)
        };
        let written = |buffer: usize| between(uses.writers(buffer));
        let early = !each.reads().any(|read| written(read.buffer));
        let late = || {
            let apart = |(write, _): &(Access, usize)| {
                uses.writer(write.buffer).is_some() && !between(uses.readers(write.buffer))
            };
            before.writes.iter().all(apart) && !before.reads().any(|read| written(read.buffer))
        };
        if !at_hand || (!early && !late()) {
            return None;
        }
        let place = if early { earlier } else { number };
        // An update of a location in place must remain possible: the fused loop can still come after all readers of the old contents.
        let writes = || before.writes.iter().chain(&each.writes);
        let old = writes()
            .flat_map(|(write, _)| uses.readers(write.buffer))
            .filter_map(|reader| match self.items.get(*reader) {
                Some(Item::Put { cell, .. }) => Some(uses.readers(*cell)),
                _ => None,
            });
        let others = old.flatten().filter(|item| **item != number);
        let last = others.max().copied().unwrap_or(place);
        let in_place = writes().all(|(write, _)| {
            let mut readers = uses.readers(write.buffer).iter();
            !readers.any(|reader| place < *reader && *reader <= last && *reader != number)
        });
        in_place.then_some(early)
    }

    /// Fusion of two loops over the same space: reads of the second from writes of the first become registers.
    fn together(&self, first: &Loop, mut second: Loop) -> Loop {
        let written = |source: &Source| {
            let Source::Entry(access) = source else {
                return None;
            };
            let whole = access.is_all(&first.space, self.size(access.buffer));
            let mut writes = first.writes.iter().filter(|_| whole);
            let same = writes.find(|(write, _)| write.buffer == access.buffer);
            same.map(|(_, value)| *value)
        };
        let mut body = first.body.clone();
        let registers = body.copy(&second.body, |made, source| {
            written(source).unwrap_or_else(|| made.read(source))
        });
        second.replace(body, &registers);
        second.sum.clone_from(&first.sum);
        second.writes.splice(0..0, first.writes.iter().cloned());
        second.add_statements(&first.part_of);
        second
    }

    /// Plan without dead items and writes.
    #[must_use]
    pub(crate) fn swept(mut self) -> Plan {
        let mut read = vec![false; self.buffers.len()];
        for output in &self.outputs {
            set(&mut read, *output, true);
        }
        let items = std::mem::take(&mut self.items);
        self.items = self.sweep(items, &mut read);
        self
    }

    /// Items without dead items and dead writes. `read` marks the buffers that are read later.
    fn sweep(&self, items: Vec<Item>, read: &mut [bool]) -> Vec<Item> {
        let mut kept = Vec::new();
        for mut item in items.into_iter().rev() {
            let is_read = |buffer: usize| read.get(buffer).copied().unwrap_or(false);
            let stays = match &mut item {
                Item::Check { .. } | Item::Put { .. } => true,
                Item::Fill(_) | Item::Scatter(_) => item.writes().into_iter().any(is_read),
                Item::Repeat(rounds) => self.sweep_rounds(rounds, is_read),
                Item::Loop(each) => {
                    let cell = |buffer: usize| {
                        let buffer = self.buffers.get(buffer);
                        buffer.is_some_and(|buffer| matches!(buffer.holds, Holds::Cell(_)))
                    };
                    each.writes
                        .retain(|(write, _)| is_read(write.buffer) || cell(write.buffer));
                    each.tidy();
                    !each.writes.is_empty()
                }
            };
            if stays {
                (item.reads().into_iter()).for_each(|buffer| set(read, buffer, true));
                kept.push(item);
            }
        }
        kept.reverse();
        kept
    }

    /// Drops the dead results, entries and items of a loop over moments; true if the loop is still needed.
    fn sweep_rounds(&self, rounds: &mut Rounds, is_read: impl Fn(usize) -> bool) -> bool {
        rounds.results.retain(|(_, to)| is_read(*to));
        rounds.last.retain(|(_, to)| is_read(*to));
        let mut read = vec![false; self.buffers.len()];
        let given = rounds.results.iter().chain(&rounds.last);
        for (from, _) in given {
            set(&mut read, *from, true);
        }
        // The next moment reads the states.
        for (_, state) in &rounds.first {
            set(&mut read, *state, true);
        }
        rounds.items = self.sweep(std::mem::take(&mut rounds.items), &mut read);
        rounds
            .entries
            .retain(|(_, entry)| read.get(*entry) == Some(&true));
        !rounds.results.is_empty() || !rounds.last.is_empty() || may_stop(&rounds.items)
    }
}

impl Loop {
    /// True if the loop reads or writes all of a buffer, in order.
    fn touches_all(&self, buffer: usize, plan: &Plan) -> bool {
        let size = plan.size(buffer);
        let all = |access: &Access| access.buffer == buffer && access.is_all(&self.space, size);
        self.fills(buffer, size).is_some() || self.body.entries().any(all)
    }

    /// Drops assignments that no write needs, and the sum if no assignment reads it.
    pub(crate) fn tidy(&mut self) {
        let mut needed = vec![false; self.body.operations.len()];
        for (_, value) in &self.writes {
            set(&mut needed, *value, true);
        }
        for (number, operation) in self.body.operations.iter().enumerate().rev() {
            if needed.get(number) == Some(&true) {
                for operand in operands(operation) {
                    set(&mut needed, operand, true);
                }
            }
        }
        let mut made = Body::default();
        let is_needed = |number: usize| needed.get(number) == Some(&true);
        let registers = made.rewrite(&self.body, is_needed, Body::read, |made, _, operation| {
            made.push(operation)
        });
        if !made.sources.contains(&Source::Sum) {
            self.sum = None;
        }
        self.replace(made, &registers);
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn copies_are_read_through() {
        check(
            &looped("x : Real(4) ⊢ ⌊transpose[2, 2](transpose[2, 2](x)) + x⌋")
                .spread()
                .inlined(),
            "
                for i < 2, j < 2
                  b3[2 i + j] = (x0[2 i + j] + x0[2 i + j])",
        );
    }

    #[test]
    fn what_is_cheap_is_computed_where_it_is_used_and_what_is_dear_stays() {
        check(
            &looped("x : Real(2), y : Real(2) ⊢ ⌊y.rd(u. swish[2](u))(x)⌋").inlined(),
            "
                for i < 2
                  v2 = σ(x0[i])
                  b3[i] = (x1[i] · (v2 + ((x0[i] · v2) · (1 − v2))))",
        );
        check(
            &looped("x : Real(2) ⊢ ⌊hadamard[2](exp[2](x), broadcast[2](sum[2](exp[2](x))))⌋")
                .inlined(),
            "
                for i < 2
                  b1[i] = exp(x0[i])
                at one point
                  s = the sum over i < 2 of b1[i]
                  b2[0] = s
                for i < 2
                  b4[i] = (b1[i] · (0 + b2[0]))",
        );
    }

    #[test]
    fn loops_over_one_space_are_one() {
        check(
            &looped("x : Real(2) ⊢ ⌊⟨swish[2](x), x + x⟩⌋").joined(),
            "
                for i < 2
                  b1[i] = (x0[i] · σ(x0[i]))
                  b2[i] = (x0[i] + x0[i])",
        );
        check(
            &looped("x : Real(2) ⊢ let m ⇐ Get[w]() in ⌊swish[2](matmul[2, 2, 1](m, x))⌋").joined(),
            "
                for i < 2
                  s = the sum over j < 2 of (w[2 i + j] · x0[j])
                  b3[i] = (s · σ(s))",
        );
        check(
            &looped("x : Real(2) ⊢ ⌊⟨swish[2](x), sum[2](x)⟩⌋").joined(),
            "
                for i < 2
                  b1[i] = (x0[i] · σ(x0[i]))
                at one point
                  s = the sum over i < 2 of x0[i]
                  b2[0] = s",
        );
    }
}
