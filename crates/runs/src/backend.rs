//! Chooses the back end of a plan, and is the only place that does: a WebAssembly module if a host runs modules and the plan has one, else
//! [`Reference`], which is slow and made for plans that run once.

use crate::generated::{Generated, Host};
use fletch_calculus::Tensor;
use fletch_engine::{Plan, Precision, Reference};
use fletch_smooth::Partiality;

/// A plan that can be run, with its samples.
pub(crate) enum Backend {
    /// The plan as a module.
    Module(Generated),
    /// The plan interpreted by the definition of its meaning.
    Reference {
        reference: Box<Reference>,
        samples: Vec<Vec<Tensor>>,
        /// Reason for which the plan does not run as a module.
        why: String,
    },
}

impl Backend {
    /// Chooses what runs a plan; all locations hold zeros.
    pub(crate) fn of(
        plan: Plan,
        samples: Vec<Vec<Tensor>>,
        mode: Partiality,
        precision: Precision,
        host: Option<Host>,
    ) -> Backend {
        let module = match host {
            Some(host) => Generated::of(&plan, &samples, precision, host),
            None => Err("there is no host for it".to_owned()),
        };
        match module {
            Ok(generated) => Backend::Module(generated),
            Err(why) => Backend::Reference {
                reference: Box::new(Reference::new(plan, mode, precision)),
                samples,
                why,
            },
        }
    }

    /// The reason for which the plan does not run as a module; `None` if it does.
    pub(crate) fn not_generated(&self) -> Option<&str> {
        match self {
            Backend::Module(_) => None,
            Backend::Reference { why, .. } => Some(why),
        }
    }

    /// True if a step reads or writes the location of this number.
    pub(crate) fn uses(&self, cell: usize) -> bool {
        match self {
            Backend::Module(generated) => generated.uses(cell),
            Backend::Reference { reference, .. } => reference.cells().contains(&cell),
        }
    }

    /// Sets the contents of the location of this number, if a step reads or writes it.
    pub(crate) fn set_cell(&mut self, cell: usize, contents: &[f64]) {
        match self {
            Backend::Module(generated) => generated.set_cell(cell, contents),
            Backend::Reference { reference, .. } => reference.set_cell(cell, contents),
        }
    }

    /// The contents of the location of this number; `None` if no step reads or writes it.
    pub(crate) fn cell(&self, cell: usize) -> Option<Vec<f64>> {
        match self {
            Backend::Module(generated) => generated.cell(cell),
            Backend::Reference { reference, .. } => reference.cell(cell),
        }
    }

    /// The output of this number, as the last step left it.
    pub(crate) fn output(&self, output: usize) -> Option<Vec<f64>> {
        match self {
            Backend::Module(generated) => generated.output(output),
            Backend::Reference { reference, .. } => reference.output(output),
        }
    }

    /// Runs a step on this sample, which need not be one of its own. Returns false if the step stops; locations then hold what they held
    /// before it.
    pub(crate) fn step(&mut self, sample: &[Tensor]) -> bool {
        match self {
            Backend::Module(generated) => generated.step(sample),
            Backend::Reference { reference, .. } => stepped(reference, sample),
        }
    }

    /// Runs `count` steps, on its sample of number `from` and those that follow, cyclically. Err: number of steps made before the one that
    /// stops.
    pub(crate) fn steps(&mut self, from: usize, count: usize) -> Result<(), usize> {
        match self {
            Backend::Module(generated) => generated.steps(from, count),
            Backend::Reference {
                reference, samples, ..
            } => {
                for done in 0..count {
                    let sample = samples.get((from + done) % samples.len().max(1));
                    let sample = sample.map_or(&[][..], Vec::as_slice);
                    if !stepped(reference, sample) {
                        return Err(done);
                    }
                }
                Ok(())
            }
        }
    }
}

fn stepped(reference: &mut Reference, sample: &[Tensor]) -> bool {
    for (input, component) in sample.iter().enumerate() {
        reference.set_input(input, component.data());
    }
    reference.step().is_ok()
}
