//! Random well-typed programs: type preservation, progress and termination of every run; lazy compared with eager RH; small steps
//! compared with big steps; states printed as programs.
//!
//! For the number of programs and the first seed see `fletch_tests::random`
//! (`FLETCH_RANDOM=100000 cargo test --release -p fletch-tests random::`).

use fletch_calculus::{CommandKind, EvaluationError, Program, evaluate, size, typing};
use fletch_reduction::{Incomplete, Progress, State, Stuck, advance};
use fletch_runs::{Outcome, Run};
use fletch_smooth::{Partiality, Value};
use fletch_tests::eager::{self, End};
use fletch_tests::generate;
use fletch_tests::random::{Case, checked, for_all, programs};
use fletch_transcript::source::{Unwritable, source};

/// Maximal number of steps of a run. Nested reverse handlers make some runs much longer.
const STEPS: usize = 2_000;

/// Maximal number of nodes of a state; a run beyond it is not followed further.
const NODES: usize = 20_000;

/// Ending of a run of a random program, for the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    Value,
    Undefined,
    TooLarge,
    Long,
}

/// Checks that the state's command is closed and has the program's type.
fn keeps_type(program: &Program, state: &State, position: usize) -> Result<(), String> {
    let command = state.command();
    if !command.free().is_empty() {
        return Err(format!("open: at position {position}"));
    }
    match typing::command(&typing::Environment::default(), &command) {
        Ok(derivation) if derivation.ty == program.ty => Ok(()),
        Ok(derivation) => Err(format!(
            "preservation: {} at position {position}",
            derivation.ty
        )),
        Err(error) => Err(format!(
            "preservation: {} at position {position}",
            error.kind
        )),
    }
}

/// Checks type preservation and progress, and that a run ends for an accepted reason or is too long.
fn runs_well(source: &str) -> Result<Case<(Ending, usize)>, String> {
    let program = checked(source)?;
    let mut state = State::start(&program, Partiality::Paper);
    // Typing takes time proportional to the size of the state, so only states of up to 200 nodes are typed at every step.
    let mut next_typing = 0;
    for position in 0..STEPS {
        if position >= next_typing {
            keeps_type(&program, &state, position)?;
            let nodes = size(&state.command());
            if nodes > NODES {
                return Ok(Case::Holds((Ending::Long, position)));
            }
            next_typing = position + 1 + nodes / 200;
        }
        match advance(&state) {
            Progress::Step(step) => state = step.next,
            Progress::Done(value) => {
                return if value.ty() == program.ty {
                    Ok(Case::Holds((Ending::Value, position)))
                } else {
                    Err(format!("value: of type {}", value.ty()))
                };
            }
            Progress::Stuck(blocked) => {
                return match blocked.stuck {
                    Stuck::Undefined { .. } => Ok(Case::Holds((Ending::Undefined, position))),
                    Stuck::TooLarge { .. } => Ok(Case::Holds((Ending::TooLarge, position))),
                    stuck => Err(format!("stuck: {stuck:?} at position {position}")),
                };
            }
        }
    }
    Ok(Case::Holds((Ending::Long, STEPS)))
}

#[test]
fn random_programs_keep_their_type_and_end_in_a_value_or_for_a_reported_reason() {
    let ends = for_all(programs(), generate::program, 4000, 1, runs_well);
    let mut steps: Vec<usize> = ends.iter().map(|(_, steps)| *steps).collect();
    steps.sort_unstable();
    let values = ends.iter().filter(|(end, _)| *end == Ending::Value).count();
    eprintln!(
        "{values} of {} values; steps: median {}, most {}",
        ends.len(),
        steps[steps.len() / 2],
        steps[steps.len() - 1]
    );
    assert!(
        values * 2 > ends.len(),
        "only {values} of {} end in a value",
        ends.len()
    );
    let given_up = |(end, _): &&(Ending, usize)| matches!(end, Ending::Long | Ending::TooLarge);
    let given_up = ends.iter().filter(given_up).count();
    assert!(
        given_up * 5 <= ends.len(),
        "{given_up} of {} are not followed to their end",
        ends.len()
    );
}

