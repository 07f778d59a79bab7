//! Powers x^p with the exponent as an argument. The primitive is a mixed partial derivative ∂ₓᵏ∂ₚʲ x^p, so the
//! family is closed: ∂ₓ and ∂ₚ raise k and j.
//!
//! Laws: pow(x, 1) = x, pow(x, p + q) = pow(x, p) ⊙ pow(x, q) for x > 0.

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::primitive::{Primitive, PrimitiveMap};
use crate::signature::{sized, two};
use crate::{Partiality, Shape, SignatureError};

/// ∂ₓᵏ∂ₚʲ xᵢ^p : Real(n) × Real(1) → Real(n).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Power {
    k: usize,
    j: usize,
    n: usize,
}

impl PrimitiveMap for Power {
    fn name(&self) -> &'static str {
        "pow"
    }

    fn inputs(&self) -> Vec<usize> {
        vec![self.n, 1]
    }

    fn output(&self) -> usize {
        self.n
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        let [x, [p]] = inputs else { return Ok(()) };
        for (i, x) in x.iter().enumerate() {
            let (x, entry) = (*x + 0.0, i + 1);
            if x > 0.0 {
                continue;
            }
            if mode == Partiality::Paper || x.is_nan() {
                return Err(format!(
                    "entry {entry} is {x}, where pow is not differentiable; it must be positive"
                ));
            }
            if x < 0.0 && p.fract() != 0.0 {
                return Err(format!("entry {entry} is {x}, which has no power {p}"));
            }
            // The entry is 0: what would be infinite is an error, what has a factor 0 is 0.
            if x == 0.0
                && *p < self.k as f64
                && falling(self.k, self.j, *p)
                    .first()
                    .is_some_and(|c| *c != 0.0)
            {
                return Err(format!(
                    "entry {entry} is 0, where the power {p} or its derivative is infinite"
                ));
            }
        }
        Ok(())
    }

    /// ∂ₚʲ (p(p−1)⋯(p−k+1)·x^{p−k}) = Σᵢ C(j,i)·(p(p−1)⋯(p−k+1))⁽ʲ⁻ⁱ⁾·x^{p−k}·(ln x)ⁱ, by Leibniz. In total mode, where
    /// x may be negative or 0, ln x counts as 0 (the frameworks' convention for the exponent's derivative).
    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [x, [p]] = inputs else { return };
        let coefficients = falling(self.k, self.j, *p);
        let exponent = p - self.k as f64;
        for (out, x) in out.iter_mut().zip(*x) {
            let log = if *x > 0.0 { libm::log(*x) } else { 0.0 };
            let factor = coefficients.iter().rev().fold(0.0, |sum, c| sum * log + c);
            *out = if factor == 0.0 {
                0.0
            } else {
                factor * libm::pow(*x, exponent)
            };
        }
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let in_x = b.push(
            Power {
                k: self.k + 1,
                ..self.clone()
            },
            point,
        );
        let in_p = b.push(
            Power {
                j: self.j + 1,
                ..self.clone()
            },
            point,
        );
        vec![Some(b.hadamard(y, in_x)), Some(b.dot(y, in_p))]
    }

    fn result_shape(&self, arguments: &[Shape]) -> Shape {
        arguments
            .first()
            .cloned()
            .unwrap_or_else(|| Shape::vector(self.n))
    }
}

/// The coefficients of 1, L, L², …, Lʲ in e^{−pL}·∂ₚʲ(q(p)·e^{pL}) for q(p) = p(p−1)⋯(p−k+1), where L is ln x.
fn falling(k: usize, j: usize, p: f64) -> Vec<f64> {
    // The Taylor coefficients of q at p, up to degree j, by multiplying the factors (p − i) + h.
    let mut taylor = vec![0.0; j + 1];
    if let Some(first) = taylor.first_mut() {
        *first = 1.0;
    }
    for i in 0..k {
        let mut previous = 0.0;
        for c in &mut taylor {
            let old = *c;
            *c = old * (p - i as f64) + previous;
            previous = old;
        }
    }
    // The coefficient of Lⁱ is C(j, i)·(j−i)!·taylor[j−i] = j!/i!·taylor[j−i].
    let mut ratio = (1..=j).fold(1.0, |product, i| product * i as f64);
    let mut coefficients = Vec::with_capacity(j + 1);
    for (i, c) in taylor.iter().rev().enumerate() {
        coefficients.push(ratio * c);
        ratio /= (i + 1) as f64;
    }
    coefficients
}

fn pow(_: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (x, p) = two(arguments)?;
    sized(1, p, 1)?;
    Ok(Power {
        k: 0,
        j: 0,
        n: x.size(),
    }
    .into())
}

pub(crate) fn families() -> Vec<Family> {
    vec![Family {
        name: "pow",
        arity: 2,
        signature: "Real(n) × Real(1) → Real(n)",
        summary: "Every entry to one power.",
        formula: "pow(x, p)[i] = x[i]^p",
        derivative: "x̄[i] = y[i]·p·x[i]^(p−1), p̄ = Σᵢ y[i]·x[i]^p·ln x[i]",
        partial: "undefined where an entry is 0 or negative in paper mode; in total mode an integer power is defined \
                  there, and ln x counts as 0",
        build: pow,
        ..Family::PLAIN
    }]
}
