//! Expected outcomes of runs of the examples: inference, gradient descent, and the update rules of the optimisers.

use crate::examples::dual::{Dual, Heap, Weights, duals, gradient};

/// Outcome of a run: the entries of the components of its value, in order, and its heap.
pub(crate) struct Outcome {
    pub(crate) value: Vec<f64>,
    pub(crate) heap: Heap,
}

/// A forward pass, which leaves the heap unchanged.
pub(crate) fn inference(
    heap: &Heap,
    input: &[f64],
    network: impl Fn(&Weights, &[Dual]) -> Vec<Dual>,
) -> Outcome {
    let output = network(&Weights::constant(heap), &duals(input));
    Outcome {
        value: output.iter().map(|x| x.value).collect(),
        heap: heap.clone(),
    }
}

/// One step of an optimiser for these layers; `update` applies the gradient of a layer. The value is the gradient of the input.
pub(crate) fn step(
    heap: &Heap,
    layers: &[&str],
    input: &[f64],
    loss: impl Fn(&Weights, &[Dual]) -> Dual,
    update: impl Fn(&mut Heap, &str, &[f64]),
) -> Outcome {
    let (gradients, value) = gradient(heap, layers, input, loss);
    let mut heap = heap.clone();
    for (layer, gradient) in &gradients {
        update(&mut heap, layer, gradient);
    }
    Outcome { value, heap }
}

/// One step of gradient descent for these layers. The learning rate is the scale of the loss.
pub(crate) fn descent(
    heap: &Heap,
    layers: &[&str],
    input: &[f64],
    loss: impl Fn(&Weights, &[Dual]) -> Dual,
) -> Outcome {
    step(heap, layers, input, loss, |heap, layer, gradient| {
        subtract(heap, layer, 1.0, gradient);
    })
}

/// Updates w ← w − rate·g.
pub(crate) fn subtract(heap: &mut Heap, layer: &str, rate: f64, gradient: &[f64]) {
    let weights = heap.get_mut(layer).unwrap().iter_mut();
    weights.zip(gradient).for_each(|(w, g)| *w -= rate * g);
}

/// Updates v ← μ·v + g, then w ← w − v.
pub(crate) fn momentum(heap: &mut Heap, layer: &str, μ: f64, gradient: &[f64]) {
    let velocity = heap.get_mut(&format!("velocity[{layer}]")).unwrap();
    velocity
        .iter_mut()
        .zip(gradient)
        .for_each(|(v, g)| *v = μ * *v + g);
    let velocity = velocity.clone();
    subtract(heap, layer, 1.0, &velocity);
}

/// Updates by Adam: Kingma and Ba, Algorithm 1, with β₁ = 0.9, β₂ = 0.999 and ε = 10⁻⁸.
pub(crate) fn adam(heap: &mut Heap, layer: &str, rate: f64, gradient: &[f64]) {
    let (β1, β2, ε) = (0.9, 0.999, 1e-8);
    let [mut mean, mut variance, mut steps] =
        ["mean", "variance", "steps"].map(|family| heap[&format!("{family}[{layer}]")].clone());
    steps[0] += 1.0;
    let k = steps[0] as i32;
    let mut moves = Vec::new();
    for (at, g) in gradient.iter().enumerate() {
        mean[at] = β1 * mean[at] + (1.0 - β1) * g;
        variance[at] = β2 * variance[at] + (1.0 - β2) * g * g;
        let unbiased_mean = mean[at] / (1.0 - β1.powi(k));
        let unbiased_variance: f64 = variance[at] / (1.0 - β2.powi(k));
        moves.push(unbiased_mean / (unbiased_variance.sqrt() + ε));
    }
    subtract(heap, layer, rate, &moves);
    for (family, numbers) in [("mean", mean), ("variance", variance), ("steps", steps)] {
        heap.insert(format!("{family}[{layer}]"), numbers);
    }
}

/// Returns the sum of the squares.
pub(crate) fn squares(gradient: &[f64]) -> f64 {
    gradient.iter().map(|g| g * g).sum()
}
