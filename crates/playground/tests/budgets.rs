//! A run that has used up its budget can be extended by another one.

use crate::run::{Run, chain, index};
use fletch_playground::protocol::{Advanced, Ask, Reply, RunStatus};
use fletch_playground::{Budget, Session};
use std::cell::Cell;

fn loaded(budget: Budget) -> Session {
    let mut session = Session::new(budget);
    session.ask(1, Ask::load(chain(5)));
    session
}

fn advance(session: &mut Session) -> Advanced {
    let request = Ask::Advance {
        milliseconds: u32::MAX,
    };
    advanced(session.ask(1, request))
}

fn extend(session: &mut Session) -> Advanced {
    advanced(session.ask(1, Ask::Extend))
}

fn advanced(reply: Reply) -> Advanced {
    match reply {
        Reply::Advanced(advanced) => advanced,
        other => panic!("{other:?}"),
    }
}

#[test]
fn steps() {
    let whole = Run::of(&chain(5), 10_000);
    let mut session = loaded(Budget::steps(200));
    let stopped = RunStatus::Exhausted("stopped after 200 steps".to_owned());
    let first = advance(&mut session);
    assert_eq!((first.steps, first.status), (200, stopped));
    // Without an extension, a further request makes no steps.
    assert_eq!(advance(&mut session).steps, 200);
    let extended = extend(&mut session);
    assert_eq!((extended.steps, extended.status), (200, RunStatus::Running));
    let second = advance(&mut session);
    let RunStatus::Exhausted(_) = second.status else {
        panic!("{second:?}")
    };
    assert_eq!(second.steps, 400);
    extend(&mut session);
    let third = advance(&mut session);
    assert_eq!(
        (third.steps, third.status),
        (whole.advanced.steps, RunStatus::Value)
    );
    // The run is the same as a run without interruption, and a finished run is not extended.
    assert_eq!(index(&mut session), whole.index);
    assert_eq!(extend(&mut session).status, RunStatus::Value);
}

thread_local! {
    static TIME: Cell<f64> = const { Cell::new(0.0) };
    static MEMORY: Cell<usize> = const { Cell::new(0) };
}

#[test]
fn time_is_counted_anew() {
    // The clock advances by a millisecond at each reading. A run reads it once for every 64 steps.
    fn now() -> f64 {
        TIME.set(TIME.get() + 1.0);
        TIME.get()
    }
    let mut session = loaded(Budget {
        milliseconds: 4.0,
        now,
        ..Budget::steps(100_000)
    });
    let mut reached = Vec::new();
    loop {
        let advanced = advance(&mut session);
        reached.push(advanced.steps);
        match advanced.status {
            RunStatus::Exhausted(why) => assert_eq!(why, "stopped after 0.004 s"),
            RunStatus::Value => break,
            other => panic!("{other:?}"),
        }
        assert_eq!(extend(&mut session).status, RunStatus::Running);
    }
    assert!(reached.len() > 1, "{reached:?}");
    assert!(
        reached.is_sorted_by(|left, right| left < right),
        "{reached:?}"
    );
}

#[test]
fn memory_is_given_three_times() {
    // The memory grows by a megabyte at each measurement.
    fn memory() -> usize {
        MEMORY.set(MEMORY.get() + (1 << 20));
        MEMORY.get()
    }
    let mut session = loaded(Budget {
        bytes: 100 << 20,
        memory,
        ..Budget::steps(100_000)
    });
    let mut reached = Vec::new();
    for _ in 0..4 {
        let advanced = advance(&mut session);
        reached.push(advanced.steps);
        let RunStatus::Exhausted(_) = advanced.status else {
            panic!("{advanced:?}")
        };
        extend(&mut session);
    }
    assert!(
        reached[..3].is_sorted_by(|left, right| left < right),
        "{reached:?}"
    );
    assert_eq!(reached[3], reached[2]);
}
