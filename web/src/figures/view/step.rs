//! Soundness for the step that is shown: both arrows, what is set aside, and the theorem.

use super::listing::listing;
use crate::figures::compare::CompareMsg;
use crate::figures::model::Model;
use crate::figures::update::Msg;
use fletch_playground::figures::protocol::{Opened, Performed, Verdict};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, html};

/// Whether it is said at each step.
pub(super) fn switch(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let changed = dispatch.reform(|event: Event| {
        let field = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        Msg::Compare(CompareMsg::Marks(
            field.is_some_and(|field| field.checked()),
        ))
    });
    html! {
        <label class="switch"><input type="checkbox" checked={model.compare.step.marks} onchange={changed} />{ "mark every step" }</label>
    }
}

/// The arrows of the step.
pub(super) fn step(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let known = model.compare.step.known.as_ref();
    let at = &model.at;
    let known = known.filter(|known| {
        let asked = known.0;
        (asked.revision, asked.position, asked.to) == (at.revision, at.position, at.to)
    });
    let mark = dispatch.reform(|(from, to)| Msg::Mark(from, to));
    let arrows = known.and_then(|known| known.1.arrows.as_ref());
    html! {
        <div class="comparison-body">
            { known.map_or_else(|| html! { <p class="verdict" role="status">{ "Comparing …" }</p> }, |known| verdict(&known.1)) }
            <p class="theorem">{ "Soundness (Theorem in § Soundness and Adequacy): if " }<var>{ "P" }</var>{ " → " }<var>{ "P′" }</var>{ ", then ⟦" }<var>{ "P" }</var>{ "⟧ = ⟦" }<var>{ "P′" }</var>{ "⟧. A step on the heap performs the first operation of the arrow; what is left of it is the arrow of the next state." }</p>
            if let Some((before, after)) = arrows {
                <div class="listings">
                    { listing(before, &format!("before, at position {}", at.position), Some(&mark)) }
                    { listing(after, &format!("after, at position {}", at.to), Some(&mark)) }
                </div>
            }
        </div>
    }
}

fn verdict(said: &Opened) -> Html {
    let (class, sign, text) = match &said.same.verdict {
        Verdict::Equal(performed) => (
            "holds",
            "=",
            format!("The arrow stays the same{}.", aside(performed)),
        ),
        Verdict::Different {
            performed,
            place,
            left,
            right,
        } => (
            "fails",
            "≠",
            format!(
                "The arrow does not stay the same{}: it differs in {place}, {left} against {right}. This is a defect of Fletch, not of your program.",
                aside(performed)
            ),
        ),
        Verdict::OnTheWay { reached } => (
            "unknown",
            "…",
            format!("Reducing to it: position {reached} is reached."),
        ),
        Verdict::TooLarge => (
            "unknown",
            "?",
            "Not checked: an arrow of this run has too many statements to be compared at each step.".to_owned(),
        ),
        Verdict::TooFar => (
            "unknown",
            "?",
            "Not checked: the step is beyond what a run may use here.".to_owned(),
        ),
        Verdict::AtTheEnd => (
            "unknown",
            "·",
            "There is no step from here.".to_owned(),
        ),
    };
    html! { <p class={yew::classes!("verdict", class)} role="status"><i aria-hidden="true">{ sign }</i><span>{ text }</span></p> }
}

/// What is set aside, to go on with.
fn aside(performed: &[Performed]) -> String {
    let names: Vec<&str> = performed.iter().map(|op| &*op.operation).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(", {one} set aside"),
        [all @ .., last] => format!(", {} and {last} set aside", all.join(", ")),
    }
}
