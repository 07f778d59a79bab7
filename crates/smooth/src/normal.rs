//! The normal distribution Φ and all derivatives of it, of x·Φ(x) and of the error function. A derivative is a polynomial times a
//! bell curve e^(−a·x²), and (q·e^(−a·x²))′ = (q′ − 2a·x·q)·e^(−a·x²).

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use crate::scalar::Comparison::Less;
use crate::scalar::Elementary::{Abs, Erfc, Exp};
use crate::scalar::Scalar;

/// 1/√(2π).
const DENSITY_AT_ZERO: f64 = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
/// Bound of |x| beyond which e^(−x²/2) is 0, times any power that occurs.
const FAR: f64 = 40.0;

/// Φ(x), to full relative precision on both sides.
pub(crate) fn distribution<S: Scalar>(x: S) -> S {
    x.lift(0.5) * (-(x * x.lift(FRAC_1_SQRT_2))).map(Erfc)
}

/// q(x)·e^(−a·x²), with the coefficients of q in ascending order of powers.
pub(crate) struct Bell {
    coefficients: Vec<f64>,
    a: f64,
}

impl Bell {
    /// φ = Φ′.
    pub(crate) fn density() -> Bell {
        Bell {
            coefficients: vec![DENSITY_AT_ZERO],
            a: 0.5,
        }
    }

    /// The derivative of erf of this order, at least 1.
    pub(crate) fn erf(order: usize) -> Bell {
        let first = Bell {
            coefficients: vec![FRAC_2_SQRT_PI],
            a: 1.0,
        };
        (1..order).fold(first, |bell, _| bell.derivative())
    }

    /// The derivative of x·Φ(x) of this order, at least 2: (Φ + x·φ)′ = (2 − x²)·φ.
    pub(crate) fn gelu(order: usize) -> Bell {
        let second = Bell {
            coefficients: vec![2.0 * DENSITY_AT_ZERO, 0.0, -DENSITY_AT_ZERO],
            a: 0.5,
        };
        (2..order).fold(second, |bell, _| bell.derivative())
    }

    fn derivative(&self) -> Bell {
        let mut coefficients = vec![0.0; self.coefficients.len() + 1];
        for (power, c) in self.coefficients.iter().enumerate() {
            let below = power.checked_sub(1).map(|below| (below, power as f64 * c));
            for (power, change) in below.into_iter().chain([(power + 1, -2.0 * self.a * c)]) {
                if let Some(slot) = coefficients.get_mut(power) {
                    *slot += change;
                }
            }
        }
        Bell {
            coefficients,
            a: self.a,
        }
    }

    /// The value at x, the polynomial by Horner's rule.
    pub(crate) fn at<S: Scalar>(&self, x: S) -> S {
        let mut coefficients = self.coefficients.iter().rev();
        let first = coefficients.next().copied().unwrap_or(0.0);
        let polynomial = coefficients.fold(x.lift(first), |sum, c| match *c {
            0.0 => sum * x,
            c => sum * x + x.lift(c),
        });
        let bell = (x * x * x.lift(-self.a)).map(Exp);
        // Guards against ∞ · 0 = NaN where a power of x overflows.
        x.lift(FAR)
            .choose(Less, x.map(Abs), x.lift(0.0), polynomial * bell)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bell, distribution};

    #[test]
    fn the_tails_have_no_rounding_of_one() {
        // The values are from tables. Rounding x/√2 changes Φ(x) by x² times as much, relatively.
        for (x, expected) in [
            (-10.0, 7.619_853_024_160_527e-24),
            (-30.0, 4.906_713_927_148_187e-198),
        ] {
            let found: f64 = distribution(x);
            assert!((found - expected).abs() <= 1e-13 * expected, "{found}");
        }
        for x in [1e200, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Bell::gelu(4).at(x), 0.0, "{x}");
        }
        assert!(Bell::erf(3).at(f64::NAN).is_nan());
    }

    #[test]
    fn a_derivative_is_the_slope() {
        let h = 1e-5;
        for x in [-2.3, -0.4, 0.0, 1.7] {
            for order in 1..6 {
                let slope = (Bell::erf(order).at(x + h) - Bell::erf(order).at(x - h)) / (2.0 * h);
                let found: f64 = Bell::erf(order + 1).at(x);
                assert!(
                    (found - slope).abs() < 1e-6 * (1.0 + found.abs()),
                    "{order}"
                );
            }
        }
    }
}
