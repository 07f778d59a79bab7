//! The bar below the steps: what the run is doing, or why it ended early, and what can be done about it.

use crate::model::{CheckPhase, Health, Model, RunState, Sent};
use crate::update::Msg;
use fletch_playground::protocol::RunStatus;
use yew::{Callback, Html, html};

/// The bar, if there is something to say.
pub(super) fn run_bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if let Health::Failed(why) = &model.worker.health {
        let text = format!("The part of the page that runs programs has failed: {why}.");
        return bar(
            "wrong",
            &text,
            Some(("Start it again", Msg::Retry)),
            dispatch,
        );
    }
    if model.worker.slow {
        return busy(model, dispatch);
    }
    if model.check.phase == CheckPhase::Stopped {
        return bar(
            "paused",
            "Checking took too long and was stopped.",
            Some(("Try again", Msg::Retry)),
            dispatch,
        );
    }
    let Some(trace) = model
        .trace
        .as_ref()
        .filter(|trace| trace.revision == model.program.revision)
    else {
        return Html::default();
    };
    match &trace.state {
        RunState::Worker(RunStatus::Running | RunStatus::Value) => Html::default(),
        RunState::Worker(RunStatus::Stuck(diagnostic)) => {
            let text = format!(
                "The run is stuck after step {}: {}",
                trace.steps, diagnostic.message
            );
            bar(
                "wrong",
                &text,
                Some(("Show in the program", Msg::GoTo(diagnostic.from))),
                dispatch,
            )
        }
        RunState::Worker(RunStatus::Exhausted(why)) => {
            let text = format!("The run was {why}. What it has reached stays.");
            bar("paused", &text, Some(("Continue", Msg::Continue)), dispatch)
        }
        RunState::Stopped => {
            let text = format!("Stopped after {} steps.", trace.steps);
            bar("paused", &text, Some(("Continue", Msg::Continue)), dispatch)
        }
        RunState::Lost => bar(
            "paused",
            "The run did not stop by itself and was ended; this is the last view of it.",
            Some(("Run again", Msg::Retry)),
            dispatch,
        ),
    }
}

fn busy(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let steps = model
        .trace
        .as_ref()
        .filter(|trace| trace.revision == model.worker.holds)
        .map(|trace| trace.steps);
    let awaits = |wanted: fn(&Sent) -> bool| model.worker.awaits(wanted);
    let text = match steps {
        _ if model.worker.stopping => "Stopping…".to_owned(),
        _ if awaits(|sent| matches!(sent, Sent::Load(_))) => "Checking the program…".to_owned(),
        Some(steps) if awaits(|sent| matches!(sent, Sent::Advance(_))) => {
            format!("Computing: {steps} steps so far")
        }
        None if awaits(|sent| matches!(sent, Sent::Advance(_))) => "Computing…".to_owned(),
        _ if awaits(|sent| matches!(sent, Sent::Index(_))) => "Listing the steps…".to_owned(),
        _ => "Laying out this step…".to_owned(),
    };
    bar(
        "busy",
        &text,
        (!model.worker.stopping).then_some(("Stop", Msg::Stop)),
        dispatch,
    )
}

fn bar(
    class: &'static str,
    text: &str,
    action: Option<(&'static str, Msg)>,
    dispatch: &Callback<Msg>,
) -> Html {
    html! {
        <div class={yew::classes!("run-bar", class)} role="status">
            <i aria-hidden="true"></i>
            <p>{ text }</p>
            if let Some((name, msg)) = action {
                <button type="button" class="raised" onclick={dispatch.reform(move |_| msg.clone())}>{ name }</button>
            }
        </div>
    }
}
