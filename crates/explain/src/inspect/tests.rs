//! Tests of inspection: every node of many states is described, with the type that the typing rules derive.

use super::types::Scope;
use super::{inspect, typed};
use fletch_calculus::typing::{self, Derivation, Environment};
use fletch_calculus::{Command, CommandKind, Part, TermKind};
use fletch_print::Chips;
use fletch_smooth::Partiality;
use fletch_trace::{Budget, Trace};

fn run(source: &str) -> Trace {
    let checked = fletch_ide::check(source);
    let Some(main) = checked.main else {
        panic!("{:#?}", checked.diagnostics);
    };
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    trace.run(6_000, &Budget::steps(6_000));
    trace
}

fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    std::fs::read_to_string(format!("{folder}/{name}.fletch")).unwrap()
}

fn names() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".fletch").map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

/// Visitor of a node: with its scope, its derivation and its path.
type Visit<'v, 'c> = &'v mut dyn FnMut(Part<'c>, &Scope<'c>, &Derivation, &[usize]);

/// Visits all nodes, with their paths and derivations.
fn nodes<'c>(
    part: Part<'c>,
    scope: &Scope<'c>,
    derivation: &Derivation,
    path: &mut Vec<usize>,
    visit: Visit<'_, 'c>,
) {
    visit(part, scope, derivation, path);
    for (number, child) in part.children().enumerate() {
        path.push(number);
        let premise = &derivation.premises[number];
        nodes(child, &scope.inside(part, number), premise, path, visit);
        path.pop();
    }
}

#[test]
fn every_node_has_the_type_that_the_rules_derive() {
    for name in names() {
        let trace = run(&example(&name));
        let states = [0, 1, 2, 3, 4].map(|part| part * trace.len() / 4);
        for position in states
            .into_iter()
            .chain([5, 17])
            .filter(|at| *at <= trace.len())
        {
            let command = trace.state(position).command();
            let derivation = typing::command(&Environment::default(), &command).unwrap();
            let mut seen = 0_usize;
            nodes(
                Part::Command(&command),
                &Scope::default(),
                &derivation,
                &mut Vec::new(),
                &mut |part, scope, derivation, path| {
                    let place = format!("{name} at {position}, {path:?}");
                    assert_eq!(scope.ty(part).as_ref(), Some(&derivation.ty), "{place}");
                    seen += 1;
                    if seen < 200 || seen.is_multiple_of(101) {
                        let inspection = inspect(&trace, position, path, None, &Chips::default());
                        let signature = inspection.map(|it| it.signature).unwrap();
                        let expected = shown(part, derivation);
                        assert!(
                            signature.ends_with(&expected),
                            "{place}: {signature}, {expected}"
                        );
                    }
                },
            );
        }
    }
}

/// The type that a signature ends with.
fn shown(part: Part<'_>, derivation: &Derivation) -> String {
    let names_bound = match part {
        Part::Command(command) => matches!(command.kind(), CommandKind::Let { .. }),
        Part::Term(term) => matches!(term.kind(), TermKind::Let(..)),
    };
    if names_bound {
        derivation.premises[0].ty.to_string()
    } else {
        derivation.ty.to_string()
    }
}

/// Description `kind: signature. note` of the first node whose description begins with `start`, and true if a value is known.
fn said(trace: &Trace, position: usize, start: &str) -> (String, bool) {
    let command = trace.state(position).command();
    let derivation = typing::command(&Environment::default(), &command).unwrap();
    let mut found = None;
    nodes(
        Part::Command(&command),
        &Scope::default(),
        &derivation,
        &mut Vec::new(),
        &mut |_, _, _, path| {
            let inspection = inspect(trace, position, path, None, &Chips::default()).unwrap();
            let note = inspection.note.unwrap_or_default();
            let text = format!("{}: {}. {note}", inspection.kind, inspection.signature);
            if found.is_none() && text.starts_with(start) {
                found = Some((text, inspection.value.is_some()));
            }
        },
    );
    found.unwrap()
}

#[test]
fn names_of_the_perceptron_are_told_what_they_are() {
    let trace = run(&example("mlp"));
    let cases = [
        (
            0,
            "variable: z_hid",
            "variable: z_hid : Real(8). The result of FC[ℓ0].",
            true,
        ),
        (
            0,
            "variable: x_in",
            "variable: x_in : Real(2). The input of the command that H_MLP handles.",
            true,
        ),
        (
            0,
            "operation: FC[ℓ1]",
            "operation: FC[ℓ1] : Real(8) ▷ Real(1). The clauses of H_MLP say what it does, forward and backward.",
            false,
        ),
        (
            3,
            "variable: z_hid′",
            "variable: z_hid′ : Real(8). The cotangent of z_hid, the result of FC[ℓ0].",
            true,
        ),
        (
            3,
            "operation: Get[ℓ0]",
            "operation: Get[ℓ0] : 1 ▷ Real(16). It reads ℓ0 from the heap.",
            false,
        ),
        (
            3,
            "variable: x_in′ ",
            "variable: x_in′ : Real(2). The cotangent of x_in.",
            true,
        ),
    ];
    for (position, start, expected, valued) in cases {
        assert_eq!(said(&trace, position, start), (expected.to_owned(), valued));
    }
}

/// A cotangent is known by the equation that introduced it, not by its name.
#[test]
fn a_variable_that_a_program_calls_with_a_prime_is_no_cotangent() {
    let trace = run("
        op O : Real(1) ▷ Real(1)
        handler H : Real(1) { v′ ↦ ⌊v′⌋  O ( x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ let v′ ⇐ ⌊y + z⌋ in ⌊v′ + (let u′ ← v′ in u′)⌋ ) }
        main = let v′ ⇐ ⌊sum([1, 2])⌋ in rev handle(v′)⟨w⟩. O(w) with H");
    let cases = [
        (
            0,
            "variable: v′",
            "variable: v′ : Real(1). The result of sum.",
        ),
        (
            4,
            "variable: w′",
            "variable: w′ : Real(1). The cotangent of w.",
        ),
        (
            4,
            "variable: w″",
            "variable: w″ : Real(1). What is added to the cotangent of w.",
        ),
        (
            4,
            "variable: v′",
            "variable: v′ : Real(1). The value of a pure term.",
        ),
        (
            4,
            "variable: u′",
            "variable: u′ : Real(1). A name for a part of a term.",
        ),
    ];
    let found = cases.map(|(position, start, _)| said(&trace, position, start).0);
    assert_eq!(found, cases.map(|(_, _, expected)| expected));
}

#[test]
fn a_place_that_is_not_there_is_nothing() {
    let trace = run(&example("mlp"));
    assert!(inspect(&trace, 0, &[7], None, &Chips::default()).is_none());
    assert_eq!(typed("x", None), "x");
}

#[test]
fn a_large_state_is_inspected_at_every_depth() {
    let trace = run(&example("unet_training"));
    let position = trace.len() / 2;
    let command: Command = trace.state(position).command();
    // Descends to a leaf, always into the first child.
    let mut place = Vec::new();
    let mut here = Part::Command(&command);
    while let Some(child) = here.child(0) {
        place.push(0);
        here = child;
    }
    assert!(place.len() > 5, "{}", place.len());
    for length in 0..=place.len() {
        assert!(inspect(&trace, position, &place[..length], None, &Chips::default()).is_some());
    }
}
