//! The largest and the smallest entry, their positions, and positions as one-hot vectors; of equal entries the first counts.

use super::Call;
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    let [x, others @ ..] = call.arguments else {
        return None;
    };
    let place = match call.name {
        "min_of_put" | "min_of_pick" => format!("jnp.argmin({})", x.text()),
        _ => format!("jnp.argmax({})", x.text()),
    };
    Some(match (call.name, others) {
        ("argmax", []) => Code::atom(format!("{place}.astype(float).reshape(1)"), &[1]),
        ("max_of", []) => Code::atom(format!("jnp.max({}).reshape(1)", x.text()), &[1]),
        ("min_of", []) => Code::atom(format!("jnp.min({}).reshape(1)", x.text()), &[1]),
        ("max_of_put" | "min_of_put", [y]) => {
            let n = call.output;
            let here = format!("np.arange({n}) == {place}");
            Code::atom(format!("jnp.where({here}, {}, 0.0)", y.flat().text()), &[n])
        }
        ("max_of_pick" | "min_of_pick", [z]) => {
            let z = z.flat();
            let entry = z.at(Level::Atom);
            Code::atom(format!("{entry}[{place}].reshape(1)"), &[1])
        }
        ("one_hot", []) => {
            let n = call.output;
            let away = "jax.lax.RoundingMethod.AWAY_FROM_ZERO";
            let here = format!(
                "np.arange({n}) == jax.lax.round({}, {away})",
                x.flat().text()
            );
            Code::atom(format!("jnp.where({here}, 1.0, 0.0)"), &[n])
        }
        _ => return None,
    })
}
