//! Tests of every example: it has a title, checks without errors, and runs to the value and the heap that plain
//! arithmetic gives. The reference is a forward pass in loops, its gradient by dual numbers, and the update rule
//! of the optimiser. Only the initial heap is taken from the program.
#![allow(clippy::disallowed_methods)] // A reference may use the platform's own functions.

mod dual;
mod figures;
mod layers;
mod networks;
mod time;
mod training;

use dual::{Dual, Heap, Weights, gradient};
use figures::figures;
use fletch_tests::{examples, must_check, programs, run_json};
use layers::{binary_cross_entropy, cross_entropy, squared_error};
use networks::*;
use serde_json::Value as Json;
use time::{clipped_spans, gated_layers, momentum_once};
use training::*;

/// Input of most examples; `TARGET` is their target, and `LAYERS` are the layers that learn.
const INPUT: &[f64] = &[0.8, 0.2, -0.5];
const TARGET: &[f64] = &[1.0, -1.0];
const LAYERS: &[&str] = &["ℓ0", "ℓ1"];

/// Squared error of the perceptron, whose gradient the optimisers use.
fn error(w: &Weights, x: &[Dual]) -> Dual {
    squared_error(1.0, &perceptron(w, x), TARGET)
}

/// Computes the outcome that a run from this heap must have.
type Expected = fn(&Heap) -> Outcome;

/// Two steps of gradient descent with momentum. Several examples write them in different ways.
fn two_steps_of_momentum(heap: &Heap) -> Outcome {
    let faster = |heap: &Heap| {
        let loss = |w: &Weights, x: &[Dual]| Dual::from(0.1) * error(w, x);
        step(heap, LAYERS, INPUT, loss, |heap, layer, g| {
            momentum(heap, layer, 0.9, g);
        })
    };
    faster(&faster(heap).heap)
}

