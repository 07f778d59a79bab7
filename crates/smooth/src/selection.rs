//! Comparison and selection, entry by entry. The derivative of a selection passes the cotangent to the selected side, by a
//! selection again, so the family is closed. A comparison is locally constant, and so is a selection in its condition. Both
//! sides of a selection are arguments, so both have values before one is selected (`docs/choice.md`).
//!
//! Laws: where(c, a, b) = where(−c, b, a); where(b − a, a, b) = min(a, b).

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Entries, Kernel, Loop};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::scalar::Comparison::Less;
use crate::scalar::Scalar;
use crate::signature::{same, sized};
use crate::{Partiality, Shape, SignatureError, numeral};

/// Comparison and selection on vectors of n entries.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Selection {
    /// c, a, b ↦ a\[i\] where c\[i\] > 0, else b\[i\]. `c` is the number of conditions: n, or one for all entries.
    Where { c: usize, n: usize },
    /// a, b ↦ 1 where a\[i\] < b\[i\], else 0.
    Less { n: usize },
}

use Selection::Where;

impl Selection {
    fn entries(&self, e: impl Entries) {
        match self {
            Where { c, n } if c == n => {
                e.along([0, 1, 2], |[c, a, b]| c.lift(0.0).choose(Less, c, a, b));
            }
            Where { .. } => {
                let c = e.scalar(0);
                e.along([1, 2], |[a, b]| c.lift(0.0).choose(Less, c, a, b));
            }
            Selection::Less { .. } => {
                e.zip(|a, b| a.choose(Less, b, a.lift(1.0), a.lift(0.0)));
            }
        }
    }
}

impl PrimitiveMap for Selection {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Where { .. } => "where",
            Selection::Less { .. } => "less",
        })
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Where { c, n } => vec![c, n, n],
            Selection::Less { n } => vec![n, n],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Where { n, .. } | Selection::Less { n } => n,
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        mode == Partiality::Paper
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        if mode == Partiality::Total {
            return Ok(());
        }
        match (self, inputs) {
            (Selection::Less { .. }, [a, b]) => match a.iter().zip(*b).position(|(a, b)| a == b) {
                None => Ok(()),
                Some(i) => Err(format!(
                    "entry {} of both arguments is {}, a tie, where less is not continuous",
                    i + 1,
                    numeral(a.get(i).copied().unwrap_or_default())
                )),
            },
            (_, [c, ..]) => match c.iter().position(|c| *c == 0.0) {
                None => Ok(()),
                Some(i) => Err(format!(
                    "entry {} of the condition is 0, which selects neither side",
                    i + 1
                )),
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
        match (self, point) {
            (Where { n, .. }, [c, ..]) => {
                let zero = b.zero(*n);
                let first = b.push(self.clone(), &[*c, y, zero]);
                let second = b.push(self.clone(), &[*c, zero, y]);
                vec![None, Some(first), Some(second)]
            }
            _ => vec![None, None],
        }
    }

    fn result_shape(&self, arguments: &[Shape]) -> Shape {
        match arguments {
            [a, b] | [_, a, b] => Shape::higher(a, b).clone(),
            _ => Shape::vector(self.output()),
        }
    }

    fn lifted(&self, b: usize) -> Option<Primitive> {
        let n = self.output().saturating_mul(b);
        match *self {
            Where { c, n: one } if c == one => Some(Where { c: n, n }.into()),
            // Every row has its own condition.
            Where { .. } => None,
            Selection::Less { .. } => Some(Selection::Less { n }.into()),
        }
    }
}

fn selection(_: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let [c, a, b] = arguments else {
        return Err(SignatureError::ArgumentCount {
            expected: 3,
            found: arguments.len(),
        });
    };
    let n = a.size();
    sized(2, b, n)?;
    if c.size() != 1 {
        sized(0, c, n)?;
    }
    Ok(Where { c: c.size(), n }.into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "where",
            arity: 3,
            signature: "Real(n) × Real(n) × Real(n) → Real(n), or the first Real(1)",
            summary: "Entries of one of two vectors, by the sign of a condition.",
            formula: "where(c, a, b)[i] = a[i] where c[i] > 0, b[i] where c[i] < 0",
            derivative: "ā = where(c, y, 0), b̄ = where(c, 0, y), c̄ = 0",
            partial: "undefined where c is 0, in paper mode",
            convention: "0 selects b",
            build: selection,
            ..Family::PLAIN
        },
        Family {
            name: "less",
            arity: 2,
            signature: "Real(n) × Real(n) → Real(n)",
            summary: "Whether an entry is less than another, as 1 or 0.",
            formula: "less(a, b)[i] = 1 where a[i] < b[i], 0 where a[i] > b[i]",
            derivative: "ā = 0, b̄ = 0",
            partial: "undefined on a tie, in paper mode",
            convention: "a tie is 0",
            build: |_, arguments| {
                Ok(Selection::Less {
                    n: same(arguments)?,
                }
                .into())
            },
            ..Family::PLAIN
        },
    ]
}
