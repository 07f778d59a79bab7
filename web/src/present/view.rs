//! Controls of a presentation: a bar to choose the parts and the type size, and a black screen.

pub(crate) mod embed;
pub(crate) mod speaker;

use crate::controls::{group, quiet};
use crate::model::Model;
use crate::present::PARTS;
use crate::present::update::ShowingMsg;
use crate::update::Msg;
use yew::{AttrValue, Callback, Html, html};

/// The presenter's bar, in place of the page's head. It is unobtrusive until hovered or focused.
#[inline(never)] // A start does without it.
pub(crate) fn bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let showing = &model.showing;
    let parts = PARTS.map(|(part, title, _)| {
        let after = showing.parts.toggled_on_wall(part);
        let gone = PARTS.iter().filter(|(other, ..)| *other != part && showing.parts.has(*other) && !after.has(*other));
        let gone: Vec<&str> = gone.map(|(_, name, _)| *name).collect();
        let last = after == showing.parts;
        let instead = match gone.is_empty() {
            false => Some(format!("In the place of {}", gone.join(", "))),
            true => last.then(|| "The last one stays".to_owned()),
        };
        html! { { quiet(title).title(instead.map(AttrValue::from)).pressed(showing.parts.has(part)).flag("aria-disabled", last).on_click(dispatch, Msg::Showing(ShowingMsg::Part(part))) } }
    });
    let button = |msg: ShowingMsg, name: &'static str, face: &'static str, enabled: bool| {
        html! { { quiet(face).title(name).label(format!("{face}: {name}")).flag("aria-disabled", !enabled).on_click(dispatch, Msg::Showing(msg)) } }
    };
    html! {
        <header class="head present-bar">
            <h1 class="logo" aria-label={"Fletch"}>{ crate::view::icon::logo() }</h1>
            { group("present-parts", "What is shown", parts) }
            <span class="grow"></span>
            <div class="present-size" role="group" aria-label={"Size of the type"}>
                { button(ShowingMsg::Size(false), "smaller type (−)", "A−", showing.sized(false) != showing.size) }
                <output>{ format!("{} %", showing.size) }</output>
                { button(ShowingMsg::Size(true), "larger type (+)", "A+", showing.sized(true) != showing.size) }
            </div>
            { quiet("Notes").pressed(showing.speaker).title("The step notes and the next step, in a window of their own")
                .on_click(dispatch, Msg::Showing(ShowingMsg::Speaker(!showing.speaker))) }
            { button(ShowingMsg::Black, "a black screen (B)", "Black", true) }
            { button(ShowingMsg::Present(false), "the page as it was (Esc)", "End", true) }
        </header>
    }
}

/// The black screen; a click removes it.
#[inline(never)] // A start does without it.
pub(crate) fn black(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if !model.showing.black {
        return Html::default();
    }
    html! {
        <div class="black" role="button" aria-label={"The screen is black: B shows it again"}
            onclick={dispatch.reform(|_| Msg::Showing(ShowingMsg::Black))} />
    }
}
