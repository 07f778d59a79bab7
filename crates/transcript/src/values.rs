//! Values and tensors as JSON.

use fletch_calculus::{Tensor, Value};
use serde_json::{Value as Json, json};

/// JSON of a value: `{"real": […]}` or `{"tuple": […]}`.
pub fn value_json(value: &Value) -> Json {
    match value {
        Value::Real(tensor) => json!({ "real": numbers_json(tensor.data()) }),
        Value::Tuple(parts) => json!({ "tuple": parts.iter().map(value_json).collect::<Vec<_>>() }),
    }
}

/// JSON of a tensor: its shape and its entries, row-major.
pub fn tensor_json(tensor: &Tensor) -> Json {
    json!({ "shape": tensor.shape().dims(), "data": numbers_json(tensor.data()) })
}

/// JSON of numbers. Non-finite numbers are strings, as JSON has none.
pub fn numbers_json(numbers: &[f64]) -> Vec<Json> {
    numbers
        .iter()
        .map(|number| match number {
            n if n.is_finite() => json!(n),
            n if n.is_nan() => json!("NaN"),
            n if *n > 0.0 => json!("Infinity"),
            _ => json!("-Infinity"),
        })
        .collect()
}
