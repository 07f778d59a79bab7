//! The second window of a presentation: the step note, the sentence of the step, and the next step.

use crate::model::Model;
use crate::steps::view::caption;
use crate::view::pieces;
use fletch_playground::protocol::{Caption, Piece};
use gloo::timers::callback::Interval;
use js_sys::Date;
use yew::{Callback, Html, component, html, use_effect_with, use_state};

/// Content of the presenter's window.
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
            <p class="speaker-at">{ format!("{step} of {count}", step = model.numbering().step(view.position), count = trace.stops(model.stepping.level).count()) }<Clock /></p>
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

/// The time of day, and the minutes since the window was opened.
#[component]
fn Clock() -> Html {
    const SECOND: u32 = 1000;
    let opened = use_state(Date::now);
    let now = use_state(Date::now);
    let ticking = now.setter();
    use_effect_with((), move |()| {
        let ticks = Interval::new(SECOND, move || ticking.set(Date::now()));
        move || drop(ticks)
    });
    let date = Date::new(&(*now).into());
    let minutes = (*now - *opened) / f64::from(60 * SECOND);
    let text = format!(
        "{}:{:02}, {:.0} min",
        date.get_hours(),
        date.get_minutes(),
        minutes.floor()
    );
    html! { <time class="speaker-clock">{ text }</time> }
}
