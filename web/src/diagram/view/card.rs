//! What a chosen box leads to: its steps, its entry of the sandwich, the cells of the heap that it reads and writes.

use super::tip;
use crate::controls::{button, link, quiet};
use crate::diagram::DiagramMsg;
use crate::diagram::following::Following;
use crate::model::Model;
use crate::update::Msg;
use yew::{Callback, Html, html};

/// The card of the box that was chosen in a sheet.
pub(super) fn card(
    model: &Model,
    number: usize,
    following: Option<&Following>,
    dispatch: &Callback<Msg>,
) -> Html {
    let chosen = model.diagram.chosen.filter(|(sheet, _)| *sheet == number);
    let shape = chosen.and_then(|(_, chosen)| model.diagram.sheets.get(number)?.shape(chosen));
    let (Some(shape), Some(following)) = (shape, following) else {
        return Html::default();
    };
    let part = following.part(shape);
    let steps = part.map_or_else(Vec::new, |part| following.steps(part));
    let here = following.position;
    let numbering = model.numbering();
    let steps = steps.into_iter().map(|(name, at)| {
        let current = (at == here).then_some("step");
        html! { { link(format!("{name}: {step}", step = numbering.step(at))).with("title", numbering.exact(at)).with("aria-current", current).on_click(dispatch, Msg::Show(at)) } }
    });
    let entry = part.and_then(|part| {
        let met = following.entry(part)?;
        let there = part.until.unwrap_or(met + 1).max(met + 1);
        let link = link("in the sandwich");
        Some(link.on_click(dispatch, Msg::Entry(met, there)))
    });
    let cells = part.map_or(&[][..], |part| &part.locations).iter();
    let cells = cells.map(|name| {
        html! { { button("loc cell-link", name).title(format!("Show {name} in the heap")).on_click(dispatch, Msg::Location(name.as_str().into())) } }
    });
    html! {
        <div class="box-card" role="group" aria-label={format!("The box {shape}", shape = tip::said(shape))}>
            <b>{ tip::said(shape) }</b>
            { for steps }
            { for entry }
            { for cells }
            { quiet("×").named("Close").on_click(dispatch, Msg::Diagram(DiagramMsg::Unchoose)) }
        </div>
    }
}
