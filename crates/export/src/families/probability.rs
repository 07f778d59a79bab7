//! Scores as probabilities, cross-entropy, and whether two arguments have their first maximum at the same place.

use super::Call;
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    Some(match (call.name, call.arguments) {
        ("softmax", [x]) => over_all("softmax", x),
        ("log_softmax", [x]) => over_all("log_softmax", x),
        ("cross_entropy", [x, t]) => {
            let logs = over_all("log_softmax", x);
            let text = format!("-jnp.vdot({}, {}).reshape(1)", t.text(), logs.text());
            Code::of(Level::Unary, text, &[1])
        }
        ("correct", [u, v]) => {
            let same = format!("jnp.argmax({}) == jnp.argmax({})", u.text(), v.text());
            Code::atom(format!("jnp.where({same}, 1.0, 0.0).reshape(1)"), &[1])
        }
        _ => return None,
    })
}

/// A function over all entries, whatever the shape.
fn over_all(function: &str, x: &Code) -> Code {
    let axis = if x.shape.len() > 1 { ", axis=None" } else { "" };
    Code::atom(format!("jax.nn.{function}({}{axis})", x.text()), &x.shape)
}
