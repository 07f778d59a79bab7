//! Test helpers: small programs as text, their runs, and traces as short lines.
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

use crate::level::Level;
use crate::trace::Trace;
use fletch_calculus::Program;
use fletch_elaborate::elaborate;
pub(crate) use fletch_notation::same as check;
use fletch_smooth::{Partiality, symbols};
use fletch_syntax::parse;

/// Operation that multiplies by the contents of `w`, and the handler that trains it.
pub(crate) const DENSE: &str = "
loc w ∷ (1) = [2]
op D : Real(1) ▷ Real(1)
handler H : Real(1) {
  x ↦ ⌊x − 1⌋
  D ( x ↦ let w ⇐ Get[w]() in ⌊⟨w ⊙ x, ⟨w, x⟩⟩⌋
    | y, ⟨w, x⟩ ↦ let _ ⇐ Put[w](w − y ⊙ x) in ⌊w ⊙ y⌋ )
}
";

/// A handled call: the forward pass computes 2 · 3 = 6, the return clause 6 − 1 = 5.
pub(crate) const HANDLED: &str = "main = rev handle(3)⟨x⟩. D(x) with H";

/// A handler whose clauses for `E` perform `D`, inside the handler of `D`.
pub(crate) const NESTED: &str = "
op E : Real(1) ▷ Real(1)
handler J : Real(1) {
  x ↦ ⌊x⌋
  E ( x ↦ let y ⇐ D(x) in ⌊⟨y, ()⟩⌋ | y, _ ↦ D(y) )
}
main = rev handle(3)⟨x⟩. (rev handle(x)⟨x⟩. E(x) with J) with H
";

/// Elaborates a program, with the declarations of `DENSE` in front.
pub(crate) fn program(source: &str) -> Program {
    let source = format!("{DENSE}{source}");
    let (tree, diagnostics) = parse(&source, symbols());
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    assert!(error.is_none(), "{error:?} in\n{source}");
    let elaborated = elaborate(&tree, &source);
    let Some(main) = elaborated.main else {
        panic!("rejected: {:?}\n{source}", elaborated.findings);
    };
    main.program
}

/// Runs a program to its end and returns the trace.
pub(crate) fn run(source: &str) -> Trace {
    let mut trace = Trace::new(&program(source), Partiality::Paper);
    trace.advance(usize::MAX, || false);
    trace
}

/// Text of the step from a position: the position, the rule and the names that the step concerns.
pub(crate) fn step(trace: &Trace, position: usize) -> String {
    let Some(step) = trace.step(position) else {
        return format!("{position} the end");
    };
    let number = trace.index().label.get(position);
    let mut labels = trace.index().labels.iter();
    let (label, _) = labels.find(|(_, known)| Some(*known) == number).unwrap();
    let text = format!("{position} {} {}", step.action.rule().name(), label.subject);
    text.trim_end().to_owned()
}

/// The stops of a level as text.
pub(crate) fn stops(trace: &Trace, level: Level) -> Vec<String> {
    let stops = trace.index().all(level).into_iter();
    stops.map(|stop| step(trace, stop as usize)).collect()
}

/// The stops of a level as text, without their positions.
pub(crate) fn named(trace: &Trace, level: Level) -> Vec<String> {
    let stops = stops(trace, level).into_iter();
    stops
        .map(|stop| stop.split_once(' ').unwrap().1.to_owned())
        .collect()
}
