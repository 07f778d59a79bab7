//! The values of networks on the forward pass and their statistics, compared with plain arithmetic.

use fletch_elaborate::{Files, with_items};
use fletch_runs::layers::statistics::{Statistics, Watch, json};
use fletch_runs::layers::{Activation, Layers};
use fletch_smooth::Tensor;

const MLP: &str = include_str!("../../../examples/mlp.fletch");

/// A network of three layers, with these weights in its first.
fn network(activation: &str, weights: &str, data: &str) -> String {
    format!(
        "loc ℓ0 ∷ (1, 3) = {weights}
loc ℓ1 ∷ (3, 1) = [1, 1, 1]
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R(x : Real(1)) : Real(1) =
  let z ⇐ FC[ℓ0](x) in let a ⇐ ⌊{activation}(z)⌋ in FC[ℓ1](a)
handler H(α : Real(1), t : Real(1)) : Real(1) {{
  x ↦ ⌊α · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}}
data d = {data}
train d as ⟨v, t⟩ for 1 epochs = rev handle(v)⟨x⟩. R(x) with H(0.5, t)
"
    )
}

fn program(source: &str) -> std::rc::Rc<fletch_syntax::tree::Program> {
    let checked = fletch_ide::check(source);
    assert!(!checked.rejected(), "{:#?}", checked.diagnostics);
    checked.program
}

fn heap(source: &str) -> Vec<(String, Tensor)> {
    with_items(&program(source), &Files::default(), |items| items.heap())
}

fn figures(source: &str) -> Statistics {
    let watch = Watch::new(
        &program(source),
        &Files::default(),
        0,
        Some(fletch_native::host),
    );
    watch.unwrap().unwrap().at(&heap(source))
}

