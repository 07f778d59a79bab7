//! The gradient check of the training that is watched, a while at a time: from its heap, against the measures of the same samples.

use super::training::{Cell, cell};
use crate::program::Program;
use fletch_elaborate::Files;
use fletch_ide::{EditorDiagnostic, place};
use fletch_runs::check::{self, Check, NotChecked, Settings, Verdict};
use fletch_runs::live::Live;
use fletch_syntax::Severity;
use serde::{Deserialize, Serialize};

/// What is asked of a gradient check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checking {
    /// Begin one; else go on with the one that was begun.
    pub begin: Option<Differences>,
    /// For about so long, in milliseconds.
    pub milliseconds: u32,
}

/// How a check is made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Differences {
    /// The step of the differences.
    pub step: f64,
    /// How far a change may be from the gradient's, as a part of the largest change of its location.
    pub tolerance: f64,
    /// How many steps of the training are looked at.
    pub steps: u32,
    /// The first of them: a sample, or a batch, from 0.
    pub first: u32,
}

impl Default for Differences {
    fn default() -> Differences {
        let Settings {
            step, tolerance, ..
        } = Settings::default();
        Differences {
            step,
            tolerance,
            steps: 3,
            first: 0,
        }
    }
}

/// What a check has found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckedGradient {
    /// How much of it is done, from 0 to 1. Before 1 there is nothing else.
    pub done: f64,
    /// Which steps were looked at, and how.
    pub how: String,
    /// Against each measure.
    pub measures: Vec<AgainstMeasure>,
}

/// What was found out against a measure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgainstMeasure {
    /// Its name.
    pub name: String,
    /// Whether it is gradient descent; nothing where the measure says nothing.
    pub descends: Option<bool>,
    /// In a sentence or two.
    pub verdict: String,
    /// Each location that changes, or that the measure reads.
    pub places: Vec<AgainstPlace>,
}

/// A location of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgainstPlace {
    /// Whether it follows the gradient; nothing where the measure says nothing of it.
    pub follows: Option<bool>,
    /// In a sentence without its subject.
    pub says: String,
    /// What a step changes.
    pub change: Cell,
    /// What gradient descent would.
    pub descent: Cell,
}

/// Begins a check from where a training is.
pub(super) fn begin(
    program: &Program,
    files: &Files,
    live: &mut Live,
    asked: Differences,
) -> Result<Check, Box<EditorDiagnostic>> {
    let item = live.item();
    let settings = Settings {
        step: asked.step,
        tolerance: asked.tolerance,
        steps: asked.steps as usize,
        first: asked.first as usize,
        measure: None,
    };
    let tree = &program.checked.program;
    Check::new(tree, files, live.current(), item, settings)
        .map_err(|why| match why {
            NotChecked::Stopped(error) => place::for_editor(&error, &program.checked.index),
            NotChecked::Asked(message) => EditorDiagnostic {
                code: String::new(),
                severity: Severity::Error,
                from: 0,
                to: 0,
                line: 1,
                message,
                labels: Vec::new(),
                hint: None,
                fix: None,
                file: None,
            },
        })
        .map_err(Box::new)
}

/// What a check has found out so far.
pub(super) fn told(checking: &Check) -> CheckedGradient {
    let done = checking.done();
    if done < 1.0 {
        return CheckedGradient {
            done,
            ..CheckedGradient::default()
        };
    }
    let checked = checking.checked();
    let measures = checked.against.iter().map(|against| AgainstMeasure {
        name: against.measure.clone(),
        descends: descends(&against.verdict),
        verdict: check::verdict(&checked, against),
        places: (against.places.iter())
            .map(|place| of_place(&checked, place))
            .collect(),
    });
    CheckedGradient {
        done,
        how: check::how(&checked),
        measures: measures.collect(),
    }
}

fn descends(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Descent(_) => Some(true),
        Verdict::Flat | Verdict::Doubtful | Verdict::Rounding => None,
        _ => Some(false),
    }
}

fn of_place(checked: &check::Checked, place: &check::Place) -> AgainstPlace {
    use check::Fares;
    let of = |contents: &fletch_smooth::Tensor| cell(&(place.name.clone(), contents.clone()));
    AgainstPlace {
        follows: match place.fares {
            Fares::Follows => Some(true),
            Fares::Differs | Fares::Left => Some(false),
            Fares::Kept | Fares::Flat | Fares::Doubtful => None,
        },
        says: place.says(checked),
        change: of(&place.changes.0),
        descent: of(&place.changes.1),
    }
}
