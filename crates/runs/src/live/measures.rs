//! The measures of a training: the mean of each over its samples. The plan of a measure gives the number for a sample; where it does not,
//! the engine runs the measure's command itself.

use super::{Live, Point};
use crate::samples::{self, NotRun, diverged, has_nan};
use fletch_elaborate::with_items;

impl Live {
    /// Takes the mean of each measure now, unless the measures of this time are taken already.
    pub(super) fn measure(&mut self) {
        let began = self.now();
        self.keep();
        let epochs = self.epochs();
        if self.points.last().is_some_and(|last| last.epochs >= epochs) {
            return;
        }
        let values = self.means(epochs as usize);
        self.points.push(Point { epochs, values });
        self.measuring = self.now() - began;
        self.measured += self.measuring;
        self.since = 0.0;
    }

    /// The mean of each measure from the heap, after this number of epochs. A sample for which the plan gives no number is run by the
    /// engine; if the engine stops, that stops the training.
    fn means(&mut self, epochs: usize) -> Vec<f64> {
        let mut means = Vec::new();
        for (number, gauge) in self.measures.iter_mut().enumerate() {
            if let Some(plan) = &mut gauge.plan {
                plan.load(&self.heap);
            }
            let numbers = (0..gauge.samples).map(|sample| gauge.plan.as_mut()?.number(sample));
            let numbers: Vec<Option<f64>> = numbers.collect();
            means.push((number, numbers));
        }
        let mean = |sum: f64, samples: usize| sum / samples as f64;
        means
            .into_iter()
            .map(|(number, numbers)| {
                let samples = numbers.len();
                let planned: Option<f64> = numbers.iter().copied().sum();
                match planned.map_or_else(|| self.sum(number, &numbers, epochs), Ok) {
                    Ok(sum) => mean(sum, samples),
                    Err(error) => {
                        self.stopped.get_or_insert(error);
                        f64::NAN
                    }
                }
            })
            .collect()
    }

    /// The sum of a measure over its samples. `numbers` has the numbers that its plan gave.
    fn sum(
        &self,
        number: usize,
        numbers: &[Option<f64>],
        epochs: usize,
    ) -> Result<f64, Box<fletch_syntax::Diagnostic>> {
        let (engine, budget, heap) = (self.stepwise(), self.budget, &self.heap);
        with_items(&self.program, &self.files, |items| {
            let measure = items.measures().get(number).copied();
            let measure = measure.ok_or_else(|| samples::defect("this measure is not there"))?;
            let mut sum = 0.0;
            for (sample, planned) in numbers.iter().enumerate() {
                sum += match planned {
                    Some(number) => *number,
                    None => {
                        let place = samples::sample_of(measure, sample, epochs);
                        let run = items.on(measure, sample).map_err(NotRun::from);
                        let run =
                            run.and_then(|program| samples::run(engine, budget, program, heap));
                        let value = match run {
                            Ok((value, _)) => value,
                            Err(stopped) if stopped.by_nan && epochs > 0 && !has_nan(heap) => {
                                let precision = engine.precision();
                                return Err(diverged(
                                    items, measure, sample, &place, heap, precision,
                                ));
                            }
                            Err(stopped) => return Err(samples::at(stopped.error, &place)),
                        };
                        samples::total(&value)
                    }
                };
            }
            Ok(sum)
        })
    }
}
