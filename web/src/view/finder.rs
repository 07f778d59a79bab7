//! The search over the steps: a box, how many it finds, and the ways to them.

use super::icon;
use crate::model::{Model, Sent, Way};
use crate::update::{Msg, SearchMsg, StepMsg};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, KeyboardEvent, html};

/// The button that opens the box.
pub(super) fn opener(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let open = model.stepping.search.open;
    let toggle = dispatch.reform(move |_| {
        say(if open {
            SearchMsg::Close
        } else {
            SearchMsg::Open
        })
    });
    html! {
        <button type="button" id="search" class="quiet search-opener" aria-label="Search the steps" title="Search the steps (/)"
            aria-expanded={open.to_string()} onclick={toggle}>{ icon::drawn(icon::SEARCH) }<span>{ "Search" }</span></button>
    }
}

/// The box, if it is open.
pub(super) fn finder(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let search = &model.stepping.search;
    if !search.open {
        return Html::default();
    }
    let typed = dispatch.reform(|event: InputEvent| {
        let input = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let text = input.map_or_else(String::new, |input| input.value());
        say(SearchMsg::Typed(text.into()))
    });
    // More may be found: it is read out once that is known.
    let searching = model.worker.awaits(|sent| matches!(sent, Sent::Search));
    let way = |name: &'static str, picture: &'static str, way: Way| {
        html! {
            <button type="button" class="quiet square" aria-label={name} title={name}
                aria-disabled={search.hits.is_empty().to_string()} onclick={dispatch.reform(move |_| say(SearchMsg::Find(way)))}>
                { icon::filled(picture) }</button>
        }
    };
    html! {
        <div class="finder" role="search" aria-label="Search the steps">
            { icon::drawn(icon::SEARCH) }
            <input type="text" id="search-steps" value={search.text.to_string()} aria-label="Words of a step" placeholder="Put l1, a rule, cotangent"
                autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" oninput={typed} onkeydown={keys(dispatch)} />
            <span class="found" role="status" aria-busy={searching.to_string()}>{ found(model) }</span>
            { between(model, dispatch) }
            { way("Previous step found (Shift Enter)", icon::PREVIOUS, Way::Back) }
            { way("Next step found (Enter)", icon::NEXT, Way::On) }
            <button type="button" class="quiet square" aria-label="Close the search" title="Close the search (Esc)"
                onclick={dispatch.reform(|_| say(SearchMsg::Close))}>{ "×" }</button>
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
                Way::Back
            } else {
                Way::On
            };
            dispatch.emit(say(SearchMsg::Find(way)));
        }
    })
}

/// What is found where the reader does not stop: `12 more at every step`.
fn between(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let count = model.stepping.search.between;
    if count == 0 {
        return Html::default();
    }
    html! {
        <button type="button" class="quiet between" title="Stop at every step, and go to the next one found"
            onclick={dispatch.reform(|_| say(SearchMsg::Every))}>{ format!("{count} more at every step") }</button>
    }
}

/// `3 of 24`, or `24 steps` between two of them.
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
        (count, Ok(at)) => format!("{} of {count}", at + 1),
        (1, Err(_)) => "1 step".to_owned(),
        (count, Err(_)) => format!("{count} steps"),
    };
    match search.told.searched.filter(|_| !search.told.more) {
        Some(stop) => format!("{found}, of sentences to {stop}"),
        None => found,
    }
}
