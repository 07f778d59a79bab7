//! The head of the page: the name, the examples, the theme and the help.

use super::menu::{Menu, item};
use crate::controls::{button, quiet, square, toolbar};
use crate::examples;
use crate::model::{Model, Overlay, Theme};
use crate::present::update::ShowingMsg;
use crate::share::view as share;
use crate::update::Msg;
use crate::view::icon;
use yew::{Callback, Html, html};

const FLETCH: &str = "Fletch";

/// The head of the page.
pub(crate) fn header(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let (picture, theme) = match model.theme {
        Theme::Auto => (icon::HALF, "Colours: as the system says"),
        Theme::Light => (icon::SUN, "Colours: light"),
        Theme::Dark => (icon::MOON, "Colours: dark"),
    };
    let programs = html! {
        <>
            { menu(model, dispatch) }
            { quiet("New").beside().with("id", "new").title("Begin a new program").on_click(dispatch, Msg::New) }
            { quiet("Drafts").beside().with("id", "drafts").with("aria-haspopup", "dialog").title("Your programs in this browser; open and save files")
                .on_click(dispatch, Msg::Over(Overlay::Drafts)) }
        </>
    };
    // The share button is the tab stop of this toolbar, since the narrowest screen has it too.
    let page = html! {
        <>
            <a class="quiet" id="tour" href="#tour" tabindex="-1" title={"The tour: 24 lessons, from one operation to a trained network"}>{ "Tour" }</a>
            { share::button(dispatch) }
            { quiet("Present").beside().with("id", "present").title("Present: large type, and only what is chosen").on_click(dispatch, Msg::Showing(ShowingMsg::Present(true))) }
            { square(icon::drawn(picture)).beside().with("id", "theme").named(theme).on_click(dispatch, Msg::NextTheme) }
            { square("?").beside().with("id", "help").label("Help").title("Help: how to read a command, and the keys (?)").on_click(dispatch, Msg::Over(Overlay::Help)) }
        </>
    };
    html! {
        <header class="head">
            <h1 class="logo" aria-label={FLETCH}>{ icon::logo() }<span>{ FLETCH }</span></h1>
            { button("skip", "To the stage").on_click(dispatch, Msg::ToStage) }
            { toolbar("Programs", programs) }
            <span class="grow"></span>
            { toolbar("Page", page) }
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
    let face = html! { <><b>{ example.title }</b><span>{ example.line }</span></> };
    html! { { item(format!("examples-{number}"), here.then_some("here"), face).flag("aria-current", here).on_click(dispatch, Msg::Open(number)) } }
}
