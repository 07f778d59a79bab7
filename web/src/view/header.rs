//! The head of the page: the name, the examples, the theme and the help.

use super::icon;
use crate::examples;
use crate::model::{Model, Overlay, Theme};
use crate::update::Msg;
use yew::{Callback, Html, KeyboardEvent, html};

/// The head of the page.
pub(super) fn header(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let (picture, theme) = match model.theme {
        Theme::Auto => (icon::HALF, "Colours: as the system says"),
        Theme::Light => (icon::SUN, "Colours: light"),
        Theme::Dark => (icon::MOON, "Colours: dark"),
    };
    html! {
        <header class="head">
            <h1 class="logo">{ icon::logo() }{ "Fletch" }</h1>
            { menu(model, dispatch) }
            <span class="grow"></span>
            <button type="button" id="theme" class="quiet square" aria-label={theme} title={theme} onclick={dispatch.reform(|_| Msg::NextTheme)}>
                { icon::drawn(picture) }
            </button>
            <button type="button" id="help" class="quiet square" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)"
                onclick={dispatch.reform(|_| Msg::Over(Overlay::Help))}>{ "?" }</button>
        </header>
    }
}

fn menu(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let open = match model.overlay {
        Overlay::Examples(number) => Some(number),
        Overlay::None | Overlay::Help => None,
    };
    let opened = open.is_some();
    let toggle = dispatch.reform(move |_| {
        Msg::Over(if opened {
            Overlay::None
        } else {
            Overlay::Examples(0)
        })
    });
    let from_keys = {
        let dispatch = dispatch.clone();
        move |event: KeyboardEvent| {
            let last = examples::ALL.len().saturating_sub(1);
            let entry = match event.key().as_str() {
                "ArrowDown" => 0,
                "ArrowUp" => last,
                _ => return,
            };
            event.prevent_default();
            dispatch.emit(Msg::Over(Overlay::Examples(entry)));
        }
    };
    html! {
        <div class="menu-place">
            <button type="button" id="examples" class="quiet" aria-haspopup="menu" aria-expanded={opened.to_string()}
                onclick={toggle} onkeydown={from_keys}>{ "Examples" }{ icon::drawn(icon::DOWN) }</button>
            if let Some(number) = open {
                <div class="menu-away" onclick={dispatch.reform(|_| Msg::Over(Overlay::None))}></div>
                <div class="menu" role="menu" aria-labelledby="examples" onkeydown={keys(number, dispatch)}>
                    { for examples::ALL.iter().enumerate().map(|(number, example)| entry(number, example, model, dispatch)) }
                </div>
            }
        </div>
    }
}

fn entry(
    number: usize,
    example: &examples::Example,
    model: &Model,
    dispatch: &Callback<Msg>,
) -> Html {
    let here = &*model.program.name == example.file;
    html! {
        <button type="button" role="menuitem" tabindex="-1" id={format!("example-{number}")} class={if here { "here" } else { "" }}
            aria-current={here.to_string()} onclick={dispatch.reform(move |_| Msg::Open(number))}>
            <b>{ example.title }</b><span>{ example.line }</span>
        </button>
    }
}

/// The keys of an open menu.
fn keys(number: usize, dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let count = examples::ALL.len().max(1);
        let entry = match event.key().as_str() {
            "ArrowDown" => (number + 1) % count,
            "ArrowUp" => (number + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            "Tab" => {
                event.prevent_default();
                return dispatch.emit(Msg::Over(Overlay::None));
            }
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        dispatch.emit(Msg::Over(Overlay::Examples(entry)));
    })
}
