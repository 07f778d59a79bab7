//! The transport, which moves along the trace, and the sentence that describes the step.

use crate::controls::{button, option, select, square};
use crate::model::{Model, Shared};
use crate::steps::run::Trace;
use crate::steps::update::StepMsg;
use crate::steps::view::{
    caption, command, copy as export, finder, heap, jump, legend, same, slider, why,
};
use crate::steps::{LEVELS, Speed, level_named};
use crate::texts::capitalised;
use crate::update::{Move, Msg};
use crate::view::prose::prose;
use crate::view::{gloss, icon, pieces};
use fletch_playground::protocol::{Level, RuleFamily, RuleView, StepView};
use yew::{Callback, Html, Properties, classes, component, html};

const LEVEL_OF_DETAIL: &str = "Level of detail";

/// The transport: buttons, step counter, level, options, slider and search.
pub(crate) fn transport(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let trace = model.trace.as_ref();
    let (position, steps) = trace.map_or((0, 0), |trace| (trace.position, trace.steps));
    let stepping = &model.stepping;
    html! {
        <section class="transport" aria-label={"Transport"}>
            <div class={classes!("moves", stepping.more.then_some("opened"))}>
                { buttons(model, position, steps, dispatch) }
                { counter(trace, stepping.level) }
                { levels(trace, stepping.level, dispatch) }
                { square(icon::drawn(icon::MORE)).class("more").named("More controls").with("id", crate::ids::MORE).expanded(stepping.more)
                    .on_click(dispatch, Msg::Step(StepMsg::More)) }
                if stepping.more { { options(model, dispatch) } }
            </div>
            <slider::Slider {position} {steps} index={trace.map(|trace| trace.index.clone())} level={stepping.level}
                hits={stepping.search.hits.clone()} enabled={model.can_step()} dispatch={dispatch.clone()} />
            { finder::finder(model, dispatch) }
            <p class="step-note" role="status">{ stepping.note.as_deref().unwrap_or_default() }</p>
        </section>
    }
}

/// The less frequent controls, shown over the stage.
#[inline(never)] // A start does without it.
fn options(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let stepping = &model.stepping;
    let trace = model.trace.as_ref();
    html! {
        <div class="options" id="step-options">
            <p class="level-note" aria-hidden="true">{ stops_at(stepping.level) }{ "." }</p>
            { speeds(stepping.speed, dispatch) }
            { jump::menu(model, dispatch) }
            { finder::opener(model, dispatch) }
            if trace.is_some_and(|trace| trace.view.is_some()) {
                { command::compare(model, dispatch) }
                if !model.compare.step.marks { { same::button(model, dispatch) } }
                { export::button(model, dispatch) }
                { heap::scales(model, dispatch) }
            }
            { legend::legend(dispatch) }
        </div>
    }
}

/// The buttons for the first, previous, next and last step, and for playing.
fn buttons(model: &Model, position: u32, steps: u32, dispatch: &Callback<Msg>) -> Html {
    let ready = model.can_step();
    let (back, on) = (ready && position > 0, ready && position < steps);
    let way = |class: &'static str,
               msg: Msg,
               picture: &'static str,
               name: &'static str,
               key: &str,
               enabled: bool| {
        html! { { button(class, icon::filled(picture)).label(name).title(format!("{name} ({key})")).flag("aria-disabled", !enabled).on_click(dispatch, msg) } }
    };
    let play = Msg::Step(StepMsg::Play);
    html! {
        <div class="segments" role="group" aria-label={"Move along the steps"}>
            { way("far", Msg::Go(Move::First), icon::FIRST, "First step", "Home", back) }
            { way("near", Msg::Go(Move::Previous), icon::PREVIOUS, "Previous step", "←", back) }
            if model.stepping.playing {
                { way("play", play, icon::PAUSE, "Pause", "Space", ready) }
            } else {
                { way("play", play, icon::PLAY, "Play", "Space", ready && steps > 0) }
            }
            { way("near", Msg::Go(Move::Next), icon::NEXT, "Next step", "→", on) }
            { way("far", Msg::Go(Move::Last), icon::LAST, "Last step", "End", on) }
        </div>
    }
}

fn speeds(speed: Speed, dispatch: &Callback<Msg>) -> Html {
    let options = Speed::all().map(|other| option(other.name(), other.name(), other == speed));
    html! {
        { select("Speed of playing", options).class("speed").title("Speed of playing (< and >)")
            .on_change(dispatch, |name| Msg::Step(StepMsg::Speed(Speed::named(&name)))) }
    }
}

