//! Keys: the panes in which they act, and the keymaps of the editor.

use super::Page;
use crate::editor::KeyMap;
use crate::effects::Effect;
use crate::model::{Model, Overlay};
use crate::steps::update::StepMsg;
use crate::steps::{Direction, Target};
use crate::update::{Chord, Focus, Key, Move, Msg, shortcut, start};
use fletch_playground::protocol::Level;

#[test]
fn keys_move_only_where_they_are_free() {
    let page = Page::running(20);
    let key = |name: &str, focus| Key {
        name: name.into(),
        modified: false,
        chord: None,
        focus,
    };
    let cases = [
        (key("ArrowRight", Focus::Page), Some(Msg::Go(Move::Next))),
        (key("End", Focus::Page), Some(Msg::Go(Move::Last))),
        (key("ArrowRight", Focus::Widget), None),
        (key("ArrowRight", Focus::Editor), None),
        (key("?", Focus::Page), Some(Msg::Over(Overlay::Help))),
        (key("?", Focus::Editor), None),
        (key("j", Focus::Text), None),
        (key(" ", Focus::Page), Some(Msg::Step(StepMsg::Play))),
        (key(" ", Focus::Button), None),
        (key("ArrowRight", Focus::Button), Some(Msg::Go(Move::Next))),
        (
            key("P", Focus::Page),
            Some(Msg::Step(StepMsg::Jump(Target::Put, Direction::Backward))),
        ),
        (
            key("3", Focus::Widget),
            Some(Msg::Step(StepMsg::Level(Level::Operations))),
        ),
        (
            Key {
                modified: true,
                chord: Chord::of("Enter", false, true, false),
                ..key("Enter", Focus::Editor)
            },
            Some(Msg::Step(StepMsg::Jump(Target::Cursor, Direction::Forward))),
        ),
        (key("]", Focus::Widget), Some(Msg::Go(Move::NextTick))),
        (key("e", Focus::Page), Some(Msg::GoTo(2))),
        (key("Escape", Focus::Page), None),
        (
            Key {
                modified: true,
                chord: Chord::of("KeyF", false, true, true),
                ..key("Ï", Focus::Editor)
            },
            Some(Msg::Format),
        ),
        (
            Key {
                modified: true,
                chord: Chord::of("KeyO", true, false, true),
                ..key("O", Focus::Editor)
            },
            Some(Msg::Over(Overlay::Outline(0))),
        ),
        (
            Key {
                modified: true,
                ..key("ArrowLeft", Focus::Page)
            },
            None,
        ),
    ];
    for (key, msg) in cases {
        assert_eq!(shortcut(&page.model, &key), msg, "{key:?}");
    }
}

#[test]
fn keys_of_the_editor_are_taken_at_once_and_kept() {
    let mut page = Page::open();
    for (keys, name) in [
        (KeyMap::Vim, "vim"),
        (KeyMap::Emacs, "emacs"),
        (KeyMap::Standard, "standard"),
    ] {
        page.tell(Msg::Keys(keys));
        assert_eq!(page.model.keys, keys);
        assert_eq!(
            page.effects,
            [
                Effect::Keys(keys),
                Effect::Store("fletch.v1.keymap", name.into())
            ]
        );
        assert_eq!(KeyMap::named(name), keys);
    }
    assert_eq!(KeyMap::named("ed"), KeyMap::Standard);
}

#[test]
fn a_later_visit_has_the_keys_that_were_chosen_and_fetches_none_of_others() {
    let visit = |keys| {
        let mut model = Model::new("mine.fletch", "", "", "main = A");
        model.keys = keys;
        let (_, effects) = start(model, None);
        let keys = |effect: &Effect| matches!(effect, Effect::Keys(_));
        effects.into_iter().filter(keys).collect::<Vec<_>>()
    };
    assert_eq!(visit(KeyMap::Emacs), [Effect::Keys(KeyMap::Emacs)]);
    assert_eq!(visit(KeyMap::Standard), []);
}
