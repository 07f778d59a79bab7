#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // A failed test is a panic.

mod checking;
mod picturing;
mod run;
mod training;
mod types;

use super::*;
use crate::figures::sheet::{Target, Way};
use crate::talk::Program;
use fletch_playground::figures::Session;
use fletch_playground::protocol::Mode;

const MLP: &str = include_str!("../../../../examples/mlp.fletch");

/// The figures and their session, which answers at once.
struct Page {
    model: Model,
    session: Session,
    told: Vec<FromFigures>,
    asked: Vec<Request>,
    copied: Vec<Rc<str>>,
    rested: Vec<u32>,
    timed: usize,
    saved: Vec<(Rc<str>, Rc<[u8]>)>,
    texts: Vec<Rc<TextFile>>,
}

impl Page {
    fn new() -> Page {
        Page {
            model: Model::default(),
            session: Session::default(),
            told: Vec::new(),
            asked: Vec::new(),
            copied: Vec::new(),
            rested: Vec::new(),
            timed: 0,
            saved: Vec::new(),
            texts: Vec::new(),
        }
    }

    fn hear(&mut self, msg: Msg) {
        let mut waiting = vec![msg];
        while let Some(msg) = waiting.pop() {
            let (model, effects) = update(self.model.clone(), msg);
            self.model = model;
            for effect in effects {
                match effect {
                    Effect::Send(request) => {
                        self.asked.push(request.clone());
                        waiting.insert(0, Msg::Replied(Box::new(self.session.handle(request))));
                    }
                    Effect::Tell(said) => self.told.push(said),
                    Effect::Copy(text) => self.copied.push(text),
                    Effect::Rest(milliseconds) => self.rested.push(milliseconds),
                    Effect::KeepAfter(_) => self.timed += 1,
                    Effect::Download(name, bytes) => self.saved.push((name, bytes)),
                    Effect::SaveText(file) => self.texts.push(file),
                    Effect::Save(_) | Effect::Fetch(_) => {}
                }
            }
        }
    }

    fn program(&mut self, revision: u32, source: &str) {
        self.hear(Msg::Told(ToFigures::Program(Program {
            revision,
            source: source.to_owned(),
            opened: None,
            heap: Vec::new(),
            mode: Mode::default(),
        })));
    }

    fn sheet(&mut self, msg: SheetMsg) {
        self.hear(Msg::Sheet(0, msg));
    }

    /// The page with a program, the tab of diagrams shown.
    fn with(source: &str) -> Page {
        let mut page = Page::new();
        page.hear(Msg::Told(ToFigures::Tab(Tab::Diagram)));
        page.sheet(SheetMsg::Sized(800.0, 300.0));
        page.program(1, source);
        page
    }

    fn labels(&self, sheet: usize) -> Vec<String> {
        let picture = self.model.diagram.sheets[sheet].picture().unwrap();
        picture
            .boxes
            .iter()
            .map(|shape| shape.label.clone())
            .collect()
    }

