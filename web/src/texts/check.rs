//! The gradient check, and the heap of a training that is carried elsewhere and back.

use std::fmt::Display;

pub(crate) const GRADIENT_CHECK: &str = "Gradient check";
pub(crate) const WHAT_IT_IS: &str = "What do the handlers change at the samples from this one on, and what would gradient descent? Each entry is held against finite differences of the measures, from the heap now, computed in double precision whatever the training has.";
pub(crate) const CHECK: &str = "Check the gradient";
pub(crate) const STOP: &str = "Stop checking";
pub(crate) const STEP: &str = "step of the differences";
pub(crate) const STEP_TITLE: &str = "Times the larger of 1 and |w|. Near 6e-6, the cube root of the precision, the errors of curvature and of rounding are least";
pub(crate) const TOLERANCE: &str = "tolerance";
pub(crate) const TOLERANCE_TITLE: &str =
    "How far a change may be from the gradient's, as a part of the largest change of its location";
pub(crate) const NO_NUMBER: &str =
    "The step and the tolerance are numbers between 0 and 1, such as 1e-5.";
pub(crate) fn checking(percent: impl Display) -> String {
    format!("Checking: {percent} %")
}
pub(crate) const OUTDATED: &str = "The program has changed since this was checked.";
pub(crate) const CHANGED: &str = "the handlers changed";
pub(crate) const DESCENT: &str = "gradient descent changes";
pub(crate) fn against(measure: impl Display) -> String {
    format!("Against {measure}")
}

pub(crate) const SAMPLE: &str = "sample";
pub(crate) fn of_samples(count: impl Display, data: impl Display) -> String {
    format!("of {count} in {data}")
}
pub(crate) const STEP_THROUGH: &str = "Step through this sample";
pub(crate) const STEP_THROUGH_TITLE: &str =
    "Open the steps of this sample's run, from the heap that the training has now";
pub(crate) const SAVE_HEAP: &str = "Save heap";
pub(crate) const SAVE_HEAP_TITLE: &str =
    "As a safetensors file, which the command line, PyTorch, JAX and Rust read";
pub(crate) const LOAD_HEAP: &str = "Load heap …";
pub(crate) const LOAD_HEAP_TITLE: &str = "A safetensors file with one tensor for each location, in F64 or F32. A file can also be dropped here";
pub(crate) fn loaded(name: impl Display) -> String {
    format!("The heap is that of {name}. Reset goes back to the program's.")
}
pub(crate) fn keep_theirs(names: impl Display) -> String {
    format!(" It does not name {names}, so the program's contents stay there.")
}
pub(crate) const RESTORED: &str = "The heap is the one that was trained here before, kept with this program. Reset goes back to the program's.";
pub(crate) fn not_restored(why: impl Display) -> String {
    format!("The heap that was trained before does not fit the program any more: {why}.")
}
pub(crate) fn not_loaded(why: impl Display) -> String {
    format!("The heap stays as it was: {why}.")
}
pub(crate) const TOO_LARGE_A_FILE: &str = "a heap of at most 64 MB is read";
pub(crate) const NOT_KEPT: &str =
    "This heap is too large to be kept with the program (more than 4 MB): save it as a file.";

pub(crate) fn sampled(sample: impl Display, data: impl Display) -> String {
    format!(
        "These are the steps of sample {sample} of {data}, from the trained heap, not those of main."
    )
}
pub(crate) const BACK_TO_MAIN: &str = "Back to main";
