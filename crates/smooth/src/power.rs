//! Powers x^p with the exponent as an argument. The primitive is a mixed partial derivative ∂ₓᵏ∂ₚʲ x^p, so the
//! family is closed: ∂ₓ and ∂ₚ raise k and j.
//!
//! Laws: pow(x, 1) = x, pow(x, p + q) = pow(x, p) ⊙ pow(x, q) for x > 0.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::entrywise::superscript;
use crate::family::{Family, positive};
use crate::kernel::{Entries, Kernel, Loop};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::scalar::Comparison::{Equal, Less};
use crate::scalar::Elementary::{Log, Round};
use crate::scalar::Scalar;
use crate::signature::{sized, two};
use crate::{Partiality, Shape, SignatureError, numeral};

/// ∂ₓᵏ∂ₚʲ xᵢ^p : Real(n) × Real(1) → Real(n).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Power {
    in_x: usize,
    in_p: usize,
    n: usize,
}

impl Power {
    /// ∂ₚʲ (p(p−1)⋯(p−k+1)·x^{p−k}) = Σᵢ C(j,i)·(p(p−1)⋯(p−k+1))⁽ʲ⁻ⁱ⁾·x^{p−k}·(ln x)ⁱ, by Leibniz. Where x is negative or 0,
    /// ln x counts as 0 (the frameworks' convention for the exponent's derivative).
    fn entries(&self, e: impl Entries) {
        let p = e.scalar(1);
        let coefficients = falling(self.in_x, self.in_p, p);
        if self.orders() == [0, 0] {
            return e.map(0, |x| x.pow(p));
        }
        let exponent = p - p.lift(self.in_x as f64);
        e.map(0, |x| {
            let zero = x.lift(0.0);
            let log = || zero.choose(Less, x, x.map(Log), zero);
            let add = |sum, c| sum * log() + c;
            let factor = coefficients.iter().rev().copied().reduce(add);
            let factor = factor.unwrap_or(zero);
            factor.choose(Equal, zero, zero, factor * x.pow(exponent))
        });
    }
}

impl PrimitiveMap for Power {
    fn name(&self) -> Cow<'static, str> {
        match (self.in_x, self.in_p) {
            (0, 0) => Cow::Borrowed("pow"),
            (k, j) => Cow::Owned(format!("∂x{}∂p{} pow", superscript(k), superscript(j))),
        }
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed("pow")
    }

    fn orders(&self) -> [usize; 2] {
        [self.in_x, self.in_p]
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
            let whole = p.fract() == 0.0;
            let defined = whole && (x < 0.0 || *p > 0.0);
            let (text, power) = (numeral(x), numeral(*p));
            if x < 0.0 && !whole || x.is_nan() {
                return Err(format!(
                    "entry {entry} is {text}, which has no power {power}"
                ));
            }
            if mode == Partiality::Paper && !defined {
                return Err(format!(
                    "entry {entry} is {text}, where the power {power} is not differentiable"
                ));
            }
            // The entry is 0. An infinite value is an error; a value with a factor 0 is 0.
            if x == 0.0
                && *p < self.in_x as f64
                && falling(self.in_x, self.in_p, *p)
                    .first()
                    .is_some_and(|c| *c != 0.0)
            {
                return Err(format!(
                    "entry {entry} is 0, where the power {power} or its derivative is infinite"
                ));
            }
        }
        Ok(())
    }

    /// Condition in total mode: the entry is a NaN, or negative with a power that is not whole, or 0 with an infinite power.
    fn outside(&self, mode: Partiality) -> Option<Kernel> {
        (mode == Partiality::Total).then(|| {
            Kernel::entries(self.n, |e| {
                let p = e.scalar(1);
                let (zero, one) = (p.lift(0.0), p.lift(1.0));
                let broken = (p.map(Round) - p).choose(Equal, zero, zero, one);
                let factor = falling(self.in_x, self.in_p, p).first().copied();
                let infinite = factor.unwrap_or(one).choose(Equal, zero, zero, one);
                let infinite = p.choose(Less, p.lift(self.in_x as f64), infinite, zero);
                e.map(0, |x| {
                    let at_zero = x.choose(Equal, zero, infinite, one);
                    let not_positive = x.choose(Less, zero, broken, at_zero);
                    zero.choose(Less, x, zero, not_positive)
                });
            })
        })
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        self.entries(Loop { inputs, out });
    }

    fn kernel(&self) -> Kernel {
        Kernel::entries(self.n, |entries| self.entries(entries))
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
                in_x: self.in_x + 1,
                ..self.clone()
            },
            point,
        );
        let in_p = b.push(
            Power {
                in_p: self.in_p + 1,
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
fn falling<S: Scalar>(k: usize, j: usize, p: S) -> Vec<S> {
    // The Taylor coefficients of q at p, up to degree j, by multiplying the factors (p − i) + h.
    let mut taylor = vec![p.lift(0.0); j + 1];
    if let Some(first) = taylor.first_mut() {
        *first = p.lift(1.0);
    }
    for i in 0..k {
        let mut previous = p.lift(0.0);
        for c in &mut taylor {
            let old = *c;
            *c = old * (p - p.lift(i as f64)) + previous;
            previous = old;
        }
    }
    // The coefficient of Lⁱ is C(j, i)·(j−i)!·taylor[j−i] = j!/i!·taylor[j−i].
    let mut ratio = (1..=j).fold(1.0, |product, i| product * i as f64);
    let mut coefficients = Vec::with_capacity(j + 1);
    for (i, c) in taylor.iter().rev().enumerate() {
        coefficients.push(p.lift(ratio) * *c);
        ratio /= (i + 1) as f64;
    }
    coefficients
}

fn pow(_: &[usize], arguments: &[Shape]) -> Result<Primitive, SignatureError> {
    let (x, p) = two(arguments)?;
    sized(1, p, 1)?;
    Ok(Power {
        in_x: 0,
        in_p: 0,
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
        partial: "in paper mode undefined where an entry is 0 or negative, unless the power is a whole number (of 0: a positive one)",
        convention: "of 0, every power that is finite is defined",
        interior: positive,
        build: pow,
        ..Family::PLAIN
    }]
}
