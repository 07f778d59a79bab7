//! Forward passes of the examples, each a function of weights and input.

use crate::examples::dual::{Dual, Weights, duals};
use crate::examples::layers::{
    apply, conv1d, each, maxpool1d, padding, plus, product, softmax, transposed, upscale, zip,
};

fn swish(x: &[Dual]) -> Vec<Dual> {
    each(Dual::swish, x)
}

/// Two layers without activation.
pub(crate) fn linear(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    apply(w.get("ℓ1"), &apply(w.get("ℓ0"), x))
}

/// Two layers with a swish between them.
pub(crate) fn perceptron(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    apply(w.get("ℓ1"), &swish(&apply(w.get("ℓ0"), x)))
}

pub(crate) fn residual(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    plus(x, &perceptron(w, x))
}

/// Two encoder layers and two decoder layers, without activation.
pub(crate) fn deep_autoencoder(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let layers = ["ℓ0", "ℓ1", "ℓ2", "ℓ3"].into_iter();
    layers.fold(x.to_vec(), |x, layer| apply(w.get(layer), &x))
}

pub(crate) fn cnn(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let hidden = swish(&conv1d(x, w.get("ℓ0"), 2, 3));
    apply(w.get("ℓ1"), &maxpool1d(&hidden, 2, 3))
}

/// U-net with 1, 8 and 16 channels on 134, 66 and 32 samples, and back up.
pub(crate) fn unet(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let down =
        |x: &[Dual], layer: &str, c, c_below| maxpool1d(&conv1d(x, w.get(layer), c, 3), 2, c_below);
    let up = |saved: &[Dual], below: &[Dual], layer: &str, c: usize, c_below: usize| {
        let n = saved.len() / c;
        let joined = [saved, &upscale(below, c_below, n)].concat();
        let mixed = conv1d(&joined, w.get(&format!("{layer}'")), c + c_below, 1);
        let filtered = conv1d(&mixed, w.get(&format!("{layer}''")), c, 3);
        padding(&swish(&filtered), c, n)
    };
    let x1 = down(x, "ℓ0", 1, 8);
    let x2 = down(&x1, "ℓ1", 8, 16);
    let bottom = conv1d(&padding(&x2, 16, 34), w.get("ℓ2"), 16, 3);
    let y1 = up(&x1, &bottom, "ℓ1", 8, 16);
    up(x, &y1, "ℓ0", 1, 8)
}

/// Two levels of a pyramid. Each level passes the means of pairs to the next level, and adds the detail that
/// they lose to its result, weighted by a gain.
pub(crate) fn pyramid(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let level = |x: &[Dual], gain: &str, below: &dyn Fn(&[Dual]) -> Vec<Dual>| {
        let means: Vec<Dual> = x
            .chunks(2)
            .map(|pair| (pair[0] + pair[1]) * Dual::from(0.5))
            .collect();
        let gain = w.get(gain)[0];
        let detail = zip(|x, mean| x - mean, x, &upscale(&means, 1, x.len()));
        let back = upscale(&below(&means), 1, x.len());
        zip(|detail, mean| gain * detail + mean, &detail, &back)
    };
    level(x, "g8", &|y| level(y, "g4", &|z| z.to_vec()))
}

/// Perceptron that rounds with `round` before its activation.
pub(crate) fn rounding(w: &Weights, x: &[Dual], round: fn(Dual) -> Dual) -> Vec<Dual> {
    let hidden = each(round, &apply(w.get("ℓ0"), x));
    apply(w.get("ℓ1"), &swish(&hidden))
}

/// Gated layer; x holds both inputs, the signal, then the gate.
pub(crate) fn gated(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let (signal, gate) = x.split_at(3);
    let signal = each(Dual::tanh, &apply(w.get("ℓ_signal"), signal));
    let gate = each(Dual::sigmoid, &apply(w.get("ℓ_gate"), gate));
    zip(|s, g| s * g, &signal, &gate)
}

/// Returns the output of the point head, then that of the class head.
pub(crate) fn two_heads(w: &Weights, x: &[Dual]) -> [Vec<Dual>; 2] {
    let hidden = swish(&apply(w.get("ℓ_body"), x));
    ["ℓ_point", "ℓ_class"].map(|head| apply(w.get(head), &hidden))
}

