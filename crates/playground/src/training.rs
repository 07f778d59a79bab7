//! Training and measuring, by reduction or by what the items denote: every sample is a run of its own, and the heap goes from one to the next.

use crate::ending;
use crate::run::{Engine, Outcome, run_by};
use fletch_calculus::{Program, Tensor, Value};
use fletch_elaborate::{Files, Items, Measure, with_items};
use fletch_ide::place;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, Span, tree};
use fletch_trace::Budget;
use fletch_transcript::{numbers_json, tensor_json};
use serde_json::{Value as Json, json};

/// Locations by name, with their contents, in the order of their numbers.
type Cells = Vec<(String, Tensor)>;

/// What came of a training.
#[derive(Clone, Debug, Default)]
pub struct Training {
    /// The locations met, with their contents.
    pub heap: Cells,
    /// The epochs run, of all `train` items together.
    pub epochs: usize,
    /// For every `measure` its name and its values: before training, then after every epoch.
    pub measures: Vec<(String, Vec<f64>)>,
}

impl Training {
    /// The result of `train --json`.
    pub fn json(&self) -> Json {
        let measures: serde_json::Map<String, Json> = self
            .measures
            .iter()
            .map(|(name, values)| (name.clone(), json!(numbers_json(values))))
            .collect();
        json!({ "heap": self.heap_json(), "epochs": self.epochs, "measures": measures })
    }

    /// The heap alone, for a training that failed.
    pub fn heap_json(&self) -> Json {
        let cells = self
            .heap
            .iter()
            .map(|(name, contents)| (name.clone(), tensor_json(contents)));
        Json::Object(cells.collect())
    }
}

/// Runs the `train` items of a program that was checked with these files and without an error, in file order; `epochs` overrides what
/// each says. `watch` is told the training so far and the number of all epochs, before the first and after each.
/// Gives the training as far as it went, and what stopped it if something did.
pub fn train(
    program: &tree::Program,
    files: &Files,
    engine: Engine,
    epochs: Option<usize>,
    budget: Budget,
    mut watch: impl FnMut(&Training, usize),
) -> (Training, Option<Diagnostic>) {
    with_items(program, files, |items| {
        let mut trainer = Trainer {
            training: Training::default(),
            engine,
            budget,
        };
        let stopped = trainer.run(items, epochs, &mut watch).err();
        (trainer.training, stopped.map(|stopped| *stopped))
    })
}

struct Trainer {
    training: Training,
    engine: Engine,
    budget: Budget,
}

impl Trainer {
    fn run(
        &mut self,
        items: &mut Items<'_, '_>,
        epochs: Option<usize>,
        watch: &mut dyn FnMut(&Training, usize),
    ) -> Result<(), Box<Diagnostic>> {
        if let Some((file, span)) = items.missing() {
            let message = format!("there is no file `{file}`, so there are no samples to train on");
            return Err(Box::new(
                Diagnostic::error("F0606", span, message)
                    .hint("put it beside the program, or write the samples in the program: `data d = [⟨…⟩, …]`"),
            ));
        }
        let trains = items.trains();
        if trains.is_empty() {
            let message = "there is no `train` item to run";
            return Err(Box::new(
                Diagnostic::error("F0604", Span::default(), message)
                    .hint("add one: `train D as p for 100 epochs = …`"),
            ));
        }
        self.training.heap = items.heap();
        let epochs_of = |written: usize| epochs.unwrap_or(written);
        let all = trains.iter().map(|train| epochs_of(train.epochs)).sum();
        let measures = items.measures();
        self.training.measures = measures
            .iter()
            .map(|measure| (measure.name().to_owned(), Vec::new()))
            .collect();
        self.measure(items, &measures)?;
        watch(&self.training, all);
        for train in trains {
            for _ in 0..epochs_of(train.epochs) {
                for step in 0..train.steps {
                    if let Some(program) = items.training(train, step) {
                        let (_, heap) = self.value(program)?;
                        self.training.heap = heap;
                    }
                }
                self.training.epochs += 1;
                self.measure(items, &measures)?;
                watch(&self.training, all);
            }
        }
        Ok(())
    }

    /// The mean of each measure over its data set; the heap stays as it is.
    fn measure<'a>(
        &mut self,
        items: &mut Items<'_, 'a>,
        measures: &[Measure<'a>],
    ) -> Result<(), Box<Diagnostic>> {
        for (index, measure) in measures.iter().enumerate() {
            let mut sum = 0.0;
            for sample in 0..measure.samples {
                if let Some(program) = items.measuring(*measure, sample)
                    && let (Value::Real(number), _) = self.value(program)?
                {
                    sum += number.data().iter().sum::<f64>();
                }
            }
            if let Some((_, values)) = self.training.measures.get_mut(index) {
                values.push(sum / measure.samples as f64);
            }
        }
        Ok(())
    }

    /// Runs a command from the heap so far: its value and the heap after it.
    fn value(&self, mut program: Program) -> Result<(Value, Cells), Box<Diagnostic>> {
        for (contents, (_, known)) in program.initial.iter_mut().zip(&self.training.heap) {
            *contents = known.clone();
        }
        let run = run_by(self.engine, &program, Partiality::Total, self.budget)
            .map_err(|fault| Box::new(ending::no_arrow(&fault)))?;
        let error = run.error(&program);
        match run.outcome {
            Outcome::Value(value) => {
                let names = program
                    .locations
                    .iter()
                    .map(|location| location.name.to_string());
                Ok((
                    value,
                    names.zip(run.heap.contents().iter().cloned()).collect(),
                ))
            }
            Outcome::Stuck(_) | Outcome::Exhausted(_) => {
                Err(Box::new(error.unwrap_or_else(|| {
                    let span = place::span(program.main.origin());
                    Diagnostic::error("F0999", span, "the run ended without a value")
                })))
            }
        }
    }
}
