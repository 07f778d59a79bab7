//! Moving along the trace, and the step in words.

use super::{icon, pieces, slider};
use crate::model::{Model, Shared, Trace};
use crate::update::{Move, Msg};
use fletch_playground::protocol::{RuleView, StepView};
use yew::{Callback, Html, Properties, component, html};

/// First, previous, next, last, the number of the step, and the slider.
pub(super) fn transport(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let trace = model.trace.as_ref();
    let (position, steps) = trace.map_or((0, 0), |trace| (trace.position, trace.steps));
    let ready = model.can_step();
    let (back, on) = (ready && position > 0, ready && position < steps);
    let button = |step: Move,
                  picture: &'static str,
                  name: &'static str,
                  title: &'static str,
                  enabled: bool| {
        html! {
            <button type="button" aria-label={name} {title} aria-disabled={(!enabled).to_string()}
                onclick={dispatch.reform(move |_| Msg::Go(step))}>{ icon::filled(picture) }</button>
        }
    };
    html! {
        <div class="transport">
            <div class="segments" role="group" aria-label="Move along the steps">
                { button(Move::First, icon::FIRST, "First step", "First step (Home)", back) }
                { button(Move::Previous, icon::PREVIOUS, "Previous step", "Previous step (←)", back) }
                { button(Move::Next, icon::NEXT, "Next step", "Next step (→)", on) }
                { button(Move::Last, icon::LAST, "Last step", "Last step (End)", on) }
            </div>
            <p class="counter" style={format!("--digits: {}", steps.to_string().len())}>
                { "step " }<b>{ position }</b>{ " of " }<span>{ trace.map_or_else(|| "–".to_owned(), known) }</span>
            </p>
            <slider::Slider {position} {steps} index={trace.map(|trace| trace.index.clone())}
                enabled={ready} dispatch={dispatch.clone()} />
        </div>
    }
}

/// The number of steps, with a sign that there may be more.
fn known(trace: &Trace) -> String {
    use crate::model::RunState::{Lost, Stopped, Worker};
    use fletch_playground::protocol::RunStatus::{Exhausted, Running};
    match trace.state {
        Stopped | Worker(Running | Exhausted(_)) => format!("{}+", trace.steps),
        Lost | Worker(_) => trace.steps.to_string(),
    }
}

/// The next step in words.
pub(super) fn sentence(model: &Model, dispatch: &Callback<Msg>) -> Html {
    html! {
        <div class="sentence">
            if let Some(view) = model.trace.as_ref().and_then(|trace| trace.view.clone()) {
                <Sentence {view} dispatch={dispatch.clone()} />
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct SentenceProps {
    view: Shared<StepView>,
    dispatch: Callback<Msg>,
}

#[component]
fn Sentence(props: &SentenceProps) -> Html {
    html! {
        <p>
            { badge(props.view.rule.as_ref()) }
            { pieces::pieces(&props.view.sentence, &props.dispatch) }
        </p>
    }
}

/// The rule of the step; `=` unfolds, `→` reduces.
fn badge(rule: Option<&RuleView>) -> Html {
    let Some(rule) = rule else {
        return Html::default();
    };
    let family = match rule.family.as_str() {
        "forward" => "forward",
        "return" => "return",
        "backward" => "backward",
        // `.heap` is the strip of cards.
        "heap" => "store",
        _ => "plain",
    };
    html! {
        <span class={yew::classes!("rule", family)} title={rule.title.clone()}>
            <i>{ if rule.equation { "=" } else { "→" } }</i>{ &rule.name }
        </span>
    }
}