pub(crate) fn biased_relu(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let dense = |x: &[Dual], i| {
        let z = apply(w.get(&format!("w{i}")), x);
        plus(&z, w.get(&format!("b{i}")))
    };
    dense(&each(Dual::relu, &dense(x, 0)), 1)
}

/// Applies the perceptron to every column of a matrix with two rows. The outputs are the columns of a matrix with four rows.
pub(crate) fn batch(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let samples = transposed(x, x.len() / 2);
    let outputs: Vec<Dual> = samples.chunks(2).flat_map(|x| perceptron(w, x)).collect();
    transposed(&outputs, 4)
}

/// Two layers that share one weight; the second layer uses the copy `second` of it.
pub(crate) fn shared(w: &Weights, x: &[Dual], second: &[Dual]) -> Vec<Dual> {
    apply(second, &swish(&apply(w.get("shared"), x)))
}

pub(crate) fn residual_blocks(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    (0..3).fold(x.to_vec(), |x, i| {
        let hidden = swish(&apply(w.get(&format!("a[{i}]")), &x));
        plus(&x, &apply(w.get(&format!("b[{i}]")), &hidden))
    })
}

/// The differences of a three-layer network and a refactored one. The first six are zeros, for the network minus
/// itself, twice. Then follows the network with tanh in place of the second swish, minus the original.
pub(crate) fn refactored(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let layer = |i: usize, x: &[Dual]| apply(w.get(&format!("w[{i}]")), x);
    let network = |second: fn(&[Dual]) -> Vec<Dual>| {
        let hidden = second(&layer(1, &swish(&layer(0, x))));
        swish(&layer(2, &hidden))
    };
    let original = network(swish).into_iter();
    let other = network(|x| each(Dual::tanh, x)).into_iter();
    let mut apart = duals(&[0.0; 6]);
    apart.extend(other.zip(original).map(|(y, x)| y - x));
    apart
}

/// Returns the state after three moments with two inputs each.
pub(crate) fn recurrent(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    x.chunks(2).fold(duals(&[0.0; 3]), |state, x| {
        let sum = plus(&apply(w.get("w"), &state), &apply(w.get("u"), x));
        each(Dual::tanh, &sum)
    })
}

/// Returns the outputs of all moments.
pub(crate) fn elman(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let mut state = duals(&[0.0; 3]);
    let moments = x.chunks(2).flat_map(|x| {
        let sum = plus(&apply(w.get("w"), &state), &apply(w.get("u"), x));
        state = each(Dual::tanh, &sum);
        apply(w.get("v"), &state)
    });
    moments.collect()
}

/// Returns the last state; the first state is a weight.
pub(crate) fn linear_system(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    x.chunks(2).fold(w.get("s0").to_vec(), |state, x| {
        plus(&apply(w.get("a"), &state), &apply(w.get("b"), x))
    })
}

/// Attention over three tokens of four numbers each, with keys of two numbers.
pub(crate) fn attention(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let project = |layer: &str| -> Vec<Dual> {
        let w = w.get(layer);
        x.chunks(4).flat_map(|token| apply(w, token)).collect()
    };
    let scores = product(&project("ℓ_query"), &transposed(&project("ℓ_key"), 2), 2);
    let scaled = each(|score| score / Dual::from(2f64.sqrt()), &scores);
    let weights: Vec<Dual> = scaled.chunks(3).flat_map(softmax).collect();
    plus(x, &product(&weights, &project("ℓ_value"), 3))
}

/// Dense layers with biases, starting with `w0` and `b0`, and a tanh between consecutive layers.
pub(crate) fn dense_tanh(w: &Weights, x: &[Dual], layers: usize) -> Vec<Dual> {
    let mut x = x.to_vec();
    for layer in 0..layers {
        if layer > 0 {
            x = each(Dual::tanh, &x);
        }
        let z = apply(w.get(&format!("w{layer}")), &x);
        x = plus(&z, w.get(&format!("b{layer}")));
    }
    x
}
