#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use super::{ChainEdit, chain_edits};
use crate::check::check;

const MLP: &str = include_str!("../../../../examples/mlp.fletch");
const SPIRALS: &str = include_str!("../../../../examples/spirals.fletch");
const MINIBATCH: &str = include_str!("../../../../examples/minibatch.fletch");

fn offered(source: &str) -> Vec<ChainEdit> {
    chain_edits(source, &check(source), None, None)
}

/// A text with the changes of an edit.
fn after(source: &str, edit: &ChainEdit) -> String {
    let units: Vec<u16> = source.encode_utf16().collect();
    let mut text = Vec::new();
    let mut at = 0;
    for change in &edit.edits {
        text.extend_from_slice(&units[at..change.from as usize]);
        text.extend(change.insert.encode_utf16());
        at = change.to as usize;
    }
    text.extend_from_slice(&units[at..]);
    String::from_utf16(&text).unwrap()
}

fn layers(source: &str) -> Vec<ChainEdit> {
    let offered = offered(source).into_iter();
    offered.filter(|edit| edit.activation.is_none()).collect()
}

#[test]
fn a_layer_has_locations_and_a_variable_of_its_own() {
    let found = layers(MLP);
    let titles: Vec<&str> = found.iter().map(|edit| &*edit.title).collect();
    assert_eq!(titles, ["Add a layer after z_hid: FC[ℓ2], swish"]);
    let text = after(MLP, &found[0]);
    assert!(
        text.contains("glorot(seed: 1)\nloc ℓ2 ∷ (n_hid, n_hid) = glorot(seed: 3)\n"),
        "{text}"
    );
    let command = "  let z_hid ⇐ FC[ℓ0](x_in) in
  let z_hid' ⇐ FC[ℓ2](swish(z_hid)) in
  let x_hid ⇐ ⌊swish(z_hid')⌋ in
";
    assert!(text.contains(command), "{text}");
    // And once more.
    let next = layers(&text);
    assert_eq!(next.len(), 2);
    assert!(next[1].title.contains("FC[ℓ3]"), "{}", next[1].title);
    assert!(!check(&after(&text, &next[1])).rejected());
}

#[test]
fn every_location_of_a_layer_is_made() {
    let found = layers(SPIRALS);
    assert_eq!(found.len(), 2, "{found:?}");
    let text = after(SPIRALS, &found[0]);
    assert!(
        text.contains("loc w3 ∷ (n_hid, n_hid) = he(seed: 4)"),
        "{text}"
    );
    assert!(text.contains("loc b3 ∷ (n_hid)\n"), "{text}");
    assert!(
        text.contains("let z'' ⇐ Dense[w3, b3](tanh(z)) in"),
        "{text}"
    );
    assert!(!check(&text).rejected());
}

#[test]
fn sizes_that_a_call_leaves_out_are_left_out_again() {
    let found = layers(MINIBATCH);
    assert_eq!(found.len(), 1);
    let text = after(MINIBATCH, &found[0]);
    assert!(
        text.contains("let z_hid' ⇐ FC[ℓ2](swish(z_hid)) in"),
        "{text}"
    );
    assert!(!check(&text).rejected());
}

#[test]
fn another_activation_takes_the_place_of_one() {
    let found = offered(SPIRALS);
    let of_first = found.iter().filter_map(|edit| edit.activation.as_ref());
    let of_first = of_first.filter(|it| it.call == "tanh(z)" && it.before == "tanh");
    let names: Vec<&str> = of_first.map(|it| &*it.after).collect();
    assert_eq!(names, ["relu", "sigmoid", "swish", "gelu", "softplus"]);
    let relu = found.iter().find(|edit| {
        edit.activation
            .as_ref()
            .is_some_and(|it| it.call == "tanh(z')" && it.after == "relu")
    });
    let text = after(SPIRALS, relu.unwrap());
    assert!(
        text.contains("tanh(z)) in\n  Dense[w2, b2](relu(z'))"),
        "{text}"
    );
}

#[test]
fn nothing_is_offered_where_it_would_not_check() {
    assert!(offered("let").is_empty());
    assert!(
        offered(&MLP.replace("swish(z_hid)", "swish(z_hid) + z_hid"))
            .iter()
            .all(|edit| edit.activation.is_some())
    );
    // A value that goes elsewhere too breaks the chain.
    let residual = MLP.replace(
        "let z_out ⇐ FC[ℓ1](x_hid)",
        "let z_out ⇐ FC[ℓ1](x_hid + z_hid)",
    );
    assert!(layers(&residual).is_empty());
}

#[test]
fn all_that_is_offered_for_the_examples_checks() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "fletch") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for edit in layers(&source) {
            count += 1;
            assert!(
                !check(&after(&source, &edit)).rejected(),
                "{}: {}",
                path.display(),
                edit.title
            );
        }
    }
    assert!(count > 5, "{count} layers are offered");
}
