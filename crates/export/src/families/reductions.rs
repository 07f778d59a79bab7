//! Sums over all entries and their adjoints, and sizes as numbers.

use super::Call;
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    let [x] = call.arguments else { return None };
    let n = call.output;
    Some(match call.name {
        "sum" => Code::atom(format!("jnp.sum({}).reshape(1)", x.text()), &[1]),
        "mean" => Code::atom(format!("jnp.mean({}).reshape(1)", x.text()), &[1]),
        "half_sq" => {
            let square = format!("jnp.vdot({0}, {0}).reshape(1)", x.text());
            Code::of(Level::Product, format!("0.5 * {square}"), &[1])
        }
        "broadcast" if x.is_number() => {
            Code::atom(format!("jnp.full({n}, {})", x.beside(Level::Sum)), &[n])
        }
        "broadcast" => Code::atom(format!("jnp.broadcast_to({}, {n})", x.flat().text()), &[n]),
        "spread" => {
            let share = format!("{} / {n}", x.flat().at(Level::Product));
            Code::atom(format!("jnp.broadcast_to({share}, {n})"), &[n])
        }
        "count" => Code::number(*call.indices.first()? as f64),
        _ => return None,
    })
}
