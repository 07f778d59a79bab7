//! What is under the pointer, in words, beside it.

use crate::figures::sheet::{Sheet, Target};
use fletch_playground::diagram::{Flow, Kind, Mark, Picture, Shape};
use yew::{Html, html};

/// The tip of a sheet.
pub(super) fn tip(sheet: &Sheet) -> Html {
    let (Some((target, at)), Some(picture)) = (sheet.hover, sheet.picture()) else {
        return Html::default();
    };
    let text = match target {
        Target::Box(number) => picture.boxes.get(number).map(said),
        Target::Wire(number) => wire(picture, number),
    };
    let Some(text) = text else {
        return Html::default();
    };
    let side = if at.0 > sheet.size.0 / 2.0 {
        format!("right: {:.0}px", sheet.size.0 - at.0 + 12.0)
    } else {
        format!("left: {:.0}px", at.0 + 12.0)
    };
    let level = if at.1 > sheet.size.1 / 2.0 {
        format!("bottom: {:.0}px", sheet.size.1 - at.1 + 12.0)
    } else {
        format!("top: {:.0}px", at.1 + 16.0)
    };
    html! { <p class="tip" style={format!("{side}; {level}")}>{ text }</p> }
}

/// What a box is: `FC[ℓ0], forward`.
pub(super) fn said(shape: &Shape) -> String {
    let half = match shape.mark {
        None => "",
        Some(Mark::Right | Mark::Letter('f')) => ", forward",
        Some(Mark::Left | Mark::Letter(_)) => ", backward",
    };
    let label = match shape.kind {
        Kind::Sum => "the sum",
        Kind::Operation | Kind::Pure => &shape.label,
    };
    format!("{label}{half}")
}

fn wire(picture: &Picture, number: usize) -> Option<String> {
    let wire = picture.wires.get(number)?;
    let what = match wire.flow {
        Flow::Forward => "a value on its way forward",
        Flow::Backward => "what goes back",
        Flow::Saved => "saved for the way back",
    };
    Some(what.to_owned())
}
