//! Figures of a training at a given heap. For each layer: mean and deviation of its values over the data, number of dead or saturated
//! units, and norm of the cotangent that comes back to it. For each location: its norm, and how much a step changes it. The heap itself is
//! not trained: steps are made on a copy.

use super::{Activation, Layer, Layers};
use crate::generated::Host;
use crate::planned::Planned;
use crate::samples;
use fletch_calculus::Tensor;
use fletch_elaborate::{Files, Items, Train, with_items};
use fletch_engine::{Precision, Wanted};
use fletch_syntax::{Diagnostic, tree};
use serde_json::{Value as Json, json};
use std::ops::Range;

/// Maximum number of steps that are examined, spread evenly over an epoch.
const STEPS: usize = 64;
/// Maximum number of entries of heaps that are compared.
const ENTRIES: usize = 1 << 21;
/// Share of an activation's range, at either bound, within which a value is saturated.
const NEAR: f64 = 0.01;

/// The figures of a training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Number of steps examined, and number of steps of an epoch.
    pub steps: (usize, usize),
    /// The layers on the forward pass.
    pub layers: Vec<OfLayer>,
    /// The locations that the item reads or writes.
    pub places: Vec<OfPlace>,
}

/// The figures of a layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OfLayer {
    /// `FC[ℓ0]`
    pub name: String,
    /// The variable that its value is bound to.
    pub variable: Option<String>,
    /// The range of the activation, if the symbol is one that is known by name.
    pub activation: Option<Activation>,
    /// Number of units: of values at one sample, or of all entries for a batch whose entries cannot be assigned to units.
    pub units: usize,
    /// Mean of its values over the samples.
    pub mean: f64,
    /// Standard deviation of its values over the samples.
    pub deviation: f64,
    /// Number of dead units: units of a `relu` that are never above 0, units of any other layer that have the same value at every sample.
    /// `None` for a single sample, and for a batch whose entries cannot be assigned to units.
    pub dead: Option<usize>,
    /// Share of the values that lie within a hundredth of the range of `tanh` or `sigmoid` from a bound.
    pub saturated: Option<f64>,
    /// Mean Euclidean norm of the cotangent, including all factors that handlers multiply it by.
    pub gradient: Option<f64>,
}

/// The figures of a location.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OfPlace {
    /// Name of the location.
    pub name: String,
    /// Euclidean norm of its contents.
    pub norm: f64,
    /// Mean Euclidean norm of the change that a step makes; `None` if no step can be made.
    pub change: Option<f64>,
}

/// Assignment of the entries of a layer to units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// A single sample: each entry is a unit.
    Sample,
    /// A batch of this number of samples, which are the columns of a matrix.
    Columns(usize),
    /// A batch of this number of samples, which are the rows of a matrix.
    Rows(usize),
    /// A batch whose entries cannot be assigned to units.
    Mixed,
}

/// A `train` item whose figures are computed.
pub struct Watch {
    layers: Layers,
    /// Plan of the item's training step.
    step: Option<Planned>,
    /// The steps examined, and, in `of`, the number of steps of an epoch.
    steps: Vec<usize>,
    of: usize,
    batch: usize,
}

impl Watch {
    /// Prepares the `train` item of this number, from 0. Returns `None` if there is no such item.
    ///
    /// # Errors
    /// If its samples are missing, or if its arrow would be enormous.
    pub fn new(
        program: &tree::Program,
        files: &Files,
        item: usize,
        host: Option<Host>,
    ) -> Result<Option<Watch>, Box<Diagnostic>> {
        with_items(program, files, |items| {
            if let Some(unread) = samples::unread(items) {
                return Err(unread);
            }
            let train = items.trains().get(item).copied();
            train.map(|train| Watch::of(items, train, host)).transpose()
        })
    }

