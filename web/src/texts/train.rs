//! The tab of the training.

use std::fmt::Display;

pub(crate) const PLANNING: &str = "Planning the training …";
pub(crate) const THERE_IS_NOTHING_YET: &str =
    "There is nothing to train before the program checks.";
pub(crate) const TRAIN: &str = "Train";
pub(crate) const PAUSE: &str = "Pause";
pub(crate) const ONE_EPOCH: &str = "One epoch";
pub(crate) const RESET: &str = "Reset";
pub(crate) const PACE: &str = "How fast it goes";
pub(crate) fn pace(epochs: Option<u32>) -> String {
    match epochs {
        None => "full speed".to_owned(),
        Some(1) => "1 epoch a second".to_owned(),
        Some(epochs) => format!("{epochs} epochs a second"),
    }
}
pub(crate) const RESET_TITLE: &str = "Back to the heap that it started from";
pub(crate) fn epoch_of(epochs: impl Display, of: impl Display) -> String {
    format!("epoch {epochs} of {of}")
}
pub(crate) fn steps_a_second(speed: impl Display) -> String {
    format!("{speed} steps a second")
}
pub(crate) const AS_A_MODULE: &str = "as WebAssembly made for this program";
pub(crate) fn not_as_a_module(why: impl Display) -> String {
    format!("without WebAssembly of its own: {why}")
}
pub(crate) const PRECISION: &str = "What numbers are while it trains";
pub(crate) const DOUBLE_PRECISION: &str = "double precision (f64)";
pub(crate) const SINGLE_PRECISION: &str = "single precision (f32)";
pub(crate) const ENDED: &str = "ended";
pub(crate) const STOPPED: &str = "Stopped: ";
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
}
pub(crate) const NUMBERS_OF_THE_HANDLERS: &str = "Numbers of the handlers";
pub(crate) fn number_of(name: impl Display, handler: impl Display) -> String {
    format!("{name} of {handler}")
}
pub(crate) fn half_of(name: impl Display) -> String {
    format!("÷2: half of {name}")
}
pub(crate) fn twice(name: impl Display) -> String {
    format!("×2: twice {name}")
}
pub(crate) const MEASURES: &str = "Measures";
pub(crate) fn curve(name: impl Display, first: impl Display, last: impl Display) -> String {
    format!("{name}, from {first} to {last}")
}
pub(crate) const LOGARITHMIC: &str = "logarithmic";
pub(crate) fn epochs(epochs: impl Display) -> String {
    format!("{epochs} epochs")
}
pub(crate) const NO_MEASURES: &str =
    "The program measures nothing: `measure loss on D as p = …` gives a curve.";
pub(crate) const HEAP: &str = "The heap now";
