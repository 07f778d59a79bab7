//! Fusion of loops: reads of copies become reads of the originals, entry-by-entry loops join their consumer or their producer, and loops
//! whose results nothing reads are dropped.

use crate::compose::{inlined, reshaped, view};
use crate::loops::{Access, Holds, Item, Loop, Plan, Rounds, Source, may_stop};
use fletch_smooth::{Binary, Elementary, Operation};

/// Maximum number of operations that are recomputed at each use instead of being stored and read.
const CHEAP: usize = 2;

/// Maximum number of assignments in a fused loop: no machine has so many registers, and planning time would grow with the square.
const LARGE: usize = 400;

/// Writers and readers of each buffer, as item numbers.
pub(crate) struct Uses {
    writers: Vec<Vec<usize>>,
    readers: Vec<Vec<usize>>,
}

impl Uses {
    pub(crate) fn of(plan: &Plan) -> Uses {
        let none = || vec![Vec::new(); plan.buffers.len()];
        let mut uses = Uses {
            writers: none(),
            readers: none(),
        };
        for number in 0..plan.items.len() {
            uses.note(number, plan);
        }
        // The end of the step reads the outputs.
        for output in &plan.outputs {
            let end = plan.items.len();
            if let Some(slot) = uses.readers.get_mut(*output) {
                slot.push(end);
            }
        }
        uses
    }

    /// Records the reads and writes of an item.
    pub(crate) fn note(&mut self, number: usize, plan: &Plan) {
        let Some(item) = plan.items.get(number) else {
            return;
        };
        self.writers.resize(plan.buffers.len(), Vec::new());
        self.readers.resize(plan.buffers.len(), Vec::new());
        for buffer in item.writes() {
            if let Some(slot) = self.writers.get_mut(buffer) {
                slot.push(number);
            }
        }
        for buffer in item.reads() {
            if let Some(slot) = self.readers.get_mut(buffer) {
                slot.push(number);
            }
        }
    }

    /// Removes the reads and writes of an item.
    pub(crate) fn forget(&mut self, number: usize, plan: &Plan) {
        let Some(item) = plan.items.get(number) else {
            return;
        };
        for buffer in item.writes() {
            if let Some(slot) = self.writers.get_mut(buffer) {
                slot.retain(|other| *other != number);
            }
        }
        for buffer in item.reads() {
            if let Some(slot) = self.readers.get_mut(buffer) {
                slot.retain(|other| *other != number);
            }
        }
    }

    /// The items that read a buffer; one past the last item stands for the end of the step, which reads outputs.
    pub(crate) fn readers(&self, buffer: usize) -> &[usize] {
        self.readers.get(buffer).map_or(&[], Vec::as_slice)
    }

    /// The items that write a buffer.
    pub(crate) fn writers(&self, buffer: usize) -> &[usize] {
        self.writers.get(buffer).map_or(&[], Vec::as_slice)
    }

    /// The only item that writes a buffer; `None` if there are several.
    fn writer(&self, buffer: usize) -> Option<usize> {
        match self.writers.get(buffer)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}

/// True if an operation is *dear*: it costs more than a read of its result.
pub(crate) fn dear(operation: &Operation) -> bool {
    cost(std::slice::from_ref(operation)).is_none()
}

/// Operands of an operation, as positions of earlier assignments.
pub fn operands(operation: &Operation) -> Vec<usize> {
    match *operation {
        Operation::Read(_) | Operation::Index(_) | Operation::Constant(_) => Vec::new(),
        Operation::Map(_, x) => vec![x],
        Operation::Binary(_, a, b) => vec![a, b],
        Operation::Choose(_, four) => four.to_vec(),
    }
}

/// Number of operations of a body, without reads, constants and indices; `None` if an operation is dear.
fn cost(body: &[Operation]) -> Option<usize> {
    body.iter().try_fold(0, |cost, operation| match operation {
        Operation::Read(_) | Operation::Constant(_) | Operation::Index(_) => Some(cost),
        Operation::Map(Elementary::Neg | Elementary::Abs, _)
        | Operation::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Max, ..)
        | Operation::Choose(..) => Some(cost + 1),
        Operation::Map(..) | Operation::Binary(Binary::Div | Binary::Pow, ..) => None,
    })
}

