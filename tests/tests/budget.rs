//! Runs that exceed a budget: limits of steps, time and memory each stop a run with a message, and the steps
//! so far are kept.

use fletch_calculus::Tensor;
use fletch_runs::Outcome;
use fletch_smooth::{Partiality, Value};
use fletch_tests::must_check;
use fletch_trace::{Budget, Limit, Status, Trace};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns a program with a handler that resumes twice: `flips` operations run their continuation 2^flips times.
fn flips(flips: usize) -> String {
    format!(
        "op Flip : 1 ▷ Real(1)
command ones() : Real(1) = iterate[i : {flips}](0)⟨sum⟩. let bit ⇐ Flip() in ⌊sum + bit⌋
handler All : Real(1) ⇒ Real(1) {{
  x ↦ ⌊x⌋
  Flip, k; _ ↦ let a ⇐ k • 0 in let b ⇐ k • 1 in ⌊a + b⌋
}}
main = handle ones() with All"
    )
}

#[test]
fn a_million_steps_reach_the_value() {
    let main = must_check(&flips(17));
    let run = fletch_runs::run(&main.program, Partiality::Paper, usize::MAX);
    assert!(
        run.steps.as_ref().unwrap().reductions > 1_000_000,
        "{}",
        run.steps.as_ref().unwrap().reductions
    );
    // The number of ones in all words of 17 bits.
    let expected = f64::from(17 * (1 << 16));
    match run.outcome {
        Outcome::Value(value) => assert_eq!(value, Value::Real(Tensor::vector(vec![expected]))),
        other => panic!("{:?}", matches!(other, Outcome::Stuck(_))),
    }
}

#[test]
fn a_trace_of_a_million_steps_shows_every_position() {
    let main = must_check(&flips(17));
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    assert_eq!(
        trace.run(usize::MAX, &Budget::steps(1_000_000)),
        Some(Limit::Steps(1_000_000))
    );
    assert_eq!(trace.len(), 1_000_000);
    assert!(matches!(trace.status(), Status::Running));
    assert!(trace.step(999_999).is_some());
}

#[test]
fn the_message_says_what_ran_out() {
    // Clock and memory that grow by a millisecond and a megabyte each time they are read.
    fn clock() -> f64 {
        static LOOKS: AtomicUsize = AtomicUsize::new(0);
        LOOKS.fetch_add(1, Ordering::Relaxed) as f64
    }
    fn memory() -> usize {
        static LOOKS: AtomicUsize = AtomicUsize::new(0);
        LOOKS.fetch_add(1, Ordering::Relaxed) << 20
    }
    let unlimited = Budget::steps(usize::MAX);
    let cases = [
        (
            Budget::steps(1000),
            "the run was stopped after 1000 steps",
            1000,
        ),
        (
            Budget {
                milliseconds: 5.0,
                now: clock,
                ..unlimited
            },
            "the run was stopped after 0.005 s",
            5 * 64,
        ),
        (
            Budget {
                bytes: 700 << 20,
                memory,
                ..unlimited
            },
            "the run was stopped after 700 MB of memory",
            700,
        ),
    ];
    let main = must_check(&flips(17));
    for (budget, message, least) in cases {
        let run = fletch_runs::run(&main.program, Partiality::Paper, budget);
        let error = run.error(&main.program).unwrap();
        assert_eq!(
            (error.code.as_str(), error.message.as_str()),
            ("F0603", message)
        );
        assert!(
            run.steps.as_ref().unwrap().reductions >= least,
            "{message}: {}",
            run.steps.as_ref().unwrap().reductions
        );
    }
}
