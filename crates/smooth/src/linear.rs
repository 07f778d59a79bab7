//! Linear algebra: products of matrices, scalars and vectors. Each product comes from one trilinear form, such as
//! T(A, B, C) = Σ A[i,k]·B[k,j]·C[i,j]; its three partial derivatives are the product and the two halves of its
//! reverse derivative, so each family is closed with three primitives and no more.
//!
//! Laws: rd\[∗\](⟨A, B⟩, Y) = ⟨Y ∗ Bᵀ, Aᵀ ∗ Y⟩; (A ∗ B)ᵀ = Bᵀ ∗ Aᵀ; dot and scale are adjoint.

use nalgebra::{DMatrixView, DMatrixViewMut, DVectorView, DVectorViewMut};

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::{Family, Fixity, Operator};
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::signature::{misshapen, positive, same, sized, two, volume};
use crate::{Shape, SignatureError, counted};

/// The sizes of a product of an m × k and a k × n matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sizes {
    m: usize,
    k: usize,
    n: usize,
}

/// Bilinear products.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Linear {
    /// A, B ↦ A ∗ B : m × n, for A : m × k, B : k × n.
    Product(Sizes),
    /// C, B ↦ C ∗ Bᵀ : m × k, for C : m × n, B : k × n.
    Left(Sizes),
    /// A, C ↦ Aᵀ ∗ C : k × n, for A : m × k, C : m × n.
    Right(Sizes),
    /// s, x ↦ s·x.
    Scale { n: usize },
    /// x, y ↦ Σᵢ xᵢyᵢ.
    Dot { n: usize },
}

