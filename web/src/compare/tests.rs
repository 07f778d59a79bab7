//! Tests of the comparisons: choices, requests and results.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use super::{About, BOTH, CompareMsg, From, mark};
use crate::answered::{MLP, Page};
use crate::diagram::sheet::SheetMsg;
use crate::effects::Wanted;
use crate::model::Tab;
use crate::steps::update::StepMsg;
use crate::update::Msg;
use fletch_playground::protocol::{Ask, End, Equality, Level, Verdict};

const REFACTORING: &str = include_str!("../../../examples/refactoring.fletch");
const FROZEN: &str = include_str!("../../../examples/frozen_layer.fletch");

impl Page {
    /// A page with a program and its comparison tab shown.
    fn compared(source: &str) -> Page {
        let mut page = Page::new(source);
        page.tab(Tab::Compare);
        for number in BOTH {
            page.compare(CompareMsg::Sheet(number, SheetMsg::Bare(true)));
            page.compare(CompareMsg::Sheet(number, SheetMsg::Sized(900.0, 260.0)));
        }
        page
    }

    fn compare(&mut self, msg: CompareMsg) {
        self.hear(Msg::Compare(msg));
    }

    /// Number of requests, without those that load programs.
    fn questions(&self) -> usize {
        let asked = self.asked.iter();
        let questions = asked.filter(|request| !matches!(request.ask, Ask::Load { .. }));
        questions.count()
    }

    fn chosen(&self) -> (&str, &str) {
        let commands = &self.model.compare.commands;
        (&commands.left, &commands.right)
    }

    fn equality(&self) -> &Equality {
        let compared = self.model.compare.commands.compared.as_ref();
        &compared.unwrap().1.equality
    }

    /// Text of the step's mark, if it is known.
    fn said(&self) -> Option<String> {
        let known = self.model.compare.step.of(&self.model.at()?)?;
        Some(mark(&known.1).1)
    }
}

#[test]
fn two_commands_that_can_be_compared_are_chosen_and_compared() {
    let mut page = Page::compared(REFACTORING);
    assert_eq!(page.chosen(), ("R", "R_spurious"));
    assert_eq!(page.equality(), &Equality::Equal { any_length: false });
    page.compare(CompareMsg::Left("R".into()));
    page.compare(CompareMsg::Right("R_unrolled".into()));
    assert_eq!(page.equality(), &Equality::Equal { any_length: false });
    assert!(page.model.compare.commands.sheets[1].marked.is_empty());
    page.compare(CompareMsg::Right("R_tanh".into()));
    assert!(matches!(page.equality(), Equality::Different { .. }));
    for sheet in &page.model.compare.commands.sheets {
        assert_eq!(sheet.marked.len(), 1);
        let label = &sheet.shape(sheet.marked[0]).unwrap().label;
        assert!(["swish", "tanh"].contains(&label.as_str()), "{label}");
    }
    // For a command of other types, another second command is selected.
    page.compare(CompareMsg::Left("main".into()));
    assert_eq!(page.chosen(), ("main", ""));
    let asked = page.questions();
    page.compare(CompareMsg::Listed(true));
    assert_eq!(page.questions(), asked, "what is known is not asked again");
}

#[test]
fn another_program_is_the_one_that_was_opened_an_example_or_a_text() {
    let mut page = Page::compared(MLP);
    assert_eq!(page.chosen(), ("main", ""), "nothing has its types");
    page.compare(CompareMsg::From(From::Opened));
    assert_eq!(page.chosen(), ("main", "main"));
    assert_eq!(page.equality(), &Equality::Equal { any_length: false });
    // The text changes, and the text as it was opened does not.
    let changed = MLP.replace("swish(z_hid)", "tanh(z_hid)");
    page.program(&changed);
    assert!(matches!(page.equality(), Equality::Different { .. }));
    page.compare(CompareMsg::From(From::Example(7)));
    assert_eq!(page.fetched, [Wanted::Compared(7)]);
    page.hear(Msg::Fetched(Wanted::Compared(8), Ok("main = ⌊()⌋".into())));
    assert_eq!(page.model.compare.commands.text, None, "it was another");
    page.hear(Msg::Fetched(
        Wanted::Compared(7),
        Ok(changed.as_str().into()),
    ));
    assert_eq!(page.equality(), &Equality::Equal { any_length: false });
    page.compare(CompareMsg::From(From::Pasted));
    page.compare(CompareMsg::Pasted("main = ⌊[1]⌋ +".into()));
    let (_, known) = page.model.compare.commands.known.clone().unwrap();
    assert!(known.other.as_ref().unwrap().is_err());
    page.compare(CompareMsg::Pasted("main = ⌊[1, 2]⌋".into()));
    assert_eq!(page.chosen(), ("main", "main"));
    assert!(matches!(page.equality(), Equality::Different { .. }));
}

