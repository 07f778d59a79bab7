//! A word with a meaning: underlined with dots; the pointer, the keyboard and a tap open what it means, for those who
//! have not read the paper.

use super::{anchor, chip};
use crate::model::{Opened, Popover};
use crate::update::Msg;
use std::rc::Rc;
use web_sys::Event;
use yew::{AttrValue, Callback, Html, Properties, component, html};

/// A word as the sentences have it, with the meaning that the glossary gives it; plain text if it gives none.
pub(super) fn term(word: &str, dispatch: &Callback<Msg>) -> Html {
    match fletch_playground::gloss(word) {
        Some(meaning) => explained(word, meaning, dispatch),
        None => html! { <span class="term">{ word.to_owned() }</span> },
    }
}

/// A word of the glossary that stands there as another, shorter one.
pub(super) fn short(shown: &'static str, word: &str, dispatch: &Callback<Msg>) -> Html {
    let meaning = Rc::<str>::from(fletch_playground::gloss(word).unwrap_or_default());
    html! {
        <Word title={Rc::<str>::from(word)} {meaning} class="term" dispatch={dispatch.clone()}>{ shown }</Word>
    }
}

/// A word with this meaning.
pub(super) fn explained(word: &str, meaning: &str, dispatch: &Callback<Msg>) -> Html {
    let word: Rc<str> = word.into();
    html! {
        <Word title={Rc::clone(&word)} meaning={Rc::<str>::from(meaning)} class="term" dispatch={dispatch.clone()}>{ &*word }</Word>
    }
}

/// What has a meaning.
#[derive(Properties, PartialEq)]
pub(super) struct WordProps {
    /// What is explained.
    pub(super) title: Rc<str>,
    /// What it means.
    pub(super) meaning: Rc<str>,
    /// How it looks.
    pub(super) class: AttrValue,
    /// What stands there.
    pub(super) children: Html,
    /// Where events go.
    pub(super) dispatch: Callback<Msg>,
}

/// Something on the page with a meaning that opens beside it.
#[component]
pub(super) fn Word(props: &WordProps) -> Html {
    let say = |make: fn(Popover) -> Msg, pinned: bool| {
        let dispatch = props.dispatch.clone();
        let (word, meaning) = (Rc::clone(&props.title), Rc::clone(&props.meaning));
        move |event: &Event| {
            let opened = Opened::Gloss {
                word: Rc::clone(&word),
                meaning: Rc::clone(&meaning),
            };
            if let Some(anchor) = chip::target(event).as_ref().and_then(anchor::of) {
                dispatch.emit(make(Popover {
                    opened,
                    anchor,
                    pinned,
                }));
            }
        }
    };
    let hover = say(Msg::ChipHovered, false);
    let focus = say(Msg::ChipOpened, false);
    let click = say(Msg::ChipOpened, true);
    let leave = props.dispatch.reform(|()| Msg::ChipLeft);
    let (left, blurred) = (leave.clone(), leave);
    html! {
        <button type="button" class={props.class.clone()} aria-description={props.meaning.to_string()}
            onpointerenter={move |event: yew::PointerEvent| if event.pointer_type() == "mouse" { hover(&event) }}
            onpointerleave={move |event: yew::PointerEvent| if event.pointer_type() == "mouse" { left.emit(()) }}
            onfocus={move |event: yew::FocusEvent| if chip::shows_focus(&event) { focus(&event) }}
            onblur={move |_| blurred.emit(())}
            onclick={move |event: yew::MouseEvent| click(&event)}>
            { props.children.clone() }
        </button>
    }
}
