//! Pooling over windows of m entries with stride m (Def. interpretation-cnn-fnconv-fnpool); the last window of a channel may be
//! shorter. The average is linear, and its transpose is in the family. The maximum comes with two maps that move entries to and
//! from the positions of the maxima; each is the transpose of the other.
//!
//! Laws: rd\[avgpool1d\] is the transpose; unpooling and picking at the maxima are adjoint for each point.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::scalar::Comparison::Equal;
use crate::scalar::Scalar;
use crate::signature::{misshapen, one, positive, volume};
use crate::{Partiality, Shape, SignatureError, numeral};

/// Pooling of images c × n to c × ⌈n/m⌉.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pooling {
    role: Role,
    n: usize,
    m: usize,
    c: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    /// x ↦ the maximum of each window.
    Max,
    /// x, y ↦ the image with the y of each window where x has its maximum, 0 elsewhere.
    Unpool,
    /// x, z ↦ the z of each window where x has its maximum.
    Pick,
    /// x ↦ the mean of each window.
    Average,
    /// y ↦ the image with the y of each window, divided by the window's length, at all its entries.
    Spread,
}

impl Pooling {
    fn windows(&self) -> usize {
        self.n.div_ceil(self.m)
    }

    /// Windows, in order: those of the first channel, then those of the second, …
    fn split<'a>(&self, image: &'a [f64]) -> impl Iterator<Item = &'a [f64]> {
        let m = self.m;
        image
            .chunks_exact(self.n)
            .flat_map(move |channel| channel.chunks(m))
    }

    fn split_mut<'a>(&self, image: &'a mut [f64]) -> impl Iterator<Item = &'a mut [f64]> {
        let m = self.m;
        image
            .chunks_exact_mut(self.n)
            .flat_map(move |channel| channel.chunks_mut(m))
    }
}

/// Index of the first maximum.
pub(crate) fn first_maximum(window: &[f64]) -> usize {
    let (mut place, mut maximum) = (0, f64::NEG_INFINITY);
    for (i, x) in window.iter().enumerate() {
        if *x > maximum {
            (place, maximum) = (i, *x);
        }
    }
    place
}

/// Indices of the first two equal maxima, if the maximum occurs twice.
pub(crate) fn tied_maximum(window: &[f64]) -> Option<(usize, usize)> {
    let first = first_maximum(window);
    let maximum = window.get(first)?;
    let second = window
        .iter()
        .enumerate()
        .skip(first + 1)
        .find(|(_, x)| *x == maximum)?
        .0;
    Some((first, second))
}