    fn of<'a>(
        items: &mut Items<'_, 'a>,
        train: Train<'a>,
        host: Option<Host>,
    ) -> Result<Watch, Box<Diagnostic>> {
        let (count, of) = (train.steps.min(STEPS), train.steps);
        let steps: Vec<usize> = (0..count).map(|at| at * of / count.max(1)).collect();
        let batch = items.parts(train, 0).map_or(1, |parts| parts.len()).max(1);
        let mut shown: Vec<Vec<Tensor>> = Vec::new();
        shown.extend(steps.iter().filter_map(|step| items.sample(train, *step)));
        // The first batch is run again with its samples rotated by one: the values show which entries belong to a unit.
        if let (2.., Some(first)) = (batch, shown.first()) {
            let moved = first.iter().map(|matrix| rotated(matrix, batch)).collect();
            shown.push(moved);
        }
        let layers = Layers::of_train(items, train, shown, host)?;
        let step = Planned::of(items, train, of, Wanted::Heap, Precision::Double, host)?;
        Ok(Watch {
            layers,
            step,
            steps,
            of,
            batch,
        })
    }

    /// The figures at this heap.
    pub fn at(&mut self, heap: &[(String, Tensor)]) -> Statistics {
        self.layers.load(heap);
        let values: Vec<Option<Vec<f64>>> =
            (0..self.steps.len()).map(|at| self.layers.at(at)).collect();
        let moved = match self.batch {
            1 => None,
            _ => self.layers.at(self.steps.len()),
        };
        let first = values.first().and_then(Option::as_ref);
        let known: Vec<&[f64]> = values.iter().flatten().map(Vec::as_slice).collect();
        let layers = self.layers.layers.iter().map(|layer| {
            let layout = match self.batch {
                1 => Layout::Sample,
                batch => layout(layer, batch, first.zip(moved.as_ref())),
            };
            of_layer(layer, layout, &known)
        });
        Statistics {
            steps: (known.len(), self.of),
            layers: layers.collect(),
            places: self.places(heap),
        }
    }

    /// The figures of the locations. Each step starts from this heap.
    fn places(&mut self, heap: &[(String, Tensor)]) -> Vec<OfPlace> {
        let Some(plan) = &mut self.step else {
            return Vec::new();
        };
        plan.load_by_name(heap);
        let before = plan.heap();
        let entries: usize = before.iter().map(|(_, contents)| contents.len()).sum();
        let most = (ENTRIES / entries.max(1)).clamp(1, STEPS);
        let thin = self.steps.len().div_ceil(most).max(1);
        let mut changes = vec![0.0; before.len()];
        let mut made = 0.0;
        for step in self.steps.iter().step_by(thin) {
            plan.load_by_name(heap);
            if plan.steps(*step, 1).is_err() {
                continue;
            }
            made += 1.0;
            let after = plan.heap();
            for (sum, ((_, before), (_, after))) in
                changes.iter_mut().zip(before.iter().zip(&after))
            {
                let pairs = before.data().iter().zip(after.data());
                *sum += norm(pairs.map(|(before, after)| after - before));
            }
        }
        let used = before.into_iter().enumerate().zip(changes);
        let used = used.filter(|((number, _), _)| plan.uses(*number));
        let places = used.map(|((_, (name, contents)), change)| OfPlace {
            name,
            norm: norm(contents.data().iter().copied()),
            change: (made > 0.0).then(|| change / made),
        });
        places.collect()
    }
}

/// A matrix with its columns rotated by one position to the left.
fn rotated(matrix: &Tensor, columns: usize) -> Tensor {
    let mut data = matrix.data().to_vec();
    for row in data.chunks_mut(columns.max(1)) {
        row.rotate_left(1);
    }
    Tensor::new(matrix.shape().clone(), data).unwrap_or_else(|| matrix.clone())
}

/// Euclidean norm; NaN if an entry is NaN. Entries are scaled, since squares of small numbers would be 0.
pub fn norm(entries: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = entries.clone().fold(0.0, |most: f64, entry| {
        if most.is_nan() || entry.is_nan() {
            f64::NAN
        } else {
            most.max(entry.abs())
        }
    });
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let scaled = entries.map(|entry| entry / largest);
    largest * scaled.map(|entry| entry * entry).sum::<f64>().sqrt()
}

/// Determines which entries belong to one unit. `both` are the values of a batch, and those of the same batch with its samples rotated by
/// one.
fn layout(layer: &Layer, batch: usize, both: Option<(&Vec<f64>, &Vec<f64>)>) -> Layout {
    let part = |numbers: &'_ [f64]| numbers.get(layer.value.clone()).map(<[f64]>::to_vec);
    let found = both.and_then(|(first, moved)| Some((part(first)?, part(moved)?)));
    let Some((first, moved)) = found.filter(|(first, _)| first.len() % batch == 0) else {
        return Layout::Mixed;
    };
    // Sums over the rotated batch are taken in another order, so they differ by rounding.
    let same = |one: &[f64], other: &[f64]| {
        let scale = one
            .iter()
            .fold(0.0, |most: f64, entry| most.max(entry.abs()));
        let mut pairs = one.iter().zip(other);
        pairs.all(|(one, other)| (one - other).abs() <= 1e-9 * scale)
    };
    let mut columns = first.clone();
    for row in columns.chunks_mut(batch) {
        row.rotate_left(1);
    }
    let mut rows = first;
    let width = rows.len() / batch;
    rows.rotate_left(width);
    if same(&columns, &moved) {
        Layout::Columns(batch)
    } else if same(&rows, &moved) {
        Layout::Rows(batch)
    } else {
        Layout::Mixed
    }
}

