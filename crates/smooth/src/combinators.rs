//! Combinators, which make data sets from data sets ("Data sets from data sets" of the language page). Their results are the
//! same on every platform.

use crate::generate::started;
use crate::parameters::{Argument, Parameter, Range, SEED, bind};
use crate::{GeneratorError, MAX_SIZE, Tensor, Value};

/// The names of the combinators.
pub const COMBINATORS: [&str; 6] = ["shuffle", "take", "drop", "join", "standardise", "noise"];

/// Returns the samples that a combinator makes of one or two data sets. An argument without a name belongs to the parameter at
/// its position after the data sets.
///
/// * `shuffle(d, seed)`: for i = n−1 … 1, samples i and ⌊u·(i+1)⌋ are swapped, where u is a uniform draw of SplitMix64;
/// * `take(d, n)`: the first n samples; `drop(d, n)`: the samples after them;
/// * `join(d, e)`: the samples of d, then those of e;
/// * `standardise(d)`: each entry of the first component minus its mean over d, divided by its standard deviation (the root of
///   the mean squared difference from the mean); 0 for an entry that is constant over d;
/// * `noise(d, n, seed)`: one more component, of n standard normal draws, sample after sample.
///
/// # Errors
/// Fails for an unknown combinator, for arguments that it does not take, for a wrong number of data sets, and for more samples
/// than the maximum.
pub fn combine(
    name: &str,
    sets: &[&[Value]],
    arguments: &[(Option<&str>, Argument)],
) -> Result<Vec<Value>, GeneratorError> {
    let count = Parameter {
        name: "n",
        default: None,
        range: Range::Whole(0, 100_000_000),
    };
    match (name, sets) {
        ("shuffle", [d]) => {
            let [seed] = bind(name, &[SEED], arguments)?;
            let mut samples = d.to_vec();
            let mut random = started(seed);
            for i in (1..samples.len()).rev() {
                let place = (random.uniform() * (i + 1) as f64) as usize;
                samples.swap(i, place.min(i));
            }
            Ok(samples)
        }
        ("take" | "drop", [d]) => {
            let [n] = bind(name, &[count], arguments)?;
            let first = n.real() as usize;
            let (taken, dropped) =
                d.split_at_checked(first)
                    .ok_or_else(|| GeneratorError::BadValue {
                        generator: name.to_owned(),
                        argument: "n",
                        value: n.real(),
                        expected: format!("at most {}, the number of samples", d.len()),
                    })?;
            Ok(if name == "take" { taken } else { dropped }.to_vec())
        }
        ("join", [d, e]) => {
            let [] = bind(name, &[], arguments)?;
            let total = d.len() + e.len();
            match total <= MAX_SIZE >> 4 {
                true => Ok([*d, *e].concat()),
                false => Err(GeneratorError::TooManySamples {
                    generator: name.to_owned(),
                    samples: total,
                    most: MAX_SIZE >> 4,
                }),
            }
        }
        ("standardise", [d]) => {
            let [] = bind(name, &[], arguments)?;
            Ok(standardised(d))
        }
        ("noise", [d]) => {
            let size = Parameter {
                range: Range::Whole(1, 100_000),
                ..count
            };
            let [n, seed] = bind(name, &[size, SEED], arguments)?;
            let (mut random, n) = (started(seed), n.real() as usize);
            let total = d.len().saturating_mul(n);
            if total > MAX_SIZE {
                return Err(GeneratorError::BadValue {
                    generator: name.to_owned(),
                    argument: "n",
                    value: n as f64,
                    expected: format!("at most {} for {} samples", MAX_SIZE / d.len(), d.len()),
                });
            }
            let noisy = |sample: &Value| {
                let draws = (0..n).map(|_| random.normal()).collect();
                let mut parts = parts(sample).to_vec();
                parts.push(Value::vector(draws));
                Value::tuple(parts)
            };
            Ok(d.iter().map(noisy).collect())
        }
        _ if COMBINATORS.contains(&name) => Err(GeneratorError::Sets {
            generator: name.to_owned(),
            expected: if name == "join" { 2 } else { 1 },
            found: sets.len(),
        }),
        _ => Err(GeneratorError::Unknown {
            name: name.to_owned(),
            known: COMBINATORS.to_vec(),
        }),
    }
}

/// The components of a sample.
fn parts(sample: &Value) -> &[Value] {
    match sample {
        Value::Tuple(parts) => parts,
        Value::Real(_) => std::slice::from_ref(sample),
    }
}

