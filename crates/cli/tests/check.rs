//! `fletch train --check`: verdicts on standard output, and what the exit code says.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod common;

use common::fletch;
use serde_json::Value;

const LINE: &str = "
loc w ∷ (2) = [0.5, −1]
data points = [⟨1, [2, 1]⟩, ⟨2, [1, 0]⟩]
train points as ⟨_, t⟩ for 3 epochs = let w ⇐ Get[w]() in Put[w](w − 0.1 · (w − t))
measure loss on points as ⟨_, t⟩ = let w ⇐ Get[w]() in ⌊half_sq(w − t)⌋
";

#[test]
fn gradient_descent_is_said_and_exits_with_0() {
    let (code, output, errors) = fletch(&["train", "-", "--check"], LINE);
    assert_eq!((code, errors.as_str()), (0, ""), "{output}");
    assert!(
        output.contains("`train points` is gradient descent on `loss`, with factor 0.1."),
        "{output}"
    );
    assert!(
        output.contains("central differences with step 1e−5"),
        "{output}"
    );
}

#[test]
fn what_is_not_exits_with_1_and_says_where() {
    let other = LINE.replace("0.1 · (w − t)", "[0.1, 0.2] ⊙ (w − t)");
    let (code, output, _) = fletch(&["train", "-", "--check", "--json"], &other);
    assert_eq!(code, 1);
    let json: Value = serde_json::from_str(&output).unwrap();
    let against = &json["checks"][0]["measures"][0];
    assert_eq!(
        (&against["measure"], &against["verdict"]),
        (&"loss".into(), &"not".into())
    );
    let place = &against["locations"][0];
    assert_eq!(
        (&place["location"], &place["verdict"]),
        (&"w".into(), &"differs".into())
    );
    assert_eq!(place["change"]["shape"], serde_json::json!([2]));
    // Each step alone is along no gradient either, and a tolerance of one lets all pass.
    let loose = [
        "train",
        "-",
        "--check",
        "--tolerance",
        "0.9",
        "--steps",
        "1",
    ];
    assert_eq!(fletch(&loose, &other).0, 0);
}

#[test]
fn a_heap_may_be_given_and_wrong_usage_is_said() {
    let (code, _, errors) = fletch(&["train", "-", "--check", "--measure", "lass"], LINE);
    assert_eq!(code, 2);
    assert!(
        errors.contains("no measure `lass`: the program has `loss`"),
        "{errors}"
    );
    let (code, _, errors) = fletch(&["train", "-", "--measure", "loss"], LINE);
    assert_eq!(code, 2);
    assert!(errors.contains("--check"), "{errors}");
    let (code, _, errors) = fletch(&["train", "-", "--check", "--step", "2"], LINE);
    assert_eq!(code, 2);
    assert!(errors.contains("between 0 and 1"), "{errors}");
    let (code, _, errors) = fletch(&["train", "-", "--check"], "main = ⌊1⌋");
    assert_eq!(code, 1);
    assert!(errors.contains("F0604"), "{errors}");
    // At its target the measure is flat, so nothing is said of the handler.
    let path =
        std::env::temp_dir().join(format!("fletch-{}-check.safetensors", std::process::id()));
    let path = path.to_str().unwrap();
    let one = LINE.replace(", ⟨2, [1, 0]⟩", "").replace("0.1 ·", "1 ·");
    assert_eq!(fletch(&["train", "-", "--save", path], &one).0, 0);
    let (code, output, _) = fletch(&["train", "-", "--check", "--load", path], &one);
    assert_eq!(code, 1);
    assert!(
        output.contains("does not change with any entry here"),
        "{output}"
    );
}
