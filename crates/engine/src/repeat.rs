//! Loops of a line and of a plan: a body that runs once for each moment. A body is a line of its own, planned as a training step is:
//! its states are locations, read first and written last, and the entries of its sequences are inputs and outputs.

use crate::line::{Line, Op};
use crate::loops::{Holds, Item, Plan};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Loop as an operation of a line. It takes constants, first states and sequences, and gives last states and sequences; a sequence is
/// the entries of all moments, one after the other.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// Moments.
    pub moments: Moments,
    /// The statements of a moment. Its inputs are the constants, then an entry of each sequence; its locations are the states; its
    /// outputs are an entry of each sequence of results.
    pub body: Arc<Line>,
    /// The sizes of the states.
    pub states: Vec<usize>,
    /// Number of constants.
    pub constants: usize,
}

/// Moments of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    /// Number of moments.
    pub count: usize,
    /// True if time runs backwards: the entries from the last to the first.
    pub backwards: bool,
}

impl Moments {
    /// Their numbers, in the order of time.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        let last = self.count.saturating_sub(1);
        (0..self.count).map(move |t| if self.backwards { last - t } else { t })
    }
}

impl PartialEq for Repeat {
    fn eq(&self, other: &Repeat) -> bool {
        Arc::ptr_eq(&self.body, &other.body)
    }
}

impl Eq for Repeat {}

impl Hash for Repeat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.body).hash(state);
    }
}

impl Repeat {
    /// Sizes of the arguments.
    pub(crate) fn inputs(&self) -> Vec<usize> {
        let inputs = self.body.map.inputs();
        let (constants, entries) = inputs.split_at(self.constants.min(inputs.len()));
        let sequences: Vec<usize> = entries
            .iter()
            .map(|size| size * self.moments.count)
            .collect();
        [constants, &self.states, &sequences].concat()
    }

    /// Sizes of the results.
    pub(crate) fn outputs(&self) -> Vec<usize> {
        let map = &self.body.map;
        let entries = map.outputs().iter().map(|wire| map.size(*wire));
        let sequences = entries.map(|size| size * self.moments.count);
        self.states.iter().copied().chain(sequences).collect()
    }

    /// True if a primitive of its body may not be defined.
    pub(crate) fn is_partial(&self) -> bool {
        let statements = self.body.map.statements().iter();
        let mut applied = statements.map(|statement| &statement.applied);
        applied.any(|op| match op {
            Op::Primitive(primitive) => primitive.is_partial(),
            Op::Repeat(inner) => inner.is_partial(),
            Op::Constant(_) | Op::Get(..) | Op::Put(..) => false,
        })
    }
}

/// Loop as an item of a plan. Its buffers are among those of the plan; the ones that only a moment uses are local to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Moments.
    pub moments: Moments,
    /// States: before the first moment the first buffer is copied to the second.
    pub first: Vec<(usize, usize)>,
    /// Entries: before each moment that of the first buffer, a sequence, is copied to the second.
    pub entries: Vec<(usize, usize)>,
    /// Items of a moment.
    pub items: Vec<Item>,
    /// Results: after each moment the first buffer is copied to its place in the second, a sequence.
    pub results: Vec<(usize, usize)>,
    /// Last states: after the last moment the first buffer is copied to the second.
    pub last: Vec<(usize, usize)>,
    /// Buffers that a moment writes before it reads them, and nothing else uses.
    pub local: Vec<usize>,
    /// The statement of the arrow.
    pub part_of: Option<usize>,
}

impl Rounds {
    /// The buffers that it reads.
    pub(crate) fn reads(&self) -> Vec<usize> {
        let copied = [&self.first, &self.entries, &self.results, &self.last];
        let copied = copied.into_iter().flatten().map(|(from, _)| *from);
        copied
            .chain(self.items.iter().flat_map(Item::reads))
            .collect()
    }

    /// The buffers that it writes.
    pub(crate) fn writes(&self) -> Vec<usize> {
        let copied = [&self.first, &self.entries, &self.results, &self.last];
        let copied = copied.into_iter().flatten().map(|(_, to)| *to);
        copied
            .chain(self.items.iter().flat_map(Item::writes))
            .collect()
    }

