//! What a presentation has beside the panes: a bar to choose them and the size of the type, and a black screen.

use crate::model::{Model, PARTS};
use crate::update::{Msg, ShowingMsg};
use yew::{Callback, Html, html};

/// The bar in the place of the page's head. It is quiet until the pointer or the keyboard comes to it.
pub(super) fn bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let showing = &model.showing;
    let parts = PARTS.map(|(part, title, _)| {
        html! {
            <button type="button" class="quiet" aria-pressed={showing.parts.has(part).to_string()}
                onclick={dispatch.reform(move |_| Msg::Showing(ShowingMsg::Part(part)))}>{ title }</button>
        }
    });
    let button = |msg: ShowingMsg, name: &'static str, face: &'static str, enabled: bool| {
        html! {
            <button type="button" class="quiet" title={name} aria-label={format!("{face}: {name}")} aria-disabled={(!enabled).to_string()}
                onclick={dispatch.reform(move |_| Msg::Showing(msg))}>{ face }</button>
        }
    };
    let speaker = !showing.speaker;
    html! {
        <header class="head present-bar">
            <h1 class="logo" aria-label="Fletch">{ super::icon::logo() }</h1>
            <div class="present-parts" role="group" aria-label="What is shown">{ for parts }</div>
            <span class="grow"></span>
            <div class="present-size" role="group" aria-label="Size of the type">
                { button(ShowingMsg::Size(false), "smaller type (−)", "A−", showing.sized(false) != showing.size) }
                <output>{ format!("{} %", showing.size) }</output>
                { button(ShowingMsg::Size(true), "larger type (+)", "A+", showing.sized(true) != showing.size) }
            </div>
            <button type="button" class="quiet" aria-pressed={showing.speaker.to_string()}
                title="The step notes and the next step, in a window of their own"
                onclick={dispatch.reform(move |_| Msg::Showing(ShowingMsg::Speaker(speaker)))}>{ "Notes" }</button>
            { button(ShowingMsg::Black, "a black screen (B)", "Black", true) }
            { button(ShowingMsg::Present(false), "the page as it was (Esc)", "End", true) }
        </header>
    }
}

/// The black screen; a click takes it away.
pub(super) fn black(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if !model.showing.black {
        return Html::default();
    }
    html! {
        <div class="black" role="button" aria-label="The screen is black: B shows it again"
            onclick={dispatch.reform(|_| Msg::Showing(ShowingMsg::Black))} />
    }
}
