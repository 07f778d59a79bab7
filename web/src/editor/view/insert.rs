//! The shelf of handlers that can be inserted into the program, as a menu above the editor.

use crate::model::{Model, Overlay};
use crate::update::Msg;
use crate::view::menu::{Menu, item};
use fletch_playground::protocol::SHELF;
use yew::{Callback, Html, html};

/// The menu.
pub(crate) fn insert(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let menu = Menu {
        id: "insert",
        name: "Insert",
        title: "Insert a handler, adapted to this program: an optimiser, inference, …",
        open: match model.overlay {
            Overlay::Insert(number) => Some(number),
            _ => None,
        },
        overlay: Overlay::Insert,
        count: SHELF.len(),
        class: "shelf",
        dispatch,
    };
    menu.view(|| {
        let entries = SHELF.iter().enumerate().map(|(number, entry)| {
            let face =
                html! { <><b class="handler">{ entry.name }</b><span>{ entry.about }</span></> };
            item(format!("insert-{number}"), "", face).on_click(dispatch, Msg::Insert(number))
        });
        html! { <>{ for entries }</> }
    })
}
