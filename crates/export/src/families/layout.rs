//! Rearrangement of the entries of matrices and vectors.

use super::Call;
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    let ([x], [i, m]) = (call.arguments, call.indices) else {
        return None;
    };
    Some(match call.name {
        // The transpose of a row is a vector, and that of a vector is a row.
        "transpose" => match (*i, *m) {
            (1, n) => x.shaped(&[n]),
            (m, 1) => x.shaped(&[1, m]),
            (m, n) => {
                let x = x.shaped(&[m, n]);
                Code::atom(format!("{}.T", x.at(Level::Atom)), &[n, m])
            }
        },
        "reshape" => x.shaped(&[*i, *m]),
        "slice" => {
            let text = format!("{}[{i}:{}]", x.flat().at(Level::Atom), i + m);
            Code::atom(text, &[*m])
        }
        "embed" => {
            let after = call.output.saturating_sub(i + m);
            let text = format!("jnp.pad({}, ({i}, {after}))", x.flat().text());
            Code::atom(text, &[call.output])
        }
        _ => return None,
    })
}
