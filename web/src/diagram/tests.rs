//! Tests of the diagrams: the drawing of a program, and actions of the reader.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

mod run;

use super::sheet::{FocusMove, SheetMsg, Target};
use super::{DiagramMsg, SaveAs};
use crate::answered::{MLP, Page};
use crate::model::{Health, Tab, WorkerId};
use crate::update::Msg;
use fletch_link::Part;
use fletch_playground::diagram::{Format, Style};
use fletch_playground::protocol::{Ask, Reply, Request};
use std::rc::Rc;

impl Page {
    /// A page with a program and its diagram tab shown.
    fn with(source: &str) -> Page {
        let mut page = Page::new(source);
        page.sheet(SheetMsg::Sized(800.0, 300.0));
        page.tab(Tab::Diagram);
        page.marks.clear();
        page
    }

    fn diagram(&mut self, msg: DiagramMsg) {
        self.hear(Msg::Diagram(msg));
    }

    fn sheet(&mut self, msg: SheetMsg) {
        self.diagram(DiagramMsg::Sheet(0, msg));
    }

    fn click(&mut self, label: &str) {
        let at = self.middle(label);
        self.sheet(SheetMsg::Pressed(1, at));
        self.sheet(SheetMsg::Released(1, at));
    }

    fn labels(&self, sheet: usize) -> Vec<String> {
        let picture = self.model.diagram.sheets[sheet].picture().unwrap();
        picture
            .boxes
            .iter()
            .map(|shape| shape.label.clone())
            .collect()
    }

    fn middle(&self, label: &str) -> (f64, f64) {
        let sheet = &self.model.diagram.sheets[0];
        let picture = sheet.picture().unwrap();
        let shape = picture
            .boxes
            .iter()
            .find(|shape| shape.label == label)
            .unwrap();
        let (x, y, width, height) = shape.frame;
        sheet.camera.screen((x + width / 2.0, y + height / 2.0))
    }

    fn focused(&self) -> &str {
        let sheet = &self.model.diagram.sheets[0];
        &sheet.shape(sheet.focus.unwrap()).unwrap().label
    }
}

#[test]
fn nothing_is_drawn_before_it_is_looked_at() {
    let mut page = Page::new(MLP);
    assert!(page.asked.is_empty(), "and nothing is read for it");
    assert_eq!(page.model.second.health, Health::Absent);
    page.tab(Tab::Diagram);
    assert!(matches!(page.asked[0].ask, Ask::Load { .. }));
    assert!(matches!(page.asked[1].ask, Ask::Draw(_)));
    assert_eq!(page.model.diagram.of.as_ref(), "main");
    assert!(page.labels(0).contains(&"swish".to_owned()));
}

#[test]
fn what_a_link_says_is_drawn_and_what_a_reader_turns_is_told() {
    let mut page = Page::with(MLP);
    let opens = |page: &Page| {
        let boxes = page.model.diagram.sheets[0].picture().unwrap().boxes.iter();
        let opens = boxes.filter_map(|shape| shape.opens.clone());
        opens.collect::<Vec<_>>()
    };
    let key = opens(&page)[0].clone();
    page.diagram(DiagramMsg::OpenAll(true));
    page.diagram(DiagramMsg::Part(Part::Both));
    page.diagram(DiagramMsg::Style(Style::Unbent));
    let look = page.model.diagram.look();
    assert!(look.open.contains(&key));
    let mut other = Page::new(MLP);
    other.model.diagram.take(look.clone());
    other.tab(Tab::Diagram);
    assert_eq!(other.labels(0), page.labels(0));
    assert_eq!(other.model.diagram.part, Part::Both);
    assert_eq!(other.model.diagram.look(), look);
}

#[test]
fn each_thing_is_asked_for_once() {
    let mut page = Page::with(MLP);
    let asked = page.asked.len();
    for msg in [
        SheetMsg::Zoom(1.2),
        SheetMsg::Fit,
        SheetMsg::Go(FocusMove::Right),
    ] {
        page.sheet(msg);
    }
    page.cursor(4);
    assert_eq!(page.asked.len(), asked);
    page.diagram(DiagramMsg::Part(Part::Both));
    let new: Vec<&Ask> = page.asked[asked..].iter().map(|new| &new.ask).collect();
    assert!(
        matches!(
            new.as_slice(),
            [Ask::Draw(_), Ask::Follow { network: true, .. }]
        ),
        "the network alone was missing: {new:?}"
    );
}

#[test]
fn a_newer_text_is_drawn_and_an_older_answer_forgotten() {
    let mut page = Page::with(MLP);
    let draws = page.asked.iter();
    let mut draws = draws.filter(|request| matches!(request.ask, Ask::Draw(_)));
    let old = draws.next_back().unwrap().clone();
    let answer = page.figures.handle((*old).clone());
    assert!(matches!(answer, Reply::Drawn(_)), "it was drawn before");
    page.program("main = ⌊tanh(1) + 2⌋");
    assert_eq!(page.labels(0), ["tanh(1) + 2"]);
    page.model.second.in_flight.push_back(old);
    page.hear(Msg::Replied(WorkerId::Figures, Box::new(answer)));
    assert_eq!(page.labels(0), ["tanh(1) + 2"]);
}

