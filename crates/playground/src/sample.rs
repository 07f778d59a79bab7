//! The run of a sample: the command of a `train` item on one of its samples, or batches, in the place of `main`.

use fletch_elaborate::{Files, Main, on_sample};
use fletch_ide::Checked;
use serde::{Deserialize, Serialize};

/// A sample, or a batch, that a `train` item runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The item, from 0.
    pub item: u32,
    /// The step of an epoch, from 0.
    pub step: u32,
}

/// Puts the run of a sample in the place of `main`, if the program checks and has it.
pub(crate) fn place(checked: &mut Checked, files: &Files, sample: Option<Sample>) {
    let Some(Sample { item, step }) = sample.filter(|_| !checked.rejected()) else {
        return;
    };
    let main: Option<Main> = on_sample(&checked.program, files, item as usize, step as usize);
    if main.is_some() {
        checked.main = main;
    }
}
