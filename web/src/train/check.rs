//! The gradient check, and the heap of a training that is carried elsewhere and back: what was asked, and what came of it.

use crate::model::Shared;
use fletch_playground::protocol::{CheckedGradient, Differences};
use std::rc::Rc;

/// The gradient check.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Text in the field of the step.
    pub step: Rc<str>,
    /// Text in the field of the tolerance.
    pub tolerance: Rc<str>,
    /// The program that is checked, as long as it takes.
    pub going: Option<u32>,
    /// The program that was checked last, and what was found out.
    pub found: Option<(u32, Shared<CheckedGradient>)>,
    /// Why nothing was.
    pub refused: Option<Rc<str>>,
}

/// Something that a reader does with it.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckMsg {
    /// Check, or stop.
    Go(bool),
    /// This is the step of the differences.
    Step(Rc<str>),
    /// This is the tolerance.
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

/// The heap that is carried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carrying {
    /// Message about the heap; true with it if something is wrong.
    pub said: Option<(bool, Rc<str>)>,
    /// Heap kept with the program, as the training knows it; empty if none is kept.
    pub known: Rc<[u8]>,
    /// Heap that was kept with the program, until its training is there to take it.
    pub kept: Option<Rc<[u8]>>,
    /// The program and the steps of the training whose heap was kept last.
    pub at: Option<(u32, u64)>,
    /// True if a timer is set for the next time that the heap is kept, while it is trained.
    pub timed: bool,
    /// The name of the file that is being read.
    pub file: Rc<str>,
    /// The sample at hand, from 1.
    pub sample: u32,
}

/// Something that a reader does with it.
#[derive(Clone, Debug, PartialEq)]
pub enum CarryMsg {
    /// Save it as a file.
    Save,
    /// A file was chosen: its name, and what it holds if it is not too large.
    Chosen(Rc<str>, Option<Rc<[u8]>>),
    /// The sample at hand is now this, from 1.
    Sample(Rc<str>),
    /// Step through it.
    Step,
    /// It is time to keep the heap of a training that goes on.
    Due,
    /// The page may be left, or was put aside.
    Leave,
}
