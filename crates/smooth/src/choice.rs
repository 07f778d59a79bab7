//! Maximum, minimum and clamping, entry by entry, and the masks that say which argument was chosen. A mask is
//! locally constant, so its own derivative is zero and the family is closed.
//!
//! Laws: max(u, v) + min(u, v) = u + v; the masks of the two arguments sum to 1.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Entries, Kernel, Loop};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::scalar::Comparison::{AtMost, Less};
use crate::scalar::Scalar;
use crate::signature::{same, sized};
use crate::{Partiality, Shape, SignatureError, numeral};

/// The extreme of two entries that is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Extreme {
    Max,
    Min,
}

/// Part of the range of `clamp(lo, hi, x)` that an entry of x lies in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    Below,
    Inside,
    Above,
}

/// Choices and their masks, on vectors of n entries.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Choice {
    /// The larger (smaller) of u\[i\] and v\[i\].
    Extreme { extreme: Extreme, n: usize },
    /// 1 where the second argument (with `second`) or the first one is chosen, else 0. On a tie the first is chosen.
    Chosen {
        extreme: Extreme,
        second: bool,
        n: usize,
    },
    /// min(max(x\[i\], lo), hi).
    Clamp { n: usize },
    /// 1 where x\[i\] is in this part, else 0. The limits themselves are inside.
    InPart { part: Part, n: usize },
}

impl Extreme {
    fn name(self) -> &'static str {
        match self {
            Extreme::Max => "max",
            Extreme::Min => "min",
        }
    }

    /// `second` if the second argument is chosen, else `first`.
    fn choose<S: Scalar>(self, u: S, v: S, first: S, second: S) -> S {
        match self {
            Extreme::Max => u.choose(Less, v, second, first),
            Extreme::Min => v.choose(Less, u, second, first),
        }
    }
}

impl Part {
    /// 1 if x is in this part, else 0.
    fn mask<S: Scalar>(self, lo: S, hi: S, x: S) -> S {
        let (one, zero) = (x.lift(1.0), x.lift(0.0));
        match self {
            Part::Below => x.choose(Less, lo, one, zero),
            Part::Above => hi.choose(Less, x, one, zero),
            Part::Inside => lo.choose(AtMost, x, x.choose(AtMost, hi, one, zero), zero),
        }
    }
}

impl Choice {
    fn entries(&self, e: impl Entries) {
        match *self {
            Choice::Extreme { extreme, .. } => e.zip(|u, v| extreme.choose(u, v, u, v)),
            Choice::Chosen {
                extreme, second, ..
            } => {
                let (first, second) = if second { (0.0, 1.0) } else { (1.0, 0.0) };
                e.zip(|u, v| extreme.choose(u, v, u.lift(first), u.lift(second)));
            }
            Choice::Clamp { .. } => {
                let (lo, hi) = (e.scalar(0), e.scalar(1));
                e.map(2, |x| x.choose(Less, lo, lo, hi.choose(Less, x, hi, x)));
            }
            Choice::InPart { part, .. } => {
                let (lo, hi) = (e.scalar(0), e.scalar(1));
                e.map(2, |x| part.mask(lo, hi, x));
            }
        }
    }
}

