#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use super::{ChainEdit, EditKind, chain_edits};
use crate::check::check;

const MLP: &str = include_str!("../../../../examples/mlp.fletch");
const CIRCLES: &str = include_str!("../../../../examples/circles.fletch");
const SPIRALS: &str = include_str!("../../../../examples/spirals.fletch");
const MINIBATCH: &str = include_str!("../../../../examples/minibatch.fletch");

fn offered(source: &str) -> Vec<ChainEdit> {
    chain_edits(source, &check(source), None, None)
}

/// The text after an edit.
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
    offered
        .filter(|edit| edit.title.starts_with("Add a layer"))
        .collect()
}

/// The text after the edit with this title; it has no errors.
#[track_caller]
fn by_title(source: &str, title: &str) -> String {
    let all = offered(source);
    let Some(edit) = all.iter().find(|edit| edit.title == title) else {
        let titles: Vec<&String> = all.iter().map(|edit| &edit.title).collect();
        panic!("{title}: {titles:?}");
    };
    let text = after(source, edit);
    assert!(!check(&text).rejected(), "{text}");
    text
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
    // A further layer can be added to the result.
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
    let of_first = found.iter().filter_map(|edit| match &edit.kind {
        EditKind::Choice { of, before, after } if of == "Activation in tanh(z)" => {
            assert_eq!(before, "tanh");
            Some(&**after)
        }
        _ => None,
    });
    let names: Vec<&str> = of_first.collect();
    assert_eq!(names, ["relu", "sigmoid", "swish", "gelu", "softplus"]);
    let relu = found.iter().find(|edit| {
        matches!(&edit.kind, EditKind::Choice { of, after, .. } if of == "Activation in tanh(z')" && after == "relu")
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
    assert!(layers(&MLP.replace("swish(z_hid)", "swish(z_hid) + z_hid")).is_empty());
    // A second use of the value prevents the edit.
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
        for edit in offered(&source) {
            count += usize::from(edit.title.starts_with("Add a layer"));
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

#[test]
fn a_layer_that_was_added_is_removed_again() {
    let more = by_title(MLP, "Add a layer after z_hid: FC[ℓ2], swish");
    assert_eq!(by_title(&more, "Remove the layer z_hid: FC[ℓ0], swish"), {
        // The first location is removed, and the new layer takes the input.
        let text = more.replace("loc ℓ0 ∷ (n_in, n_hid)  = glorot(seed: 1)\n", "");
        let text = text.replace("  let z_hid ⇐ FC[ℓ0](x_in) in\n", "");
        text.replace("(n_hid, n_hid)", "(n_in, n_hid)")
            .replace("swish(z_hid)", "x_in")
    });
    let fewer = by_title(&more, "Remove the layer z_hid': FC[ℓ2], swish");
    assert_eq!(fewer, MLP);
}

#[test]
fn the_last_hidden_layer_leaves_a_perceptron() {
    let text = by_title(MLP, "Remove the layer z_hid: FC[ℓ0], swish");
    assert!(
        text.contains("loc ℓ1 ∷ (n_in, n_out) = glorot(seed: 2)"),
        "{text}"
    );
    assert!(text.contains("  let x_hid ⇐ ⌊x_in⌋ in\n"), "{text}");
    assert!(!text.contains("ℓ0 ∷"), "{text}");
}

#[test]
fn a_location_that_stands_elsewhere_too_is_left() {
    let tied = "loc w ∷ (2, 2) = glorot(seed: 1)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command Net(x : Real(2)) : Real(2) =
  let a ⇐ FC[w](x) in
  let b ⇐ FC[w](tanh(a)) in
  ⌊tanh(b)⌋
";
    let fewer = by_title(tied, "Remove the layer b: FC[w], tanh");
    assert!(fewer.contains("loc w ∷"), "{fewer}");
    assert!(
        fewer.contains("  let a ⇐ FC[w](x) in\n  ⌊tanh(a)⌋\n"),
        "{fewer}"
    );
    let none = by_title(&fewer, "Remove the layer a: FC[w], tanh");
    assert!(!none.contains("loc w ∷"), "{none}");
}

#[test]
fn inputs_are_there_or_not() {
    let squares = by_title(MLP, "Give FC[ℓ0] square(x_in) too");
    assert!(
        squares.contains("FC[ℓ0](concat[2, 2, 1](x_in, square(x_in)))"),
        "{squares}"
    );
    assert!(squares.contains("loc ℓ0 ∷ (n_in + 2, n_hid)"), "{squares}");
    let product = "([[1, 0]] ∗ x_in) ⊙ ([[0, 1]] ∗ x_in)";
    let both = by_title(&squares, &format!("Give FC[ℓ0] {product} too"));
    assert!(
        both.contains(&format!(
            "concat[4, 1, 1](concat[2, 2, 1](x_in, square(x_in)), {product})"
        )),
        "{both}"
    );
    assert!(both.contains("loc ℓ0 ∷ (n_in + 3, n_hid)"), "{both}");
    let on = offered(&both)
        .into_iter()
        .filter_map(|edit| match edit.kind {
            EditKind::Switch { of, name, on } => {
                assert_eq!(of, "Inputs of FC[ℓ0]");
                Some((name, on))
            }
            _ => None,
        });
    let expected = [
        ("square(x_in)", true),
        ("product of the two", true),
        ("sin(x_in)", false),
    ];
    assert_eq!(
        on.collect::<Vec<_>>(),
        expected.map(|(name, on)| (name.to_owned(), on))
    );
    let less = by_title(&both, "Take square(x_in) away from the inputs of FC[ℓ0]");
    assert!(less.contains("loc ℓ0 ∷ (n_in + 1, n_hid)"), "{less}");
    assert_eq!(
        by_title(
            &less,
            &format!("Take {product} away from the inputs of FC[ℓ0]")
        ),
        MLP
    );
}

#[test]
fn a_product_is_for_two_inputs_and_numbers_grow_as_names_do() {
    let five = MLP
        .replace("n_in = 2", "n_in = 5")
        .replace("(n_in, n_hid)", "(5, n_hid)");
    let five = five.replace(
        "[⟨[0, 0], [0]⟩, ⟨[0, 1], [1]⟩, ⟨[1, 0], [1]⟩, ⟨[1, 1], [0]⟩]",
        "[⟨[1, 2, 3, 4, 5], [0]⟩]",
    );
    let five = five.replace("handle([1, 0])", "handle([1, 2, 3, 4, 5])");
    let switches = offered(&five)
        .into_iter()
        .filter(|edit| matches!(edit.kind, EditKind::Switch { .. }));
    assert_eq!(switches.count(), 2);
    let sines = by_title(&five, "Give FC[ℓ0] sin(x_in) too");
    assert!(sines.contains("loc ℓ0 ∷ (10, n_hid)"), "{sines}");
    assert_eq!(
        by_title(&sines, "Take sin(x_in) away from the inputs of FC[ℓ0]"),
        five
    );
}

#[test]
fn a_generator_takes_the_place_of_another_wherever_it_is_called() {
    let text = by_title(CIRCLES, "Use quadrants in the place of circles");
    assert!(
        text.contains("data points = quadrants(n: 200, noise: 0.1, seed: 1)"),
        "{text}"
    );
    assert!(
        text.contains("data unseen = quadrants(n: 200, noise: 0.1, seed: 2)"),
        "{text}"
    );
    let text = by_title(CIRCLES, "Use xor in the place of circles");
    assert!(text.contains("data unseen = xor\n"), "{text}");
    let text = by_title(&text, "Use moons in the place of xor");
    assert!(
        text.contains("data unseen = moons(n: 200, noise: 0.1, seed: 1)\n"),
        "{text}"
    );
    // A generator of classes is not replaced by one of heights.
    let hills = offered(CIRCLES)
        .into_iter()
        .filter(|edit| edit.title.contains("hills"));
    assert_eq!(hills.count(), 0);
    // Samples of another type are left alone.
    let glyphs = include_str!("../../../../examples/softmax_glyphs.fletch");
    let data = offered(glyphs)
        .into_iter()
        .filter(|edit| matches!(&edit.kind, EditKind::Choice { of, .. } if of.starts_with("Data")));
    assert_eq!(data.count(), 0);
}

#[test]
fn written_samples_give_way_to_a_generator() {
    let text = by_title(MLP, "Use moons in the place of the samples of xor");
    assert!(
        text.contains("\ndata xor = moons(n: 200, noise: 0.1, seed: 1)\n"),
        "{text}"
    );
}

#[test]
fn a_part_of_the_data_is_kept_for_a_test() {
    let text = by_title(CIRCLES, "Keep a fifth of points for a test");
    let expected = "data points_all = circles(n: 200, noise: 0.1, seed: 1)
data points = take(shuffle(points_all, seed: 1), 160)
data points_test = drop(shuffle(points_all, seed: 1), 160)
";
    assert!(text.contains(expected), "{text}");
    assert!(
        text.contains("\nmeasure loss_test on points_test as ⟨v, t⟩ = let y ⇐"),
        "{text}"
    );
    // A data set is split once only, and four samples are too few.
    for source in [&*text, MLP] {
        assert!(
            offered(source)
                .iter()
                .all(|edit| !edit.title.starts_with("Keep"))
        );
    }
}
