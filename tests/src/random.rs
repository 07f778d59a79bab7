//! A property of many random programs: the first failure is shrunk, a panic is a failure, and what a property does
//! not look at is counted and may only be so much.
//!
//! 2 000 programs; as many as `FLETCH_RANDOM` says if it is set. `FLETCH_SEED` is the seed of the first (0).

use crate::generate::{Tape, shrink};
use fletch_calculus::Program;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Finding of a property about a program; an error is a counterexample.
pub enum Case<T> {
    /// It holds.
    Holds(T),
    /// It was not tested, or not to the end, for this reason.
    Skipped(&'static str),
}

/// So many programs are tried.
pub fn programs() -> u64 {
    number("FLETCH_RANDOM").unwrap_or(1000)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// The property on the program of a tape.
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

/// The property on this many programs of tapes with up to `longest` choices, of which at most `quota` in a hundred may be
/// skipped. Gives what it found out about the others.
///
/// # Panics
/// If it does not hold, or too many programs were skipped.
#[allow(clippy::panic)] // A failed test is a panic.
pub fn for_all<T>(
    programs: u64,
    make: fn(&[u32]) -> String,
    longest: usize,
    quota: u64,
    property: impl Fn(&str) -> Result<Case<T>, String>,
) -> Vec<T> {
    let first = number("FLETCH_SEED").unwrap_or(0);
    let mut results = Vec::new();
    let mut skipped: BTreeMap<&'static str, u64> = BTreeMap::new();
    for seed in first..first + programs {
        let choices = Tape::random(seed, longest);
        match holds(&choices, make, &property) {
            Ok(Case::Holds(result)) => results.push(result),
            Ok(Case::Skipped(reason)) => *skipped.entry(reason).or_default() += 1,
            // A handler's argument outside the domain of its function: a reason that is reported, before the run.
            Err(error) if error.starts_with("rejected F0601") => {
                *skipped.entry("undefined").or_default() += 1;
            }
            Err(error) => {
                // The failure that is looked for stays the same: the first words of its message.
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

/// The program of a text that must check.
///
/// # Errors
/// Why it is rejected.
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
