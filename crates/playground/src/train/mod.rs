//! Training of a program. Trainings are started, advanced and observed, their heaps are saved and loaded, and their
//! gradients are checked by finite differences.

pub(crate) mod carrying;
pub(crate) mod checking;
pub(crate) mod data;
pub(crate) mod inside;
pub(crate) mod moments;
pub(crate) mod numerals;
pub(crate) mod pictures;
pub(crate) mod training;
pub(crate) mod trainings;
mod watched;

use crate::program::Program;
use carrying::{Carried, Carry};
use checking::{CheckedGradient, Checking};
use fletch_ide::EditorDiagnostic;
use fletch_runs::check::Check;
use fletch_runs::live::Live;
use fletch_syntax::Diagnostic;
use inside::Inside;
use pictures::{Look, Pictured};
use serde::{Deserialize, Serialize};
use training::{Asked, Trained, Training};
use trainings::{Around, Trainings};

/// Request to predict the output for an input of the reader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// Index of the prediction.
    pub prediction: u32,
    /// Numbers of all inputs, one after the other.
    pub input: Vec<f64>,
}

/// The trainings that were started last, and the gradient check that was begun last, with its revision.
#[derive(Default)]
pub(crate) struct Train {
    trainings: Option<Trainings>,
    checking: Option<(u32, Check)>,
}

impl Train {
    fn of(&mut self, revision: u32) -> Option<&mut Trainings> {
        let trainings = self.trainings.as_mut();
        trainings.filter(|all| all.revision == revision)
    }

    /// The selected training of this revision.
    pub(crate) fn live(&self, revision: u32) -> Option<&Live> {
        let trainings = self.trainings.as_ref();
        trainings.filter(|all| all.revision == revision)?.live()
    }

    /// Performs a request about the trainings of a program. Returns `None` if they were not started.
    pub(crate) fn train(
        &mut self,
        program: &Program,
        around: Around<'_>,
        asked: Training,
    ) -> Option<Result<Trained, EditorDiagnostic>> {
        let now = around.now;
        let mut goes_on = false;
        if let Asked::Start(begin) = asked.asked {
            let known = self.trainings.as_mut();
            match known.filter(|known| begin.keep && known.is_of(&program.source, begin)) {
                Some(known) => {
                    known.revision = program.revision;
                    goes_on = true;
                }
                None => match Trainings::new(program, around, begin, self.trainings.as_mut()) {
                    Ok((begun, goes)) => {
                        self.trainings = Some(begun);
                        goes_on = goes;
                    }
                    Err(why) => return Some(Err(*why)),
                },
            }
        }
        let trainings = self.of(program.revision)?;
        trainings.act(asked.asked, now);
        let trained = trainings.tell(program, asked.known as usize, asked.asked)?;
        let begun = matches!(asked.asked, Asked::Start(_));
        let numerals = begun.then(|| numerals::numerals(program, around.files));
        Some(Ok(Trained {
            goes_on,
            numerals: numerals.unwrap_or_default(),
            ..trained
        }))
    }

    /// The pictures of the prediction that a reader selects.
    pub(crate) fn look(&mut self, revision: u32, look: Look) -> Option<Vec<Pictured>> {
        Some(self.of(revision)?.look(look))
    }

    /// Opens or closes the inside of the network, and returns the current inside.
    pub(crate) fn open(
        &mut self,
        revision: u32,
        open: bool,
    ) -> Option<Result<Option<Inside>, Box<Diagnostic>>> {
        Some(self.of(revision)?.open(open))
    }

    /// Predicts the outputs for an input of the reader.
    pub(crate) fn predict(&mut self, revision: u32, tried: &Tried) -> Option<Vec<f64>> {
        let trainings = self.of(revision)?;
        trainings.predict(tried.prediction as usize, &tried.input)
    }

    /// Performs a request about the heap of the selected training.
    pub(crate) fn carry(&mut self, program: &Program, carry: &Carry) -> Option<Carried> {
        carrying::carry(program, self.of(program.revision)?, carry)
    }

    /// Begins a gradient check, or continues it. Returns `None` if there is no training or no check of this revision.
    pub(crate) fn check(
        &mut self,
        revision: u32,
        program: Option<&Program>,
        around: Around<'_>,
        asked: &Checking,
    ) -> Option<Result<CheckedGradient, EditorDiagnostic>> {
        let Around { files, host, now } = around;
        if let Some(differences) = asked.begin {
            self.checking = None;
            let live = self.of(revision)?.live_mut()?;
            match checking::begin(program?, files, live, host, differences) {
                Ok(check) => self.checking = Some((revision, check)),
                Err(why) => return Some(Err(*why)),
            }
        }
        let checking = self.checking.as_mut();
        let (_, check) = checking.filter(|(of, _)| *of == revision)?;
        let until = now() + f64::from(asked.milliseconds);
        check.advance(&|| now() < until);
        Some(Ok(checking::told(check)))
    }
}
