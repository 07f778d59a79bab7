//! Operations that reach the top level: the diagnostics of a check agree with runs, for random handlers that drop, resume once and
//! resume twice.

use fletch_reduction::Stuck;
use fletch_runs::{Engine, Outcome};
use fletch_smooth::Partiality;
use fletch_syntax::Severity;
use fletch_tests::generate::Tape;
use fletch_trace::Budget;

const OPERATIONS: [&str; 3] = ["A", "B", "C"];

/// Generates commands of type Real(1) that consist of operations and handlers only.
struct Maker {
    tape: Tape,
    names: usize,
}

impl Maker {
    fn operation(&mut self) -> &'static str {
        OPERATIONS[self.tape.below(OPERATIONS.len())]
    }

    /// Returns a command over the variable x, which may resume the continuation if one is given.
    fn command(&mut self, depth: usize, continuation: Option<&str>) -> String {
        self.names += 1;
        let (name, choice) = (format!("v{}", self.names), self.tape.below(8));
        let deeper = depth.saturating_sub(1);
        match (choice, continuation) {
            (0 | 1, Some(k)) => format!("{k} • x"),
            (2, Some(k)) if depth > 0 => {
                let handler = self.ordinary(deeper);
                format!("(handle {k} • x with {handler})")
            }
            (3 | 4, _) if depth > 0 => {
                let (first, then) = (self.operation(), self.command(deeper, continuation));
                format!("(let {name} ⇐ {first}(x) in {then})")
            }
            (5, _) if depth > 0 => {
                let (body, handler) = (self.command(deeper, None), self.ordinary(deeper));
                format!("(handle {body} with {handler})")
            }
            (6, _) if depth > 0 => {
                let (body, handler) = (self.command(deeper, None), self.reverse(deeper));
                format!("(rev handle(x)⟨x⟩. {body} with {handler})")
            }
            (7, _) if depth > 0 => {
                let first = self.command(deeper, continuation);
                let then = self.command(deeper, continuation);
                format!("(let {name} ⇐ {first} in {then})")
            }
            _ => "⌊x⌋".to_owned(),
        }
    }

    fn ordinary(&mut self, depth: usize) -> String {
        let mut clauses = vec![format!("x ↦ {}", self.command(depth, None))];
        for operation in OPERATIONS {
            if self.tape.chance(60) {
                clauses.push(format!(
                    "{operation}, k; x ↦ {}",
                    self.command(depth, Some("k"))
                ));
            }
        }
        format!("{{ {} }}", clauses.join("  "))
    }

    fn reverse(&mut self, depth: usize) -> String {
        let mut clauses = vec![format!("x ↦ {}", self.command(depth, None))];
        for operation in OPERATIONS {
            if self.tape.chance(60) {
                let (forward, backward) = (self.command(depth, None), self.command(depth, None));
                clauses.push(format!(
                    "{operation} ( x ↦ let y ⇐ {forward} in ⌊⟨y, ()⟩⌋ | x, _ ↦ {backward} )"
                ));
            }
        }
        format!("{{ {} }}", clauses.join("  "))
    }
}

#[test]
fn a_check_says_what_a_run_meets() {
    let (mut reached, mut dropped) = (0, 0);
    for seed in 0..3000 {
        let tape = Tape::new(Tape::random(seed, 120));
        let mut maker = Maker { tape, names: 0 };
        let (body, handler) = (maker.command(4, None), maker.ordinary(3));
        let operations: Vec<String> = OPERATIONS
            .iter()
            .map(|name| format!("op {name} : Real(1) ▷ Real(1)\n"))
            .collect();
        let source = format!(
            "{}command Body(x : Real(1)) : Real(1) = {body}\nmain = let x ⇐ ⌊1⌋ in handle Body(x) with {handler}\n",
            operations.concat()
        );
        let checked = fletch_ide::check(&source);
        let said = |severity| {
            let mut found = checked.diagnostics.iter();
            found.any(|found| found.code == "F0506" && found.severity == severity)
        };
        let (error, warning) = (said(Severity::Error), said(Severity::Warning));
        let other = checked
            .diagnostics
            .iter()
            .find(|found| found.is_error() && found.code != "F0506");
        assert!(other.is_none(), "{other:?}\n{source}");
        let program = &checked.main.as_ref().unwrap().program;
        for engine in [Engine::Step { shortcuts: false }, Engine::Denotation] {
            let Ok(run) =
                fletch_runs::run_by(engine, program, Partiality::Paper, Budget::steps(20_000))
            else {
                continue;
            };
            let met = match run.outcome {
                Outcome::Value(_) => false,
                Outcome::Stuck(Stuck::Unhandled { .. }) => true,
                Outcome::Exhausted(_) => continue,
                Outcome::Stuck(other) => panic!("{other:?}\n{source}"),
            };
            assert!(
                met == error || warning,
                "run {met}, check {error}\n{source}"
            );
            reached += usize::from(met);
        }
        // An operation is written, but no run reaches it.
        dropped += usize::from(!error && source.contains("(x) in"));
    }
    assert!(reached > 500 && dropped > 200, "{reached} {dropped}");
}

#[test]
fn a_continuation_that_is_dropped_drops_what_it_performs_for_every_command() {
    let source = "op A : 1 ▷ 1\nop B : 1 ▷ 1
handler H : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  A, _k; _ ↦ ⌊5⌋ }
data d = [1]
train d as v for 1 epochs = handle let _ ⇐ A() in let _ ⇐ B() in ⌊v⌋ with H
measure m on d as v = handle let _ ⇐ A() in let _ ⇐ B() in ⌊v⌋ with H
predict p(v : Real(1)) = handle let _ ⇐ A() in let _ ⇐ B() in ⌊v⌋ with H
main = handle let _ ⇐ A() in let _ ⇐ B() in ⌊1⌋ with H\n";
    assert!(!fletch_ide::check(source).rejected());
    // The other order performs B first.
    let other = source.replace("let _ ⇐ A() in let _ ⇐ B()", "let _ ⇐ B() in let _ ⇐ A()");
    assert!(fletch_ide::check(&other).rejected());
}

#[test]
fn what_is_too_long_to_be_followed_is_a_warning() {
    // Each clause resumes twice, so a full run would have 2¹⁸ − 1 calls of O and 2¹⁸ calls of P.
    let lets = "let x ⇐ O(x) in ".repeat(18);
    let source = format!(
        "op O : Real(1) ▷ Real(1)\nop P : Real(1) ▷ Real(1)
handler H : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋  O, k; x ↦ let _ ⇐ k • x in k • x }}
main = let x ⇐ ⌊1⌋ in handle {lets} P(x) with H\n"
    );
    let checked = fletch_ide::check(&source);
    let found = checked
        .diagnostics
        .iter()
        .find(|found| found.code == "F0506");
    assert_eq!(found.unwrap().severity, Severity::Warning);
}
