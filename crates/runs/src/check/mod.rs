//! The gradient check: compares the changes that the first steps of a training make to each location with finite differences of a measure
//! on the same samples. A handler is gradient descent on the measure if all changes are −factor times the slopes, with one positive factor.
//!
//! Differences are central, `(f(w + h) − f(w − h)) / 2h`, where h is the stated step width times the larger of 1 and |w|. Their error is h²
//! from the curvature and ε/h from rounding. The sum of the two is smallest near the cube root of ε, 6·10⁻⁶ in double precision.

mod fit;
mod gauge;
mod items;
mod words;

use crate::generated::Host;
use crate::live::{Begin, Live, given};
use crate::planned::Cells;
use crate::run::Engine;
use crate::samples;
use fit::{Doubt, Group, Pattern};
use fletch_calculus::Tensor;
use fletch_elaborate::{Files, Items, Measure, Train, hyperparameters, with_items};
use fletch_engine::Precision;
use fletch_syntax::{Diagnostic, tree};
use fletch_trace::Budget;
use gauge::{Gauge, gauges};

pub use items::{Item, asked, items};
pub use words::{how, json, lines, verdict};

/// Maximum number of evaluations of a measure per training step; of a larger heap, only entries spread over it are checked.
const EVALUATIONS: usize = 20_000;
/// Relative distance within which a factor equals a number of the program.
const NAMED: f64 = 1e-6;

/// Settings of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The step width of the differences, for numbers of magnitude up to 1; it grows in proportion to larger ones.
    pub step: f64,
    /// Maximum deviation of a change from that of gradient descent, relative to the largest change of its location.
    pub tolerance: f64,
    /// Number of training steps to check, each from the heap that the previous one leaves.
    pub steps: usize,
    /// Index of the first step to check in its epoch, from 0.
    pub first: usize,
    /// Name of the measure; `None` for all measures that are taken on the same samples.
    pub measure: Option<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            step: 1e-5,
            tolerance: 1e-5,
            steps: 3,
            first: 0,
            measure: None,
        }
    }
}

/// Reason for which nothing is checked.
#[derive(Debug)]
pub enum NotChecked {
    /// There is no such item or measure, or a setting is out of range; the message says which.
    Asked(String),
    /// The training stops, or cannot be run.
    Stopped(Box<Diagnostic>),
}

/// The findings of a check about a `train` item.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The data set of the item.
    pub data: String,
    /// The step width of the differences.
    pub step: f64,
    /// The tolerance.
    pub tolerance: f64,
    /// The steps of an epoch that were checked, from 0.
    pub steps: Vec<usize>,
    /// True if a step is a batch.
    pub batch: bool,
    /// The findings for each measure.
    pub against: Vec<Against>,
}

/// The findings of a check about a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// The name of the measure.
    pub measure: String,
    /// The factors with which the changes are −factor times the slopes.
    pub verdict: Verdict,
    /// The number of the program that the factor equals: its name `α` and its handler `H`.
    pub named: Option<(String, String)>,
    /// The steps of the epoch, from 0, that are gradient descent with that factor, if not all steps are.
    pub descent_at: Vec<usize>,
    /// The locations that change or that the measure reads; empty if the measure is flat.
    pub places: Vec<Place>,
}

/// The factors with which the changes are −factor times the slopes.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Gradient descent: one positive factor.
    Descent(f64),
    /// Gradient ascent: one negative factor.
    Ascent(f64),
    /// Along the gradient, with a factor for each location; 0 for a location that is not changed.
    Locations,
    /// Along the gradient, with a factor for each step, by the number of the step in the epoch, from 0.
    Steps(Vec<(usize, f64)>),
    /// Along the gradient, with a factor for each location at each step.
    Each,
    /// Not along the gradient. This factor describes the most entries.
    Not(f64),
    /// The measure is flat here, so nothing can be concluded.
    Flat,
    /// The steps change nothing that the measure reads, and the measure is not flat.
    Still,
    /// The differences determine no slope.
    Doubtful,
    /// The steps change nothing by more than rounding: the training has come to its end.
    Rounding,
}

