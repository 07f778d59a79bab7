//! Images of c channels with n entries each: padding, upscaling and concatenation, with their transposes.

use super::{Call, Helpers};
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    match (call.name, call.arguments, call.indices) {
        ("concat", [u, v], [c, d, n]) => {
            let (u, v) = (u.shaped(&[*c, *n]), v.shaped(&[*d, *n]));
            let text = format!("jnp.concatenate([{}, {}])", u.text(), v.text());
            Some(Code::atom(text, &[c + d, *n]))
        }
        (name, [x], [c, n, m]) => {
            let (small, large) = (&[*c, *n][..], &[*c, *m][..]);
            Some(match name {
                "padding" => {
                    let (before, x) = ((m - n) / 2, x.shaped(small));
                    let after = m - n - before;
                    let text = format!("jnp.pad({}, ((0, 0), ({before}, {after})))", x.text());
                    Code::atom(text, large)
                }
                "crop" => {
                    let (before, x) = ((m - n) / 2, x.shaped(large));
                    let text = format!("{}[:, {before}:{}]", x.at(Level::Atom), before + n);
                    Code::atom(text, small)
                }
                "upscale" => {
                    helpers.insert("upscale");
                    let x = x.shaped(small);
                    Code::atom(format!("upscale({}, {m})", x.text()), large)
                }
                "downsum" => {
                    helpers.insert("downsum");
                    let x = x.shaped(large);
                    Code::atom(format!("downsum({}, {n})", x.text()), small)
                }
                _ => return None,
            })
        }
        _ => None,
    }
}
