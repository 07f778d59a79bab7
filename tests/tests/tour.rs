//! The tour states only facts: each lesson is checked by all rules, as in `fletch tour check`. Every lesson has its own test, so that a
//! failure names the lesson. Further tests check that a lesson with a changed number fails.

use fletch_syntax::{Spelling, format};
use fletch_tour::{
    Asking, Attempt, BUDGET, Given, HandedIn, HandedLesson, HandedText, Judgement, Lesson, State,
    Tour, grade, tour, verify,
};
use fletch_trace::Budget;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// Returns the files of the tour by their paths.
fn files() -> BTreeMap<String, String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/tour"));
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            for entry in fs::read_dir(&path).unwrap() {
                let path = entry.unwrap().path();
                let file = path.file_name().unwrap().to_string_lossy().into_owned();
                files.insert(format!("{name}/{file}"), fs::read_to_string(path).unwrap());
            }
        } else {
            files.insert(name, fs::read_to_string(path).unwrap());
        }
    }
    files
}

fn all() -> Tour {
    tour(&files()).unwrap_or_else(|unread| panic!("{unread}"))
}

fn named(name: &str) -> Rc<Lesson> {
    Rc::new(all().lesson(name).unwrap().clone())
}

/// Checks that a lesson keeps all rules.
fn lesson(name: &str) {
    let report = verify(&named(name));
    assert!(
        report.problems.is_empty(),
        "{name}:\n{}",
        report.problems.join("\n")
    );
}

/// Returns the verdict on a text, computed in one slice.
fn verdict(lesson: &Rc<Lesson>, exercise: &str, text: &str) -> fletch_tour::Verdict {
    let attempt = Attempt::new(lesson.clone(), exercise, text, BUDGET);
    attempt.unwrap().verdict_now().unwrap()
}

#[test]
fn the_tour_is_whole() {
    let tour = all();
    assert_eq!(tour.lessons.len(), 24);
    let fronts = || tour.lessons.iter().map(|lesson| &lesson.front);
    let predictions: usize = fronts().map(|front| front.predictions.len()).sum();
    let exercises: usize = fronts().map(|front| front.exercises.len()).sum();
    let mistakes = fronts().flat_map(|front| &front.exercises);
    let mistakes: usize = mistakes.map(|exercise| exercise.mistakes.len()).sum();
    assert!(predictions >= 43, "{predictions} predictions");
    assert!(exercises >= 48, "{exercises} exercises");
    assert!(mistakes >= 128, "{mistakes} mistakes");
    // Every lesson has a name for addresses that consists of its number and words.
    for lesson in &tour.lessons {
        assert!(
            lesson.name.starts_with(&format!("{:02}-", lesson.number)),
            "{}",
            lesson.name
        );
    }
}

/// Returns the problems of a lesson in which one text of a file is replaced.
fn problems(name: &str, file: &str, from: &str, to: &str) -> Vec<String> {
    let mut files = files();
    let text = files.get_mut(&format!("{name}/{file}")).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    *text = text.replacen(from, to, 1);
    let tour = tour(&files).unwrap();
    verify(tour.lesson(name).unwrap()).problems
}

#[test]
fn a_changed_number_is_found() {
    for (file, from, to) in [
        ("program.fletch", "H(0.1, 5)", "H(0.2, 5)"),
        ("lesson.md", "is = 1.7", "is = 1.8"),
        (
            "lesson.md",
            "With 1.7 for a weight the output would be 5.1",
            "With 1.7 for a weight the output would be 5.2",
        ),
        ("lesson.md", "redex = \"2 ∗ 0.1\"", "redex = \"2 ∗ 0.3\""),
        (
            "lesson.md",
            "[It writes](step:write)",
            "[It writes](step:wrote)",
        ),
        ("lesson.md", "## Exercise: A bias", "## Exercise: The bias"),
        ("bias.fletch", "(b − y)", "(b − 2 · y)"),
        ("bias-up.fletch", "(b + y)", "(b − y)"),
        ("target.fletch", "H(0.1, 4)", "H(0.1, 3)"),
    ] {
        let found = problems("05-by-hand", file, from, to);
        assert!(!found.is_empty(), "{file}: {to} passes");
    }
}

#[test]
fn a_translation_has_all_that_the_lesson_has() {
    for (from, to) in [
        (
            "[exercise.third.slips]\nthird-swapped",
            "[exercise.third.slips]\nthird-other",
        ),
        ("direct-value = ", "direct-values = "),
        ("[predict.1]", "[predict.2]"),
        ("[Die Seite Diagram](view:diagram)", "Die Seite Diagram"),
        ("Real(2) → Real(1)", "Real(2)"),
        ("## Exercise: Ohne Operationen", "## Exercise: Direkt"),
        ("3 Zeilen mit je 2 Zahlen", "3.5 Zeilen mit je 2 Zahlen"),
    ] {
        let found = problems("01-no-behaviour", "de.md", from, to);
        assert!(
            found.iter().any(|found| found.starts_with("de.md: ")),
            "{to}: {found:?}"
        );
    }
}

