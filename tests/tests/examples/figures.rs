//! Examples whose outcomes are computed with JAX, from the definitions and with initial weights that are drawn independently:
//! `figures.py` writes `figures.json`.

use crate::examples::training::Outcome;
use serde_json::Value as Json;

/// Returns the outcome of `main` of an example, from `figures.json`.
pub(crate) fn figures(example: &str) -> Outcome {
    let all: Json = serde_json::from_str(include_str!("figures.json")).unwrap();
    let numbers = |numbers: &Json| -> Vec<f64> {
        let numbers = numbers.as_array().unwrap().iter();
        numbers.map(|number| number.as_f64().unwrap()).collect()
    };
    let heap = all[example]["heap"].as_object().unwrap().iter();
    Outcome {
        value: numbers(&all[example]["value"]),
        heap: heap
            .map(|(name, contents)| (name.clone(), numbers(contents)))
            .collect(),
    }
}
