//! Running sums, from the front and from the back, and rows in reverse order.

use super::Call;
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    let [x] = call.arguments else { return None };
    Some(match (call.name, call.indices) {
        ("cumsum", []) => Code::atom(format!("jnp.cumsum({})", x.text()), &[call.output]),
        ("cumsum_back", []) => {
            let back = format!("{}[::-1]", x.flat().at(Level::Atom));
            Code::atom(format!("jnp.cumsum({back})[::-1]"), &[call.output])
        }
        ("reverse", [n, m]) => {
            let x = match *m {
                1 => x.flat(),
                m => x.shaped(&[*n, m]),
            };
            Code::atom(format!("{}[::-1]", x.at(Level::Atom)), &x.shape)
        }
        _ => return None,
    })
}
