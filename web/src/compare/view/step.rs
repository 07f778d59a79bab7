//! Soundness of the shown step: both arrows, the operations set aside, and the theorem.

use super::listing::listing;
use crate::compare::CompareMsg;
use crate::controls::{check, status};
use crate::model::Model;
use crate::steps::numbering::Numbering;
use crate::update::Msg;
use fletch_playground::protocol::{Opened, Performed, Verdict};
use yew::{Callback, Html, html};

/// Switch that marks every step with whether its arrow stays the same.
pub(super) fn switch(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let check = check("checkbox", model.compare.step.marks);
    html! { <label class="switch">{ check.on_check(dispatch, |on| Msg::Compare(CompareMsg::Marks(on))) }{ "mark every step" }</label> }
}

/// The arrows of the step.
pub(super) fn step(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let at = &model.at().unwrap_or_default();
    let numbering = model.numbering();
    let known = model.compare.step.of(at);
    let mark = dispatch.reform(|(from, to)| Msg::Mark(from, to));
    let arrows = known.and_then(|known| known.1.arrows.as_ref());
    html! {
        <div class="comparison-body">
            { known.map_or_else(|| status("verdict", "Comparing …"), |known| verdict(&known.1, &numbering)) }
            <p class="theorem">{ "Soundness (Theorem in § Soundness and Adequacy): if " }<var>{ "P" }</var>{ " → " }<var>{ "P′" }</var>{ ", then ⟦" }<var>{ "P" }</var>{ "⟧ = ⟦" }<var>{ "P′" }</var>{ "⟧. A step on the heap performs the first operation of the arrow; what is left of it is the arrow of the next state." }</p>
            if let Some((before, after)) = arrows {
                <div class="listings">
                    { listing(before, &format!("before, at {step}", step = numbering.step(at.position)), Some(&mark)) }
                    { listing(after, &format!("after, at {step}", step = numbering.step(at.to)), Some(&mark)) }
                </div>
            }
        </div>
    }
}

fn verdict(said: &Opened, numbering: &Numbering) -> Html {
    let (class, sign, text) = match &said.same.verdict {
        Verdict::Equal(performed) => (
            "holds",
            "=",
            format!("The arrow stays the same{performed}.", performed = aside(performed)),
        ),
        Verdict::Rounding { performed, text } => (
            "holds",
            "≈",
            format!("The arrow stays the same but for rounding of constants{performed}; {largest}.", performed = aside(performed), largest = text),
        ),
        Verdict::Different {
            performed,
            place,
            left,
            right,
        } => (
            "fails",
            "≠",
            format!("The arrow does not stay the same{performed}: it differs in {place}, {left} against {right}. This is a defect of Fletch, not of your program.", performed = aside(performed)),
        ),
        Verdict::OnTheWay { reached } => (
            "unknown",
            "…",
            format!("Reducing to it: {step} is reached.", step = numbering.step(*reached)),
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

/// Names of the operations set aside, to continue a sentence; empty if there are none.
fn aside(performed: &[Performed]) -> String {
    let names: Vec<&str> = performed.iter().map(|op| &*op.operation).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(", {one} set aside"),
        [all @ .., last] => format!(", {all} and {last} set aside", all = all.join(", ")),
    }
}
