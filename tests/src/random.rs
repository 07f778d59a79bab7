//! Checks a property on many random programs. The first failure is shrunk, and a panic counts as a failure. Programs that
//! a property skips are counted, and only a quota of programs may be skipped.
//!
//! The environment variable `FLETCH_RANDOM` sets the number of programs (1 000), of which a test may use a fraction.
//! `FLETCH_SEED` is the seed of the first program (0).

use crate::generate::{Tape, shrink};
use fletch_calculus::Program;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Result of a property on one program; an `Err` in its place is a counterexample.
pub enum Case<T> {
    /// The property holds; the value is what the test collects.
    Holds(T),
    /// The property was not tested, or not to its end, for this reason.
    Skipped(&'static str),
}

/// Returns the number of programs to try.
pub fn programs() -> u64 {
    number("FLETCH_RANDOM").unwrap_or(1000)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Evaluates the property on the program of a tape, and turns a panic into an error.
fn holds<T>(
    choices: &[u32],
    make: fn(&[u32]) -> String,
    property: impl Fn(&str) -> Result<Case<T>, String>,
) -> Result<Case<T>, String> {
    catch_unwind(AssertUnwindSafe(|| property(&make(choices)))).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        Err(format!("panic: {}", message.unwrap_or_default()))
    })
}

/// Checks the property on this many programs, made from tapes with about `typical` choices. At most `quota` percent of
/// them may be skipped. Returns the collected values of the others.
///
/// # Panics
/// If the property does not hold, or too many programs were skipped.
#[allow(clippy::panic)] // A failed test is a panic.
pub fn for_all<T>(
    programs: u64,
    make: fn(&[u32]) -> String,
    typical: usize,
    quota: u64,
    property: impl Fn(&str) -> Result<Case<T>, String>,
) -> Vec<T> {
    let first = number("FLETCH_SEED").unwrap_or(0);
    let mut results = Vec::new();
    let mut skipped: BTreeMap<&'static str, u64> = BTreeMap::new();
    for seed in first..first + programs {
        let choices = Tape::random(seed, typical);
        match holds(&choices, make, &property) {
            Ok(Case::Holds(result)) => results.push(result),
            Ok(Case::Skipped(reason)) => *skipped.entry(reason).or_default() += 1,
            // An argument of a handler lies outside the domain of its function. This is reported before the run, so it is no failure.
            Err(error) if error.starts_with("rejected F0601") => {
                *skipped.entry("undefined").or_default() += 1;
            }
            Err(error) => {
                // Shrinking keeps the kind of the failure: the beginning of its message, up to the first colon.
                let kind = |error: &str| error.split([':', '\n']).next().unwrap_or("").to_owned();
                let smallest = shrink(
                    choices,
                    3000,
                    |choices| matches!(holds(choices, make, &property), Err(found) if kind(&found) == kind(&error)),
                );
                let found = holds(&smallest, make, &property).err();
                panic!(
                    "seed {seed}: {}\n\n{}",
                    found.unwrap_or(error),
                    make(&smallest)
                );
            }
        }
    }
    eprintln!("skipped: {skipped:?}");
    let count: u64 = skipped.values().sum();
    assert!(
        100 * count <= quota * programs + 200, // Two more, as a few programs say little.
        "{count} of {programs} are skipped: {skipped:?}"
    );
    results
}

/// Returns the program of a text that must be accepted.
///
/// # Errors
/// The first error, if the text is rejected.
pub fn checked(source: &str) -> Result<Program, String> {
    let checked = fletch_ide::check(source);
    let mut errors = checked.diagnostics.iter();
    if let Some(error) = errors.find(|diagnostic| diagnostic.is_error()) {
        let text = error.span.text(source);
        return Err(format!(
            "rejected {}: {} at `{text}`",
            error.code, error.message
        ));
    }
    let main = checked.main.map(|main| main.program);
    main.ok_or_else(|| "no main".to_owned())
}
