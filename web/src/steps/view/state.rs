//! The bar below the steps: what the run is doing, or why it ended early, with an action that helps.

use crate::controls::raised;
use crate::editor::CheckPhase;
use crate::model::{Health, Model};
use crate::steps::numbering::Numbering;
use crate::steps::run::{RunState, Trace};
use crate::update::Msg;
use crate::view::prose::prose;
use fletch_playground::protocol::{Ask, RunStatus, Stuck};
use yew::{Callback, Html, html};

const GO_THERE: &str = "Go there";

const CONTINUE_: &str = "Continue";

/// The bar, if there is a message.
pub(crate) fn run_bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    said(model).map_or_else(Html::default, |said| bar(said, dispatch))
}

/// Message of the bar, and the action that it offers.
#[derive(Debug, PartialEq)]
struct Said {
    class: &'static str,
    text: String,
    action: Option<(&'static str, Msg)>,
}

fn said(model: &Model) -> Option<Said> {
    let say = |class, text: &str, action| {
        Some(Said {
            class,
            text: text.to_owned(),
            action: Some(action),
        })
    };
    if let Health::Failed(why) = &model.worker.health {
        let text = format!("The part of the page that runs programs has failed: {why}.");
        return say("wrong", &text, ("Start it again", Msg::Retry));
    }
    if model.worker.slow {
        return Some(busy(model));
    }
    if model.check.phase == CheckPhase::Stopped {
        let text = "Checking took too long and was stopped.";
        return say("paused", text, ("Try again", Msg::Retry));
    }
    let trace = model.trace.as_ref()?;
    if trace.revision != model.program.revision {
        return None;
    }
    let ended = matches!(trace.state, RunState::Worker(RunStatus::Exhausted(_)));
    if let Some((number, _)) = model.held().filter(|_| ended) {
        let text =
            format!("The run is held here: answer question {number} of the lesson, or skip it.");
        let question = Msg::Visit(format!("predict-{number}"));
        return say("paused", &text, ("To the question", question));
    }
    let numbering = model.numbering();
    match &trace.state {
        RunState::Worker(RunStatus::Stuck(why))
            if trace.position == trace.steps || trace.non_finite().is_none() =>
        {
            Some(stuck(trace, why, &numbering))
        }
        RunState::Worker(RunStatus::Running | RunStatus::Value | RunStatus::Stuck(_)) => {
            non_finite(trace, &numbering).or_else(|| unreached(trace))
        }
        RunState::Worker(RunStatus::Exhausted(why)) => {
            let text = format!("The run was {why}. What it has reached stays.");
            say("paused", &text, (CONTINUE_, Msg::Continue))
        }
        RunState::Stopped => {
            let text = format!("Stopped at {step}.", step = numbering.step(trace.steps));
            say("paused", &text, (CONTINUE_, Msg::Continue))
        }
        RunState::Lost => {
            let text = "The run did not stop by itself and was ended; this is the last view of it.";
            say("paused", text, ("Run again", Msg::Retry))
        }
    }
}

/// Message about a stuck run: a link to its last step, and at that step a remedy. The sentence there explains the cause.
fn stuck(trace: &Trace, why: &Stuck, numbering: &Numbering) -> Said {
    let (text, action) = if trace.position < trace.steps {
        let text = format!(
            "The run is stuck at {step}.",
            step = numbering.step(trace.steps)
        );
        (text, (GO_THERE, Msg::Show(trace.steps)))
    } else if let Some(convention) = &why.convention {
        let text = format!("Frameworks go on here by convention: {convention}.");
        (text, ("Go on as frameworks do", Msg::Total(true)))
    } else {
        let action = ("Show in the program", Msg::GoTo(why.diagnostic.from));
        ("There is no step from here.".to_owned(), action)
    };
    Said {
        class: "wrong",
        text,
        action: Some(action),
    }
}

/// Message about the first value that is not a finite number, with a link to its step. The sentence at that step reports it
/// instead.
fn non_finite(trace: &Trace, numbering: &Numbering) -> Option<Said> {
    let found = trace.non_finite()?;
    let text = format!(
        "{what} at {step}: the first value of this run that is not a finite number.",
        what = found.what,
        step = numbering.step(found.step)
    );
    Some(Said {
        class: "odd",
        text,
        action: Some((GO_THERE, Msg::Show(found.step))),
    })
}

/// Message about the first step note that no step is on, once the run has ended in its value.
fn unreached(trace: &Trace) -> Option<Said> {
    let line = trace.indexed()?.unreached.first()?;
    Some(Said {
        class: "paused hint",
        text: format!(
            "The step note for line {line} is never shown: no step of this run is on that line."
        ),
        action: None,
    })
}

fn busy(model: &Model) -> Said {
    let steps = model
        .trace
        .as_ref()
        .filter(|trace| trace.revision == model.worker.holds)
        .map(|trace| trace.steps);
    let awaits = |wanted: fn(&Ask) -> bool| model.worker.awaits(wanted);
    let text = match steps {
        _ if model.worker.stopping => "Stopping…".to_owned(),
        _ if awaits(|ask| matches!(ask, Ask::Load { .. })) => "Checking the program…".to_owned(),
        Some(steps) if awaits(|ask| matches!(ask, Ask::Advance { .. } | Ask::Extend)) => {
            format!("Computing: {steps} steps so far")
        }
        None if awaits(|ask| matches!(ask, Ask::Advance { .. } | Ask::Extend)) => {
            "Computing…".to_owned()
        }
        _ if awaits(|ask| *ask == Ask::Index) => "Listing the steps…".to_owned(),
        _ => "Laying out this step…".to_owned(),
    };
    Said {
        class: "busy",
        text,
        action: (!model.worker.stopping).then_some(("Stop", Msg::Stop)),
    }
}

fn bar(said: Said, dispatch: &Callback<Msg>) -> Html {
    let action = (said.action).map(|(name, msg)| raised(name).on_click(dispatch, msg));
    html! {
        <div class={yew::classes!("run-bar", said.class)} role="status">
            <i aria-hidden="true"></i>
            <p>{ prose(&said.text) }</p>
            { for action }
        </div>
    }
}

#[cfg(test)]
mod tests;
