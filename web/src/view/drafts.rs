//! The drafts of this browser: a list to search, open, name and clear; what comes as a file and goes as one; and the files of data
//! that the program has.

use super::dialog::Dialog;
use crate::model::{Kept, Model, Overlay};
use crate::texts;
use crate::update::{DraftsMsg, Msg};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, FocusEvent, Html, InputEvent, KeyboardEvent, html};

/// The dialog, if it is open.
pub(super) fn drafts(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.overlay != Overlay::Drafts {
        return Html::default();
    }
    let tell = |msg: DraftsMsg| dispatch.reform(move |_| Msg::Drafts(msg.clone()));
    html! {
        <Dialog title={texts::drafts::YOUR_PROGRAMS} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <div class="drafts">
                <div class="drafts-bar">
                    <button type="button" class="raised" onclick={dispatch.reform(|_| Msg::New)}>{ texts::drafts::NEW_PROGRAM }</button>
                    <button type="button" class="raised" onclick={tell(DraftsMsg::Choose)}>{ texts::drafts::OPEN_FILES }</button>
                    <button type="button" class="raised" onclick={tell(DraftsMsg::Save)}>{ texts::drafts::SAVE_THIS_PROGRAM }</button>
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
            <p class="drafts-note">{ texts::drafts::PROGRAMS_AND_DATA_FOR }<code>{ "csv(\"name\")" }</code>{ texts::drafts::CAN_BE_DROPPED }</p>
        };
    }
    let rows = files.iter().map(|file| {
        let name = Rc::clone(&file.name);
        html! {
            <li key={file.name.to_string()}>
                <code>{ &*file.name }</code><span>{ file.size() }</span>
                <button type="button" class="quiet" aria-label={texts::drafts::remove(&file.name)}
                    onclick={dispatch.reform(move |_| Msg::Drafts(DraftsMsg::DropFile(name.clone())))}>{ texts::drafts::REMOVE }</button>
            </li>
        }
    });
    html! {
        <section class="drafts-data" aria-labelledby="drafts-data">
            <h3 id="drafts-data">{ texts::drafts::DATA_OF_THIS_PROGRAM }</h3>
            <ul>{ for rows }</ul>
        </section>
    }
}

fn list(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let drafts = &model.drafts;
    let Some(all) = &drafts.all else {
        return html! { <p class="drafts-note">{ texts::drafts::NOTHING_IS_KNOWN_OF_PROGRAMS }</p> };
    };
    let found = drafts.found();
    let text = |event: &InputEvent| field(event).map_or_else(String::new, |field| field.value());
    let seek =
        dispatch.reform(move |event: InputEvent| Msg::Drafts(DraftsMsg::Seek(text(&event).into())));
    let said = match (all.len(), found.len()) {
        (0, _) => texts::drafts::WHAT_YOU_WRITE_IS_KEPT.to_owned(),
        (_, 0) => texts::drafts::NO_PROGRAM_HAS_THAT.to_owned(),
        (all, found) if found < all => texts::drafts::of(found, all),
        (1, _) => texts::drafts::N_1_PROGRAM.to_owned(),
        (all, _) => texts::drafts::programs(all),
    };
    let rows = found.iter().map(|kept| row(kept, model, dispatch));
    html! {
        <section aria-labelledby="drafts-kept">
            <div class="drafts-head">
                <h3 id="drafts-kept">{ texts::drafts::IN_THIS_BROWSER }</h3>
                <span class="drafts-count" role="status">{ said }</span>
                <button type="button" class="quiet" disabled={all.is_empty()} title={texts::drafts::ALL_OF_THEM_WITH_THEIR}
                    onclick={dispatch.reform(|_| Msg::Drafts(DraftsMsg::Export))}>{ texts::drafts::EXPORT_ALL }</button>
            </div>
            <input id="drafts-sought" type="search" placeholder={texts::drafts::SEARCH_NAMES_AND_TEXTS} aria-label={texts::drafts::SEARCH_PROGRAMS}
                value={drafts.sought.to_string()} oninput={seek} />
            if let Some(name) = &drafts.removed {
                <p class="notice drafts-undo">
                    <span>{ format!("Deleted “{name}”.") }</span>
                    <button type="button" id="drafts-undo" class="raised" onclick={dispatch.reform(|_| Msg::Drafts(DraftsMsg::PutBack))}>{ texts::drafts::UNDO }</button>
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
    let renaming = model.drafts.renaming.as_ref();
    let typed = renaming.filter(|(id, _)| *id == kept.id);
    let named = typed.is_some();
    let glance = kept.glance();
    html! {
        <li key={kept.id.to_string()} class={here.then_some("here")}>
            if let Some((_, typed)) = typed {
                { name_field(typed, dispatch) }
            } else {
                <button type="button" class="draft" aria-current={here.to_string()} title={texts::drafts::OPEN_IT} onclick={tell(DraftsMsg::Open)}>
                    <b>{ name }</b>
                    <span class="draft-when">{ &*kept.when }{ if here { texts::drafts::OPEN_HERE } else { "" } }</span>
                    if !glance.is_empty() { <code>{ glance }</code> }
                </button>
            }
            <div class="draft-does">
                if named {
                    // The field keeps its name when it is left, as it is for this.
                    <button type="button" key="keep" class="quiet">{ texts::drafts::KEEP }</button>
                } else {
                    <button type="button" key="rename" id={format!("rename-{}", kept.id)} class="quiet" aria-label={texts::drafts::rename(name)}
                        onclick={tell(|id| DraftsMsg::Rename(Some(id)))}>{ texts::drafts::RENAME }</button>
                }
                <button type="button" class="quiet" aria-label={texts::drafts::delete(name)} onclick={tell(DraftsMsg::Remove)}>{ texts::drafts::DELETE }</button>
            </div>
        </li>
    }
}

/// A field for a name: Enter gives it, and whatever leads elsewhere, but for Escape.
fn name_field(name: &str, dispatch: &Callback<Msg>) -> Html {
    let typed = dispatch.clone();
    let typed = move |event: InputEvent| {
        if let Some(field) = field(&event) {
            typed.emit(Msg::Drafts(DraftsMsg::NameTyped(field.value().into())));
        }
    };
    let left = dispatch.clone();
    let left = move |event: FocusEvent| {
        if let Some(field) = field(&event) {
            left.emit(Msg::Drafts(DraftsMsg::NameLeft(field.value().into())));
        }
    };
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
        <label class="draft-name">{ texts::drafts::NAME }<input id="draft-name" maxlength="80" value={name.to_owned()} oninput={typed} onkeydown={keys} onblur={left} />
            <span>{ texts::drafts::ENTER_KEEPS_THE_NAME_AN }</span></label>
    }
}

fn field(event: &Event) -> Option<HtmlInputElement> {
    event.target()?.dyn_into().ok()
}
