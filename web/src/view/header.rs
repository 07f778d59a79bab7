//! The head of the page: the name, the examples, the theme and the help.

use super::menu::Menu;
use super::{icon, share};
use crate::examples;
use crate::model::{Model, Overlay, Theme};
use crate::update::{Msg, ShowingMsg};
use yew::{Callback, Html, html};

/// The head of the page.
pub(super) fn header(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let (picture, theme) = match model.theme {
        Theme::Auto => (icon::HALF, "Colours: as the system says"),
        Theme::Light => (icon::SUN, "Colours: light"),
        Theme::Dark => (icon::MOON, "Colours: dark"),
    };
    html! {
        <header class="head">
            <h1 class="logo" aria-label="Fletch">{ icon::logo() }<span>{ "Fletch" }</span></h1>
            { menu(model, dispatch) }
            <button type="button" id="new" class="quiet" title="Begin a new program" onclick={dispatch.reform(|_| Msg::New)}>{ "New" }</button>
            <button type="button" id="drafts" class="quiet" aria-haspopup="dialog" title="Your programs in this browser; open and save files"
                onclick={dispatch.reform(|_| Msg::Over(Overlay::Drafts))}>{ "Drafts" }</button>
            <span class="grow"></span>
            { share::button(dispatch) }
            <button type="button" id="present" class="quiet" title="Present: large type, and only what is chosen" onclick={dispatch.reform(|_| Msg::Showing(ShowingMsg::Present(true)))}>{ "Present" }</button>
            <button type="button" id="theme" class="quiet square" aria-label={theme} title={theme} onclick={dispatch.reform(|_| Msg::NextTheme)}>
                { icon::drawn(picture) }
            </button>
            <button type="button" id="help" class="quiet square" aria-label="Help" title="Help: how to read a command, and the keys (?)"
                onclick={dispatch.reform(|_| Msg::Over(Overlay::Help))}>{ "?" }</button>
        </header>
    }
}

fn menu(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let menu = Menu {
        id: "examples",
        name: "Examples",
        title: "Programs to begin with",
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
