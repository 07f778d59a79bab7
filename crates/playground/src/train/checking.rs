//! The gradient check of the selected training, in time slices. It starts from the training's heap and uses the measures of the
//! same samples.

use super::training::{Cell, cell};
use crate::program::Program;
use fletch_elaborate::Files;
use fletch_ide::{EditorDiagnostic, place};
use fletch_runs::check::{self, Check, NotChecked, Settings, Verdict};
use fletch_runs::generated::Host;
use fletch_runs::live::Live;
use fletch_syntax::Severity;
use serde::{Deserialize, Serialize};

/// Request to begin or continue a gradient check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checking {
    /// Settings of a check to begin; `None` to continue the current check.
    pub begin: Option<Differences>,
    /// Computing time, in milliseconds.
    pub milliseconds: u32,
}

/// Settings of a gradient check.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Differences {
    /// Step of the difference quotients.
    pub step: f64,
    /// Maximum deviation of a change from the change by the gradient, relative to the largest change of its location.
    pub tolerance: f64,
    /// Number of training steps to check.
    pub steps: u32,
    /// First step to check: the index of a sample or batch, from 0.
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

/// State of a gradient check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckedGradient {
    /// Fraction done, from 0 to 1. Below 1 the other fields are empty.
    pub done: f64,
    /// Description of the steps checked, and of the method.
    pub how: String,
    /// Results against each measure.
    pub measures: Vec<AgainstMeasure>,
}

/// Results against one measure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgainstMeasure {
    /// Name of the measure.
    pub name: String,
    /// True if the training is gradient descent on this measure. `None` if that cannot be decided: the measure is flat or has no
    /// reliable slope here.
    pub descends: Option<bool>,
    /// The verdict in one or two sentences.
    pub verdict: String,
    /// Results for each location that changes, or that the measure reads.
    pub places: Vec<AgainstPlace>,
}

/// Result for one location.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgainstPlace {
    /// True if the location follows the gradient; `None` if that cannot be decided.
    pub follows: Option<bool>,
    /// The result as a sentence without its subject.
    pub says: String,
    /// Change made by a step.
    pub change: Cell,
    /// Change that gradient descent would make.
    pub descent: Cell,
}

/// Begins a check from the current heap of a training.
pub(super) fn begin(
    program: &Program,
    files: &Files,
    live: &mut Live,
    host: Option<Host>,
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
    Check::new(tree, files, live.current(), item, settings, host)
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

/// State of a check, for a front end.
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
