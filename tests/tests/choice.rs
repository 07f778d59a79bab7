//! Choice by function symbols (`docs/choice.md`). Programs may still declare their own items with the names of these symbols.

use fletch_runs::{Engine, Precision};
use fletch_smooth::Partiality;
use fletch_tests::must_check;
use fletch_trace::Budget;

/// Runs a program by small steps, as an arrow and compiled, and checks that the results agree. Returns the
/// value as JSON, or the message of the error.
fn outcome(source: &str) -> String {
    let main = must_check(source);
    let index = fletch_ide::check(source).index;
    let all = [
        Engine::Step { shortcuts: false },
        Engine::Denotation,
        Engine::Compiled(Precision::Double),
    ]
    .map(|engine| {
        let budget = Budget::steps(1000);
        let run = fletch_runs::run_by(engine, &main.program, Partiality::Total, budget).unwrap();
        let json = run.json(&main.program, &index);
        match json.get("error") {
            Some(error) => error["message"].to_string(),
            None => json["value"].to_string(),
        }
    });
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    all[0].clone()
}

#[test]
fn the_page_on_choice_says_what_happens() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/choice.md");
    let text = std::fs::read_to_string(file).unwrap();
    let (_, program) = text.split_once("```fletch\n").unwrap();
    let (program, _) = program.split_once("```").unwrap();
    assert_eq!(outcome(program), r#"{"real":[0.25,5.0]}"#);
    for unprotected in [
        "where(x, log(x), zero[1])",
        "where(x, log(max(x, 0.001)), zero[1])",
    ] {
        assert!(text.contains(unprotected));
        let found = outcome(&format!("main = ⌊let x ← −2 in {unprotected}⌋"));
        assert_eq!(
            found.contains("log is not defined"),
            !unprotected.contains("max"),
            "{found}"
        );
    }
    let kept = "loc ℓ ∷ (2) = [1, 2]\n\
        main = let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](where(C, w + w, w)) in Get[ℓ]()";
    assert!(text.contains("Put[ℓ](where(c, w', w))"));
    assert_eq!(outcome(&kept.replace('C', "0.5")), r#"{"real":[2.0,4.0]}"#);
    assert_eq!(outcome(&kept.replace('C', "−0.5")), r#"{"real":[1.0,2.0]}"#);
}

/// A program that is older than these symbols keeps its meaning.
#[test]
fn a_declaration_of_the_same_name_hides_a_symbol() {
    let source = "
        loc ℓ ∷ (2, 2) = [[1, 2], [3, 4]]
        op argmax[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
        fun norm(x : Real(2)) : Real(1) = half_sq(x)
        fun erf(x : Real(2)) : Real(2) = x + x
        command reverse(x : Real(2)) : Real(1) = let y ⇐ argmax[ℓ](x) in ⌊norm(erf(y))⌋
        handler where : Real(1) {
          _ ↦ ⌊1⌋
          argmax[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, w⟩⌋ | y, w ↦ ⌊wᵀ ∗ y⌋ )
        }
        dim gelu = 2
        main = rev handle([1, 1])⟨less⟩. reverse(less) with where";
    // The value is the derivative of ½‖2·Wx‖² by Wx, 4·Wx at Wx = (3, 7), times Wᵀ.
    assert_eq!(outcome(source), r#"{"real":[96.0,136.0]}"#);
}