#[test]
fn slices_come_to_the_same() {
    let mut stopped = 0;
    for (name, exercise) in [
        ("05-by-hand", "bias"),
        ("13-two-uses", "get"),
        ("07-perceptron", "rate"),
    ] {
        let lesson = named(name);
        let files = lesson.files.iter();
        for (file, text) in files.filter(|(file, _)| file.starts_with(exercise)) {
            let mut attempt = Attempt::new(lesson.clone(), exercise, text, BUDGET).unwrap();
            let left = std::cell::Cell::new(0);
            let may = || {
                left.set(left.get() - 1);
                left.get() > 0
            };
            let mut slices = 0;
            let found = loop {
                left.set(50);
                if let Some(found) = attempt.advance(&may) {
                    break found;
                }
                slices += 1;
            };
            assert_eq!(found, verdict(&lesson, exercise, text), "{file}");
            stopped += slices;
        }
    }
    assert!(stopped > 0, "nothing was ever stopped");
}

#[test]
fn a_page_judges_as_the_command_line_does() {
    for name in ["01-no-behaviour", "05-by-hand", "08-sandwich", "20-partial"] {
        let lesson = named(name);
        let text = serde_json::to_string(&lesson.for_page()).unwrap();
        // The sheet of a page has no results of predictions, because the page computes them.
        let sheet: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut predictions = sheet["predict"].as_array().unwrap().iter();
        assert!(predictions.all(|prediction| prediction.get("is").is_none()));
        let page: Lesson = serde_json::from_str(&text).unwrap();
        let page = Rc::new(page);
        for exercise in &lesson.front.exercises {
            let files = [&exercise.start, &exercise.solution].into_iter();
            let files = files.chain(&exercise.also);
            let files = files.chain(exercise.mistakes.iter().map(|mistake| &mistake.file));
            for file in files {
                let text = lesson.file(file).unwrap();
                let own = verdict(&lesson, &exercise.id, text);
                assert_eq!(verdict(&page, &exercise.id, text), own, "{name}: {file}");
            }
        }
    }
}

/// Returns the solution of an exercise with one text replaced.
fn changed(lesson: &Lesson, exercise: &str, from: &str, to: &str) -> String {
    let solution = &lesson.exercise(exercise).unwrap().solution;
    let text = lesson.file(solution).unwrap();
    assert!(text.contains(from), "{solution} has no {from}");
    text.replacen(from, to, 1)
}

#[test]
fn mistakes_are_recognised_in_other_words() {
    let lesson = named("05-by-hand");
    // For an unknown mistake the wrong number is reported.
    let text = changed(&lesson, "bias", "[ℓ'](b − y)", "[ℓ'](b − 2 · y)");
    let found = verdict(&lesson, "bias", &text);
    assert_eq!((found.state, found.slip), (State::NotYet, None));
    assert_eq!(found.kind, "run");
    let found = found.found.unwrap();
    assert!(found.contains("`b` is 0.6"), "{found}");
    // The mistake `bias-up` is recognised with other names and another order of terms.
    let other = lesson.file("bias-up.fletch").unwrap();
    let other = other
        .replace("let b ⇐", "let bias ⇐")
        .replace("b + y", "y + bias");
    let other = other.replace("w ∗ x + b,", "w ∗ x + bias,");
    let found = verdict(&lesson, "bias", &other);
    assert_eq!(found.slip.as_deref(), Some("bias-up"));
}

#[test]
fn what_is_rejected_has_the_place_of_its_first_error() {
    let lesson = named("05-by-hand");
    let text = changed(&lesson, "bias", "⌊wᵀ ∗ y⌋", "⌊vᵀ ∗ y⌋");
    let found = verdict(&lesson, "bias", &text);
    assert_eq!((found.check, found.kind.as_str()), (0, "accepted"));
    assert!(found.says.starts_with("F0201 in line 1"), "{}", found.says);
    let found = verdict(&lesson, "bias", "main = ");
    assert_eq!(found.kind, "accepted");
    // No text makes a check panic.
    for text in [
        "",
        "{-",
        "main = ⌊1⌋",
        "loc a ∷ (1, 1) = 2\nmain = Get[a]()",
    ] {
        for exercise in &lesson.front.exercises {
            assert!(!verdict(&lesson, &exercise.id, text).is_done(), "{text}");
        }
    }
}