fn standardised(samples: &[Value]) -> Vec<Value> {
    let first = |sample: &Value| -> Vec<f64> {
        let tensors = parts(sample)
            .first()
            .map(Value::tensors)
            .unwrap_or_default();
        tensors
            .iter()
            .flat_map(|tensor| tensor.data().to_vec())
            .collect()
    };
    let rows: Vec<Vec<f64>> = samples.iter().map(first).collect();
    let count = rows.len() as f64;
    let columns = rows.first().map_or(0, Vec::len);
    // The mean and the standard deviation of each entry; `None` for a constant entry, whose computed mean may be rounded.
    let moments: Vec<Option<(f64, f64)>> = (0..columns)
        .map(|column| {
            let entries = || rows.iter().filter_map(|row| row.get(column).copied());
            let start = entries().next()?;
            if entries().all(|entry| entry == start) {
                return None;
            }
            let mean = entries().fold(0.0, |sum, x| sum + x) / count;
            let square = entries().fold(0.0, |sum, x| sum + (x - mean) * (x - mean));
            Some((mean, (square / count).sqrt()))
        })
        .collect();
    let standard = |(entry, moments): (f64, &Option<(f64, f64)>)| match moments {
        Some((mean, deviation)) => (entry - mean) / deviation,
        None => 0.0,
    };
    let sample = |(sample, row): (&Value, Vec<f64>)| {
        let mut entries = row.into_iter().zip(&moments).map(standard);
        let mut changed = parts(sample).to_vec();
        if let Some(part) = changed.first_mut() {
            *part = refilled(part, &mut entries);
        }
        Value::tuple(changed)
    };
    samples.iter().zip(rows).map(sample).collect()
}

/// A value of the same shapes with these entries.
fn refilled(value: &Value, entries: &mut impl Iterator<Item = f64>) -> Value {
    match value {
        Value::Real(tensor) => {
            let data = entries.take(tensor.len()).collect();
            Value::Real(Tensor::new(tensor.shape().clone(), data).unwrap_or_else(|| tensor.clone()))
        }
        Value::Tuple(parts) => {
            let parts = parts.iter().map(|part| refilled(part, entries));
            Value::tuple(parts.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::combine;
    use crate::parameters::Argument;
    use crate::{Value, dataset};

    fn numbers(samples: &[Value]) -> Vec<Vec<f64>> {
        let flat = |sample: &Value| {
            let tensors = sample.tensors().into_iter();
            tensors.flat_map(|tensor| tensor.data().to_vec()).collect()
        };
        samples.iter().map(flat).collect()
    }

    fn line(n: usize) -> Vec<Value> {
        (0..n).map(|i| Value::vector(vec![i as f64])).collect()
    }

    fn made(name: &str, sets: &[&[Value]], arguments: &[u64]) -> Result<Vec<Vec<f64>>, String> {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|n| (None, Argument::Whole(*n)))
            .collect();
        combine(name, sets, &arguments)
            .map(|samples| numbers(&samples))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn samples_are_moved_and_chosen() {
        let d = line(5);
        // By hand from the draws of seed 1: 0.5665…, 0.7457…, 0.9710…, 0.4443….
        assert_eq!(
            made("shuffle", &[&d], &[1]).unwrap(),
            [[1.0], [0.0], [3.0], [4.0], [2.0]]
        );
        assert_eq!(made("take", &[&d], &[2]).unwrap(), [[0.0], [1.0]]);
        assert_eq!(made("drop", &[&d], &[4]).unwrap(), [[4.0]]);
        assert_eq!(made("drop", &[&d], &[5]).unwrap(), Vec::<Vec<f64>>::new());
        assert_eq!(
            made("join", &[&d[..1], &d[3..]], &[]).unwrap(),
            [[0.0], [3.0], [4.0]]
        );
    }

    #[test]
    fn entries_are_standardised_and_noise_is_added() {
        let pair = |x: f64, t: f64| {
            Value::tuple(vec![Value::vector(vec![x, 0.1]), Value::vector(vec![t])])
        };
        let d = [pair(1.0, 7.0), pair(2.0, 8.0), pair(6.0, 9.0)];
        let found = made("standardise", &[&d], &[]).unwrap();
        let deviation = (14.0_f64 / 3.0).sqrt();
        let expected = [(-2.0, 7.0), (-1.0, 8.0), (3.0, 9.0)].map(|(x, t)| [x / deviation, 0.0, t]);
        assert_eq!(found, expected);
        let noisy = made("noise", &[&d], &[2, 3]).unwrap();
        assert!(noisy.iter().all(|sample| sample.len() == 5), "{noisy:?}");
        let xor = dataset("xor", &[]).unwrap();
        assert_eq!(made("noise", &[&xor], &[1, 3]).unwrap()[3][3], noisy[1][4]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let d = line(5);
        let error =
            |name, sets: &[&[Value]], arguments: &[u64]| made(name, sets, arguments).unwrap_err();
        assert_eq!(
            error("take", &[&d], &[6]),
            "`n` in `take` must be at most 5, the number of samples, but is 6"
        );
        assert_eq!(
            error("join", &[&d], &[]),
            "`join` takes 2 data sets, but has 1"
        );
        assert_eq!(
            error("shuffle", &[&d], &[]),
            "`shuffle` needs the argument `seed`"
        );
    }
}
