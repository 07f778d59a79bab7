//! The trainings side by side: a card for each, with its line style among the curves, its progress, its measures and a small
//! picture of its prediction. One training is selected; the other sections of the tab show that one.

use super::{plots, surface};
use crate::controls::quiet;
use crate::number;
use crate::train::beside::Side;
use crate::train::texts;
use crate::train::{Train, TrainMsg};
use crate::update::Msg;
use fletch_playground::protocol::{Kind, Trained};
use yew::{Callback, Html, html};

pub(super) fn beside(train: &Train, trained: &Trained, dispatch: &Callback<Msg>) -> Html {
    let sides = train.sides();
    if sides.is_empty() {
        return Html::default();
    }
    let cards = sides
        .iter()
        .map(|side| card(train, trained, side, dispatch));
    html! { <section class="sides" aria-label={texts::SIDE_BY_SIDE}>{ for cards }</section> }
}

/// CSS classes for the line of a training among the curves.
pub(super) fn line(number: u32) -> String {
    format!("side side-{}", number % 6)
}

fn card(train: &Train, trained: &Trained, side: &Side<'_>, dispatch: &Callback<Msg>) -> Html {
    let number = side.number;
    let face = html! { <><i class={format!("run-key {}", line(number))} aria-hidden="true"></i><code>{ side.name }</code></> };
    let measures = trained.measures.iter().enumerate().filter_map(|(at, name)| {
        let value = side.points.last()?.values.get(at)?;
        Some(html! { <span key={name.clone()}>{ name }{ " " }<b>{ number::bare(*value) }</b></span> })
    });
    let sketch = train.pictures.sketch();
    let picture = sketch
        .zip(side.picture)
        .map(|(sketch, picture)| match sketch.kind {
            Kind::Surface => surface::small(&train.pictures, sketch, picture),
            Kind::Curve => plots::small(sketch, picture),
            Kind::Signals | Kind::Images { .. } | Kind::Table => Html::default(),
        });
    let (epochs, of) = side.epochs;
    html! {
        <div class="side-card" key={number}>
            { quiet(face).pressed(side.hand).title("Show this one: its heap, its picture, its samples").on_click(dispatch, Msg::Train(TrainMsg::Hand(number))) }
            <p class="side-facts"><span>{ format!("epoch {epochs} of {of}") }</span>{ for measures }
                if side.stopped { <span class="wrong">{ "stopped" }</span> }</p>
            { picture.unwrap_or_default() }
        </div>
    }
}
