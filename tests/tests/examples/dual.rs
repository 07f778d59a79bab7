//! Dual numbers: a value and its slope along one direction. The examples are compared with forward differentiation
//! of a plain forward pass. It shares nothing with reverse handlers, and is exact up to rounding.
#![allow(clippy::disallowed_methods)] // A reference may use the platform's own functions.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number value + slope·ε, where ε² = 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

impl Dual {
    /// Returns f of this number, given the value and the derivative of f there.
    fn chain(self, value: f64, derivative: f64) -> Dual {
        Dual {
            value,
            slope: derivative * self.slope,
        }
    }

    pub(crate) fn exp(self) -> Dual {
        self.chain(self.value.exp(), self.value.exp())
    }

    pub(crate) fn ln(self) -> Dual {
        self.chain(self.value.ln(), 1.0 / self.value)
    }

    pub(crate) fn tanh(self) -> Dual {
        let tanh = self.value.tanh();
        self.chain(tanh, 1.0 - tanh * tanh)
    }

    pub(crate) fn sigmoid(self) -> Dual {
        Dual::from(1.0) / (Dual::from(1.0) + (-self).exp())
    }

    pub(crate) fn swish(self) -> Dual {
        self * self.sigmoid()
    }

    pub(crate) fn relu(self) -> Dual {
        if self.value > 0.0 {
            self
        } else {
            Dual::from(0.0)
        }
    }

    /// Rounds the number; the derivative is that of rounding, zero.
    pub(crate) fn rounded(self) -> Dual {
        Dual::from(self.value.round())
    }

    /// Rounds the number; the derivative is that of the identity.
    pub(crate) fn rounded_straight_through(self) -> Dual {
        self.chain(self.value.round(), 1.0)
    }
}

impl From<f64> for Dual {
    fn from(value: f64) -> Dual {
        Dual { value, slope: 0.0 }
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, other: Dual) -> Dual {
        Dual {
            value: self.value + other.value,
            slope: self.slope + other.slope,
        }
    }
}

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        self.chain(-self.value, -1.0)
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, other: Dual) -> Dual {
        self + -other
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        Dual {
            value: self.value * other.value,
            slope: self.slope * other.value + self.value * other.slope,
        }
    }
}

impl Div for Dual {
    type Output = Dual;
    fn div(self, other: Dual) -> Dual {
        self * other.chain(1.0 / other.value, -1.0 / (other.value * other.value))
    }
}

impl Sum for Dual {
    fn sum<I: Iterator<Item = Dual>>(numbers: I) -> Dual {
        numbers.fold(Dual::from(0.0), Add::add)
    }
}

/// Contents of all locations, by name.
pub(crate) type Heap = BTreeMap<String, Vec<f64>>;

/// A heap whose contents are read as dual numbers.
pub(crate) struct Weights(BTreeMap<String, Vec<Dual>>);

impl Weights {
    /// Reads a heap as constants.
    pub(crate) fn constant(heap: &Heap) -> Weights {
        let cells = heap.iter();
        Weights(
            cells
                .map(|(name, cell)| (name.clone(), duals(cell)))
                .collect(),
        )
    }

    /// Returns the contents of a location.
    pub(crate) fn get(&self, location: &str) -> &[Dual] {
        &self.0[location]
    }

    /// Returns the contents of a location as constants.
    pub(crate) fn fixed(&self, location: &str) -> Vec<Dual> {
        let numbers = self.get(location).iter();
        numbers.map(|number| Dual::from(number.value)).collect()
    }
}

/// Returns numbers as constants.
pub(crate) fn duals(numbers: &[f64]) -> Vec<Dual> {
    numbers.iter().map(|number| Dual::from(*number)).collect()
}

/// Returns ∂f/∂ every entry of these locations, and ∂f/∂ every entry of the input.
pub(crate) fn gradient(
    heap: &Heap,
    layers: &[&str],
    input: &[f64],
    f: impl Fn(&Weights, &[Dual]) -> Dual,
) -> (Heap, Vec<f64>) {
    let (mut weights, mut input) = (Weights::constant(heap), duals(input));
    let mut gradients = Heap::new();
    for layer in layers {
        let slopes = (0..heap[*layer].len()).map(|at| {
            weights.0.get_mut(*layer).unwrap()[at].slope = 1.0;
            let slope = f(&weights, &input).slope;
            weights.0.get_mut(*layer).unwrap()[at].slope = 0.0;
            slope
        });
        gradients.insert((*layer).to_owned(), slopes.collect());
    }
    let slopes = (0..input.len()).map(|at| {
        input[at].slope = 1.0;
        let slope = f(&weights, &input).slope;
        input[at].slope = 0.0;
        slope
    });
    (gradients, slopes.collect())
}