#[test]
fn two_runs_are_the_program_as_it_is_and_with_another_handler() {
    let mut page = Page::compared(FROZEN);
    page.compare(CompareMsg::About(About::Runs));
    let runs = &page.model.compare.runs;
    let written: Vec<&str> = runs.edits.iter().map(|edit| &*edit.insert).collect();
    assert_eq!(written, ["H_tuning(0.1, [1, −1])", "H_SGD(0.1, [1, −1])"]);
    let ran = &runs.ran.as_ref().unwrap().1;
    let norm = |number: usize| ran.heap[number].difference.as_ref().map(|half| half.norm);
    assert!(norm(0) > Some(0.0));
    assert_eq!(norm(1), Some(0.0));
    page.compare(CompareMsg::Insert(1, "H_SGD(oh)".into()));
    let ran = &page.model.compare.runs.ran.as_ref().unwrap().1;
    assert!(matches!(ran.right, End::Rejected(_)));
    // An edit stays while the text that it replaces stays.
    page.program(&format!("{FROZEN}-- A line more.\n"));
    let runs = &page.model.compare.runs;
    assert_eq!(runs.edits[1].insert, "H_SGD(oh)");
    // Another text of the same length has the same spans.
    page.program(&FROZEN.replace("H_tuning(0.1,", "H_tuning(0.2,"));
    let runs = &page.model.compare.runs;
    assert_eq!(runs.edits[0].insert, "H_tuning(0.2, [1, −1])");
    page.compare(CompareMsg::Insert(1, "H_SGD(oh)".into()));
    // In another text, the spans are different.
    page.program(&format!("-- A line more.\n{FROZEN}"));
    let runs = &page.model.compare.runs;
    assert_eq!(runs.edits[1].insert, "H_SGD(0.1, [1, −1])");
    let ran = &runs.ran.as_ref().unwrap().1;
    assert_eq!(ran.right, End::Value);
}

#[test]
fn a_step_is_asked_about_only_when_that_is_wanted() {
    let mut page = Page::compared(MLP);
    page.tab(Tab::Steps);
    page.hear(Msg::Step(StepMsg::Level(Level::Every)));
    let asked = page.questions();
    page.at(0);
    assert_eq!(page.questions(), asked);
    page.compare(CompareMsg::Marks(true));
    let mut words = vec![page.said()];
    page.at(1);
    words.push(page.said());
    assert_eq!(page.questions(), asked + 2);
    // On another level, a step leads to another position.
    page.hear(Msg::Step(StepMsg::Level(Level::Handlers)));
    let asked = page.questions();
    page.at(2);
    words.push(page.said());
    let words: Vec<String> = words.into_iter().flatten().collect();
    assert_eq!(
        words,
        [
            "same meaning",
            "same meaning",
            "same meaning, 2 operations set aside"
        ]
    );
    let at = page.model.at().map(|at| (at.position, at.to));
    assert_eq!((at, page.questions()), (Some((2, 26)), asked + 1));
    // Both arrows are requested once they are shown.
    assert!(!page.model.is_about_step());
    page.compare(CompareMsg::Step);
    assert!(page.model.is_about_step());
    let known = page.model.compare.step.known.clone().unwrap();
    assert!(known.1.1.arrows.is_some());
    assert!(matches!(known.1.1.same.verdict, Verdict::Equal(_)));
    page.compare(CompareMsg::Marks(false));
    assert!(!page.model.compare.step.marks);
    page.tab(Tab::Diagram);
    assert!(!page.model.is_about_step());
    // The stepper may show a program that the figures' worker has not loaded yet.
    let asked = page.questions();
    let shown = page.model.trace.as_mut().unwrap().shown.as_mut().unwrap();
    shown.revision = 9;
    page.compare(CompareMsg::Marks(true));
    assert_eq!(page.questions(), asked);
}

#[test]
fn both_diagrams_are_laid_out_for_the_room_they_have() {
    let mut page = Page::compared(REFACTORING);
    let wide = |page: &Page, number: usize| {
        let sheet = &page.model.compare.commands.sheets[number];
        let (_, _, width, height) = sheet.picture().unwrap().bounds;
        width / height
    };
    let along = BOTH.map(|number| wide(&page, number));
    for number in BOTH {
        page.compare(CompareMsg::Sheet(number, SheetMsg::Sized(180.0, 480.0)));
    }
    let narrow = BOTH.map(|number| wide(&page, number));
    for (along, narrow) in along.into_iter().zip(narrow) {
        assert!(narrow < along / 2.0, "{narrow} of {along}: downward");
    }
}
