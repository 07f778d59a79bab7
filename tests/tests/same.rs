//! Soundness as the page shows it: move by move, from any position.

use fletch_playground::Session;
use fletch_playground::compare::listing::{Applied, SHOWN};
use fletch_playground::compare::same::{Same, Verdict, Walk};
use fletch_playground::protocol::{Ask, Edit, Level, Mode, Move, Reply};
use fletch_reduction::Setting;
use fletch_smooth::Partiality;
use fletch_syntax::LineIndex;
use fletch_tests::nested::nested;
use fletch_tests::{examples, must_check, programs};
use fletch_trace::{Budget, Trace};
use std::cell::Cell;

const STEPS: usize = 100_000;

fn example(name: &str) -> String {
    let mut all = programs(&examples()).into_iter();
    all.find(|(found, _)| found == name).unwrap().1
}

fn walk(source: &str) -> Walk {
    Walk::new(must_check(source).program, Partiality::Paper)
}

fn trace(source: &str) -> Trace {
    let mut trace = Trace::new(&must_check(source).program, Partiality::Paper);
    trace.run(usize::MAX, &Budget::steps(STEPS));
    trace
}

fn performed(same: &Same) -> Vec<&str> {
    match &same.verdict {
        Verdict::Equal(performed) | Verdict::Rounding { performed, .. } => {
            performed.iter().map(|op| &*op.operation).collect()
        }
        verdict => panic!("{verdict:?}"),
    }
}

