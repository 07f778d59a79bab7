//! Powers with the exponent as an argument, and their mixed derivatives.

use super::{Call, Helpers};
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let ("pow", [x, p], [in_x, in_p]) = (call.name, call.arguments, call.orders) else {
        return None;
    };
    let p = p.flat();
    let p = p.beside(Level::Sum);
    let text = match (in_x, in_p) {
        (0, 0) => format!("jnp.power({}, {p})", x.text()),
        (in_x, in_p) => {
            helpers.insert("power_slope");
            format!("power_slope({in_x}, {in_p}, {}, {p})", x.text())
        }
    };
    Some(Code::atom(text, &x.shape))
}
