//! What a presentation has beside the panes: a bar to choose them and the size of the type, and a black screen.

use crate::model::{Model, PARTS};
use crate::texts;
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
            <h1 class="logo" aria-label={texts::present::FLETCH}>{ super::icon::logo() }</h1>
            <div class="present-parts" role="group" aria-label={texts::present::WHAT_IS_SHOWN}>{ for parts }</div>
            <span class="grow"></span>
            <div class="present-size" role="group" aria-label={texts::present::SIZE_OF_THE_TYPE}>
                { button(ShowingMsg::Size(false), texts::present::SMALLER_TYPE, "A−", showing.sized(false) != showing.size) }
                <output>{ format!("{} %", showing.size) }</output>
                { button(ShowingMsg::Size(true), texts::present::LARGER_TYPE, "A+", showing.sized(true) != showing.size) }
            </div>
            <button type="button" class="quiet" aria-pressed={showing.speaker.to_string()}
                title={texts::present::THE_STEP_NOTES_AND_THE}
                onclick={dispatch.reform(move |_| Msg::Showing(ShowingMsg::Speaker(speaker)))}>{ texts::present::NOTES }</button>
            { button(ShowingMsg::Black, texts::present::A_BLACK_SCREEN_B, texts::present::BLACK, true) }
            { button(ShowingMsg::Present(false), texts::present::THE_PAGE_AS_IT_WAS, texts::present::END, true) }
        </header>
    }
}

/// The black screen; a click takes it away.
pub(super) fn black(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if !model.showing.black {
        return Html::default();
    }
    html! {
        <div class="black" role="button" aria-label={texts::present::THE_SCREEN_IS_BLACK_B}
            onclick={dispatch.reform(|_| Msg::Showing(ShowingMsg::Black))} />
    }
}