    /// Reads another buffer in place of one.
    pub(crate) fn read_instead(&mut self, of: usize, other: usize) {
        let copied = [
            &mut self.first,
            &mut self.entries,
            &mut self.results,
            &mut self.last,
        ];
        for (from, _) in copied.into_iter().flatten() {
            if *from == of {
                *from = other;
            }
        }
        for item in &mut self.items {
            item.read_instead(of, other);
        }
    }

    /// Calls `what` with each buffer that it names.
    pub(crate) fn each_buffer(&mut self, what: &mut dyn FnMut(&mut usize)) {
        let copied = [
            &mut self.first,
            &mut self.entries,
            &mut self.results,
            &mut self.last,
        ];
        for (from, to) in copied.into_iter().flatten() {
            what(from);
            what(to);
        }
        self.local.iter_mut().for_each(&mut *what);
        for item in &mut self.items {
            item.each_buffer(what);
        }
    }
}

/// True if one of the items may stop where a primitive is not defined.
pub(crate) fn may_stop(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Check { .. } => true,
        Item::Repeat(rounds) => may_stop(&rounds.items),
        Item::Fill(_) | Item::Loop(_) | Item::Scatter(_) | Item::Put { .. } => false,
    })
}

impl Plan {
    /// Adds a loop whose body has this plan; the buffers of its results.
    pub(crate) fn repeat(
        &mut self,
        repeat: &Repeat,
        body: Plan,
        arguments: &[usize],
        part_of: Option<usize>,
    ) -> Vec<usize> {
        let (constants, rest) = arguments.split_at(repeat.constants.min(arguments.len()));
        let (first, sequences) = rest.split_at(repeat.states.len().min(rest.len()));
        let mut rounds = Rounds {
            moments: repeat.moments,
            first: Vec::new(),
            entries: Vec::new(),
            items: body.items,
            results: Vec::new(),
            last: Vec::new(),
            local: Vec::new(),
            part_of,
        };
        // A constant is read where it is; all else of the body gets a buffer of its own.
        let mut renamed = Vec::new();
        let mut states: Vec<Option<usize>> = vec![None; repeat.states.len()];
        for buffer in body.buffers {
            let constant = match &buffer.holds {
                Holds::Input(k) => constants.get(*k).copied(),
                _ => None,
            };
            if let Some(constant) = constant {
                renamed.push(constant);
                continue;
            }
            let holds = match &buffer.holds {
                Holds::Constant(_) => buffer.holds.clone(),
                _ => Holds::Local,
            };
            let size = buffer.size;
            let own = self.buffer(size, holds);
            renamed.push(own);
            match buffer.holds {
                Holds::Input(k) => {
                    let sequence = sequences.get(k - constants.len()).copied();
                    rounds.entries.extend(sequence.map(|from| (from, own)));
                }
                Holds::Cell(j) => {
                    rounds.first.extend(first.get(j).map(|from| (*from, own)));
                    if let Some(slot) = states.get_mut(j) {
                        *slot = Some(own);
                    }
                }
                Holds::Local => rounds.local.push(own),
                Holds::Constant(_) => {}
            }
        }
        let number = |buffer: usize| renamed.get(buffer).copied().unwrap_or(usize::MAX);
        let statements = self.origins.len();
        for item in &mut rounds.items {
            item.each_buffer(&mut |buffer| *buffer = number(*buffer));
            item.each_statement(&mut |statement| *statement += statements);
        }
        self.origins.extend(body.origins);
        let mut given = Vec::new();
        for (j, size) in repeat.states.iter().enumerate() {
            let last = self.buffer(*size, Holds::Local);
            // A state that the body neither reads nor writes stays as it was.
            let state = states.get(j).copied().flatten();
            let from = state.or_else(|| first.get(j).copied());
            rounds.last.extend(from.map(|from| (from, last)));
            given.push(last);
        }
        for output in body.outputs {
            let entry = number(output);
            let size = self.buffers.get(entry).map_or(0, |buffer| buffer.size);
            let sequence = self.buffer(size * repeat.moments.count, Holds::Local);
            rounds.results.push((entry, sequence));
            // An entry is read after the items of the moment.
            rounds.local.retain(|local| *local != entry);
            given.push(sequence);
        }
        self.items.push(Item::Repeat(Box::new(rounds)));
        given
    }
}
