//! Comparison and selection, entry by entry. A condition of 0 selects the second alternative, and equal numbers are not less.

use super::Call;
use crate::code::{Code, Level, together};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    match (call.name, call.arguments) {
        ("where", [c, a, b]) => {
            let (a, b) = together(a, b);
            let c = match c.size() {
                1 => c.flat(),
                _ => c.shaped(&a.shape),
            };
            let condition = format!("{} > 0", c.at(Level::Sum));
            let text = format!("jnp.where({condition}, {}, {})", a.text(), b.text());
            Some(Code::atom(text, &a.shape))
        }
        ("less", [a, b]) => {
            let (a, b) = together(a, b);
            let condition = format!("{} < {}", a.at(Level::Sum), b.at(Level::Sum));
            Some(Code::atom(
                format!("jnp.where({condition}, 1.0, 0.0)"),
                &a.shape,
            ))
        }
        _ => None,
    }
}
