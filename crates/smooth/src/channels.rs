//! Images of c channels with n entries each, x\[k, i\] at k·n + i: zero padding, nearest-neighbour upscaling, and
//! concatenation of channels. Like `layout.rs`, linear maps with entries 0 and 1, together with their transposes.
//!
//! Laws: rd\[f\](x, y) = fᵀ(y) does not depend on x; cropping after padding is the identity.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::layout::{Rearrangement, copy};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::signature::{invalid, misshapen, one, positive, two, volume};
use crate::{Shape, SignatureError};

/// Maps of images, channel by channel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Channels {
    /// Each channel of n entries, centred among m ≥ n.
    Padding { c: usize, n: usize, m: usize },
    /// The n middle entries of the m of each channel: the transpose of padding.
    Crop { c: usize, n: usize, m: usize },
    /// out\[k, i\] = in\[k, ⌊i·n/m⌋\].
    Upscale { c: usize, n: usize, m: usize },
    /// out\[k, j\] = Σ in\[k, i\] over ⌊i·n/m⌋ = j: the transpose of upscaling.
    Downsum { c: usize, n: usize, m: usize },
    /// The channels of two images, c and d of them, one after the other.
    Concat { c: usize, d: usize, n: usize },
}

use Channels::{Concat, Crop, Downsum, Padding, Upscale};

impl Channels {
    /// Numbers of entries of a channel in the argument and in the result; all at least 1.
    fn lengths(&self) -> (usize, usize) {
        match *self {
            Padding { n, m, .. } | Upscale { n, m, .. } => (n, m),
            Crop { n, m, .. } | Downsum { n, m, .. } => (m, n),
            Concat { n, .. } => (n, n),
        }
    }
}

impl PrimitiveMap for Channels {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Padding { .. } => "padding",
            Crop { .. } => "crop",
            Upscale { .. } => "upscale",
            Downsum { .. } => "downsum",
            Concat { .. } => "concat",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        match self {
            Crop { .. } => Cow::Borrowed("padding"),
            Downsum { .. } => Cow::Borrowed("upscale"),
            _ => self.name(),
        }
    }

    fn indices(&self) -> Vec<usize> {
        match *self {
            Padding { c, n, m } | Crop { c, n, m } | Upscale { c, n, m } | Downsum { c, n, m } => {
                vec![c, n, m]
            }
            Concat { c, d, n } => vec![c, d, n],
        }
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Padding { c, n, .. } | Upscale { c, n, .. } => vec![c.saturating_mul(n)],
            Crop { c, m, .. } | Downsum { c, m, .. } => vec![c.saturating_mul(m)],
            Concat { c, d, n } => vec![c.saturating_mul(n), d.saturating_mul(n)],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Padding { c, m, .. } | Upscale { c, m, .. } => c.saturating_mul(m),
            Crop { c, n, .. } | Downsum { c, n, .. } => c.saturating_mul(n),
            Concat { c, d, n } => c.saturating_add(d).saturating_mul(n),
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        if let (Concat { .. }, [u, v]) = (self, inputs) {
            copy(out, u);
            copy(out.get_mut(u.len()..).unwrap_or(&mut []), v);
            return;
        }
        let [x] = inputs else { return };
        let (from, to) = self.lengths();
        for (out, x) in out.chunks_exact_mut(to).zip(x.chunks_exact(from)) {
            match *self {
                Padding { n, m, .. } => copy(out.get_mut((m - n) / 2..).unwrap_or(&mut []), x),
                Crop { n, m, .. } => copy(out, x.get((m - n) / 2..).unwrap_or(&[])),
                Upscale { n, m, .. } => {
                    for (i, out) in out.iter_mut().enumerate() {
                        *out = x.get(i * n / m).copied().unwrap_or_default();
                    }
                }
                Downsum { n, m, .. } => {
                    for (i, x) in x.iter().enumerate() {
                        if let Some(out) = out.get_mut(i * n / m) {
                            *out += x;
                        }
                    }
                }
                Concat { .. } => {}
            }
        }
    }

    fn kernel(&self) -> Kernel {
        let input = |k, stride| Access::new(Buffer::Input(k), 0, &[stride, 1]);
        let output = |offset, stride| Access::new(Buffer::Output, offset, &[stride, 1]);
        Kernel::of(match *self {
            Padding { c, n, m } => vec![Nest::copy(&[c, n], output((m - n) / 2, m), input(0, n))],
            Crop { c, n, m } => {
                let middle = Access::new(Buffer::Input(0), (m - n) / 2, &[m, 1]);
                vec![Nest::copy(&[c, n], output(0, n), middle)]
            }
            Upscale { c, n, m } => {
                vec![Nest::copy(
                    &[c, m],
                    output(0, m),
                    input(0, n).stretched(n, m),
                )]
            }
            Downsum { c, n, m } => {
                let write = output(0, n).stretched(n, m);
                vec![Nest::new(
                    &[c, m],
                    Fold::Sum(0.0),
                    write,
                    [input(0, m)],
                    |_, [x]| x,
                )]
            }
            Concat { c, d, n } => vec![
                Nest::copy(&[c, n], output(0, n), input(0, n)),
                Nest::copy(&[d, n], output(c * n, n), input(1, n)),
            ],
        })
    }

    fn reverse(
        &self,
        b: &mut Builder,
        _point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let transposed = match *self {
            Padding { c, n, m } => Crop { c, n, m },
            Crop { c, n, m } => Padding { c, n, m },
            Upscale { c, n, m } => Downsum { c, n, m },
            Downsum { c, n, m } => Upscale { c, n, m },
            Concat { c, d, n } => {
                let (first, second, all) = (c * n, d * n, (c + d) * n);
                return vec![
                    Some(b.push(
                        Rearrangement::Slice {
                            n: all,
                            i: 0,
                            m: first,
                        },
                        &[y],
                    )),
                    Some(b.push(
                        Rearrangement::Slice {
                            n: all,
                            i: first,
                            m: second,
                        },
                        &[y],
                    )),
                ];
            }
        };
        vec![Some(b.push(transposed, &[y]))]
    }

    /// The shape of an image.
    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        match *self {
            Padding { c, m, .. } | Upscale { c, m, .. } => Shape::matrix(c, m),
            Crop { c, n, .. } | Downsum { c, n, .. } => Shape::matrix(c, n),
            Concat { c, d, n } => Shape::matrix(c + d, n),
        }
    }
}

