//! Maximum, minimum and clamping, entry by entry, and masks of the chosen argument; on a tie the first argument is chosen.

use super::Call;
use crate::code::{Code, Level, together};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    match call.arguments {
        [u, v] => {
            let (u, v) = together(u, v);
            let (less, more) = (u.at(Level::Sum), v.at(Level::Sum));
            let (is, then, otherwise) = match call.name {
                "max" => (format!("{less} < {more}"), v.text(), u.text()),
                "min" => (format!("{more} < {less}"), v.text(), u.text()),
                "max_first" => (format!("{less} < {more}"), "0.0", "1.0"),
                "max_second" => (format!("{less} < {more}"), "1.0", "0.0"),
                "min_first" => (format!("{more} < {less}"), "0.0", "1.0"),
                "min_second" => (format!("{more} < {less}"), "1.0", "0.0"),
                _ => return None,
            };
            let text = format!("jnp.where({is}, {then}, {otherwise})");
            Some(Code::atom(text, &u.shape))
        }
        [lo, hi, x] => {
            let (lo, hi) = (lo.flat(), hi.flat());
            let (lo, hi) = (lo.beside(Level::Sum), hi.beside(Level::Sum));
            let (text, entry) = (x.text(), x.at(Level::Sum));
            let text = match call.name {
                "clamp" => format!("jnp.clip({text}, {lo}, {hi})"),
                "clamp_below" => format!("jnp.where({entry} < {lo}, 1.0, 0.0)"),
                "clamp_above" => format!("jnp.where({entry} > {hi}, 1.0, 0.0)"),
                "clamp_inside" => {
                    format!("jnp.where(({entry} >= {lo}) & ({entry} <= {hi}), 1.0, 0.0)")
                }
                _ => return None,
            };
            Some(Code::atom(text, &x.shape))
        }
        _ => None,
    }
}
