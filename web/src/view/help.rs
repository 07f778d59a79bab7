//! The list of shortcuts.

use crate::model::{Model, Overlay};
use crate::update::Msg;
use web_sys::HtmlDialogElement;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_node_ref};

/// Keys, and what each of them does.
type Shortcut = (&'static [&'static str], &'static str);

/// What the keys do, by where they do it.
const KEYS: &[(&str, &[Shortcut])] = &[
    (
        "Steps",
        &[
            (&["→", "j"], "next step"),
            (&["←", "k"], "previous step"),
            (&["Home"], "first step"),
            (&["End"], "last step"),
            (&["]"], "next mark on the slider"),
            (&["["], "previous mark on the slider"),
        ],
    ),
    (
        "Program",
        &[
            (&["Ctrl Enter"], "show the run from its first step"),
            (&["e"], "go to the editor, where the redex comes from"),
            (&["Ctrl z"], "undo, also of opening an example"),
            (&["Tab"], "leave the editor"),
        ],
    ),
    (
        "Page",
        &[(&["?"], "this list"), (&["Esc"], "close what is open")],
    ),
];

/// The dialog, if it is open.
pub(super) fn help(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.overlay != Overlay::Help {
        return Html::default();
    }
    html! { <Help close={dispatch.reform(|()| Msg::Over(Overlay::None))} /> }
}

#[derive(Properties, PartialEq)]
struct HelpProps {
    close: Callback<()>,
}

#[component]
fn Help(props: &HelpProps) -> Html {
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // It is not open yet, so this cannot fail.
                let _ = dialog.show_modal();
            }
        });
    }
    let (closed, button, outside) = (
        props.close.clone(),
        props.close.clone(),
        props.close.clone(),
    );
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
        <dialog ref={dialog} class="help" aria-labelledby="help-title" onclose={move |_| closed.emit(())} onclick={away}>
            <div class="help-inner">
                <header>
                    <h2 id="help-title">{ "Keyboard shortcuts" }</h2>
                    <button type="button" class="quiet square" aria-label="Close" title="Close (Esc)" onclick={move |_| button.emit(())}>{ "×" }</button>
                </header>
                { for KEYS.iter().map(|(place, keys)| group(place, keys)) }
                <p class="help-foot">
                    { "In the editor, ASCII spellings turn into Unicode as you type: " }<code>{ "<=" }</code>{ " becomes " }<code>{ "⇐" }</code>{ ", " }
                    <code>{ "|->" }</code>{ " becomes " }<code>{ "↦" }</code>{ ", " }<code>{ "\\alpha" }</code>{ " becomes " }<code>{ "α" }</code>{ "." }
                </p>
            </div>
        </dialog>
    }
}

fn group(place: &'static str, keys: &[Shortcut]) -> Html {
    let rows = keys.iter().map(|(names, text)| {
        let names = names.iter().map(|name| html! { <kbd>{ *name }</kbd> });
        html! { <div><dt>{ for names }</dt><dd>{ *text }</dd></div> }
    });
    html! { <section><h3>{ place }</h3><dl>{ for rows }</dl></section> }
}
