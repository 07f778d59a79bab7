//! The head of the page: the name, the examples, the theme and the help.

use super::menu::Menu;
use super::{icon, share};
use crate::examples;
use crate::model::{Model, Overlay, Theme};
use crate::texts;
use crate::update::{Msg, ShowingMsg};
use yew::{Callback, Html, html};

/// The head of the page.
pub(super) fn header(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let (picture, theme) = match model.theme {
        Theme::Auto => (icon::HALF, texts::header::COLOURS_AS_THE_SYSTEM_SAYS),
        Theme::Light => (icon::SUN, texts::header::COLOURS_LIGHT),
        Theme::Dark => (icon::MOON, texts::header::COLOURS_DARK),
    };
    html! {
        <header class="head">
            <h1 class="logo" aria-label={texts::header::FLETCH}>{ icon::logo() }<span>{ texts::header::FLETCH }</span></h1>
            { menu(model, dispatch) }
            <button type="button" id="new" class="quiet" title={texts::header::BEGIN_A_NEW_PROGRAM} onclick={dispatch.reform(|_| Msg::New)}>{ texts::header::NEW }</button>
            <button type="button" id="drafts" class="quiet" aria-haspopup="dialog" title={texts::header::YOUR_PROGRAMS_IN_THIS_BROWSER}
                onclick={dispatch.reform(|_| Msg::Over(Overlay::Drafts))}>{ texts::header::DRAFTS }</button>
            <span class="grow"></span>
            { share::button(dispatch) }
            <button type="button" id="present" class="quiet" title={texts::header::PRESENT_LARGE_TYPE_AND_ONLY} onclick={dispatch.reform(|_| Msg::Showing(ShowingMsg::Present(true)))}>{ texts::header::PRESENT }</button>
            <button type="button" id="theme" class="quiet square" aria-label={theme} title={theme} onclick={dispatch.reform(|_| Msg::NextTheme)}>
                { icon::drawn(picture) }
            </button>
            <button type="button" id="help" class="quiet square" aria-label={texts::header::HELP} title={texts::header::HELP_HOW_TO_READ_A}
                onclick={dispatch.reform(|_| Msg::Over(Overlay::Help))}>{ "?" }</button>
        </header>
    }
}

fn menu(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let menu = Menu {
        id: "examples",
        name: texts::header::EXAMPLES,
        title: texts::header::PROGRAMS_TO_BEGIN_WITH,
        open: match model.overlay {
            Overlay::Examples(number) => Some(number),
            _ => None,
        },
        overlay: Overlay::Examples,
        count: examples::all().count(),
        class: "examples",
        dispatch,
    };
    menu.view(|| {
        let mut first = 0;
        let groups = examples::GROUPS.iter().map(|group| {
            let start = first;
            first += group.examples.len();
            let entries = (start..)
                .zip(group.examples)
                .map(|(number, example)| entry(number, example, model, dispatch));
            html! {
                <div class="menu-group" role="group" aria-label={group.title}>
                    <p class="menu-title" aria-hidden="true">{ group.title }</p>
                    { for entries }
                </div>
            }
        });
        html! { <div class="menu-groups" role="presentation">{ for groups }</div> }
    })
}

fn entry(
    number: usize,
    example: &examples::Example,
    model: &Model,
    dispatch: &Callback<Msg>,
) -> Html {
    let here = model.program.file() == example.file;
    html! {
        <button type="button" role="menuitem" tabindex="-1" id={format!("examples-{number}")} class={if here { "here" } else { "" }}
            aria-current={here.to_string()} onclick={dispatch.reform(move |_| Msg::Open(number))}>
            <b>{ example.title }</b><span>{ example.line }</span>
        </button>
    }
}
