//! Soundness beside the sentence: whether the arrow stays the same in the step that is told. Nothing is checked before a reader
//! asks; the figures do it.

use crate::model::{Model, Opening};
use crate::update::{FiguresMsg, Msg};
use yew::{Callback, Html, classes, html};

/// The question, or the mark of the step.
pub(super) fn button(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let figures = &model.figures;
    if !figures.marks {
        let title = "Check at each step that what the program denotes stays the same";
        return html! {
            <button type="button" class="raised same" {title} onclick={dispatch.reform(|_| Msg::Figures(FiguresMsg::Marks))}>{ "same arrow?" }</button>
        };
    }
    let position = model.trace.as_ref().map(|trace| trace.position);
    let revision = model.trace.as_ref().map(|trace| trace.revision);
    let known = figures.same.as_ref().filter(|same| {
        Some(same.position) == position && Some(same.revision) == revision && !model.is_stale()
    });
    let (class, sign, text) = match (known.map(|same| same.same), &figures.state) {
        (Some(Some(true)), _) => ("holds", "✓", "same arrow"),
        (Some(Some(false)), _) => ("fails", "≠", "another arrow"),
        (Some(None), _) => ("unknown", "?", "same arrow"),
        (None, Opening::Failed(_)) => ("unknown", "!", "same arrow"),
        (None, _) => ("unknown", "…", "same arrow"),
    };
    let words = known.map_or("not known yet", |same| same.words.as_str());
    let label = format!("{words}: both arrows and the theorem");
    html! {
        <button type="button" class={classes!("raised", "same", class)} title={label.clone()} aria-label={label}
            onclick={dispatch.reform(|_| Msg::Figures(FiguresMsg::Step))}><i aria-hidden="true">{ sign }</i>{ text }</button>
    }
}
