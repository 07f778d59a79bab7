//! Sentences for a moment of a feedback, in the forward pass and in the backward pass.

use super::words::{Sentence, Telling, is_unit};
use super::{Stretch, passes, step};
use fletch_calculus::{Feedback, Half, Term, TermKind};
use fletch_print::Piece;
use fletch_reduction::Action;

/// Sentences for the moment that starts with the stretch; `None` if no moment starts there.
pub(super) fn moment(stretch: &Stretch<'_>, telling: Telling<'_>) -> Option<Vec<Piece>> {
    let Action::Feedback {
        feedback,
        state,
        input: Some(input),
    } = &stretch.step.action
    else {
        return None;
    };
    let mut say = Sentence::new(telling);
    if !stretch.step.reduces() {
        let number = feedback.moment_number();
        say.text(&format!("Moment {number} of {}. ", feedback.whole));
        say.then(step::sentence(stretch.trace, stretch.from, telling));
        return Some(say.pieces);
    }
    match feedback.half() {
        Half::Forward => out(&mut say, feedback, state, input),
        Half::Backward => back(&mut say, feedback, state, input),
    }
    passes::happened(&mut say, stretch);
    Some(say.pieces)
}

/// Writes `Moment 3 of 8: the state h is [0.1, …], the input x is [1, 0].`
fn out(say: &mut Sentence<'_>, feedback: &Feedback, state: &Term, input: &Term) {
    let number = feedback.moment_number();
    say.text(&format!("Moment {number} of {}", feedback.whole));
    let [s, x] = &feedback.variables;
    say.text(": the state ")
        .variable(s)
        .text(" is ")
        .value(state);
    // A clause derived from a backward pass has a tape among its inputs, which is not shown.
    if !is_unit(input)
        && feedback
            .derived
            .iter()
            .all(|clause| clause.half == Half::Forward)
    {
        say.text(", the input ")
            .variable(x)
            .text(" is ")
            .value(input);
    }
    say.text(".");
}

/// Writes `Moment 3 again: what comes back to its state is [0.01, …], and to its output [−0.4].`
fn back(say: &mut Sentence<'_>, feedback: &Feedback, state: &Term, input: &Term) {
    let number = feedback.moment_number();
    say.text(&format!(
        "Moment {number} again: what comes back to its state is "
    ));
    say.value(state);
    // The input of Pᵇ is a tuple of the cotangent of the output and the saved value.
    if let TermKind::Tuple(parts) = input.kind()
        && let Some(output) = parts.get(0).filter(|output| !is_unit(output))
    {
        say.text(", and to its output ").value(output);
    }
    say.text(".");
}
