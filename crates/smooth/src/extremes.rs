//! The largest and the smallest entry, the place of the largest one, and places as vectors. A *place* is the index of an entry,
//! from 0. The extreme entry of a vector comes with two maps that move entries to and from its place, each the transpose of the
//! other. A place is locally constant.
//!
//! Laws: min_of(x) = −max_of(−x); argmax(one_hot(k)) = k; the two maps at a place are adjoint for each point.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::{Build, Family};
use crate::kernel::{Access, Buffer, Entries, Fold, Kernel, Nest};
use crate::pooling::{first_maximum, tied_maximum};
use crate::primitive::PrimitiveMap;
use crate::scalar::Comparison::{Equal, Less};
use crate::scalar::Elementary::Round;
use crate::scalar::Scalar;
use crate::signature::{invalid, one, positive};
use crate::{Partiality, Primitive, Shape, SignatureError, numeral};

/// Maps about the extreme entry of n entries, n ≥ 1: the smallest with `least`, else the largest. Of equal entries the first
/// counts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Extremum {
    /// The place of the largest entry, from 0.
    Argmax { n: usize },
    /// The extreme entry.
    Entry { least: bool, n: usize },
    /// x, y ↦ y at the place of the extreme entry of x, else 0.
    Put { least: bool, n: usize },
    /// x, z ↦ the entry of z at the place of the extreme entry of x.
    Pick { least: bool, n: usize },
    /// k ↦ 1 at the place k, else 0.
    OneHot { n: usize },
}

use Extremum::{Argmax, Entry, OneHot, Pick, Put};

impl Extremum {
    fn n(&self) -> usize {
        match *self {
            Argmax { n } | Entry { n, .. } | Put { n, .. } | Pick { n, .. } | OneHot { n } => n,
        }
    }

    fn least(&self) -> bool {
        match *self {
            Argmax { .. } | OneHot { .. } => false,
            Entry { least, .. } | Put { least, .. } | Pick { least, .. } => least,
        }
    }

    /// The entries, negated with `least`, so that the largest one is the extreme entry.
    fn ordered<'a>(&self, x: &'a [f64]) -> Cow<'a, [f64]> {
        match self.least() {
            true => x.iter().map(|x| -x).collect(),
            false => Cow::Borrowed(x),
        }
    }
}

impl PrimitiveMap for Extremum {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Argmax { .. } => "argmax",
            Entry { least: false, .. } => "max_of",
            Entry { least: true, .. } => "min_of",
            Put { least: false, .. } => "max_of_put",
            Put { least: true, .. } => "min_of_put",
            Pick { least: false, .. } => "max_of_pick",
            Pick { least: true, .. } => "min_of_pick",
            OneHot { .. } => "one_hot",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        match self {
            Put { least, .. } | Pick { least, .. } => {
                Cow::Borrowed(if *least { "min_of" } else { "max_of" })
            }
            _ => self.name(),
        }
    }

    fn indices(&self) -> Vec<usize> {
        match *self {
            OneHot { n } => vec![n],
            _ => vec![],
        }
    }

    fn inputs(&self) -> Vec<usize> {
        match *self {
            Argmax { n } | Entry { n, .. } => vec![n],
            Put { n, .. } => vec![n, 1],
            Pick { n, .. } => vec![n, n],
            OneHot { .. } => vec![1],
        }
    }

    fn output(&self) -> usize {
        match *self {
            Argmax { .. } | Entry { .. } | Pick { .. } => 1,
            Put { n, .. } | OneHot { n } => n,
        }
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        mode == Partiality::Paper || matches!(self, OneHot { .. })
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        match (self, inputs) {
            (OneHot { n }, [[k]]) => {
                if mode == Partiality::Paper && k.abs().fract() == 0.5 {
                    return Err(format!("the place {} is halfway between two", numeral(*k)));
                }
                match (0.0..*n as f64).contains(&libm::round(*k)) {
                    true => Ok(()),
                    false => Err(format!(
                        "there is no place {} among {n}, from 0",
                        numeral(*k)
                    )),
                }
            }
            (_, [x, ..]) if mode == Partiality::Paper => match tied_maximum(&self.ordered(x)) {
                None => Ok(()),
                Some((i, j)) => Err(format!(
                    "entries {} and {} are both {}, a tie, where {} is not {}",
                    i + 1,
                    j + 1,
                    numeral(x.get(i).copied().unwrap_or_default()),
                    self.family(),
                    if matches!(self, Argmax { .. }) {
                        "continuous"
                    } else {
                        "differentiable"
                    },
                )),
            },
            _ => Ok(()),
        }
    }

    /// Condition that the argument of `one_hot` is the place of no entry.
    fn outside(&self, mode: Partiality) -> Option<Kernel> {
        let OneHot { n } = *self else { return None };
        (mode == Partiality::Total).then(|| {
            Kernel::entries(1, |e| {
                e.map(0, |k| {
                    let (zero, one) = (k.lift(0.0), k.lift(1.0));
                    let place = k.map(Round);
                    let below = place.choose(Less, k.lift(n as f64), zero, one);
                    // A NaN is no place, and the comparison fails for it.
                    k.lift(-1.0).choose(Less, place, below, one)
                });
            })
        })
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let place = |x| first_maximum(&self.ordered(x));
        let entry = |z: &[f64], place: usize| z.get(place).copied().unwrap_or(f64::NAN);
        match (self, inputs) {
            (Argmax { .. }, [x]) => out.fill(place(x) as f64),
            (Entry { .. }, [x]) => out.fill(entry(x, place(x))),
            (Pick { .. }, [x, z]) => out.fill(entry(z, place(x))),
            (Put { .. }, [x, [y]]) => {
                if let Some(out) = out.get_mut(place(x)) {
                    *out = *y;
                }
            }
            (OneHot { .. }, [[k]]) => {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = f64::from(u8::from(libm::round(*k) == i as f64));
                }
            }
            _ => {}
        }
    }

    fn kernel(&self) -> Kernel {
        let n = self.n();
        let input = |k, stride| Access::new(Buffer::Input(k), 0, &[stride]);
        let output = |stride| Access::new(Buffer::Output, 0, &[stride]);
        let temporary = |k, stride| Access::new(Buffer::Temporary(k), 0, &[stride]);
        let mut kernel = Kernel {
            temporaries: vec![1],
            nests: Vec::new(),
        };
        if let OneHot { .. } = self {
            let hot = Nest::new(&[n], Fold::Store, output(1), [input(0, 0)], |b, [k]| {
                k.map(Round)
                    .choose(Equal, b.index(0), b.constant(1.0), b.constant(0.0))
            });
            return Kernel::of(vec![hot]);
        }
        // Temporary 1 holds −x, whose largest entry is the smallest of x.
        let ordered = match self.least() {
            true => {
                kernel.temporaries.push(n);
                kernel.nests.push(Nest::new(
                    &[n],
                    Fold::Store,
                    temporary(1, 1),
                    [input(0, 1)],
                    |_, [x]| -x,
                ));
                temporary(1, 1)
            }
            false => input(0, 1),
        };
        let at = |write, read| {
            let reads = [ordered.clone(), read];
            Nest::new(&[n], Fold::AtMaximum, write, reads, |_, [_, z]| z)
        };
        let place = |write| {
            let reads = [ordered.clone()];
            Nest::new(&[n], Fold::AtMaximum, write, reads, |b, [_]| b.index(0))
        };
        match self {
            Argmax { .. } | OneHot { .. } => kernel.nests.push(place(output(0))),
            Entry { .. } => kernel.nests.push(at(output(0), input(0, 1))),
            Pick { .. } => kernel.nests.push(at(output(0), input(1, 1))),
            Put { .. } => {
                kernel.nests.push(place(temporary(0, 0)));
                let reads = [temporary(0, 0), input(1, 0)];
                kernel.nests.push(Nest::new(
                    &[n],
                    Fold::Store,
                    output(1),
                    reads,
                    |b, [place, y]| place.choose(Equal, b.index(0), y, b.constant(0.0)),
                ));
            }
        }
        kernel
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        match (self, point) {
            (&Entry { least, n }, [x]) => vec![Some(b.push(Put { least, n }, &[*x, y]))],
            (&Put { least, n }, [x, _]) => vec![None, Some(b.push(Pick { least, n }, &[*x, y]))],
            (&Pick { least, n }, [x, _]) => vec![None, Some(b.push(Put { least, n }, &[*x, y]))],
            _ => vec![None],
        }
    }
}

