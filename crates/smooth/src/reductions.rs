//! Sums over all entries and their adjoints, and sizes as numbers.
//!
//! Laws: sum and broadcast are adjoint, ⟨sum x, y⟩ = ⟨x, broadcast y⟩, and so are mean and the map y ↦ (y/n, …, y/n);
//! rd\[half_sq\](x, y) = y · x.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::primitive::PrimitiveMap;
use crate::reading::Reading;
use crate::signature::{invalid, one, sized};
use crate::{Primitive, Shape, SignatureError, linear};

/// Sums and their adjoints.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Reduction {
    /// Σᵢ xᵢ.
    Sum { n: usize },
    /// (s, …, s).
    Broadcast { n: usize },
    /// Σᵢ xᵢ / n.
    Mean { n: usize },
    /// (s/n, …, s/n).
    Spread { n: usize },
    /// ½Σᵢ xᵢ².
    HalfSquare { n: usize },
    /// n : 1 → Real(1).
    Count { n: usize },
}

use Reduction::{Broadcast, Count, HalfSquare, Mean, Spread, Sum};

impl PrimitiveMap for Reduction {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Sum { .. } => "sum",
            Broadcast { .. } => "broadcast",
            Mean { .. } => "mean",
            Spread { .. } => "spread",
            HalfSquare { .. } => "half_sq",
            Count { .. } => "count",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        match self {
            Spread { .. } => Cow::Borrowed("mean"),
            _ => self.name(),
        }
    }

    fn indices(&self) -> Vec<usize> {
        match *self {
            Broadcast { n } | Count { n } => vec![n],
            Sum { .. } | Mean { .. } | Spread { .. } | HalfSquare { .. } => vec![],
        }
    }

    fn reading(&self) -> Reading {
        match self {
            Count { n } => Reading::named(format!("count[{n}]")),
            _ => Reading::named(self.name()),
        }
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Sum { n } | Mean { n } | HalfSquare { n } => vec![n],
            Broadcast { .. } | Spread { .. } => vec![1],
            Count { .. } => vec![0],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Sum { .. } | Mean { .. } | HalfSquare { .. } | Count { .. } => 1,
            Broadcast { n } | Spread { n } => n,
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [x] = inputs else { return };
        // A fold from 0, since the empty sum of `sum` is −0.
        let total = || x.iter().fold(0.0, |total, x| total + x);
        let value = match *self {
            Sum { .. } | Broadcast { .. } => total(),
            Mean { n } | Spread { n } => total() / n as f64,
            HalfSquare { .. } => 0.5 * linear::dot(x, x),
            Count { n } => n as f64,
        };
        out.fill(value);
    }

    fn kernel(&self) -> Kernel {
        let input = |stride| Access::new(Buffer::Input(0), 0, &[stride]);
        let output = |stride| Access::new(Buffer::Output, 0, &[stride]);
        let number = |size: usize| size as f64;
        let sum = |n| Nest::new(&[n], Fold::Sum(0.0), output(0), [input(1)], |_, [x]| x);
        Kernel::of(match *self {
            Sum { n } => vec![sum(n)],
            // The sum of one entry, as `apply` computes it.
            Broadcast { n } => vec![Nest::new(
                &[n],
                Fold::Store,
                output(1),
                [input(0)],
                |b, [s]| b.constant(0.0) + s,
            )],
            Mean { n } => vec![
                sum(n),
                Nest::new(&[1], Fold::Store, output(0), [output(0)], |b, [total]| {
                    total / b.constant(number(n))
                }),
            ],
            Spread { n } => vec![Nest::new(
                &[n],
                Fold::Store,
                output(1),
                [input(0)],
                |b, [s]| (b.constant(0.0) + s) / b.constant(number(n)),
            )],
            HalfSquare { n } => vec![
                Nest::new(&[n], Fold::Four, output(0), [input(1)], |_, [x]| x * x),
                Nest::new(&[1], Fold::Store, output(0), [output(0)], |b, [sum]| {
                    b.constant(0.5) * sum
                }),
            ],
            Count { n } => vec![Nest::new(&[1], Fold::Store, output(0), [], |b, []| {
                b.constant(number(n))
            })],
        })
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        vec![match (self, point) {
            (Sum { n }, _) => Some(b.broadcast(y, *n)),
            (Broadcast { .. }, _) => Some(b.sum(y)),
            (Mean { n }, _) => Some(b.push(Spread { n: *n }, &[y])),
            (Spread { n }, _) => Some(b.push(Mean { n: *n }, &[y])),
            (HalfSquare { .. }, [x]) => Some(b.scale(y, *x)),
            _ => None,
        }]
    }
}

fn broadcast(indices: &[usize], _: &[Shape]) -> Result<Primitive, SignatureError> {
    let [n] = *indices else {
        return Err(SignatureError::CannotInfer { index: "n" });
    };
    Ok(Broadcast { n }.into())
}

fn count(indices: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let [n] = *indices else {
        return Err(SignatureError::CannotInfer { index: "n" });
    };
    if let [unit] = arguments {
        sized(0, unit, 0)?;
    }
    Ok(Count { n }.into())
}

fn mean(_: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    match one(arguments)?.size() {
        0 => Err(invalid("the mean of no entries is not defined")),
        n => Ok(Mean { n }.into()),
    }
}

pub(crate) fn families() -> Vec<Family> {
    let reduction = "Real(n) → Real(1)";
    vec![
        Family {
            name: "sum",
            signature: reduction,
            summary: "The sum of all entries.",
            formula: "out = Σᵢ x[i]",
            derivative: "x̄[i] = y",
            build: |_, arguments| {
                Ok(Sum {
                    n: one(arguments)?.size(),
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "mean",
            signature: reduction,
            summary: "The mean of all entries.",
            formula: "out = Σᵢ x[i]/n",
            derivative: "x̄[i] = y/n",
            build: mean,
            ..Family::PLAIN
        },
        Family {
            name: "half_sq",
            signature: reduction,
            summary: "Half the sum of the squares.",
            formula: "out = ½Σᵢ x[i]²",
            derivative: "x̄ = y · x",
            build: |_, arguments| {
                Ok(HalfSquare {
                    n: one(arguments)?.size(),
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "broadcast",
            indices: &["n"],
            signature: "Real(1) → Real(n)",
            summary: "One number, n times.",
            formula: "out[i] = s",
            derivative: "s̄ = Σᵢ y[i]",
            build: broadcast,
            ..Family::PLAIN
        },
        Family {
            name: "count",
            indices: &["n"],
            signature: "1 → Real(1)",
            summary: "A size as a number.",
            formula: "out = n",
            derivative: "the unit",
            build: count,
            ..Family::PLAIN
        },
    ]
}
