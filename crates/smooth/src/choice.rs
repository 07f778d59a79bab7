//! Maximum, minimum and clamping, entry by entry, and the masks that say which argument was chosen. A mask is
//! locally constant, so its own derivative is zero and the family is closed.
//!
//! Laws: max(u, v) + min(u, v) = u + v; the masks of the two arguments sum to 1.

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::primitive::{Primitive, PrimitiveMap};
use crate::signature::{same, sized};
use crate::{Partiality, Shape, SignatureError};

/// Which of two entries is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Extreme {
    Max,
    Min,
}

/// Which part of `clamp(lo, hi, x)` an entry of x is in.
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
    /// 1 where the second (`second`) or first argument is the one chosen, else 0. On a tie the first is chosen.
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
    /// Whether the second argument is chosen.
    fn second(self, u: f64, v: f64) -> bool {
        match self {
            Extreme::Max => v > u,
            Extreme::Min => v < u,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Extreme::Max => "max",
            Extreme::Min => "min",
        }
    }
}

impl Part {
    fn contains(self, lo: f64, hi: f64, x: f64) -> bool {
        match self {
            Part::Below => x < lo,
            Part::Above => x > hi,
            Part::Inside => lo <= x && x <= hi,
        }
    }
}

impl PrimitiveMap for Choice {
    fn name(&self) -> &'static str {
        match self {
            Choice::Extreme { extreme, .. } | Choice::Chosen { extreme, .. } => extreme.name(),
            Choice::Clamp { .. } | Choice::InPart { .. } => "clamp",
        }
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
                        x + 0.0,
                        self.name()
                    ))
                }
            },
            [[lo], [hi], _] if lo > hi => Err(format!(
                "the lower limit {lo} is greater than the upper limit {hi}"
            )),
            [[lo], [hi], _] if paper && lo == hi => Err(format!(
                "both limits are {lo}, where clamp is not differentiable"
            )),
            [[lo], [hi], x] if paper => match x.iter().position(|x| x == lo || x == hi) {
                None => Ok(()),
                Some(i) => {
                    let x = x.get(i).copied().unwrap_or_default();
                    Err(format!(
                        "entry {} is {}, at a limit, where clamp is not differentiable",
                        i + 1,
                        x + 0.0
                    ))
                }
            },
            _ => Ok(()),
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        match (self, inputs) {
            (Choice::Extreme { extreme, .. }, [u, v]) => {
                for ((out, u), v) in out.iter_mut().zip(*u).zip(*v) {
                    *out = if extreme.second(*u, *v) { *v } else { *u };
                }
            }
            (
                Choice::Chosen {
                    extreme, second, ..
                },
                [u, v],
            ) => {
                for ((out, u), v) in out.iter_mut().zip(*u).zip(*v) {
                    *out = if extreme.second(*u, *v) == *second {
                        1.0
                    } else {
                        0.0
                    };
                }
            }
            (Choice::Clamp { .. }, [[lo], [hi], x]) => {
                for (out, x) in out.iter_mut().zip(*x) {
                    *out = if x < lo {
                        *lo
                    } else if x > hi {
                        *hi
                    } else {
                        *x
                    };
                }
            }
            (Choice::InPart { part, .. }, [[lo], [hi], x]) => {
                for (out, x) in out.iter_mut().zip(*x) {
                    *out = if part.contains(*lo, *hi, *x) {
                        1.0
                    } else {
                        0.0
                    };
                }
            }
            _ => {}
        }
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
            partial: "undefined on a tie, in paper mode; in total mode the first argument is chosen",
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
            partial: "undefined on a tie, in paper mode; in total mode the first argument is chosen",
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
            partial: "undefined for lo > hi, in both modes; at a limit in paper mode, where total mode counts as inside",
            build: clamp,
            ..Family::PLAIN
        },
    ]
}
