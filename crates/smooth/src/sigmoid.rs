//! The logistic function σ(x) = 1/(1 + e⁻ˣ) and all its derivatives, without overflow or cancellation at the ends.
//! Swish, tanh and softplus are written with it.

use crate::scalar::Comparison::AtMost;
use crate::scalar::Elementary::{Abs, Exp, Log1p};
use crate::scalar::Scalar;

/// σ(x) = 1/(1 + e⁻ˣ), to full relative precision on both sides.
pub(crate) fn sigmoid<S: Scalar>(x: S) -> S {
    sigmoids(x).0
}

/// σ(x) and σ(−x) = 1 − σ(x), both to full relative precision, from one exponential.
pub(crate) fn sigmoids<S: Scalar>(x: S) -> (S, S) {
    let (zero, one) = (x.lift(0.0), x.lift(1.0));
    let e = (-x.map(Abs)).map(Exp);
    let (near, far) = (one / (one + e), e / (one + e));
    let choose = |then, otherwise| zero.choose(AtMost, x, then, otherwise);
    (choose(near, far), choose(far, near))
}

/// ln(1 + eˣ) = max(x, 0) + ln(1 + e^{−|x|}).
pub(crate) fn softplus<S: Scalar>(x: S) -> S {
    x.max(x.lift(0.0)) + (-x.map(Abs)).map(Exp).map(Log1p)
}

/// The k-th derivative of σ, as a homogeneous polynomial Σ_b c_b s^{k+1−b} t^b in s = σ(x) and t = σ(−x) = 1 − s.
///
/// From s′ = s·t and t′ = −s·t: (s^a t^b)′ = a s^a t^{b+1} − b s^{a+1} t^b.
pub(crate) struct SigmoidDerivative {
    coefficients: Vec<f64>,
}

impl SigmoidDerivative {
    /// The polynomial for the derivative of this order; order 0 is σ itself.
    pub(crate) fn new(order: usize) -> SigmoidDerivative {
        let mut coefficients = vec![1.0, 0.0];
        for k in 0..order {
            let mut next = vec![0.0; coefficients.len() + 1];
            for (b, c) in coefficients.iter().enumerate() {
                let a = (k + 1 - b.min(k + 1)) as f64;
                if let Some(slot) = next.get_mut(b + 1) {
                    *slot += a * c;
                }
                if let Some(slot) = next.get_mut(b) {
                    *slot -= b as f64 * c;
                }
            }
            coefficients = next;
        }
        SigmoidDerivative { coefficients }
    }

    /// σ^{(k)}(x) from σ(x) and σ(−x), by Horner's rule in s with running powers of t. Operations with the constants 0 and 1
    /// are skipped.
    pub(crate) fn at<S: Scalar>(&self, (s, t): (S, S)) -> S {
        let (mut value, mut power) = (Term::Zero, Term::One);
        for (b, c) in self.coefficients.iter().enumerate() {
            if b > 0 {
                (value, power) = (value.times(s), power.times(t));
            }
            let term = match (*c, power) {
                (0.0, _) => continue,
                (1.0, power) => power,
                (c, Term::Is(power)) => Term::Is(s.lift(c) * power),
                (c, _) => Term::Is(s.lift(c)),
            };
            value = match (value, term) {
                (Term::Zero, term) => term,
                (value, term) => Term::Is(value.number(s) + term.number(s)),
            };
        }
        value.number(s)
    }
}

/// A number that may be known to be 0 or 1.
#[derive(Clone, Copy)]
enum Term<S> {
    Zero,
    One,
    Is(S),
}

impl<S: Scalar> Term<S> {
    fn times(self, factor: S) -> Self {
        match self {
            Term::Zero => Term::Zero,
            Term::One => Term::Is(factor),
            Term::Is(number) => Term::Is(number * factor),
        }
    }

    /// The number, where 0 and 1 become constants of the computation of `beside`.
    fn number(self, beside: S) -> S {
        match self {
            Term::Zero => beside.lift(0.0),
            Term::One => beside.lift(1.0),
            Term::Is(number) => number,
        }
    }
}
