//! Adequacy and soundness (section soundness-adequacy of the paper) as tests. Adequacy: in the model with the heap, the arrow of a
//! program gives the value and the heap that reduction gives. Soundness: the arrow of a state stays equal along a run, except for
//! operations that have been performed.

use fletch_arrows::{Arrow, Equality, Fault, Stopped, equality, evaluate};
use fletch_calculus::{Program, Tensor, Value};
use fletch_playground::compare::same::set_aside;
use fletch_reduction::{Progress, Setting, State, Stuck, advance};
use fletch_runs::Outcome;
use fletch_smooth::Partiality;
use fletch_tests::nested::nested;
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate, golden, must_check, programs};

/// Maximal number of steps for the run of an example.
const STEPS: usize = 100_000;

/// Maximal number of steps for the run of a random program.
const RANDOM_STEPS: usize = 5_000;

fn arrow(program: &Program) -> Result<Arrow, Fault> {
    Arrow::of(&[], &program.main, &program.ty)
}

/// Returns two flags: the tensors are equal to 1e-10, relative to the largest entry, and they are equal to the bit.
fn close(a: &[f64], b: &[f64]) -> (bool, bool) {
    let scale = a
        .iter()
        .chain(b)
        .fold(1.0_f64, |most, entry| most.max(entry.abs()));
    let pairs = || a.iter().zip(b);
    let close = pairs()
        .all(|(x, y)| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-10 * scale);
    let bits = pairs().all(|(x, y)| x == y || (x.is_nan() && y.is_nan()));
    (a.len() == b.len() && close, a.len() == b.len() && bits)
}

/// Compares the results of reduction and denotation. Returns true if they are equal to the bit.
fn same_results(
    value: &Value,
    heap: &[Tensor],
    denoted: &Value,
    contents: &[Tensor],
) -> Result<bool, String> {
    let mut exact = true;
    let left = value.tensors();
    let right = denoted.tensors();
    if value.ty() != denoted.ty() {
        return Err(format!("type: {} not {}", denoted.ty(), value.ty()));
    }
    let pairs = left.into_iter().zip(right).chain(heap.iter().zip(contents));
    for (reduced, denoted) in pairs {
        let (close, bits) = close(reduced.data(), denoted.data());
        if !close {
            return Err(format!("entries: {denoted:?}, not {reduced:?}"));
        }
        exact &= bits;
    }
    Ok(exact)
}

/// Checks that both semantics of a program agree. Returns true for agreement to the bit, `None` if neither reaches a value.
fn adequate(source: &str, steps: usize) -> Result<Case<Option<bool>>, String> {
    let program = checked(source)?;
    let run = fletch_runs::run(&program, Partiality::Paper, steps);
    let arrow = match arrow(&program) {
        Ok(arrow) => arrow,
        Err(Fault::TooLarge { .. }) => return Ok(Case::Skipped("large arrow")),
        Err(fault) => return Err(format!("fault: {fault:?}")),
    };
    let mut heap = program.initial;
    let denoted = evaluate(&arrow, &[], &mut heap, Partiality::Paper);
    match (run.outcome, denoted) {
        (Outcome::Value(value), Ok(denoted)) => {
            same_results(&value, run.heap.contents(), &denoted, &heap)
                .map(|exact| Case::Holds(Some(exact)))
        }
        (Outcome::Exhausted(_), _) => Ok(Case::Skipped("long")),
        (Outcome::Stuck(Stuck::TooLarge { .. }), _) => Ok(Case::Skipped("large derivative")),
        (
            Outcome::Stuck(Stuck::Undefined {
                symbol,
                argument,
                origin,
                ..
            }),
            Err(Stopped::Undefined {
                symbol: by,
                argument: at,
                origin: from,
                ..
            }),
        ) => {
            if symbol == by && origin == from && argument == at && run.heap.contents() == heap {
                Ok(Case::Holds(None))
            } else {
                Err(format!(
                    "stopped: {by} at {at:?} {from:?}, not {symbol} at {argument:?} {origin:?}"
                ))
            }
        }
        (
            Outcome::Stuck(Stuck::Unhandled { operation, .. }),
            Err(Stopped::Unhandled { operation: by, .. }),
        ) if operation == by => Ok(Case::Holds(None)),
        (Outcome::Value(_), Err(stopped)) => Err(format!("stops: {stopped:?}")),
        (Outcome::Stuck(stuck), Ok(_)) => Err(format!("goes on: reduction {stuck:?}")),
        (Outcome::Stuck(stuck), Err(stopped)) => Err(format!("stops: {stopped:?}, not {stuck:?}")),
    }
}

#[test]
fn examples_and_golden_programs_denote_what_they_reduce_to() {
    let mut compared = 0;
    for folder in [examples(), examples().join("errata"), golden()] {
        for (name, source) in programs(&folder) {
            if fletch_ide::check(&source).rejected() {
                continue; // A slip as it is printed in the paper.
            }
            match adequate(&source, STEPS) {
                Ok(Case::Holds(exact)) => assert_ne!(exact, Some(false), "{name}: not to the bit"),
                Ok(Case::Skipped(reason)) => panic!("{name}: skipped: {reason}"),
                Err(error) => panic!("{name}: {error}"),
            }
            compared += 1;
        }
    }
    eprintln!("{compared} programs");
    assert!(compared > 50, "{compared}");
}

#[test]
fn random_programs_denote_what_they_reduce_to() {
    let results = for_all(
        fletch_tests::random::programs(),
        generate::program,
        4000,
        12,
        |source| adequate(source, RANDOM_STEPS),
    );
    let exact = results.iter().filter(|by_bits| **by_bits != Some(false));
    eprintln!("{} programs, {} to the bit", results.len(), exact.count());
}