/// Numbers c and n of an image, from a matrix c × n. A vector could have any number of channels.
fn image(arguments: &[Shape]) -> Result<(usize, usize), SignatureError> {
    let x = one(arguments)?;
    match *x.dims() {
        [c, n] => Ok((c, n)),
        [_] => Err(SignatureError::CannotInfer { index: "c" }),
        _ => Err(misshapen(
            0,
            format!("an image is a matrix of channels, but this has the shape {x}"),
        )),
    }
}

fn resized(
    indices: &[usize],
    arguments: &[Shape],
) -> Result<(usize, usize, usize), SignatureError> {
    let [c, n, m] = *indices else {
        image(arguments)?;
        return Err(SignatureError::CannotInfer { index: "m" });
    };
    positive(&[("c", c), ("n", n), ("m", m)])?;
    volume(&[c, n])?;
    volume(&[c, m])?;
    Ok((c, n, m))
}

fn padding(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (c, n, m) = resized(indices, arguments)?;
    if m < n {
        return Err(invalid(format!(
            "padding from {n} to {m} entries would make the image smaller"
        )));
    }
    Ok(Padding { c, n, m }.into())
}

fn upscale(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (c, n, m) = resized(indices, arguments)?;
    Ok(Upscale { c, n, m }.into())
}

/// Builds the concatenation of two images with n entries in each channel. One of them may be flat if the other determines n.
fn concat(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (c, d, n) = if let [c, d, n] = *indices {
        (c, d, n)
    } else {
        let (u, v) = two(arguments)?;
        let flat = |argument, shape: &Shape, n: usize| match shape.size().checked_div(n) {
            Some(c) if c * n == shape.size() => Ok(c),
            _ => Err(misshapen(
                argument,
                format!(
                    "{} entries are no whole number of channels of {n}",
                    shape.size()
                ),
            )),
        };
        match (u.dims(), v.dims()) {
            ([c, n], [d, k]) if n == k => (*c, *d, *n),
            ([_, n], [_, k]) => {
                return Err(misshapen(
                    1,
                    format!("it has {k} entries a channel, but the first image has {n}"),
                ));
            }
            ([c, n], [_]) => (*c, flat(1, v, *n)?, *n),
            ([_], [d, n]) => (flat(0, u, *n)?, *d, *n),
            // Two vectors are two channels.
            ([n], [m]) if n == m => (1, 1, *n),
            ([_], [_]) => return Err(SignatureError::CannotInfer { index: "c" }),
            ([_] | [_, _], _) => {
                return Err(misshapen(
                    1,
                    format!("an image is a matrix of channels, but this has the shape {v}"),
                ));
            }
            _ => {
                return Err(misshapen(
                    0,
                    format!("an image is a matrix of channels, but this has the shape {u}"),
                ));
            }
        }
    };
    positive(&[("c", c), ("c'", d), ("n", n)])?;
    volume(&[c.saturating_add(d), n])?;
    Ok(Concat { c, d, n }.into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "padding",
            indices: &["c", "n", "m"],
            signature: "Real(c·n) → Real(c·m)",
            summary: "Every channel of n entries centred among m, with zeros around it.",
            formula: "out[k, ⌊(m−n)/2⌋ + i] = x[k,i], the other entries 0",
            derivative: "x̄[k,i] = y[k, ⌊(m−n)/2⌋ + i]",
            build: padding,
            ..Family::PLAIN
        },
        Family {
            name: "upscale",
            indices: &["c", "n", "m"],
            signature: "Real(c·n) → Real(c·m)",
            summary: "Every channel of n entries stretched to m by repeating entries.",
            formula: "out[k,i] = x[k, ⌊i·n/m⌋], from 0",
            derivative: "x̄[k,j] = Σ y[k,i] over the i with ⌊i·n/m⌋ = j",
            build: upscale,
            ..Family::PLAIN
        },
        Family {
            name: "concat",
            indices: &["c", "c'", "n"],
            arity: 2,
            signature: "Real(c·n) × Real(c'·n) → Real((c+c')·n)",
            summary: "The channels of two images, one after the other.",
            formula: "out[k] = u[k] for k < c, out[c + k] = v[k]",
            derivative: "ū = the first c channels of y, v̄ = the others",
            build: concat,
            ..Family::PLAIN
        },
    ]
}
