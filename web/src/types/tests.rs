//! Tests of the types tab: it follows the cursor, opens and folds, goes out and in, and repeats no request.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use super::{Beside, TreeKey, TypesMsg};
use crate::answered::{MLP, Page, units_before};
use crate::model::Tab;
use crate::update::Msg;
use fletch_playground::protocol::Ask;
use fletch_playground::protocol::derivation::{Node, Room, Shown};

impl Page {
    fn types(&mut self, msg: TypesMsg) {
        self.hear(Msg::Types(msg));
    }

    fn shown(&self) -> &Shown {
        self.model.types.derived.as_ref().unwrap().as_ref().unwrap()
    }

    /// Moves the cursor to a piece of the program's text.
    fn cursor_at(&mut self, part: &str) {
        self.cursor(units_before(MLP, part));
    }

    fn derivations(&self) -> usize {
        let asked = self.asked.iter();
        asked
            .filter(|request| matches!(request.ask, Ask::Derive(_)))
            .count()
    }
}

fn page() -> Page {
    let mut page = Page::new(MLP);
    page.tab(Tab::Types);
    page.types(TypesMsg::Room(Room::default()));
    page
}

fn open(node: &Node) -> usize {
    usize::from(node.open) + node.premises.iter().map(open).sum::<usize>()
}

#[test]
fn the_derivation_is_that_of_what_the_cursor_is_in() {
    let mut page = page();
    assert_eq!(
        page.shown().tree.rule,
        "T-RHandle",
        "the redex, for who was not in the program"
    );
    page.cursor_at("Multilayer");
    assert!(
        page.model.types.derived.as_ref().unwrap().is_err(),
        "a comment"
    );
    page.cursor_at("main = rev");
    assert_eq!(page.shown().tree.rule, "T-RHandle");
    page.cursor_at("z_out ⇐");
    assert_eq!(page.shown().tree.rule, "T-CLet");
    let asked = page.derivations();
    page.cursor_at("z_out ⇐");
    page.types(TypesMsg::Room(Room::default()));
    assert_eq!(page.derivations(), asked, "nothing is asked twice");
}

#[test]
fn no_derivation_is_asked_for_while_another_tab_is_shown_or_the_text_is_newer() {
    let mut page = page();
    let asked = page.derivations();
    page.tab(Tab::Diagram);
    page.cursor_at("main = rev");
    assert_eq!(page.derivations(), asked);
    page.tab(Tab::Types);
    assert_eq!(page.derivations(), asked + 1);
    page.stale();
    page.cursor_at("z_out ⇐");
    assert_eq!(page.derivations(), asked + 1);
    page.program(MLP);
    assert_eq!(page.shown().tree.rule, "T-CLet");
}

#[test]
fn keys_go_through_the_tree_and_each_judgement_shows_its_place() {
    let mut page = page();
    page.cursor_at("main = rev");
    page.marks.clear();
    page.types(TypesMsg::Key(TreeKey::Next));
    assert_eq!(page.model.types.wanted.selected, [0]);
    assert!(!page.marks.is_empty());
    assert_eq!(page.shown().detail.rule.name, "T-Const");
    page.types(TypesMsg::Key(TreeKey::Fold));
    assert_eq!(
        page.model.types.wanted.selected, [0; 0],
        "to its conclusion"
    );
    page.types(TypesMsg::Key(TreeKey::Fold));
    assert_eq!(open(&page.shown().tree), 0);
    page.types(TypesMsg::Key(TreeKey::Open));
    assert!(page.shown().tree.open);
    page.types(TypesMsg::Key(TreeKey::Last));
    assert_eq!(page.shown().detail.rule.name, "T-RHandler");
    page.types(TypesMsg::Key(TreeKey::Toggle));
    assert_eq!(page.shown().tree.premises[2].premises.len(), 5);
    page.types(TypesMsg::Key(TreeKey::Previous));
    assert_ne!(page.model.types.wanted.selected, [2]);
    page.types(TypesMsg::Key(TreeKey::First));
    assert_eq!(page.model.types.wanted.selected, [0; 0]);
}

fn judgements(node: &Node) -> usize {
    1 + node.premises.iter().map(judgements).sum::<usize>()
}

/// Number of focusable elements of the tree that are not judgements.
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
    page.cursor_at("FC[ℓ ∷ (n, m)] ( x");
    let (others, premises) = (page.shown().tree.others, page.shown().tree.premises.len());
    assert!(others > 0, "of a clause, the other clauses are left out");
    page.types(TypesMsg::Key(TreeKey::First));
    let mut at = Vec::new();
    for _ in 0..beside(&page.shown().tree) + judgements(&page.shown().tree) {
        at.extend(page.model.types.beside.clone());
        page.types(TypesMsg::Key(TreeKey::Next));
    }
    assert!(at.contains(&Beside::Others(vec![])), "{at:?}");
    at.dedup();
    assert_eq!(at.len(), beside(&page.shown().tree), "each is reached once");
    assert!(at.len() > 1, "side conditions too");
    page.types(TypesMsg::Beside(Beside::Others(vec![])));
    page.types(TypesMsg::Key(TreeKey::Enter));
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
    page.cursor_at("main = rev");
    page.types(TypesMsg::Select(vec![2]));
    page.types(TypesMsg::In);
    assert_eq!(page.shown().tree.rule, "T-RHandler");
    page.types(TypesMsg::Out);
    assert_eq!(page.shown().tree.rule, "T-RHandle");
    page.cursor_at("⟨w, x⟩ ⇐");
    let first = page.shown().place.clone();
    assert_eq!(page.shown().instance.as_ref().unwrap().count, 2);
    page.types(TypesMsg::Instance(1));
    assert_ne!(page.shown().place, first);
    page.types(TypesMsg::Copy);
    assert!(page.copied[0].contains("\\inferrule"));
    page.types(TypesMsg::Copied(true));
    assert_eq!(page.model.types.copied, Some(true));
}

#[test]
fn a_derivation_begins_with_the_whole_statement_of_the_redex() {
    let mut page = Page::new(MLP);
    page.at(44);
    page.tab(Tab::Types);
    page.types(TypesMsg::Room(Room::default()));
    assert_eq!(page.shown().tree.rule, "T-CLet", "and not `xᵀ` alone");
}

#[test]
fn a_derivation_begins_with_the_instance_that_the_step_runs() {
    let mut page = Page::new(MLP);
    let steps = page.model.trace.as_ref().unwrap().steps;
    page.types(TypesMsg::Room(Room::default()));
    let mut seen = std::collections::BTreeSet::new();
    for position in 0..steps {
        page.at(position);
        page.tab(Tab::Types);
        let view = page.model.trace.as_ref().unwrap().view.as_ref().unwrap();
        let clause = view.clause.clone();
        if let Some(instance) = &page.shown().instance {
            seen.insert((clause.unwrap(), instance.number));
        }
        page.tab(Tab::Steps);
    }
    let wanted = [("FC[ℓ0]".to_owned(), 0), ("FC[ℓ1]".to_owned(), 1)];
    assert_eq!(seen, wanted.into());
}
