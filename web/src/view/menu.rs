//! Menus: a button that opens a list of entries, with the arrow keys to move between them.

use super::icon;
use crate::controls::{Control, button};
use crate::model::Overlay;
use crate::update::Msg;
use yew::{Callback, Classes, Html, KeyboardEvent, html};

/// An entry of a menu.
pub(crate) fn item(id: String, class: impl Into<Classes>, face: Html) -> Control {
    let item = button(class, face).with("role", "menuitem");
    item.with("tabindex", "-1").with("id", id)
}

/// A menu: a button, and the list that it opens.
pub(crate) struct Menu<'a> {
    /// Id of the button, and prefix of the ids of the entries.
    pub(crate) id: &'static str,
    /// Text on the button.
    pub(crate) name: &'static str,
    /// Tooltip of the button.
    pub(crate) title: &'static str,
    /// Number of the focused entry, if the menu is open.
    pub(crate) open: Option<usize>,
    /// Makes the overlay of the menu with the entry of this number focused.
    pub(crate) overlay: fn(usize) -> Overlay,
    /// Number of entries.
    pub(crate) count: usize,
    /// Class of the list, in addition to `menu`.
    pub(crate) class: &'static str,
    /// Receiver of the messages.
    pub(crate) dispatch: &'a Callback<Msg>,
}

impl Menu<'_> {
    /// The button, and the list if it is open.
    pub(crate) fn view(&self, entries: impl FnOnce() -> Html) -> Html {
        let Menu {
            id,
            name,
            title,
            open,
            overlay,
            count,
            class,
            dispatch,
        } = *self;
        let opened = open.is_some();
        let toggle =
            dispatch.reform(move |_| Msg::Over(if opened { Overlay::None } else { overlay(0) }));
        let from_keys = dispatch.clone();
        let from_keys = move |event: KeyboardEvent| {
            let entry = match event.key().as_str() {
                "ArrowDown" => 0,
                "ArrowUp" => count.saturating_sub(1),
                _ => return,
            };
            event.prevent_default();
            from_keys.emit(Msg::Over(overlay(entry)));
        };
        html! {
            <div class="menu-place">
                <button type="button" {id} class="quiet" aria-haspopup="menu" aria-expanded={opened.to_string()} {title}
                    onclick={toggle} onkeydown={from_keys}>{ name }{ icon::drawn(icon::DOWN) }</button>
                if let Some(number) = open {
                    <div class="menu-away" onclick={dispatch.reform(|_| Msg::Over(Overlay::None))}></div>
                    <div class={yew::classes!("menu", class)} role="menu" aria-labelledby={id} onkeydown={self.keys(number)}>
                        { entries() }
                    </div>
                }
            </div>
        }
    }

    /// Key handler of the open menu.
    fn keys(&self, number: usize) -> Callback<KeyboardEvent> {
        let (dispatch, overlay, count) = (self.dispatch.clone(), self.overlay, self.count.max(1));
        Callback::from(move |event: KeyboardEvent| {
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
            dispatch.emit(Msg::Over(overlay(entry)));
        })
    }
}
