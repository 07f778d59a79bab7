//! Steps of a run, in blocks. Reduction is deterministic: the steps of most blocks of a long run are forgotten, and recomputed from the
//! state before the block when one of its positions is requested. So a trace of a million steps keeps some thousand states. Every view
//! reports the heap writes of the whole run, so the steps of the first [`WRITES`] writes stay.

use fletch_reduction::{Progress, State, Step, advance};
use std::cell::{OnceCell, RefCell};

/// Number of steps of a block.
const BLOCK: usize = 256;

/// Maximum number of steps that are kept between two requests.
const KEPT: usize = 1 << 14;

/// Maximum number of writes whose steps stay.
const WRITES: usize = 1 << 12;

/// Number of steps kept with a write: the write, and the steps before it that evaluate the stored value.
const EVALUATING: usize = 8;

/// Steps of a run, as far as they have been computed.
#[derive(Debug)]
pub(crate) struct Steps {
    start: State,
    blocks: Vec<Block>,
    /// Numbers of the blocks whose steps may be forgotten, in the order in which the steps were computed.
    made: RefCell<Vec<usize>>,
    /// Steps that write, and the steps before each, with their positions, ascending.
    writing: Vec<(usize, Step)>,
    writes: usize,
    len: usize,
    /// Maximum number of blocks, without the last, that keep their steps between two requests.
    kept: usize,
}

#[derive(Debug)]
struct Block {
    before: State,
    /// Number of steps of the block; less than [`BLOCK`] only in the last block.
    len: usize,
    steps: OnceCell<Vec<Step>>,
}

impl Steps {
    /// Makes an empty list of steps from a start state.
    pub(crate) fn new(start: State) -> Steps {
        Steps {
            start,
            blocks: Vec::new(),
            made: RefCell::default(),
            writing: Vec::new(),
            writes: 0,
            len: 0,
            kept: KEPT / BLOCK,
        }
    }

