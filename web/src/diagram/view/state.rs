//! Description of a run's state in a diagram, for screen readers: the boxes at work, the boxes that wait, and the values on the
//! wires.

use super::tip;
use crate::diagram::following::{Following, Phase};
use crate::diagram::sheet::Sheet;
use crate::diagram::view::carried::carried;
use fletch_playground::diagram::{Flow, Shape};
use yew::{Html, html};

/// Maximum number of boxes, and of values, that are described.
const MOST: usize = 60;

/// Description of the state of a sheet.
pub(super) fn state(sheet: &Sheet, following: Option<&Following>) -> Html {
    let (Some(picture), Some(following)) = (sheet.picture(), following) else {
        return Html::default();
    };
    let named = |wanted: &dyn Fn(&Shape) -> bool| -> String {
        let boxes = picture.boxes.iter();
        let mut boxes: Vec<&Shape> = boxes.filter(|shape| wanted(shape)).collect();
        boxes.sort_by_key(|shape| shape.steps.first());
        let names = boxes.into_iter().take(MOST).map(tip::said);
        names.collect::<Vec<_>>().join("; ")
    };
    let values = carried(picture, following).into_iter().rev().take(MOST);
    let values = values.map(|carried| {
        let way = if carried.flow == Flow::Backward {
            "back"
        } else {
            "forward"
        };
        let words = match following.norm(carried.wire) {
            Some(norm) => Some(format!(
                "norm {norm}",
                norm = fletch_playground::numbers::short(norm,)
            )),
            None => following.value(carried.wire).map(|chip| chip.words()),
        };
        let (x, y, width, height) = carried.frame;
        let place = format!(
            "{:.1} {:.1} {x:.1} {y:.1} {width:.1} {height:.1}",
            carried.foot.0, carried.foot.1
        );
        html! { <li data-place={place}>{ format!("{way}: {}", words.unwrap_or_default()) }</li> }
    });
    html! {
        <div class="spoken run-state">
            <p>{ "At work: " }<span class="lit-boxes">{ named(&|shape| following.phase(shape) == Phase::Lit) }</span></p>
            <p>{ "Waits: " }<span class="waiting-boxes">{ named(&|shape| following.phase(shape) == Phase::Waits) }</span></p>
            <p>{ "At the cursor: " }<span class="cursor-boxes">{ named(&|shape| following.chosen(shape)) }</span></p>
            <ul class="wire-values" aria-label={"Values on the wires"}>{ for values }</ul>
        </div>
    }
}
