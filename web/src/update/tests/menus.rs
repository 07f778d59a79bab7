//! Menus: entries found by typing.

use super::Page;
use crate::effects::Effect;
use crate::examples;
use crate::model::Overlay;
use crate::update::{Focus, Key, Msg, shortcut};

fn press(page: &mut Page, name: &str) {
    let key = Key {
        name: name.into(),
        modified: false,
        chord: None,
        focus: Focus::Widget,
    };
    let msg = shortcut(&page.model, &key).unwrap();
    page.tell(msg);
}

#[test]
fn an_example_is_found_by_the_beginning_of_its_title_or_of_a_word_in_it() {
    let mut page = Page::open();
    page.tell(Msg::Over(Overlay::Examples(0)));
    let title = |page: &Page| match page.model.overlay {
        Overlay::Examples(number) => examples::all().nth(number).unwrap().title,
        _ => "",
    };
    for letter in ["a", "t", "t"] {
        press(&mut page, letter);
    }
    assert!(title(&page).starts_with("Att"), "{}", title(&page));
    // A letter that fits no title after the letters before it starts a new search; the same letter goes to the next entry.
    let mut seen = Vec::new();
    for _ in 0..3 {
        press(&mut page, "R");
        seen.push(title(&page));
    }
    assert!(seen.iter().all(|title| title.starts_with('R')), "{seen:?}");
    assert!(seen[0] != seen[1]);
    for letter in ["d", "i", "g"] {
        press(&mut page, letter);
    }
    assert!(title(&page).contains("digits"), "{}", title(&page));
    let focus = format!(
        "examples-{}",
        examples::all()
            .position(|example| example.title == title(&page))
            .unwrap()
    );
    assert_eq!(page.effects, [Effect::Focus(focus)]);
    // A key that is no letter keeps its meaning.
    let escape = Key {
        name: "Escape".into(),
        modified: false,
        chord: None,
        focus: Focus::Widget,
    };
    assert_eq!(
        shortcut(&page.model, &escape),
        Some(Msg::Over(Overlay::None))
    );
    page.tell(Msg::Over(Overlay::None));
    assert!(page.model.sought.is_empty());
}
