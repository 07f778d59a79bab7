//! Menu above the editor with the declarations of the program.

use crate::model::{Model, Overlay};
use crate::update::Msg;
use crate::view::menu::{Menu, item};
use fletch_playground::protocol::OutlineEntry;
use yew::{Callback, Html, html};

/// The menu.
pub(crate) fn outline(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let entries = &model.check.outline;
    let menu = Menu {
        id: "outline",
        name: "Outline",
        title: "Declarations of the program (Ctrl Shift O)",
        open: match model.overlay {
            Overlay::Outline(number) => Some(number),
            _ => None,
        },
        overlay: Overlay::Outline,
        count: entries.len(),
        class: "outline",
        dispatch,
    };
    menu.view(|| {
        if entries.is_empty() {
            return html! { <p class="menu-title">{ "Nothing is declared yet." }</p> };
        }
        html! { <>{ for entries.iter().enumerate().map(|(number, shown)| entry(number, shown, dispatch)) }</> }
    })
}

fn entry(number: usize, entry: &OutlineEntry, dispatch: &Callback<Msg>) -> Html {
    // The entry of `main` has no separate name.
    let name = (entry.name != entry.kind).then_some(&*entry.name);
    let face = html! {
        <>
            <span class="kw">{ &entry.kind }</span>
            if let Some(name) = name { { " " }<b class={class(&entry.kind)}>{ name }</b> }
        </>
    };
    item(format!("outline-{number}"), "", face).on_click(dispatch, Msg::Declaration(number))
}

fn class(kind: &str) -> &'static str {
    match kind {
        "op" => "op",
        "loc" => "loc",
        "fun" => "fn",
        "handler" => "handler",
        _ => "",
    }
}