impl PrimitiveMap for Linear {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            // As in BLAS: normal and transposed factors.
            Linear::Product(_) => "matmul",
            Linear::Left(_) => "matmul_nt",
            Linear::Right(_) => "matmul_tn",
            Linear::Scale { .. } => "scale",
            Linear::Dot { .. } => "dot",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        match self {
            Linear::Left(_) | Linear::Right(_) => Cow::Borrowed("matmul"),
            _ => self.name(),
        }
    }

    fn indices(&self) -> Vec<usize> {
        match *self {
            Linear::Product(Sizes { m, k, n })
            | Linear::Left(Sizes { m, k, n })
            | Linear::Right(Sizes { m, k, n }) => {
                vec![m, k, n]
            }
            Linear::Scale { .. } | Linear::Dot { .. } => vec![],
        }
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Linear::Product(Sizes { m, k, n }) => vec![m.saturating_mul(k), k.saturating_mul(n)],
            Linear::Left(Sizes { m, k, n }) => vec![m.saturating_mul(n), k.saturating_mul(n)],
            Linear::Right(Sizes { m, k, n }) => vec![m.saturating_mul(k), m.saturating_mul(n)],
            Linear::Scale { n } => vec![1, n],
            Linear::Dot { n } => vec![n, n],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Linear::Product(Sizes { m, n, .. }) => m.saturating_mul(n),
            Linear::Left(Sizes { m, k, .. }) => m.saturating_mul(k),
            Linear::Right(Sizes { k, n, .. }) => k.saturating_mul(n),
            Linear::Scale { n } => n,
            Linear::Dot { .. } => 1,
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [u, v] = inputs else { return };
        match *self {
            Linear::Product(sizes) => product(sizes, u, v, out),
            Linear::Left(sizes) => left(sizes, u, v, out),
            Linear::Right(sizes) => right(sizes, u, v, out),
            Linear::Scale { .. } => {
                let [s] = u else { return };
                out.iter_mut().zip(*v).for_each(|(out, x)| *out = s * x);
            }
            Linear::Dot { .. } => {
                if let [out] = out {
                    *out = dot(u, v);
                }
            }
        }
    }

    /// The sums have the start and the order of those of `nalgebra` and of [`dot`].
    fn kernel(&self) -> Kernel {
        let (u, v) = (Buffer::Input(0), Buffer::Input(1));
        let bilinear =
            |extents: &[usize], fold, write: &[usize], left: &[usize], right: &[usize]| {
                let read = [Access::new(u, 0, left), Access::new(v, 0, right)];
                let write = Access::new(Buffer::Output, 0, write);
                Kernel::of(vec![Nest::new(extents, fold, write, read, |_, [u, v]| {
                    u * v
                })])
            };
        match *self {
            Linear::Product(Sizes { m, k, n: 1 }) => {
                bilinear(&[m, k], Fold::Eight, &[1, 0], &[k, 1], &[0, 1])
            }
            Linear::Product(Sizes { m, k, n }) => bilinear(
                &[m, n, k],
                Fold::Sum(-0.0),
                &[n, 1, 0],
                &[k, 0, 1],
                &[0, 1, n],
            ),
            Linear::Left(Sizes { m, k, n: 1 }) => {
                bilinear(&[m, k], Fold::Store, &[k, 1], &[1, 0], &[0, 1])
            }
            Linear::Left(Sizes { m, k, n }) => {
                bilinear(&[m, k, n], Fold::Eight, &[k, 1, 0], &[n, 0, 1], &[0, n, 1])
            }
            Linear::Right(Sizes { m, k, n }) => {
                let start = if n == 1 { -0.0 } else { 0.0 };
                bilinear(
                    &[k, n, m],
                    Fold::Sum(start),
                    &[n, 1, 0],
                    &[1, 0, k],
                    &[0, 1, n],
                )
            }
            Linear::Scale { n } => bilinear(&[n], Fold::Store, &[1], &[0], &[1]),
            Linear::Dot { n } => bilinear(&[n], Fold::Four, &[0], &[1], &[1]),
        }
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let [u, v] = *point else { return vec![] };
        match *self {
            Linear::Product(s) => vec![
                Some(b.push(Linear::Left(s), &[y, v])),
                Some(b.push(Linear::Right(s), &[u, y])),
            ],
            Linear::Left(s) => vec![
                Some(b.push(Linear::Product(s), &[y, v])),
                Some(b.push(Linear::Right(s), &[y, u])),
            ],
            Linear::Right(s) => vec![
                Some(b.push(Linear::Left(s), &[v, y])),
                Some(b.push(Linear::Product(s), &[u, y])),
            ],
            Linear::Scale { .. } => vec![Some(b.dot(y, v)), Some(b.scale(u, y))],
            Linear::Dot { .. } => vec![Some(b.scale(y, v)), Some(b.scale(y, u))],
        }
    }

    fn result_shape(&self, arguments: &[Shape]) -> Shape {
        match (self, arguments) {
            (Linear::Product(Sizes { m, n, .. }), _) => Shape::matrix_or_vector(*m, *n),
            (Linear::Left(Sizes { m, k, .. }), _) => Shape::matrix_or_vector(*m, *k),
            (Linear::Right(Sizes { k, n, .. }), _) => Shape::matrix_or_vector(*k, *n),
            (Linear::Scale { .. }, [_, x]) => x.clone(),
            _ => Shape::vector(self.output()),
        }
    }
}

/// ⟨a, b⟩ with four running sums, so that the additions need not wait for each other; always in the same order.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, b_blocks) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_blocks
        .remainder()
        .iter()
        .zip(b_blocks.remainder())
        .map(|(x, y)| x * y)
        .sum();
    let mut sums = [0.0; 4];
    for (a, b) in a_blocks.zip(b_blocks) {
        for ((sum, x), y) in sums.iter_mut().zip(a).zip(b) {
            *sum += x * y;
        }
    }
    let [s0, s1, s2, s3] = sums;
    (s0 + s1) + (s2 + s3) + rest
}

/// out += c·x, entry by entry.
pub(crate) fn add_multiple(out: &mut [f64], c: f64, x: &[f64]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out += c * x;
    }
}

// nalgebra stores matrices by columns, so our row-major m × k matrix A is its k × m matrix Aᵀ, without a copy.

/// C = A ∗ B, as Cᵀ = Bᵀ ∗ Aᵀ.
fn product(Sizes { m, k, n }: Sizes, a: &[f64], b: &[f64], c: &mut [f64]) {
    let a = DMatrixView::from_slice(a, k, m);
    if n == 1 {
        DVectorViewMut::from_slice(c, m).gemv_tr(1.0, &a, &DVectorView::from_slice(b, k), 0.0);
    } else {
        DMatrixViewMut::from_slice(c, n, m).gemm(1.0, &DMatrixView::from_slice(b, n, k), &a, 0.0);
    }
}

