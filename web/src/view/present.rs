//! What a presentation has beside the panes: a bar to choose them and the size of the type, and a black screen.

use crate::controls::{group, quiet};
use crate::model::{Model, PARTS};
use crate::texts;
use crate::update::{Msg, ShowingMsg};
use yew::{Callback, Html, html};

/// The bar in the place of the page's head. It is quiet until the pointer or the keyboard comes to it.
pub(super) fn bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let showing = &model.showing;
    let parts = PARTS.map(|(part, title, _)| {
        html! { { quiet(title).pressed(showing.parts.has(part)).on_click(dispatch, Msg::Showing(ShowingMsg::Part(part))) } }
    });
    let button = |msg: ShowingMsg, name: &'static str, face: &'static str, enabled: bool| {
        html! { { quiet(face).title(name).label(format!("{face}: {name}")).flag("aria-disabled", !enabled).on_click(dispatch, Msg::Showing(msg)) } }
    };
    html! {
        <header class="head present-bar">
            <h1 class="logo" aria-label={texts::present::FLETCH}>{ super::icon::logo() }</h1>
            { group("present-parts", texts::present::WHAT_IS_SHOWN, parts) }
            <span class="grow"></span>
            <div class="present-size" role="group" aria-label={texts::present::SIZE_OF_THE_TYPE}>
                { button(ShowingMsg::Size(false), texts::present::SMALLER_TYPE, "A−", showing.sized(false) != showing.size) }
                <output>{ format!("{} %", showing.size) }</output>
                { button(ShowingMsg::Size(true), texts::present::LARGER_TYPE, "A+", showing.sized(true) != showing.size) }
            </div>
            { quiet(texts::present::NOTES).pressed(showing.speaker).title(texts::present::THE_STEP_NOTES_AND_THE)
                .on_click(dispatch, Msg::Showing(ShowingMsg::Speaker(!showing.speaker))) }
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
