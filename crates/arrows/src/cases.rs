//! Helpers for small tests of arrows, as text: a judgement or a program, and the listing of its arrow.
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

use crate::listing::listing;
use crate::writer::Fault;
use crate::{Arrow, Equality, equality};
use fletch_calculus::{Command, Program, Tensor, typing};
use fletch_elaborate::elaborate;
use fletch_notation::{Judgement, Notation, same};
use fletch_smooth::{Partiality, symbols};
use fletch_syntax::parse;

/// Locations, two operations and their handlers.
pub(crate) const DECLARED: &str = "
loc w ∷ (1)
loc v ∷ (2)
op D : Real(1) ▷ Real(1)
op E : Real(1) ▷ Real(1)
handler H : Real(1) {
  x ↦ ⌊sin[1](x)⌋
  D ( x ↦ let m ⇐ Get[w]() in ⌊⟨hadamard[1](m, x), ⟨m, x⟩⟩⌋
    | y, z ↦ let _ ⇐ Put[w](hadamard[1](y, z.2)) in ⌊hadamard[1](z.1, y)⌋ )
}
handler J : Real(1) {
  x ↦ ⌊x⌋
  E ( x ↦ let y ⇐ D(x) in ⌊⟨y, ()⟩⌋ | y, _ ↦ D(y) )
}
handler O : Real(1) ⇒ Real(1) {
  x ↦ ⌊exp[1](x)⌋
  D, k; x ↦ let y ⇐ k • sin[1](x) in ⌊cos[1](y)⌋
}
handler Twice : Real(1) ⇒ Real(1) {
  x ↦ ⌊exp[1](x)⌋
  D, k; x ↦ let a ⇐ k • x in let b ⇐ k • sin[1](x) in ⌊a + b⌋
}
handler Never : Real(1) ⇒ Real(1) {
  x ↦ ⌊exp[1](x)⌋
  D, k; x ↦ ⌊cos[1](x)⌋
}
";

/// Reads a command over its variables.
pub(crate) fn command(judgement: &str) -> Judgement<Command> {
    Notation::new(DECLARED).command(judgement)
}

/// Arrow of a command over its variables, such as `x : Real(2) ⊢ ⌊swish[2](x)⌋`.
pub(crate) fn arrow(judgement: &str) -> Arrow {
    attempt(judgement).unwrap()
}

/// Arrow of a command over its variables, if it has one.
pub(crate) fn attempt(judgement: &str) -> Result<Arrow, Fault> {
    let read = command(judgement);
    let typed = typing::command(&read.environment(), &read.subject).unwrap();
    Arrow::of(&read.inputs(), &read.subject, &typed.ty)
}

/// Elaborates a program of the language, for tests of loops.
pub(crate) fn program(source: &str) -> Program {
    let (tree, diagnostics) = parse(source, symbols());
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    assert!(error.is_none(), "{error:?} in\n{source}");
    let elaborated = elaborate(&tree, source);
    let Some(main) = elaborated.main else {
        panic!("rejected: {:?}\n{source}", elaborated.findings);
    };
    main.program
}

/// Arrow of a program.
pub(crate) fn of_program(source: &str) -> Arrow {
    let program = program(source);
    Arrow::of(&[], &program.main, &program.ty).unwrap()
}

/// Asserts that an arrow has this listing, which may be indented.
#[track_caller]
pub(crate) fn check(arrow: &Arrow, expected: &str) {
    let found = listing(arrow);
    let lines: Vec<&str> = found.lines().map(str::trim_end).collect();
    same(&lines, expected);
}

/// The verdict on two commands, in words.
pub(crate) fn verdict(left: &str, right: &str) -> String {
    match equality(&arrow(left), &arrow(right), Partiality::Paper) {
        Equality::Equal { .. } => "equal".to_owned(),
        Equality::Rounding(_) => "equal but for rounding".to_owned(),
        Equality::TooLong => "too long".to_owned(),
        Equality::Different(difference) => difference.to_string(),
    }
}

/// Asserts that the arrows of two commands are equal.
#[track_caller]
pub(crate) fn equal(left: &str, right: &str) {
    assert_eq!(verdict(left, right), "equal", "{left} and {right}");
}

/// Asserts that no decided axiom makes the arrows of two commands equal.
#[track_caller]
pub(crate) fn differ(left: &str, right: &str) {
    let found = verdict(left, right);
    assert!(
        found.starts_with("they differ"),
        "{left} and {right}: {found}"
    );
}

/// The layers of a closed command that depend on the constant 5.
pub(crate) fn layers(judgement: &str) -> Vec<String> {
    let read = command(judgement);
    let typed = typing::command(&read.environment(), &read.subject).unwrap();
    let sample = |tensor: &Tensor| (tensor.data() == [5.0]).then_some(0);
    let (_, layers) = Arrow::with_layers(&read.subject, &typed.ty, 0, &sample).unwrap();
    let lines = layers.into_iter().map(|layer| {
        let name = layer
            .variable
            .map_or(String::new(), |name| format!(" {name}"));
        let cotangent = layer.cotangent.map_or("", |_| " with cotangent");
        let made = layer.symbol.map_or(layer.name, |symbol| symbol.to_string());
        format!("{made}{name}{cotangent}")
    });
    lines.collect()
}
