//! The drafts of this browser: a list to search, open, name and clear; what comes as a file and goes as one; and the files of data
//! that the program has.

use super::dialog::Dialog;
use crate::model::{Kept, Model, Overlay};
use crate::update::{DraftsMsg, Msg};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, InputEvent, KeyboardEvent, html};

/// The dialog, if it is open.
pub(super) fn drafts(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.overlay != Overlay::Drafts {
        return Html::default();
    }
    let tell = |msg: DraftsMsg| dispatch.reform(move |_| Msg::Drafts(msg.clone()));
    html! {
        <Dialog title="Your programs" close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <div class="drafts">
                <div class="drafts-bar">
                    <button type="button" class="raised" onclick={dispatch.reform(|_| Msg::New)}>{ "New program" }</button>
                    <button type="button" class="raised" onclick={tell(DraftsMsg::Choose)}>{ "Open files…" }</button>
                    <button type="button" class="raised" onclick={tell(DraftsMsg::Save)}>{ "Save this program…" }</button>
                </div>
                { data(model, dispatch) }
                { list(model, dispatch) }
            </div>
        </Dialog>
    }
}

/// The files of the program's data sets.
fn data(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let files = &model.program.files;
    if files.is_empty() {
        return html! {
            <p class="drafts-note">{ "Programs (.fletch) and data for " }<code>{ "csv(\"name\")" }</code>{ " (.csv) can be dropped anywhere on the page. At most 8 MiB and 100 000 lines of data." }</p>
        };
    }
    let rows = files.iter().map(|file| {
        let name = Rc::clone(&file.name);
        html! {
            <li key={file.name.to_string()}>
                <code>{ &*file.name }</code><span>{ file.size() }</span>
                <button type="button" class="quiet" aria-label={format!("Remove {}", file.name)}
                    onclick={dispatch.reform(move |_| Msg::Drafts(DraftsMsg::DropFile(name.clone())))}>{ "Remove" }</button>
            </li>
        }
    });
    html! {
        <section class="drafts-data" aria-labelledby="drafts-data">
            <h3 id="drafts-data">{ "Data of this program" }</h3>
            <ul>{ for rows }</ul>
        </section>
    }
}

fn list(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let drafts = &model.drafts;
    let Some(all) = &drafts.all else {
        return html! { <p class="drafts-note">{ "Nothing is known of programs in this browser." }</p> };
    };
    let found = drafts.found();
    let text = |event: &InputEvent| field(event).map_or_else(String::new, |field| field.value());
    let seek =
        dispatch.reform(move |event: InputEvent| Msg::Drafts(DraftsMsg::Seek(text(&event).into())));
    let said = match (all.len(), found.len()) {
        (0, _) => "What you write is kept here.".to_owned(),
        (_, 0) => "No program has that.".to_owned(),
        (all, found) if found < all => format!("{found} of {all}"),
        (1, _) => "1 program".to_owned(),
        (all, _) => format!("{all} programs"),
    };
    let rows = found.iter().map(|kept| row(kept, model, dispatch));
    html! {
        <section aria-labelledby="drafts-kept">
            <div class="drafts-head">
                <h3 id="drafts-kept">{ "In this browser" }</h3>
                <span class="drafts-count" role="status">{ said }</span>
                <button type="button" class="quiet" disabled={all.is_empty()} title="All of them, with their data, as one zip file"
                    onclick={dispatch.reform(|_| Msg::Drafts(DraftsMsg::Export))}>{ "Export all" }</button>
            </div>
            <input id="drafts-sought" type="search" placeholder="Search names and texts" aria-label="Search programs"
                value={drafts.sought.to_string()} oninput={seek} />
            if let Some(name) = &drafts.removed {
                <p class="notice drafts-undo">
                    <span>{ format!("Deleted “{name}”.") }</span>
                    <button type="button" id="drafts-undo" class="raised" onclick={dispatch.reform(|_| Msg::Drafts(DraftsMsg::PutBack))}>{ "Undo" }</button>
                </p>
            }
            <ul class="drafts-list">{ for rows }</ul>
        </section>
    }
}

fn row(kept: &Kept, model: &Model, dispatch: &Callback<Msg>) -> Html {
    let here = kept.id == model.program.draft;
    let name = kept.heading();
    let tell = |msg: fn(Rc<str>) -> DraftsMsg| {
        let id = Rc::clone(&kept.id);
        dispatch.reform(move |_| Msg::Drafts(msg(id.clone())))
    };
    let named = model.drafts.renaming.as_ref() == Some(&kept.id);
    let glance = kept.glance();
    html! {
        <li key={kept.id.to_string()} class={here.then_some("here")}>
            if named {
                { name_field(name, dispatch) }
            } else {
                <button type="button" class="draft" aria-current={here.to_string()} title="Open it" onclick={tell(DraftsMsg::Open)}>
                    <b>{ name }</b>
                    <span class="draft-when">{ &*kept.when }{ if here { ", open here" } else { "" } }</span>
                    if !glance.is_empty() { <code>{ glance }</code> }
                </button>
            }
            <div class="draft-does">
                <button type="button" id={format!("rename-{}", kept.id)} class="quiet" aria-label={format!("Rename {name}")}
                    onclick={tell(|id| DraftsMsg::Rename(Some(id)))}>{ "Rename" }</button>
                <button type="button" class="quiet" aria-label={format!("Delete {name}")} onclick={tell(DraftsMsg::Remove)}>{ "Delete" }</button>
            </div>
        </li>
    }
}

/// A field for a name: Enter gives it, Escape does not.
fn name_field(name: &str, dispatch: &Callback<Msg>) -> Html {
    let keys = dispatch.clone();
    let keys = move |event: KeyboardEvent| {
        let msg = match event.key().as_str() {
            "Enter" => field(&event).map(|field| DraftsMsg::Renamed(field.value().into())),
            "Escape" => Some(DraftsMsg::Rename(None)),
            _ => None,
        };
        if let Some(msg) = msg {
            // The dialog stays.
            event.prevent_default();
            event.stop_propagation();
            keys.emit(Msg::Drafts(msg));
        }
    };
    html! {
        <label class="draft-name">{ "Name" }<input id="draft-name" maxlength="80" value={name.to_owned()} onkeydown={keys} />
            <span>{ "Enter keeps the name; an empty one is that of the first comment." }</span></label>
    }
}

fn field(event: &Event) -> Option<HtmlInputElement> {
    event.target()?.dyn_into().ok()
}
