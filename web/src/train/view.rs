//! The training tab: the transport, the scalars of the handlers, the predictions, a curve for each measure, the data, and the heap.
//! This module lists the sections; each section has a module of its own.

mod beside;
mod chain;
mod check;
mod controls;
mod curves;
mod data;
mod dots;
mod ink;
mod inside;
mod net;
mod pictures;
mod plots;
mod samples;
mod surface;

use crate::controls::{empty, quiet, raised};
use crate::drafts::view::add_file;
use crate::examples;
use crate::model::Model;
use crate::texts::capitalised;
use crate::update::Msg;
use crate::view::figures::missing;
use crate::view::heatmap::{self, Grid};
use crate::view::prose::prose;
use fletch_playground::protocol::Cell;
use fletch_playground::protocol::EditorDiagnostic;
use yew::{Callback, Html, classes, html};

/// Height of a map, in pixels.
const HEIGHT: u32 = 84;

/// Code of the error that a program has no training.
const NOTHING: &str = "F0604";

/// The training tab.
#[inline(never)] // A start does without it.
pub(crate) fn train(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let train = &model.train;
    if let Some(why) = &train.refused {
        let example = examples::number("circles.fletch").filter(|_| why.code == NOTHING);
        let offer = example.map(|number| {
            raised("Open an example that trains").on_click(dispatch, Msg::Open(number))
        });
        return empty(problem(why, model, dispatch), offer);
    }
    let Some(trained) = &train.trained else {
        return missing(
            "There is nothing to train before the program checks.",
            "Planning the training …",
            model,
            dispatch,
        );
    };
    html! {
        <div class={classes!("training", (model.is_ahead() && !train.keep).then_some("stale"))}>
            <div class={classes!("training-body", (!train.sides().is_empty()).then_some("compared"))}>
                if let Some(why) = &trained.stopped {
                    <p class="verdict fails" role="alert"><i aria-hidden="true">{ "!" }</i><span>{ "Stopped: " }{ problem(why, model, dispatch) }</span></p>
                }
                { beside::beside(train, trained, dispatch) }
                <div class={classes!("training-main", train.pictures.has_surface().then_some("mapped"))}>
                    { pictures::pictures(&train.pictures, model.is_ahead(), dispatch) }
                    <div class={classes!("training-side", train.inside.open.then_some("watched"))}>
                        { controls::scalars(train, &trained.scalars, model.is_ahead() && !train.keep, dispatch) }
                        <div class="training-changes">
                            { controls::numerals(train, model.is_ahead(), dispatch) }
                            { chain::chain(model, model.is_ahead(), dispatch) }
                        </div>
                        { curves::curves(train, trained, dispatch) }
                        { inside::inside(train, dispatch) }
                    </div>
                </div>
                { data::data(&train.pictures, &model.second.files, model.is_ahead(), dispatch) }
                { check::carrying(model, trained, dispatch) }
                { heap(&trained.heap) }
                { check::check(model, dispatch) }
            </div>
            { controls::controls(train, trained, model.is_ahead() && !train.keep, dispatch) }
        </div>
    }
}

/// Text of a diagnostic, with its hint, its line, and a button to add a missing file.
fn problem(why: &EditorDiagnostic, model: &Model, dispatch: &Callback<Msg>) -> Html {
    let (from, to, stale) = (why.from, why.to, model.is_ahead());
    let file = why.file.as_ref().filter(|_| !stale);
    let file = file.map(|name| add_file(name, model, dispatch));
    html! {
        <>
            { prose(&capitalised(&why.message)) }{ ". " }
            if let Some(hint) = &why.hint { { prose(&capitalised(hint)) }{ ". " } }
            if to > from && !stale {
                { quiet(format!("line {line}", line = why.line)).on_click(dispatch, Msg::Mark(from, to)) }
            }
            { for file }
        </>
    }
}

fn heap(cells: &[Cell]) -> Html {
    let cards = cells.iter().map(|cell| {
        let grid = Grid::small(cell.rows, cell.columns, HEIGHT);
        let scale = heatmap::largest(&cell.entries);
        html! {
            <div class="training-cell" key={cell.name.clone()}>
                <span><b class="loc">{ &cell.name }</b> <span class="shape">{ fletch_playground::space(&cell.shape) }</span></span>
                { heatmap::map(&cell.entries, &grid, scale, HEIGHT, None) }
            </div>
        }
    });
    html! { <section class="training-heap" aria-label={"The heap now"}>{ for cards }</section> }
}
