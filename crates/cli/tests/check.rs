//! `fletch train --check`: verdicts on standard output, and exit codes.

use crate::common::fletch;
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
    // No single step is along a gradient either, while a large tolerance accepts all of them.
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
    // The measure is flat at its minimum, so the check gives no verdict on the handler.
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

#[test]
fn an_item_is_named_by_its_line_and_handlers_and_can_be_asked_for() {
    let program = "loc w ∷ (1) = [1]
data d = [⟨1, 2⟩, ⟨2, 3⟩]
handler Down(t : Real(1)) : Real(1) { x ↦ ⌊x − t⌋
  Get[w] ( u ↦ let v ⇐ Get[w]() in ⌊⟨v, ()⟩⌋ | g, _ ↦ let v ⇐ Get[w]() in let _ ⇐ Put[w](v − 0.1 · g) in ⌊()⌋ ) }
handler Up(t : Real(1)) : Real(1) extends Down(t) {
  Get[w] ( u ↦ let v ⇐ Get[w]() in ⌊⟨v, ()⟩⌋ | g, _ ↦ let v ⇐ Get[w]() in let _ ⇐ Put[w](v + 0.1 · g) in ⌊()⌋ ) }
command P(x : Real(1)) : Real(1) = let v ⇐ Get[w]() in ⌊v · x⌋
train d as ⟨x, t⟩ for 1 epochs = rev handle(x)⟨x⟩. P(x) with Down(t)

train d as ⟨x, t⟩ for 1 epochs = rev handle(x)⟨x⟩. P(x) with Up(t)
measure loss on d as ⟨x, t⟩ = let y ⇐ P(x) in ⌊half_sq(y − t)⌋
";
    let check = |more: &[&str]| {
        let all = [&["train", "-", "--check"], more].concat();
        fletch(&all, program)
    };
    let down = "`train d`, line 8, with `Down(t)`\n";
    let up = "`train d`, line 10, with `Up(t)`\n";
    let (code, output, _) = check(&[]);
    assert_eq!(code, 1);
    assert!(output.starts_with(down) && output.contains(up), "{output}");
    for (item, expected, exit) in [
        ("1", down, 0),
        ("Down", down, 0),
        ("2", up, 1),
        ("Up", up, 1),
    ] {
        let (code, output, errors) = check(&["--item", item]);
        assert_eq!(code, exit, "{output}{errors}");
        assert!(output.starts_with(expected), "{output}");
        assert_eq!(output.matches("`train d`, line").count(), 1);
    }
    let (_, output, _) = check(&["--item", "d", "--json"]);
    let json: Value = serde_json::from_str(&output).unwrap();
    let line = |number: usize| json["checks"][number]["line"].as_u64().unwrap();
    assert_eq!((line(0), line(1)), (8, 10));
    assert_eq!(json["checks"][1]["handlers"][0], "Up(t)");
    let (code, _, errors) = check(&["--item", "3"]);
    let known = "there is no `train` item `3`: 1 is `train d`, line 8, with `Down(t)`; 2 is";
    assert!(code == 2 && errors.contains(known), "{errors}");
}