/// Expected outcome of each example, by its name.
const EXPECTED: &[(&str, Expected)] = &[
    ("mlp", |heap| {
        descent(heap, LAYERS, &[1.0, 0.0], |w, x| {
            squared_error(0.1, &perceptron(w, x), &[1.0])
        })
    }),
    ("mlp_inference", |heap| inference(heap, INPUT, linear)),
    ("resnet", |heap| {
        descent(heap, LAYERS, INPUT, |w, x| {
            squared_error(0.1, &residual(w, x), &[0.1, 0.2, -0.3])
        })
    }),
    ("autoencoder_inference", |heap| {
        inference(heap, &[0.8, 0.2, -0.5, -0.9], linear)
    }),
    ("autoencoder", |heap| {
        let v = &[0.8, 0.2, -0.5, -0.9];
        descent(heap, LAYERS, v, |w, x| squared_error(0.1, &linear(w, x), v))
    }),
    ("deep_autoencoder", |heap| {
        let v = &[0.8, 0.2, -0.5, -0.9, 0.1, 0.6];
        descent(heap, &["ℓ0", "ℓ1", "ℓ2", "ℓ3"], v, |w, x| {
            squared_error(0.1, &deep_autoencoder(w, x), v)
        })
    }),
    ("cnn", |heap| {
        let channels = &[
            0.0, 0.2, 0.7, 1.0, 0.6, 0.3, 0.1, 0.0, //
            0.9, 0.5, 0.1, -0.3, -0.6, -0.4, 0.0, 0.3,
        ];
        descent(heap, LAYERS, channels, |w, x| {
            squared_error(0.1, &cnn(w, x), &[1.0, 0.0])
        })
    }),
    ("unet_inference", |heap| {
        inference(heap, &heap["signal"], unet)
    }),
    ("unet_training", |heap| {
        let layers = ["ℓ0", "ℓ0'", "ℓ0''", "ℓ1", "ℓ1'", "ℓ1''", "ℓ2"];
        descent(heap, &layers, &heap["noise"], |w, x| {
            squared_error(0.001, &unet(w, x), &[0.0; 134])
        })
    }),
    ("ste", |heap| {
        let towards_target = |heap: &Heap, round: fn(Dual) -> Dual| {
            descent(heap, LAYERS, INPUT, |w, x| {
                squared_error(0.1, &rounding(w, x, round), TARGET)
            })
        };
        let plain = towards_target(heap, Dual::rounded);
        assert_eq!(plain.heap["ℓ0"], heap["ℓ0"], "the gradient is cut");
        towards_target(&plain.heap, Dual::rounded_straight_through)
    }),
    ("two_inputs", |heap| {
        let both = &[0.8, 0.2, -0.5, 1.0, -1.0];
        descent(heap, &["ℓ_signal", "ℓ_gate"], both, |w, x| {
            squared_error(0.1, &gated(w, x), &[0.5, 0.0, -0.5, 0.2])
        })
    }),
    ("two_heads", |heap| {
        descent(
            heap,
            &["ℓ_body", "ℓ_point", "ℓ_class"],
            INPUT,
            |w, x| {
                let [point, class] = two_heads(w, x);
                squared_error(0.1, &point, &[0.3, -0.3])
                    + cross_entropy(0.1, &class, &[0.0, 1.0, 0.0])
            },
        )
    }),
    ("bias_relu", |heap| {
        descent(heap, &["w0", "b0", "w1", "b1"], &[0.8, -0.5], |w, x| {
            squared_error(0.1, &biased_relu(w, x), &[1.0])
        })
    }),
    ("circles", |heap| {
        descent(heap, &["w0", "b0", "w1", "b1"], &[0.3, -0.4], |w, x| {
            binary_cross_entropy(0.1, &dense_tanh(w, x, 2), 1.0)
        })
    }),
    ("spirals", |heap| {
        let layers = &["w0", "b0", "w1", "b1", "w2", "b2"];
        let loss = |w: &Weights, x: &[Dual]| binary_cross_entropy(0.005, &dense_tanh(w, x, 3), 1.0);
        step(heap, layers, &[0.5, -0.2], loss, |heap, layer, g| {
            // This is the first step, so the previous velocity is zero.
            let family = if layer.starts_with('w') {
                "velocity"
            } else {
                "drift"
            };
            heap.insert(format!("{family}[{layer}]"), g.to_vec());
            subtract(heap, layer, 1.0, g);
        })
    }),
    ("sine", |heap| {
        descent(heap, &["w0", "b0", "w1", "b1"], &[0.5], |w, x| {
            squared_error(0.05, &dense_tanh(w, x, 2), &[1.0])
        })
    }),
    ("softmax_glyphs", |heap| {
        let one_hot = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        descent(heap, LAYERS, &heap["seven"], |w, x| {
            cross_entropy(0.1, &perceptron(w, x), &one_hot)
        })
    }),
    ("minibatch", |heap| {
        let columns = &[1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, -1.0];
        let identity: Vec<f64> = (0..16).map(|at| f64::from(at % 5 == 0)).collect();
        descent(heap, LAYERS, columns, |w, x| {
            squared_error(0.5 / 4.0, &batch(w, x), &identity)
        })
    }),
    ("momentum", two_steps_of_momentum),
    ("adam", |heap| {
        let adapted = |heap: &Heap| {
            step(heap, LAYERS, INPUT, error, |heap, layer, g| {
                adam(heap, layer, 0.01, g);
            })
        };
        adapted(&adapted(heap).heap)
    }),
    ("sgd_and_adam", |heap| {
        let loss = |w: &Weights, x: &[Dual]| squared_error(1.0, &perceptron(w, x), &[1.0]);
        step(heap, LAYERS, &[1.0, -1.0], loss, |heap, layer, g| {
            adam(heap, layer, 0.02, g);
        })
    }),
    ("weight_decay", |heap| {
        let loss = |w: &Weights, x: &[Dual]| Dual::from(0.1) * error(w, x);
        step(heap, LAYERS, INPUT, loss, |heap, layer, g| {
            let old = heap[layer].clone();
            subtract(heap, layer, 1.0, g);
            subtract(heap, layer, 0.05, &old);
        })
    }),
    ("clip_entries", |heap| {
        step(heap, LAYERS, INPUT, error, |heap, layer, g| {
            let clipped: Vec<f64> = g.iter().map(|g| g.clamp(-0.3, 0.3)).collect();
            assert_ne!(clipped, g, "nothing to clip");
            subtract(heap, layer, 0.1, &clipped);
        })
    }),
    ("clip_norm", |heap| {
        step(heap, LAYERS, INPUT, error, |heap, layer, g| {
            let norm = squares(g).sqrt();
            assert!(norm > 0.5, "nothing to clip");
            subtract(heap, layer, 0.1 * 0.5 / norm, g);
        })
    }),
    ("clip_global_norm", |heap| {
        let (gradients, _) = gradient(heap, LAYERS, INPUT, error);
        let sum: f64 = gradients.values().map(|g| squares(g)).sum();
        assert!(sum.sqrt() > 0.5, "nothing to clip");
        let mut outcome = inference(heap, INPUT, perceptron);
        for (layer, g) in gradients {
            subtract(&mut outcome.heap, &layer, 0.1 * 0.5 / sum.sqrt(), &g);
            outcome.heap.insert(format!("gradient[{layer}]"), g);
        }
        outcome.heap.insert("squares".into(), vec![sum]);
        outcome
    }),
    ("frozen_layer", |heap| {
        descent(heap, &["ℓ1"], INPUT, |w, x| Dual::from(0.1) * error(w, x))
    }),
    ("shared_last_put", |heap| {
        // The first layer puts last, so its gradient is used alone. It omits the second layer's gradient.
        descent(heap, &["shared"], INPUT, |w, x| {
            squared_error(0.1, &shared(w, x, &w.fixed("shared")), &[1.0, 0.0, -1.0])
        })
    }),
    ("shared_get", |heap| {
        descent(heap, &["shared"], INPUT, |w, x| {
            squared_error(0.1, &shared(w, x, w.get("shared")), &[1.0, 0.0, -1.0])
        })
    }),
    ("residual_blocks", |heap| {
        let layers = ["a[0]", "b[0]", "a[1]", "b[1]", "a[2]", "b[2]"];
        descent(heap, &layers, INPUT, |w, x| {
            squared_error(0.1, &residual_blocks(w, x), &[0.1, 0.2, -0.3])
        })
    }),
    ("refactoring", |heap| inference(heap, INPUT, refactored)),
    ("fused", |heap| {
        let step = |heap: &Heap| {
            descent(heap, LAYERS, &[1.0, 0.5], |w, x| {
                squared_error(0.1, &perceptron(w, x), &[0.0, 1.0])
            })
        };
        step(&step(&step(heap).heap).heap)
    }),
    ("ordinary_backprop", |heap| {
        descent(heap, LAYERS, &[1.0], |w, x| {
            squared_error(0.1, &linear(w, x), &[5.0])
        })
    }),
    ("lossless_pyramid", |heap| {
        let target = &[0.5, 0.5, -0.6, -0.6, 0.2, 0.2, 0.1, 0.1];
        descent(heap, &["g8", "g4"], &heap["input"], |w, x| {
            squared_error(0.1, &pyramid(w, x), target)
        })
    }),
    ("put_momentum", two_steps_of_momentum),
    ("elman", |heap| {
        let rows = &[0.8, 0.2, -0.5, 0.4, 0.1, -0.9, 0.3, 0.6];
        descent(heap, &["u", "w", "v"], rows, |w, x| {
            squared_error(0.1, &elman(w, x), &[0.0, 0.5, -0.5, 0.2])
        })
    }),
    ("linear_system", |heap| {
        let rows = &[0.8, 0.2, -0.5, 0.4, 0.1, -0.9, 0.3, 0.6, -0.2, 0.7];
        descent(heap, &["a", "b", "s0"], rows, |w, x| {
            squared_error(0.1, &linear_system(w, x), &[0.5, -0.5, 0.0])
        })
    }),
    ("gru", |heap| {
        let rows = &[0.8, 0.2, -0.5, 0.4];
        descent(heap, &["w1", "u1", "w2", "u2", "v"], rows, |w, x| {
            squared_error(0.1, &gated_layers(w, x), &[0.5])
        })
    }),
    ("truncated", clipped_spans),
    ("read_once", momentum_once),
    ("recurrent", |heap| {
        let moments = &[0.8, 0.2, -0.5, 0.4, 0.1, -0.9];
        descent(heap, &["u", "w"], moments, |w, x| {
            squared_error(0.1, &recurrent(w, x), &[0.5, -0.5, 0.0])
        })
    }),
    ("attention", |heap| {
        let tokens = &[
            1.0, 0.0, 0.5, -0.5, 0.0, 1.0, -0.5, 0.5, 0.3, 0.7, 0.2, -0.1,
        ];
        let target = [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        descent(
            heap,
            &["ℓ_query", "ℓ_key", "ℓ_value"],
            tokens,
            |w, x| squared_error(0.1, &attention(w, x), &target),
        )
    }),
    ("gelu", |_| figures("gelu")),
    ("lora", |_| figures("lora")),
    ("vae", |_| figures("vae")),
    ("maml", |_| figures("maml")),
    ("transformer", |_| figures("transformer")),
];

/// Warnings that examples show on purpose.
const WARNINGS: &[(&str, &str)] = &[("shared_last_put", "F0508")];

fn initial(source: &str) -> Heap {
    let program = must_check(source).program;
    let contents = program.initial.iter().map(|tensor| tensor.data().to_vec());
    let names = program
        .locations
        .iter()
        .map(|location| location.name.to_string());
    names.zip(contents).collect()
}

fn numbers(json: &Json) -> Vec<f64> {
    let entries = json.as_array().unwrap().iter();
    entries.map(|number| number.as_f64().unwrap()).collect()
}

/// Returns the entries of all components of a value, in order.
fn flat(value: &Json) -> Vec<f64> {
    match value["tuple"].as_array() {
        Some(parts) => parts.iter().flat_map(flat).collect(),
        None => numbers(&value["real"]),
    }
}

#[track_caller]
fn assert_close(expected: &[f64], found: &[f64], place: &str) {
    assert_eq!(expected.len(), found.len(), "{place}");
    for (at, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert!(
            (expected - found).abs() <= 1e-10 * expected.abs().max(1.0),
            "{place}[{at}]: {found}, not {expected}"
        );
    }
}

#[test]
fn every_example_comes_to_what_plain_arithmetic_comes_to() {
    let mut found = programs(&examples());
    for (file, expected) in EXPECTED {
        let place = found.iter().position(|(name, _)| name == file);
        let (_, source) = found.remove(place.unwrap_or_else(|| panic!("{file} is missing")));
        let result = run_json(&source);
        assert!(result.get("error").is_none(), "{file}: {}", result["error"]);
        let expected = expected(&initial(&source));
        assert_close(&expected.value, &flat(&result["value"]), file);
        let heap = result["heap"].as_object().unwrap();
        assert_eq!(heap.len(), expected.heap.len(), "{file}: {:?}", heap.keys());
        for (location, contents) in &expected.heap {
            let place = format!("{file}: {location}");
            assert_close(contents, &numbers(&heap[location]["data"]), &place);
        }
    }
    assert!(found.is_empty(), "nothing is expected of {found:?}");
}

#[test]
fn every_example_checks_and_says_what_it_is() {
    for (name, source) in programs(&examples()) {
        let mut header = source.lines().map_while(|line| line.strip_prefix("--"));
        let title = header.next().unwrap_or_default();
        assert!(
            title.ends_with('.') && title.contains(": "),
            "{name}: {title:?} is no title"
        );
        assert_eq!(header.next(), Some(""), "{name}");
        let advice = header.next().unwrap_or_default();
        assert!(advice.starts_with(" Look at: "), "{name}: {advice:?}");
        assert!(
            source.lines().all(|line| line.chars().count() <= 120),
            "{name}: a long line"
        );

        let said = fletch_ide::check(&source).diagnostics;
        let codes: Vec<&str> = said.iter().map(|found| found.code.as_str()).collect();
        let shown = WARNINGS.iter().filter(|(file, _)| *file == name);
        let expected: Vec<&str> = shown.map(|(_, code)| *code).collect();
        assert_eq!(codes, expected, "{name}: {said:#?}");
    }
}
