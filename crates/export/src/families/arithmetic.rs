//! 0, +, −, ⊙ and /, entry by entry.

use super::Call;
use crate::code::{Code, Level, entrywise};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    Some(match (call.name, call.arguments) {
        ("zero", _) => Code::zeros(&[call.output]),
        ("plus", [a, b]) => entrywise("+", Level::Sum, a, b),
        ("minus", [a, b]) => entrywise("-", Level::Sum, a, b),
        ("hadamard", [a, b]) => entrywise("*", Level::Product, a, b),
        ("divide", [a, b]) => entrywise("/", Level::Product, a, b),
        ("neg", [a]) => Code::of(Level::Unary, format!("-{}", a.at(Level::Atom)), &a.shape),
        _ => return None,
    })
}
