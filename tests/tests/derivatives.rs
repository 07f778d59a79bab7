//! Tests W.R_V(x. N) on random terms: small-step and big-step evaluation, compared with forward differentiation
//! by dual numbers (`fletch_tests::dual`), which shares neither R nor substitution nor typing with them.

use fletch_calculus::{CommandKind, EvaluationError, evaluate};
use fletch_runs::Outcome;
use fletch_smooth::{Partiality, Value};
use fletch_tests::random::{Case, checked, for_all, programs};
use fletch_tests::{dual, generate};

fn flat(value: &Value) -> Vec<f64> {
    let tensors = value.tensors().into_iter();
    tensors.flat_map(|tensor| tensor.data().to_vec()).collect()
}

/// Compares relative to the largest entry, because sums are taken in another order.
fn close(expected: &[f64], found: &[f64]) -> bool {
    let largest = expected
        .iter()
        .fold(1.0_f64, |largest, entry| largest.max(entry.abs()));
    expected.len() == found.len()
        && expected
            .iter()
            .zip(found)
            .all(|(a, b)| (a - b).abs() <= 1e-9 * largest)
}

/// Maximal number of small steps.
const STEPS: usize = 2_000;

/// Value of a term on which all evaluations agree.
struct Agreement {
    entries: Vec<f64>,
    /// True if small steps reached the value within the limit.
    small: bool,
}

/// Computes the value of `main = ⌊M⌋` in all three ways, and checks that they agree.
fn agrees(source: &str) -> Result<Case<Agreement>, String> {
    let program = checked(source)?;
    let CommandKind::Pure(term) = program.main.kind() else {
        return Err("no term".to_owned());
    };
    let Ok(entries) = dual::evaluate(term) else {
        return Ok(Case::Skipped("undefined"));
    };
    if entries.iter().any(|entry| !entry.is_finite()) {
        return Ok(Case::Skipped("not finite"));
    }
    match evaluate(term, Partiality::Paper, &mut program.supply.clone()) {
        Ok(value) if close(&entries, &flat(&value)) => {}
        Ok(value) => return Err(format!("big steps: {value:?}, not {entries:?}")),
        Err(EvaluationError::Undefined { .. }) => return Ok(Case::Skipped("undefined")),
        Err(EvaluationError::TooLarge { .. }) => return Ok(Case::Skipped("too large")),
        Err(error) => return Err(format!("big steps: {error:?}")),
    }
    let small = match fletch_runs::run(&program, Partiality::Paper, STEPS).outcome {
        Outcome::Value(value) if close(&entries, &flat(&value)) => true,
        Outcome::Value(value) => return Err(format!("small steps: {value:?}, not {entries:?}")),
        Outcome::Stuck(stuck) => return Err(format!("small steps: {stuck:?}")),
        Outcome::Exhausted(_) => false,
    };
    Ok(Case::Holds(Agreement { entries, small }))
}

/// Checks that small steps reached the value for four fifths of the terms.
fn mostly_small(all: &[Agreement]) {
    let long = all.iter().filter(|agreement| !agreement.small).count();
    assert!(
        5 * long <= all.len() + 20,
        "{long} of {} are too long",
        all.len()
    );
}

#[test]
fn the_reverse_derivative_of_a_random_term_is_the_forward_one_turned_round() {
    let all = for_all(
        programs() / 4,
        generate::derivative_program,
        400,
        10,
        agrees,
    );
    mostly_small(&all);
    let moved = |agreement: &&Agreement| agreement.entries.iter().any(|entry| *entry != 0.0);
    let moved = all.iter().filter(moved).count();
    assert!(
        3 * moved > all.len(),
        "only {moved} of {} are not zero",
        all.len()
    );
}

#[test]
fn a_random_term_has_the_value_that_an_environment_gives_it() {
    let all = for_all(programs() / 4, generate::term_program, 400, 10, agrees);
    mostly_small(&all);
}
