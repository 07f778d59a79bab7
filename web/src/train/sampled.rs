//! The run of a sample of the training in the place of `main`, and the heap that is kept with the program.

use fletch_playground::Sample;
use fletch_playground::protocol::Edit;
use std::rc::Rc;

/// A sample of the training that is stepped through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampled {
    /// The sample.
    pub sample: Sample,
    /// Its data set.
    pub data: Rc<str>,
    /// The epoch of the training whose heap it starts from.
    pub epoch: u32,
    /// Edits of the heap that `main` starts from.
    pub before: Rc<[Edit]>,
}

/// Name of the file of a trained heap among the files of a program: a `safetensors` file as text.
pub const HEAP_FILE: &str = "heap.safetensors.base64";
