//! A lesson in a session: a run that is held, and attempts that are judged a while at a time.
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Reply, Request, RunStatus, Submitted, Toured, Touring};

const PROGRAM: &str = "loc a :: (1, 1) = 2\nop FC[ℓ :: (n, m)] : Real(n) ▷ Real(m)\nmain = let w ⇐ Get[a]() in ⌊w ∗ 3⌋\n";

fn ask(session: &mut Session, ask: Ask) -> Reply {
    session.handle(Request { revision: 1, ask })
}

/// The steps of the run of a program, as far as the session goes.
fn steps(session: &mut Session) -> (u32, bool) {
    ask(session, Ask::load(PROGRAM));
    let Reply::Advanced(advanced) = ask(session, Ask::Advance { milliseconds: 1000 }) else {
        panic!("it runs");
    };
    let exhausted = matches!(advanced.status, RunStatus::Exhausted(_));
    (advanced.steps, exhausted)
}

#[test]
fn a_held_run_has_no_more_steps_than_it_may() {
    let mut session = Session::default();
    let (all, _) = steps(&mut session);
    for hold in 0..all {
        assert_eq!(ask(&mut session, Ask::Hold(Some(hold))), Reply::Taken);
        assert_eq!(steps(&mut session), (hold, true));
        let Reply::Indexed(index) = ask(&mut session, Ask::Index) else {
            panic!("it is listed");
        };
        assert!(index.ticks.iter().all(|tick| tick.position <= hold));
    }
    ask(&mut session, Ask::Hold(None));
    assert_eq!(steps(&mut session), (all, false));
}

#[test]
fn what_is_no_lesson_is_refused_in_words() {
    let mut session = Session::default();
    for (lesson, submitted) in [
        ("", Submitted::Choice(1, 1)),
        ("{\"name\": \"x\"}", Submitted::Typed(1, "6".to_owned())),
        (
            "null",
            Submitted::Program("bias".to_owned(), PROGRAM.to_owned()),
        ),
    ] {
        let asked = Touring::Begin(lesson.to_owned(), submitted);
        let Reply::Toured(came) = ask(&mut session, Ask::Tour(asked)) else {
            panic!("it answers");
        };
        assert!(
            matches!(*came, Toured::Failed(why) if why.starts_with("the lesson cannot be read"))
        );
    }
    let on = ask(&mut session, Ask::Tour(Touring::GoOn));
    assert!(matches!(on, Reply::Toured(came) if matches!(*came, Toured::Failed(_))));
}
