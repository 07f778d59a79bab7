//! Budget of a run: steps, time and memory. Every program of the calculus terminates, but some take longer than a reader
//! waits, and a state can be large.

use fletch_smooth::counted;
use std::fmt;

/// Limits of a run, with the functions that measure time and memory.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Number of steps, unfoldings included.
    pub steps: usize,
    /// Computing time in milliseconds.
    pub milliseconds: f64,
    /// Memory of the whole program in bytes.
    pub bytes: usize,
    /// Returns the time in milliseconds.
    pub now: fn() -> f64,
    /// Returns the memory in use, in bytes.
    pub memory: fn() -> usize,
}

impl Budget {
    /// Budget of `steps` steps, without a limit of time or memory.
    pub fn steps(steps: usize) -> Budget {
        Budget {
            steps,
            milliseconds: f64::INFINITY,
            bytes: usize::MAX,
            now: || 0.0,
            memory: || 0,
        }
    }

    /// The limit reached by a run after `steps` steps. The run began to compute at `started`, in milliseconds.
    pub fn exceeded(&self, steps: usize, started: f64) -> Option<Limit> {
        // Reading the clock costs more than a step; reading the counter of memory costs nothing.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::{Budget, Limit};
    use crate::cases::{HANDLED, program};
    use crate::trace::Trace;
    use fletch_smooth::Partiality;

    #[test]
    fn the_clock_is_looked_at_between_blocks_of_steps() {
        let budget = Budget {
            milliseconds: 5.0,
            now: || 10.0,
            ..Budget::steps(1000)
        };
        assert_eq!(budget.exceeded(64, 4.0), Some(Limit::Time(5.0)));
        assert_eq!(budget.exceeded(64, 5.0), None, "not beyond it");
        assert_eq!(budget.exceeded(65, 4.0), None, "not looked at");
    }

    #[test]
    fn memory_is_looked_at_before_every_step() {
        let budget = Budget {
            bytes: 1 << 20,
            memory: || (1 << 20) + 1,
            ..Budget::steps(1000)
        };
        let limit = budget.exceeded(65, 0.0).unwrap();
        assert_eq!(limit.to_string(), "1 MB of memory");
    }

    #[test]
    fn a_run_goes_on_where_its_budget_ended() {
        let mut trace = Trace::new(&program(HANDLED), Partiality::Paper);
        let limit = trace.run(100, &Budget::steps(4)).unwrap();
        assert_eq!((limit, trace.len()), (Limit::Steps(4), 4));
        assert_eq!(trace.run(6, &Budget::steps(100)), None);
        assert_eq!(trace.len(), 6, "not beyond the position asked for");
        assert_eq!(trace.run(100, &Budget::steps(100)), None);
        assert_eq!(trace.len(), 30);
    }
}