/// Checks that a step keeps the arrow of the state, except for the operation that a heap rule performs. Examines every `every`-th of
/// the first `steps` steps. Returns the number of compared steps.
fn sound(
    program: &Program,
    setting: impl Into<Setting>,
    every: usize,
    steps: usize,
) -> Result<usize, String> {
    let mut state = State::start(program, setting);
    let mut known: Option<Arrow> = None;
    let mut compared = 0;
    for position in 0..steps {
        let Progress::Step(step) = advance(&state) else {
            break;
        };
        if position % every != 0 {
            (state, known) = (step.next, None);
            continue;
        }
        let denote = |state: &State| match Arrow::of(&[], &state.command(), &program.ty) {
            Ok(arrow) => Ok(Some(arrow)),
            Err(Fault::TooLarge { .. }) => Ok(None),
            Err(fault) => Err(format!("fault: {fault:?} at {position}")),
        };
        let before = match known.take() {
            Some(arrow) => Some(arrow),
            None => denote(&state)?,
        };
        let (Some(before), Some(after)) = (before, denote(&step.next)?) else {
            break;
        };
        let rule = step.action.rule().name();
        let Some(before) = set_aside(before, &step.action) else {
            return Err(format!("{rule} at {position} performs another operation"));
        };
        // A step may compute in another order than the arrow, so constants may be rounded differently.
        if let Equality::Different(difference) = equality(&before, &after, Partiality::Paper) {
            return Err(format!("differs: by {rule} at {position}: {difference}"));
        }
        compared += 1;
        (state, known) = (step.next, Some(after));
    }
    Ok(compared)
}

/// Number of steps above which a run is long. One step in fifteen of a long run is examined, one in four of a shorter run.
const LONG: usize = 2_000;

#[test]
fn the_arrow_of_a_state_stays_the_same_along_the_examples() {
    let mut compared = 0;
    for (name, source) in programs(&examples()) {
        let program = must_check(&source).program;
        let steps = fletch_runs::run(&program, Partiality::Paper, STEPS);
        let steps: usize = steps.steps.unwrap().rules.values().sum();
        let every = if steps > LONG { 15 } else { 4 };
        match sound(&program, Partiality::Paper, every, STEPS) {
            Ok(count) => compared += count,
            Err(error) => panic!("{name}: {error}"),
        }
    }
    eprintln!("{compared} steps");
    assert!(compared > 2_000, "{compared}");
}

#[test]
fn the_arrow_of_a_state_stays_the_same_along_random_programs() {
    let results = for_all(
        fletch_tests::random::programs() / 4,
        generate::program,
        4000,
        1,
        |source| sound(&checked(source)?, Partiality::Paper, 5, 200).map(Case::Holds),
    );
    eprintln!(
        "{} steps of {} programs",
        results.iter().sum::<usize>(),
        results.len()
    );
}

/// Setting of runs with shortcuts.
const SHORT: Setting = Setting {
    partiality: Partiality::Paper,
    shortcuts: true,
};

#[test]
fn the_arrow_of_a_state_stays_the_same_by_shortcuts() {
    let mut compared = 0;
    let mut all = programs(&examples());
    all.extend([(2, 2), (3, 1)].map(|(levels, layers)| {
        let name = format!("{levels} handlers, {layers} layers");
        (name, nested(levels, layers))
    }));
    // The bodies are undefined although the derivative is zero, so a shortcut must not forget them.
    for undefined in ["log(−1)", "x + log(−1)", "sin(1.rd(y. y + log(−1))(3))"] {
        all.push((
            undefined.to_owned(),
            format!("main = ⌊1.rd(x. {undefined})(2)⌋"),
        ));
    }
    for (name, source) in all {
        match sound(&must_check(&source).program, SHORT, 4, STEPS) {
            Ok(count) => compared += count,
            Err(error) => panic!("{name}: {error}"),
        }
    }
    eprintln!("{compared} steps");
    assert!(compared > 1_200, "{compared}");
    let results = for_all(
        fletch_tests::random::programs() / 4,
        generate::program,
        4000,
        1,
        |source| sound(&checked(source)?, SHORT, 3, 200).map(Case::Holds),
    );
    eprintln!(
        "{} steps of {} programs",
        results.iter().sum::<usize>(),
        results.len()
    );
}

#[test]
fn arrows_are_linear_in_the_network_whatever_the_number_of_handlers() {
    let count = |levels: usize, layers: usize| {
        let program = must_check(&nested(levels, layers)).program;
        arrow(&program).unwrap().counts().0
    };
    for layers in [1, 4, 16, 64] {
        let counts: Vec<usize> = (1..=4).map(|levels| count(levels, layers)).collect();
        eprintln!("{layers} layers: {counts:?}");
        assert!(counts[0] <= 12 * layers + 10, "{counts:?}");
        for pair in counts.windows(2) {
            assert!(pair[1] <= 5 * pair[0], "{counts:?}");
        }
    }
}

#[test]
fn what_reduction_does_not_finish_has_an_arrow() {
    let program = must_check(&nested(3, 2)).program;
    let run = fletch_runs::run(&program, Partiality::Paper, STEPS);
    assert!(matches!(run.outcome, Outcome::Exhausted(_)));
    let mut heap = program.initial.clone();
    evaluate(&arrow(&program).unwrap(), &[], &mut heap, Partiality::Paper).unwrap();
    assert_ne!(heap, program.initial);
}
