//! A lesson in a session: a run with a limited number of steps, and attempts that are judged in slices.

use fletch_playground::protocol::{Ask, Reply, Request, RunStatus, Submitted, Toured, Touring};
use fletch_playground::{Budget, Session};
use fletch_tour::{Attempt, BUDGET, Lesson, Tour, Verdict};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

const PROGRAM: &str = "loc a :: (1, 1) = 2\nop FC[ℓ :: (n, m)] : Real(n) ▷ Real(m)\nmain = let w ⇐ Get[a]() in ⌊w ∗ 3⌋\n";

fn ask(session: &mut Session, ask: Ask) -> Reply {
    session.handle(Request { revision: 1, ask })
}

/// Number of steps that the session makes of a program's run, and true if it stopped at the limit.
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

/// The lessons of the tour.
fn lessons() -> Tour {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tour");
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_string_lossy();
            let name = name.replace('\\', "/");
            files.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    fletch_tour::tour(&files).unwrap_or_else(|unread| panic!("{unread}"))
}

thread_local!(static CLOCK: Cell<f64> = const { Cell::new(0.0) });

/// A clock that advances by ten milliseconds at each reading. Slices are thus short, and end at the same point in every run.
fn tick() -> f64 {
    CLOCK.set(CLOCK.get() + 10.0);
    CLOCK.get()
}

/// A slower clock, with which a slice does a single unit of work.
fn slow() -> f64 {
    CLOCK.set(CLOCK.get() + 30.0);
    CLOCK.get()
}

/// The verdict on a page, and the number of slices that it took.
fn on_page(session: &mut Session, lesson: &str, exercise: &str, text: &str) -> (Verdict, usize) {
    let program = Submitted::Program(exercise.to_owned(), text.to_owned());
    let mut asked = Touring::Begin(lesson.to_owned(), program);
    let mut slices = 1;
    loop {
        let Reply::Toured(came) = ask(session, Ask::Tour(asked)) else {
            panic!("it answers");
        };
        match *came {
            Toured::Working => slices += 1,
            Toured::Checked(verdict) => return (verdict, slices),
            other => panic!("{other:?}"),
        }
        asked = Touring::GoOn;
    }
}

#[test]
fn verdicts_of_a_page_are_those_of_the_command_line() {
    let budget = Budget {
        now: tick,
        ..BUDGET
    };
    let mut session = Session::new(budget);
    let (mut exercises, mut files) = (0, 0);
    for lesson in lessons().lessons {
        let lesson: Rc<Lesson> = Rc::new(lesson);
        let page = serde_json::to_string(&lesson.for_page()).unwrap();
        for exercise in &lesson.front.exercises {
            exercises += 1;
            let mistakes = exercise.mistakes.iter().map(|of| (&of.file, false));
            let right = [(&exercise.start, false), (&exercise.solution, true)].into_iter();
            let right = right.chain(exercise.also.iter().map(|file| (file, true)));
            for (file, is_right) in right.chain(mistakes) {
                files += 1;
                let text = lesson.file(file).unwrap();
                let (found, _) = on_page(&mut session, &page, &exercise.id, text);
                let own = Attempt::new(lesson.clone(), &exercise.id, text, BUDGET);
                let own = own.unwrap().verdict_now().unwrap();
                assert_eq!(found, own, "{}: {file}", lesson.name);
                assert_eq!(found.is_done(), is_right, "{}: {file}", lesson.name);
                if !is_right && file != &exercise.start {
                    let name = file.strip_suffix(".fletch");
                    assert_eq!(found.slip.as_deref(), name, "{}", lesson.name);
                }
            }
        }
    }
    assert!(exercises >= 44 && files >= 230, "{exercises}, {files}");
}

#[test]
fn a_check_of_arrows_is_stopped_between_them() {
    let lessons = lessons();
    let lesson = lessons.lesson("10").unwrap();
    let page = serde_json::to_string(&lesson.for_page()).unwrap();
    let mut session = Session::new(Budget {
        now: slow,
        ..BUDGET
    });
    let text = lesson.file("hand.fletch").unwrap();
    let (verdict, slices) = on_page(&mut session, &page, "hand", text);
    assert!(verdict.is_done());
    // The four slices are the arrow of each command, then the canonical form of each.
    assert_eq!(slices, 4);
    // An unfinished check is discarded when another one begins.
    let program = Submitted::Program("hand".to_owned(), text.to_owned());
    let begin = Touring::Begin(page.clone(), program);
    let Reply::Toured(came) = ask(&mut session, Ask::Tour(begin)) else {
        panic!("it answers");
    };
    assert_eq!(*came, Toured::Working);
    let start = lesson.file("hand-start.fletch").unwrap();
    assert!(!on_page(&mut session, &page, "hand", start).0.is_done());
}
