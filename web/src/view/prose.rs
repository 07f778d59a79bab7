//! Messages of the language, in which program text is written between backquotes.

use yew::{Html, html};

/// A message, with its program text as code.
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
