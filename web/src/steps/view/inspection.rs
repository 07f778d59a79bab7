//! Popover on a piece of the command: its type, its value, and its source line.

use crate::controls::{link, quiet};
use crate::model::Model;
use crate::steps::update::reading::ReadingMsg;
use crate::texts;
use crate::update::Msg;
use crate::view::anchor;
use crate::view::chip;
use yew::{Callback, Html, html};

/// The popover, if a description is shown.
#[inline(never)] // A start does without it.
pub(crate) fn inspection(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let (Some(asked), Some(found)) = (&model.reading.asked, &model.reading.inspection) else {
        return Html::default();
    };
    let line = found
        .line
        .zip(found.source)
        .map(|(line, source)| link(format!("line {line}")).on_click(dispatch, Msg::GoTo(source.0)));
    html! {
        <div class={yew::classes!("popover", "inspection", asked.pinned.then_some("pinned"))} role="status" style={anchor::beside(&asked.anchor)}
            onpointerenter={dispatch.reform(|_| Msg::Reading(ReadingMsg::Stay))} onpointerleave={dispatch.reform(|_| Msg::Reading(ReadingMsg::Leave))}>
            <div class="popover-head">
                <span>{ &found.kind }</span>
                if let Some(line) = line { <span class="from">{ "from " }{ line }</span> }
                if asked.pinned {
                    { quiet("×").class("small").label(texts::CLOSE).title(texts::CLOSE_ESC).on_click(dispatch, Msg::Reading(ReadingMsg::Close)) }
                }
            </div>
            <p class="signature"><code>{ &found.signature }</code></p>
            if let Some(chip) = &found.value {
                <p class="inspected-value">{ "value " }{ chip::button(chip, dispatch) }</p>
            }
            if let Some(note) = &found.note { <p class="note">{ note }</p> }
        </div>
    }
}
