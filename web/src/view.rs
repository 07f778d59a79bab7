//! The page as a function of the model. A panel has a file here, a style sheet in `web/style`, and one line in [`page`].

pub(crate) mod anchor;
pub(crate) mod border;
pub(crate) mod chip;
pub(crate) mod dialog;
pub(crate) mod figures;
pub(crate) mod gloss;
pub(crate) mod header;
pub(crate) mod heatmap;
pub(crate) mod help;
pub(crate) mod icon;
pub(crate) mod kept;
pub(crate) mod menu;
pub(crate) mod pieces;
pub(crate) use pieces::class as piece_class;
pub(crate) mod pointer;
pub(crate) mod popover;
pub(crate) mod printed;
pub(crate) mod prose;
pub(crate) mod tabs;

pub(crate) use heatmap::{colour, largest, summary};

use crate::model::{Model, Overlay, Pane, Split};
use crate::present::Stand;
use crate::update::Msg;
use crate::{drafts, editor, ids, present, share, steps, tour};
use std::rc::Rc;
use web_sys::Element;
use yew::{Callback, Html, NodeRef, create_portal, html};

/// Elements that the shell needs to find.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// Element that will contain the editor.
    pub editor: NodeRef,
    /// The scrolling pane of the command.
    pub command: NodeRef,
    /// Text of a known number of characters, to measure the width of a character.
    pub ruler: NodeRef,
    /// Element for the notes of a presentation, in their own window; `None` if that is not open.
    pub speaker: Option<Element>,
}

/// The whole page.
pub fn page(model: &Rc<Model>, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let layout = model.layout;
    let sizes = format!(
        "--editor-size: {}; --heap-size: {}; --heap-share: {:.3}; --sandwich-size: {}; --text-size: {}; --lesson-size: {}",
        percent(layout.editor),
        percent(layout.heap),
        f64::from(layout.heap) / 1000.0,
        percent(layout.sandwich),
        percent(layout.text),
        percent(layout.lesson)
    );
    let pane = match layout.pane {
        Pane::Text => "text",
        Pane::Program => "program",
        Pane::Steps => "steps",
        Pane::Sandwich => "sandwich",
        Pane::Heap => "heap",
    };
    html! {
        <div class="page" data-stand={stand(model)} data-shown={shown(model)} data-pane={pane} data-tab={model.tab.name()} data-tiled={model.is_tiled().then_some("")} data-folded={layout.folds(model.tab).then_some("")} data-tour={model.tour.is_shown().then_some("")} data-remote={model.showing.remote.then_some("")} data-about={model.is_about_step().then_some("step")} style={sizes}>
            { head(model, dispatch) }
            { figures::tabs(model, dispatch) }
            { printed::printed(model) }
            <main class="panes">
                { tour::view::pane(model, dispatch) }
                if model.tour.is_shown() {
                    <border::Border split={Split::Text} size={layout.text} dispatch={dispatch.clone()} />
                    <border::Border split={Split::Lesson} size={layout.lesson} dispatch={dispatch.clone()} />
                }
                { editor::view::editor(model, places, dispatch) }
                { editor::view::rail(model, dispatch) }
                <border::Border split={Split::Editor} size={layout.editor} dispatch={dispatch.clone()} />
                <div id={ids::STAGE} role="tabpanel" aria-labelledby={ids::tab(model.tab)} tabindex="-1" class={yew::classes!("stage", model.is_stale().then_some("stale"), model.is_behind().then_some("behind"), model.is_late().then_some("late"))}>
                    { steps::view::steps(model, places, dispatch) }
                </div>
            </main>
            { tabs::parts(model, dispatch) }
            { steps::view::transport::transport(model, dispatch) }
            { tabs::tabs(model, dispatch) }
            { popover::popover(model, dispatch) }
            { popover::alike(model) }
            { steps::view::inspection::inspection(model, dispatch) }
            { over(model, Overlay::Help, help::help, dispatch) }
            { over(model, Overlay::Explanation, editor::view::explanation::explanation, dispatch) }
            { over(model, Overlay::Copy, steps::view::copy::export, dispatch) }
            { over(model, Overlay::Share, share::view::share, dispatch) }
            { over(model, Overlay::Drafts, drafts::view::drafts, dispatch) }
            if model.heap.editor.is_some() { { steps::view::heap_editor::heap_editor(model, dispatch) } }
            { present::view::black(model, dispatch) }
            if let Some(place) = &places.speaker {
                { create_portal(present::view::speaker::speaker(model), place.clone()) }
            }
            <p class="spoken" aria-live="polite">{ &*model.announcement }</p>
        </div>
    }
}

/// A dialog, if it is open. The page starts without a dialog, so it does not need the code of any.
fn over(
    model: &Model,
    overlay: Overlay,
    draw: fn(&Model, &Callback<Msg>) -> Html,
    dispatch: &Callback<Msg>,
) -> Html {
    if model.overlay == overlay {
        draw(model, dispatch)
    } else {
        Html::default()
    }
}

/// Function that draws a pane from the current model.
pub(crate) fn kept(
    model: &Rc<Model>,
    dispatch: &Callback<Msg>,
    draw: impl Fn(&Model, &Callback<Msg>) -> Html + 'static,
) -> Rc<dyn Fn() -> Html> {
    let (model, dispatch) = (Rc::clone(model), dispatch.clone());
    Rc::new(move || draw(&model, &dispatch))
}

/// Head of the page: the header, the bar of a presentation, or the corner of an embedded page.
fn head(model: &Model, dispatch: &Callback<Msg>) -> Html {
    match model.showing.stand {
        Stand::Alone => header::header(model, dispatch),
        Stand::Presented => present::view::bar(model, dispatch),
        Stand::Embedded => present::view::embed::corner(model, dispatch),
    }
}

/// Name of the page's standing, for style sheets; `None` for a standalone page.
fn stand(model: &Model) -> Option<&'static str> {
    match model.showing.stand {
        Stand::Alone => None,
        Stand::Presented => Some("presented"),
        Stand::Embedded => Some("embedded"),
    }
}

/// Names of the shown parts, for style sheets; `None` for a standalone page, which shows all.
fn shown(model: &Model) -> Option<String> {
    let showing = &model.showing;
    (showing.stand != Stand::Alone).then(|| showing.parts.names(" "))
}

fn percent(thousandths: u32) -> String {
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}
