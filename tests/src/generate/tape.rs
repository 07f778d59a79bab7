//! A tape of choices. A program is a function of its tape, so a shorter tape, or one of smaller numbers,
//! is a smaller program: shrinking knows nothing of the language.

/// A tape that is read from its start. Past its end all choices are 0, the simplest.
#[derive(Clone, Debug)]
pub struct Tape {
    choices: Vec<u32>,
    position: usize,
}

impl Tape {
    /// The tape of these choices.
    pub fn new(choices: Vec<u32>) -> Tape {
        Tape {
            choices,
            position: 0,
        }
    }

    /// The choices of a seed: SplitMix64, up to `longest` of them.
    pub fn random(seed: u64, longest: usize) -> Vec<u32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = state;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or(0)
        };
        let length = longest / 4 + next() as usize % longest.max(1);
        (0..length).map(|_| next()).collect()
    }

    /// A choice below `bound`; 0 is the simplest.
    pub fn below(&mut self, bound: usize) -> usize {
        let choice = self.choices.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        choice as usize % bound.max(1)
    }

    /// Yes in so many of a hundred cases; no is the simpler.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    /// One of these.
    pub fn choose<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() {
            return None;
        }
        let index = self.below(items.len());
        items.get(index).cloned()
    }

    /// Tells if all choices have been made.
    pub fn is_over(&self) -> bool {
        self.position >= self.choices.len()
    }
}

/// The smallest tape found on which the property still fails, within so many attempts.
pub fn shrink(choices: Vec<u32>, mut attempts: usize, fails: impl Fn(&[u32]) -> bool) -> Vec<u32> {
    let mut best = choices;
    let mut attempt = |candidate: Vec<u32>, best: &mut Vec<u32>| {
        if attempts == 0 || candidate == *best {
            return false;
        }
        attempts -= 1;
        let smaller = fails(&candidate);
        if smaller {
            *best = candidate;
        }
        smaller
    };
    loop {
        let mut progress = false;
        let mut block = best.len();
        while block > 0 {
            let mut start = 0;
            while start < best.len() {
                let end = (start + block).min(best.len());
                let mut without = best.clone();
                without.drain(start..end);
                let mut zeroed = best.clone();
                zeroed
                    .iter_mut()
                    .skip(start)
                    .take(end - start)
                    .for_each(|choice| *choice = 0);
                if attempt(without, &mut best) {
                    progress = true;
                    continue;
                }
                progress |= attempt(zeroed, &mut best);
                start = end;
            }
            block /= 2;
        }
        for index in 0..best.len() {
            for small in 1..4 {
                let mut lower = best.clone();
                if let Some(choice) = lower.get_mut(index) {
                    if *choice <= small {
                        break;
                    }
                    *choice = small;
                }
                if attempt(lower, &mut best) {
                    progress = true;
                    break;
                }
            }
        }
        if !progress {
            return best;
        }
    }
}
