//! The tab of the training: what starts and stops it, the numbers that handlers are given, what it predicts, a curve for each measure,
//! the data, and the heap. The sections are listed here; each is drawn in a file of its own.

mod beside;
mod controls;
mod curves;
mod data;
mod ink;
mod pictures;
mod plots;
mod samples;
mod surface;

use super::train_check;
use crate::controls::{quiet, status};
use crate::figures::model::Model;
use crate::figures::update::Msg;
use crate::texts;
use crate::view::heatmap::{self, Grid};
use crate::view::prose::prose;
use fletch_playground::figures::protocol::Cell;
use fletch_playground::protocol::EditorDiagnostic;
use yew::{Callback, Html, html};

/// The height of a map, in pixels.
const HEIGHT: u32 = 84;

/// The tab.
pub(super) fn train(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let train = &model.train;
    if let Some(why) = &train.refused {
        return html! { <div class="training">{ status("figures-note", problem(why, model.stale, dispatch)) }</div> };
    }
    let Some(trained) = &train.trained else {
        let nothing = model.stale || model.loaded.is_none();
        return html! { { status("figures-note", if nothing { texts::train::THERE_IS_NOTHING_YET } else { texts::train::PLANNING }) } };
    };
    html! {
        <div class={yew::classes!("training", (model.stale && !train.keep).then_some("stale"))}>
            { controls::controls(train, trained, model.stale && !train.keep, dispatch) }
            <div class="training-body">
                if let Some(why) = &trained.stopped {
                    <p class="verdict fails" role="alert"><i aria-hidden="true">{ "!" }</i><span>{ texts::train::STOPPED }{ problem(why, model.stale, dispatch) }</span></p>
                }
                { controls::scalars(train, &trained.scalars, model.stale && !train.keep, dispatch) }
                { beside::beside(train, trained, dispatch) }
                <div class="training-main">
                    { pictures::pictures(&train.pictures, model.stale, dispatch) }
                    { curves::curves(train, trained, dispatch) }
                </div>
                { data::data(&train.pictures, model.stale, dispatch) }
                { train_check::carrying(model, trained, dispatch) }
                { heap(&trained.heap) }
                { train_check::check(model, dispatch) }
            </div>
        </div>
    }
}

/// What is wrong, with what can be done and the line it is about.
fn problem(why: &EditorDiagnostic, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let (from, to) = (why.from, why.to);
    html! {
        <>
            { prose(&capital(&why.message)) }{ ". " }
            if let Some(hint) = &why.hint { { prose(&capital(hint)) }{ ". " } }
            if to > from && !stale {
                { quiet(texts::train::line(why.line)).on_click(dispatch, Msg::Mark(from, to)) }
            }
        </>
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
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
    html! { <section class="training-heap" aria-label={texts::train::HEAP}>{ for cards }</section> }
}
