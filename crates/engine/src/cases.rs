//! Small cases of passes as text: a judgement, and what a pass makes of its loops.
#![allow(clippy::unwrap_used)] // A failed test is a panic.

use crate::loops::Plan;
use crate::lower::{Wanted, lower};
use crate::passes;
use fletch_arrows::Arrow;
use fletch_calculus::typing;
use fletch_notation::{Notation, same};
use fletch_smooth::Partiality;

/// Locations of the cases.
const LOCATIONS: &str = "loc w ∷ (2, 2) loc v ∷ (2)";

/// Loops of a command over its variables, such as `x : Real(2) ⊢ ⌊swish[2](x)⌋`: `x0` is the first variable, `w` and `v` are locations.
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

/// Holds a plan against its listing, which may be indented.
#[track_caller]
pub(crate) fn check(plan: &Plan, expected: &str) {
    same(&listed(plan), expected);
}
