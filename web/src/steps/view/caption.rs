//! The step note of the line that the run has reached: what the author of the program has to say there.

use crate::model::Model;
use fletch_playground::protocol::Caption;
use yew::{Html, html};

/// The note below the sentence, in a place that is kept for it from the start of the run. It is plain text, whatever is in it. On a
/// phone it opens when it is pressed.
pub(crate) fn caption(model: &Model) -> Html {
    let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
    match view.and_then(|view| view.caption.as_ref()) {
        // The speaker has it in a window of their own.
        Some(caption) if !model.showing.speaker => html! {
            <div class={yew::classes!("caption", caption.fresh.then_some("fresh"))} role="note" aria-label={"Step note"} tabindex="-1">{ lines(caption) }</div>
        },
        _ => Html::default(),
    }
}

/// The lines of a note.
pub(crate) fn lines(caption: &Caption) -> Html {
    let lines = caption.text.lines();
    html! { <>{ for lines.map(|line| html! { <span>{ line.to_owned() }</span> }) }</> }
}
