//! Test helpers for passes, with text on both sides: a judgement as input, the listing of its loops after a pass as output.
#![allow(clippy::unwrap_used)] // A failed test is a panic.

use crate::loops::Plan;
use crate::lower::{Wanted, lower};
use crate::passes;
use fletch_arrows::Arrow;
use fletch_calculus::typing;
use fletch_notation::{Notation, same};
use fletch_smooth::Partiality;

/// Declarations of the locations that the judgements use.
const LOCATIONS: &str = "loc w ∷ (2, 2) loc v ∷ (2)";

/// Loops of a judgement, such as `x : Real(2) ⊢ ⌊swish[2](x)⌋`. In its listing `x0` is the first variable; `w` and `v` are locations.
pub(crate) fn looped(judgement: &str) -> Plan {
    let read = Notation::new(LOCATIONS).command(judgement);
    let typed = typing::command(&read.environment(), &read.subject).unwrap();
    let arrow = Arrow::of(&read.inputs(), &read.subject, &typed.ty).unwrap();
    let line = lower(&arrow, &[], |_| None, Wanted::All).unwrap();
    passes::looped(&line, Partiality::Total)
}

/// A plan as `fletch plan` lists it.
pub(crate) fn listed(plan: &Plan) -> Vec<String> {
    plan.listing(&|number| if number == 0 { "w" } else { "v" }.to_owned())
}

/// Asserts that a plan has this listing, which may be indented.
#[track_caller]
pub(crate) fn check(plan: &Plan, expected: &str) {
    same(&listed(plan), expected);
}
