//! One-dimensional convolution (Def. interpretation-cnn-fnconv-fnpool; as networks use the word: a sliding inner product). It comes from the trilinear form
//! T(x, w, y) = Σ x[k, i+j]·w[l, k, j]·y[l, i]; its three partial derivatives are the convolution and the two halves
//! of its reverse derivative, so the family is closed.
//!
//! Laws: bilinear in image and filter; a filter of length 1 is a matrix product.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::linear::{add_multiple, dot};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::signature::{invalid, misshapen, positive, two, volume};
use crate::{Shape, SignatureError, counted};

/// A convolution of images x : c × n with filters w : d × c × m to images y : d × (n − m + 1).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Conv1d {
    role: Role,
    n: usize,
    m: usize,
    c: usize,
    d: usize,
}

/// Role of the primitive: the argument of the trilinear form that it computes from the other two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    /// x, w ↦ y\[l, i\] = Σ x\[k, i+j\]·w\[l, k, j\].
    Output,
    /// w, y ↦ x\[k, i+j\] = Σ w\[l, k, j\]·y\[l, i\].
    Image,
    /// x, y ↦ w\[l, k, j\] = Σ x\[k, i+j\]·y\[l, i\].
    Filter,
}

impl Conv1d {
    fn length(&self) -> usize {
        self.n - self.m + 1
    }

    fn image(&self) -> usize {
        self.c * self.n
    }

    fn filter(&self) -> usize {
        self.d * self.c * self.m
    }

    fn result(&self) -> usize {
        self.d * self.length()
    }

    fn as_role(&self, role: Role) -> Conv1d {
        Conv1d {
            role,
            ..self.clone()
        }
    }
}

impl PrimitiveMap for Conv1d {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.role {
            Role::Output => "conv1d",
            Role::Image => "conv1d_image",
            Role::Filter => "conv1d_filter",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed("conv1d")
    }

    fn indices(&self) -> Vec<usize> {
        vec![self.n, self.m, self.c, self.d]
    }

    fn inputs(&self) -> Vec<usize> {
        match self.role {
            Role::Output => vec![self.image(), self.filter()],
            Role::Image => vec![self.filter(), self.result()],
            Role::Filter => vec![self.image(), self.result()],
        }
    }

    fn output(&self) -> usize {
        match self.role {
            Role::Output => self.result(),
            Role::Image => self.image(),
            Role::Filter => self.filter(),
        }
    }

    // The inner loops run over whole channels, so they are multiples and inner products of slices.
    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [u, v] = inputs else { return };
        let (n, length, filter) = (self.n, self.length(), self.c * self.m);
        match self.role {
            Role::Output => {
                for (y, w) in out.chunks_exact_mut(length).zip(v.chunks_exact(filter)) {
                    for (x, w) in u.chunks_exact(n).zip(w.chunks_exact(self.m)) {
                        for (x, w) in x.windows(length).zip(w) {
                            add_multiple(y, *w, x);
                        }
                    }
                }
            }
            Role::Image => {
                for (w, y) in u.chunks_exact(filter).zip(v.chunks_exact(length)) {
                    for (x, w) in out.chunks_exact_mut(n).zip(w.chunks_exact(self.m)) {
                        for (j, w) in w.iter().enumerate() {
                            if let Some(x) = x.get_mut(j..) {
                                add_multiple(x, *w, y);
                            }
                        }
                    }
                }
            }
            Role::Filter => {
                for (w, y) in out.chunks_exact_mut(filter).zip(v.chunks_exact(length)) {
                    for (x, w) in u.chunks_exact(n).zip(w.chunks_exact_mut(self.m)) {
                        for (x, w) in x.windows(length).zip(w) {
                            *w = dot(x, y);
                        }
                    }
                }
            }
        }
    }

    fn kernel(&self) -> Kernel {
        let Conv1d { n, m, c, d, .. } = *self;
        let length = self.length();
        let (u, v) = (Buffer::Input(0), Buffer::Input(1));
        let nest = |extents: &[usize], fold, write: &[usize], left: &[usize], right: &[usize]| {
            let read = [Access::new(u, 0, left), Access::new(v, 0, right)];
            let write = Access::new(Buffer::Output, 0, write);
            Kernel::of(vec![Nest::new(extents, fold, write, read, |_, [u, v]| {
                u * v
            })])
        };
        match self.role {
            // All nests run over l, k, j, i. They differ in which of y, x and w is written.
            Role::Output => nest(
                &[d, c, m, length],
                Fold::Sum(0.0),
                &[length, 0, 0, 1],
                &[0, n, 1, 1],
                &[c * m, m, 1, 0],
            ),
            Role::Image => nest(
                &[d, c, m, length],
                Fold::Sum(0.0),
                &[0, n, 1, 1],
                &[c * m, m, 1, 0],
                &[length, 0, 0, 1],
            ),
            Role::Filter => nest(
                &[d, c, m, length],
                Fold::Four,
                &[c * m, m, 1, 0],
                &[0, n, 1, 1],
                &[length, 0, 0, 1],
            ),
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
        let [output, image, filter] =
            [Role::Output, Role::Image, Role::Filter].map(|role| self.as_role(role));
        match self.role {
            Role::Output => vec![Some(b.push(image, &[v, y])), Some(b.push(filter, &[u, y]))],
            Role::Image => vec![Some(b.push(filter, &[y, v])), Some(b.push(output, &[y, u]))],
            Role::Filter => vec![Some(b.push(image, &[y, v])), Some(b.push(output, &[u, y]))],
        }
    }

    /// The shape of an image or of filters, by role.
    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        match self.role {
            Role::Output => Shape::matrix(self.d, self.length()),
            Role::Image => Shape::matrix(self.c, self.n),
            Role::Filter => Shape::new(vec![self.d, self.c, self.m]),
        }
    }
}

