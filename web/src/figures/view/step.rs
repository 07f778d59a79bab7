//! Soundness for the step that is shown: both arrows, what is set aside, and the theorem.

use super::listing::listing;
use crate::controls::{check, status};
use crate::figures::compare::CompareMsg;
use crate::figures::model::Model;
use crate::figures::update::Msg;
use crate::texts;
use fletch_playground::figures::protocol::{Opened, Performed, Verdict};
use yew::{Callback, Html, html};

/// Whether it is said at each step.
pub(super) fn switch(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let check = check("checkbox", model.compare.step.marks);
    html! { <label class="switch">{ check.on_check(dispatch, |on| Msg::Compare(CompareMsg::Marks(on))) }{ texts::same::MARK_EVERY_STEP }</label> }
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
            { known.map_or_else(|| status("verdict", texts::same::COMPARING), |known| verdict(&known.1)) }
            <p class="theorem">{ texts::same::SOUNDNESS_THEOREM_IN_SOUNDNESS_AND }<var>{ "P" }</var>{ " → " }<var>{ "P′" }</var>{ texts::same::THEN }<var>{ "P" }</var>{ "⟧ = ⟦" }<var>{ "P′" }</var>{ texts::same::A_STEP_ON_THE_HEAP }</p>
            if let Some((before, after)) = arrows {
                <div class="listings">
                    { listing(before, &texts::same::before_at_position(at.position), Some(&mark)) }
                    { listing(after, &texts::same::after_at_position(at.to), Some(&mark)) }
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
            texts::same::the_arrow_stays_the_same(aside(performed)),
        ),
        Verdict::Rounding { performed, text } => (
            "holds",
            "≈",
            texts::same::same_but_for_rounding(aside(performed), text),
        ),
        Verdict::Different {
            performed,
            place,
            left,
            right,
        } => (
            "fails",
            "≠",
            texts::same::the_arrow_does_not_stay(aside(performed), place, left, right),
        ),
        Verdict::OnTheWay { reached } => (
            "unknown",
            "…",
            texts::same::reducing_to_it_position_is(reached),
        ),
        Verdict::TooLarge => (
            "unknown",
            "?",
            texts::same::NOT_CHECKED_AN_ARROW_OF.to_owned(),
        ),
        Verdict::TooFar => (
            "unknown",
            "?",
            texts::same::NOT_CHECKED_THE_STEP_IS.to_owned(),
        ),
        Verdict::AtTheEnd => (
            "unknown",
            "·",
            texts::same::THERE_IS_NO_STEP_FROM.to_owned(),
        ),
    };
    html! { <p class={yew::classes!("verdict", class)} role="status"><i aria-hidden="true">{ sign }</i><span>{ text }</span></p> }
}

/// What is set aside, to go on with.
fn aside(performed: &[Performed]) -> String {
    let names: Vec<&str> = performed.iter().map(|op| &*op.operation).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => texts::same::set_aside(one),
        [all @ .., last] => texts::same::and_set_aside(all.join(", "), last),
    }
}
