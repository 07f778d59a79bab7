//! Sentences of the language's own messages, in which program text stands between backquotes.

use yew::{Html, html};

/// A sentence, with its program text as code.
pub(crate) fn prose(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(number, part)| {
        if number % 2 == 1 {
            html! { <code>{ part }</code> }
        } else {
            html! { { part } }
        }
    });
    html! { <>{ for parts }</> }
}
