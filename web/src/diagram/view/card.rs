//! Card of a selected box: links to its steps, its entry in the sandwich, and the locations that it reads and writes.

use super::tip;
use crate::controls::{button, link, quiet};
use crate::diagram::DiagramMsg;
use crate::diagram::following::Following;
use crate::model::Model;
use crate::update::Msg;
use yew::{Callback, Html, classes, html};

/// Height of the strip at the foot of a canvas that the card covers, in CSS pixels.
const COVERED: f64 = 96.0;

/// Card of the selected box of a sheet.
pub(super) fn card(
    model: &Model,
    number: usize,
    following: Option<&Following>,
    dispatch: &Callback<Msg>,
) -> Html {
    let chosen = model.diagram.chosen.filter(|(sheet, _)| *sheet == number);
    let shape = chosen.and_then(|(_, chosen)| model.diagram.sheets.get(number)?.shape(chosen));
    let sheet = model.diagram.sheets.get(number);
    let touch = sheet.is_some_and(|sheet| sheet.touch);
    let Some(shape) = shape.filter(|_| touch || following.is_some()) else {
        return Html::default();
    };
    let part = following.and_then(|following| following.part(shape));
    let steps = part.zip(following);
    let steps = steps.map_or_else(Vec::new, |(part, following)| following.steps(part));
    let here = following.map(|following| following.position);
    let numbering = model.numbering();
    let steps = steps.into_iter().map(|(name, at)| {
        let current = (Some(at) == here).then_some("step");
        html! { { link(format!("{name}: {step}", step = numbering.step(at))).with("title", numbering.exact(at)).with("aria-current", current).on_click(dispatch, Msg::Show(at)) } }
    });
    let entry = part.and_then(|part| {
        let met = following?.entry(part)?;
        let there = part.until.unwrap_or(met + 1).max(met + 1);
        let link = link("in the sandwich");
        Some(link.on_click(dispatch, Msg::Entry(met, there)))
    });
    let cells = part.map_or(&[][..], |part| &part.locations).iter();
    let cells = cells.map(|name| {
        html! { { button("loc cell-link", name).title(format!("Show {name} in the heap")).on_click(dispatch, Msg::Location(name.as_str().into())) } }
    });
    // At the foot of the canvas, the card would cover its box.
    let low = sheet.is_some_and(|sheet| {
        let (x, y, _, height) = shape.frame;
        sheet.camera.screen((x, y + height)).1 > sheet.size.1 - COVERED
    });
    html! {
        <div class={classes!("box-card", (touch && low).then_some("above"))} role="group" aria-label={format!("The box {shape}", shape = tip::said(shape))}>
            <b>{ tip::said(shape) }</b>
            { for steps }
            { for entry }
            { for cells }
            { quiet("×").named("Close").on_click(dispatch, Msg::Diagram(DiagramMsg::Unchoose)) }
        </div>
    }
}