/// The findings for a location.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The name of the location.
    pub name: String,
    /// The shape of its tensor.
    pub shape: String,
    /// Relation of its changes to the gradient.
    pub fares: Fares,
    /// The factor that fits all changes of the location, if there is one.
    pub own: Option<f64>,
    /// Maximum deviation of a change from that of gradient descent, relative to the largest change.
    pub deviation: f64,
    /// The entry with that deviation; `None` if the measure does not read the location.
    pub worst: Option<Worst>,
    /// Number of entries checked, and number of all entries.
    pub looked: (usize, usize),
    /// Number of slopes left out because of a kink, and because the measure has no value.
    pub doubts: (usize, usize),
    /// The changes by a training step, and those of gradient descent with the factor. The step is that of the worst entry. Entries that
    /// were not checked are 0 in both.
    pub changes: (Tensor, Tensor),
}

/// Relation of a location's changes to the gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fares {
    /// The location changes as by gradient descent with the factor.
    Follows,
    /// The location changes otherwise.
    Differs,
    /// The location is not changed, though the measure depends on it.
    Left,
    /// The measure does not read the location: a handler uses it for itself.
    Kept,
    /// The measure does not depend on the location here, and the location is not changed.
    Flat,
    /// The differences determine no slope of the location.
    Doubtful,
}

/// The entry that deviates most from gradient descent.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// The step of the epoch, from 0.
    pub step: usize,
    /// The indices of the entry in the tensor, from 1.
    pub entry: Vec<usize>,
    /// The change by the training step.
    pub change: f64,
    /// The change by gradient descent with the factor.
    pub expected: f64,
}

/// A check that is advanced in slices.
pub struct Check {
    settings: Settings,
    data: String,
    batch: bool,
    /// The numbers passed to handlers, each with its name and the name of its handler.
    numbers: Vec<(f64, (String, String))>,
    steps: Vec<usize>,
    /// The heap before each step, and the heap after the last step.
    heaps: Vec<Cells>,
    /// The samples of each step.
    samples: Vec<Vec<Vec<Tensor>>>,
    gauges: Vec<Gauge>,
    /// Indices of the next measure, the next of its groups, and the next entry of that group to examine.
    next: (usize, usize, usize),
}

impl Check {
    /// Prepares a check of the `train` item of this number, from 0, starting from this heap. The program was checked with these files and
    /// without an error. The training steps are made here.
    ///
    /// # Errors
    /// If there is nothing to train, if no measure fits, or if a step stops.
    pub fn new(
        program: &tree::Program,
        files: &Files,
        heap: &[(String, Tensor)],
        item: usize,
        settings: Settings,
        host: Option<Host>,
    ) -> Result<Check, NotChecked> {
        let stated = [settings.step, settings.tolerance];
        if !stated.iter().all(|stated| *stated > 0.0 && *stated < 1.0) {
            return Err(NotChecked::Asked(words::NO_STEP.to_owned()));
        }
        with_items(program, files, |items| {
            if let Some(unread) = samples::unread(items) {
                return Err(NotChecked::Stopped(unread));
            }
            let trains = items.trains();
            let train = trains.get(item).copied();
            let train = train
                .filter(|train| train.steps > 0)
                .ok_or_else(|| NotChecked::Stopped(samples::nothing_to_train()))?;
            let heap = given(items.heap(), heap);
            let count = settings.steps.clamp(1, train.steps);
            let first = settings.first % train.steps;
            let steps: Vec<usize> = (first..first + count)
                .map(|step| step % train.steps)
                .collect();
            let samples = steps.iter().map(|step| items.parts(train, *step));
            let samples: Vec<Vec<Vec<Tensor>>> = samples.map(Option::unwrap_or_default).collect();
            let named = settings.measure.as_deref();
            let gauges = gauges(items, train, &samples, &heap, named, host)?;
            let begin = Begin {
                engine: Engine::Compiled(Precision::Double),
                budget: Budget::steps(0),
                epochs: Some(1),
                only: Some(item),
                measured: false,
                heap: &heap,
                host,
            };
            let live = Live::begun(program, files, begin);
            let heaps = live.and_then(|mut live| heaps(&mut live, &steps));
            let heaps = heaps.map_err(NotChecked::Stopped)?;
            let mut measured = Vec::new();
            for (measure, mut gauge) in gauges {
                for ((step, heap), samples) in steps.iter().zip(&heaps).zip(&samples) {
                    if let Some(part) = gauge.stops(heap, samples) {
                        let place = (*step, part, samples.len());
                        let stopped = stopped(items, train, measure, place, heap);
                        return Err(NotChecked::Stopped(stopped));
                    }
                }
                measured.push(gauge);
            }
            let mut check = Check {
                data: train.data().to_owned(),
                batch: train.is_by_batch(),
                numbers: Vec::new(),
                settings,
                steps,
                heaps,
                samples,
                gauges: measured,
                next: (0, 0, 0),
            };
            check.pick();
            Ok(check)
        })
        .map(|check| {
            let numbers = hyperparameters(program).into_iter();
            let numbers = numbers.map(|number| (number.value, (number.name, number.handler)));
            Check {
                numbers: numbers.collect(),
                ..check
            }
        })
    }

