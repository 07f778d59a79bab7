//! The Euclidean norm, and its derivatives with respect to half the square.

use super::{Call, Helpers};
use crate::code::Code;

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let ("norm", [x], [order, _]) = (call.name, call.arguments, call.orders) else {
        return None;
    };
    let text = match order {
        0 => format!("jnp.sqrt(jnp.vdot({0}, {0})).reshape(1)", x.text()),
        order => {
            helpers.insert("norm_slope");
            format!("norm_slope({order}, {}).reshape(1)", x.text())
        }
    };
    Some(Code::atom(text, &[1]))
}
