//! The sandwich: every call handled so far, its forward half on the way down and its backward half on the way
//! up, nested as they will finish. It fills while the program runs forward and empties while it runs back.

use super::chip::ChipButton;
use super::window;
use crate::model::{Model, Shared};
use crate::update::Msg;
use fletch_playground::protocol::{Chip, Entry, Layer, Phase, Stack, StepView};
use yew::{Callback, Html, Properties, component, html};

/// More layers than this are drawn on one line each, but for those at work.
const ROOMY: usize = 6;
/// As many layers are drawn on both sides of those at work.
const AROUND: usize = 24;

/// The panel.
pub(super) fn sandwich(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let trace = model.trace.as_ref();
    html! {
        <aside class="sandwich" aria-label="The sandwich">
            <h2>{ "The sandwich" }</h2>
            <p class="under">{ "Forward on the way down, backward on the way up." }</p>
            if let Some((view, trace)) = trace.and_then(|trace| Some((trace.view.clone()?, trace))) {
                <Layers {view} steps={trace.steps} dispatch={dispatch.clone()} />
            } else {
                <p class="empty-note">{ "Each operation that a reverse handler meets will be put here." }</p>
            }
        </aside>
    }
}

#[derive(Properties, PartialEq)]
struct LayersProps {
    view: Shared<StepView>,
    steps: u32,
    dispatch: Callback<Msg>,
}

#[component]
fn Layers(props: &LayersProps) -> Html {
    let stack = props.view.sandwich.last();
    let layers: Vec<Layer> = stack
        .iter()
        .flat_map(|stack| &stack.entries)
        .filter_map(|entry| match entry {
            Entry::Call(layer) => Some(layer.clone()),
            _ => None,
        })
        .collect();
    let Some(stack) = stack.filter(|_| !layers.is_empty()) else {
        let over = props.view.position > 0 && props.view.position == props.steps;
        let text = if over {
            "Empty again: no backward clause waits any more."
        } else {
            "Empty. Each operation that a reverse handler meets is put here, until its backward clause has run."
        };
        return html! { <p class="empty-note">{ text }</p> };
    };
    let compact = layers.len() > ROOMY;
    let works = |layer: &Layer| matches!(layer.phase, Phase::Forward | Phase::Backward);
    let drawn = window::window(layers.len(), window::at_work(&layers, works), AROUND);
    let (outer, inner) = (drawn.start, layers.len() - drawn.end);
    let layers = layers.get(drawn).unwrap_or_default();
    let mut rows = Vec::new();
    for run in
        layers.chunk_by(|one, next| compact && folds(one) && folds(next) && one.phase == next.phase)
    {
        let level = rows.len();
        rows.push(match run {
            [layer] => row(level, layer, compact, &props.dispatch),
            _ => fold(level, run, &props.dispatch),
        });
    }
    let level = rows.len();
    html! {
        <div class={yew::classes!("u", compact.then_some("compact"))}>
            { hidden(outer) }
            { for rows }
            { hidden(inner) }
            { bottom(stack, props, level) }
        </div>
    }
}

/// Layers that are not drawn.
fn hidden(count: usize) -> Html {
    if count == 0 {
        return Html::default();
    }
    html! { <p class="hidden-layers">{ format!("… {count} more layers …") }</p> }
}

/// Whether a layer may share a line with its neighbours: it is no operation, and not at work.
fn folds(layer: &Layer) -> bool {
    !layer.operation && matches!(layer.phase, Phase::Waiting | Phase::Done)
}

/// Several pure terms on one line.
fn fold(level: usize, run: &[Layer], dispatch: &Callback<Msg>) -> Html {
    let done = run.first().is_some_and(|layer| layer.phase == Phase::Done);
    let (state, arrow, word) = if done {
        ("done", "✓", "done")
    } else {
        ("waits", "⋯", "wait")
    };
    let since = run.first().map_or(0, |layer| layer.met_at);
    html! {
        <div class={yew::classes!("layer", "brief", state)} style={format!("--level: {level}")}>
            <div class="half forward"><b class="fn">{ format!("{} pure", run.len()) }</b><p>{ step(since, dispatch) }{ "…" }</p></div>
            <span class="between" aria-hidden="true">{ arrow }</span>
            <div class="half backward"><b class="bwd">{ format!("{} R′", run.len()) }</b><p>{ word }</p></div>
        </div>
    }
}

