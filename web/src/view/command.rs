//! The command, laid out, with its redex marked.

use super::{Places, pieces, window};
use crate::model::{CheckPhase, Health, Model, RunState, Shared};
use crate::update::Msg;
use fletch_playground::protocol::{Mark, StepView};
use yew::{Callback, Html, Properties, component, html, use_state_eq};

/// The pane of the command.
pub(super) fn command(model: &Model, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let view = model.trace.as_ref().and_then(|trace| trace.view.clone());
    let lost = model
        .trace
        .as_ref()
        .is_some_and(|trace| trace.state == RunState::Lost);
    let waiting =
        model.check.phase == CheckPhase::Edited || model.check.phase == CheckPhase::Checking;
    html! {
        <div class="command-frame">
            <div class="command" id="command" ref={places.command.clone()} tabindex="0" role="region" aria-label="Command">
                <span class="ruler" ref={places.ruler.clone()} aria-hidden="true">{ ruler() }</span>
                if let Some(view) = view {
                    <Lines {view} dispatch={dispatch.clone()} />
                } else {
                    { empty(model) }
                }
            </div>
            if model.is_stale() && !lost {
                <p class="stale-note">
                    { if waiting { "Checking the program…" } else { "Showing the last program that checked" } }
                </p>
            }
        </div>
    }
}

/// As many characters as the shell counts.
fn ruler() -> String {
    (0..crate::RULER).map(|_| '0').collect()
}

#[derive(Properties, PartialEq)]
struct LinesProps {
    view: Shared<StepView>,
    dispatch: Callback<Msg>,
}

/// As many lines are drawn on both sides of the redex; the rest on request.
const AROUND: usize = 120;

#[component]
fn Lines(props: &LinesProps) -> Html {
    let lines = &props.view.lines;
    let around = use_state_eq(|| AROUND);
    let marked = window::at_work(lines, |line| {
        line.pieces.iter().any(|piece| piece.mark == Mark::Redex)
    });
    let drawn = window::window(lines.len(), marked, *around);
    let more = |hidden: usize, place: &'static str| {
        let around = around.clone();
        let show = move |_| around.set(*around * 3);
        html! {
            <button type="button" class="more-lines" onclick={show}>{ format!("… {hidden} more lines {place}") }</button>
        }
    };
    let rows = lines.get(drawn.clone()).unwrap_or_default().iter().map(|line| {
        let indent = " ".repeat(usize::try_from(line.indent).unwrap_or(0));
        html! { <div class="line">{ indent }{ pieces::pieces(&line.pieces, &props.dispatch) }</div> }
    });
    html! {
        <div class="lines" translate="no">
            if drawn.start > 0 { { more(drawn.start, "above") } }
            { for rows }
            if drawn.end < lines.len() { { more(lines.len() - drawn.end, "below") } }
        </div>
    }
}

/// Nothing has run yet: why, and what to do.
fn empty(model: &Model) -> Html {
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
    } else if model.check.phase == CheckPhase::Checked && model.check.main.is_none() {
        (
            "Nothing to run",
            "Steps begin at a command called main. Give the program one, such as main = ⌊1 + 2⌋.",
        )
    } else {
        return html! {
            <div class="skeleton" role="status" aria-label="The program is being checked">
                { for [46, 62, 38, 70, 54].map(|width| html! { <i style={format!("--width: {width}%")}></i> }) }
            </div>
        };
    };
    html! { <div class="empty"><h2>{ title }</h2><p>{ text }</p></div> }
}
