//! Sentences that say what a shortcut leaves out and why, at every step of a shortcut.

use super::words::Sentence;
use fletch_calculus::Variable;
use fletch_reduction::{Action, Rule, Step};

/// Adds the sentence for a derivative that is 0, or that is written out without the terms that are 0.
pub(super) fn derivative(say: &mut Sentence<'_>, step: &Step, variable: &Variable) {
    if step.action.rule() == Rule::RdZero {
        say.variable(variable)
            .text(" does not occur in the term, so a shortcut takes its derivative along ")
            .variable(variable)
            .text(" for 0: ");
    } else {
        say.text("A shortcut leaves out the parts of the term in which ")
            .variable(variable)
            .text(" does not occur, for their derivative is 0: ");
    }
    steps(say, step, "");
}

/// Adds the cotangents that a shortcut leaves out of an unfolding of RH; nothing if the step is no shortcut.
pub(super) fn unfolding(say: &mut Sentence<'_>, step: &Step) {
    let (unused, constant): (&[Variable], &[Variable]) = match &step.action {
        Action::RhOp { unused, .. } | Action::RhFeedback { unused, .. } => (unused, &[]),
        Action::RhTerm {
            unused, constant, ..
        } => (unused, constant),
        _ => return,
    };
    if !step.action.rule().is_shortcut() {
        return;
    }
    say.text(" A shortcut leaves out cotangents that are 0: ");
    if !constant.is_empty() {
        say.text("the term does not use ");
        list(say, constant);
    }
    if !unused.is_empty() {
        say.text(match constant {
            [] => "the rest of the network does not use ",
            _ => ", and the rest of the network does not use ",
        });
        list(say, unused);
    }
    say.text(": ");
    steps(say, step, " on the way back");
}

fn list(say: &mut Sentence<'_>, variables: &[Variable]) {
    let names = variables
        .iter()
        .map(|x| say.apart(|say| say.variable(x)))
        .collect();
    say.list(names);
}

/// Adds the number of steps saved.
fn steps(say: &mut Sentence<'_>, step: &Step, when: &str) {
    say.text(&match step.left_out() {
        0 => format!("they are not gone through{when}."),
        1 => format!("at least one step of bookkeeping less{when}."),
        count => format!("at least {count} steps of bookkeeping less{when}."),
    });
}
