//! Scores as probabilities, cross-entropy, and the comparison of the positions of the first maximum of two arguments.

use super::{Call, Helpers};
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let mut over_all = |function, x| over_all(function, x, helpers);
    Some(match (call.name, call.arguments) {
        ("softmax", [x]) => over_all("softmax", x),
        ("log_softmax", [x]) => over_all("log_softmax", x),
        ("logsumexp", [x]) => {
            Code::atom(format!("jax.nn.logsumexp({}).reshape(1)", x.text()), &[1])
        }
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

/// A function over all entries of an array of any shape. `below` makes it work for scores whose difference overflows.
fn over_all(function: &str, x: &Code, helpers: &mut Helpers) -> Code {
    helpers.insert("below");
    let axis = if x.shape.len() > 1 { ", axis=None" } else { "" };
    let text = format!("jax.nn.{function}(below({}){axis})", x.text());
    Code::atom(text, &x.shape)
}
