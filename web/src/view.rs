//! The page as a function of the model. A panel is a file here, a style sheet under `web/style`, and one
//! line in [`page`].

mod anchor;
mod border;
mod caption;
mod chip;
mod command;
mod dialog;
mod drafts;
mod editor;
mod embed;
mod explanation;
mod export;
mod figures;
mod finder;
mod gloss;
mod header;
mod heap;
mod heap_card;
mod heap_editor;
pub(crate) mod heatmap;
mod help;
mod icon;
mod inspection;
mod jump;
mod kept;
mod legend;
mod menu;
mod outline;
mod pieces;
pub(crate) use pieces::class as piece_class;
mod popover;
mod present;
mod printed;
pub(crate) mod prose;
mod same;
mod sampled;
mod sandwich;
mod share;
mod slider;
mod speaker;
mod state;
mod tabs;
mod transport;
mod why;

pub(crate) use heatmap::{colour, largest, summary};

use crate::model::{Model, Pane, Split, Stand, Tab};
use crate::texts;
use crate::update::Msg;
use kept::Kept;
use std::rc::Rc;
use web_sys::Element;
use yew::{Callback, Html, NodeRef, create_portal, html};

/// The elements that the shell has to find again.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// Where the editor is put.
    pub editor: NodeRef,
    /// The pane of the command, which scrolls.
    pub command: NodeRef,
    /// A run of characters of known length, to measure with.
    pub ruler: NodeRef,
    /// Where the notes of a presentation are drawn: in a window of their own, if that is open.
    pub speaker: Option<Element>,
}

/// The whole page.
pub fn page(model: &Rc<Model>, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let layout = model.layout;
    let heap = kept(model, dispatch, heap::heap);
    let sizes = format!(
        "--editor-size: {}; --heap-size: {}; --heap-share: {:.3}; --sandwich-size: {}",
        percent(layout.editor),
        percent(layout.heap),
        f64::from(layout.heap) / 1000.0,
        percent(layout.sandwich)
    );
    let pane = match layout.pane {
        Pane::Program => "program",
        Pane::Steps => "steps",
        Pane::Sandwich => "sandwich",
        Pane::Heap => "heap",
    };
    html! {
        <div class="page" data-stand={stand(model)} data-shown={shown(model)} data-pane={pane} data-tab={model.tab.name()} data-about={model.is_about_step().then_some("step")} style={sizes}>
            { head(model, dispatch) }
            { printed::printed(model) }
            <main class="panes">
                { editor::editor(model, places, dispatch) }
                <border::Border split={Split::Editor} size={layout.editor} dispatch={dispatch.clone()} />
                <div class={yew::classes!("stage", model.is_stale().then_some("stale"), model.is_behind().then_some("behind"), model.is_late().then_some("late"))}>
                    { figures::tabs(model, dispatch) }
                    { transport::transport(model, dispatch) }
                    { steps(model, places, dispatch) }
                    <border::Border split={Split::Heap} size={layout.heap} dispatch={dispatch.clone()} />
                    <Kept shown={!matches!(model.tab, Tab::Train | Tab::Types) || layout.pane == Pane::Heap} draw={heap} />
                </div>
            </main>
            { tabs::tabs(model, dispatch) }
            { popover::popover(model, dispatch) }
            { popover::alike(model) }
            { inspection::inspection(model, dispatch) }
            { help::help(model, dispatch) }
            { explanation::explanation(model, dispatch) }
            { export::export(model, dispatch) }
            { share::share(model, dispatch) }
            { drafts::drafts(model, dispatch) }
            { heap_editor::heap_editor(model, dispatch) }
            { present::black(model, dispatch) }
            if let Some(place) = &places.speaker {
                { create_portal(speaker::speaker(model), place.clone()) }
            }
            <p class="spoken" aria-live="polite">{ &*model.announcement }</p>
        </div>
    }
}

/// What draws a pane as it is now.
fn kept(
    model: &Rc<Model>,
    dispatch: &Callback<Msg>,
    draw: impl Fn(&Model, &Callback<Msg>) -> Html + 'static,
) -> Rc<dyn Fn() -> Html> {
    let (model, dispatch) = (Rc::clone(model), dispatch.clone());
    Rc::new(move || draw(&model, &dispatch))
}

fn steps(model: &Rc<Model>, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let places = places.clone();
    let work = kept(model, dispatch, move |model, dispatch| {
        work(model, &places, dispatch)
    });
    html! {
        <section class="steps" aria-label={texts::layout::STEPS}>
            { transport::sentence(model, dispatch) }
            <Kept shown={model.tab == Tab::Steps || model.layout.pane == Pane::Sandwich} draw={work} />
            { figures::place(model, dispatch) }
            { sampled::bar(model, dispatch) }
            { state::run_bar(model, dispatch) }
        </section>
    }
}

/// A state of the run, its sandwich, and the rule of the step.
fn work(model: &Model, places: &Places, dispatch: &Callback<Msg>) -> Html {
    html! {
        <div class="work">
            { command::command(model, places, dispatch) }
            <border::Border split={Split::Sandwich} size={model.layout.sandwich} dispatch={dispatch.clone()} />
            { sandwich::sandwich(model, dispatch) }
            { why::panel(model, dispatch) }
        </div>
    }
}

/// What stands at the head of the page.
fn head(model: &Model, dispatch: &Callback<Msg>) -> Html {
    match model.showing.stand {
        Stand::Alone => header::header(model, dispatch),
        Stand::Presented => present::bar(model, dispatch),
        Stand::Embedded => embed::corner(model, dispatch),
    }
}

/// What the page is, in style sheets.
fn stand(model: &Model) -> Option<&'static str> {
    match model.showing.stand {
        Stand::Alone => None,
        Stand::Presented => Some("presented"),
        Stand::Embedded => Some("embedded"),
    }
}

/// The parts that are shown, in style sheets; none of a page that stands alone, which has all.
fn shown(model: &Model) -> Option<String> {
    let showing = &model.showing;
    (showing.stand != Stand::Alone).then(|| showing.parts.names(" "))
}

fn percent(thousandths: u32) -> String {
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}
