//! Tests of the search over the steps.

use crate::effects::Effect;
use crate::steps::Direction;
use crate::steps::update::StepMsg;
use crate::steps::update::search::SearchMsg;
use crate::update::tests::{Page, asked};
use crate::update::{Focus, Key, Msg, shortcut};
use fletch_playground::protocol::{Ask, Found, Level, Reply, Search};

fn typed(text: &str) -> StepMsg {
    StepMsg::Search(SearchMsg::Typed(text.into()))
}

fn find(way: Direction) -> StepMsg {
    StepMsg::Search(SearchMsg::Find(way))
}

#[test]
fn steps_are_found_by_all_the_words_in_any_case_and_in_ascii() {
    let cases: [(&str, &[u32]); 8] = [
        ("Put ℓ1", &[9]),
        ("l1 put", &[9]),
        ("fc[l1]", &[2, 7]),
        ("L1", &[2, 7, 9]),
        ("alpha", &[0, 1, 4, 6, 10, 11]),
        ("α let", &[0, 1, 4, 6, 10, 11]),
        ("velocity", &[]),
        ("  ", &[]),
    ];
    let mut page = Page::indexed();
    page.step(StepMsg::Level(Level::Every));
    page.step(StepMsg::Search(SearchMsg::Open));
    for (words, steps) in cases {
        page.step(typed(words));
        assert_eq!(*page.model.stepping.search.hits, *steps, "{words:?}");
    }
}

#[test]
fn what_the_level_passes_over_is_offered_apart() {
    let mut page = Page::indexed();
    let found = |page: &Page| {
        let search = &page.model.stepping.search;
        (search.hits.to_vec(), search.between)
    };
    page.step(StepMsg::Search(SearchMsg::Open))
        .step(typed("alpha"));
    assert_eq!(found(&page), (vec![0], 5));
    page.tell(Msg::Step(StepMsg::Search(SearchMsg::Every)));
    let focus = Effect::Focus("search-steps".into());
    assert!(page.effects.contains(&focus));
    assert_eq!(page.model.stepping.level, Level::Every);
    assert_eq!(found(&page), (vec![0, 1, 4, 6, 10, 11], 0));
    assert_eq!(page.position(), Some(1));
}

#[test]
fn sentences_are_found_with_what_steps_do() {
    let mut page = Page::indexed();
    let search = |words: &str, level| Search {
        level,
        words: words.into(),
    };
    let request = |words, level| asked(1, Ask::Search(search(words, level)));
    let found = |positions: &[u32], more: bool| {
        Reply::Found(Found {
            positions: positions.to_vec(),
            searched: more.then_some(5),
            more,
        })
    };
    let hits = |page: &Page| page.model.stepping.search.hits.to_vec();
    page.step(StepMsg::Search(SearchMsg::Open))
        .step(typed("l1"));
    let first = request("l1", Level::Plain);
    assert_eq!(page.requests(), [&first]);
    // Only the last of several texts typed before the reply is requested.
    page.step(typed("l1 f")).step(typed("fc[l1]"));
    assert!(page.requests().is_empty());
    assert_eq!(hits(&page), [2, 7]);
    page.answer(found(&[3], false));
    assert_eq!(hits(&page), [2, 7], "that was for other words");
    let last = request("fc[l1]", Level::Plain);
    assert_eq!(page.requests(), [&last]);
    page.answer(found(&[2, 3], true));
    assert_eq!(hits(&page), [2, 3, 7]);
    assert_eq!(page.requests(), [&last], "there is more");
    page.answer(found(&[2, 3, 8], false));
    assert_eq!((hits(&page), page.requests()), (vec![2, 3, 7, 8], vec![]));
    // Another level has other sentences.
    page.step(StepMsg::Level(Level::Operations));
    let other = request("fc[l1]", Level::Operations);
    assert!(page.requests().contains(&&other));
    assert_eq!(hits(&page), [2, 7]);
}

#[test]
fn enter_goes_from_hit_to_hit_and_round() {
    let mut page = Page::indexed();
    page.step(StepMsg::Search(SearchMsg::Open))
        .step(typed("l1"));
    assert_eq!(page.position(), Some(0), "typing moves nothing");
    for position in [2, 7, 9, 2] {
        page.step(find(Direction::Forward));
        assert_eq!(page.position(), Some(position));
    }
    page.step(find(Direction::Backward));
    assert_eq!(page.position(), Some(9));
}

#[test]
fn the_box_takes_the_keyboard_and_escape_gives_it_back() {
    let mut page = Page::indexed();
    let key = |name: &str, focus| Key {
        name: name.into(),
        modified: false,
        chord: None,
        focus,
    };
    let open = shortcut(&page.model, &key("/", Focus::Page)).unwrap();
    page.tell(open);
    assert_eq!(page.effects, [Effect::Focus("search-steps".into())]);
    page.step(typed("l1"));
    let close = shortcut(&page.model, &key("Escape", Focus::Text)).unwrap();
    assert_eq!(close, Msg::Step(StepMsg::Search(SearchMsg::Close)));
    page.tell(close);
    assert!(page.model.stepping.search.hits.is_empty());
    assert_eq!(page.effects, [Effect::Focus("command".into())]);
}
