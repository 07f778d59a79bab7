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
    /// What `main` starts from.
    pub before: Rc<[Edit]>,
}

/// What the file of a trained heap is called among those of a program: a `safetensors` file as text.
pub const HEAP_FILE: &str = "heap.safetensors.base64";