/// Builds the convolution from its indices, or from a filter c' × c × m and the size of the image.
fn conv1d(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (n, m, c, d) = if let [n, m, c, d] = *indices {
        (n, m, c, d)
    } else {
        let (x, w) = two(arguments)?;
        let (d, c, m) = match *w.dims() {
            [d, c, m] => (d, c, m),
            [_] => return Err(SignatureError::CannotInfer { index: "m" }),
            _ => {
                return Err(misshapen(
                    1,
                    format!("the filter must have the shape c' × c × m, but this has {w}"),
                ));
            }
        };
        let n = match *x.dims() {
            [channels, n] if channels == c => n,
            [channels, _] => {
                return Err(misshapen(
                    0,
                    format!(
                        "the image {x} has {}, but the filter {w} is for {c}",
                        counted(channels, "channel")
                    ),
                ));
            }
            [size] => match size.checked_div(c) {
                Some(n) if n * c == size => n,
                _ => {
                    return Err(misshapen(
                        0,
                        format!(
                            "{size} entries are no whole number of entries in {}",
                            counted(c, "channel")
                        ),
                    ));
                }
            },
            _ => {
                return Err(misshapen(
                    0,
                    format!("an image is a matrix of channels, but this has the shape {x}"),
                ));
            }
        };
        (n, m, c, d)
    };
    positive(&[("n", n), ("m", m), ("c", c), ("c'", d)])?;
    if m > n {
        return Err(invalid(format!(
            "a filter of length {m} does not fit into {}",
            counted(n, "entry")
        )));
    }
    volume(&[c, n])?;
    volume(&[c, d, m])?;
    volume(&[d, n - m + 1])?;
    Ok(Conv1d {
        role: Role::Output,
        n,
        m,
        c,
        d,
    }
    .into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![Family {
        name: "conv1d",
        indices: &["n", "m", "c", "c'"],
        arity: 2,
        signature: "Real(c·n) × Real(c·c'·m) → Real(c'·(n−m+1))",
        summary: "The convolution of an image of c channels of n entries with c' filters of length m, without padding.",
        formula: "out[l,i] = Σ_{k,j} x[k, i+j−1]·w[l,k,j], indices from 1; w is stored c' × c × m",
        derivative: "x̄[k,p] = Σ_{l, i+j−1=p} w[l,k,j]·y[l,i], w̄[l,k,j] = Σ_i x[k, i+j−1]·y[l,i]",
        build: conv1d,
        ..Family::PLAIN
    }]
}
