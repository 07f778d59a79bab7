//! The bar below the steps: what the run is doing, or why it ended early, and what can be done about it.

use super::prose::prose;
use crate::controls::raised;
use crate::model::{CheckPhase, Health, Model, RunState, Sent, Trace};
use crate::texts;
use crate::update::Msg;
use fletch_playground::protocol::{RunStatus, Stuck};
use yew::{Callback, Html, html};

/// The bar, if there is something to say.
pub(super) fn run_bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    said(model).map_or_else(Html::default, |said| bar(&said, dispatch))
}

/// What the bar says, and what it offers.
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
        let text = texts::state::the_part_of_the_page(why);
        return say("wrong", &text, (texts::state::START_IT_AGAIN, Msg::Retry));
    }
    if model.worker.slow {
        return Some(busy(model));
    }
    if model.check.phase == CheckPhase::Stopped {
        let text = texts::state::CHECKING_TOOK_TOO_LONG_AND;
        return say("paused", text, (texts::state::TRY_AGAIN, Msg::Retry));
    }
    let trace = model.trace.as_ref()?;
    if trace.revision != model.program.revision {
        return None;
    }
    match &trace.state {
        RunState::Worker(RunStatus::Stuck(why))
            if trace.position == trace.steps || trace.non_finite().is_none() =>
        {
            Some(stuck(trace, why))
        }
        RunState::Worker(RunStatus::Running | RunStatus::Value | RunStatus::Stuck(_)) => {
            non_finite(trace)
        }
        RunState::Worker(RunStatus::Exhausted(why)) => {
            let text = texts::state::the_run_was_what_it(why);
            say("paused", &text, (texts::state::CONTINUE_, Msg::Continue))
        }
        RunState::Stopped => {
            let text = texts::state::stopped_after_steps(trace.steps);
            say("paused", &text, (texts::state::CONTINUE_, Msg::Continue))
        }
        RunState::Lost => {
            let text = texts::state::THE_RUN_DID_NOT_STOP;
            say("paused", text, (texts::state::RUN_AGAIN, Msg::Retry))
        }
    }
}

/// A stuck run: where, and there, what can be done. Why it is stuck is the sentence there.
fn stuck(trace: &Trace, why: &Stuck) -> Said {
    let (text, action) = if trace.position < trace.steps {
        let text = texts::state::the_run_is_stuck_at(trace.steps);
        (text, (texts::state::GO_THERE, Msg::Show(trace.steps)))
    } else if let Some(convention) = &why.convention {
        let text = texts::state::frameworks_go_on_here_by(convention);
        (
            text,
            (texts::state::GO_ON_AS_FRAMEWORKS_DO, Msg::Total(true)),
        )
    } else {
        let action = (
            texts::state::SHOW_IN_THE_PROGRAM,
            Msg::GoTo(why.diagnostic.from),
        );
        (texts::state::THERE_IS_NO_STEP_FROM.to_owned(), action)
    };
    Said {
        class: "wrong",
        text,
        action: Some(action),
    }
}

/// The first value that is no finite number: where it is. There, the sentence tells it.
fn non_finite(trace: &Trace) -> Option<Said> {
    let found = trace.non_finite()?;
    let text = texts::state::at_step_the_first_value(&found.what, found.step);
    Some(Said {
        class: "odd",
        text,
        action: Some((texts::state::GO_THERE, Msg::Show(found.step))),
    })
}

fn busy(model: &Model) -> Said {
    let steps = model
        .trace
        .as_ref()
        .filter(|trace| trace.revision == model.worker.holds)
        .map(|trace| trace.steps);
    let awaits = |wanted: fn(&Sent) -> bool| model.worker.awaits(wanted);
    let text = match steps {
        _ if model.worker.stopping => texts::state::STOPPING.to_owned(),
        _ if awaits(|sent| matches!(sent, Sent::Load(_))) => {
            texts::state::CHECKING_THE_PROGRAM.to_owned()
        }
        Some(steps) if awaits(|sent| matches!(sent, Sent::Advance(_))) => {
            texts::state::computing_steps_so_far(steps)
        }
        None if awaits(|sent| matches!(sent, Sent::Advance(_))) => {
            texts::state::COMPUTING.to_owned()
        }
        _ if awaits(|sent| matches!(sent, Sent::Index(_))) => {
            texts::state::LISTING_THE_STEPS.to_owned()
        }
        _ => texts::state::LAYING_OUT_THIS_STEP.to_owned(),
    };
    Said {
        class: "busy",
        text,
        action: (!model.worker.stopping).then_some((texts::state::STOP, Msg::Stop)),
    }
}

fn bar(said: &Said, dispatch: &Callback<Msg>) -> Html {
    let action = said.action.clone();
    let action = action.map(|(name, msg)| raised(name).on_click(dispatch, msg));
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
