//! The editor of the initial contents of a location: a text with a line for each row.

use crate::controls::{raised, value};
use crate::model::Model;
use crate::steps::update::heap::HeapMsg;
use crate::update::Msg;
use crate::view::dialog::Dialog;
use yew::{Callback, Html, html};

/// The dialogue, if a location is being edited.
#[inline(never)] // A start does without it.
pub(crate) fn heap_editor(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(editor) = &model.heap.editor else {
        return Html::default();
    };
    let tell = dispatch.reform(Msg::Heap);
    let edited = model
        .heap
        .edits
        .iter()
        .any(|edit| *edit.location == *editor.location);
    let typed = tell.reform(|event: yew::InputEvent| HeapMsg::Typed(value(&event)));
    let applied = tell.clone();
    // Letters must not act as shortcuts of the page.
    let key = move |event: yew::KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            applied.emit(HeapMsg::Apply);
        }
        event.stop_propagation();
    };
    let (rows, columns) = editor.size;
    let message = match &editor.error {
        Some(error) => {
            html! { <p id="heap-error" class="heap-error" role="alert">{ &**error }</p> }
        }
        None => {
            html! { <p id="heap-error" class="heap-hint">{ format!("{rows} × {columns}: a line for each row, entries apart by spaces. An entry that you leave as it reads keeps all its digits.") }</p> }
        }
    };
    html! {
        <Dialog title={format!("What {location} starts from", location = editor.location)} close={dispatch.reform(|()| Msg::Heap(HeapMsg::Close))}>
            <p class="heap-hint">{ "The program runs again from these entries; its text stays as it is." }</p>
            <textarea id="heap-entries" class="heap-entries" aria-label={format!("Entries of {location}, {shape}", location = editor.location, shape = editor.shape)}
                aria-invalid={editor.error.is_some().to_string()} aria-describedby="heap-error" spellcheck="false" autocomplete="off"
                rows={(rows + 1).clamp(3, 14).to_string()} value={editor.text.to_string()} oninput={typed} onkeydown={key} />
            { message }
            <div class="heap-actions">
                if edited {
                    { raised("Reset to the program's").on_click(&tell, HeapMsg::Reset(editor.location.clone())) }
                }
                <span class="grow"></span>
                { raised("Cancel").on_click(&tell, HeapMsg::Close) }
                { raised("Run from these").class("main").title("Ctrl-Enter").on_click(&tell, HeapMsg::Apply) }
            </div>
        </Dialog>
    }
}