/// One call: what it did forward, and its backward half.
fn row(level: usize, layer: &Layer, compact: bool, dispatch: &Callback<Msg>) -> Html {
    let (state, arrow) = match layer.phase {
        Phase::Forward => ("runs-forward", "⋯"),
        Phase::Waiting => ("waits", "⋯"),
        Phase::Backward => ("runs-backward", "→"),
        Phase::Done => ("done", "✓"),
    };
    let brief = compact && matches!(layer.phase, Phase::Waiting | Phase::Done);
    let name =
        || html! { <b class={if layer.operation { "op" } else { "fn" }}>{ &layer.name }</b> };
    html! {
        <div class={yew::classes!("layer", state, brief.then_some("brief"))} style={format!("--level: {level}")}>
            <div class="half forward">
                { name() }
                { forward(layer, brief, dispatch) }
            </div>
            <span class="between" aria-hidden="true">{ arrow }</span>
            <div class="half backward">
                <b class="bwd">{ backward_name(layer, brief) }</b>
                { backward(layer, brief, dispatch) }
            </div>
        </div>
    }
}

/// The backward half of a function is its reverse derivative.
fn backward_name(layer: &Layer, brief: bool) -> String {
    if layer.operation {
        layer.name.clone()
    } else if brief || layer.name.contains(' ') {
        "R′".to_owned()
    } else {
        format!("R′[{}]", layer.name)
    }
}

fn forward(layer: &Layer, brief: bool, dispatch: &Callback<Msg>) -> Html {
    let saved = || html! { <span class="saved">{ for layer.saved.iter().map(|saved| chip_button(&saved.chip, dispatch)) }</span> };
    if layer.phase == Phase::Forward {
        return html! { <p>{ "runs now, since " }{ step(layer.met_at, dispatch) }</p> };
    }
    if brief {
        return html! { <p>{ step(layer.met_at, dispatch) }</p> };
    }
    html! {
        <>
            <p>{ "ran at " }{ step(layer.met_at, dispatch) }</p>
            if !layer.saved.is_empty() {
                <p>{ "saved " }{ saved() }</p>
            } else if let Some(result) = &layer.result {
                <p>{ "gave " }{ chip_button(result, dispatch) }</p>
            }
        </>
    }
}

fn backward(layer: &Layer, brief: bool, dispatch: &Callback<Msg>) -> Html {
    let cotangent = || {
        layer
            .cotangent
            .as_ref()
            .map(|chip| chip_button(chip, dispatch))
    };
    match layer.phase {
        Phase::Forward | Phase::Waiting if brief => html! { <p>{ "waits" }</p> },
        Phase::Forward | Phase::Waiting => {
            html! { <p>{ "waits for a cotangent of " }<code>{ &layer.cotangent_type }</code></p> }
        }
        Phase::Backward => html! {
            <>
                if let Some(chip) = cotangent() { <p>{ "got " }{ chip }</p> }
                <p class="now">{ "runs now" }</p>
            </>
        },
        Phase::Done if brief => html! { <p>{ "done" }</p> },
        Phase::Done => html! {
            <p>
                if let Some(chip) = cotangent() { { "got " }{ chip } }
                if let Some(at) = layer.cotangent_at { { " at " }{ step(at, dispatch) } }
            </p>
        },
    }
}

/// The bottom of the U: the return clause, where forward turns into backward.
fn bottom(stack: &Stack, props: &LayersProps, level: usize) -> Html {
    let style = format!("--level: {level}");
    let Some(turn) = &stack.turn else {
        let Some(at) = stack.turns_at else {
            return Html::default();
        };
        return html! {
            <div class="bottom to-come" {style}><p>{ "turns back at " }{ step(at, &props.dispatch) }</p></div>
        };
    };
    let state = if turn.done_at.is_some() { "ran" } else { "now" };
    html! {
        <div class={yew::classes!("bottom", state)} {style}>
            <b>{ format!("return clause of {}", turn.handler) }</b>
            <p>
                if let Some(chip) = &turn.argument { { "got " }{ chip_button(chip, &props.dispatch) } }
                if let Some(chip) = &turn.result { { " gave " }{ chip_button(chip, &props.dispatch) } }
                if let Some(at) = turn.done_at {
                    { " at " }{ step(at, &props.dispatch) }
                } else {
                    { " runs now, since " }{ step(turn.met_at, &props.dispatch) }
                }
            </p>
        </div>
    }
}

fn chip_button(chip: &Chip, dispatch: &Callback<Msg>) -> Html {
    html! { <ChipButton chip={chip.clone()} dispatch={dispatch.clone()} /> }
}

/// A link to a step.
pub(super) fn step(position: u32, dispatch: &Callback<Msg>) -> Html {
    html! {
        <button type="button" class="link" onclick={dispatch.reform(move |_| Msg::Show(position))}>{ format!("step {position}") }</button>
    }
}