/// The unit of an entry of a layer with this number of entries; `None` for [`Layout::Mixed`].
fn unit(layout: Layout, entry: usize, entries: usize) -> Option<usize> {
    match layout {
        Layout::Sample => Some(entry),
        Layout::Columns(batch) => Some(entry / batch.max(1)),
        Layout::Rows(batch) => Some(entry % (entries / batch.max(1)).max(1)),
        Layout::Mixed => None,
    }
}

fn of_layer(layer: &Layer, layout: Layout, samples: &[&[f64]]) -> OfLayer {
    let part = |range: &Range<usize>| {
        let range = range.clone();
        samples.iter().filter_map(move |all| all.get(range.clone()))
    };
    let entries = layer.value.len();
    let units = match layout {
        Layout::Sample | Layout::Mixed => entries,
        Layout::Columns(batch) | Layout::Rows(batch) => entries / batch.max(1),
    };
    let all = part(&layer.value).flatten().copied();
    let count = all.clone().count().max(1) as f64;
    let mean = all.clone().sum::<f64>() / count;
    let squares = all.clone().map(|value| (value - mean) * (value - mean));
    let deviation = (squares.sum::<f64>() / count).sqrt();
    let saturated = match layer.activation {
        Some(Activation::Bounded(least, most)) => {
            let near = NEAR * (most - least);
            let at_bound = |value: &f64| *value <= least + near || *value >= most - near;
            Some(all.clone().filter(at_bound).count() as f64 / count)
        }
        Some(Activation::Rectified) | None => None,
    };
    let gradient = layer.cotangent.as_ref().map(|range| {
        let norms = part(range).map(|entries| norm(entries.iter().copied()));
        norms.sum::<f64>() / samples.len().max(1) as f64
    });
    OfLayer {
        name: layer.name.clone(),
        variable: layer.variable.clone(),
        activation: layer.activation,
        units,
        mean,
        deviation,
        dead: dead(layer, layout, units, samples),
        saturated,
        gradient,
    }
}

/// The number of dead units.
fn dead(layer: &Layer, layout: Layout, units: usize, samples: &[&[f64]]) -> Option<usize> {
    let entries = layer.value.len();
    if samples.len() * entries <= units {
        return None;
    }
    // The smallest and the largest value of each unit.
    let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); units];
    for sample in samples
        .iter()
        .filter_map(|all| all.get(layer.value.clone()))
    {
        for (at, value) in sample.iter().enumerate() {
            let (least, most) = ranges.get_mut(unit(layout, at, entries)?)?;
            // A unit with a NaN is not constant, so it is not dead.
            *least = if value.is_nan() {
                f64::NEG_INFINITY
            } else {
                least.min(*value)
            };
            *most = if value.is_nan() {
                f64::INFINITY
            } else {
                most.max(*value)
            };
        }
    }
    let is_dead = |(least, most): &&(f64, f64)| match layer.activation {
        Some(Activation::Rectified) => *most <= 0.0,
        Some(Activation::Bounded(..)) | None => least == most,
    };
    Some(ranges.iter().filter(is_dead).count())
}

/// The entries `layers` and `locations` of `train --json`.
pub fn json(statistics: &Statistics) -> Json {
    let layers = statistics.layers.iter().map(|layer| {
        json!({
            "layer": layer.name,
            "variable": layer.variable,
            "units": layer.units,
            "mean": layer.mean,
            "deviation": layer.deviation,
            "dead": layer.dead,
            "saturated": layer.saturated,
            "gradient": layer.gradient,
        })
    });
    let places = statistics
        .places
        .iter()
        .map(|place| json!({ "location": place.name, "norm": place.norm, "change": place.change }));
    let (steps, of) = statistics.steps;
    json!({
        "steps": steps,
        "of": of,
        "layers": layers.collect::<Vec<_>>(),
        "locations": places.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::norm;

    #[test]
    fn a_norm_says_what_is_not_finite() {
        const INF: f64 = f64::INFINITY;
        for (entries, expected) in [
            (&[][..], 0.0),
            (&[0.0, -0.0], 0.0),
            (&[3.0, -4.0], 5.0),
            (&[3e-200, 4e-200], 5e-200),
            (&[1.0, -INF], INF),
        ] {
            let found = norm(entries.iter().copied());
            assert!(
                found == expected || (found / expected - 1.0).abs() < 1e-12,
                "{entries:?}"
            );
        }
        for entries in [
            &[f64::NAN][..],
            &[f64::NAN, 0.0],
            &[1.0, f64::NAN, 2.0],
            &[f64::NAN, INF],
        ] {
            assert!(norm(entries.iter().copied()).is_nan(), "{entries:?}");
        }
    }
}
