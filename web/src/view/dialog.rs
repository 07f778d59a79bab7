//! A dialog over the page, which takes the focus and restores it when closed.

use crate::controls::square;
use web_sys::HtmlDialogElement;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_effect_with, use_node_ref};

/// Properties of a dialog.
#[derive(Properties, PartialEq)]
pub(crate) struct DialogProps {
    /// Heading of the dialog.
    pub(crate) title: AttrValue,
    /// Content of the dialog.
    pub(crate) children: Html,
    /// Called when the dialog is closed in any way.
    pub(crate) close: Callback<()>,
}

/// A dialog, which is open while the component is rendered.
#[component]
pub(crate) fn Dialog(props: &DialogProps) -> Html {
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // The dialog is not open yet, so this cannot fail.
                let _ = dialog.show_modal();
            }
        });
    }
    let (closed, outside) = (props.close.clone(), props.close.clone());
    let itself = dialog.clone();
    let away = move |event: yew::MouseEvent| {
        let on_backdrop = itself
            .get()
            .is_some_and(|dialog| event.target().is_some_and(|target| *dialog == target));
        if on_backdrop {
            outside.emit(());
        }
    };
    html! {
        <dialog ref={dialog} class="help" aria-labelledby="dialog-title" onclose={move |_| closed.emit(())} onclick={away}>
            <div class="help-inner">
                <header>
                    <h2 id="dialog-title">{ &props.title }</h2>
                    { square("×").label("Close").title("Close (Esc)").on_click(&props.close, ()) }
                </header>
                { props.children.clone() }
            </div>
        </dialog>
    }
}
