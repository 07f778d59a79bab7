//! Memory layout of a plan: a location is updated in place where its old contents are dead, and buffers with disjoint live ranges
//! share memory.

use crate::loops::{Access, Holds, Item, Plan, set};

/// Memory layout of a plan's buffers, in units of one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Start and size of each buffer; size 0 for a local one that no item touches.
    pub places: Vec<(usize, usize)>,
    /// Size of the memory.
    pub size: usize,
}

/// Alignment of buffers, in numbers: rows begin at a cache line, and a whole vector fits behind the end of a buffer.
pub(crate) const ALIGNED: usize = 8;

impl Plan {
    /// The plan with each location written by the loop that computes its contents, where nothing reads the old ones later.
    #[must_use]
    pub fn in_place(&self) -> Plan {
        let mut plan = self.clone();
        for item in &self.items {
            if let Item::Put { cell, from } = *item
                && let Some((writer, last)) = plan.can_be_in_place(cell, from)
            {
                if let Some(moved) = plan.items.get_mut(writer..=last) {
                    moved.rotate_left(1);
                }
                plan.items.retain(|item| *item != Item::Put { cell, from });
                for item in &mut plan.items {
                    item.each_buffer(&mut |buffer, _| {
                        if *buffer == from {
                            *buffer = cell;
                        }
                    });
                }
            }
        }
        plan
    }

    /// Number of the loop that computes a location's new contents, and number of the item after which that loop can write them in place.
    fn can_be_in_place(&self, cell: usize, from: usize) -> Option<(usize, usize)> {
        let buffer = self.buffers.get(from)?;
        if buffer.holds != Holds::Local || self.outputs.contains(&from) {
            return None;
        }
        let put = |item: &Item| *item == Item::Put { cell, from };
        let touching = |what: &dyn Fn(&Item) -> bool| -> Vec<usize> {
            let items = self.items.iter().enumerate();
            let items = items.filter(|(_, item)| !put(item) && what(item));
            items.map(|(number, _)| number).collect()
        };
        let [writer] = touching(&|item| item.writes_to(from))[..] else {
            return None;
        };
        let Some(Item::Loop(each)) = self.items.get(writer) else {
            return None;
        };
        // An entry-by-entry loop reads each entry before it writes it.
        let whole = |access: &Access| access.is_all(&each.space, buffer.size);
        let (write, _) = each.writes.iter().find(|(write, _)| write.buffer == from)?;
        let mut terms = each.sum.iter().flat_map(|sum| sum.body.entries());
        let apart = terms.all(|read| read.buffer != cell);
        let mut old = each.body.entries().filter(|read| read.buffer == cell);
        if !whole(write) || !apart || !old.all(whole) {
            return None;
        }
        // The loop moves behind all readers of the old contents, and stays before all readers of the new ones.
        let readers = touching(&|item| item.reads_from(cell));
        let last = readers.into_iter().filter(|number| *number != writer).max();
        let last = last.map_or(writer, |last| last.max(writer));
        let passed = self.items.get(writer + 1..=last).unwrap_or(&[]);
        let made: Vec<usize> = each.writes.iter().map(|(write, _)| write.buffer).collect();
        let read: Vec<usize> = each.reads().map(|read| read.buffer).collect();
        let free = passed.iter().all(|item| {
            let (reads, writes) = (item.reads(), item.writes());
            let clash = |buffer: &usize| read.contains(buffer) || made.contains(buffer);
            !reads.iter().any(|buffer| made.contains(buffer)) && !writes.iter().any(clash)
        });
        free.then_some((writer, last))
    }

