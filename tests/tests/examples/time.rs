//! The examples with a feedback: their forward passes, moment by moment, and what handlers do with what comes back through time.

use crate::dual::{Dual, Heap, Weights, duals, gradient};
use crate::layers::{apply, each, plus, squared_error, zip};
use crate::training::{Outcome, momentum, subtract};

/// Two gated layers of four and three numbers, then a dense layer on the last state of the second.
pub(crate) fn gated_layers(w: &Weights, x: &[Dual]) -> Vec<Dual> {
    let moment = |layer: usize, h: &[Dual], x: &[Dual], s: &[Dual]| {
        let of = |gate: &str| w.get(&format!("{gate}{layer}"));
        let sum = |gate: &str, h: &[Dual]| {
            let (w, u) = (of(&format!("w{gate}")), of(&format!("u{gate}")));
            plus(&apply(w, h), &apply(u, x))
        };
        let r = each(Dual::sigmoid, &sum("r", h));
        let z = each(Dual::sigmoid, &sum("z", h));
        let c = each(Dual::tanh, &sum("c", &zip(|r, h| r * h, &r, h)));
        let stays = zip(|z, s| z * s, &z, s);
        let one = Dual::from(1.0);
        plus(&stays, &zip(|z, c| (one - z) * c, &z, &c))
    };
    let start = (duals(&[0.0; 4]), duals(&[0.0; 3]));
    let (_, last) = x.chunks(2).fold(start, |(first, second), x| {
        let first = moment(1, &first, x, &first);
        let second = moment(2, &second, &first, &second);
        (first, second)
    });
    apply(w.get("v"), &last)
}

/// The state of a plain recurrent network after some moments, with the weights of these names at each.
fn states(
    w: &Weights,
    start: &[Dual],
    x: &[Dual],
    names: impl Fn(usize) -> [String; 2],
) -> Vec<Vec<Dual>> {
    let mut state = start.to_vec();
    let moments = x.chunks(2).enumerate().map(|(at, x)| {
        let [inner, outer] = names(at);
        let sum = plus(&apply(w.get(&inner), &state), &apply(w.get(&outer), x));
        state = each(Dual::tanh, &sum);
        state.clone()
    });
    moments.collect()
}

/// A step with momentum for weights that are read once, then one for weights that every moment reads: a step of the optimiser for each
/// moment, the last one first, though all gradients are those of the weights before.
pub(crate) fn momentum_once_and_often(heap: &Heap) -> Outcome {
    let rows = &[0.8, 0.2, -0.5, 0.4, 0.1, -0.9, 0.3, 0.6];
    let error = |w: &Weights, x: &[Dual]| {
        let names = |at| ["w", "u"].map(|name| format!("{name}{at}"));
        let last = states(w, &duals(&[0.0; 3]), x, names).pop().unwrap();
        squared_error(0.1, &last, &[0.5, -0.5, 0.0])
    };
    let gradients = |heap: &Heap| {
        let mut apart = heap.clone();
        for at in 0..4 {
            for name in ["w", "u"] {
                apart.insert(format!("{name}{at}"), heap[name].clone());
            }
        }
        gradient(
            &apart,
            &["w0", "w1", "w2", "w3", "u0", "u1", "u2", "u3"],
            rows,
            error,
        )
    };
    let mut heap = heap.clone();
    let (each, _) = gradients(&heap);
    for name in ["w", "u"] {
        let mut sum = vec![0.0; heap[name].len()];
        for at in 0..4 {
            sum.iter_mut()
                .zip(&each[&format!("{name}{at}")])
                .for_each(|(sum, g)| *sum += g);
        }
        momentum(&mut heap, name, 0.9, &sum);
    }
    let (each, value) = gradients(&heap);
    for name in ["w", "u"] {
        for at in (0..4).rev() {
            momentum(&mut heap, name, 0.9, &each[&format!("{name}{at}")]);
        }
    }
    Outcome { value, heap }
}

/// A step for each way to carry back: all of it, clipped, and nothing.
pub(crate) fn carried_back(heap: &Heap) -> Outcome {
    let mut last = spans(heap, |c| c);
    for carry in [|c: f64| c.clamp(-0.01, 0.01), |_| 0.0] {
        last = spans(&last.heap, carry);
    }
    last
}

/// A step of gradient descent for spans of two moments, the last span first, with what comes back to the state between two of them
/// changed entry by entry.
fn spans(heap: &Heap, carry: fn(f64) -> f64) -> Outcome {
    let inputs = [
        [0.8, 0.2, -0.5, 0.4],
        [0.1, -0.9, 0.3, 0.6],
        [-0.2, 0.7, 0.5, -0.1],
    ];
    let targets = [[0.0, 0.5], [-0.5, 0.2], [0.1, 0.3]];
    let run = |w: &Weights, start: &[Dual], x: &[Dual]| {
        states(w, start, x, |_| ["w".to_owned(), "u".to_owned()])
    };
    let weights = Weights::constant(heap);
    let mut starts = vec![vec![0.0; 3]];
    for x in &inputs {
        let states = run(&weights, &duals(starts.last().unwrap()), &duals(x));
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
            let states = run(w, w.get("start"), x);
            let outputs = states.iter().flat_map(|state| apply(w.get("v"), state));
            let outputs: Vec<Dual> = outputs.collect();
            let end = states.last().unwrap();
            let carried = zip(|x, c| x * c, end, &duals(&back));
            squared_error(0.1, &outputs, t) + carried.into_iter().sum()
        });
        for name in ["u", "w", "v"] {
            subtract(&mut after, name, 1.0, &gradients[name]);
        }
        back = gradients["start"].iter().map(|c| carry(*c)).collect();
        value.splice(0..0, of_inputs);
    }
    Outcome { value, heap: after }
}
