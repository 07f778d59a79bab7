//! Handlers of the shelf, which the page inserts into a program: each trains the same weights as an equal
//! hand-written handler, in every engine.

use fletch_calculus::Tensor;
use fletch_elaborate::Files;
use fletch_engine::Precision;
use fletch_ide::{SHELF, check, insertion};
use fletch_runs::Engine;
use fletch_runs::training::{Course, train};
use fletch_trace::Budget;

const MLP: &str = include_str!("../../examples/mlp.fletch");
const TRAINED: &str =
    "train xor as ⟨v, t⟩ for 2000 epochs = rev handle(v)⟨x_in⟩. R_MLP(x_in) with H_MLP(0.1, t)\n";

/// Returns the perceptron with a handler of the shelf and only its training, for three epochs; for `None`,
/// with its own handler.
fn program(name: Option<&str>) -> String {
    let Some(name) = name else {
        return MLP.replace("2000 epochs", "3 epochs");
    };
    let made = insertion(MLP, &check(MLP), None, name).unwrap();
    let text = made.applied(MLP).replace(TRAINED, "");
    assert_eq!(
        text.matches("\ntrain ").count(),
        usize::from(name != "inference")
    );
    text.replace("2000 epochs", "3 epochs")
        .replace("100 epochs", "3 epochs")
}

