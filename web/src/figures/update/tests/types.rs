//! The tab of types: it follows the cursor, opens and folds, goes out and in, and asks for nothing twice.

use super::*;
use crate::figures::types::{Beside, TypesMsg, Way};
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

fn judgements(node: &Node) -> usize {
    1 + node.premises.iter().map(judgements).sum::<usize>()
}

/// How much stands in the tree beside judgements.
fn beside(node: &Node) -> usize {
    let above = node.premises.iter().map(beside).sum::<usize>();
    above
        + if node.open {
            node.side.len() + usize::from(node.others > 0)
        } else {
            0
        }
}

#[test]
fn keys_reach_side_conditions_and_open_the_premises_left_out() {
    let mut page = page();
    page.cursor("FC[ℓ ∷ (n, m)] ( x");
    let (others, premises) = (page.shown().tree.others, page.shown().tree.premises.len());
    assert!(others > 0, "of a clause, the other clauses are left out");
    page.types(TypesMsg::Key(Way::First));
    let mut at = Vec::new();
    for _ in 0..beside(&page.shown().tree) + judgements(&page.shown().tree) {
        at.extend(page.model.types.beside.clone());
        page.types(TypesMsg::Key(Way::Next));
    }
    assert!(at.contains(&Beside::Others(vec![])), "{at:?}");
    at.dedup();
    assert_eq!(at.len(), beside(&page.shown().tree), "each is reached once");
    assert!(at.len() > 1, "side conditions too");
    page.types(TypesMsg::Beside(Beside::Others(vec![])));
    page.types(TypesMsg::Key(Way::Enter));
    assert_eq!(page.shown().tree.others, 0);
    assert_eq!(page.shown().tree.premises.len(), premises + others as usize);
    assert_eq!(
        page.model.types.beside, None,
        "the keyboard is at the judgement"
    );
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