    /// Chooses the entries to examine; if there are too many, they are spread evenly over each location.
    fn pick(&mut self) {
        let heap = self.heaps.first().map_or(&[][..], Vec::as_slice);
        for gauge in &mut self.gauges {
            let read = |location: usize| gauge.reads.get(location).copied().unwrap_or(false);
            let cells = || {
                heap.iter()
                    .enumerate()
                    .filter(|(location, _)| read(*location))
            };
            let all: usize = cells().map(|(_, (_, cell))| cell.len()).sum();
            let parts: usize = self.samples.iter().map(Vec::len).sum();
            let most = (EVALUATIONS / (2 * parts.max(1))).max(1);
            for step in 0..self.steps.len() {
                for (location, (_, cell)) in heap.iter().enumerate() {
                    let size = cell.len();
                    let count = match (read(location), all > most) {
                        (true, true) => (size * most).div_ceil(all.max(1)).min(size),
                        _ => size,
                    };
                    let picks = (0..count).map(|pick| pick * size / count.max(1));
                    gauge.picks.push(picks.collect());
                    gauge.groups.push(Group {
                        step,
                        location,
                        pairs: Vec::with_capacity(count),
                    });
                }
            }
        }
    }

    /// Continues as long as `may` returns true, which is called after each entry; returns true once all entries are examined.
    pub fn advance(&mut self, may: &dyn Fn() -> bool) -> bool {
        loop {
            let (measure, group, entry) = self.next;
            let Some(gauge) = self.gauges.get_mut(measure) else {
                return true;
            };
            let Some(picks) = gauge.picks.get(group) else {
                self.next = (measure + 1, 0, 0);
                continue;
            };
            let Some(pick) = picks.get(entry).copied() else {
                self.next = (measure, group + 1, 0);
                continue;
            };
            if let Some(Group { step, location, .. }) = gauge.groups.get(group) {
                let (step, location) = (*step, *location);
                let samples = self.samples.get(step).map_or(&[][..], Vec::as_slice);
                if let (Some(before), Some(after)) =
                    (self.heaps.get(step), self.heaps.get(step + 1))
                    && let (Some((_, old)), Some((_, new))) =
                        (before.get(location), after.get(location))
                {
                    gauge.load(step, before, samples);
                    let pair = gauge.pair(location, pick, (old, new), samples, &self.settings);
                    if let Some(group) = gauge.groups.get_mut(group) {
                        group.pairs.push(pair);
                    }
                }
            }
            self.next = (measure, group, entry + 1);
            if !may() {
                return false;
            }
        }
    }

    /// Fraction done, from 0 to 1.
    pub fn done(&self) -> f64 {
        let gauges = || self.gauges.iter();
        let all: usize = gauges().flat_map(|gauge| &gauge.picks).map(Vec::len).sum();
        let groups = gauges().flat_map(|gauge| &gauge.groups);
        let done: usize = groups.map(|group| group.pairs.len()).sum();
        if all == 0 {
            1.0
        } else {
            done as f64 / all as f64
        }
    }

    /// The findings so far.
    pub fn checked(&self) -> Checked {
        Checked {
            data: self.data.clone(),
            step: self.settings.step,
            tolerance: self.settings.tolerance,
            steps: self.steps.clone(),
            batch: self.batch,
            against: self
                .gauges
                .iter()
                .map(|gauge| self.against(gauge))
                .collect(),
        }
    }

