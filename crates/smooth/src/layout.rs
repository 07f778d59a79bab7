//! Moving entries of matrices and vectors: transposition, reshaping, slices. Each is linear with entries 0 and 1, and
//! its reverse derivative is its transpose, which is again in the family.
//!
//! Laws: rd\[f\](x, y) = fᵀ(y) does not depend on x; transpose after transpose is the identity.

use std::borrow::Cow;

use nalgebra::{DMatrixView, DMatrixViewMut};

use crate::builder::{Builder, Wire};
use crate::family::{Family, Fixity, Operator};
use crate::kernel::{Access, Buffer, Kernel, Nest};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::reading::Reading;
use crate::signature::{invalid, misshapen, one, positive, volume};
use crate::{Shape, SignatureError};

/// Maps that move entries.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Rearrangement {
    /// The transpose of an m × n matrix.
    Transpose { m: usize, n: usize },
    /// Entries unchanged, read as an m × n matrix.
    Reshape { m: usize, n: usize },
    /// The entries i … i+m−1 of n.
    Slice { n: usize, i: usize, m: usize },
    /// m entries at i … i+m−1 among n, the others 0: the transpose of a slice.
    Embed { n: usize, i: usize, m: usize },
}

use Rearrangement::{Embed, Reshape, Slice, Transpose};

impl PrimitiveMap for Rearrangement {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Transpose { .. } => "transpose",
            Reshape { .. } => "reshape",
            Slice { .. } => "slice",
            Embed { .. } => "embed",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        match self {
            Embed { .. } => Cow::Borrowed("slice"),
            _ => self.name(),
        }
    }

    fn indices(&self) -> Vec<usize> {
        match *self {
            Transpose { m, n } | Reshape { m, n } => vec![m, n],
            Slice { i, m, .. } | Embed { i, m, .. } => vec![i, m],
        }
    }

    fn reading(&self) -> Reading {
        let reading = Reading::named(self.name());
        match *self {
            Transpose { .. } => reading.valued("the transpose"),
            Slice { i, m, .. } => {
                let last = (i + m).saturating_sub(1);
                let (entries, several) = match m {
                    1 => (format!("entry {i}"), false),
                    _ => (format!("entries {i}–{last}"), true),
                };
                Reading {
                    several,
                    ..Reading::named(format!("slice[{i}, {m}]")).valued(entries)
                }
            }
            Reshape { .. } | Embed { .. } => reading,
        }
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Transpose { m, n } | Reshape { m, n } => vec![m.saturating_mul(n)],
            Slice { n, .. } => vec![n],
            Embed { m, .. } => vec![m],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Transpose { m, n } | Reshape { m, n } => m.saturating_mul(n),
            Slice { m, .. } => m,
            Embed { n, .. } => n,
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [x] = inputs else { return };
        match *self {
            Transpose { m, n } => {
                let mut out = DMatrixViewMut::from_slice(out, m, n);
                DMatrixView::from_slice(x, n, m).transpose_to(&mut out);
            }
            Reshape { .. } => copy(out, x),
            Slice { i, m, .. } => copy(out, x.get(i..i + m).unwrap_or(&[])),
            Embed { i, m, .. } => copy(out.get_mut(i..i + m).unwrap_or(&mut []), x),
        }
    }

    fn kernel(&self) -> Kernel {
        let input = |offset, strides: &[usize]| Access::new(Buffer::Input(0), offset, strides);
        let output = |offset, strides: &[usize]| Access::new(Buffer::Output, offset, strides);
        Kernel::of(vec![match *self {
            Transpose { m, n } => Nest::copy(&[n, m], output(0, &[m, 1]), input(0, &[1, n])),
            Reshape { m, n } => Nest::copy(&[m * n], output(0, &[1]), input(0, &[1])),
            Slice { i, m, .. } => Nest::copy(&[m], output(0, &[1]), input(i, &[1])),
            Embed { i, m, .. } => Nest::copy(&[m], output(i, &[1]), input(0, &[1])),
        }])
    }

    fn reverse(
        &self,
        b: &mut Builder,
        _point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let transposed = match *self {
            Transpose { m, n } => Transpose { m: n, n: m },
            Reshape { .. } => return vec![Some(y)],
            Slice { n, i, m } => Embed { n, i, m },
            Embed { n, i, m } => Slice { n, i, m },
        };
        vec![Some(b.push(transposed, &[y]))]
    }

    /// The transpose of a row is a vector, and the transpose of a vector is a row.
    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        match *self {
            Transpose { m, n } => Shape::matrix_or_vector(n, m),
            Reshape { m, n } => Shape::matrix(m, n),
            Slice { m, .. } => Shape::vector(m),
            Embed { n, .. } => Shape::vector(n),
        }
    }
}

/// Writes x to the beginning of `out`.
pub(crate) fn copy(out: &mut [f64], x: &[f64]) {
    out.iter_mut().zip(x).for_each(|(out, x)| *out = *x);
}

fn transpose(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (m, n) = match *indices {
        [m, n] => (m, n),
        _ => {
            let x = one(arguments)?;
            x.as_matrix().ok_or_else(|| {
                misshapen(
                    0,
                    format!("ᵀ transposes matrices, but this has the shape {x}"),
                )
            })?
        }
    };
    positive(&[("m", m), ("n", n)])?;
    volume(&[m, n])?;
    Ok(Transpose { m, n }.into())
}

fn reshape(indices: &[usize], _: &[Shape]) -> Result<Primitive, SignatureError> {
    let [m, n] = *indices else {
        return Err(SignatureError::CannotInfer { index: "m" });
    };
    positive(&[("m", m), ("n", n)])?;
    volume(&[m, n])?;
    Ok(Reshape { m, n }.into())
}

fn slice(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let [i, m] = *indices else {
        return Err(SignatureError::CannotInfer { index: "i" });
    };
    let n = one(arguments)?.size();
    if i.saturating_add(m) > n {
        let last = i.saturating_add(m).saturating_sub(1);
        return Err(invalid(format!(
            "the slice ends at entry {last}, but the last of {n} entries, from 0, is {}",
            n.saturating_sub(1)
        )));
    }
    Ok(Slice { n, i, m }.into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "transpose",
            operator: Operator::of("ᵀ", "\\top", Fixity::Postfix),
            indices: &["m", "n"],
            signature: "Real(m·n) → Real(n·m)",
            summary: "The transpose of an m × n matrix; written Aᵀ.",
            formula: "out[j,i] = A[i,j]",
            derivative: "Ā = Yᵀ",
            build: transpose,
            ..Family::PLAIN
        },
        Family {
            name: "reshape",
            indices: &["m", "n"],
            signature: "Real(m·n) → Real(m·n)",
            summary: "The same entries, read as an m × n matrix.",
            formula: "out[i] = x[i]",
            derivative: "x̄ = y",
            build: reshape,
            ..Family::PLAIN
        },
        Family {
            name: "slice",
            indices: &["i", "m"],
            signature: "Real(n) → Real(m)",
            summary: "The m entries from entry i on, counted from 0.",
            formula: "out[j] = x[i + j]",
            derivative: "x̄[i + j] = y[j], the other entries 0",
            build: slice,
            ..Family::PLAIN
        },
    ]
}
