//! Entrywise arithmetic on Real(n): 0, +, −, ⊙ and /. Addition and zero are the commutative monoid of a reverse
//! differential category, so users write them as term formers and not as symbols.
//!
//! Laws: (a + b) + c = a + (b + c) up to rounding, a + 0 = a, a − b = a + (−b), ⊙ is commutative.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::{Family, Fixity, Operator, positive};
use crate::kernel::{Entries, Kernel, Loop};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::scalar::Comparison::Equal;
use crate::scalar::Scalar;
use crate::signature::{one, same};
use crate::{Partiality, Shape};

/// Entrywise arithmetic; each on vectors of n entries.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Arithmetic {
    /// 0 : 1 → Real(n), without an input wire.
    Zero { n: usize },
    /// a + b.
    Add { n: usize },
    /// −a.
    Neg { n: usize },
    /// a − b.
    Minus { n: usize },
    /// aᵢ·bᵢ.
    Hadamard { n: usize },
    /// aᵢ/bᵢ.
    Divide { n: usize },
}

use Arithmetic::{Add, Divide, Hadamard, Minus, Neg, Zero};

impl Arithmetic {
    fn entries(&self, e: impl Entries) {
        match self {
            Zero { .. } => {}
            Add { .. } => e.zip(|a, b| a + b),
            Neg { .. } => e.map(0, |a| -a),
            Minus { .. } => e.zip(|a, b| a - b),
            Hadamard { .. } => e.zip(|a, b| a * b),
            Divide { .. } => e.zip(|a, b| a / b),
        }
    }
}

impl PrimitiveMap for Arithmetic {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Zero { .. } => "zero",
            Add { .. } => "plus",
            Neg { .. } => "neg",
            Minus { .. } => "minus",
            Hadamard { .. } => "hadamard",
            Divide { .. } => "divide",
        })
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Zero { .. } => vec![],
            Neg { n } => vec![n],
            Add { n } | Minus { n } | Hadamard { n } | Divide { n } => vec![n, n],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Zero { n } | Add { n } | Neg { n } | Minus { n } | Hadamard { n } | Divide { n } => n,
        }
    }

    fn is_partial(&self) -> bool {
        matches!(self, Divide { .. })
    }

    fn check(&self, inputs: &[&[f64]], _mode: Partiality) -> Result<(), String> {
        let (Divide { .. }, [_, b]) = (self, inputs) else {
            return Ok(());
        };
        match b.iter().position(|x| *x == 0.0) {
            None => Ok(()),
            Some(i) => Err(format!("entry {} of the divisor is 0", i + 1)),
        }
    }

    fn outside(&self, _mode: Partiality) -> Option<Kernel> {
        self.is_partial().then(|| {
            Kernel::entries(self.output(), |e| {
                e.map(1, |v| v.when(Equal, 0.0, 1.0, 0.0));
            })
        })
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        self.entries(Loop { inputs, out });
    }

    fn kernel(&self) -> Kernel {
        match self {
            Zero { .. } => Kernel::default(),
            _ => Kernel::entries(self.output(), |entries| self.entries(entries)),
        }
    }

    fn reverse(&self, b: &mut Builder, point: &[Wire], result: Wire, y: Wire) -> Vec<Option<Wire>> {
        match (self, point) {
            (Add { .. }, _) => vec![Some(y), Some(y)],
            (Neg { .. }, _) => vec![Some(b.neg(y))],
            (Minus { .. }, _) => vec![Some(y), Some(b.neg(y))],
            (Hadamard { .. }, [u, v]) => vec![Some(b.hadamard(y, *v)), Some(b.hadamard(y, *u))],
            // ū = y / v and v̄ = −(u/v) ⊙ y / v, sharing y / v.
            (Divide { .. }, [_, v]) => {
                let quotient = b.push(self.clone(), &[y, *v]);
                let product = b.hadamard(result, quotient);
                vec![Some(quotient), Some(b.neg(product))]
            }
            _ => vec![],
        }
    }

    fn result_shape(&self, arguments: &[Shape]) -> Shape {
        match arguments {
            [a] => a.clone(),
            [a, b] => Shape::higher(a, b).clone(),
            _ => Shape::vector(self.output()),
        }
    }

    fn lifted(&self, b: usize) -> Option<Primitive> {
        let n = self.output().saturating_mul(b);
        Some(match self {
            Zero { .. } => Zero { n }.into(),
            Add { .. } => Add { n }.into(),
            Neg { .. } => Neg { n }.into(),
            Minus { .. } => Minus { n }.into(),
            Hadamard { .. } => Hadamard { n }.into(),
            Divide { .. } => Divide { n }.into(),
        })
    }
}

pub(crate) fn families() -> Vec<Family> {
    let binary = "Real(n) × Real(n) → Real(n)";
    vec![
        Family {
            name: "neg",
            operator: Operator::of("−", "-", Fixity::Prefix),
            summary: "The negative, entry by entry; written −x.",
            formula: "out[i] = −x[i]",
            derivative: "x̄ = −y",
            build: |_, arguments| {
                Ok(Neg {
                    n: one(arguments)?.size(),
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "minus",
            operator: Operator::of("−", "-", Fixity::Sum),
            arity: 2,
            signature: binary,
            summary: "The difference, entry by entry; written u − v.",
            formula: "out[i] = u[i] − v[i]",
            derivative: "ū = y, v̄ = −y",
            build: |_, arguments| {
                Ok(Minus {
                    n: same(arguments)?,
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "hadamard",
            operator: Operator::of("⊙", "\\odot", Fixity::Product),
            arity: 2,
            signature: binary,
            summary: "The product, entry by entry; written u ⊙ v.",
            formula: "out[i] = u[i]·v[i]",
            derivative: "ū = y ⊙ v, v̄ = y ⊙ u",
            build: |_, arguments| {
                Ok(Hadamard {
                    n: same(arguments)?,
                }
                .into())
            },
            ..Family::PLAIN
        },
        Family {
            name: "divide",
            operator: Operator::of("/", "/", Fixity::Product),
            arity: 2,
            signature: binary,
            summary: "The quotient, entry by entry; written u / v.",
            formula: "out[i] = u[i]/v[i]",
            derivative: "ū = y / v, v̄ = −(u / v) ⊙ (y / v)",
            partial: "undefined where an entry of v is 0, in both modes",
            interior: positive,
            build: |_, arguments| {
                Ok(Divide {
                    n: same(arguments)?,
                }
                .into())
            },
            ..Family::PLAIN
        },
    ]
}
