//! A measure of a gradient check as a function of the heap: its slopes by central differences, and the reasons to doubt a slope.
//!
//! The *gap* at a point is the distance between the two one-sided differences.

use super::fit::{Doubt, Group, Pair};
use super::{NotChecked, Settings, words};
use crate::generated::Host;
use crate::planned::{Cells, Planned};
use fletch_calculus::Tensor;
use fletch_elaborate::{Items, Measure, Train};
use fletch_engine::{Precision, Wanted};

/// Ratio of the gap at half the step width to the gap at the full one, above which the point is a kink.
const STAYS: f64 = 0.75;
/// Multiple of its rounding error above which a gap is significant.
const TOLD: f64 = 40.0;

/// A measure that is checked against a training.
pub(super) struct Gauge {
    pub(super) name: String,
    pub(super) plan: Planned,
    /// For each location, true if the measure reads it.
    pub(super) reads: Vec<bool>,
    pub(super) groups: Vec<Group>,
    /// Indices of the entries to examine, for each of `groups`.
    pub(super) picks: Vec<Vec<usize>>,
    /// Index of the checked step whose heap the plan has.
    pub(super) loaded: Option<usize>,
    /// The measure at that heap.
    pub(super) here: f64,
}

/// The measures that can be taken on the samples of the training. With `named`, only the measure of this name; else those on the same data
/// set, or if it has none, those whose samples have the same sizes.
pub(super) fn gauges<'a>(
    items: &mut Items<'_, 'a>,
    train: Train<'a>,
    samples: &[Vec<Vec<Tensor>>],
    heap: &[(String, Tensor)],
    named: Option<&str>,
    host: Option<Host>,
) -> Result<Vec<(Measure<'a>, Gauge)>, NotChecked> {
    let sizes = |sample: &[Tensor]| sample.iter().map(Tensor::len).collect::<Vec<usize>>();
    let own = samples.first().and_then(|parts| parts.first());
    let own = own.map(|sample| sizes(sample));
    let measures = items.measures();
    let is_named = |measure: &&Measure<'_>| named.is_none_or(|name| measure.name() == name);
    let fits = |measure: &&Measure<'a>| {
        let sample = items.sample(**measure, 0).map(|sample| sizes(&sample));
        sample.is_some() && sample == own
    };
    let fitting: Vec<Measure<'a>> = (measures.iter().filter(is_named).filter(fits))
        .copied()
        .collect();
    let same: Vec<Measure<'a>> = (fitting.iter())
        .filter(|measure| measure.data() == train.data())
        .copied()
        .collect();
    let chosen = if same.is_empty() { fitting } else { same };
    if chosen.is_empty() {
        let names: Vec<&str> = measures.iter().map(Measure::name).collect();
        let why = words::none_fits(named, &names, train.data());
        return Err(NotChecked::Asked(why));
    }
    let mut gauges = Vec::new();
    for measure in chosen {
        let plan = Planned::of(items, measure, 1, Wanted::Value, Precision::Double, host);
        // A measure that stops wherever it is taken is left out.
        if let Some(plan) = plan.map_err(NotChecked::Stopped)? {
            let reads = (0..heap.len()).map(|location| plan.uses(location));
            let gauge = Gauge {
                name: measure.name().to_owned(),
                reads: reads.collect(),
                plan,
                groups: Vec::new(),
                picks: Vec::new(),
                loaded: None,
                here: f64::NAN,
            };
            gauges.push((measure, gauge));
        }
    }
    if gauges.is_empty() {
        return Err(NotChecked::Asked(words::STOPS_EVERYWHERE.to_owned()));
    }
    Ok(gauges)
}

impl Gauge {
    /// Index of the first of these samples at which the measure has no value, from this heap.
    pub(super) fn stops(&mut self, heap: &Cells, samples: &[Vec<Tensor>]) -> Option<usize> {
        self.plan.load(heap);
        let mut samples = samples.iter();
        samples.position(|sample| self.plan.number_at(sample).is_none())
    }

    /// Loads the heap before a checked step, and takes the measure there.
    pub(super) fn load(&mut self, step: usize, heap: &Cells, samples: &[Vec<Tensor>]) {
        if self.loaded != Some(step) {
            self.plan.load(heap);
            self.here = self.mean(samples);
            self.loaded = Some(step);
        }
    }

    /// The mean of the measure over these samples; NaN if it has no value at one of them.
    pub(super) fn mean(&mut self, samples: &[Vec<Tensor>]) -> f64 {
        let mut sum = 0.0;
        for sample in samples {
            match self.plan.number_at(sample) {
                Some(number) => sum += number,
                None => return f64::NAN,
            }
        }
        sum / samples.len() as f64
    }

    pub(super) fn pair(
        &mut self,
        location: usize,
        entry: usize,
        (old, new): (&Tensor, &Tensor),
        samples: &[Vec<Tensor>],
        settings: &Settings,
    ) -> Pair {
        let at = |cell: &Tensor| cell.data().get(entry).copied().unwrap_or(0.0);
        let (before, after) = (at(old), at(new));
        let mut pair = Pair {
            entry,
            change: after - before,
            rounding: f64::EPSILON * after.abs().max(before.abs()),
            slope: 0.0,
            noise: 0.0,
            doubt: None,
        };
        if !self.reads.get(location).copied().unwrap_or(false) {
            return pair;
        }
        let step = settings.step * before.abs().max(1.0);
        let mut beside = |step: f64| {
            let mut numbers = old.data().to_vec();
            let mut value = |number: f64| {
                if let Some(slot) = numbers.get_mut(entry) {
                    *slot = number;
                }
                self.plan.set_cell(location, &numbers);
                self.mean(samples)
            };
            let (up, down) = (value(before + step), value(before - step));
            self.plan.set_cell(location, old.data());
            let (from_above, from_below) = ((up - self.here) / step, (self.here - down) / step);
            // The measure is rounded, and so are the coordinates at which it is taken.
            let values = up.abs().max(down.abs()).max(self.here.abs());
            let places = (before.abs() + step) * from_above.abs().max(from_below.abs());
            Beside {
                from_above,
                from_below,
                noise: f64::EPSILON * (values + places) / step,
            }
        };
        let found = beside(step);
        pair.slope = found.slope();
        pair.noise = found.noise;
        if !found.slope().is_finite() {
            pair.doubt = Some(Doubt::NoValue);
            return pair;
        }
        let largest = found.from_above.abs().max(found.from_below.abs());
        if found.gap() <= settings.tolerance * largest || found.gap() <= TOLD * found.noise {
            return pair;
        }
        // For a smooth measure, half the step width halves the gap and hardly changes the slope.
        let nearer = beside(step / 2.0);
        let moved = (nearer.slope() - found.slope()).abs();
        if nearer.gap() > STAYS * found.gap()
            || moved > settings.tolerance * largest + TOLD * nearer.noise
        {
            pair.doubt = Some(Doubt::Kink);
        }
        pair
    }
}

/// The one-sided differences of a measure at a point.
struct Beside {
    from_above: f64,
    from_below: f64,
    noise: f64,
}

impl Beside {
    fn slope(&self) -> f64 {
        (self.from_above + self.from_below) / 2.0
    }

    fn gap(&self) -> f64 {
        (self.from_above - self.from_below).abs()
    }
}