    fn at(&self, label: &str) -> (f64, f64) {
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
    let mut page = Page::new();
    page.program(1, MLP);
    assert!(matches!(page.asked.as_slice(), [Request::Load { .. }]));
    page.hear(Msg::Told(ToFigures::Tab(Tab::Diagram)));
    assert!(matches!(page.asked.last(), Some(Request::Draw(_))));
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
    page.hear(Msg::OpenAll(true));
    page.hear(Msg::Part(Part::Both));
    page.hear(Msg::Style(Style::Unbent));
    let Some(FromFigures::Look(look)) = page.told.last().cloned() else {
        panic!("{:?}", page.told)
    };
    assert!(look.open.contains(&key));
    let mut other = Page::with(MLP);
    other.hear(Msg::Told(ToFigures::Look(look)));
    assert_eq!(other.labels(0), page.labels(0));
    assert_eq!(other.model.diagram.part, Part::Both);
    let echoed = |said: &FromFigures| matches!(said, FromFigures::Look(_));
    assert!(!other.told.iter().any(echoed), "the page knows it");
}

#[test]
fn each_thing_is_asked_for_once() {
    let mut page = Page::with(MLP);
    let asked = page.asked.len();
    for msg in [SheetMsg::Zoom(1.2), SheetMsg::Fit, SheetMsg::Go(Way::Right)] {
        page.sheet(msg);
    }
    page.hear(Msg::Told(ToFigures::Cursor(4)));
    assert_eq!(page.asked.len(), asked);
    page.hear(Msg::Part(Part::Both));
    assert_eq!(page.asked.len(), asked + 1, "the network alone was missing");
}

#[test]
fn a_newer_text_is_drawn_and_an_older_answer_forgotten() {
    let mut page = Page::with(MLP);
    let Some(Request::Draw(old)) = page.asked.last().cloned() else {
        panic!("nothing was drawn")
    };
    let Reply::Drawn(old) = page.session.handle(Request::Draw(old)) else {
        panic!("it was drawn before")
    };
    page.program(2, "main = ⌊tanh(1) + 2⌋");
    assert_eq!(page.labels(0), ["tanh(1) + 2"]);
    page.hear(Msg::Replied(Box::new(Reply::Drawn(old))));
    assert_eq!(page.labels(0), ["tanh(1) + 2"]);
}

#[test]
fn a_command_that_is_gone_gives_its_place_to_the_first() {
    let mut page = Page::with(MLP);
    page.hear(Msg::Of("R_MLP".into()));
    assert_eq!(page.labels(0), ["FC[ℓ0]", "swish", "FC[ℓ1]"]);
    page.program(2, "command T(x : Real(1)) : Real(1) = ⌊exp(x)⌋");
    assert_eq!(
        (page.model.diagram.of.as_ref(), page.labels(0)),
        ("T", vec!["exp".to_owned()])
    );
    page.program(3, "-- nothing");
    assert!(page.model.loaded.as_ref().unwrap().commands.is_empty());
}

#[test]
fn where_the_reader_has_moved_to_and_what_has_the_focus_stay_while_the_text_changes() {
    let mut page = Page::with(MLP);
    let at = page.at("swish");
    page.sheet(SheetMsg::Pressed(1, at));
    page.sheet(SheetMsg::Released(1, at));
    page.sheet(SheetMsg::Wheel((100.0, 100.0), (0.0, -100.0), true));
    let camera = page.model.diagram.sheets[0].camera;
    assert_eq!(page.focused(), "swish");
    page.program(2, &MLP.replace("0.1", "0.2"));
    assert_eq!(page.model.diagram.sheets[0].camera, camera);
    assert_eq!(page.focused(), "swish");
}

#[test]
fn a_drag_moves_and_a_click_shows_the_place_in_the_text() {
    let mut page = Page::with(MLP);
    let at = page.at("swish");
    let before = page.model.diagram.sheets[0].camera;
    page.sheet(SheetMsg::Pressed(1, at));
    page.sheet(SheetMsg::Moved(1, (at.0 + 30.0, at.1)));
    page.sheet(SheetMsg::Released(1, (at.0 + 30.0, at.1)));
    assert!(page.told.is_empty(), "a drag is no click");
    let after = page.model.diagram.sheets[0].camera;
    assert!((before.x - after.x - 30.0 / before.scale).abs() < 1e-9);
    let at = page.at("swish");
    page.sheet(SheetMsg::Pressed(1, at));
    page.sheet(SheetMsg::Released(1, at));
    let Some(FromFigures::Mark(from, to)) = page.told.first() else {
        panic!("{:?}", page.told)
    };
    let units: Vec<u16> = MLP.encode_utf16().collect();
    let marked = String::from_utf16(&units[*from as usize..*to as usize]).unwrap();
    assert_eq!(marked, "swish(z_hid)");
}

#[test]
fn what_is_under_the_pointer_is_a_box_before_it_is_a_wire() {
    let mut page = Page::with(MLP);
    page.sheet(SheetMsg::Moved(1, page.at("FC[ℓ0]")));
    assert!(matches!(
        page.model.diagram.sheets[0].hover,
        Some((Target::Box(_), _))
    ));
    let (x, y) = page.at("swish");
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
    page.hear(Msg::Told(ToFigures::Stale));
    assert!(page.model.stale && !page.labels(0).is_empty());
    let at = page.at("swish");
    page.sheet(SheetMsg::Pressed(1, at));
    page.sheet(SheetMsg::Released(1, at));
    assert!(page.told.is_empty(), "places are those of another text");
}

#[test]
fn a_worker_that_fails_is_told_to_the_page_which_can_open_the_figures_again() {
    let mut page = Page::with(MLP);
    page.hear(Msg::WorkerFailed("it is gone".into()));
    assert_eq!(page.told, [FromFigures::Failed("it is gone".to_owned())]);
}

/// A run of a handler inside is open at first: its header folds it, the box opens it, Escape folds what is around the focus, last of all
/// the outermost run; stepping changes none of it.
#[test]
fn runs_are_folded_and_opened() {
    let mut page = Page::with(include_str!("../../../../examples/autoencoder.fletch"));
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
    page.hear(Msg::Told(ToFigures::At(crate::talk::At {
        revision: 1,
        position: 3,
        ..Default::default()
    })));
    assert_eq!(count(&page, "H_AE"), 2);
    page.sheet(SheetMsg::Focus(true));
    page.sheet(SheetMsg::Go(Way::Right));
    page.sheet(SheetMsg::Open(None));
    assert_eq!(page.labels(0), first);
    // The focus is in what was opened.
    page.sheet(SheetMsg::Fold);
    assert_eq!(count(&page, "H_AE"), 2);
    page.sheet(SheetMsg::Fold);
    assert_eq!((count(&page, "H_AE"), count(&page, "H_MLP")), (0, 1));
    page.sheet(SheetMsg::Open(None));
    assert_eq!((count(&page, "H_AE"), count(&page, "H_MLP")), (2, 0));
    page.hear(Msg::OpenAll(false));
    assert_eq!(page.labels(0), first);
}
