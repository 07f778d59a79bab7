//! The run of a training sample in place of `main`, and the heap that is kept with the program.

use fletch_playground::Sample;
use fletch_playground::protocol::Edit;
use std::rc::Rc;

/// Training sample that is stepped through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampled {
    /// The sample, by its `train` item and its step.
    pub sample: Sample,
    /// Name of its data set.
    pub data: Rc<str>,
    /// Epoch of the training whose heap the run starts from.
    pub epoch: u32,
    /// Edits of the heap that `main` starts from.
    pub before: Rc<[Edit]>,
}

/// Name of the trained heap among the files of a program: a `safetensors` file in base64.
pub const HEAP_FILE: &str = "heap.safetensors.base64";