impl PrimitiveMap for Choice {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Choice::Extreme { extreme, .. } => extreme.name(),
            Choice::Chosen {
                extreme, second, ..
            } => match (extreme, second) {
                (Extreme::Max, false) => "max_first",
                (Extreme::Max, true) => "max_second",
                (Extreme::Min, false) => "min_first",
                (Extreme::Min, true) => "min_second",
            },
            Choice::Clamp { .. } => "clamp",
            Choice::InPart { part, .. } => match part {
                Part::Below => "clamp_below",
                Part::Inside => "clamp_inside",
                Part::Above => "clamp_above",
            },
        })
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Choice::Extreme { extreme, .. } | Choice::Chosen { extreme, .. } => extreme.name(),
            Choice::Clamp { .. } | Choice::InPart { .. } => "clamp",
        })
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Choice::Extreme { n, .. } | Choice::Chosen { n, .. } => vec![n, n],
            Choice::Clamp { n } | Choice::InPart { n, .. } => vec![1, 1, n],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Choice::Extreme { n, .. }
            | Choice::Chosen { n, .. }
            | Choice::Clamp { n }
            | Choice::InPart { n, .. } => n,
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    /// Clamping to limits in the wrong order has no value in either reading.
    fn is_partial_in(&self, mode: Partiality) -> bool {
        mode == Partiality::Paper || matches!(self, Choice::Clamp { .. } | Choice::InPart { .. })
    }

    fn outside(&self, mode: Partiality) -> Option<Kernel> {
        let limits = matches!(self, Choice::Clamp { .. } | Choice::InPart { .. });
        (limits && mode == Partiality::Total).then(|| {
            Kernel::entries(1, |e| {
                e.zip(|lo, hi| hi.choose(Less, lo, lo.lift(1.0), lo.lift(0.0)));
            })
        })
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        let paper = mode == Partiality::Paper;
        match inputs {
            [u, v] if paper => match u.iter().zip(*v).position(|(u, v)| u == v) {
                None => Ok(()),
                Some(i) => {
                    let x = u.get(i).copied().unwrap_or_default();
                    Err(format!(
                        "entry {} of both arguments is {}, a tie, where {} is not differentiable",
                        i + 1,
                        numeral(x),
                        self.name()
                    ))
                }
            },
            [[lo], [hi], _] if lo > hi => Err(format!(
                "the lower limit {} is greater than the upper limit {}",
                numeral(*lo),
                numeral(*hi)
            )),
            [[lo], [hi], _] if paper && lo == hi => Err(format!(
                "both limits are {}, where clamp is not differentiable",
                numeral(*lo)
            )),
            [[lo], [hi], x] if paper => match x.iter().position(|x| x == lo || x == hi) {
                None => Ok(()),
                Some(i) => {
                    let x = x.get(i).copied().unwrap_or_default();
                    Err(format!(
                        "entry {} is {}, at a limit, where clamp is not differentiable",
                        i + 1,
                        numeral(x)
                    ))
                }
            },
            _ => Ok(()),
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        self.entries(Loop { inputs, out });
    }

    fn kernel(&self) -> Kernel {
        Kernel::entries(self.output(), |entries| self.entries(entries))
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        match *self {
            Choice::Extreme { extreme, n } => [false, true]
                .map(|second| {
                    let mask = b.push(Choice::Chosen { extreme, second, n }, point);
                    Some(b.hadamard(y, mask))
                })
                .to_vec(),
            Choice::Clamp { n } => {
                let [lo, hi, x] = [Part::Below, Part::Above, Part::Inside]
                    .map(|part| b.push(Choice::InPart { part, n }, point));
                vec![
                    Some(b.dot(y, lo)),
                    Some(b.dot(y, hi)),
                    Some(b.hadamard(y, x)),
                ]
            }
            Choice::Chosen { .. } => vec![None, None],
            Choice::InPart { .. } => vec![None, None, None],
        }
    }

    fn result_shape(&self, arguments: &[Shape]) -> Shape {
        match arguments {
            [u, v] => Shape::higher(u, v).clone(),
            [_, _, x] => x.clone(),
            _ => Shape::vector(self.output()),
        }
    }

    fn lifted(&self, b: usize) -> Option<Primitive> {
        match *self {
            Choice::Extreme { extreme, n } => Some(
                Choice::Extreme {
                    extreme,
                    n: n.saturating_mul(b),
                }
                .into(),
            ),
            Choice::Chosen { extreme, second, n } => Some(
                Choice::Chosen {
                    extreme,
                    second,
                    n: n.saturating_mul(b),
                }
                .into(),
            ),
            // Every row has its own limits.
            Choice::Clamp { .. } | Choice::InPart { .. } => None,
        }
    }
}

fn clamp(_: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let [lo, hi, x] = arguments else {
        return Err(SignatureError::ArgumentCount {
            expected: 3,
            found: arguments.len(),
        });
    };
    sized(0, lo, 1)?;
    sized(1, hi, 1)?;
    Ok(Choice::Clamp { n: x.size() }.into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "max",
            arity: 2,
            signature: "Real(n) × Real(n) → Real(n)",
            summary: "The larger of two entries.",
            formula: "out[i] = max(u[i], v[i])",
            derivative: "ū = y where u is larger, else 0; v̄ = y where v is larger, else 0",
            partial: "undefined on a tie, in paper mode",
            convention: "the first argument is chosen on a tie",
            build: |_, arguments| {
                Ok(Choice::Extreme {
                    extreme: Extreme::Max,
                    n: same(arguments)?,
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "min",
            arity: 2,
            signature: "Real(n) × Real(n) → Real(n)",
            summary: "The smaller of two entries.",
            formula: "out[i] = min(u[i], v[i])",
            derivative: "ū = y where u is smaller, else 0; v̄ = y where v is smaller, else 0",
            partial: "undefined on a tie, in paper mode",
            convention: "the first argument is chosen on a tie",
            build: |_, arguments| {
                Ok(Choice::Extreme {
                    extreme: Extreme::Min,
                    n: same(arguments)?,
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "clamp",
            arity: 3,
            signature: "Real(1) × Real(1) × Real(n) → Real(n)",
            summary: "Every entry, kept between a lower and an upper limit.",
            formula: "clamp(lo, hi, x)[i] = min(max(x[i], lo), hi)",
            derivative: "x̄ = y between the limits; l̄o sums y over the entries below, h̄i over those above",
            partial: "undefined for lo > hi, in both modes, and at a limit in paper mode",
            convention: "a limit counts as inside",
            interior: |argument, x| match argument {
                0 => -0.5 - 0.01 * x.abs(),
                1 => 0.6 + 0.01 * x.abs(),
                _ if x.abs() > 0.4 && x.abs() < 0.7 => x * 0.5,
                _ => x,
            },
            build: clamp,
            ..Family::PLAIN
        },
    ]
}
