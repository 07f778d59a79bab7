//! The tab of types: it follows the cursor, opens and folds, goes out and in, and asks for nothing twice.

use super::*;
use crate::figures::types::{TypesMsg, Way};
use fletch_playground::figures::derivation::{Node, Room, Shown};

impl Page {
    fn types(&mut self, msg: TypesMsg) {
        self.hear(Msg::Types(msg));
    }

    fn shown(&self) -> &Shown {
        self.model
            .types
            .derived
            .as_ref()
            .unwrap()
            .shown
            .as_ref()
            .unwrap()
    }

    fn cursor(&mut self, part: &str) {
        let place = MLP.find(part).unwrap();
        let units = MLP[..place].encode_utf16().count() as u32;
        self.hear(Msg::Told(ToFigures::Cursor(units)));
    }

    fn derivations(&self) -> usize {
        let derive = |request: &&Request| matches!(request, Request::Derive(_));
        self.asked.iter().filter(derive).count()
    }
}

fn page() -> Page {
    let mut page = Page::new();
    page.hear(Msg::Told(ToFigures::Tab(Tab::Types)));
    page.program(1, MLP);
    page.types(TypesMsg::Room(Room::default()));
    page
}

fn open(node: &Node) -> usize {
    usize::from(node.open) + node.premises.iter().map(open).sum::<usize>()
}

#[test]
fn the_derivation_is_that_of_what_the_cursor_is_in() {
    let mut page = page();
    assert!(
        page.model.types.derived.as_ref().unwrap().shown.is_err(),
        "a comment"
    );
    page.cursor("main = rev");
    assert_eq!(page.shown().tree.rule, "T-RHandle");
    page.cursor("z_out ⇐");
    assert_eq!(page.shown().tree.rule, "T-CLet");
    let asked = page.derivations();
    page.cursor("z_out ⇐");
    page.types(TypesMsg::Room(Room::default()));
    assert_eq!(page.derivations(), asked, "nothing is asked twice");
}

#[test]
fn no_derivation_is_asked_for_while_another_tab_is_shown_or_the_text_is_newer() {
    let mut page = page();
    let asked = page.derivations();
    page.hear(Msg::Told(ToFigures::Tab(Tab::Diagram)));
    page.cursor("main = rev");
    assert_eq!(page.derivations(), asked);
    page.hear(Msg::Told(ToFigures::Tab(Tab::Types)));
    assert_eq!(page.derivations(), asked + 1);
    page.hear(Msg::Told(ToFigures::Stale));
    page.cursor("z_out ⇐");
    assert_eq!(page.derivations(), asked + 1);
    page.program(2, MLP);
    assert_eq!(page.shown().tree.rule, "T-CLet");
}

#[test]
fn keys_go_through_the_tree_and_each_judgement_shows_its_place() {
    let mut page = page();
    page.cursor("main = rev");
    page.types(TypesMsg::Key(Way::Next));
    assert_eq!(page.model.types.wanted.selected, [0]);
    assert!(matches!(page.told.last(), Some(FromFigures::Mark(..))));
    assert_eq!(page.shown().detail.rule.name, "T-Const");
    page.types(TypesMsg::Key(Way::Fold));
    assert_eq!(
        page.model.types.wanted.selected, [0; 0],
        "to its conclusion"
    );
    page.types(TypesMsg::Key(Way::Fold));
    assert_eq!(open(&page.shown().tree), 0);
    page.types(TypesMsg::Key(Way::Open));
    assert!(page.shown().tree.open);
    page.types(TypesMsg::Key(Way::Last));
    assert_eq!(page.shown().detail.rule.name, "T-RHandler");
    page.types(TypesMsg::Key(Way::Toggle));
    assert_eq!(page.shown().tree.premises[2].premises.len(), 5);
    page.types(TypesMsg::Key(Way::Previous));
    assert_ne!(page.model.types.wanted.selected, [2]);
    page.types(TypesMsg::Key(Way::First));
    assert_eq!(page.model.types.wanted.selected, [0; 0]);
}

#[test]
fn a_reader_goes_in_and_out_and_from_instance_to_instance() {
    let mut page = page();
    page.cursor("main = rev");
    page.types(TypesMsg::Select(vec![2]));
    page.types(TypesMsg::In);
    assert_eq!(page.shown().tree.rule, "T-RHandler");
    page.types(TypesMsg::Out);
    assert_eq!(page.shown().tree.rule, "T-RHandle");
    page.cursor("⟨w, x⟩ ⇐");
    let first = page.shown().place.clone();
    assert_eq!(page.shown().instance.as_ref().unwrap().count, 2);
    page.types(TypesMsg::Instance(1));
    assert_ne!(page.shown().place, first);
    page.types(TypesMsg::Copy);
    assert!(page.copied[0].contains("\\inferrule"));
    page.types(TypesMsg::Copied(true));
    assert_eq!(page.model.types.copied, Some(true));
}