#[test]
fn a_command_that_is_gone_gives_its_place_to_the_first() {
    let mut page = Page::with(MLP);
    page.diagram(DiagramMsg::Of("R_MLP".into()));
    assert_eq!(page.labels(0), ["FC[ℓ0]", "swish", "FC[ℓ1]"]);
    page.program("command T(x : Real(1)) : Real(1) = ⌊exp(x)⌋");
    assert_eq!(
        (page.model.diagram.of.as_ref(), page.labels(0)),
        ("T", vec!["exp".to_owned()])
    );
    page.program("-- nothing");
    assert!(
        page.model
            .read()
            .unwrap()
            .commands
            .as_ref()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn where_the_reader_has_moved_to_and_what_has_the_focus_stay_while_the_text_changes() {
    let mut page = Page::with(MLP);
    page.click("swish");
    page.sheet(SheetMsg::Wheel((100.0, 100.0), (0.0, -100.0), true));
    let camera = page.model.diagram.sheets[0].camera;
    assert_eq!(page.focused(), "swish");
    page.program(&MLP.replace("0.1", "0.2"));
    assert_eq!(page.model.diagram.sheets[0].camera, camera);
    assert_eq!(page.focused(), "swish");
}

#[test]
fn a_drag_moves_and_a_click_shows_the_place_in_the_text() {
    let mut page = Page::with(MLP);
    let at = page.middle("swish");
    let before = page.model.diagram.sheets[0].camera;
    page.sheet(SheetMsg::Pressed(1, at));
    page.sheet(SheetMsg::Moved(1, (at.0 + 30.0, at.1)));
    page.sheet(SheetMsg::Released(1, (at.0 + 30.0, at.1)));
    assert!(page.marks.is_empty(), "a drag is no click");
    let after = page.model.diagram.sheets[0].camera;
    assert!((before.x - after.x - 30.0 / before.scale).abs() < 1e-9);
    page.click("swish");
    let marked = page.text_at(page.marks[0]);
    assert_eq!(marked, "swish(z_hid)");
}

#[test]
fn a_finger_is_told_by_the_card_alone_until_the_run_goes_on_to_another_box() {
    let mut page = Page::with(MLP);
    page.at(3);
    page.sheet(SheetMsg::Touch(true));
    page.click("FC[ℓ0]");
    assert_eq!(page.model.diagram.sheets[0].hover, None);
    page.at(4);
    assert!(page.model.diagram.chosen.is_some(), "the same box");
    page.at(44);
    assert_eq!(page.model.diagram.chosen, None);
}

#[test]
fn a_click_on_the_sign_of_a_box_opens_it() {
    let mut page = Page::with(MLP);
    page.diagram(DiagramMsg::AtWork(false));
    let sheet = &page.model.diagram.sheets[0];
    let mut boxes = sheet.picture().unwrap().boxes.iter();
    let shape = boxes.find(|shape| shape.label == "FC[ℓ0]").unwrap();
    let [_, sign, _] = shape.chevron().unwrap();
    let at = sheet.camera.screen(sign);
    page.sheet(SheetMsg::Pressed(1, at));
    page.sheet(SheetMsg::Released(1, at));
    assert!(page.labels(0).contains(&"Get[ℓ0]".to_owned()));
    assert_eq!(page.model.diagram.chosen, None);
}

#[test]
fn what_is_under_the_pointer_is_a_box_before_it_is_a_wire() {
    let mut page = Page::with(MLP);
    page.sheet(SheetMsg::Moved(1, page.middle("FC[ℓ0]")));
    assert!(matches!(
        page.model.diagram.sheets[0].hover,
        Some((Target::Box(_), _))
    ));
    let (x, y) = page.middle("swish");
    let sheet = &page.model.diagram.sheets[0];
    let width = sheet
        .picture()
        .unwrap()
        .boxes
        .iter()
        .find(|shape| shape.label == "swish")
        .unwrap()
        .frame
        .2;
    let beside = x + (width / 2.0 + 8.0) * sheet.camera.scale;
    page.sheet(SheetMsg::Moved(1, (beside, y)));
    assert!(matches!(
        page.model.diagram.sheets[0].hover,
        Some((Target::Wire(_), _))
    ));
    page.sheet(SheetMsg::Left(1));
    assert_eq!(page.model.diagram.sheets[0].hover, None);
}

#[test]
fn a_text_with_an_error_leaves_the_last_picture_and_marks_nothing() {
    let mut page = Page::with(MLP);
    page.stale();
    assert!(page.model.is_ahead() && !page.labels(0).is_empty());
    page.click("swish");
    assert!(page.marks.is_empty(), "places are those of another text");
}

#[test]
fn of_a_rejected_program_the_commands_that_stand_are_drawn() {
    let source =
        "op FC : Real(2) ▷ Real(2)\ncommand R(x : Real(2)) : Real(2) = FC(x)\nmain = R([3, 1])\n";
    let mut page = Page::with(source);
    page.diagram(DiagramMsg::Of("R".into()));
    assert_eq!(page.labels(0), ["FC"]);
    // The error is known, and spans refer to this text.
    assert!(page.model.errors() > 0 && page.model.is_ahead() && !page.model.is_outdated());
    page.click("FC");
    assert_eq!(page.marks.len(), 1);
    // A program that checks replaces it, and stays while the text has an error.
    page.program(MLP);
    assert!(!page.model.is_ahead());
    page.program(source);
    assert!(page.model.is_outdated());
}

#[test]
fn a_worker_that_fails_is_started_again_and_shows_everything_again() {
    let mut page = Page::with(MLP);
    page.diagram(DiagramMsg::Part(Part::Both));
    let (labels, asked) = (page.labels(0), page.asked.len());
    page.at(44);
    page.hear(Msg::WorkerFailed(WorkerId::Figures, "it is gone".into()));
    let failed = Health::Failed("it is gone".into());
    assert_eq!(page.model.second.health, failed);
    assert!(page.model.read().is_none());
    // Stepping continues, and nothing is requested from the failed worker.
    page.at(45);
    page.program(&MLP.replace("0.1", "0.2"));
    assert_eq!((page.asked.len(), page.labels(0)), (asked, labels));
    page.tab(Tab::Diagram);
    assert_eq!(page.model.second.health, Health::Ready);
    let again = page.asked.split_off(asked);
    assert_eq!(again.len(), asked, "{again:?}");
    assert!(again.iter().all(|request| request.revision == 2));
    assert!(page.model.following(0).is_some() && page.model.following(1).is_some());
}

#[test]
fn a_diagram_is_saved_as_a_file() {
    let mut page = Page::with(MLP);
    page.diagram(DiagramMsg::More(true));
    page.diagram(DiagramMsg::Save(0, SaveAs::Text(Format::Tikz)));
    let file = page.saved.pop().unwrap();
    assert_eq!((&*file.name, file.kind), ("main.tex", "text/x-tex"));
    assert!(!file.bytes.is_empty() && !page.model.diagram.more);

    // For a program that has changed meanwhile, the worker writes nothing, and the page says so.
    let drawing = page.model.diagram.sheets[0].drawn.clone().unwrap();
    let ask = Ask::Write(drawing.asked.clone(), Format::Tikz);
    let request = Rc::new(Request { revision: 1, ask });
    page.model.second.in_flight.push_back(request);
    page.hear(Msg::Replied(WorkerId::Figures, Box::new(Reply::Outdated)));
    let notice = page.model.notice.as_deref().unwrap();
    assert!(notice.starts_with("Not saved"), "{notice}");
    assert!(page.saved.is_empty());
}

/// A run of an inner handler is open initially. Its header folds it and its box opens it; Escape folds the frames around the focus,
/// the outermost run last. Stepping changes none of that.
#[test]
fn runs_are_folded_and_opened() {
    let mut page = Page::with(include_str!("../../../examples/autoencoder.fletch"));
    page.diagram(DiagramMsg::AtWork(false));
    let count = |page: &Page, handler: &str| {
        let label = format!("rev handle … with {handler}");
        page.labels(0).iter().filter(|own| **own == label).count()
    };
    let first = page.labels(0);
    let sheet = &page.model.diagram.sheets[0];
    let (x, y, _, height) = sheet.picture().unwrap().frames[0].header;
    let header = sheet.camera.screen((x + 12.0, y + height / 2.0));
    page.sheet(SheetMsg::Pressed(1, header));
    page.sheet(SheetMsg::Released(1, header));
    assert_eq!(count(&page, "H_AE"), 2);
    page.at(3);
    assert_eq!(count(&page, "H_AE"), 2);
    page.sheet(SheetMsg::Focus(true));
    page.sheet(SheetMsg::Go(FocusMove::Right));
    page.sheet(SheetMsg::Open(None));
    assert_eq!(page.labels(0), first);
    // The focus is in the box that was opened.
    page.sheet(SheetMsg::Fold);
    assert_eq!(count(&page, "H_AE"), 2);
    page.sheet(SheetMsg::Fold);
    assert_eq!((count(&page, "H_AE"), count(&page, "H_MLP")), (0, 1));
    page.sheet(SheetMsg::Open(None));
    assert_eq!((count(&page, "H_AE"), count(&page, "H_MLP")), (2, 0));
    page.diagram(DiagramMsg::OpenAll(false));
    assert_eq!(page.labels(0), first);
}
