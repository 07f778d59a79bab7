//! A word with a meaning: underlined with dots; the pointer, the keyboard and a tap open what it means, for those who
//! have not read the paper.

use super::popover;
use crate::model::Opened;
use crate::update::Msg;
use yew::{Callback, Classes, Html, html};

/// A word as the sentences have it, with the meaning that the glossary gives it; plain text if it gives none.
pub(crate) fn term(word: &str, dispatch: &Callback<Msg>) -> Html {
    match fletch_playground::gloss(word) {
        Some(meaning) => explained(word, meaning, dispatch),
        None => html! { <span class="term">{ word.to_owned() }</span> },
    }
}

/// A word of the glossary that stands there as another, shorter one.
pub(crate) fn short(shown: &'static str, word: &str, dispatch: &Callback<Msg>) -> Html {
    let meaning = fletch_playground::gloss(word).unwrap_or_default();
    button(word, meaning, "term", html! { { shown } }, dispatch)
}

/// A word with this meaning.
pub(crate) fn explained(word: &str, meaning: &str, dispatch: &Callback<Msg>) -> Html {
    button(word, meaning, "term", html! { { word } }, dispatch)
}

/// Something on the page with a meaning that opens beside it.
pub(crate) fn button(
    word: &str,
    meaning: &str,
    class: impl Into<Classes>,
    face: Html,
    dispatch: &Callback<Msg>,
) -> Html {
    let opened = Opened::Gloss {
        word: word.into(),
        meaning: meaning.into(),
    };
    popover::opener(&opened, class, None, face, dispatch)
}
