//! What the signs about the steps mean: the marks of the slider, and the arrow and the equals sign before a rule's name.

use super::gloss;
use crate::texts;
use crate::update::Msg;
use fletch_playground::protocol::TickKind;
use yew::{Callback, Html, html};

/// What a step by `→` is.
pub(super) const REDUCES: &str = texts::legend::REDUCES_A_STEP_OF_THE;
/// What a step by `=` is.
pub(super) const UNFOLDS: &str = texts::legend::UNFOLDS_A_DEFINITION_THE_REVERSE;
/// What the square on the slider is, as far as it needs saying.
const PUT: &str = texts::legend::A_STEP_THAT_WRITES_TO;

/// The legend; where it stands is up to its class.
pub(super) fn legend(class: &'static str, dispatch: &Callback<Msg>) -> Html {
    let marks = [
        (
            TickKind::Forward,
            gloss::term(texts::legend::FORWARD_CLAUSE, dispatch),
        ),
        (
            TickKind::Return,
            gloss::term(texts::legend::RETURN_CLAUSE, dispatch),
        ),
        (
            TickKind::Backward,
            gloss::term(texts::legend::BACKWARD_CLAUSE, dispatch),
        ),
        (
            TickKind::Put,
            gloss::explained(texts::legend::PUT, PUT, dispatch),
        ),
    ];
    let marks = marks.map(|(kind, name)| {
        html! { <span class={yew::classes!("key", mark(kind))}><i aria-hidden="true"></i>{ name }</span> }
    });
    html! {
        <div class={yew::classes!("signs", class)} role="group" aria-label={texts::legend::WHAT_THE_SIGNS_MEAN}>
            { for marks }
            <span class="key"><b>{ "→" }</b>{ texts::legend::REDUCES }</span>
            <span class="key"><b>{ "=" }</b>{ texts::legend::UNFOLDS_A_DEFINITION }</span>
        </div>
    }
}

/// The class of a mark, which gives it its shape and its colour.
pub(super) fn mark(kind: TickKind) -> &'static str {
    match kind {
        TickKind::Forward => "forward-mark",
        TickKind::Return => "return-mark",
        TickKind::Backward => "backward-mark",
        TickKind::Put => "put-mark",
        TickKind::NonFinite => "non-finite-mark",
        TickKind::Stuck => "stuck-mark",
    }
}