    fn against(&self, gauge: &Gauge) -> Against {
        let tolerance = self.settings.tolerance;
        let reads = |group: &&Group| gauge.reads.get(group.location).copied().unwrap_or(false);
        let read: Vec<&Group> = gauge.groups.iter().filter(reads).collect();
        let verdict = match fit::pattern(&read, tolerance) {
            Pattern::Flat => Verdict::Flat,
            Pattern::Still => Verdict::Still,
            Pattern::Doubtful => Verdict::Doubtful,
            Pattern::Rounding => Verdict::Rounding,
            Pattern::Each => Verdict::Each,
            Pattern::One(factor) if factor > 0.0 => Verdict::Descent(factor),
            Pattern::One(factor) => Verdict::Ascent(factor),
            Pattern::None(factor) => Verdict::Not(factor),
            Pattern::Locations(_) => Verdict::Locations,
            Pattern::Steps(factors) => {
                let step = |at: usize| self.steps.get(at).copied().unwrap_or(at);
                let factors = factors.into_iter().map(|(at, factor)| (step(at), factor));
                Verdict::Steps(factors.collect())
            }
        };
        let near = |number: f64, factor: f64| (number - factor).abs() <= NAMED * factor.abs();
        let named = match verdict {
            Verdict::Descent(factor) | Verdict::Not(factor) => {
                let mut numbers = self.numbers.iter();
                let found = numbers.find(|(number, _)| near(*number, factor));
                found.map(|(_, named)| named.clone())
            }
            _ => None,
        };
        let locations = self.heaps.first().map_or(0, Vec::len);
        let locations = if verdict == Verdict::Flat {
            0
        } else {
            locations
        };
        let places = (0..locations).filter_map(|location| self.place(gauge, location, &verdict));
        let is_descent = |at: usize| {
            let mut at_step = read.iter().filter(|group| group.step == at);
            match verdict {
                Verdict::Not(factor) => {
                    factor > 0.0 && at_step.all(|group| group.fits(factor, tolerance))
                }
                _ => false,
            }
        };
        let steps = self.steps.iter().enumerate();
        let descent_at = steps.filter(|(at, _)| is_descent(*at));
        Against {
            measure: gauge.name.clone(),
            descent_at: descent_at.map(|(_, step)| *step).collect(),
            places: places.collect(),
            verdict,
            named,
        }
    }

