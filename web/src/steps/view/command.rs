//! The command, laid out, with its redex marked; next to it, on request, the command after the step.

use crate::controls::{self, raised};
use crate::editor::CheckPhase;
use crate::model::{Health, Model, Shared};
use crate::steps::reading::Asked;
use crate::steps::run::RunState;
use crate::steps::update::reading::ReadingMsg;
use crate::update::Msg;
use crate::view::prose::prose;
use crate::view::{Places, anchor, chip, pieces, pointer};
use fletch_playground::protocol::{Change, Chip, Line, StepView};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};
use yew::{Callback, Html, KeyboardEvent, PointerEvent, Properties, component, html};

/// The pane of the command.
pub(crate) fn command(model: &Model, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let view = model.trace.as_ref().and_then(|trace| trace.view.clone());
    let lost = model
        .trace
        .as_ref()
        .is_some_and(|trace| trace.state == RunState::Lost);
    let waiting =
        model.check.phase == CheckPhase::Edited || model.check.phase == CheckPhase::Checking;
    let after = view
        .clone()
        .filter(|view| model.reading.compare && view.after.is_some());
    let compares = after.is_some();
    html! {
        <div class={yew::classes!("command-frame", compares.then_some("compares"))}>
            <div class="command" id="command" ref={places.command.clone()} tabindex="0" role="region"
                data-position={view.as_ref().map(|view| view.position.to_string())}
                aria-label={if compares { "Command before the step" } else { "Command" }} aria-describedby="command-keys" onkeydown={|event: KeyboardEvent| enter(&event)}>
                <span class="ruler" ref={places.ruler.clone()} aria-hidden="true">{ ruler() }</span>
                <span class="spoken" id="command-keys">{ "Enter goes to its pieces." }</span>
                if compares { <p class="which">{ "before" }</p> }
                if let Some(view) = view {
                    <Whole view={view.clone()} after={false} dispatch={dispatch.clone()} />
                    if compares { { heap(&view, |change| &change.before, dispatch) } }
                } else {
                    { empty(model, dispatch) }
                }
            </div>
            if let Some(view) = after {
                <div class="command after" id="command-after" tabindex="0" role="region" aria-label={"Command after the step"}>
                    <p class="which">{ "after" }</p>
                    <Whole view={view.clone()} after={true} dispatch={dispatch.clone()} />
                    { heap(&view, |change| &change.after, dispatch) }
                </div>
            }
            if model.is_stale() && !lost {
                <p class="stale-note">
                    { if waiting { "Checking the program…" } else { "Showing the last program that checked" } }
                </p>
            }
        </div>
    }
}

/// Contents of the locations that the step changes, on one side of the comparison. Both sides have the same order.
fn heap(view: &StepView, side: fn(&Change) -> &Chip, dispatch: &Callback<Msg>) -> Html {
    let cells = view.changed.iter().map(|change| {
        html! { <span class="compare-cell"><span class="loc">{ &change.name }</span>{ " ↦ " }{ chip::button(side(change), dispatch) }</span> }
    });
    html! {
        <p class="compare-heap"><span class="which">{ "heap" }</span>
            if view.changed.is_empty() { <span>{ "as it is" }</span> }
            { for cells }
        </p>
    }
}

/// The button that opens and closes the comparison.
pub(crate) fn compare(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
    let at_end = view.is_some_and(|view| view.rule.is_none());
    let open = model.reading.compare;
    html! {
        { raised("before | after").class("compare").pressed(open).title("The command and the heap before and after the step (v)").disabled(at_end && !open)
            .on_click(dispatch, Msg::Reading(ReadingMsg::Compare)) }
    }
}

/// As many characters as the shell divides the measured width by.
fn ruler() -> String {
    (0..crate::geometry::RULER).map(|_| '0').collect()
}

#[derive(Properties, PartialEq)]
struct WholeProps {
    view: Shared<StepView>,
    /// True if the lines are of the command after the step.
    after: bool,
    dispatch: Callback<Msg>,
}

/// All lines of a command, with the events that request the description of a piece.
#[component]
fn Whole(props: &WholeProps) -> Html {
    let lines = if props.after {
        props.view.after.as_deref().unwrap_or_default()
    } else {
        &props.view.lines
    };
    let rows = (0..)
        .zip(lines)
        .map(|(number, line)| row(number, line, &props.dispatch));
    if props.after {
        return html! { <div class="lines" translate="no">{ for rows }</div> };
    }
    let say = |make: fn(Asked) -> ReadingMsg, pinned: bool| {
        let dispatch = props.dispatch.clone();
        move |event: &Event| match piece(event).and_then(|piece| asked(&piece, pinned)) {
            Some(asked) => dispatch.emit(Msg::Reading(make(asked))),
            None => dispatch.emit(Msg::Reading(ReadingMsg::Leave)),
        }
    };
    let (rest, ask, focus) = (
        say(ReadingMsg::Rest, false),
        say(ReadingMsg::Ask, true),
        say(ReadingMsg::Ask, false),
    );
    let leave = props.dispatch.reform(|_| Msg::Reading(ReadingMsg::Leave));
    let gone = props.dispatch.reform(|_| Msg::Reading(ReadingMsg::Leave));
    html! {
        <div class="lines" translate="no"
            onpointerover={move |event: PointerEvent| if pointer::has_come(&event) { rest(&event) }}
            onpointerleave={leave}
            onfocusout={gone}
            onclick={move |event: yew::MouseEvent| if piece(&event).is_some() { ask(&event) }}
            onfocusin={move |event: yew::FocusEvent| if piece(&event).is_some_and(|piece| piece.matches(":focus-visible").unwrap_or(false)) { focus(&event) }}
            onkeydown={|event: KeyboardEvent| walk(&event)}>
            { for rows }
        </div>
    }
}

