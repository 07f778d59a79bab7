//! Products of matrices, scalars and vectors. A vector is a column, and a result of one column is a vector.

use super::Call;
use crate::code::{Code, Level};

pub(crate) fn written(call: &Call<'_>) -> Option<Code> {
    let [u, v] = call.arguments else { return None };
    Some(match (call.name, call.indices) {
        ("matmul", [m, k, n]) => product(u, v, [*m, *k, *n]),
        // C ∗ Bᵀ for C : m × n, B : k × n.
        ("matmul_nt", [m, k, n]) => match n {
            1 => product(u, v, [*m, 1, *k]),
            _ => product(u, &transposed(v, *k, *n), [*m, *n, *k]),
        },
        // Aᵀ ∗ C for A : m × k, C : m × n.
        ("matmul_tn", [m, k, n]) => match m {
            1 => product(u, v, [*k, 1, *n]),
            _ => product(&transposed(u, *m, *k), v, [*k, *m, *n]),
        },
        ("scale", []) => {
            let (s, x) = (u.flat(), v);
            let text = match x.is_number() && s.is_number() {
                true => format!("{} * {}", s.beside(Level::Product), x.at(Level::Unary)),
                false => format!("{} * {}", s.beside(Level::Product), x.beside(Level::Unary)),
            };
            Code::of(Level::Product, text, &x.shape)
        }
        ("dot", []) => Code::atom(
            format!("jnp.vdot({}, {}).reshape(1)", u.text(), v.text()),
            &[1],
        ),
        _ => return None,
    })
}

/// A ∗ B for A : m × k, B : k × n.
fn product(a: &Code, b: &Code, [m, k, n]: [usize; 3]) -> Code {
    if k == 1 && n == 1 {
        let text = format!(
            "{} * {}",
            a.flat().at(Level::Product),
            b.flat().beside(Level::Unary)
        );
        return Code::of(Level::Product, text, &[m]);
    }
    // `jnp.outer` takes both as vectors, whatever their shapes.
    if k == 1 {
        return Code::atom(format!("jnp.outer({}, {})", a.text(), b.text()), &[m, n]);
    }
    let (right, result): (&[usize], &[usize]) = match n {
        1 => (&[k], &[m]),
        _ => (&[k, n], &[m, n]),
    };
    let (a, b) = (a.shaped(&[m, k]), b.shaped(right));
    let text = format!("{} @ {}", a.at(Level::Product), b.at(Level::Unary));
    Code::of(Level::Product, text, result)
}

/// The transpose of an m × n matrix.
fn transposed(x: &Code, m: usize, n: usize) -> Code {
    let x = x.shaped(&[m, n]);
    Code::atom(format!("{}.T", x.at(Level::Atom)), &[n, m])
}
