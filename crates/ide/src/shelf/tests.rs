#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use super::{SHELF, Unfit, insertion};
use crate::check::check;

const MLP: &str = include_str!("../../../../examples/mlp.fletch");
const CNN: &str = include_str!("../../../../examples/cnn.fletch");
const GRU: &str = include_str!("../../../../examples/gru.fletch");
const ADAM: &str = include_str!("../../../../examples/sgd_and_adam.fletch");
const TRANSFORMER: &str = include_str!("../../../../examples/transformer.fletch");

fn inserted(name: &str, source: &str) -> Result<String, Unfit> {
    let made = insertion(source, &check(source), None, name)?;
    Ok(made.applied(source))
}

/// The lines that a text has in addition to another.
fn added(before: &str, after: &str) -> String {
    let mut rest = before.lines().peekable();
    let lines = after.lines().filter(|line| rest.next_if_eq(line).is_none());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[test]
fn all_of_the_shelf_fits_a_perceptron() {
    for on_shelf in &SHELF {
        let text = inserted(on_shelf.name, MLP).unwrap();
        let found = check(&text).diagnostics;
        assert!(found.is_empty(), "{}: {found:?}\n{text}", on_shelf.name);
    }
}

#[test]
fn momentum_is_written_for_the_shapes_that_there_are() {
    let text = inserted("momentum", MLP).unwrap();
    let expected = "\
-- Momentum, around any optimiser: what a step of it changes is a push, and a velocity moves the weights.
loc velocity[ℓ ∷ (n, m)] ∷ (n, m)
handler H_momentum[a](μ : Real(1)) : Real(a) ⇒ Real(a) {
  x ↦ ⌊x⌋
  Put[ℓ ∷ (n, m)], k; w' ↦ let w ⇐ Get[ℓ]() in
                           let v ⇐ Get[velocity[ℓ]]() in
                           let v' ⇐ ⌊μ · v + (w − w')⌋ in
                           let _ ⇐ Put[velocity[ℓ]](v') in
                           let _ ⇐ Put[ℓ](w − v') in
                           k • ()
}

train xor as ⟨v, t⟩ for 2000 epochs =
  handle (rev handle(v)⟨x_in⟩. R_MLP(x_in) with H_MLP(0.1, t)) with H_momentum(0.9)";
    assert_eq!(added(MLP, &text), expected);
}

#[test]
fn a_gradient_is_one_where_the_step_size_inside_is_one() {
    let text = inserted("adam", MLP).unwrap();
    assert!(
        text.contains("with H_MLP(1, t)) with H_adam(0.01, 0.9, 0.999)"),
        "{text}"
    );
    // The item of the program is unchanged.
    assert!(text.contains("R_MLP(x_in) with H_MLP(0.1, t)\n"), "{text}");
}

#[test]
fn each_rank_has_a_clause_and_families_of_its_own() {
    let text = inserted("momentum", CNN).unwrap();
    for part in [
        "loc velocity_3[ℓ ∷ (n, m, p)] ∷ (n, m, p)",
        "loc velocity_2[ℓ ∷ (n, m)] ∷ (n, m)",
        "Put[ℓ ∷ (n, m, p)], k; w' ↦",
        "Get[velocity_2[ℓ]]",
        "command Step() =",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn names_that_a_program_has_are_left_to_it() {
    let once = inserted("momentum", MLP).unwrap();
    // The first item still puts nothing but weights.
    let twice = inserted("momentum", &once).unwrap();
    assert!(twice.contains("loc velocity2[ℓ ∷ (n, m)]"), "{twice}");
    assert!(twice.contains("handler H_momentum2[a]"), "{twice}");
    assert!(!check(&twice).rejected());
}

#[test]
fn a_handler_that_keeps_books_is_not_handled_again() {
    let text = inserted("decay", ADAM).unwrap();
    assert!(
        text.contains("H_SGD(0.1, t)) with H_decay(0.0001)"),
        "{text}"
    );
    let alone = ADAM.replace(
        "train xor as ⟨v, t⟩ for 500 epochs = rev handle(v)⟨x⟩. R(x) with H_SGD(0.1, t)\n",
        "",
    );
    let Err(Unfit::Lacks(why)) = inserted("decay", &alone) else {
        panic!("decay fits");
    };
    assert!(why.contains("puts steps too"), "{why}");
}

#[test]
fn books_in_a_single_location_pass() {
    let counting = MLP.replace("op FC", "loc count ∷ (1)\nop FC").replace(
        "let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in\n",
        "let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in\n let n ⇐ Get[count]() in let _ ⇐ Put[count](n + 1) in\n",
    );
    let text = inserted("momentum", &counting).unwrap();
    assert!(
        text.contains("Put[count], k; x ↦ let _ ⇐ Put[count](x) in k • ()"),
        "{text}"
    );
    assert!(!text.contains("velocity_1"), "{text}");
}

#[test]
fn inference_is_the_way_out_of_the_clauses() {
    let text = added(CNN, &inserted("inference", CNN).unwrap());
    let expected = "\
-- Inference: the network runs forward, and nothing is kept for a way back.
handler H_infer : Real(n_out) ⇒ Real(n_out) {
  x ↦ ⌊x⌋
  Conv1D[n, ℓ ∷ (m, c, c')], k; x ↦ let w ⇐ Get[ℓ]() in k • conv1d[n, m, c, c'](x, w)
  MaxPool1D[n, m, c], k; x ↦ k • maxpool1d[n, m, c](x)
  FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)
}

predict output(x_in : Real(c_in * n_in)) = handle R_CNN(x_in) with H_infer";
    assert_eq!(text, expected);
}

#[test]
fn descent_follows_from_inference() {
    let text = added(MLP, &inserted("descent", MLP).unwrap());
    assert!(text.contains("let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in"), "{text}");
    assert!(
        text.contains("train xor as ⟨x_in', t⟩ for 100 epochs"),
        "{text}"
    );
    let text = added(CNN, &inserted("descent", CNN).unwrap());
    assert!(
        text.contains("let ⟨x', w'⟩ ⇐ ⌊rd[conv1d[n, m, c, c']](⟨x, w⟩, y)⌋ in"),
        "{text}"
    );
}

#[test]
fn operations_that_no_clause_speaks_of_are_matrix_products() {
    let bare = "\
loc a ∷ (2, 3) = glorot(seed: 1)
loc b ∷ (3)
op Dense[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Shift[ℓ ∷ (n)] : Real(n) ▷ Real(n)
command Net(x : Real(2)) : Real(3) =
  let y ⇐ Dense[a](x) in
  Shift[b](tanh(y))
data d = [⟨[1, 2], [0, 0, 1]⟩]
";
    let text = inserted("inference", bare).unwrap();
    assert!(
        text.contains("Shift[ℓ ∷ (n)], k; x ↦ let w ⇐ Get[ℓ]() in k • (x + w)"),
        "{text}"
    );
    let text = inserted("descent", bare).unwrap();
    assert!(text.contains("train d as ⟨x', t⟩"), "{text}");
    let text = inserted("adam", &text).unwrap();
    assert!(text.contains("loc mean_1[ℓ ∷ (n)] ∷ (n)"), "{text}");
    assert!(
        check(&text).diagnostics.is_empty(),
        "{:?}",
        check(&text).diagnostics
    );
}

#[test]
fn a_checkpoint_runs_the_network_again() {
    let text = added(MLP, &inserted("checkpoint", MLP).unwrap());
    assert!(
        text.contains("op Segment : Real(n_in) ▷ Real(n_out)"),
        "{text}"
    );
    assert!(
        text.contains("train xor as ⟨v, t⟩ for 2000 epochs = rev handle(v)⟨x_in⟩. Segment(x_in) with H_checkpoint(0.1, t)"),
        "{text}"
    );
}

#[test]
fn optimisers_go_around_what_reads_its_weights_once_and_around_batches() {
    for source in [GRU, TRANSFORMER] {
        let text = inserted("adam", source).unwrap();
        assert!(!check(&text).rejected(), "{text}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_a_reason() {
    assert_eq!(inserted("adm", MLP), Err(Unfit::Unknown(Some("adam"))));
    assert_eq!(inserted("xyzzy", MLP), Err(Unfit::Unknown(None)));
    assert_eq!(inserted("adam", "main = ⌊"), Err(Unfit::Rejected));
    let lacks = |name: &str, source: &str| match inserted(name, source) {
        Err(Unfit::Lacks(why)) => why,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(
        lacks("adam", "fun one() = 1"),
        "no command is trained, and there is no main"
    );
    assert_eq!(lacks("adam", "main = ⌊1⌋"), "there is no location to train");
    assert_eq!(lacks("checkpoint", GRU), "the program has no operations");
    let indexed = MLP
        .replace("R_MLP(", "R_MLP[1](")
        .replace("command R_MLP[1](", "command R_MLP[k](");
    assert!(lacks("checkpoint", &indexed).contains("has indices"));
    let odd = "op Odd : Real(2) ▷ Real(3)\ncommand N(x : Real(2)) : Real(3) = Odd(x)";
    assert!(lacks("inference", odd).contains("nothing says what Odd computes"));
}

#[test]
fn a_clause_that_ends_without_its_continuation_is_no_forward_computation() {
    let stopping = "\
loc w ∷ (2, 2)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command N(x : Real(2)) : Real(2) = FC[w](x)
handler H_stop : Real(2) ⇒ Real(2) { x ↦ ⌊x⌋  FC[ℓ ∷ (n, m)], k; x ↦ ⌊[1, 2]⌋ }
main = handle N([1, 1]) with H_stop";
    for name in ["inference", "descent"] {
        let Err(Unfit::Lacks(why)) = inserted(name, stopping) else {
            panic!("{name} fits");
        };
        assert!(
            why.starts_with("the clause for FC does not end with"),
            "{why}"
        );
    }
    let pair = stopping.replace("↦ ⌊[1, 2]⌋", "↦ let w ⇐ Get[ℓ]() in ⌊w ∗ x⌋");
    assert!(inserted("inference", &pair).is_err());
    let resumed = stopping.replace("↦ ⌊[1, 2]⌋", "↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)");
    assert!(inserted("inference", &resumed).is_ok());
}

#[test]
fn places_and_line_ends_of_the_text_are_kept() {
    let windows = MLP.replace('\n', "\r\n");
    let text = inserted("momentum", &windows).unwrap();
    assert!(!check(&text).rejected());
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    let made = insertion(MLP, &check(MLP), None, "clip").unwrap();
    let units: Vec<u16> = made.applied(MLP).encode_utf16().collect();
    let name = String::from_utf16(&units[made.from as usize..made.to as usize]).unwrap();
    assert_eq!(name, "H_clip");
}
