//! Legend of the signs: the marks of the slider, and the arrow and the equals sign before a rule's name.

use crate::update::Msg;
use crate::view::gloss;
use fletch_playground::protocol::TickKind;
use yew::{Callback, Html, html};

/// Meaning of `→` before a rule's name.
pub(crate) const REDUCES: &str =
    "→ reduces: a step of the computation, from one command to the next.";
/// Meaning of `=` before a rule's name.
pub(crate) const UNFOLDS: &str = "= unfolds a definition: the reverse handler is replaced by what it stands for. Both \
     sides mean the same, and nothing is computed.";
/// Meaning of the square on the slider.
const PUT: &str = "A step that writes to the heap: here weights are updated.";

/// The legend.
pub(crate) fn legend(dispatch: &Callback<Msg>) -> Html {
    let marks = [
        (TickKind::Forward, gloss::term("forward clause", dispatch)),
        (TickKind::Return, gloss::term("return clause", dispatch)),
        (TickKind::Backward, gloss::term("backward clause", dispatch)),
        (TickKind::Put, gloss::explained("Put", PUT, dispatch)),
    ];
    let marks = marks.map(|(kind, name)| {
        html! { <span class={yew::classes!("key", mark(kind))}><i aria-hidden="true"></i>{ name }</span> }
    });
    html! {
        <div class="signs" role="group" aria-label={"What the signs mean"}>
            { for marks }
            <span class="key"><b>{ "→" }</b>{ "reduces" }</span>
            <span class="key"><b>{ "=" }</b>{ "unfolds a definition" }</span>
        </div>
    }
}

/// CSS class of a mark, which gives its shape and its colour.
pub(crate) fn mark(kind: TickKind) -> &'static str {
    match kind {
        TickKind::Forward => "forward-mark",
        TickKind::Return => "return-mark",
        TickKind::Backward => "backward-mark",
        TickKind::Put => "put-mark",
        TickKind::NonFinite => "non-finite-mark",
        TickKind::Stuck => "stuck-mark",
    }
}