/// A line. The browser skips lines out of sight (`command.css`).
fn row(number: u32, line: &Line, dispatch: &Callback<Msg>) -> Html {
    let indent = " ".repeat(usize::try_from(line.indent).unwrap_or(0));
    html! { <div key={number} class="line">{ indent }{ pieces::pieces(&line.pieces, dispatch) }</div> }
}

/// Element of the piece that an event is about; `None` for a chip or a fold, which handle their own events.
fn piece(event: &Event) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    target
        .closest("[data-node], button")
        .ok()
        .flatten()
        .filter(|element| element.has_attribute("data-node"))
}

fn asked(piece: &Element, pinned: bool) -> Option<Asked> {
    Some(Asked {
        node: piece.get_attribute("data-node")?.parse().ok()?,
        anchor: anchor::of(piece)?,
        pinned,
    })
}

/// Moves the focus from the pane to the pieces of the redex on Enter.
fn enter(event: &KeyboardEvent) {
    let Some(pane) = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .filter(|target| target.id() == "command")
    else {
        return;
    };
    if event.key() == "Enter" {
        let first = pane
            .query_selector(".redex [data-node], .redex button")
            .ok()
            .flatten()
            .or_else(|| pane.query_selector(STOPS).ok().flatten());
        if focus(first) {
            event.prevent_default();
            event.stop_propagation();
        }
    }
}

/// Moves the focus with the arrow keys, from piece to piece and from line to line, and with Escape back to the pane.
fn walk(event: &KeyboardEvent) {
    let Some(here) = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
    else {
        return;
    };
    let first = |line: Element| line.query_selector(STOPS).ok().flatten();
    let wanted = match event.key().as_str() {
        "ArrowRight" => neighbours(&here, STOPS, true).into_iter().next(),
        "ArrowLeft" => neighbours(&here, STOPS, false).into_iter().next(),
        "ArrowDown" => neighbours(&here, ".line", true).into_iter().find_map(first),
        "ArrowUp" => neighbours(&here, ".line", false)
            .into_iter()
            .find_map(first),
        "Escape" => here.closest(".command").ok().flatten(),
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    focus(wanted);
}

/// Selector of the focusable elements of a line.
const STOPS: &str = "[data-node], button";

/// Elements of a kind after the one that contains `here` (or before it, unless `on`), nearest first.
fn neighbours(here: &Element, kind: &str, on: bool) -> Vec<Element> {
    let lines = here.closest(".lines").ok().flatten();
    let Some(all) = lines.and_then(|lines| lines.query_selector_all(kind).ok()) else {
        return Vec::new();
    };
    let mut all: Vec<Element> = (0..all.length())
        .filter_map(|at| all.get(at)?.dyn_into().ok())
        .collect();
    let at = all.iter().position(|element| element.contains(Some(here)));
    match at {
        Some(at) if on => all.split_off(at + 1),
        Some(at) => {
            all.truncate(at);
            all.reverse();
            all
        }
        None => Vec::new(),
    }
}

fn focus(element: Option<Element>) -> bool {
    element
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .is_some_and(|element| element.focus().is_ok())
}

/// Placeholder while nothing has run: the reason, and what to do.
fn empty(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let (title, text) = if matches!(model.worker.health, Health::Failed(_)) {
        (
            "Nothing to show yet",
            "The part of the page that runs programs did not start.",
        )
    } else if model.errors() > 0 && model.check.phase == CheckPhase::Checked {
        (
            "This program does not check yet",
            "The steps appear here as soon as the errors beside the program are gone.",
        )
    } else if model.is_idle() {
        return idle(model, dispatch);
    } else {
        return html! {
            <div class="skeleton" role="status" aria-label={"The program is being checked"}>
                { for [46, 62, 38, 70, 54].map(|width| html! { <i style={format!("--width: {width}%")}></i> }) }
            </div>
        };
    };
    let text = html! { <><h2>{ title }</h2>{ text }</> };
    controls::empty(text, None)
}

/// Placeholder for a program that checks and has no `main`.
fn idle(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let text = match &model.check.offer {
        Some(_) => "Steps begin at a command called `main`. This one would run:",
        None => {
            "Steps begin at a command called `main`. Give the program one, such as `main = ⌊1 + 2⌋`."
        }
    };
    let offer = model.check.offer.as_ref().map(|offer| {
        html! {
            <>
                <pre class="offer" translate="no">{ &offer.text }</pre>
                { raised(prose("Insert this `main`")).on_click(dispatch, Msg::InsertMain) }
            </>
        }
    });
    let text = html! { <><h2>{ prose("Nothing to run: no `main`") }</h2>{ prose(text) }</> };
    controls::empty(text, offer)
}
