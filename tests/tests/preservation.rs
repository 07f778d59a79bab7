//! Type preservation (Prop. type-preservation-commands): after every step of every example the state still has its type. For runs
//! of thousands of steps some states are checked. Another test checks the views that every trace must offer.

use fletch_calculus::typing;
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Mark, Reply, RunStatus, Show};
use fletch_smooth::Partiality;
use fletch_tests::{examples, golden, must_check, programs};
use fletch_trace::{Budget, Status, Trace};

fn all_programs() -> Vec<(String, String)> {
    let mut all = programs(&examples());
    all.extend(programs(&golden()));
    assert!(all.len() >= 13, "programs are missing");
    all
}

#[test]
fn every_state_of_every_program_keeps_its_type() {
    for (name, source) in all_programs() {
        let main = must_check(&source);
        let mut trace = Trace::new(&main.program, Partiality::Paper);
        trace.advance(usize::MAX, || false);
        assert!(
            matches!(trace.status(), Status::Value(_)),
            "{name}: {:?}",
            trace.status()
        );
        // All states of smaller traces are checked, and some of larger traces.
        let stride = trace.len() / 2_000 + 1;
        for position in (0..=trace.len()).step_by(stride) {
            let command = trace.state(position).command();
            assert!(
                command.free().is_empty(),
                "{name}, position {position}: open"
            );
            match typing::command(&typing::Environment::default(), &command) {
                Ok(derivation) => assert_eq!(
                    derivation.ty, main.program.ty,
                    "{name}, position {position}"
                ),
                Err(error) => panic!("{name}, position {position}: {}", error.kind),
            }
        }
    }
}

#[test]
fn every_position_of_every_trace_shows_its_redex_and_says_what_happens() {
    for (name, source) in all_programs() {
        let mut session = Session::new(Budget::steps(1_000_000));
        let Reply::Checked(checked) = session.ask(7, Ask::load(source)) else {
            panic!()
        };
        assert!(checked.main.is_some(), "{name}");
        let Reply::Advanced(advanced) = session.ask(7, Ask::Advance { milliseconds: 1 }) else {
            panic!()
        };
        assert_eq!(advanced.status, RunStatus::Value, "{name}");
        // All positions of smaller traces are checked, and some of larger traces.
        let stride = usize::try_from(advanced.steps).unwrap() / 400 + 1;
        for position in (0..advanced.steps).step_by(stride) {
            let request = Ask::Show(Show {
                position,
                width: 80,
                ..Show::default()
            });
            let Reply::Shown(view) = session.ask(7, request) else {
                panic!()
            };
            let redex = view
                .lines
                .iter()
                .flat_map(|line| &line.pieces)
                .any(|piece| piece.mark == Mark::Redex);
            assert!(
                redex,
                "{name}, position {position}: no redex in {:#?}",
                view.lines
            );
            assert!(
                view.sentence
                    .iter()
                    .map(|piece| piece.text.len())
                    .sum::<usize>()
                    > 8,
                "{name}, {position}"
            );
            assert!(
                view.rule.is_some() && view.source.is_some(),
                "{name}, position {position}"
            );
        }
        let Reply::Shown(last) = session.ask(
            7,
            Ask::Show(Show {
                position: u32::MAX,
                width: 80,
                ..Show::default()
            }),
        ) else {
            panic!()
        };
        assert_eq!((last.position, last.rule), (advanced.steps, None), "{name}");
        let stale = session.ask(
            6,
            Ask::Show(Show {
                position: 0,
                width: 80,
                ..Show::default()
            }),
        );
        assert!(matches!(stale, Reply::Outdated));
    }
}
