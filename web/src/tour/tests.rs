//! Tests of the tour next to the program: answers and programs of a reader, and the visible part of the run meanwhile.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test is a panic.

use super::update::TourMsg;
use super::{Mark, named};
use crate::answered::{MLP, Page};
use crate::effects::Wanted;
use crate::model::{Pane, Tab};
use crate::steps::place::Place;
use crate::update::{Move, Msg};
use fletch_playground::protocol::{Ask, Standing};
use fletch_tour::{Given, Listing, Tour, tour};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// All lessons, read from their files.
fn lessons() -> Tour {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/tour");
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_string_lossy();
                files.insert(name.into_owned(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    tour(&files).unwrap_or_else(|unread| panic!("{unread}"))
}

impl Page {
    fn tour(&mut self, msg: TourMsg) {
        self.hear(Msg::Tour(msg));
    }

    /// Opens a lesson and delivers its files.
    fn lesson(&mut self, name: &str) {
        self.tour(TourMsg::Open(name.into(), "".into()));
        self.come();
    }

    /// Delivers the requested texts of the tour.
    fn come(&mut self) {
        let all = lessons();
        while !self.fetched.is_empty() {
            let wanted = self.fetched.remove(0);
            let text = match &wanted {
                Wanted::Lessons => serde_json::to_string(&Listing::of(&all)).unwrap(),
                Wanted::Lesson(name) => {
                    let lesson = all.lessons.iter().find(|lesson| lesson.name == **name);
                    serde_json::to_string(&lesson.unwrap().for_page()).unwrap()
                }
                _ => continue,
            };
            self.hear(Msg::Fetched(wanted, Ok(text.into())));
        }
    }

    fn answer(&mut self, number: usize, text: &str) {
        let given = Given::Typed(text.to_owned());
        self.tour(TourMsg::Answer(number, given));
    }

    /// Number of steps of the run that the page knows.
    fn steps(&self) -> u32 {
        self.model.trace.as_ref().unwrap().steps
    }

    /// Displayed texts of the run: command, sentence, sandwich, heap.
    fn screen(&self) -> String {
        let view = self.model.trace.as_ref().unwrap().view.clone().unwrap();
        let lines = view.lines.iter().flat_map(|line| &line.pieces);
        let pieces = lines
            .chain(&view.sentence)
            .chain(view.ahead.iter().flat_map(|ahead| &ahead.sentence));
        let words = pieces.map(|piece| piece.text.clone());
        let cells = view.heap.iter().map(|cell| format!(" {:?} ", cell.entries));
        words.chain(cells).collect()
    }

    fn state(&self, exercise: &str) -> Option<Standing> {
        let work = self.model.tour.work();
        work.exercises.get(exercise).and_then(|of| of.state)
    }
}

#[test]
fn an_address_names_a_lesson_and_a_place_in_it() {
    let place = |fragment| named(fragment).map(|(one, other)| format!("{one}|{other}"));
    assert_eq!(place("#tour"), Some("|".to_owned()));
    assert_eq!(place("#tour=05-by-hand").as_deref(), Some("05-by-hand|"));
    let exercise = place("#tour=05-by-hand/exercise-bias");
    assert_eq!(exercise.as_deref(), Some("05-by-hand|exercise-bias"));
    for other in ["", "#", "#v1.abc", "#tourist", "#tour=../x", "#tour=a b"] {
        assert_eq!(place(other), None, "{other}");
    }
}

#[test]
fn a_lesson_stands_beside_its_program_and_holds_its_run() {
    let mut page = Page::new(MLP);
    page.lesson("05-by-hand");
    let open = page.model.tour.open.clone().unwrap();
    assert_eq!(*page.model.program.text, *open.lesson.program());
    let holds = &open.lesson.places.holds;
    assert_eq!(Some(page.steps()), holds[0], "held before its first step");
    page.hear(Msg::Go(Move::Last));
    page.hear(Msg::Continue);
    assert_eq!(Some(page.steps()), holds[0], "no control goes further");
    // The run continues to the next question when one is answered or skipped.
    page.answer(1, "7");
    assert_eq!(Some(page.steps()), holds[0]);
    page.answer(1, "6");
    assert_eq!(Some(page.steps()), holds[1]);
    assert_eq!(
        Some(page.model.trace.as_ref().unwrap().position),
        holds[0],
        "the reader is led to the step that shows it"
    );
    page.tour(TourMsg::Skip(2));
    assert_eq!(Some(page.steps()), holds[2]);
    page.answer(3, "1.7");
    page.answer(4, "0.2");
    assert!(page.steps() > holds[3].unwrap());
    assert!(page.model.held().is_none());
}

#[test]
fn a_lesson_that_is_loaded_again_is_where_it_was_left() {
    let mut page = Page::new(MLP);
    page.lesson("05-by-hand");
    page.hear(Msg::Go(Move::Last));
    let place = Place::of(&page.model);
    let position = page.model.trace.as_ref().unwrap().position;
    assert!(position > 0 && place.is_some_and(|place| place.position == position));
    // The lesson is fetched later: the page begins with another program, or with that of the lesson.
    for text in [MLP, &*page.model.program.text] {
        let mut again = Page::new(text);
        again.model.travel.resumed = place;
        again.lesson("05-by-hand");
        assert_eq!(again.model.trace.as_ref().unwrap().position, position);
        again.lesson("01-no-behaviour");
        assert_eq!(again.model.travel.resumed, None);
    }
}

#[test]
fn nothing_on_the_page_shows_the_answer_to_an_open_question() {
    let mut page = Page::new(MLP);
    page.lesson("05-by-hand");
    for number in 1..=3 {
        let text = ["6", "0.1", "1.7"][number - 1];
        page.hear(Msg::Go(Move::Last));
        let shown = page.screen();
        let mut numbers = shown.split(|c: char| !c.is_ascii_digit() && c != '.');
        // The step size is also 0.1. An output of 6 and a new weight of 1.7 occur nowhere before they are predicted.
        assert!(
            text == "0.1" || numbers.all(|word| word != text),
            "{number}: {shown}"
        );
        page.answer(number, text);
    }
    // A training or a run in another mode would also answer the question; the page does not request the values on the wires.
    page.lesson("12-copies-add");
    assert!(page.model.is_veiled());
    page.tab(Tab::Diagram);
    assert!(
        !page
            .asked
            .iter()
            .any(|request| matches!(request.ask, Ask::Values(_)))
    );
}

#[test]
fn the_third_wrong_answer_is_the_last() {
    let mut page = Page::new(MLP);
    page.lesson("05-by-hand");
    page.answer(1, "many");
    for _ in 0..2 {
        page.answer(1, "7");
        let kept = page.model.tour.work().predictions[&1].clone();
        assert!(kept.is_open() && kept.told.is_none());
    }
    page.answer(1, "8");
    let kept = page.model.tour.work().predictions[&1].clone();
    assert_eq!(kept.told.unwrap().0, "6");
    assert!(!kept.right && kept.tries == 3, "words are no try");
}

#[test]
fn an_exercise_is_checked_kept_and_gone_on_with() {
    let mut page = Page::new(MLP);
    page.lesson("05-by-hand");
    let lesson = page.model.tour.open.clone().unwrap().lesson;
    let file = |name: &str| Rc::from(lesson.file(name).unwrap());
    page.tour(TourMsg::Exercise("bias".into(), false));
    assert_eq!(
        *page.model.program.text,
        *lesson.file("bias-start.fletch").unwrap()
    );
    page.hear(Msg::Run);
    assert_eq!(page.state("bias"), Some(Standing::NotYet));
    page.hear(Msg::Edited(file("bias-lost.fletch")));
    page.tour(TourMsg::Check);
    let open = page.model.tour.open.clone().unwrap();
    assert_eq!(open.verdicts["bias"].slip.as_deref(), Some("bias-lost"));
    page.hear(Msg::Edited(file("bias.fletch")));
    page.tour(TourMsg::Check);
    assert_eq!(page.state("bias"), Some(Standing::Done));
    // After leaving and returning, the text is restored, and a done exercise stays done.
    page.tour(TourMsg::Program);
    assert_eq!(*page.model.program.text, *lesson.program());
    page.tour(TourMsg::Exercise("bias".into(), false));
    assert_eq!(page.model.program.text, file("bias.fletch"));
    page.hear(Msg::Edited(file("bias-start.fletch")));
    page.tour(TourMsg::Check);
    assert_eq!(page.state("bias"), Some(Standing::Done));
    // Another program is no attempt at the exercise.
    page.hear(Msg::New);
    assert!(page.model.tour.open.clone().unwrap().exercise.is_none());
}

#[test]
fn verdicts_of_the_page_are_those_of_the_command_line() {
    let mut page = Page::new(MLP);
    for lesson in lessons()
        .lessons
        .iter()
        .filter(|of| [4, 9, 11, 20].contains(&of.number))
    {
        page.lesson(&lesson.name);
        for exercise in &lesson.front.exercises {
            page.tour(TourMsg::Exercise(exercise.id.as_str().into(), true));
            let mistakes = exercise.mistakes.iter().map(|of| (&of.file, false));
            let right = [(&exercise.solution, true), (&exercise.start, false)];
            for (file, right) in right.into_iter().chain(mistakes) {
                page.hear(Msg::Edited(lesson.file(file).unwrap().into()));
                page.tour(TourMsg::Check);
                let open = page.model.tour.open.clone().unwrap();
                let verdict = &open.verdicts[&exercise.id];
                assert_eq!(verdict.is_done(), right, "{}: {file}", lesson.name);
            }
        }
    }
}

#[test]
fn what_was_done_is_listed_and_handed_in() {
    let mut page = Page::new(MLP);
    page.lesson("05-by-hand");
    page.answer(1, "6");
    let number = page
        .model
        .tour
        .open
        .clone()
        .unwrap()
        .lesson
        .front
        .predictions
        .len();
    assert_eq!(page.model.tour.work().mark(number), Mark::Half);
    for of in 2..=number {
        page.tour(TourMsg::Skip(of));
    }
    page.answer(2, "0.1");
    page.answer(3, "1.7");
    page.answer(4, "0.2");
    page.tour(TourMsg::Exercise("bias".into(), false));
    let solution = page.model.tour.open.clone().unwrap().lesson;
    page.hear(Msg::Edited(solution.file("bias.fletch").unwrap().into()));
    page.tour(TourMsg::Check);
    page.tour(TourMsg::HandIn);
    assert!(page.saved.is_empty(), "a hand-in has a name");
    page.tour(TourMsg::Name("Ada L".into()));
    page.tour(TourMsg::HandIn);
    assert_eq!(&*page.saved[0].name, "fletch-tour-Ada-L.json");
    let handed = serde_json::from_slice(&page.saved[0].bytes).unwrap();
    let graded = fletch_tour::grade(&lessons(), &handed).unwrap();
    assert_eq!((graded.predictions.0, graded.exercises.0), (4, 1));
    assert!(graded.forged.is_empty() && graded.unknown.is_empty());
    page.tour(TourMsg::Forget);
    assert!(page.model.tour.kept.is_empty());
}

#[test]
fn a_name_is_not_needed_to_begin_and_what_is_kept_decides_where() {
    let mut page = Page::new(MLP);
    page.tour(TourMsg::Open("".into(), "".into()));
    page.come();
    page.tour(TourMsg::Kept(None));
    page.come();
    let name = |page: &Page| page.model.tour.open.clone().unwrap().lesson.name.clone();
    assert_eq!(name(&page), "01-no-behaviour");
    assert!(
        page.model.tour.forgets,
        "a browser that keeps nothing is told of"
    );
    assert_eq!(page.model.layout.pane, Pane::Text);
    page.tour(TourMsg::Close);
    let kept = BTreeMap::from([
        ("fletch.v1.tour".to_owned(), "05-by-hand".to_owned()),
        (
            "fletch.v1.tour.05-by-hand".to_owned(),
            "{\"predictions\":{\"1\":{\"right\":true}}}".to_owned(),
        ),
        ("fletch.v1.tour.06-heap".to_owned(), "damaged".to_owned()),
    ]);
    page.tour(TourMsg::Open("".into(), "".into()));
    page.tour(TourMsg::Kept(Some(Rc::new(kept))));
    page.come();
    assert_eq!(name(&page), "05-by-hand");
    assert!(page.model.tour.work().predictions[&1].right);
    page.tour(TourMsg::Turn(true));
    page.come();
    assert_eq!(name(&page), "06-heap");
}

#[test]
fn a_lesson_that_does_not_come_is_said() {
    let mut page = Page::new(MLP);
    page.tour(TourMsg::Open("05-by-hand".into(), "".into()));
    for wanted in std::mem::take(&mut page.fetched) {
        page.hear(Msg::Fetched(wanted, Err("the site does not answer".into())));
    }
    let trouble = page.model.tour.trouble.clone().unwrap();
    assert!(trouble.contains("the site does not answer"), "{trouble}");
    assert_eq!(*page.model.program.text, *MLP);
}

#[test]
fn the_number_of_lessons_is_the_one_that_texts_say() {
    let count = format!("{} lessons", lessons().lessons.len());
    for text in [
        include_str!("../view/header.rs"),
        include_str!("../../../README.md"),
    ] {
        assert!(text.contains(&count), "{count}");
    }
}
