//! Constants with a bound on the rounding error of each entry. The bound of a literal is 0; that of a computed constant holds to
//! first order: by Jacobians for symbols, exactly for sums.

use fletch_calculus::{Symbol, Tensor, Value};
use fletch_smooth::Partiality;

/// Maximum number of entries of a Jacobian. A larger one is not computed: then a bound is `COARSE` times the largest entry of
/// arguments and results, plus the largest bound of an argument.
const JACOBIAN: usize = 1 << 16;
const COARSE: f64 = 1e-12;

/// A constant, with a bound of each entry's distance from the number that exact arithmetic gives.
#[derive(Clone, Debug)]
pub(crate) struct Rounded {
    pub(crate) tensor: Tensor,
    slack: Vec<f64>,
}

impl Rounded {
    /// Constant without rounding error.
    pub(crate) fn exact(tensor: &Tensor) -> Rounded {
        Rounded {
            slack: vec![0.0; tensor.len()],
            tensor: tensor.clone(),
        }
    }

    /// Entries in a range.
    pub(crate) fn entries(&self, range: std::ops::Range<usize>) -> Option<Rounded> {
        Some(Rounded {
            tensor: Tensor::vector(self.tensor.data().get(range.clone())?.to_vec()),
            slack: self.slack.get(range)?.to_vec(),
        })
    }

    /// Entries of this constant, then those of the other.
    pub(crate) fn followed_by(&self, other: &Rounded) -> Rounded {
        Rounded {
            tensor: Tensor::vector([self.tensor.data(), other.tensor.data()].concat()),
            slack: [self.slack.as_slice(), &other.slack].concat(),
        }
    }

    /// The sum, with the rounding of each addition (Knuth's TwoSum).
    pub(crate) fn plus(&self, other: &Rounded) -> Rounded {
        let (a, b) = (self.tensor.data(), other.tensor.data());
        let sum: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + b).collect();
        let slack = self.bounds().zip(other.bounds()).zip(&sum);
        let slack = slack.map(|(((a, one), (b, other)), sum)| {
            let second = sum - a;
            let lost = (a - (sum - second)) + (b - second);
            one + other + lost.abs()
        });
        Rounded {
            slack: slack.collect(),
            tensor: Tensor::vector(sum),
        }
    }

    /// The largest difference between an entry of this constant and that of the other, with both entries. `None` if an entry
    /// differs by more than rounding explains.
    pub(crate) fn distance(&self, other: &Rounded) -> Option<(f64, [f64; 2])> {
        if self.tensor.len() != other.tensor.len() {
            return None;
        }
        let computed = self
            .slack
            .iter()
            .chain(&other.slack)
            .any(|slack| *slack > 0.0);
        let mut most = (0.0, [0.0, 0.0]);
        for ((a, one), (b, other)) in self.bounds().zip(other.bounds()) {
            let difference = (a - b).abs();
            let explained = computed && difference <= one + other;
            if a.to_bits() != b.to_bits() && !explained {
                return None;
            }
            if difference > most.0 {
                most = (difference, [a, b]);
            }
        }
        Some(most)
    }

    /// Each entry with its bound. A literal stands for a decimal number, from which its bits may be half a unit away. A literal
    /// that fits in 32 bits is taken as exact.
    fn bounds(&self) -> impl Iterator<Item = (f64, f64)> {
        let entries = self.tensor.data().iter().zip(&self.slack);
        entries.map(|(entry, slack)| match *slack {
            0.0 if f64::from(*entry as f32) != *entry => (*entry, f64::EPSILON / 2.0 * entry.abs()),
            slack => (*entry, slack),
        })
    }
}