/// Trains a program. Returns the contents of its weights, the locations whose names begin with ℓ.
fn weights(text: &str, engine: Engine) -> Vec<f64> {
    let checked = check(text);
    assert!(!checked.rejected(), "{text}");
    let course = Course {
        engine,
        epochs: None,
        budget: Budget::steps(1_000_000),
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    let (training, fault) = train(&checked.program, &Files::default(), course, |_, _| {});
    assert_eq!(fault, None, "{text}");
    let weights = training
        .heap
        .iter()
        .filter(|(name, _)| name.starts_with('ℓ'));
    weights
        .flat_map(|(_, tensor): &(String, Tensor)| tensor.data().to_vec())
        .collect()
}

#[track_caller]
fn assert_close(one: &[f64], other: &[f64]) {
    assert_eq!(one.len(), other.len());
    assert!(!one.is_empty());
    for (one, other) in one.iter().zip(other) {
        assert!((one - other).abs() < 1e-14, "{one} {other}");
    }
}

const COMPILED: Engine = Engine::Compiled(Precision::Double);

#[test]
fn every_handler_trains_alike_in_every_engine() {
    let before = weights(&program(None).replace("3 epochs", "0 epochs"), COMPILED);
    for on_shelf in SHELF.iter().filter(|it| it.name != "inference") {
        let text = program(Some(on_shelf.name));
        let compiled = weights(&text, COMPILED);
        assert_close(&weights(&text, Engine::Denotation), &compiled);
        assert_close(
            &weights(&text, Engine::Step { shortcuts: false }),
            &compiled,
        );
        assert_ne!(compiled, before, "{}", on_shelf.name);
    }
}

#[test]
fn descent_and_a_checkpoint_train_as_the_programs_own_handler() {
    let own = weights(&program(None), COMPILED);
    for name in ["descent", "checkpoint"] {
        assert_close(&weights(&program(Some(name)), COMPILED), &own);
    }
}

/// Returns the perceptron with another step in the backward clause of `FC`, made of the gradient `g`, and
/// with further locations (`books`) for the optimiser.
fn by_hand(books: &str, step: &str) -> String {
    let text = program(None);
    let step = format!("let g ⇐ ⌊y ∗ xᵀ⌋ in {step}");
    let text = text.replace("let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in", &step);
    text.replace("op FC", &format!("{books}\nop FC"))
}

#[test]
fn optimisers_are_those_that_one_writes_into_the_clause() {
    let velocity = "loc v[ℓ ∷ (n, m)] ∷ (n, m)";
    let squares = "loc b[ℓ ∷ (n, m)] ∷ (n, m)";
    let average = "loc a[ℓ ∷ (n, m)] ∷ (n, m)";
    let count = "loc s[ℓ ∷ (n, m)] ∷ (1)";
    let all = [average, squares, count].join("\n");
    let adam = "let k ⇐ Get[s[ℓ]]() in let _ ⇐ Put[s[ℓ]](k + 1) in
        let a ⇐ Get[a[ℓ]]() in let a' ⇐ ⌊0.9 · a + 0.1 · g⌋ in let _ ⇐ Put[a[ℓ]](a') in
        let b ⇐ Get[b[ℓ]]() in let b' ⇐ ⌊0.999 · b + 0.001 · square(g)⌋ in let _ ⇐ Put[b[ℓ]](b') in
        let d ⇐ ⌊(recip(1 − pow(0.9, k + 1)) · a') / (sqrt(recip(1 − pow(0.999, k + 1)) · b') + broadcast(1e-8))⌋ in";
    // The rate is the step size of the return clause. It is 1 for handlers that expect the gradient itself.
    for (name, rate, books, step) in [
        (
            "momentum",
            "0.1",
            velocity,
            "let v ⇐ Get[v[ℓ]]() in let v' ⇐ ⌊0.9 · v + g⌋ in let _ ⇐ Put[v[ℓ]](v') in let _ ⇐ Put[ℓ](w − v') in".to_owned(),
        ),
        ("adam", "1", &all, format!("{adam} let _ ⇐ Put[ℓ](w − 0.01 · d) in")),
        ("adamw", "1", &all, format!("{adam} let _ ⇐ Put[ℓ](w − 0.01 · (d + 0.01 · w)) in")),
        (
            "rmsprop",
            "1",
            squares,
            "let b ⇐ Get[b[ℓ]]() in let b' ⇐ ⌊0.9 · b + 0.1 · square(g)⌋ in let _ ⇐ Put[b[ℓ]](b') in
             let _ ⇐ Put[ℓ](w − 0.01 · (g / (sqrt(b') + broadcast(1e-8)))) in".to_owned(),
        ),
        (
            "lion",
            "1",
            average,
            "let a ⇐ Get[a[ℓ]]() in let _ ⇐ Put[a[ℓ]](0.99 · a + 0.01 · g) in
             let _ ⇐ Put[ℓ](w − 0.001 · (sign(0.9 · a + 0.1 · g) + 0.01 · w)) in".to_owned(),
        ),
        ("clip", "1", "", "let _ ⇐ Put[ℓ](w − 0.1 · clamp(−0.5, 0.5, g)) in".to_owned()),
        (
            "clip_norm",
            "1",
            "",
            "let _ ⇐ Put[ℓ](w − 0.1 · (recip(sqrt(max(1, 2 · half_sq(g)))) · g)) in".to_owned(),
        ),
        ("decay", "0.1", "", "let _ ⇐ Put[ℓ](w − g − 0.0001 · w) in".to_owned()),
        ("l1", "0.1", "", "let _ ⇐ Put[ℓ](w − g − clamp(−0.0001, 0.0001, w − g)) in".to_owned()),
        (
            "warmup",
            "0.1",
            count,
            "let k ⇐ Get[s[ℓ]]() in let _ ⇐ Put[s[ℓ]](k + 1) in let _ ⇐ Put[ℓ](w − (0.01 · (k + 1)) · g) in".to_owned(),
        ),
        (
            "cosine",
            "0.1",
            count,
            "let k ⇐ Get[s[ℓ]]() in let _ ⇐ Put[s[ℓ]](k + 1) in
             let _ ⇐ Put[ℓ](w − (0.5 + 0.5 · cos(3.141592653589793 · (k / 2000))) · g) in".to_owned(),
        ),
    ] {
        let text = by_hand(books, &step).replace("H_MLP(0.1, t)", &format!("H_MLP({rate}, t)"));
        assert_close(&weights(&program(Some(name)), COMPILED), &weights(&text, COMPILED));
    }
}

#[test]
fn a_batch_of_a_handler_is_that_of_a_matrix() {
    // The batch has all four samples, so its step uses the mean of their gradients at the same weights.
    let text = program(Some("batch"));
    let batch = weights(&text, COMPILED);
    let rows = "
command R_all(x_in : Real(n_in × 4)) : Real(n_out × 4) =
  let z_hid ⇐ FC_all[ℓ0](x_in) in FC_all[ℓ1](swish(z_hid))
op FC_all[ℓ ∷ (n, m)] : Real(n × 4) ▷ Real(m × 4)
handler H_all(α : Real(1), t : Real(n_out × 4)) : Real(n_out × 4) {
  x ↦ ⌊(α / 4) · (x − t)⌋
  FC_all[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                     | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
train xor by 4 as ⟨v, t⟩ for 3 epochs = rev handle(v)⟨x_in⟩. R_all(x_in) with H_all(0.1, t)
";
    let own = MLP.replace(TRAINED, "") + rows;
    assert_close(&batch, &weights(&own, COMPILED));
    // An epoch without a full batch leaves the weights unchanged.
    let three = text
        .replace("H_batch(4)", "H_batch(5)")
        .replace("3 epochs", "1 epochs");
    let none = text.replace("3 epochs", "0 epochs");
    assert_eq!(weights(&three, COMPILED), weights(&none, COMPILED));
}
