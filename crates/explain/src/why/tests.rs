//! Tests of the rules: the programs reach every form, and every metavariable of a statement has a value.

use super::letters;
use super::rules::{Form, all};
use super::{Why, why};
use fletch_calculus::LocationRef;
use fletch_print::{Chips, PieceKind};
use fletch_reduction::Setting;
use fletch_smooth::Partiality;
use fletch_trace::{Budget, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// Programs for the forms that the examples lack.
const PROGRAMS: &[&str] = &[
    // A derivative of every form of a term, and of a derivative.
    "fun square(x : Real(1)) : Real(1) = hadamard(x, x)
     fun many(x : Real(1)) : Real(1) =
       let y ← square(x) in let p ← ⟨y + x, 3 + x⟩ in p.1 + (1).rd(z. hadamard(z, z))(x)
     main = ⌊(1).rd(x. many(x))(2)⌋",
    "main = ⌊(1).rd(x. x)(2) + (1).rd(x. (1).rd(z. z + x)(x))(2)⌋",
    // An operation without a clause, in a reverse handler and in an ordinary one.
    "op O : Real(1) ▷ Real(1)
     op Q : Real(1) ▷ Real(1)
     handler Outer : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O, k; x ↦ k • (x + 1)  Q, k; x ↦ k • x }
     handler Back : Real(1) { x ↦ ⌊x⌋ }
     main = handle (rev handle(1)⟨x⟩. O(x) with Back) with Outer",
    "op O : Real(1) ▷ Real(1)
     op Q : Real(1) ▷ Real(1)
     handler Outer : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  Q, k; x ↦ k • x }
     handler Inner : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O, k; x ↦ k • (x + 1) }
     main = handle (handle (let y ⇐ Q(1) in let z ⇐ O(y) in ⌊z + y⌋) with Inner) with Outer",
    // An ordinary handler under a reverse one: a return, both kinds of operations, a pure term.
    "op O : Real(1) ▷ Real(1)
     op Q : Real(1) ▷ Real(1)
     handler Layer : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O, k; x ↦ k • (x + 1) }
     handler Back : Real(1) { x ↦ ⌊x⌋  Q ( x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ ⌊y⌋ ) }
     main = rev handle(1)⟨x⟩. handle (let a ⇐ O(x) in let b ⇐ Q(a) in let c ⇐ ⌊a + b⌋ in O(c)) with Layer with Back",
    // A reverse handler under another whose input is a tuple in one variable.
    "handler One : Real(1) { x ↦ ⌊x⌋ }
     handler Two : (Real(1) × Real(1)) { x ↦ ⌊x⌋ }
     main = rev handle(⟨1, 2⟩)⟨a, b⟩. let p ⇐ ⌊⟨a, b⟩⌋ in rev handle(p)⟨c, d⟩. ⌊c + d⌋ with One with Two",
    // A feedback in an ordinary handler under a reverse one, and one whose tape is too long.
    "op O : Real(1) ▷ Real(1)
     handler Layer : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O, k; x ↦ k • (x + 1) }
     handler Back : Real(1) { x ↦ ⌊x⌋ }
     main = rev handle(1)⟨a⟩. handle (feedback[2](a, [1, 2])⟨s, x⟩. let y ⇐ O(s) in ⌊y ⊙ x⌋) with Layer with Back",
    "handler Back : Real(1) { x ↦ ⌊x⌋ }
     main = rev handle(1)⟨a⟩. feedback[100000000](a, ())⟨s, _⟩. ⌊sin(s)⌋ with Back",
    // Stuck states: outside of a domain, at an operation without a handler, and at a derivative of derivatives.
    "op Double : Real(1) ▷ Real(1)
     main = let x ⇐ ⌊1 + 2⌋ in Double(x)",
    "main = ⌊relu([1, 0])⌋",
    // A derivative that a shortcut makes 0.
    "main = ⌊1.rd(x. sin(−1) + cos(2))(2)⌋",
    "main = ⌊1.rd(x. 1.rd(y. 1.rd(z. z ⊙ z)(y))(x))(2)⌋",
];

/// Runs a program; returns its trace and its locations.
fn run(name: &str, source: &str, shortcuts: bool) -> (Trace, Vec<LocationRef>) {
    let checked = fletch_ide::check(source);
    let Some(main) = checked.main else {
        panic!("{name}: {:#?}", checked.diagnostics);
    };
    let partiality = Partiality::Paper;
    let setting = Setting {
        partiality,
        shortcuts,
    };
    let mut trace = Trace::new(&main.program, setting);
    trace.run(6_000, &Budget::steps(6_000));
    (trace, main.program.locations)
}

fn programs() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut programs: Vec<(String, String)> = PROGRAMS
        .iter()
        .enumerate()
        .map(|(number, source)| (format!("program {number}"), (*source).to_owned()))
        .collect();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "fletch")
        {
            let source = std::fs::read_to_string(&path).unwrap();
            programs.push((path.display().to_string(), source));
        }
    }
    programs
}

/// Defects of an explanation.
fn defects(why: &Why) -> Vec<String> {
    let mut defects = Vec::new();
    let pieces = why.statement.iter().flat_map(|line| &line.pieces);
    let letters: BTreeSet<&str> = pieces
        .filter(|piece| piece.kind == PieceKind::Metavariable)
        .map(|piece| piece.text.as_str())
        .collect();
    let named: BTreeSet<&str> = why.parts.iter().map(|part| part.name.as_str()).collect();
    if letters != named {
        defects.push(format!("letters {letters:?}, parts {named:?}"));
    }
    for part in &why.parts {
        let text: String = part
            .actual
            .iter()
            .flat_map(|line| &line.pieces)
            .map(|piece| piece.text.as_str())
            .collect();
        if text.trim().is_empty() || part.role.is_empty() {
            defects.push(format!("{} is empty", part.name));
        }
        if text.contains("⌊[ ]⌋") || part.actual.len() > super::LINES + 3 {
            defects.push(format!("{} is {text}", part.name));
        }
    }
    defects
}

#[test]
fn every_form_is_reached_and_all_its_letters_are_matched() {
    let mut reached: BTreeMap<Form, usize> = BTreeMap::new();
    let both = |(name, source): (String, String)| {
        [false, true].map(|shortcuts| {
            (
                format!("{name}, {shortcuts}"),
                run(&name, &source, shortcuts),
            )
        })
    };
    for (name, (trace, locations)) in programs().into_iter().flat_map(both) {
        let steps = trace.steps(0..trace.len()).map(letters::form);
        let blocked = trace.blocked(trace.len());
        let blocked = blocked.and_then(|blocked| letters::blocked_form(&blocked.stuck));
        for (position, form) in steps.chain(blocked).enumerate() {
            let seen = reached.entry(form).or_default();
            *seen += 1;
            // Layout takes the time, so frequent forms are only sampled.
            if *seen > 40 && !seen.is_multiple_of(97) {
                continue;
            }
            let why = why(&trace, &locations, position, &Chips::default()).unwrap();
            assert_eq!(
                defects(&why),
                Vec::<String>::new(),
                "{name} at {position}: {form:?}"
            );
        }
    }
    let forms: Vec<Form> = all().map(|stated| stated.form).collect();
    let missed: Vec<&Form> = forms
        .iter()
        .filter(|form| !reached.contains_key(form))
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn each_form_is_stated_once() {
    let forms: BTreeSet<Form> = all().map(|stated| stated.form).collect();
    assert_eq!(forms.len(), all().count());
}
