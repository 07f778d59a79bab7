//! The search over the steps: the search box, the number of matches, and buttons to the next and the previous one.

use crate::controls::{quiet, square, value};
use crate::model::Model;
use crate::steps::Direction;
use crate::steps::update::StepMsg;
use crate::steps::update::search::SearchMsg;
use crate::update::Msg;
use crate::view::icon;
use fletch_playground::protocol::Ask;
use yew::{Callback, Html, InputEvent, KeyboardEvent, html};

const SEARCH_THE_STEPS: &str = "Search the steps";

/// The button that opens the search box.
pub(crate) fn opener(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let open = model.stepping.search.open;
    let face = html! { <>{ icon::drawn(icon::SEARCH) }<span>{ "Search" }</span></> };
    html! {
        { quiet(face).class("search-opener").with("id", "search").label(SEARCH_THE_STEPS).title("Search the steps (/)").expanded(open)
            .on_click(dispatch, say(if open { SearchMsg::Close } else { SearchMsg::Open })) }
    }
}

/// The search box, if it is open.
pub(crate) fn finder(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let search = &model.stepping.search;
    if !search.open {
        return Html::default();
    }
    let typed = dispatch.reform(|event: InputEvent| say(SearchMsg::Typed(value(&event))));
    // A screen reader waits until the number of matches is final.
    let searching = model.worker.awaits(|ask| matches!(ask, Ask::Search(_)));
    let way = |name: &'static str, picture: &'static str, way: Direction| {
        html! { { square(icon::filled(picture)).named(name).flag("aria-disabled", search.hits.is_empty()).on_click(dispatch, say(SearchMsg::Find(way))) } }
    };
    html! {
        <div class="finder" role="search" aria-label={SEARCH_THE_STEPS}>
            { icon::drawn(icon::SEARCH) }
            <input type="text" id="search-steps" value={search.text.to_string()} aria-label={"Words of a step"} placeholder={"Put l1, a rule, cotangent"}
                autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" oninput={typed} onkeydown={keys(dispatch)} />
            <span class="found" role="status" aria-busy={searching.to_string()}>{ found(model) }</span>
            { between(model, dispatch) }
            { way("Previous step found (Shift Enter)", icon::PREVIOUS, Direction::Backward) }
            { way("Next step found (Enter)", icon::NEXT, Direction::Forward) }
            { square("×").label("Close the search").title("Close the search (Esc)").on_click(dispatch, say(SearchMsg::Close)) }
        </div>
    }
}

fn say(msg: SearchMsg) -> Msg {
    Msg::Step(StepMsg::Search(msg))
}

fn keys(dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && !event.is_composing() {
            event.prevent_default();
            let way = if event.shift_key() {
                Direction::Backward
            } else {
                Direction::Forward
            };
            dispatch.emit(say(SearchMsg::Find(way)));
        }
    })
}

/// Button with the number of matches between the stops: `12 more at every step`.
fn between(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let count = model.stepping.search.between;
    if count == 0 {
        return Html::default();
    }
    html! { { quiet(format!("{count} more at every step")).class("between").title("Stop at every step, and go to the next one found").on_click(dispatch, say(SearchMsg::Every)) } }
}

/// The number of matches: `3 of 24` at a match, `24 steps` elsewhere.
fn found(model: &Model) -> String {
    let search = &model.stepping.search;
    if search.text.trim().is_empty() {
        return String::new();
    }
    let indexed = model
        .trace
        .as_ref()
        .is_some_and(|trace| !trace.index.label.is_empty());
    let position = model.trace.as_ref().map_or(0, |trace| trace.position);
    let found = match (search.hits.len(), search.hits.binary_search(&position)) {
        (0, _) if !indexed => "once the run has ended".to_owned(),
        (0, _) => "no step".to_owned(),
        (count, Ok(at)) => format!("{at} of {count}", at = at + 1),
        (1, Err(_)) => "1 step".to_owned(),
        (count, Err(_)) => format!("{count} steps"),
    };
    match search.told.searched.filter(|_| !search.told.more) {
        Some(stop) => format!(
            "{found}, of sentences to {step}",
            step = model.numbering().step(stop)
        ),
        None => found,
    }
}