impl PrimitiveMap for Pooling {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.role {
            Role::Max => "maxpool1d",
            Role::Unpool => "maxpool1d_unpool",
            Role::Pick => "maxpool1d_pick",
            Role::Average => "avgpool1d",
            Role::Spread => "avgpool1d_spread",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.role {
            Role::Max | Role::Unpool | Role::Pick => "maxpool1d",
            Role::Average | Role::Spread => "avgpool1d",
        })
    }

    fn indices(&self) -> Vec<usize> {
        vec![self.n, self.m, self.c]
    }

    fn inputs(&self) -> Vec<usize> {
        let (image, pooled) = (self.c * self.n, self.c * self.windows());
        match self.role {
            Role::Max | Role::Average => vec![image],
            Role::Unpool => vec![image, pooled],
            Role::Pick => vec![image, image],
            Role::Spread => vec![pooled],
        }
    }

    fn output(&self) -> usize {
        match self.role {
            Role::Max | Role::Average | Role::Pick => self.c * self.windows(),
            Role::Unpool | Role::Spread => self.c * self.n,
        }
    }

    fn is_partial(&self) -> bool {
        matches!(self.role, Role::Max | Role::Unpool | Role::Pick)
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        self.is_partial() && mode == Partiality::Paper
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        if !self.is_partial() || mode == Partiality::Total {
            return Ok(());
        }
        let Some(x) = inputs.first() else {
            return Ok(());
        };
        for (position, window) in self.split(x).enumerate() {
            if let Some((i, j)) = tied_maximum(window) {
                let (channel, start) = (
                    position / self.windows(),
                    position % self.windows() * self.m,
                );
                let maximum = window.get(i).copied().unwrap_or_default();
                return Err(format!(
                    "entries {} and {} of channel {} are both {}, a tie in their window, where maxpool1d is not differentiable",
                    start + i + 1,
                    start + j + 1,
                    channel + 1,
                    numeral(maximum)
                ));
            }
        }
        Ok(())
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        match (self.role, inputs) {
            (Role::Max, [x]) => {
                for (out, window) in out.iter_mut().zip(self.split(x)) {
                    *out = window
                        .get(first_maximum(window))
                        .copied()
                        .unwrap_or_default();
                }
            }
            (Role::Unpool, [x, y]) => {
                for ((out, window), y) in self.split_mut(out).zip(self.split(x)).zip(*y) {
                    if let Some(out) = out.get_mut(first_maximum(window)) {
                        *out = *y;
                    }
                }
            }
            (Role::Pick, [x, z]) => {
                for ((out, window), z) in out.iter_mut().zip(self.split(x)).zip(self.split(z)) {
                    *out = z.get(first_maximum(window)).copied().unwrap_or_default();
                }
            }
            (Role::Average, [x]) => {
                for (out, window) in out.iter_mut().zip(self.split(x)) {
                    *out = window.iter().sum::<f64>() / window.len() as f64;
                }
            }
            (Role::Spread, [y]) => {
                for (out, y) in self.split_mut(out).zip(*y) {
                    let share = y / out.len() as f64;
                    out.fill(share);
                }
            }
            _ => {}
        }
    }

    /// Nests over the windows of m entries, then over the shorter windows at the ends of the channels.
    fn kernel(&self) -> Kernel {
        let Pooling { n, m, c, .. } = *self;
        let (windows, whole, rest) = (self.windows(), n / m, n % m);
        let mut kernel = Kernel::default();
        if self.role == Role::Unpool {
            kernel.temporaries.push(c * windows);
        }
        for (first, count, length) in [(0, whole, m), (whole, 1, rest)] {
            if length == 0 {
                continue;
            }
            let image = |buffer| Access::new(buffer, first * m, &[n, m, 1]);
            let pooled = |buffer| Access::new(buffer, first, &[windows, 1, 0]);
            let (x, y, out) = (Buffer::Input(0), Buffer::Input(1), Buffer::Output);
            let extents = &[c, count, length];
            let nest = match self.role {
                Role::Max => {
                    let reads = [image(x), image(x)];
                    Nest::new(extents, Fold::AtMaximum, pooled(out), reads, |_, [_, x]| x)
                }
                Role::Pick => {
                    let reads = [image(x), image(y)];
                    Nest::new(extents, Fold::AtMaximum, pooled(out), reads, |_, [_, z]| z)
                }
                Role::Unpool => {
                    let places = pooled(Buffer::Temporary(0));
                    let reads = [image(x)];
                    kernel.nests.push(Nest::new(
                        extents,
                        Fold::AtMaximum,
                        places.clone(),
                        reads,
                        |b, [_]| b.index(2),
                    ));
                    let reads = [places, pooled(y)];
                    Nest::new(extents, Fold::Store, image(out), reads, |b, [place, y]| {
                        place.choose(Equal, b.index(2), y, b.constant(0.0))
                    })
                }
                Role::Average => {
                    let sum = Fold::Sum(-0.0);
                    kernel
                        .nests
                        .push(Nest::new(extents, sum, pooled(out), [image(x)], |_, [x]| x));
                    let mean = [pooled(out)];
                    Nest::new(&[c, count], Fold::Store, pooled(out), mean, |b, [sum]| {
                        sum / b.constant(length as f64)
                    })
                }
                Role::Spread => {
                    Nest::new(extents, Fold::Store, image(out), [pooled(x)], |b, [y]| {
                        y / b.constant(length as f64)
                    })
                }
            };
            kernel.nests.push(nest);
        }
        kernel
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let with = |role| Pooling {
            role,
            ..self.clone()
        };
        match (self.role, point) {
            (Role::Max, [x]) => vec![Some(b.push(with(Role::Unpool), &[*x, y]))],
            (Role::Unpool, [x, _]) => vec![None, Some(b.push(with(Role::Pick), &[*x, y]))],
            (Role::Pick, [x, _]) => vec![None, Some(b.push(with(Role::Unpool), &[*x, y]))],
            (Role::Average, _) => vec![Some(b.push(with(Role::Spread), &[y]))],
            (Role::Spread, _) => vec![Some(b.push(with(Role::Average), &[y]))],
            _ => vec![],
        }
    }

    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        match self.role {
            Role::Max | Role::Average | Role::Pick => Shape::matrix(self.c, self.windows()),
            Role::Unpool | Role::Spread => Shape::matrix(self.c, self.n),
        }
    }
}

fn pooling(
    role: Role,
    indices: &[usize],
    arguments: &[Shape],
) -> Result<Primitive, SignatureError> {
    let [n, m, c] = *indices else {
        let x = one(arguments)?;
        return Err(match x.rank() {
            1 | 2 => SignatureError::CannotInfer { index: "m" },
            _ => misshapen(
                0,
                format!("an image is a matrix of channels, but this has the shape {x}"),
            ),
        });
    };
    positive(&[("n", n), ("m", m), ("c", c)])?;
    volume(&[c, n])?;
    Ok(Pooling { role, n, m, c }.into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "maxpool1d",
            indices: &["n", "m", "c"],
            signature: "Real(c·n) → Real(c·⌈n/m⌉)",
            summary: "The maximum of every window of m entries, with stride m; the last window may be shorter.",
            formula: "out[k,i] = max of x[k, i·m … i·m+m−1], from 0",
            derivative: "x̄ is y[k,i] where window i of channel k has its maximum, 0 elsewhere",
            partial: "undefined where a window has its maximum twice, in paper mode",
            convention: "the first maximum counts",
            build: |indices, arguments| pooling(Role::Max, indices, arguments),
            ..Family::PLAIN
        },
        Family {
            name: "avgpool1d",
            indices: &["n", "m", "c"],
            signature: "Real(c·n) → Real(c·⌈n/m⌉)",
            summary: "The mean of every window of m entries, with stride m; the last window may be shorter.",
            formula: "out[k,i] = mean of x[k, i·m … i·m+m−1], from 0, over the entries there are",
            derivative: "x̄[k,p] = y[k,i] divided by the length of window i, for p in window i",
            build: |indices, arguments| pooling(Role::Average, indices, arguments),
            ..Family::PLAIN
        },
    ]
}