/// Description of the stops of a level.
fn stops_at(level: Level) -> &'static str {
    match level {
        Level::Every => "Stops at every single reduction; skips nothing",
        Level::Plain => {
            "Skips steps that only move values about: bindings, parts of tuples, sums with zero"
        }
        Level::Operations => {
            "Stops where a forward or a backward clause of an operation begins; skips what it does inside"
        }
        Level::Handlers => {
            "Stops where a handler’s run goes forward, turns back and ends; skips its operations"
        }
        Level::Moments => "Stops at each moment of a feedback, on the way out and on the way back",
    }
}

/// Selector of the level. It offers moments if the run has some, or if that level is selected.
fn levels(trace: Option<&Trace>, level: Level, dispatch: &Callback<Msg>) -> Html {
    let moments = level == Level::Moments || trace.is_some_and(Trace::has_moments);
    let offered = LEVELS
        .into_iter()
        .filter(|(other, ..)| moments || *other != Level::Moments);
    let options = offered.map(|(other, name, stored)| option(stored, name, other == level));
    let keys = if moments { 5 } else { 4 };
    html! {
        { select(LEVEL_OF_DETAIL, options).class("level").with("aria-description", stops_at(level)).title(format!("{} (1 to {keys})", stops_at(level)))
            .on_change(dispatch, |name| Msg::Step(StepMsg::Level(level_named(&name)))) }
    }
}

/// Counter with the number of the stop and of all stops; a `+` if the run may have more steps. The tooltip has the position.
fn counter(trace: Option<&Trace>, level: Level) -> Html {
    let Some(trace) = trace else {
        return html! { <p class="counter" style="--digits: 2" data-step="0"><span><b>{ 0 }</b>{ " of –" }</span></p> };
    };
    let stops = trace.stops(level);
    let (position, count) = (trace.position, stops.count());
    let open = if trace.may_go_on() { "+" } else { "" };
    let steps = format!("{}{open}", trace.steps);
    html! {
        <p class="counter" style={format!("--digits: {}", count.to_string().len())} title={format!("step {position} of {steps}")}
            data-step={position.to_string()} data-steps={steps}>
            <span><b>{ stops.number(position) }</b>{ format!(" of {count}{open}") }</span>
        </p>
    }
}

/// The sentence: the next step in words.
pub(crate) fn sentence(model: &Model, dispatch: &Callback<Msg>) -> Html {
    html! {
        <div class="sentence">
            if let Some(number) = model.is_held_here() {
                <p tabindex="-1">{ format!("The next step answers question {number} of the lesson.") }</p>
            } else if let Some(view) = model.trace.as_ref().and_then(|trace| trace.view.clone()) {
                <Sentence {view} dispatch={dispatch.clone()} />
                <div class={classes!("sentence-tools", model.stepping.search.open.then_some("covered"))}>{ why::button(model, dispatch) }if model.compare.step.marks { { same::button(model, dispatch) } }</div>
            }
            { caption::caption(model) }
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
        // A narrow page shows the whole sentence while it has the focus, which a touch gives it.
        <p tabindex="-1">
            // The command shown is the one before the step, which the word `Next` makes explicit.
            if props.view.rule.is_some() { <span class="next">{ "Next" }</span> }
            { badge(props.view.rule.as_ref(), &props.dispatch) }
            { pieces::pieces(&props.view.sentence, &props.dispatch) }
            if let Some(convention) = &props.view.convention {
                <span class="convention" title={"The paper's reading has no step here"}>{ " By convention, " }{ prose(convention) }{ "." }</span>
            }
            if let Some(what) = &props.view.non_finite {
                <span class="odd-value">{ " " }{ prose(what) }{ ": the first value of this run that is not a finite number." }</span>
            }
        </p>
    }
}

/// Badge with the rule of the step: `=` for an unfolding, `→` for a reduction.
fn badge(rule: Option<&RuleView>, dispatch: &Callback<Msg>) -> Html {
    let Some(rule) = rule else {
        return Html::default();
    };
    let family = match rule.family {
        RuleFamily::Forward => "forward",
        RuleFamily::Return => "return",
        RuleFamily::Backward => "backward",
        // `.heap` is the column of cards.
        RuleFamily::Heap => "store",
        RuleFamily::Shortcut => "shortcut",
        RuleFamily::Plain => "plain",
    };
    let (sign, way) = if rule.equation {
        ("=", legend::UNFOLDS)
    } else {
        ("→", legend::REDUCES)
    };
    let title = format!("{sign} {}", rule.badge);
    let meaning = format!("{}.\n{way}", capitalised(&rule.title));
    let face = html! { <><i>{ sign }</i>{ &rule.badge }</> };
    gloss::button(&title, &meaning, format!("rule {family}"), face, dispatch)
}
