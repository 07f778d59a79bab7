//! Random well-typed programs: type preservation and progress at every step, and small steps against
//! big-step evaluation. Everything is of type Real(2), so any choice is well typed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_calculus::{CommandKind, evaluate, typing};
use fletch_playground::{Partiality, Status, Trace};
use fletch_tests::must_check;
use proptest::prelude::*;

/// Two operations, two reverse handlers of different make and an ordinary one.
const PRELUDE: &str = "
op O : Real(2) ▷ Real(2)
op P : Real(2) ▷ Real(2)
loc w ∷ (2) = [0.3, −0.2]
handler Inner : Real(2) {
  x ↦ ⌊x⌋
  O ( x ↦ let y ⇐ P(x) in ⌊⟨swish(y), x⟩⌋ | y, z ↦ let u ⇐ P(y) in ⌊u ⊙ z⌋ )
}
handler Outer : Real(2) {
  x ↦ ⌊0.5 · x⌋
  O ( x ↦ ⌊⟨x + x, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
  P ( x ↦ let w ⇐ Get[w]() in ⌊⟨w ⊙ x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ let _ ⇐ Put[w](w − y ⊙ x) in ⌊w ⊙ y⌋ )
}
handler Ordinary : Real(2) ⇒ Real(2) {
  x ↦ ⌊sin(x)⌋
  O, k; x ↦ let y ⇐ P(x) in k • (y + x)
}
";

/// A stream of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn number(&mut self) -> String {
        let sign = if self.below(2) == 0 { "" } else { "−" };
        format!("{sign}0.{}", 1 + self.below(9))
    }

    /// Names are few, so that they hide and would capture one another.
    fn name(&mut self) -> String {
        ["x", "y", "z"][self.below(3) as usize].to_owned()
    }

    fn term(&mut self, fuel: u32, scope: &[String]) -> String {
        if fuel == 0 {
            return if scope.is_empty() || self.below(3) == 0 {
                format!("[{}, {}]", self.number(), self.number())
            } else {
                scope[self.below(scope.len() as u64) as usize].clone()
            };
        }
        let mut sub = |scope: &[String]| self.term(fuel - 1, scope);
        let (a, b) = (sub(scope), sub(scope));
        let name = self.name();
        let inner: Vec<String> = scope.iter().cloned().chain([name.clone()]).collect();
        match self.below(8) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} − {b})"),
            2 => format!("({a} ⊙ {b})"),
            3 => format!("swish({a})"),
            4 => format!("⟨{a}, {b}⟩.{}", 1 + self.below(2)),
            5 => format!("(let {name} ← {a} in {})", self.term(fuel - 1, &inner)),
            // Derivatives of derivatives of derivatives are right and enormous.
            6 => format!(
                "({a}).rd({name}. {})({b})",
                self.term((fuel - 1).min(1), &inner)
            ),
            _ => format!("({a} ⊙ sin({b}))"),
        }
    }

    fn command(&mut self, fuel: u32, scope: &[String], handlers: u32) -> String {
        if fuel == 0 {
            let term = self.term(1, scope);
            return match self.below(3) {
                0 => format!("O({term})"),
                1 => format!("P({term})"),
                _ => format!("⌊{term}⌋"),
            };
        }
        let name = self.name();
        let inner: Vec<String> = scope.iter().cloned().chain([name.clone()]).collect();
        let own = [name.clone()];
        match self.below(6) {
            0 if handlers > 0 => {
                let body = self.command(fuel - 1, &own, handlers - 1);
                format!(
                    "(rev handle({})⟨{name}⟩. {body} with Inner)",
                    self.term(1, scope)
                )
            }
            1 if handlers > 0 => {
                format!(
                    "(handle {} with Ordinary)",
                    self.command(fuel - 1, scope, handlers - 1)
                )
            }
            2 if handlers > 0 => {
                let body = self.command(fuel - 1, &own, handlers - 1);
                format!(
                    "(rev handle({})⟨{name}⟩. {body} with Outer)",
                    self.term(1, scope)
                )
            }
            _ => {
                let first = self.command(fuel - 1, scope, handlers);
                let second = self.command(fuel - 1, &inner, handlers);
                format!("let {name} ⇐ {first} in {second}")
            }
        }
    }
}

fn preserves_types(source: &str) {
    let main = must_check(source);
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    trace.advance(20_000, || false);
    assert!(
        !matches!(trace.status(), Status::Stuck(_)),
        "{:?}\n{source}",
        trace.status()
    );
    let stride = trace.len() / 300 + 1;
    for position in (0..=trace.len()).step_by(stride) {
        let command = trace.state(position).command();
        match typing::command(&typing::Environment::default(), &command) {
            Ok(derivation) => assert_eq!(
                derivation.ty, main.program.ty,
                "position {position}\n{source}"
            ),
            Err(error) => panic!("position {position}: {}\n{source}", error.kind),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn handled_commands_keep_their_type_and_do_not_get_stuck(seed in any::<u64>(), fuel in 1u32..3) {
        let mut choices = Choices(seed);
        let body = choices.command(fuel, &["x".to_owned()], 1);
        preserves_types(&format!("{PRELUDE}\nmain = rev handle([0.4, −0.7])⟨x⟩. {body} with Outer"));
    }

    #[test]
    fn small_steps_of_a_term_end_where_big_steps_do(seed in any::<u64>(), fuel in 1u32..3) {
        let mut choices = Choices(seed);
        let source = format!("main = ⌊{}⌋", choices.term(fuel, &[]));
        let main = must_check(&source);
        let CommandKind::Pure(term) = main.program.main.kind() else { panic!() };
        let expected = evaluate(term, Partiality::Paper, &mut main.program.supply.clone()).unwrap();
        let mut trace = Trace::new(&main.program, Partiality::Paper);
        trace.advance(50_000, || false);
        match trace.status() {
            Status::Value(value) => prop_assert_eq!(value, &expected, "{}", source),
            Status::Running => {}
            other => panic!("{other:?}\n{source}"),
        }
    }
}
