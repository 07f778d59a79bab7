//! The pane of the steps: the command with its redex, its sandwich, the sentence, the heap, and the transport.

pub(crate) mod caption;
pub(crate) mod command;
pub(crate) mod copy;
pub(crate) mod finder;
pub(crate) mod heap;
pub(crate) mod heap_card;
pub(crate) mod heap_editor;
pub(crate) mod inspection;
pub(crate) mod jump;
pub(crate) mod legend;
pub(crate) mod numbered;
pub(crate) mod same;
pub(crate) mod sampled;
pub(crate) mod sandwich;
pub(crate) mod slider;
pub(crate) mod state;
pub(crate) mod transport;
pub(crate) mod why;

use crate::model::{Model, Pane, Split, Tab};
use crate::texts;
use crate::update::Msg;
use crate::view::kept::Kept;
use crate::view::{self, Places, border, kept};
use std::rc::Rc;
use yew::{Callback, Html, classes, html};

/// The pane of the steps.
pub(crate) fn steps(model: &Rc<Model>, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let places = places.clone();
    let heap = kept(model, dispatch, heap::heap);
    let work = kept(model, dispatch, move |model, dispatch| {
        work(model, &places, dispatch)
    });
    let view = model.trace.as_ref().and_then(|trace| trace.view.as_ref());
    let bare = view.is_some_and(|view| view.heap.is_empty());
    html! {
        <section class={classes!("steps", bare.then_some("bare"))} aria-label={texts::STEPS}>
            <Kept shown={model.tab == Tab::Steps || model.layout.pane == Pane::Sandwich} draw={work} />
            <border::Border split={Split::Heap} size={model.layout.heap} dispatch={dispatch.clone()} />
            <Kept shown={model.tab == Tab::Steps || model.layout.pane == Pane::Heap} draw={heap} />
            { view::figures::place(model, dispatch) }
            { transport::sentence(model, dispatch) }
            { sampled::bar(model, dispatch) }
            { state::run_bar(model, dispatch) }
        </section>
    }
}

/// The command, its sandwich, and the rule of the step.
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
