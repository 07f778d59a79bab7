//! Tests of a page that is reloaded: it continues at its position, with the same program only.

use crate::effects::Effect;
use crate::model::Model;
use crate::share::update::TravelMsg;
use crate::steps::place::Place;
use crate::steps::update::StepMsg;
use crate::update::tests::{Page, advanced, checked, shown};
use crate::update::{Msg, start};
use fletch_link::{Link, Settings};
use fletch_playground::protocol::{Level, RunStatus};

impl Page {
    /// Bookmark that the last message has kept.
    fn place(&self) -> Option<Place> {
        self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Place(place) => Some(*place),
            _ => None,
        })
    }
}

/// A page that is reloaded with this text, and perhaps a link.
fn again(text: &str, link: Option<Link>, place: Place) -> Page {
    let mut model = Model::new("mlp.fletch", "Perceptron", text, text);
    model.travel.resumed = Place::kept(&place.line());
    let opened = link.map(|link| Link::read(&link.fragment()));
    let (model, effects) = start(model, opened);
    Page { model, effects }
}

#[test]
fn a_page_is_loaded_again_where_it_was_left() {
    let mut page = Page::running(20);
    page.tell(Msg::Show(6)).answer(shown(6));
    let place = page.place().unwrap();
    let mut page = again("main = A", None, place);
    page.tell(Msg::WorkerReady(crate::model::WorkerId::Steps))
        .answer(checked())
        .answer(advanced(20, RunStatus::Value));
    assert_eq!(page.position(), Some(6));
    let page = again("main = B", None, place);
    assert_eq!(page.model.stepping.left, 0, "another program");
}

#[test]
fn a_level_goes_along_and_so_does_a_notice_that_was_read() {
    let link = Link {
        source: "main = A".to_owned(),
        settings: Settings {
            step: 3,
            ..Settings::default()
        },
        ..Link::default()
    };
    let mut page = Page::running(20);
    page.tell(Msg::Travel(TravelMsg::Linked(link.fragment().into())))
        .answer(checked())
        .answer(advanced(20, RunStatus::Value))
        .tell(Msg::Step(StepMsg::Level(Level::Every)));
    let unread = page.place().unwrap();
    assert_eq!((unread.position, unread.level), (3, Level::Every));
    let loaded = again("main = A", Some(link.clone()), unread);
    assert!(loaded.model.travel.told.is_some());
    page.tell(Msg::Travel(TravelMsg::Read));
    let loaded = again("main = A", Some(link), page.place().unwrap());
    assert_eq!(loaded.model.travel.told, None);
    assert_eq!(loaded.model.stepping.level, Level::Every);
}

#[test]
fn a_line_that_is_no_place_is_none() {
    for line in [
        "",
        "0 1",
        "x 1 plain true",
        "0 -1 plain true",
        "0 1 plain x",
    ] {
        assert_eq!(Place::kept(line), None, "{line}");
    }
}
