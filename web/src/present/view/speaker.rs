//! The second window of a presentation: the step note, the step in words, and what comes next.

use crate::model::Model;
use crate::steps::view::caption;
use crate::view::pieces;
use fletch_playground::protocol::{Caption, Piece};
use yew::{Callback, Html, html};

/// What the window shows.
#[inline(never)] // A start does without it.
pub(crate) fn speaker(model: &Model) -> Html {
    let Some(trace) = &model.trace else {
        return html! { <p class="speaker-note">{ "No run yet." }</p> };
    };
    let Some(view) = &trace.view else {
        return Html::default();
    };
    let note = |caption: Option<&Caption>| match caption.filter(|caption| !caption.text.is_empty())
    {
        Some(caption) => html! { <p class="speaker-note">{ caption::lines(caption) }</p> },
        None => Html::default(),
    };
    let say = |sentence: &[Piece]| html! { <p class="speaker-says">{ pieces::pieces(sentence, &Callback::noop()) }</p> };
    html! {
        <main class="speaker">
            <p class="speaker-at">{ format!("step {position} of {steps}", position = view.position, steps = trace.steps) }</p>
            { note(view.caption.as_ref()) }
            { say(&view.sentence) }
            if let Some(ahead) = &view.ahead {
                <h2>{ "Next" }</h2>
                { note(ahead.caption.as_ref().filter(|caption| caption.fresh)) }
                { say(&ahead.sentence) }
            }
        </main>
    }
}
