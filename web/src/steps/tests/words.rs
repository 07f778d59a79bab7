//! Tests of the rule panel (*why?*), and of copies of states.

use crate::effects::{Copier, Effect, File, stored};
use crate::model::Overlay;
use crate::steps::update::words::WordsMsg;
use crate::steps::words::{Purpose, digits_named};
use crate::update::tests::{Page, asked, shown};
use crate::update::{Focus, Key, Msg, shortcut};
use fletch_playground::protocol::{
    Ask, Copying, Digits, Format, Level, Reply, Rule, RuleFamily, RuleView, Why,
};

fn why(position: u32, rule: Rule) -> Reply {
    Reply::Why(Some(Box::new(Why {
        position,
        title: "substitute".into(),
        rule: RuleView {
            rule,
            badge: rule.name().into(),
            title: "substitute".into(),
            equation: false,
            family: RuleFamily::Plain,
        },
        source: String::new(),
        statement: Vec::new(),
        parts: Vec::new(),
        words: String::new(),
    })))
}

fn words(msg: WordsMsg) -> Msg {
    Msg::Words(msg)
}

fn key(page: &Page, name: &str) -> Option<Msg> {
    let key = Key {
        name: name.into(),
        modified: false,
        chord: None,
        focus: Focus::Page,
    };
    shortcut(&page.model, &key)
}

/// Rule that the panel shows.
fn rule(page: &Page) -> Option<Rule> {
    page.model.words.why.as_ref().map(|why| why.rule.rule)
}

#[test]
fn the_panel_asks_for_the_rule_of_the_step_on_the_screen_and_follows_it() {
    let mut page = Page::running(20);
    page.tell(words(WordsMsg::Why));
    let request = asked(1, Ask::Why { position: 0 });
    assert_eq!(page.requests(), [&request]);
    page.answer(why(0, Rule::Bind));
    assert_eq!(rule(&page), Some(Rule::Bind));
    page.tell(Msg::Show(7)).answer(shown(7));
    let request = asked(1, Ask::Why { position: 7 });
    assert!(page.requests().contains(&&request));
    // The old rule stays until the new one has arrived.
    assert_eq!(rule(&page), Some(Rule::Bind));
    page.answer(why(7, Rule::Eval));
    assert_eq!(rule(&page), Some(Rule::Eval));
}

#[test]
fn a_rule_that_comes_late_is_passed_over() {
    let mut page = Page::running(20);
    page.tell(Msg::Show(7)).tell(words(WordsMsg::Why));
    page.answer(shown(7)).answer(why(0, Rule::Bind));
    assert_eq!(rule(&page), None);
    page.answer(why(7, Rule::Eval));
    assert_eq!(rule(&page), Some(Rule::Eval));
}

#[test]
fn the_keyboard_opens_and_closes_the_panel() {
    let mut page = Page::running(20);
    assert_eq!(key(&page, "w"), Some(words(WordsMsg::Why)));
    page.tell(words(WordsMsg::Why));
    assert!(page.model.words.open);
    assert_eq!(key(&page, "Escape"), Some(words(WordsMsg::Why)));
    page.tell(words(WordsMsg::Why));
    assert!(!page.model.words.open);
    assert!(page.effects.contains(&Effect::Focus("why".into())));
}

#[test]
fn a_state_goes_to_the_clipboard_and_the_page_says_so() {
    let mut page = Page::running(20);
    page.tell(words(WordsMsg::Copy))
        .tell(words(WordsMsg::Format(Format::Latex)))
        .tell(words(WordsMsg::Digits(Digits::Exact)));
    // The choice is stored for all later copies.
    let kept = Effect::Store(stored::DIGITS, "exact".into());
    assert_eq!(page.effects, [kept]);
    assert_eq!(digits_named("exact"), Digits::Exact);
    page.tell(words(WordsMsg::Get(Purpose::Clipboard)));
    let copying = Copying {
        from: 0,
        to: 0,
        level: Level::Plain,
        format: Format::Latex,
        digits: Digits::Exact,
    };
    assert_eq!(page.requests(), [&asked(1, Ask::Copy(copying))]);
    page.answer(Reply::Copied("text".into()));
    assert!(
        page.effects
            .contains(&Effect::Copy("text".into(), Copier::Words))
    );
    page.tell(words(WordsMsg::Copied(true)));
    assert_eq!(page.model.overlay, Overlay::None);
    assert_eq!(
        page.model.stepping.note.as_deref(),
        Some("Copied this state as LaTeX.")
    );
}

#[test]
fn steps_are_printed_as_text_and_afterwards_the_page_is_as_before() {
    let mut page = Page::running(20);
    page.tell(words(WordsMsg::Copy))
        .tell(words(WordsMsg::Format(Format::Latex)))
        .tell(words(WordsMsg::To(7)))
        .tell(words(WordsMsg::Get(Purpose::Printer)));
    let copying = Copying {
        from: 0,
        to: 7,
        level: Level::Plain,
        format: Format::Text,
        digits: Digits::Rounded,
    };
    let request = asked(1, Ask::Copy(copying));
    assert_eq!(page.requests(), [&request]);
    page.answer(Reply::Copied("steps".into()));
    assert!(page.effects.contains(&Effect::Print));
    assert_eq!(page.model.overlay, Overlay::None);
    assert_eq!(page.model.words.printed.as_deref(), Some("steps"));
    page.tell(words(WordsMsg::Printed));
    assert_eq!(page.model.words.printed, None);
}

#[test]
fn what_the_browser_does_not_copy_can_be_taken_from_the_form() {
    let mut page = Page::running(20);
    page.tell(words(WordsMsg::Copy))
        .tell(words(WordsMsg::Get(Purpose::Clipboard)))
        .answer(Reply::Copied("text".into()))
        .tell(words(WordsMsg::Copied(false)));
    assert_eq!(page.model.overlay, Overlay::Copy);
    assert_eq!(page.model.words.copy.text.as_deref(), Some("text"));
    assert!(page.effects.contains(&Effect::Focus("copy-text".into())));
}

#[test]
fn a_range_keeps_its_order_and_becomes_a_file() {
    let mut page = Page::running(20);
    page.tell(words(WordsMsg::Copy));
    let range = |page: &Page| (page.model.words.copy.from, page.model.words.copy.to);
    assert_eq!(range(&page), (0, 20));
    page.tell(words(WordsMsg::To(5)))
        .tell(words(WordsMsg::From(9)));
    assert_eq!(range(&page), (9, 9));
    page.tell(words(WordsMsg::To(99)));
    assert_eq!(range(&page), (9, 20));
    assert!(!page.model.words.copy.one);
    page.tell(words(WordsMsg::Format(Format::Json)))
        .tell(words(WordsMsg::Get(Purpose::File)))
        .answer(Reply::Copied("[]".into()));
    let file = File::text("mlp-steps-9-to-20.json", "text/plain", "[]");
    assert!(page.effects.contains(&Effect::Save(file)));
    assert_eq!(
        page.model.stepping.note.as_deref(),
        Some("Saved steps 9 to 20 as mlp-steps-9-to-20.json.")
    );
}
