//! Soundness beside the sentence: whether the arrow stays the same in the step that is told. Nothing is checked before a reader
//! asks; the figures do it.

use crate::controls;
use crate::model::{Model, Opening};
use crate::texts;
use crate::update::{FiguresMsg, Msg};
use yew::{Callback, Html, html};

/// The question, or the mark of the step.
pub(super) fn button(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let figures = &model.figures;
    if !figures.marks {
        return html! { { controls::raised(texts::same::SAME_ARROW).class("same").title(texts::same::CHECK_AT_EACH_STEP_THAT).on_click(dispatch, Msg::Figures(FiguresMsg::Marks)) } };
    }
    let position = model.trace.as_ref().map(|trace| trace.position);
    let revision = model.trace.as_ref().map(|trace| trace.revision);
    let known = figures.same.as_ref().filter(|same| {
        Some(same.position) == position && Some(same.revision) == revision && !model.is_stale()
    });
    let (class, sign, text) = match (known.map(|same| same.same), &figures.state) {
        (Some(Some(true)), _) => ("holds", "✓", texts::same::IS_THE_SAME_ARROW),
        (Some(Some(false)), _) => ("fails", "≠", texts::same::ANOTHER_ARROW),
        (Some(None), _) => ("unknown", "?", texts::same::IS_THE_SAME_ARROW),
        (None, Opening::Failed(_)) => ("unknown", "!", texts::same::IS_THE_SAME_ARROW),
        (None, _) => ("unknown", "…", texts::same::IS_THE_SAME_ARROW),
    };
    let words = known.map_or(texts::same::NOT_KNOWN_YET, |same| same.words.as_str());
    let label = texts::same::both_arrows_and_the_theorem(words);
    let face = html! { <><i aria-hidden="true">{ sign }</i>{ text }</> };
    html! { { controls::raised(face).class("same").class(class).named(label).on_click(dispatch, Msg::Figures(FiguresMsg::Step)) } }
}