#[test]
#[allow(clippy::disallowed_methods)] // Held to a tolerance.
fn layers_are_named_and_have_the_values_that_come_out() {
    let (files, tree) = (Files::default(), program(MLP));
    let heap = heap(MLP);
    let (mut of_train, mut of_prediction) = with_items(&tree, &files, |items| {
        let train = items.trains()[0];
        let samples = (0..4).map(|at| items.sample(train, at).unwrap()).collect();
        let prediction = items.predictions()[0];
        let zero = items.zero_input(prediction);
        let inputs = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
        let inputs = inputs.map(|input| vec![Tensor::vector(input.to_vec())]);
        let train = Layers::of_train(items, train, samples, None).unwrap();
        let inputs = inputs.to_vec();
        (
            train,
            Layers::of_prediction(items, prediction, &zero, inputs, None).unwrap(),
        )
    });
    let named = |layers: &Layers| -> Vec<String> {
        let layers = layers.layers.iter();
        let named = layers.map(|it| format!("{} {:?} {}", it.name, it.variable, it.value.len()));
        named.collect()
    };
    let expected = [
        "FC[ℓ0] Some(\"z_hid\") 8",
        "swish Some(\"x_hid\") 8",
        "FC[ℓ1] Some(\"z_out\") 1",
    ];
    assert_eq!(named(&of_train), expected);
    assert_eq!(named(&of_prediction), expected);
    assert!(
        of_train
            .layers
            .iter()
            .all(|layer| layer.cotangent.is_some())
    );
    assert!(of_train.layers.iter().all(|layer| layer.reads == [0]));
    of_train.load(&heap);
    of_prediction.load(&heap);
    let w: Vec<&[f64]> = heap.iter().map(|(_, contents)| contents.data()).collect();
    for (at, [a, b]) in [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
        .into_iter()
        .enumerate()
    {
        let z: Vec<f64> = w[0].chunks(2).map(|row| row[0] * a + row[1] * b).collect();
        let hidden: Vec<f64> = z.iter().map(|z| z / (1.0 + (-z).exp())).collect();
        let out: f64 = hidden.iter().zip(w[1]).map(|(x, w)| x * w).sum();
        for layers in [&mut of_train, &mut of_prediction] {
            let numbers = layers.at(at).unwrap();
            let of = |number: usize| numbers[layers.layers[number].value.clone()].to_vec();
            let expected = [z.clone(), hidden.clone(), vec![out]].concat();
            let found = [of(0), of(1), of(2)].concat();
            let near = expected
                .iter()
                .zip(&found)
                .all(|(x, y)| (x - y).abs() < 1e-12);
            assert!(near, "{expected:?} {found:?}");
        }
        let numbers = of_train.at(at).unwrap();
        let target = f64::from(u8::from(a != b));
        let last = of_train.layers[2].cotangent.clone().unwrap();
        assert!((numbers[last][0] - 0.1 * (out - target)).abs() < 1e-12);
    }
}

#[test]
fn a_unit_that_is_never_active_is_dead() {
    let found = figures(&network("relu", "[[1], [−1], [0]]", "[⟨1, 0⟩, ⟨2, 0⟩]"));
    let relu = &found.layers[1];
    assert_eq!((&*relu.name, relu.units, relu.dead), ("relu", 3, Some(2)));
    assert_eq!((relu.mean, relu.saturated), (0.5, None));
    // The second unit is active at one of the samples.
    let found = figures(&network("relu", "[[1], [−1], [0]]", "[⟨1, 0⟩, ⟨−2, 0⟩]"));
    assert_eq!(found.layers[1].dead, Some(1));
    // One sample does not show which units are dead.
    let found = figures(&network("relu", "[[1], [−1], [0]]", "[⟨1, 0⟩]"));
    assert_eq!(found.layers[1].dead, None);
}

#[test]
fn values_near_the_bounds_are_saturated() {
    let found = figures(&network("tanh", "[[9], [0.1], [−9]]", "[⟨1, 0⟩, ⟨2, 0⟩]"));
    assert_eq!(found.layers[1].saturated, Some(4.0 / 6.0));
    assert!(found.layers[0].saturated.is_none());
    let found = figures(&network(
        "sigmoid",
        "[[9], [0.1], [−0.1]]",
        "[⟨1, 0⟩, ⟨2, 0⟩]",
    ));
    assert_eq!(found.layers[1].saturated, Some(2.0 / 6.0));
    assert_eq!(
        Activation::of("rows[tanh]"),
        Some(Activation::Bounded(-1.0, 1.0))
    );
    assert_eq!(Activation::of("rd[tanh]"), None);
}

#[test]
fn what_comes_back_and_what_a_step_changes_are_norms() {
    let source = network("relu", "[[1], [2], [0]]", "[⟨1, 0⟩]");
    let found = figures(&source);
    assert_eq!(found.steps, (1, 1));
    // The output is 3, so the cotangent of the output is α (3 − 0) = 1.5; the weights 1, 1, 1 pass it to each hidden unit.
    let gradients: Vec<f64> = found.layers.iter().map(|it| it.gradient.unwrap()).collect();
    let expected = [1.5 * 2.0_f64.sqrt(), 1.5 * 3.0_f64.sqrt(), 1.5];
    let near = |x: &[f64], y: &[f64]| x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-12);
    assert!(near(&gradients, &expected), "{gradients:?}");
    let changes: Vec<f64> = found.places.iter().map(|it| it.change.unwrap()).collect();
    assert!(
        near(&changes, &[1.5 * 2.0_f64.sqrt(), 1.5 * 5.0_f64.sqrt()]),
        "{changes:?}"
    );
    assert_eq!(found.places[0].norm, 5.0_f64.sqrt());
    let written = json(&found);
    assert_eq!(written["layers"][1]["units"], 3);
    assert_eq!(written["locations"][0]["location"], "ℓ0");
}

#[test]
fn the_units_of_a_batch_are_told_from_its_samples() {
    let source = include_str!("../../../examples/minibatch.fletch");
    let found = figures(source);
    assert!(!found.layers.is_empty());
    for layer in &found.layers {
        assert!(layer.dead.is_some(), "{layer:?}");
    }
}

#[test]
fn the_way_back_of_an_inner_handler_is_on_the_way_out() {
    let found = figures(include_str!("../../../examples/unet_training.fletch"));
    let names: Vec<&str> = found.layers.iter().map(|layer| &*layer.name).collect();
    let of = |name: &str| names.iter().filter(|own| own.starts_with(name)).count();
    assert!(of("Conv1D") >= 3, "{names:?}");
    assert!(found.layers.iter().all(|layer| layer.gradient.is_some()));
}

#[test]
fn every_example_has_figures() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "fletch") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let checked = fletch_ide::check(&source);
        let watch = Watch::new(
            &checked.program,
            &Files::default(),
            0,
            Some(fletch_native::host),
        );
        let Some(mut watch) = watch.unwrap() else {
            continue;
        };
        let found = watch.at(&heap(&source));
        assert!(
            found.steps.0 > 0 && !found.layers.is_empty(),
            "{}",
            path.display()
        );
        assert!(!found.places.is_empty(), "{}", path.display());
    }
}
