//! Two-dimensional convolution; `convolution.rs` is the case of one dimension. The trilinear form T(x, w, y) = Σ x[k, i+a,
//! j+b]·w[l, k, a, b]·y[l, i, j] gives the convolution and the two halves of its reverse derivative.
//!
//! Laws: bilinear in image and filter; a filter of 1 × 1 is a matrix product; one of 1 × m is `conv1d` on each row.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::convolution::Role;
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::linear::add_multiple;
use crate::primitive::{Primitive, PrimitiveMap};
use crate::signature::{invalid, misshapen, positive, two, volume};
use crate::{Shape, SignatureError, counted};

/// A convolution of images x : c × h × w with filters d × c × kh × kw to images y : d × (h − kh + 1) × (w − kw + 1).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Conv2d {
    role: Role,
    sizes: Sizes,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Sizes {
    h: usize,
    w: usize,
    kh: usize,
    kw: usize,
    c: usize,
    d: usize,
}

impl Sizes {
    /// The height and the width of y.
    fn result(&self) -> (usize, usize) {
        (self.h - self.kh + 1, self.w - self.kw + 1)
    }

    fn image(&self) -> [usize; 3] {
        [self.c, self.h, self.w]
    }

    fn filter(&self) -> [usize; 4] {
        [self.d, self.c, self.kh, self.kw]
    }

    fn output(&self) -> [usize; 3] {
        let (height, width) = self.result();
        [self.d, height, width]
    }

    /// Calls `each` with offsets in x, w and y, over l, k, a, b, i: of a row of x, of the entry of w that multiplies it, and of
    /// the row of y. A row has the width of y.
    fn rows(&self, mut each: impl FnMut(usize, usize, usize)) {
        let (height, width) = self.result();
        let Sizes { h, w, kh, kw, .. } = *self;
        for l in 0..self.d {
            for k in 0..self.c {
                for a in 0..kh {
                    for b in 0..kw {
                        let filter = ((l * self.c + k) * kh + a) * kw + b;
                        for i in 0..height {
                            let image = (k * h + i + a) * w + b;
                            each(image, filter, (l * height + i) * width);
                        }
                    }
                }
            }
        }
    }
}

impl PrimitiveMap for Conv2d {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.role {
            Role::Output => "conv2d",
            Role::Image => "conv2d_image",
            Role::Filter => "conv2d_filter",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed("conv2d")
    }

    fn indices(&self) -> Vec<usize> {
        let Sizes {
            h, w, kh, kw, c, d, ..
        } = self.sizes;
        vec![h, w, kh, kw, c, d]
    }

    fn inputs(&self) -> Vec<usize> {
        let (x, w, y) = (self.sizes.image(), self.sizes.filter(), self.sizes.output());
        let (x, w, y) = (x.iter().product(), w.iter().product(), y.iter().product());
        match self.role {
            Role::Output => vec![x, w],
            Role::Image => vec![w, y],
            Role::Filter => vec![x, y],
        }
    }

