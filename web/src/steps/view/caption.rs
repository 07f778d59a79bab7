//! The step note: the comment that the author of the program attached to the line that the run has reached.

use crate::model::Model;
use fletch_playground::protocol::Caption;
use yew::{Html, html};

/// The step note below the sentence, which has its room from the start of the run. It is plain text and never markup. On a phone a
/// press opens it.
pub(crate) fn caption(model: &Model) -> Html {
    let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
    match view.and_then(|view| view.caption.as_ref()) {
        // A speaker sees the note in the window of notes.
        Some(caption) if !model.showing.speaker => html! {
            <div class={yew::classes!("caption", caption.fresh.then_some("fresh"))} role="note" aria-label={"Step note"} tabindex="-1">{ lines(caption) }</div>
        },
        _ => Html::default(),
    }
}

/// Lines of a step note.
pub(crate) fn lines(caption: &Caption) -> Html {
    let lines = caption.text.lines();
    html! { <>{ for lines.map(|line| html! { <span>{ line.to_owned() }</span> }) }</> }
}
