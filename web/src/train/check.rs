//! State of the gradient check, and of saving, keeping and loading the heap of a training.

use crate::model::Shared;
use fletch_playground::protocol::{CheckedGradient, Differences};
use std::rc::Rc;

/// State of the gradient check.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Text in the field of the step.
    pub step: Rc<str>,
    /// Text in the field of the tolerance.
    pub tolerance: Rc<str>,
    /// Revision of the program that is being checked.
    pub going: Option<u32>,
    /// Revision of the program that was checked last, and the result.
    pub found: Option<(u32, Shared<CheckedGradient>)>,
    /// Reason why the last check gave no result.
    pub refused: Option<Rc<str>>,
}

/// Action of the reader on the gradient check.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckMsg {
    /// Start (true) or stop the check.
    Go(bool),
    /// Set the step of the differences.
    Step(Rc<str>),
    /// Set the tolerance.
    Tolerance(Rc<str>),
}

impl Default for Check {
    fn default() -> Check {
        let Differences {
            step, tolerance, ..
        } = Differences::default();
        Check {
            step: format!("{step:e}").into(),
            tolerance: format!("{tolerance:e}").into(),
            going: None,
            found: None,
            refused: None,
        }
    }
}

/// State of the heap outside of the training: in a file, or kept with the draft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carrying {
    /// Message about the heap; true with an error message.
    pub said: Option<(bool, Rc<str>)>,
    /// Heap kept with the draft, which the training already has; empty if none is kept.
    pub known: Rc<[u8]>,
    /// Heap kept with the draft that waits for its training to start.
    pub kept: Option<Rc<[u8]>>,
    /// Revision of the program and step count of the training when its heap was kept last.
    pub at: Option<(u32, u64)>,
    /// True if a timer is set for keeping the heap of a running training.
    pub timed: bool,
    /// Name of the file that is being read.
    pub file: Rc<str>,
    /// Selected sample, from 1.
    pub sample: u32,
}

/// Action of the reader on the heap, or an event about keeping it.
#[derive(Clone, Debug, PartialEq)]
pub enum CarryMsg {
    /// Save the heap as a file.
    Save,
    /// A file was chosen: its name, and its contents unless it is too large.
    Chosen(Rc<str>, Option<Rc<[u8]>>),
    /// Select the sample whose number, from 1, is in this text.
    Sample(Rc<str>),
    /// Step through the run of the selected sample.
    Step,
    /// Keep the heap of a running training: its timer has fired.
    Due,
    /// The page may be left, or was hidden.
    Leave,
}