    fn output(&self) -> usize {
        match self.role {
            Role::Output => self.sizes.output().iter().product(),
            Role::Image => self.sizes.image().iter().product(),
            Role::Filter => self.sizes.filter().iter().product(),
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [u, v] = inputs else { return };
        let width = self.sizes.result().1;
        self.sizes.rows(|x, w, y| {
            let row = |start: usize| start..start + width;
            match self.role {
                Role::Output => {
                    if let (Some(y), Some(x), Some(w)) =
                        (out.get_mut(row(y)), u.get(row(x)), v.get(w))
                    {
                        add_multiple(y, *w, x);
                    }
                }
                Role::Image => {
                    if let (Some(x), Some(w), Some(y)) =
                        (out.get_mut(row(x)), u.get(w), v.get(row(y)))
                    {
                        add_multiple(x, *w, y);
                    }
                }
                Role::Filter => {
                    if let (Some(w), Some(x), Some(y)) =
                        (out.get_mut(w), u.get(row(x)), v.get(row(y)))
                    {
                        *w = x.iter().zip(y).fold(*w, |sum, (x, y)| sum + x * y);
                    }
                }
            }
        });
    }

    /// The nest runs over l, k, a, b, i, j, so the sums have the order of [`Sizes::rows`].
    fn kernel(&self) -> Kernel {
        let Sizes {
            h, w, kh, kw, c, d, ..
        } = self.sizes;
        let (height, width) = self.sizes.result();
        let image = [0, h * w, w, 1, w, 1];
        let filter = [c * kh * kw, kh * kw, kw, 1, 0, 0];
        let output = [height * width, 0, 0, 0, width, 1];
        let (to, left, right) = match self.role {
            Role::Output => (output, image, filter),
            Role::Image => (image, filter, output),
            Role::Filter => (filter, image, output),
        };
        Kernel::of(vec![Nest::new(
            &[d, c, kh, kw, height, width],
            Fold::Sum(0.0),
            Access::new(Buffer::Output, 0, &to),
            [
                Access::new(Buffer::Input(0), 0, &left),
                Access::new(Buffer::Input(1), 0, &right),
            ],
            |_, [u, v]| u * v,
        )])
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
            [Role::Output, Role::Image, Role::Filter].map(|role| Conv2d {
                role,
                sizes: self.sizes,
            });
        match self.role {
            Role::Output => vec![Some(b.push(image, &[v, y])), Some(b.push(filter, &[u, y]))],
            Role::Image => vec![Some(b.push(filter, &[y, v])), Some(b.push(output, &[y, u]))],
            Role::Filter => vec![Some(b.push(image, &[y, v])), Some(b.push(output, &[u, y]))],
        }
    }

    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        match self.role {
            Role::Output => Shape::new(self.sizes.output().to_vec()),
            Role::Image => Shape::new(self.sizes.image().to_vec()),
            Role::Filter => Shape::new(self.sizes.filter().to_vec()),
        }
    }
}

/// Builds the convolution from its indices, or from a filter c' × c × kh × kw and an image c × h × w. A matrix is an image of
/// one channel.
fn conv2d(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (h, w, kh, kw, c, d) = if let [h, w, kh, kw, c, d] = *indices {
        (h, w, kh, kw, c, d)
    } else {
        let (x, filter) = two(arguments)?;
        let [d, c, kh, kw] = *filter.dims() else {
            return Err(match filter.rank() {
                1 => SignatureError::CannotInfer { index: "kh" },
                _ => misshapen(
                    1,
                    format!(
                        "the filter must have the shape c' × c × kh × kw, but this has {filter}"
                    ),
                ),
            });
        };
        let (channels, h, w) = match *x.dims() {
            [channels, h, w] => (channels, h, w),
            [h, w] => (1, h, w),
            [_] => return Err(SignatureError::CannotInfer { index: "h" }),
            _ => {
                return Err(misshapen(
                    0,
                    format!("an image has the shape c × h × w, but this has {x}"),
                ));
            }
        };
        if channels != c {
            return Err(misshapen(
                0,
                format!(
                    "the image {x} has {}, but the filter {filter} is for {c}",
                    counted(channels, "channel")
                ),
            ));
        }
        (h, w, kh, kw, c, d)
    };
    positive(&[
        ("h", h),
        ("w", w),
        ("kh", kh),
        ("kw", kw),
        ("c", c),
        ("c'", d),
    ])?;
    if kh > h || kw > w {
        return Err(invalid(format!(
            "a filter of {kh} × {kw} does not fit into an image of {h} × {w}"
        )));
    }
    let sizes = Sizes { h, w, kh, kw, c, d };
    volume(&sizes.image())?;
    volume(&sizes.filter())?;
    volume(&sizes.output())?;
    Ok(Conv2d {
        role: Role::Output,
        sizes,
    }
    .into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![Family {
        name: "conv2d",
        indices: &["h", "w", "kh", "kw", "c", "c'"],
        arity: 2,
        signature: "Real(c·h·w) × Real(c'·c·kh·kw) → Real(c'·(h−kh+1)·(w−kw+1))",
        summary: "The convolution of an image of c channels of h × w entries with c' filters of kh × kw, without padding.",
        formula: "out[l,i,j] = Σ_{k,a,b} x[k, i+a, j+b]·w[l,k,a,b], from 0; w is stored c' × c × kh × kw",
        derivative: "x̄[k,p,q] = Σ_{l, i+a=p, j+b=q} w[l,k,a,b]·y[l,i,j], w̄[l,k,a,b] = Σ_{i,j} x[k, i+a, j+b]·y[l,i,j]",
        build: conv2d,
        ..Family::PLAIN
    }]
}