    pub(crate) fn start(&self) -> &State {
        &self.start
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Limits the number of steps kept between two requests.
    pub(crate) fn keep(&mut self, steps: usize) {
        self.kept = steps / BLOCK;
    }

    /// Adds the next step.
    pub(crate) fn push(&mut self, step: Step) {
        if self.len.is_multiple_of(BLOCK) {
            let before = self.last().clone();
            let ended = self.blocks.len().checked_sub(1);
            self.made.get_mut().extend(ended);
            self.blocks.push(Block {
                before,
                len: 0,
                steps: OnceCell::from(Vec::new()),
            });
        }
        let writes = step.write.is_some();
        // The last block is never forgotten.
        if let Some(block) = self.blocks.last_mut()
            && let Some(steps) = block.steps.get_mut()
        {
            steps.push(step);
            block.len += 1;
            self.len += 1;
        }
        if writes && self.writes < WRITES {
            self.writes += 1;
            self.keep_writing();
        }
    }

    /// Copies the last steps into `writing`.
    fn keep_writing(&mut self) {
        let known = self.writing.last().map_or(0, |(position, _)| position + 1);
        let from = known.max(self.len.saturating_sub(EVALUATING));
        for position in from..self.len {
            if let Some(step) = self.get(position).cloned() {
                self.writing.push((position, step));
            }
        }
    }

    /// The step from this position to the next.
    pub(crate) fn get(&self, position: usize) -> Option<&Step> {
        let number = position / BLOCK;
        if !self.blocks.get(number)?.is_known()
            && let Ok(at) = (self.writing).binary_search_by_key(&position, |(known, _)| *known)
        {
            return self.writing.get(at).map(|(_, step)| step);
        }
        self.block(number)?.get(position % BLOCK)
    }

    /// The state after all steps.
    pub(crate) fn last(&self) -> &State {
        let last = self.len.checked_sub(1).and_then(|last| self.get(last));
        last.map_or(&self.start, |step| &step.next)
    }

    /// Forgets the steps of the blocks computed first, until at most `kept` blocks and the last block have steps. Returns true if steps
    /// were forgotten.
    pub(crate) fn forget(&mut self) -> bool {
        let made = self.made.get_mut();
        let more = made.len().saturating_sub(self.kept);
        for number in made.drain(..more) {
            if let Some(block) = self.blocks.get_mut(number) {
                block.steps.take();
            }
        }
        more > 0
    }

    /// Number of steps in the blocks whose steps are stored.
    pub(crate) fn stored(&self) -> usize {
        let known = self.blocks.iter().filter(|block| block.is_known());
        known.map(|block| block.len).sum()
    }

    fn block(&self, number: usize) -> Option<&[Step]> {
        let block = self.blocks.get(number)?;
        // The preceding block, if stored, gives the state before the block: sentences follow a value by the identity of its nodes.
        let before = number.checked_sub(1).and_then(|before| {
            let steps = self.blocks.get(before)?.steps.get()?;
            Some(&steps.last()?.next)
        });
        let before = before.unwrap_or(&block.before);
        Some(block.steps.get_or_init(|| {
            self.made.borrow_mut().push(number);
            again(before, block.len)
        }))
    }
}

impl Block {
    fn is_known(&self) -> bool {
        self.steps.get().is_some()
    }
}

/// Recomputes the steps from a state.
fn again(before: &State, count: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(count);
    while steps.len() < count {
        let state = steps.last().map_or(before, |step| &step.next);
        match advance(state) {
            Progress::Step(step) => steps.push(*step),
            Progress::Done(_) | Progress::Stuck(_) => break,
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::{BLOCK, Steps};
    use crate::cases::program;
    use fletch_notation::print;
    use fletch_reduction::{Progress, Rule, State, advance};
    use fletch_smooth::Partiality;

    /// The steps of a run, and the position before its write.
    fn written(source: &str) -> (Steps, usize) {
        let mut steps = Steps::new(State::start(&program(source), Partiality::Paper));
        while let Progress::Step(step) = advance(steps.last()) {
            steps.push(*step);
        }
        let write = (0..steps.len()).find(|at| steps.get(*at).unwrap().action.rule() == Rule::Put);
        (steps, write.unwrap())
    }

    /// The steps of a long run, and the position before its write.
    fn long() -> (Steps, usize) {
        let long = written("main = let _ ⇐ Put[w]([1]) in feedback[60](0, ())⟨s, _⟩. ⌊s + 1⌋");
        assert!(long.0.len() > 2 * BLOCK && long.1 < BLOCK);
        long
    }

    fn after(steps: &Steps, position: usize) -> String {
        print(&steps.get(position).unwrap().next.command())
    }

    #[test]
    fn steps_that_were_forgotten_are_made_again() {
        let (mut steps, _) = long();
        let positions = [10, BLOCK - 1, BLOCK, steps.len() - 1];
        let before = positions.map(|position| after(&steps, position));
        steps.keep(0);
        assert!(steps.forget());
        assert_eq!(steps.stored(), steps.len() % BLOCK, "the last block stays");
        assert_eq!(positions.map(|position| after(&steps, position)), before);
        assert!(steps.stored() >= 2 * BLOCK, "of two blocks");
    }

    #[test]
    fn a_step_that_writes_stays_with_those_before_it() {
        let (mut steps, write) = long();
        steps.keep(0);
        steps.forget();
        let stored = steps.stored();
        assert!(steps.get(write).unwrap().write.is_some());
        assert_eq!(steps.stored(), stored, "nothing was made again");
        steps.get(write + 1);
        assert_eq!(steps.stored(), stored + BLOCK);
    }

    #[test]
    fn what_a_write_stores_is_evaluated_in_steps_that_stay_even_across_blocks() {
        let runs = (1..BLOCK).map(|moves| {
            let moves = "let s ⇐ ⌊s⌋ in ".repeat(moves);
            let source = "main = let s ⇐ feedback[60](0, ())⟨s, _⟩. ⌊s + 1⌋ in ";
            written(&format!("{source}{moves}let _ ⇐ Put[w](s + 1) in ⌊s⌋"))
        });
        let mut crossing = runs.filter(|(_, write)| write % BLOCK == 0);
        let (mut steps, write) = crossing.next().unwrap();
        steps.keep(0);
        steps.forget();
        let stored = steps.stored();
        assert_eq!(steps.get(write - 1).unwrap().action.rule(), Rule::Add);
        assert_eq!(steps.stored(), stored, "nothing was made again");
    }

    #[test]
    fn the_blocks_that_were_made_first_are_forgotten_first() {
        let (mut steps, _) = long();
        steps.keep(BLOCK);
        assert!(steps.forget());
        let last = steps.len() % BLOCK;
        assert_eq!(steps.stored(), BLOCK + last);
        steps.get(BLOCK / 2);
        assert_eq!(steps.stored(), 2 * BLOCK + last);
        assert!(steps.forget());
        steps.get(BLOCK / 2);
        assert_eq!(steps.stored(), BLOCK + last, "the newest one stayed");
        assert!(!steps.forget());
    }

    #[test]
    fn nothing_is_forgotten_below_the_limit() {
        let (mut steps, _) = long();
        steps.keep(3 * BLOCK + steps.len());
        assert!(!steps.forget());
        assert_eq!(steps.stored(), steps.len());
    }
}