/// The results of a symbol at constants, with bounds. Rounding moves an entry by at most Σⱼ |∂fᵢ/∂xⱼ|·(slack of xⱼ + cε|xⱼ|) +
/// 4ε|fᵢ|: a sum of c products rounds as if each product were moved by cε.
pub(crate) fn computed(
    symbol: &Symbol,
    argument: &Value,
    constants: &[Rounded],
    value: &Value,
    mode: Partiality,
) -> Vec<Rounded> {
    let tensors = value.tensors();
    let inputs = constants.iter().flat_map(|constant| constant.tensor.data());
    let slacks = constants.iter().flat_map(|constant| &constant.slack);
    let (n, m) = (
        inputs.clone().count(),
        tensors.iter().map(|tensor| tensor.len()).sum::<usize>(),
    );
    let step = (4.0 + n as f64 / 2.0) * f64::EPSILON;
    let moved: Vec<f64> = (inputs.clone().zip(slacks))
        .map(|(x, slack)| slack + step * x.abs())
        .collect();
    let outputs = || tensors.iter().flat_map(|tensor| tensor.data());
    let coarse = || {
        let all = inputs.clone().chain(outputs());
        let largest = all.fold(0.0_f64, |most, entry| most.max(entry.abs()));
        let slack = moved.iter().fold(0.0_f64, |most, slack| most.max(*slack));
        vec![COARSE * largest + slack; m]
    };
    let bounds = match n * m <= JACOBIAN {
        true => jacobian(symbol, argument, value, mode).map_or_else(coarse, |rows| {
            let bound = |(row, out): (&Vec<f64>, &f64)| {
                let terms = row
                    .iter()
                    .zip(&moved)
                    .map(|(slope, moved)| slope.abs() * moved);
                terms.sum::<f64>() + 4.0 * f64::EPSILON * out.abs()
            };
            rows.iter().zip(outputs()).map(bound).collect()
        }),
        false => coarse(),
    };
    let mut bounds = bounds.into_iter();
    let rounded = tensors.iter().map(|tensor| Rounded {
        tensor: (*tensor).clone(),
        slack: bounds.by_ref().take(tensor.len()).collect(),
    });
    rounded.collect()
}

/// The rows of the Jacobian of f at a point, from rd\[f\] at unit cotangents; `None` if it is undefined.
fn jacobian(
    symbol: &Symbol,
    argument: &Value,
    value: &Value,
    mode: Partiality,
) -> Option<Vec<Vec<f64>>> {
    let reverse = symbol.reverse();
    let sizes: Vec<usize> = value.tensors().iter().map(|tensor| tensor.len()).collect();
    let mut rows = Vec::new();
    for entry in 0..sizes.iter().sum() {
        let mut first = 0;
        let mut units = sizes.iter().map(|size| {
            let unit = (first..first + size).map(|at| f64::from(u8::from(at == entry)));
            first += size;
            Tensor::vector(unit.collect())
        });
        let cotangent = Value::assemble(&symbol.codomain(), &mut units)?;
        let at = Value::Tuple(vec![argument.clone(), cotangent].into());
        let row = reverse.eval(&at, mode).ok()?;
        let row = row.tensors().into_iter().flat_map(|part| part.data());
        rows.push(row.copied().collect());
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::Rounded;
    use crate::cases::{differ, verdict};
    use fletch_calculus::Tensor;

    fn number(number: f64) -> Rounded {
        Rounded::exact(&Tensor::vector(vec![number]))
    }

    #[test]
    fn rounding_explains_what_an_addition_lost() {
        let sum = number(0.1).plus(&number(0.2));
        assert!(sum.distance(&number(0.3)).is_some());
        let exact = number(1.0).plus(&number(0.0));
        assert!(exact.distance(&number(1.0 + f64::EPSILON)).is_none());
    }

    #[test]
    fn a_function_moves_an_error_by_its_slope() {
        // The sum is 0.9999999999999999, where the logarithm nearly vanishes and has slope 1.
        assert_eq!(
            verdict("⌊log[1]((0.7 + 0.2) + 0.1)⌋", "⌊0⌋"),
            "equal but for rounding"
        );
        differ("⌊log[1]((0.7 + 0.2) + 0.1)⌋", "⌊0.00000000000001⌋");
        // 0.1 + 0.2 is 5.6e−17 off, a hundred thousand times as much 3.6e−12.
        let product = "⌊hadamard[1](100000, 0.1 + 0.2)⌋";
        assert_eq!(verdict(product, "⌊30000⌋"), "equal but for rounding");
        differ(product, "⌊30000.0000001⌋");
        differ("⌊0.1 + 0.2⌋", "⌊0.3000000000036⌋");
    }

    #[test]
    fn literals_are_what_they_say() {
        assert!(number(1e-13).distance(&number(0.0)).is_none());
        assert!(number(1.0).distance(&number(1.0)).is_some());
    }
}
