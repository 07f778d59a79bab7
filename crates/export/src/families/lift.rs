//! A primitive applied to each of b columns or rows.

use super::Helpers;
use crate::code::Code;
use fletch_smooth::{Axis, Primitive};

pub(crate) fn written(
    b: usize,
    axis: Axis,
    inner: &Primitive,
    arguments: &[Code],
    helpers: &mut Helpers,
) -> Option<Code> {
    let matrix = |n: usize| match axis {
        Axis::Cols => [n, b],
        Axis::Rows => [b, n],
    };
    // `each` is the axis of length b; `within` is the axis of the entries of one column or row.
    let (each, within) = match axis {
        Axis::Cols => (1, 0),
        Axis::Rows => (0, 1),
    };
    let sizes = inner.inputs();
    let arguments: Vec<Code> = arguments
        .iter()
        .zip(&sizes)
        .map(|(argument, n)| argument.shaped(&matrix(*n)))
        .collect();
    let result = matrix(inner.output());
    if let ([x], None, [0, 0]) = (&arguments[..], inner.each(), inner.orders()) {
        let along = match &*inner.generator() {
            "softmax" => Some(format!("jax.nn.softmax({}, axis={within})", x.text())),
            "log_softmax" => Some(format!("jax.nn.log_softmax({}, axis={within})", x.text())),
            "sum" => Some(format!(
                "jnp.sum({}, axis={within}, keepdims=True)",
                x.text()
            )),
            "mean" => Some(format!(
                "jnp.mean({}, axis={within}, keepdims=True)",
                x.text()
            )),
            _ => None,
        };
        if let Some(text) = along {
            return Some(Code::atom(text, &result));
        }
    }
    let names = ["u", "v", "w"];
    let parameters: Vec<Code> = names
        .iter()
        .zip(&sizes)
        .map(|(name, n)| Code::atom(*name, &[*n]))
        .collect();
    let one = super::written(inner, &parameters, helpers)?.flat();
    let heads: Vec<&str> = parameters.iter().map(Code::text).collect();
    let values: Vec<&str> = arguments.iter().map(Code::text).collect();
    let axes = format!("in_axes={each}, out_axes={each}");
    let text = format!(
        "jax.vmap(lambda {}: {}, {axes})({})",
        heads.join(", "),
        one.text(),
        values.join(", ")
    );
    Some(Code::atom(text, &result))
}