/// Checks that lazy and eager RH give the same value and heap, to the bit.
fn eagerly_the_same(source: &str) -> Result<Case<()>, String> {
    let program = checked(source)?;
    let lazy = fletch_runs::run(&program, Partiality::Paper, STEPS);
    if matches!(lazy.outcome, Outcome::Exhausted(_)) {
        return Ok(Case::Skipped("long"));
    }
    match (lazy.outcome, eager::run(&program, 5 * STEPS)) {
        (_, End::Exhausted) => Ok(Case::Skipped("long by the eager reading")),
        (Outcome::Value(value), End::Value(eager, heap)) => {
            if value != eager {
                return Err(format!("eager value: {eager:?}, not {value:?}"));
            }
            let same = lazy
                .heap
                .contents()
                .iter()
                .zip(&heap)
                .all(|(lazy, eager)| lazy.data() == eager.data());
            if same {
                Ok(Case::Holds(()))
            } else {
                Err(format!("eager heap: {heap:?}, not {:?}", lazy.heap))
            }
        }
        (
            Outcome::Stuck(Stuck::Undefined { .. }),
            End::Undefined(EvaluationError::Undefined { .. }),
        ) => Ok(Case::Holds(())),
        (
            Outcome::Stuck(Stuck::TooLarge { .. }),
            End::Undefined(EvaluationError::TooLarge { .. }),
        ) => Ok(Case::Skipped("too large")),
        (Outcome::Value(_), eager) => Err(format!("eager end: {eager:?}")),
        (Outcome::Stuck(stuck), eager) => Err(format!("eager end: {eager:?}, not {stuck:?}")),
        (Outcome::Exhausted(_), _) => Ok(Case::Skipped("long")),
    }
}

#[test]
fn unfolding_reverse_handlers_eagerly_changes_nothing() {
    for_all(programs(), generate::program, 4000, 20, eagerly_the_same);
}

/// Checks that a state printed as a program runs to the same value and heap as the original run, to the bit. Returns the number of
/// states that were compared, and of those that could not be.
fn goes_on_as_a_program(source_text: &str) -> Result<Case<(usize, usize)>, String> {
    let program = checked(source_text)?;
    let run = fletch_runs::run(&program, Partiality::Paper, STEPS);
    let steps: usize = run.steps.as_ref().unwrap().rules.values().sum();
    if matches!(run.outcome, Outcome::Exhausted(_)) {
        return Ok(Case::Skipped("long"));
    }
    // Two positions are chosen by the lengths of text and run; position 0 is compared too.
    let mut wanted: Vec<usize> = (1..=2)
        .map(|round| (source_text.len() * 7919 * round + steps) % (steps + 1))
        .collect();
    wanted.push(0);
    let mut state = State::start(&program, Partiality::Paper);
    let (mut held, mut not) = (0, 0);
    for position in 0..=steps {
        if wanted.contains(&position) {
            let went_on = size(&state.command()) <= NODES
                && continues(&program, &state, &run)
                    .map_err(|error| format!("{error}\nat position {position}"))?;
            *(if went_on { &mut held } else { &mut not }) += 1;
        }
        match advance(&state) {
            Progress::Step(step) => state = step.next,
            _ => break,
        }
    }
    Ok(Case::Holds((held, not)))
}