#[test]
fn at_every_level_a_move_keeps_the_arrow_but_for_what_it_performs() {
    let source = example("mlp");
    let trace = trace(&source);
    let mut walk = walk(&source);
    for level in [
        Level::Every,
        Level::Plain,
        Level::Operations,
        Level::Handlers,
    ] {
        let stops = trace.index().all(level);
        let moves = stops.windows(2);
        let all: Vec<String> = moves
            .flat_map(|stops| {
                let (from, to) = (stops[0] as usize, stops[1] as usize);
                let same = walk.same(from, to, &Budget::steps(STEPS));
                assert_eq!((same.position, same.to), (stops[0], stops[1]));
                let performed = performed(&same).into_iter().map(str::to_owned);
                performed.collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(
            all,
            ["Get[ℓ0]", "Get[ℓ1]", "Put[ℓ1]", "Put[ℓ0]"],
            "{level:?}"
        );
    }
    let end = trace.len();
    let over = walk.same(end, end + 1, &Budget::steps(STEPS));
    assert_eq!(over.verdict, Verdict::AtTheEnd);
    // A move beyond the end of the run is cut at the end.
    let last = walk.same(end - 1, end + 9, &Budget::steps(STEPS));
    assert_eq!((last.to as usize, performed(&last).len()), (end, 0));
}

#[test]
fn shortcuts_keep_the_arrow_and_the_positions_are_theirs() {
    let setting = Setting {
        shortcuts: true,
        ..Partiality::Paper.into()
    };
    for name in ["resnet", "autoencoder", "deep_autoencoder"] {
        let source = example(name);
        let program = must_check(&source).program;
        let mut walk = Walk::new(program.clone(), setting);
        let mut trace = Trace::new(&program, setting);
        trace.run(usize::MAX, &Budget::steps(STEPS));
        let end = trace.len();
        assert!(
            end < self::trace(&source).len(),
            "{name}: nothing is shorter"
        );
        for position in 0..end {
            let same = walk.same(position, position + 1, &Budget::steps(STEPS));
            performed(&same);
        }
        let over = walk.same(end, end + 1, &Budget::steps(STEPS));
        assert_eq!(over.verdict, Verdict::AtTheEnd, "{name}");
    }
}

#[test]
fn any_position_can_be_asked_about_in_any_order() {
    let source = example("deep_autoencoder");
    let end = trace(&source).len();
    let mut walk = walk(&source);
    for k in 0..60 {
        let position = k * 1117 % end;
        let same = walk.same(position, position + 1, &Budget::steps(STEPS));
        assert!(performed(&same).len() <= 1, "{position}");
    }
}

#[test]
fn a_slow_question_is_gone_on_with_when_it_is_asked_again() {
    thread_local!(static CLOCK: Cell<f64> = const { Cell::new(0.0) });
    let source = example("deep_autoencoder");
    let slow = Budget {
        milliseconds: 1.5,
        now: || CLOCK.replace(CLOCK.get() + 1.0),
        ..Budget::steps(STEPS)
    };
    let end = trace(&source).len();
    let mut walk = walk(&source);
    let mut reached = 0;
    let mut asked = 0;
    // The move begins far into the run, and takes several budgets itself.
    let same = loop {
        asked += 1;
        let same = walk.same(1000, end, &slow);
        let Verdict::OnTheWay { reached: at } = same.verdict else {
            break same;
        };
        assert!(at > reached, "{at} after {reached}");
        reached = at;
    };
    assert!(asked > 10 && reached > 1000, "{asked}, {reached}");
    assert_eq!((same.position, same.to as usize), (1000, end));
    assert!(!performed(&same).is_empty());
    let few = walk.same(1700, 1701, &Budget::steps(1650));
    assert_eq!(few.verdict, Verdict::TooFar);
}

#[test]
fn large_arrows_are_not_compared() {
    let same = walk(&nested(4, 128)).same(0, 1, &Budget::steps(STEPS));
    assert_eq!(same.verdict, Verdict::TooLarge);
}

#[test]
fn both_arrows_are_told_and_what_is_performed_is_marked() {
    let source = example("mlp");
    let trace = trace(&source);
    let (position, write) = trace
        .steps(0..trace.len())
        .enumerate()
        .find_map(|(position, step)| Some((position, step.write.clone()?)))
        .unwrap();
    let index = LineIndex::new(&source);
    let budget = Budget::steps(STEPS);
    let opened = walk(&source).opened(position, position + 1, &budget, &index);
    let Verdict::Equal(performed) = &opened.same.verdict else {
        panic!("{opened:?}");
    };
    let (before, after) = opened.arrows.as_ref().unwrap();
    assert_eq!(
        performed[0].operation,
        format!("Put[{}]", write.location.name)
    );
    assert_eq!(performed[0].contents.entries, write.after.data());
    let marked = before.statements.iter().filter(|row| row.performed);
    let marked: Vec<_> = marked.collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(
        (&*marked[0].applies, marked[0].kind),
        ("Put[ℓ1]", Applied::Operation)
    );
    assert_eq!(marked[0].through, "");
    let (from, to, line) = marked[0].place.unwrap();
    let utf16: Vec<u16> = source.encode_utf16().collect();
    let place = String::from_utf16(&utf16[from as usize..to as usize]).unwrap();
    assert_eq!(place, "Put[ℓ](w − y ∗ xᵀ)");
    assert!(
        source
            .lines()
            .nth(line as usize - 1)
            .unwrap()
            .contains(&place)
    );
    let operations = |listing: &fletch_playground::compare::listing::Listing| {
        let rows = listing.statements.iter();
        rows.filter(|row| row.kind == Applied::Operation).count()
    };
    assert_eq!(operations(before), operations(after) + 1);
    assert!(
        !after
            .statements
            .iter()
            .any(|row| row.performed || row.differs)
    );
}

#[test]
fn of_a_long_arrow_a_part_is_told() {
    let source = example("unet_training");
    let index = LineIndex::new(&source);
    let trace = trace(&source);
    let writes = trace.steps(0..trace.len()).enumerate();
    let position = writes
        .filter(|(_, step)| step.write.is_some())
        .map(|(at, _)| at)
        .next()
        .unwrap();
    let opened = walk(&source).opened(position, position + 1, &Budget::steps(STEPS), &index);
    let (before, _) = opened.arrows.unwrap();
    assert_eq!(before.statements.len(), SHOWN);
    assert!(before.total() > SHOWN);
    assert!(before.statements.iter().any(|row| row.performed));
    let numbers: Vec<u32> = before.statements.iter().map(|row| row.number).collect();
    let first = before.before;
    assert!(numbers.into_iter().eq(first..first + SHOWN as u32));
}

#[test]
fn the_session_answers_from_the_heap_and_in_the_reading_that_were_loaded() {
    let source = example("mlp");
    let mut session = Session::default();
    let mut load = |revision, heap| {
        let source = source.clone();
        let mode = Mode::default();
        session.ask(revision, Ask::Load { source, heap, mode });
        let ask = |session: &mut Session, asked| match session.ask(revision, Ask::Same(asked)) {
            Reply::Same(said) => *said,
            reply => panic!("{reply:?}"),
        };
        let asked = Move {
            position: 0,
            to: 30,
            open: false,
        };
        let said = ask(&mut session, asked);
        assert_eq!(said.arrows, None);
        let opened = ask(
            &mut session,
            Move {
                open: true,
                ..asked
            },
        );
        assert_eq!(opened.same, said.same);
        assert!(opened.arrows.is_some());
        let other = session.ask(revision + 1, Ask::Same(asked));
        assert_eq!(other, Reply::Outdated);
        match said.same.verdict {
            Verdict::Equal(performed) => performed[0].contents.entries.clone(),
            verdict => panic!("{verdict:?}"),
        }
    };
    let entries = vec![0.5; 16];
    let location = "ℓ0".to_owned();
    let edited = vec![Edit {
        location,
        entries: entries.clone(),
    }];
    assert_ne!(load(1, Vec::new()), entries);
    assert_eq!(load(2, edited), entries);
}
