//! Scores as probabilities: softmax and its logarithm, cross-entropy of logits, and a comparison of the positions of two
//! maxima. All are computed after subtracting the maximum, so they neither overflow nor lose precision. A difference from the
//! maximum is at most the largest finite number (`below`). So a logarithm is finite, and its product with a target of 0 is 0.
//!
//! Laws: softmax sums to 1 and does not change when a constant is added to all entries; log_softmax = log ∘ softmax.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::{Build, Family};
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::linear::dot;
use crate::pooling::{first_maximum, tied_maximum};
use crate::primitive::PrimitiveMap;
use crate::scalar::Comparison::{Equal, Less};
use crate::scalar::Elementary::{Exp, Log};
use crate::scalar::Scalar;
use crate::signature::{invalid, one, same};
use crate::{Partiality, Shape};

/// Maps on vectors of n scores, n ≥ 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Probability {
    /// e^{xᵢ} / Σⱼ e^{xⱼ}.
    Softmax { n: usize },
    /// xᵢ − ln Σⱼ e^{xⱼ}.
    LogSoftmax { n: usize },
    /// ln Σⱼ e^{xⱼ}.
    LogSumExp { n: usize },
    /// −Σᵢ tᵢ·log_softmax(x)ᵢ.
    CrossEntropy { n: usize },
    /// 1 if both arguments have their (first) maximum at the same place, else 0.
    Correct { n: usize },
}

use Probability::{Correct, CrossEntropy, LogSoftmax, LogSumExp, Softmax};

