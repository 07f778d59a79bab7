//! Counts of tests, read from the output of the test runners. No library reads both runners, and libtest's own JSON is unstable.

use std::fmt;

/// Numbers of tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Summary {
    /// Adds the counts of a line of output: the summary of a Rust test binary (`test result: ok. 3 passed; 0 failed; …`) or a summary line
    /// of node's test runner (`# pass 3`, in colour `ℹ pass 3`).
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some((_, counts)) = line.split_once("test result: ") {
            let mut words = counts.split_whitespace();
            let mut number = None;
            while let Some(word) = words.next().map(|word| word.trim_end_matches([';', '.'])) {
                match word {
                    "passed" => self.passed += number.unwrap_or(0),
                    "failed" => self.failed += number.unwrap_or(0),
                    _ => {}
                }
                number = word.parse::<usize>().ok();
            }
        } else if let Some(summary) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))
        {
            match summary.split_once(' ') {
                Some(("pass", count)) => self.passed += count.parse().unwrap_or(0),
                Some(("fail" | "cancelled", count)) => self.failed += count.parse().unwrap_or(0),
                _ => {}
            }
        }
    }
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_added_up() {
        let mut summary = Summary::default();
        for line in [
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out",
            "# pass 4",
            "ℹ fail 5",
            "# cancelled 0",
            "# tests 9",
            "test a_test_result ... ok",
        ] {
            summary.read(line);
        }
        assert_eq!(
            summary,
            Summary {
                passed: 18,
                failed: 8
            }
        );
    }
}
