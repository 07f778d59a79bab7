//! Budget of a run: steps, time and memory. Programs of the calculus terminate, but not all of them while somebody waits,
//! and a state can be large.

use fletch_smooth::counted;
use std::fmt;

/// Limits of a run, with the functions that measure time and memory.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Steps, unfoldings included.
    pub steps: usize,
    /// Computing time in milliseconds.
    pub milliseconds: f64,
    /// Memory of the whole program in bytes.
    pub bytes: usize,
    /// Tells the time in milliseconds.
    pub now: fn() -> f64,
    /// Tells the memory in use, in bytes.
    pub memory: fn() -> usize,
}

impl Budget {
    /// Budget of so many steps, without a limit of time or memory.
    pub fn steps(steps: usize) -> Budget {
        Budget {
            steps,
            milliseconds: f64::INFINITY,
            bytes: usize::MAX,
            now: || 0.0,
            memory: || 0,
        }
    }

    /// The limit reached by a run of so many steps that began to compute at `started`.
    pub fn exceeded(&self, steps: usize, started: f64) -> Option<Limit> {
        // The clock costs more than a step; the counter of memory costs nothing.
        const STEPS_PER_LOOK: usize = 64;
        if steps >= self.steps {
            return Some(Limit::Steps(self.steps));
        }
        if (self.memory)() > self.bytes {
            return Some(Limit::Memory(self.bytes));
        }
        let late = || (self.now)() - started > self.milliseconds;
        (steps.is_multiple_of(STEPS_PER_LOOK) && late()).then_some(Limit::Time(self.milliseconds))
    }
}

impl From<usize> for Budget {
    fn from(steps: usize) -> Budget {
        Budget::steps(steps)
    }
}

/// Limit that a run has reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Number of steps.
    Steps(usize),
    /// Computing time, in milliseconds.
    Time(f64),
    /// Memory, in bytes.
    Memory(usize),
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Steps(steps) => formatter.write_str(&counted(*steps, "step")),
            Limit::Time(milliseconds) => write!(formatter, "{} s", milliseconds / 1000.0),
            Limit::Memory(bytes) => write!(formatter, "{} MB of memory", bytes >> 20),
        }
    }
}
