//! A word with an explanation, underlined with dots. The pointer, the focus or a tap opens the explanation, for
//! readers who have not read the paper.

use super::popover;
use crate::model::Opened;
use crate::update::Msg;
use yew::{Callback, Classes, Html, html};

/// A term of a sentence, with its explanation from the glossary; plain text if the glossary has none.
pub(crate) fn term(word: &str, dispatch: &Callback<Msg>) -> Html {
    match fletch_playground::gloss(word) {
        Some(meaning) => explained(word, meaning, dispatch),
        None => html! { <span class="term">{ word.to_owned() }</span> },
    }
}

/// A word of the glossary that is shown in a shorter form.
pub(crate) fn short(shown: &'static str, word: &str, dispatch: &Callback<Msg>) -> Html {
    let meaning = fletch_playground::gloss(word).unwrap_or_default();
    button(word, meaning, "term", html! { { shown } }, dispatch)
}

/// A word with this explanation.
pub(crate) fn explained(word: &str, meaning: &str, dispatch: &Callback<Msg>) -> Html {
    button(word, meaning, "term", html! { { word } }, dispatch)
}

/// An element whose explanation opens next to it.
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