impl PrimitiveMap for Probability {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Softmax { .. } => "softmax",
            LogSoftmax { .. } => "log_softmax",
            LogSumExp { .. } => "logsumexp",
            CrossEntropy { .. } => "cross_entropy",
            Correct { .. } => "correct",
        })
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Softmax { n } | LogSoftmax { n } | LogSumExp { n } => vec![n],
            CrossEntropy { n } | Correct { n } => vec![n, n],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Softmax { n } | LogSoftmax { n } => n,
            LogSumExp { .. } | CrossEntropy { .. } | Correct { .. } => 1,
        }
    }

    fn is_partial(&self) -> bool {
        matches!(self, Correct { .. })
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        self.is_partial() && mode == Partiality::Paper
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        if !self.is_partial() || mode == Partiality::Total {
            return Ok(());
        }
        for (argument, x) in inputs.iter().enumerate() {
            if let Some((i, j)) = tied_maximum(x) {
                return Err(format!(
                    "entries {} and {} of argument {} are both the maximum, a tie, where correct is not continuous",
                    i + 1,
                    j + 1,
                    argument + 1
                ));
            }
        }
        Ok(())
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        match (self, inputs) {
            (Softmax { .. }, [x]) => {
                let maximum = maximum(x);
                for (out, x) in out.iter_mut().zip(*x) {
                    *out = libm::exp(below(*x, maximum));
                }
                let total: f64 = out.iter().sum();
                out.iter_mut().for_each(|out| *out /= total);
            }
            (LogSoftmax { .. }, [x]) => log_softmax(x, out),
            (LogSumExp { .. }, [x]) => {
                let maximum = maximum(x);
                out.fill(maximum + log_total(x, maximum));
            }
            (CrossEntropy { .. }, [x, t]) => {
                let mut logs = vec![0.0; x.len()];
                log_softmax(x, &mut logs);
                out.fill(-dot(t, &logs));
            }
            (Correct { .. }, [u, v]) => out.fill(if first_maximum(u) == first_maximum(v) {
                1.0
            } else {
                0.0
            }),
            _ => {}
        }
    }

    fn kernel(&self) -> Kernel {
        let input = |k, stride| Access::new(Buffer::Input(k), 0, &[stride]);
        let temporary = |k, stride| Access::new(Buffer::Temporary(k), 0, &[stride]);
        let output = |stride| Access::new(Buffer::Output, 0, &[stride]);
        let maximum = |n| {
            Nest::new(
                &[n],
                Fold::Maximum,
                temporary(0, 0),
                [input(0, 1)],
                |_, [x]| x,
            )
        };
        // Temporary 0 gets the maximum, temporary 1 the logarithm of the sum.
        let log_total = |n| {
            vec![
                maximum(n),
                Nest::new(
                    &[n],
                    Fold::Sum(-0.0),
                    temporary(1, 0),
                    [input(0, 1), temporary(0, 0)],
                    |_, [x, max]| below(x, max).map(Exp),
                ),
                Nest::new(
                    &[1],
                    Fold::Store,
                    temporary(1, 0),
                    [temporary(1, 0)],
                    |_, [sum]| sum.map(Log),
                ),
            ]
        };
        let log_softmax = |n, write: Access| {
            let mut nests = log_total(n);
            let reads = [input(0, 1), temporary(0, 0), temporary(1, 0)];
            nests.push(Nest::new(
                &[n],
                Fold::Store,
                write,
                reads,
                |_, [x, max, log]| below(x, max) - log,
            ));
            nests
        };
        let place = |n, k| {
            let write = temporary(k, 0);
            Nest::new(&[n], Fold::AtMaximum, write, [input(k, 1)], |b, [_]| {
                b.index(0)
            })
        };
        match *self {
            Softmax { n } => Kernel {
                temporaries: vec![1, 1],
                nests: vec![
                    maximum(n),
                    Nest::new(
                        &[n],
                        Fold::Store,
                        output(1),
                        [input(0, 1), temporary(0, 0)],
                        |_, [x, max]| below(x, max).map(Exp),
                    ),
                    Nest::new(
                        &[n],
                        Fold::Sum(-0.0),
                        temporary(1, 0),
                        [output(1)],
                        |_, [e]| e,
                    ),
                    Nest::new(
                        &[n],
                        Fold::Store,
                        output(1),
                        [output(1), temporary(1, 0)],
                        |_, [e, sum]| e / sum,
                    ),
                ],
            },
            LogSoftmax { n } => Kernel {
                temporaries: vec![1, 1],
                nests: log_softmax(n, output(1)),
            },
            LogSumExp { n } => {
                let mut nests = log_total(n);
                let reads = [temporary(0, 0), temporary(1, 0)];
                nests.push(Nest::new(
                    &[1],
                    Fold::Store,
                    output(0),
                    reads,
                    |_, [max, log]| max + log,
                ));
                Kernel {
                    temporaries: vec![1, 1],
                    nests,
                }
            }
            CrossEntropy { n } => {
                let mut nests = log_softmax(n, temporary(2, 1));
                let reads = [input(1, 1), temporary(2, 1)];
                nests.extend([
                    Nest::new(&[n], Fold::Four, output(0), reads, |_, [t, log]| t * log),
                    Nest::new(&[1], Fold::Store, output(0), [output(0)], |_, [sum]| -sum),
                ]);
                Kernel {
                    temporaries: vec![1, 1, n],
                    nests,
                }
            }
            Correct { n } => {
                let reads = [temporary(0, 0), temporary(1, 0)];
                let same = Nest::new(&[1], Fold::Store, output(0), reads, |b, [i, j]| {
                    i.choose(Equal, j, b.constant(1.0), b.constant(0.0))
                });
                Kernel {
                    temporaries: vec![1, 1],
                    nests: vec![place(n, 0), place(n, 1), same],
                }
            }
        }
    }

    fn reverse(&self, b: &mut Builder, point: &[Wire], result: Wire, y: Wire) -> Vec<Option<Wire>> {
        match (self, point) {
            // x̄ = s ⊙ (y − ⟨s, y⟩) for s = softmax(x).
            (Softmax { n }, _) => {
                let mean = b.dot(result, y);
                let mean = b.broadcast(mean, *n);
                let centred = b.minus(y, mean);
                vec![Some(b.hadamard(result, centred))]
            }
            // x̄ = y − (Σ y) · softmax(x).
            (LogSoftmax { n }, [x]) => {
                let softmax = b.push(Softmax { n: *n }, &[*x]);
                let total = b.sum(y);
                let shift = b.scale(total, softmax);
                vec![Some(b.minus(y, shift))]
            }
            // x̄ = y · softmax(x).
            (LogSumExp { n }, [x]) => {
                let softmax = b.push(Softmax { n: *n }, &[*x]);
                vec![Some(b.scale(y, softmax))]
            }
            // x̄ = y · ((Σ t) · softmax(x) − t), t̄ = −y · log_softmax(x).
            (CrossEntropy { n }, [x, t]) => {
                let softmax = b.push(Softmax { n: *n }, &[*x]);
                let total = b.sum(*t);
                let expected = b.scale(total, softmax);
                let error = b.minus(expected, *t);
                let logs = b.push(LogSoftmax { n: *n }, &[*x]);
                let scaled = b.scale(y, logs);
                vec![Some(b.scale(y, error)), Some(b.neg(scaled))]
            }
            (Correct { .. }, _) => vec![None, None],
            _ => vec![],
        }
    }

    /// softmax and log_softmax keep the shape.
    fn result_shape(&self, arguments: &[Shape]) -> Shape {
        match (self, arguments) {
            (Softmax { .. } | LogSoftmax { .. }, [x]) => x.clone(),
            _ => Shape::vector(self.output()),
        }
    }
}

