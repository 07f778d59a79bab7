//! The run of a sample: the command of a `train` item on one of its samples, or batches, in the place of `main`.

use crate::protocol::{Edit, Sample};
use fletch_calculus::{Program, Tensor};
use fletch_elaborate::{Files, Main, on_sample};
use fletch_ide::Checked;

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

/// The run starts from these contents, where they fit: what a training has come to, which is no reader's edit.
pub(crate) fn start(program: &mut Program, heap: &[Edit]) {
    let cells = program.locations.iter().zip(&mut program.initial);
    for (location, contents) in cells {
        let mut given = heap.iter();
        let given = given.find(|edit| *edit.location == *location.name);
        let given = given.map(|edit| Tensor::new(contents.shape().clone(), edit.entries.clone()));
        if let Some(given) = given.flatten() {
            *contents = given;
        }
    }
}
