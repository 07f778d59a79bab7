//! Soundness check in the sentence bar: the button that asks whether the shown step keeps the denoted arrow. The worker of the
//! figures checks, and only once the reader has requested it.

use crate::compare::{CompareMsg, mark};
use crate::controls;
use crate::model::{Health, Model};
use crate::update::Msg;
use yew::{Callback, Html, html};

const IS_THE_SAME: &str = "same meaning";

/// The button that requests the checks, or the result for the shown step.
pub(crate) fn button(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let step = &model.compare.step;
    if !step.marks {
        return html! { { controls::raised("same meaning?").class("same").title("Check at each step that what the program denotes stays the same").on_click(dispatch, Msg::Compare(CompareMsg::Marks(true))) } };
    }
    let position = model.trace.as_ref().map(|trace| trace.position);
    let at = model
        .at()
        .filter(|at| Some(at.position) == position && !model.is_stale());
    let known = at.as_ref().and_then(|at| step.of(at));
    let known = known.map(|(_, said)| mark(said));
    let same = known.as_ref().map(|(same, _)| *same);
    let (class, sign, text) = match (same, &model.second.health) {
        (Some(Some(true)), _) => ("holds", "✓", IS_THE_SAME),
        (Some(Some(false)), _) => ("fails", "≠", "another meaning"),
        (Some(None), _) => ("unknown", "?", IS_THE_SAME),
        (None, Health::Failed(_)) => ("unknown", "!", IS_THE_SAME),
        (None, _) => ("unknown", "…", IS_THE_SAME),
    };
    let words = known
        .as_ref()
        .map_or("not known yet", |(_, words)| words.as_str());
    let label = format!("{words}: both arrows and the theorem");
    let face = html! { <><i aria-hidden="true">{ sign }</i>{ text }</> };
    html! { { controls::raised(face).class("same").class(class).named(label).on_click(dispatch, Msg::Compare(CompareMsg::Step)) } }
}
