//! The list of drafts, to search, open, rename and delete them; buttons to open and save files; and the data files of the program.

use crate::controls::{button, field, note, quiet, raised, value};
use crate::drafts::Kept;
use crate::drafts::texts;
use crate::drafts::update::DraftsMsg;
use crate::model::{Model, Overlay};
use crate::present::Stand;
use crate::update::Msg;
use crate::view::dialog::Dialog;
use std::rc::Rc;
use yew::{Callback, FocusEvent, Html, InputEvent, KeyboardEvent, html};

/// The dialog of drafts.
#[inline(never)] // A start does without it.
pub(crate) fn drafts(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let tell = dispatch.reform(Msg::Drafts);
    html! {
        <Dialog title={"Your programs"} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <div class="drafts">
                <div class="drafts-bar">
                    { raised("New program").on_click(dispatch, Msg::New) }
                    { raised("Open files…").on_click(&tell, DraftsMsg::Choose) }
                    { raised("Save this program…").on_click(&tell, DraftsMsg::Save) }
                </div>
                { data(model, dispatch) }
                { list(model, dispatch) }
            </div>
        </Dialog>
    }
}

/// The data files of the program.
fn data(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let files = &model.program.files;
    if files.is_empty() {
        return html! {
            <p class="drafts-note">{ "Programs (.fletch) and data for " }<code>{ "csv(\"name\")" }</code>{ " (.csv) can be dropped anywhere on the page. At most 8 MiB and 100 000 lines of data." }</p>
        };
    }
    let rows = files.iter().map(|file| {
        html! {
            <li key={file.name.to_string()}>
                <code>{ &*file.name }</code><span>{ file.size() }</span>
                { quiet("Remove").label(format!("Remove {name}", name = file.name)).on_click(dispatch, Msg::Drafts(DraftsMsg::DropFile(file.name.clone()))) }
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

/// Button to add a file that the program reads; empty in an embedded page, which keeps no files.
pub(crate) fn add_file(name: &str, model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.showing.stand == Stand::Embedded {
        return Html::default();
    }
    let choose = Msg::Drafts(DraftsMsg::ChooseAs(name.into()));
    html! { { raised(texts::add_file(name)).title(texts::choose(name)).on_click(dispatch, choose) } }
}

fn list(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let drafts = &model.drafts;
    let Some(all) = &drafts.all else {
        return note(
            "drafts-note",
            "Nothing is known of programs in this browser.",
        );
    };
    let found = drafts.found();
    let tell = dispatch.reform(Msg::Drafts);
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
                { quiet("Export all").disabled(all.is_empty()).title("All of them, with their data, as one zip file").on_click(&tell, DraftsMsg::Export) }
            </div>
            { field("search", drafts.sought.to_string()).with("id", "drafts-sought").with("placeholder", "Search names and texts").label("Search programs")
                .on_input(&tell, DraftsMsg::Seek) }
            if let Some(name) = &drafts.removed {
                <p class="notice drafts-undo">
                    <span>{ format!("Deleted “{name}”.") }</span>
                    { raised("Undo").with("id", "drafts-undo").on_click(&tell, DraftsMsg::PutBack) }
                </p>
            }
            <ul class="drafts-list">{ for rows }</ul>
        </section>
    }
}

fn row(kept: &Kept, model: &Model, dispatch: &Callback<Msg>) -> Html {
    let here = kept.id == model.program.draft;
    let (name, glance) = (kept.heading(), kept.glance());
    let tell = dispatch.reform(Msg::Drafts);
    let id = || Rc::clone(&kept.id);
    let face = html! {
        <>
            <b>{ name }</b>
            <span class="draft-when">{ &*kept.when }{ if here { ", open here" } else { "" } }</span>
            if !glance.is_empty() { <code>{ glance }</code> }
        </>
    };
    let renaming = model.drafts.renaming.as_ref();
    let typed = renaming.filter(|(id, _)| *id == kept.id);
    let named = typed.is_some();
    html! {
        <li key={kept.id.to_string()} class={here.then_some("here")}>
            if let Some((_, typed)) = typed {
                { name_field(typed, dispatch) }
            } else {
                { button("draft", face).flag("aria-current", here).title("Open it").on_click(&tell, DraftsMsg::Open(id())) }
            }
            <div class="draft-does">
                if named {
                    // The button has no action: a click on it takes the focus from the field, and that keeps the name.
                    { quiet("Keep").key("keep").html() }
                } else {
                    { quiet("Rename").key("rename").with("id", format!("rename-{}", kept.id)).label(format!("Rename {name}"))
                        .on_click(&tell, DraftsMsg::Rename(Some(id()))) }
                }
                { quiet("Delete").label(format!("Delete {name}")).on_click(&tell, DraftsMsg::Remove(id())) }
            </div>
        </li>
    }
}

/// Field for a name. Enter and loss of focus confirm the name, Escape cancels.
fn name_field(name: &str, dispatch: &Callback<Msg>) -> Html {
    let tell = dispatch.reform(Msg::Drafts);
    let typed = tell.reform(|event: InputEvent| DraftsMsg::NameTyped(value(&event)));
    let left = tell.reform(|event: FocusEvent| DraftsMsg::NameLeft(value(&event)));
    let keys = move |event: KeyboardEvent| {
        let msg = match event.key().as_str() {
            "Enter" => Some(DraftsMsg::Renamed(value(&event))),
            "Escape" => Some(DraftsMsg::Rename(None)),
            _ => None,
        };
        if let Some(msg) = msg {
            // The keys must not reach the dialog, which Escape would close.
            event.prevent_default();
            event.stop_propagation();
            tell.emit(msg);
        }
    };
    html! {
        <label class="draft-name">{ "Name" }<input id="draft-name" maxlength="80" value={name.to_owned()} oninput={typed} onkeydown={keys} onblur={left} />
            <span>{ "An empty name is that of the first comment. Escape leaves the old one." }</span></label>
    }
}
