//! Reference computations of the examples with a feedback: forward passes, moment by moment, and the ways in which handlers treat
//! the cotangents that go back through time.

use crate::examples::dual::{Dual, Heap, Weights, duals, gradient};
use crate::examples::layers::{apply, each, plus, squared_error, zip};
use crate::examples::training::{Outcome, momentum, step, subtract};

/// Two gated recurrent layers with states of four and three numbers, then a dense layer on the last state of the second. The
/// weights of both gates and of the candidate are stacked in one matrix, in this order.
pub(crate) fn gated_layers(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let moment = |layer: usize, h: &[Dual], x: &[Dual]| {
        let [a, b] =
            [("w", h), ("u", x)].map(|(name, x)| apply(w.get(&format!("{name}{layer}")), x));
        let m = h.len();
        let gate = |at: usize| {
            let (a, b) = (&a[at * m..(at + 1) * m], &b[at * m..(at + 1) * m]);
            each(Dual::sigmoid, &plus(a, b))
        };
        let (r, z) = (gate(0), gate(1));
        let seen = zip(|r, a| r * a, &r, &a[2 * m..]);
        let c = each(Dual::tanh, &plus(&seen, &b[2 * m..]));
        let stays = zip(|z, h| z * h, &z, h);
        plus(&stays, &zip(|z, c| (Dual::from(1.0) - z) * c, &z, &c))
    };
    let start = (duals(&[0.0; 4]), duals(&[0.0; 3]));
    let (_, last) = x.chunks(2).fold(start, |(first, second), x| {
        let first = moment(1, &first, x);
        let second = moment(2, &second, &first);
        (first, second)
    });
    apply(w.get("v"), &last)
}

/// Returns the state of a plain recurrent network after each moment.
fn states(w: &Weights, start: &[Dual], x: &[Dual]) -> Vec<Vec<Dual>> {
    let mut state = start.to_vec();
    let moments = x.chunks(2).map(|x| {
        let sum = plus(&apply(w.get("w"), &state), &apply(w.get("u"), x));
        state = each(Dual::tanh, &sum);
        state.clone()
    });
    moments.collect()
}

/// A step with momentum, with the gradient of all moments together.
pub(crate) fn momentum_once(heap: &Heap) -> Outcome {
    let rows = &[0.8, 0.2, -0.5, 0.4, 0.1, -0.9, 0.3, 0.6];
    let error = |w: &Weights, x: &[Dual]| {
        let last = states(w, &duals(&[0.0; 3]), x).pop().unwrap();
        squared_error(0.1, &last, &[0.5, -0.5, 0.0])
    };
    step(heap, &["w", "u"], rows, error, |heap, layer, g| {
        momentum(heap, layer, 0.9, g);
    })
}

/// A step of gradient descent for spans of two moments, the last span first. The cotangent of the state between two spans is
/// clipped entry by entry.
pub(crate) fn clipped_spans(heap: &Heap) -> Outcome {
    let inputs = [[0.8, 0.2, -0.5, 0.4], [0.1, -0.9, 0.3, 0.6]];
    let targets = [[0.0, 0.5], [-0.5, 0.2]];
    let weights = Weights::constant(heap);
    let mut starts = vec![vec![0.0; 3]];
    for x in &inputs {
        let states = states(&weights, &duals(starts.last().unwrap()), &duals(x));
        let end = states.last().unwrap().iter();
        starts.push(end.map(|x| x.value).collect());
    }
    let mut after = heap.clone();
    let mut back = vec![0.0; 3];
    let mut value = Vec::new();
    for ((x, t), start) in inputs.iter().zip(&targets).zip(&starts).rev() {
        let mut here = heap.clone();
        here.insert("start".to_owned(), start.clone());
        let (gradients, of_inputs) = gradient(&here, &["u", "w", "v", "start"], x, |w, x| {
            let states = states(w, w.get("start"), x);
            let outputs = states.iter().flat_map(|state| apply(w.get("v"), state));
            let outputs: Vec<Dual> = outputs.collect();
            let end = states.last().unwrap();
            let carried = zip(|x, c| x * c, end, &duals(&back));
            squared_error(0.1, &outputs, t) + carried.into_iter().sum()
        });
        for name in ["u", "w", "v"] {
            subtract(&mut after, name, 1.0, &gradients[name]);
        }
        back = gradients["start"]
            .iter()
            .map(|c| c.clamp(-0.01, 0.01))
            .collect();
        value.splice(0..0, of_inputs);
    }
    Outcome { value, heap: after }
}