    /// The findings for a location; `None` if the measure does not read it and no step changes it.
    fn place(&self, gauge: &Gauge, location: usize, verdict: &Verdict) -> Option<Place> {
        let (name, cell) = self.heaps.first()?.get(location)?;
        let groups = gauge.groups.iter();
        let groups: Vec<&Group> = groups.filter(|group| group.location == location).collect();
        let read = gauge.reads.get(location).copied().unwrap_or(false);
        let still = groups.iter().all(|group| group.is_still());
        if !read && still {
            return None;
        }
        let tolerance = self.settings.tolerance;
        let own = fit::common(&groups, tolerance);
        // The factor that a group is checked against.
        let factor = |group: &Group| match verdict {
            Verdict::Descent(factor) | Verdict::Ascent(factor) | Verdict::Not(factor) => *factor,
            Verdict::Locations => own.unwrap_or(0.0),
            Verdict::Steps(factors) => {
                let step = self.steps.get(group.step);
                let mut factors = factors.iter();
                let found = factors.find(|(known, _)| Some(known) == step);
                found.map_or(0.0, |(_, factor)| *factor)
            }
            Verdict::Each => fit::common(&[group], tolerance).unwrap_or(0.0),
            Verdict::Flat | Verdict::Still | Verdict::Doubtful | Verdict::Rounding => 0.0,
        };
        let deviations = groups.iter().filter_map(|group| {
            let factor = factor(group);
            Some((*group, factor, group.deviation(factor)?))
        });
        let worst = deviations.reduce(|one, other| match other.2.part > one.2.part {
            true => other,
            false => one,
        });
        let deviation = worst.map_or(0.0, |(_, _, found)| found.part);
        let flat = groups.iter().all(|group| group.is_flat());
        let fares = match worst {
            _ if !read => Fares::Kept,
            None => Fares::Doubtful,
            _ if *verdict == Verdict::Rounding => Fares::Doubtful,
            _ if flat && still => Fares::Flat,
            _ if still => Fares::Left,
            _ if deviation <= tolerance => Fares::Follows,
            _ => Fares::Differs,
        };
        // For a location that follows the gradient, a step that changes something is shown rather than one that happens to change nothing.
        let worst_step = worst.map_or(0, |(group, ..)| group.step);
        let moving = groups.iter().find(|group| !group.is_still());
        let shown = match moving {
            Some(group) if deviation <= tolerance => Some(group),
            _ => groups.iter().find(|group| group.step == worst_step),
        };
        let mut changes = (vec![0.0; cell.len()], vec![0.0; cell.len()]);
        for (group, pair) in shown
            .iter()
            .flat_map(|group| group.pairs.iter().map(move |pair| (group, pair)))
        {
            if let Some(change) = changes.0.get_mut(pair.entry) {
                *change = pair.change;
            }
            if let Some(expected) = changes.1.get_mut(pair.entry) {
                *expected = 0.0 - factor(group) * pair.slope;
            }
        }
        let tensor = |data| Tensor::new(cell.shape().clone(), data).unwrap_or_else(|| cell.clone());
        let doubtful = |doubt: Doubt| {
            let pairs = groups.iter().flat_map(|group| &group.pairs);
            pairs.filter(|pair| pair.doubt == Some(doubt)).count()
        };
        Some(Place {
            name: name.clone(),
            shape: cell.shape().to_string(),
            fares,
            own: own.filter(|_| !flat && read),
            deviation,
            worst: worst.filter(|_| read).map(|(group, factor, found)| Worst {
                step: self.steps.get(group.step).copied().unwrap_or(0),
                entry: indices(cell.shape().dims(), found.pair.entry),
                change: found.pair.change,
                expected: 0.0 - factor * found.pair.slope,
            }),
            looked: (
                groups
                    .iter()
                    .map(|group| group.pairs.len())
                    .max()
                    .unwrap_or(0),
                cell.len(),
            ),
            doubts: (doubtful(Doubt::Kink), doubtful(Doubt::NoValue)),
            changes: (tensor(changes.0), tensor(changes.1)),
        })
    }
}

/// The indices of an entry in a tensor of these dimensions, from 1.
fn indices(dims: &[usize], entry: usize) -> Vec<usize> {
    let mut rest = entry;
    let mut found: Vec<usize> = dims
        .iter()
        .rev()
        .map(|size| {
            let index = rest % (*size).max(1);
            rest /= (*size).max(1);
            index + 1
        })
        .collect();
    found.reverse();
    found
}

/// Makes these steps of an item; returns the heap before each, and the heap after the last.
fn heaps(live: &mut Live, steps: &[usize]) -> Result<Vec<Cells>, Box<Diagnostic>> {
    let mut heaps = vec![live.heap().to_vec()];
    for step in steps {
        heaps.push(live.step(*step)?.to_vec());
    }
    Ok(heaps)
}

/// The diagnostic of a measure without a value at a sample of a step. The triple is the number of the step, the index of the sample in its
/// batch, and the number of samples in the batch, 1 if the item is not by batch.
fn stopped<'a>(
    items: &mut Items<'_, 'a>,
    train: Train<'a>,
    measure: Measure<'a>,
    (step, part, parts): (usize, usize, usize),
    heap: &Cells,
) -> Box<Diagnostic> {
    let sample = step * parts + part;
    let place = samples::sample_of(measure, sample, 0);
    if measure.data() == train.data() {
        let budget = Budget::steps(0);
        let run = items.on(measure, sample);
        let run = run.and_then(|program| samples::value(Engine::Denotation, budget, program, heap));
        if let Err(error) = run {
            return samples::at(error, &place);
        }
    }
    let message = format!("`{}` has no value here", measure.name());
    let error = Diagnostic::error("F0601", measure.span(), message);
    samples::at(Box::new(error), &samples::step_of(train, 1, step))
}