/// Builds one-hot vectors of this many entries.
fn one_hot(indices: &[usize], _: &[Shape]) -> Result<Primitive, SignatureError> {
    let [n] = *indices else {
        return Err(SignatureError::CannotInfer { index: "n" });
    };
    positive(&[("n", n)])?;
    Ok(OneHot { n }.into())
}

/// The number of entries, at least one.
fn entries(arguments: &[Shape]) -> Result<usize, SignatureError> {
    match one(arguments)?.size() {
        0 => Err(invalid("it needs at least one entry")),
        n => Ok(n),
    }
}

pub(crate) fn families() -> Vec<Family> {
    let reduction = "Real(n) → Real(1)";
    let tie = "undefined where that entry occurs twice, in paper mode";
    let first = "the first of them counts";
    let argmax: Build = |_, arguments| {
        let n = entries(arguments)?;
        Ok(Argmax { n }.into())
    };
    let largest: Build = |_, arguments| {
        let (least, n) = (false, entries(arguments)?);
        Ok(Entry { least, n }.into())
    };
    let smallest: Build = |_, arguments| {
        let (least, n) = (true, entries(arguments)?);
        Ok(Entry { least, n }.into())
    };
    vec![
        Family {
            name: "argmax",
            signature: reduction,
            summary: "The place of the largest entry, from 0.",
            formula: "out = the i with the largest x[i]",
            derivative: "x̄ = 0",
            partial: tie,
            convention: first,
            build: argmax,
            ..Family::PLAIN
        },
        Family {
            name: "max_of",
            signature: reduction,
            summary: "The largest entry.",
            formula: "out = max over i of x[i]",
            derivative: "x̄ is y at the place of the largest entry, 0 elsewhere",
            partial: tie,
            convention: first,
            build: largest,
            ..Family::PLAIN
        },
        Family {
            name: "min_of",
            signature: reduction,
            summary: "The smallest entry.",
            formula: "out = min over i of x[i]",
            derivative: "x̄ is y at the place of the smallest entry, 0 elsewhere",
            partial: tie,
            convention: first,
            build: smallest,
            ..Family::PLAIN
        },
        Family {
            name: "one_hot",
            indices: &["n"],
            signature: "Real(1) → Real(n)",
            summary: "The vector that is 1 at one place, from 0, and 0 elsewhere.",
            formula: "out[i] = 1 where i is the whole number nearest to k, else 0",
            derivative: "k̄ = 0",
            partial: "undefined outside 0 … n−1, in both modes, and halfway between two places in paper mode",
            convention: "a half is rounded away from zero",
            interior: |_, x| 0.4 * x / (1.0 + x.abs()),
            build: one_hot,
            ..Family::PLAIN
        },
    ]
}