/// Returns true if a state, printed as a program, continues as the run does. Returns false if the state cannot be written as a
/// program, or its run takes too long.
fn continues(program: &Program, state: &State, run: &Run) -> Result<bool, String> {
    let text = match source(program, state) {
        Ok(text) => text,
        Err(
            Unwritable::NotFinite
            | Unwritable::TooLong
            | Unwritable::Function(_)
            | Unwritable::Unfolding(Incomplete::TooLarge),
        ) => return Ok(false),
        // Any other failure of the unfolding is a defect.
        Err(Unwritable::Unfolding(error)) => return Err(format!("source: {error:?}")),
    };
    let reparsed = match checked(&text) {
        Ok(reparsed) => reparsed,
        // The program exceeds limits of nesting and length.
        Err(error) if error.starts_with("rejected F09") => return Ok(false),
        Err(error) => return Err(format!("source {error}\n{text}")),
    };
    let again = fletch_runs::run(&reparsed, Partiality::Paper, 4 * STEPS);
    if matches!(again.outcome, Outcome::Exhausted(_)) {
        return Ok(false);
    }
    let same_end = match (&run.outcome, &again.outcome) {
        (Outcome::Value(value), Outcome::Value(again)) => bits(value) == bits(again),
        (
            Outcome::Stuck(Stuck::Undefined { symbol, .. }),
            Outcome::Stuck(Stuck::Undefined { symbol: again, .. }),
        ) => symbol == again,
        (Outcome::Stuck(Stuck::TooLarge { .. }), Outcome::Stuck(Stuck::TooLarge { .. })) => true,
        _ => false,
    };
    let heap = |run: &Run| -> Vec<u64> {
        let contents = run.heap.contents().iter();
        contents
            .flat_map(|tensor| tensor.data().iter().map(|entry| entry.to_bits()))
            .collect()
    };
    if same_end && heap(run) == heap(&again) {
        Ok(true)
    } else {
        Err(format!("source ends otherwise\n{text}"))
    }
}

fn bits(value: &Value) -> Vec<u64> {
    match value {
        Value::Real(tensor) => tensor.data().iter().map(|entry| entry.to_bits()).collect(),
        Value::Tuple(parts) => parts.iter().flat_map(bits).collect(),
    }
}

#[test]
fn a_state_is_a_program_that_goes_on_as_the_run_does() {
    let counts = for_all(
        programs(),
        generate::program,
        4000,
        20,
        goes_on_as_a_program,
    );
    let held: usize = counts.iter().map(|(held, _)| held).sum();
    let not: usize = counts.iter().map(|(_, not)| not).sum();
    eprintln!("{held} states go on, {not} were not tried");
    assert!(
        not * 20 <= held,
        "{not} states beside {held} were not tried"
    );
}

#[test]
fn states_of_the_examples_are_programs_that_go_on_as_the_run_does() {
    let mut programs = fletch_tests::programs(&fletch_tests::examples());
    programs.extend(fletch_tests::programs(&fletch_tests::golden()));
    assert!(programs.len() >= 25, "programs are missing");
    let (mut long, mut unwritten) = (Vec::new(), Vec::new());
    for (name, text) in programs {
        match goes_on_as_a_program(&text) {
            Ok(Case::Holds((0, _))) => unwritten.push(name),
            Ok(Case::Holds(_)) => {}
            Ok(Case::Skipped(_)) => long.push(name),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    // Runs of these programs take more than `STEPS` steps.
    let feedbacks = ["feedback_elman", "feedback_gru", "feedback_linear"];
    let mut expected = vec![
        "elman",
        "gru",
        "lossless_pyramid",
        "read_once",
        "truncated",
        "unet_training",
        "vae",
    ];
    expected.extend(feedbacks);
    assert_eq!(long, expected);
    // A state that applies a function of the program cannot be printed, because the function has no name in the state.
    assert_eq!(unwritten, ["transformer"]);
}

#[test]
fn small_steps_of_a_term_end_where_big_steps_do() {
    for_all(programs(), generate::term_program, 400, 10, |source| {
        let program = checked(source)?;
        let CommandKind::Pure(term) = program.main.kind() else {
            return Err("no term".to_owned());
        };
        let expected = evaluate(term, Partiality::Paper, &mut program.supply.clone());
        let run = fletch_runs::run(&program, Partiality::Paper, STEPS);
        match (&run.outcome, expected) {
            (Outcome::Value(value), Ok(expected)) if *value == expected => Ok(Case::Holds(())),
            (Outcome::Stuck(Stuck::Undefined { .. } | Stuck::TooLarge { .. }), Err(_)) => {
                Ok(Case::Holds(()))
            }
            (Outcome::Value(value), expected) => {
                Err(format!("differs: {value:?}, not {expected:?}"))
            }
            (Outcome::Exhausted(_), _) => Ok(Case::Skipped("long")),
            (_, expected) => Err(format!("no value: but {expected:?}")),
        }
    });
}
