//! Maps along one direction of a vector or a matrix: running sums, from the front and from the back, and rows in reverse order.
//! All are linear. The transpose of a running sum is the running sum from the other end; reversal is its own transpose.
//!
//! Laws: rd\[f\](x, y) = fᵀ(y) does not depend on x; the last entry of cumsum is the sum; reversing twice is the identity.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::signature::{misshapen, one, positive, volume};
use crate::{Shape, SignatureError};

/// Maps along one direction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sequence {
    /// out\[i\] = x\[0\] + … + x\[i\]; with `back`, x\[i\] + … + x\[n−1\].
    Cumsum { back: bool, n: usize },
    /// The n rows of m entries, the last row first.
    Reverse { n: usize, m: usize },
}

use Sequence::{Cumsum, Reverse};

/// Distance between an entry and the one added to it, stage by stage. After a stage of distance d each entry holds the sum of
/// 2d neighbours (Hillis and Steele). So n entries take log₂ n stages.
fn distances(n: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1), |d| Some(2 * d)).take_while(move |d| *d < n)
}

impl PrimitiveMap for Sequence {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Cumsum { back: false, .. } => "cumsum",
            Cumsum { back: true, .. } => "cumsum_back",
            Reverse { .. } => "reverse",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Cumsum { .. } => "cumsum",
            Reverse { .. } => "reverse",
        })
    }

    fn indices(&self) -> Vec<usize> {
        match *self {
            Cumsum { .. } => vec![],
            Reverse { n, m } => vec![n, m],
        }
    }

    fn inputs(&self) -> Vec<usize> {
        vec![self.output()]
    }

    fn output(&self) -> usize {
        match *self {
            Cumsum { n, .. } => n,
            Reverse { n, m } => n.saturating_mul(m),
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [x] = inputs else { return };
        match *self {
            Cumsum { back, n } => {
                let mut sums = x.to_vec();
                for d in distances(n) {
                    out.copy_from_slice(&sums);
                    let add = |(out, x): (&mut f64, &f64)| *out += x;
                    let behind = sums.get(d..).unwrap_or(&[]);
                    match back {
                        false => out.iter_mut().skip(d).zip(&sums).for_each(add),
                        true => out.iter_mut().zip(behind).for_each(add),
                    }
                    sums.copy_from_slice(out);
                }
                out.copy_from_slice(&sums);
            }
            Reverse { m, .. } => {
                for (out, row) in out.chunks_exact_mut(m).rev().zip(x.chunks_exact(m)) {
                    out.copy_from_slice(row);
                }
            }
        }
    }

    fn kernel(&self) -> Kernel {
        match *self {
            Cumsum { back, n } => running(n, back),
            Reverse { n, m } => reversal(n, m),
        }
    }

    fn reverse(
        &self,
        b: &mut Builder,
        _point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let transposed = match *self {
            Cumsum { back, n } => Cumsum { back: !back, n },
            Reverse { n, m } => Reverse { n, m },
        };
        vec![Some(b.push(transposed, &[y]))]
    }

    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        match *self {
            Cumsum { n, .. } => Shape::vector(n),
            Reverse { n, m } => Shape::matrix_or_vector(n, m),
        }
    }
}

/// Kernel of a running sum. Each stage reads the buffer of the stage before.
fn running(n: usize, back: bool) -> Kernel {
    let stages: Vec<usize> = distances(n).collect();
    let mut kernel = Kernel {
        temporaries: vec![n; stages.len().saturating_sub(1)],
        nests: Vec::new(),
    };
    let at = |buffer, offset| Access::new(buffer, offset, &[1]);
    if stages.is_empty() {
        let copied = Nest::copy(&[n], at(Buffer::Output, 0), at(Buffer::Input(0), 0));
        return Kernel::of(vec![copied]);
    }
    let mut from = Buffer::Input(0);
    for (stage, d) in stages.iter().enumerate() {
        let to = match stage + 1 == stages.len() {
            true => Buffer::Output,
            false => Buffer::Temporary(stage),
        };
        let (kept, own, other) = match back {
            false => (0, *d, 0),
            true => (n - d, 0, *d),
        };
        kernel
            .nests
            .push(Nest::copy(&[*d], at(to, kept), at(from, kept)));
        kernel.nests.push(Nest::new(
            &[n - d],
            Fold::Store,
            at(to, own),
            [at(from, own), at(from, other)],
            |_, [x, before]| x + before,
        ));
        from = to;
    }
    kernel
}

/// Kernel of a reversal. An access has no negative strides, so the rows are grouped into blocks of b ≈ √n rows. The rows inside
/// the blocks are reversed first, by a nest for each position in a block. Then the blocks are put in reverse order, by a nest
/// for each block. The rows after the last whole block go to the front one by one.
fn reversal(n: usize, m: usize) -> Kernel {
    let b = n.isqrt().max(1);
    let (blocks, rest) = (n / b, n % b);
    let (x, within, out) = (Buffer::Input(0), Buffer::Temporary(0), Buffer::Output);
    let mut kernel = Kernel {
        temporaries: vec![blocks * b * m],
        nests: Vec::new(),
    };
    let rows = |buffer, row: usize| Access::new(buffer, row * m, &[b * m, 1]);
    for j in 0..b {
        let copied = Nest::copy(&[blocks, m], rows(within, b - 1 - j), rows(x, j));
        kernel.nests.push(copied);
    }
    let entries = |buffer, row: usize| Access::new(buffer, row * m, &[1]);
    for block in 0..blocks {
        let to = entries(out, rest + (blocks - 1 - block) * b);
        let copied = Nest::copy(&[b * m], to, entries(within, block * b));
        kernel.nests.push(copied);
    }
    for j in 0..rest {
        let copied = Nest::copy(&[m], entries(out, rest - 1 - j), entries(x, blocks * b + j));
        kernel.nests.push(copied);
    }
    kernel
}

fn reverse(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (n, m) = match *indices {
        [n, m] => (n, m),
        _ => {
            let x = one(arguments)?;
            x.as_matrix().ok_or_else(|| {
                misshapen(
                    0,
                    format!("reverse takes the rows of a matrix, but this has the shape {x}"),
                )
            })?
        }
    };
    positive(&[("n", n), ("m", m)])?;
    volume(&[n, m])?;
    Ok(Reverse { n, m }.into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "cumsum",
            summary: "The sum of each entry and all before it.",
            formula: "out[i] = x[0] + … + x[i]",
            derivative: "x̄[i] = y[i] + … + y[n−1]",
            build: |_, arguments| {
                Ok(Cumsum {
                    back: false,
                    n: one(arguments)?.size(),
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "reverse",
            indices: &["n", "m"],
            signature: "Real(n·m) → Real(n·m)",
            summary: "The rows of an n × m matrix in reverse order; of a vector, the entries.",
            formula: "out[i,j] = x[n−1−i, j]",
            derivative: "x̄ = reverse(y)",
            build: reverse,
            ..Family::PLAIN
        },
    ]
}