#[test]
fn messages_do_not_give_the_answer_away() {
    let lesson = named("05-by-hand");
    let found = verdict(
        &lesson,
        "target",
        lesson.file("target-start.fletch").unwrap(),
    );
    assert!(!found.says.contains("1.4"), "{}", found.says);
    assert!(found.says.contains("`a` is 1.7"), "{}", found.says);
}

#[test]
fn forged_verdicts_are_found_out() {
    let tour = all();
    let lesson = named("05-by-hand");
    let written = |file: &str, state| HandedText {
        text: lesson.file(file).unwrap().to_owned(),
        state,
        seen: false,
    };
    let done = HandedLesson {
        answers: BTreeMap::from([
            (1, Given::Typed("6".to_owned())),
            (2, Given::Typed("7".to_owned())),
        ]),
        exercises: BTreeMap::from([
            ("bias".to_owned(), written("bias-up.fletch", State::Done)),
            ("target".to_owned(), written("target.fletch", State::Done)),
        ]),
    };
    let handed = HandedIn {
        version: 1,
        name: "Ada".to_owned(),
        lessons: BTreeMap::from([
            ("05-by-hand".to_owned(), done),
            ("99-none".to_owned(), HandedLesson::default()),
        ]),
    };
    let graded = grade(&tour, &handed).unwrap();
    assert_eq!(graded.predictions.0, 1);
    assert_eq!(graded.exercises.0, 1);
    assert_eq!(graded.forged, ["05-by-hand/bias"]);
    assert_eq!(graded.unknown, ["99-none"]);
    let other = HandedIn {
        version: 2,
        ..handed
    };
    assert!(grade(&tour, &other).unwrap_err().contains("version 2"));
}

#[test]
fn a_prediction_is_judged_by_what_is_computed() {
    let lesson = named("05-by-hand");
    let mut asking = Asking::new(lesson, 3, BUDGET).unwrap();
    let answered = asking.advance(&|| true).unwrap().unwrap();
    let judge = |text: &str| answered.judge(&Given::Typed(text.to_owned()));
    assert!(matches!(judge("1.7"), Judgement::Right(_)));
    assert!(matches!(judge("1.9"), Judgement::Slip(_)));
    assert_eq!(judge("3"), Judgement::Wrong);
    assert!(matches!(judge("?"), Judgement::NoAnswer(_)));
}

#[test]
fn the_spelling_of_a_program_does_not_matter() {
    for lesson in all().lessons {
        let lesson = Rc::new(lesson);
        for exercise in &lesson.front.exercises {
            let text = lesson.file(&exercise.solution).unwrap();
            let ascii = format(text, Spelling::Ascii, fletch_smooth::symbols()).unwrap();
            // White space and comments do not matter either.
            let spread = ascii.replace('\n', "\n\n");
            for text in [&ascii, &format!("-- A remark.\n{spread}")] {
                let found = verdict(&lesson, &exercise.id, text);
                assert!(
                    found.is_done(),
                    "{}, {}: {}",
                    lesson.name,
                    exercise.id,
                    found.says
                );
            }
        }
    }
}

#[test]
fn a_run_without_an_end_in_sight_is_stopped() {
    let lesson = named("05-by-hand");
    let text = lesson.file("bias.fletch").unwrap();
    let budget = Budget { steps: 3, ..BUDGET };
    let attempt = Attempt::new(lesson.clone(), "bias", text, budget);
    let found = attempt.unwrap().verdict_now().unwrap();
    assert!(found.says.contains("F0603"), "{}", found.says);
    let lesson = named("08-sandwich");
    let full = Budget {
        bytes: 1,
        memory: || 2,
        ..BUDGET
    };
    let text = lesson.file("order.fletch").unwrap();
    let found = Attempt::new(lesson.clone(), "order", text, full)
        .unwrap()
        .verdict_now();
    assert!(found.unwrap().says.contains("of memory"));
}

#[test]
fn a_page_has_the_places_of_bookmarks_and_holds() {
    let lesson = named("05-by-hand").for_page();
    assert_eq!(
        lesson.places.marks.len(),
        lesson.front.marks.len(),
        "every bookmark has a place"
    );
    let holds: Vec<u32> = lesson.places.holds.iter().flatten().copied().collect();
    assert_eq!(holds.len(), lesson.front.predictions.len());
    assert!(
        holds.is_sorted() && holds[0] > 0,
        "the run is held before one question after the other: {holds:?}"
    );
    // The border of the domain is met in the run itself, so the run is not shown before the answer.
    assert_eq!(named("20-partial").for_page().places.holds[0], Some(0));
    // A training of another program has no position in the run of this one.
    assert_eq!(named("07-perceptron").for_page().places.holds, [None]);
}
