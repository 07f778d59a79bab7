//! Training of the examples with their own settings: each measure must reach the bound that is given here.

use fletch_elaborate::Files;
use fletch_runs::training::{Course, train};
use fletch_runs::{Engine, Precision};
use fletch_tests::{examples, programs};
use fletch_trace::Budget;

/// Bound of a measure of an example after its training.
enum Learned {
    /// The loss is at most this.
    Loss(f64),
    /// The accuracy is at least this.
    Accuracy(f64),
}

use Learned::{Accuracy, Loss};

/// Bounds of all measures, for every example with a `train` item: example, measure, bound. Remarks name the task.
const LEARNED: &[(&str, &str, Learned)] = &[
    // Exclusive or.
    ("mlp", "loss", Loss(1e-6)),
    // Two `train` items, one after the other.
    ("sgd_and_adam", "loss", Loss(1e-4)),
    ("circles", "loss", Loss(0.06)),
    ("circles", "accuracy", Accuracy(0.95)),
    // Moons.
    ("bias_relu", "loss", Loss(0.03)),
    ("spirals", "loss", Loss(0.05)),
    ("spirals", "accuracy", Accuracy(0.95)),
    ("sine", "loss", Loss(0.01)),
    ("gelu", "loss", Loss(1e-3)),
    ("lora", "loss", Loss(0.12)),
    ("maml", "judged_error", Loss(0.03)),
    ("vae", "bound", Loss(0.32)),
    ("transformer", "loss", Loss(0.01)),
    ("transformer", "unseen_loss", Loss(0.01)),
    ("sine", "error", Loss(0.005)),
    // Blobs, in minibatches.
    ("minibatch", "loss", Loss(0.1)),
    ("minibatch", "accuracy", Accuracy(0.95)),
    // Glyphs; the accuracy is measured on digits that are not trained on.
    ("softmax_glyphs", "loss", Loss(0.01)),
    ("softmax_glyphs", "accuracy", Accuracy(0.9)),
    // Blips with noise; half the squared error of 134 entries.
    ("unet_training", "loss", Loss(0.8)),
    ("autoencoder", "loss", Loss(1e-6)),
    // Blips with noise, of 8 entries.
    ("lossless_pyramid", "loss", Loss(0.135)),
    // The adding problem.
    ("recurrent", "loss", Loss(0.005)),
    ("elman", "loss", Loss(0.005)),
    ("gru", "loss", Loss(0.003)),
    ("attention", "loss", Loss(0.001)),
];

#[test]
fn every_example_that_trains_learns() {
    learns(Precision::Double);
}

#[test]
fn every_example_that_trains_learns_in_single_precision() {
    learns(Precision::Single);
}

fn learns(precision: Precision) {
    let mut wrong = Vec::new();
    for (name, source) in programs(&examples()) {
        if !source.contains("\ntrain ") {
            continue;
        }
        let name = name.trim_end_matches(".fletch");
        let program = fletch_ide::check(&source).program;
        let course = Course {
            engine: Engine::Compiled(precision),
            epochs: None,
            budget: Budget::steps(0),
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        };
        let (training, stopped) = train(&program, &Files::default(), course, |_, _| {});
        assert!(stopped.is_none(), "{name}: {stopped:?}");
        let expected = LEARNED.iter().filter(|(example, ..)| *example == name);
        let expected: Vec<_> = expected.collect();
        if expected.len() != training.measures.len() {
            wrong.push(format!("{name}: a measure without a bound"));
        }
        for (_, measure, learned) in expected {
            let (_, series) = training
                .measures
                .iter()
                .find(|(other, _)| other == measure)
                .unwrap();
            let (first, last) = (series[0], *series.last().unwrap());
            let holds = match learned {
                Loss(most) => last <= *most && first > *most,
                Accuracy(least) => last >= *least && first < *least,
            };
            if !holds {
                wrong.push(format!("{name}: {measure} goes from {first} to {last}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks curves of a thousand steps, with which the page is compared too (`tests/e2e/curves.spec.mjs`). A curve names the example, the
/// text of its epochs and the replacement of this text; it has each measure before the first epoch and after each epoch.
#[test]
fn curves_are_those_that_the_page_is_held_to() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/curves.json");
    let curves: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let curves = curves.as_array().unwrap();
    assert!(curves.len() > 2);
    for curve in curves {
        let [name, from, to] = ["example", "from", "to"].map(|key| curve[key].as_str().unwrap());
        let path = examples().join(format!("{name}.fletch"));
        let source = std::fs::read_to_string(path).unwrap();
        assert!(source.contains(from), "{name}");
        let program = fletch_ide::check(&source.replace(from, to)).program;
        let course = Course {
            engine: Engine::Compiled(Precision::Double),
            epochs: None,
            budget: Budget::steps(0),
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        };
        let (training, stopped) = train(&program, &Files::default(), course, |_, _| {});
        assert!(stopped.is_none(), "{name}: {stopped:?}");
        for (measure, series) in &training.measures {
            let expected = curve["measures"][measure].as_array().unwrap();
            assert_eq!(expected.len(), series.len(), "{name}");
            for (expected, found) in expected.iter().zip(series) {
                let expected = expected.as_f64().unwrap();
                assert!(
                    (expected - found).abs() <= 1e-12 * expected.abs(),
                    "{name}, {measure}: {found:?}, not {expected:?}"
                );
            }
        }
    }
}