    /// Memory layout: inputs, constants and locations have memory of their own; an output is live during the whole step.
    pub fn layout(&self) -> Layout {
        // Live range of each buffer: the first and the last item that touch it.
        let mut lives: Vec<Option<(usize, usize)>> = vec![None; self.buffers.len()];
        let mut touch = |buffer: usize, from, to| {
            if let Some(life) = lives.get_mut(buffer) {
                let (first, last) = life.unwrap_or((from, to));
                *life = Some((first.min(from), last.max(to)));
            }
        };
        let mut now = 0;
        live(&self.items, &mut now, &mut touch);
        for output in &self.outputs {
            touch(*output, 0, now);
        }
        let mut layout = Layout {
            places: vec![(0, 0); self.buffers.len()],
            size: 0,
        };
        let mut order: Vec<(usize, usize, usize, usize)> = Vec::new();
        for (number, (buffer, life)) in self.buffers.iter().zip(&lives).enumerate() {
            let room = buffer.size.next_multiple_of(ALIGNED);
            match (&buffer.holds, life) {
                (Holds::Local, Some((first, last))) => order.push((*first, *last, number, room)),
                (Holds::Local, None) => {}
                _ => {
                    set(&mut layout.places, number, (layout.size, buffer.size));
                    layout.size += room;
                }
            }
        }
        order.sort_unstable();
        // Memory in use, sorted by start: last item of the live range, start and size.
        let mut taken: Vec<(usize, usize, usize)> = Vec::new();
        let base = layout.size;
        for (first, last, number, room) in order {
            taken.retain(|(until, ..)| *until >= first);
            let mut start = base;
            let mut at = 0;
            for (position, (_, other, size)) in taken.iter().enumerate() {
                if start + room <= *other {
                    break;
                }
                start = other + size;
                at = position + 1;
            }
            taken.insert(at, (last, start, room));
            layout.size = layout.size.max(start + room);
            set(&mut layout.places, number, (start, self.size(number)));
        }
        layout
    }
}

/// Calls `touch` with each buffer that these items touch, and the numbers of the first and the last item that touch it. Items inside of
/// loops over moments are numbered too. A buffer that such a loop touches is live during the whole loop, unless it is local to a moment.
fn live(items: &[Item], now: &mut usize, touch: &mut dyn FnMut(usize, usize, usize)) {
    for item in items {
        let begin = *now;
        *now += 1;
        let local: &[usize] = match item {
            Item::Repeat(rounds) => {
                live(&rounds.items, now, &mut |buffer, from, to| {
                    if rounds.local.contains(&buffer) {
                        touch(buffer, from, to);
                    }
                });
                &rounds.local
            }
            _ => &[],
        };
        for buffer in item.reads().into_iter().chain(item.writes()) {
            if !local.contains(&buffer) {
                touch(buffer, begin, *now - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{check, looped};

    #[test]
    fn a_location_is_written_by_the_loop_that_computes_its_contents() {
        check(
            &looped("x : Real(2) ⊢ let a ⇐ Get[v]() in let _ ⇐ Put[v](a + x) in ⌊x⌋").in_place(),
            "
                for i < 2
                  v[i] = (v[i] + x0[i])",
        );
        check(
            &looped(
                "x : Real(2) ⊢ let m ⇐ Get[w]() in let _ ⇐ Put[v](matmul[2, 2, 1](m, x)) in ⌊x⌋",
            )
            .in_place(),
            "
                for i < 2
                  s = the sum over j < 2 of (w[2 i + j] · x0[j])
                  v[i] = s",
        );
    }

    #[test]
    fn it_is_written_after_all_that_reads_the_old_contents() {
        check(
            &looped("x : Real(2) ⊢ let a ⇐ Get[v]() in let _ ⇐ Put[v](a + x) in ⌊a⌋")
                .joined()
                .in_place(),
            "
                for i < 2
                  b3[i] = v[i]
                  v[i] = (v[i] + x0[i])",
        );
        check(
            &looped("x : Real(2) ⊢ let m ⇐ Get[w]() in let a ⇐ Get[v]() in let _ ⇐ Put[v](matmul[2, 2, 1](m, a)) in ⌊x⌋").in_place(),
            "
                for i < 2
                  s = the sum over j < 2 of (w[2 i + j] · v[j])
                  b3[i] = s
                v = b3",
        );
    }
}