impl Plan {
    /// Plan with producers inlined into their consumers.
    #[must_use]
    pub fn inlined(&self) -> Plan {
        let uses = Uses::of(self);
        let mut plan = self.clone();
        for number in 0..plan.items.len() {
            let Some(item) = plan.items.get(number) else {
                break;
            };
            let item = match item {
                Item::Loop(each) => Item::Loop(plan.reading_through(each.clone(), &uses)),
                Item::Scatter(scatter) => {
                    let mut scatter = scatter.clone();
                    for read in &mut scatter.reads {
                        plan.seen_through(read, &scatter.extents, &uses);
                    }
                    Item::Scatter(scatter)
                }
                other => other.clone(),
            };
            set(&mut plan.items, number, item.clone());
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
        let last = *value + 1 == each.body.len();
        let whole = write.is_all(&each.space, found.size);
        (found.holds == Holds::Local && each.sum.is_none() && last && whole).then_some(each)
    }

    fn seen_through(&self, read: &mut Access, extents: &[usize], uses: &Uses) {
        while let Some(found) = self
            .producer(read.buffer, uses)
            .and_then(|producer| view(producer, read, extents))
        {
            *read = found;
        }
    }

    fn reading_through(&self, mut each: Loop, uses: &Uses) -> Loop {
        if let Some(sum) = &mut each.sum {
            let extents = [each.space.as_slice(), &sum.extents].concat();
            for read in &mut sum.reads {
                self.seen_through(read, &extents, uses);
            }
        }
        let mut made = Assignments::default();
        let through = |made: &mut Assignments, position: usize| match each.sources.get(position) {
            Some(Source::Entry(access)) => self.entry(access, &each, uses, made),
            _ => made.read(Source::Sum),
        };
        let registers = made.copy(&each.body, through);
        for (_, value) in &mut each.writes {
            *value = registers.get(*value).copied().unwrap_or(*value);
        }
        (each.sources, each.body) = (made.sources, made.body);
        each
    }

    /// Register of an operand of a loop, which reads an entry of a buffer or holds the result of the producer's inlined body.
    fn entry(&self, access: &Access, reader: &Loop, uses: &Uses, made: &mut Assignments) -> usize {
        let found = self.producer(access.buffer, uses).filter(|producer| {
            let size = self
                .buffers
                .get(access.buffer)
                .map_or(0, |buffer| buffer.size);
            let once = uses.readers(access.buffer).len() == 1 && access.is_all(&reader.space, size);
            let small = made.body.len() + producer.body.len() <= LARGE;
            (once && small) || cost(&producer.body).is_some_and(|cost| cost <= CHEAP)
        });
        let found = found.and_then(|producer| inlined(producer, access, &reader.space));
        let Some((sources, body)) = found else {
            return made.read(Source::Entry(access.clone()));
        };
        let registers = made.copy(&body, |made, position| match sources.get(position) {
            Some(access) => made.read(Source::Entry(access.clone())),
            None => made.read(Source::Sum),
        });
        registers.last().copied().unwrap_or(0)
    }

    /// Plan with loops over the same space fused, where one reads at each point an entry that the other reads or writes there.
    #[must_use]
    pub fn joined(&self) -> Plan {
        let mut plan = self.clone();
        let mut number = 0;
        let mut uses = Uses::of(&plan);
        while number < plan.items.len() {
            if let Some((earlier, stays, joined)) = plan.joint(number, &uses) {
                let (kept, gone) = if stays {
                    (earlier, number)
                } else {
                    (number, earlier)
                };
                // A dropped item leaves an empty loop, so that all other items keep their numbers; a sweep at the end removes it.
                for changed in [kept, gone] {
                    uses.forget(changed, &plan);
                }
                set(&mut plan.items, kept, Item::Loop(joined));
                set(&mut plan.items, gone, Item::Loop(Loop::nothing()));
                uses.note(kept, &plan);
                if gone == number {
                    number += 1;
                }
            } else {
                number += 1;
            }
        }
        plan.swept()
    }

    /// An earlier loop with which this loop can fuse, true if the fused loop takes the position of the earlier loop, and the fused loop.
    fn joint(&self, number: usize, uses: &Uses) -> Option<(usize, bool, Loop)> {
        let Some(Item::Loop(each)) = self.items.get(number) else {
            return None;
        };
        if each.sum.is_some()
            || each
                .writes
                .iter()
                .any(|(write, _)| uses.writer(write.buffer).is_none())
        {
            return None;
        }
        let whole = each.sources.iter().filter_map(|source| match source {
            Source::Entry(access) => {
                let size = self.buffers.get(access.buffer)?.size;
                access.is_all(&each.space, size).then_some((access, size))
            }
            Source::Sum => None,
        });
        let mut found = whole.flat_map(|(access, size)| {
            let writer = uses.writer(access.buffer).into_iter();
            let readers = uses.readers(access.buffer).iter().copied();
            writer
                .chain(readers)
                .filter(|earlier| *earlier < number)
                .filter_map(move |earlier| {
                    let Item::Loop(before) = self.items.get(earlier)? else {
                        return None;
                    };
                    before.touches_all(access.buffer, size).then_some(())?;
                    (before.body.len() + each.body.len() <= LARGE).then_some(())?;
                    let each = reshaped(each, &before.space)?;
                    let stays = self.joins(number, earlier, uses)?;
                    Some((earlier, stays, together(before, &each, self)))
                })
        });
        found.next()
    }

    /// True if the two loops fuse at the earlier one's position, false if at the later one's; `None` if they do not fuse.
    fn joins(&self, number: usize, earlier: usize, uses: &Uses) -> Option<bool> {
        let (Item::Loop(each), Item::Loop(before)) =
            (self.items.get(number)?, self.items.get(earlier)?)
        else {
            return None;
        };
        // Fusion requires that an entry written by one and read by the other belongs to the same point.
        let at_hand = each.reads().all(|read| {
            let size = self
                .buffers
                .get(read.buffer)
                .map_or(0, |buffer| buffer.size);
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
        let written = |buffer: usize| uses.writers.get(buffer).is_some_and(|items| between(items));
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
                Item::Fill(buffer) => is_read(*buffer),
                Item::Scatter(scatter) => is_read(scatter.write.buffer),
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
                item.reads()
                    .into_iter()
                    .for_each(|buffer| set(read, buffer, true));
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

fn set<T>(slots: &mut [T], at: usize, value: T) {
    if let Some(slot) = slots.get_mut(at) {
        *slot = value;
    }
}

/// Builder of a body in single-assignment form, without duplicate assignments. A *register* is the position of an assignment in the body.
#[derive(Default)]
pub(crate) struct Assignments {
    pub(crate) sources: Vec<Source>,
    pub(crate) body: Vec<Operation>,
}

impl Assignments {
    pub(crate) fn read(&mut self, source: Source) -> usize {
        let known = self.sources.iter().position(|other| *other == source);
        let position = known.unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        });
        self.push(Operation::Read(position))
    }

    pub(crate) fn push(&mut self, operation: Operation) -> usize {
        // Constants are compared by their bits, for −0 is not 0.
        let same = |other: &Operation| match (operation, *other) {
            (Operation::Constant(a), Operation::Constant(b)) => a.to_bits() == b.to_bits(),
            (operation, other) => operation == other,
        };
        let known = self.body.iter().position(same);
        known.unwrap_or_else(|| {
            self.body.push(operation);
            self.body.len() - 1
        })
    }

    /// Adds the assignments of a body; returns the register of each. `read` gives the register of a source, by its position.
    pub(crate) fn copy(
        &mut self,
        body: &[Operation],
        read: impl FnMut(&mut Self, usize) -> usize,
    ) -> Vec<usize> {
        let all = body.iter().map(Some);
        self.rewrite(all, read, |made, _, operation| made.push(operation))
    }

    /// Adds the assignments of a body; returns the register of each, and `usize::MAX` for a `None`, which is left out. `read` gives the
    /// register of a source, by its position. `write` gives the register of any other operation, from the original operation and from the
    /// operation on the new registers of its operands.
    pub(crate) fn rewrite<'b>(
        &mut self,
        body: impl Iterator<Item = Option<&'b Operation>>,
        mut read: impl FnMut(&mut Self, usize) -> usize,
        mut write: impl FnMut(&mut Self, &Operation, Operation) -> usize,
    ) -> Vec<usize> {
        let mut registers = Vec::new();
        for operation in body {
            registers.push(match operation {
                Some(Operation::Read(position)) => read(self, *position),
                Some(other) => write(self, other, renamed(other, &registers)),
                None => usize::MAX,
            });
        }
        registers
    }
}

/// Operation whose operands are renumbered to new registers.
fn renamed(operation: &Operation, registers: &[usize]) -> Operation {
    let at = |register: usize| registers.get(register).copied().unwrap_or(register);
    match *operation {
        Operation::Map(function, x) => Operation::Map(function, at(x)),
        Operation::Binary(binary, a, b) => Operation::Binary(binary, at(a), at(b)),
        Operation::Choose(is, operands) => Operation::Choose(is, operands.map(at)),
        other => other,
    }
}

/// Fusion of two loops over the same space: reads of the second from writes of the first become registers.
fn together(first: &Loop, second: &Loop, plan: &Plan) -> Loop {
    let mut made = Assignments {
        sources: first.sources.clone(),
        body: first.body.clone(),
    };
    let written = |access: &Access| {
        let size = plan.buffers.get(access.buffer)?.size;
        let mut writes = first.writes.iter();
        let same = |(write, _): &&(Access, usize)| {
            write.buffer == access.buffer && access.is_all(&first.space, size)
        };
        writes.find(same).map(|(_, value)| *value)
    };
    let registers = made.copy(&second.body, |made, position| {
        match second.sources.get(position) {
            Some(Source::Entry(access)) => {
                written(access).unwrap_or_else(|| made.read(Source::Entry(access.clone())))
            }
            _ => made.read(Source::Sum),
        }
    });
    let later = second.writes.iter().map(|(write, value)| {
        let value = registers.get(*value).copied().unwrap_or(*value);
        (write.clone(), value)
    });
    let mut part_of = [first.part_of.as_slice(), &second.part_of].concat();
    part_of.sort_unstable();
    part_of.dedup();
    Loop {
        space: first.space.clone(),
        sum: first.sum.clone(),
        sources: made.sources,
        body: made.body,
        writes: first.writes.iter().cloned().chain(later).collect(),
        part_of,
    }
}

impl Loop {
    /// True if the loop reads or writes all of a buffer of this size, in order.
    fn touches_all(&self, buffer: usize, size: usize) -> bool {
        let all = |access: &Access| access.buffer == buffer && access.is_all(&self.space, size);
        let reads = |source: &Source| matches!(source, Source::Entry(access) if all(access));
        self.sources.iter().any(reads) || self.writes.iter().any(|(write, _)| all(write))
    }

    /// Drops assignments that no write needs, and the sum if no assignment reads it.
    pub(crate) fn tidy(&mut self) {
        let mut needed = vec![false; self.body.len()];
        for (_, value) in &self.writes {
            set(&mut needed, *value, true);
        }
        for (number, operation) in self.body.iter().enumerate().rev() {
            if needed.get(number).copied().unwrap_or(false) {
                for operand in operands(operation) {
                    set(&mut needed, operand, true);
                }
            }
        }
        let mut made = Assignments::default();
        let kept = self.body.iter().zip(needed);
        let kept = kept.map(|(operation, needed)| needed.then_some(operation));
        let same = |made: &mut Assignments, position: usize| {
            let source = self.sources.get(position).cloned();
            made.read(source.unwrap_or(Source::Sum))
        };
        let registers = made.rewrite(kept, same, |made, _, operation| made.push(operation));
        for (_, value) in &mut self.writes {
            *value = registers.get(*value).copied().unwrap_or(*value);
        }
        if !made.sources.contains(&Source::Sum) {
            self.sum = None;
        }
        (self.sources, self.body) = (made.sources, made.body);
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