/// A = C ∗ Bᵀ, as Aᵀ = B ∗ Cᵀ.
fn left(Sizes { m, k, n }: Sizes, c: &[f64], b: &[f64], a: &mut [f64]) {
    let mut a = DMatrixViewMut::from_slice(a, k, m);
    if n == 1 {
        a.ger(
            1.0,
            &DVectorView::from_slice(b, k),
            &DVectorView::from_slice(c, m),
            0.0,
        );
    } else {
        a.gemm_tr(
            1.0,
            &DMatrixView::from_slice(b, n, k),
            &DMatrixView::from_slice(c, n, m),
            0.0,
        );
    }
}

/// B = Aᵀ ∗ C, as Bᵀ = Cᵀ ∗ A: a sum of outer products over the rows of A and C.
fn right(Sizes { m, k, n }: Sizes, a: &[f64], c: &[f64], b: &mut [f64]) {
    let a = DMatrixView::from_slice(a, k, m);
    if n == 1 {
        DVectorViewMut::from_slice(b, k).gemv(1.0, &a, &DVectorView::from_slice(c, m), 0.0);
        return;
    }
    let c = DMatrixView::from_slice(c, n, m);
    let mut b = DMatrixViewMut::from_slice(b, n, k);
    for (a, c) in a.column_iter().zip(c.column_iter()) {
        b.ger(1.0, &c, &a, 1.0);
    }
}

/// Builds A ∗ B with sizes from the indices or from the shapes, where a vector is a column on either side.
fn matmul(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (m, k, n) = if let [m, k, n] = *indices {
        (m, k, n)
    } else {
        let (a, b) = two(arguments)?;
        let not_a_matrix = |argument, shape: &Shape| {
            misshapen(
                argument,
                format!("∗ multiplies matrices, but this has the shape {shape}"),
            )
        };
        let (m, k) = a.as_matrix().ok_or_else(|| not_a_matrix(0, a))?;
        let (inner, n) = b.as_matrix().ok_or_else(|| not_a_matrix(1, b))?;
        if k != inner {
            return Err(misshapen(
                1,
                format!(
                    "the inner sizes differ: {} ∗ {} ({} on the left, {} on the right)",
                    described(a),
                    described(b),
                    counted(k, "column"),
                    counted(inner, "row")
                ),
            ));
        }
        (m, k, n)
    };
    positive(&[("m", m), ("k", k), ("n", n)])?;
    for sizes in [[m, k], [k, n], [m, n]] {
        volume(&sizes)?;
    }
    Ok(Linear::Product(Sizes { m, k, n }).into())
}

/// A shape as a matrix, in words; a vector is described as a column.
fn described(shape: &Shape) -> String {
    match *shape.dims() {
        [n] => format!("(vector of {n}, a column {n} × 1)"),
        _ => format!("({shape})"),
    }
}

fn scale(_: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (s, x) = two(arguments)?;
    sized(0, s, 1)?;
    Ok(Linear::Scale { n: x.size() }.into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "matmul",
            operator: Operator::of("∗", "\\ast", Fixity::Product),
            indices: &["m", "k", "n"],
            arity: 2,
            signature: "Real(m·k) × Real(k·n) → Real(m·n)",
            summary: "The product of an m × k and a k × n matrix; written A ∗ B.",
            formula: "out[i,j] = Σ_l A[i,l]·B[l,j]",
            derivative: "Ā = Y ∗ Bᵀ, B̄ = Aᵀ ∗ Y",
            build: matmul,
            ..Family::PLAIN
        },
        Family {
            name: "scale",
            operator: Operator::of("·", "\\cdot", Fixity::Product),
            arity: 2,
            signature: "Real(1) × Real(n) → Real(n)",
            summary: "A number times a vector; written s · x.",
            formula: "out[i] = s·x[i]",
            derivative: "s̄ = ⟨x, y⟩, x̄ = s · y",
            build: scale,
            ..Family::PLAIN
        },
        Family {
            name: "dot",
            arity: 2,
            signature: "Real(n) × Real(n) → Real(1)",
            summary: "The inner product.",
            formula: "out = Σᵢ u[i]·v[i]",
            derivative: "ū = y · v, v̄ = y · u",
            build: |_, arguments| {
                Ok(Linear::Dot {
                    n: same(arguments)?,
                }
                .into())
            },
            ..Family::PLAIN
        },
    ]
}