fn maximum(x: &[f64]) -> f64 {
    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The difference of a score and the largest score, as a finite number. It is 0 for the largest score, even if that is infinite.
fn below<S: Scalar>(score: S, largest: S) -> S {
    let (difference, lowest) = (score - largest, score.lift(f64::MIN));
    let finite = difference.choose(Less, lowest, lowest, difference);
    score.choose(Equal, largest, score.lift(0.0), finite)
}

/// ln Σ e^{x − maximum}.
fn log_total(x: &[f64], maximum: f64) -> f64 {
    let total: f64 = x.iter().map(|x| libm::exp(below(*x, maximum))).sum();
    libm::log(total)
}

/// out = x − ln Σ eˣ.
fn log_softmax(x: &[f64], out: &mut [f64]) {
    let maximum = maximum(x);
    let log = log_total(x, maximum);
    for (out, x) in out.iter_mut().zip(x) {
        *out = below(*x, maximum) - log;
    }
}

const EMPTY: &str = "it needs at least one entry";

pub(crate) fn families() -> Vec<Family> {
    let softmax: Build = |_, arguments| match one(arguments)?.size() {
        0 => Err(invalid(EMPTY)),
        n => Ok(Softmax { n }.into()),
    };
    let log_softmax: Build = |_, arguments| match one(arguments)?.size() {
        0 => Err(invalid(EMPTY)),
        n => Ok(LogSoftmax { n }.into()),
    };
    let logsumexp: Build = |_, arguments| match one(arguments)?.size() {
        0 => Err(invalid(EMPTY)),
        n => Ok(LogSumExp { n }.into()),
    };
    let cross_entropy: Build = |_, arguments| match same(arguments)? {
        0 => Err(invalid(EMPTY)),
        n => Ok(CrossEntropy { n }.into()),
    };
    let correct: Build = |_, arguments| match same(arguments)? {
        0 => Err(invalid(EMPTY)),
        n => Ok(Correct { n }.into()),
    };
    vec![
        Family {
            name: "softmax",
            summary: "Scores as probabilities.",
            formula: "out[i] = e^x[i] / Σⱼ e^x[j]",
            derivative: "x̄ = s ⊙ (y − ⟨s, y⟩), s = softmax(x)",
            build: softmax,
            ..Family::PLAIN
        },
        Family {
            name: "log_softmax",
            summary: "The logarithms of the probabilities of scores. Scores further apart than the largest number, 1.8e308, count as so far apart.",
            formula: "out[i] = x[i] − ln Σⱼ e^x[j]",
            derivative: "x̄ = y − (Σᵢ y[i]) · softmax(x)",
            build: log_softmax,
            ..Family::PLAIN
        },
        Family {
            name: "logsumexp",
            signature: "Real(n) → Real(1)",
            summary: "The logarithm of the sum of the exponentials, a smooth maximum.",
            formula: "out = ln Σᵢ e^x[i]",
            derivative: "x̄ = y · softmax(x)",
            build: logsumexp,
            ..Family::PLAIN
        },
        Family {
            name: "cross_entropy",
            arity: 2,
            signature: "Real(n) × Real(n) → Real(1)",
            summary: "How far the probabilities of scores are from a target distribution. Scores further apart than the largest number, 1.8e308, count as so far apart, so it is at most that for a one-hot target.",
            formula: "cross_entropy(x, t) = −Σᵢ t[i]·log_softmax(x)[i]",
            derivative: "x̄ = y · ((Σᵢ t[i]) · softmax(x) − t), t̄ = −y · log_softmax(x)",
            build: cross_entropy,
            ..Family::PLAIN
        },
        Family {
            name: "correct",
            arity: 2,
            signature: "Real(n) × Real(n) → Real(1)",
            summary: "Whether the largest score is that of the target.",
            formula: "correct(x, t) = 1 if argmax x = argmax t, else 0",
            derivative: "x̄ = 0, t̄ = 0",
            partial: "undefined where the maximum of an argument occurs twice, in paper mode",
            convention: "the first maximum counts",
            build: correct,
            ..Family::PLAIN
        },
    ]
}
