//! Embedding of the plan of a loop's body into the plan around the loop over moments.

use crate::line::Repeat;
use crate::loops::{Holds, Item, Plan, Rounds, set};

impl Plan {
    /// Adds a loop over moments whose body has this plan; returns the buffers of its results.
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
        // The body reads a constant where it is; every other buffer of the body becomes a new buffer.
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
                    set(&mut states, j, Some(own));
                }
                Holds::Local => rounds.local.push(own),
                Holds::Constant(_) => {}
            }
        }
        let number = |buffer: usize| renamed.get(buffer).copied().unwrap_or(usize::MAX);
        let statements = self.origins.len();
        for item in &mut rounds.items {
            item.each_buffer(&mut |buffer, _| *buffer = number(*buffer));
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
            let size = self.size(entry) * repeat.moments.count;
            let sequence = self.buffer(size, Holds::Local);
            rounds.results.push((entry, sequence));
            // The entry is read after the items of the moment, so it is not local.
            rounds.local.retain(|local| *local != entry);
            given.push(sequence);
        }
        self.items.push(Item::Repeat(Box::new(rounds)));
        given
    }
}
