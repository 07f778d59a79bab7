//! Words that several parts of the training say.

use super::Pace;
use std::fmt::Display;

pub(crate) fn pace(pace: Pace) -> String {
    match pace {
        Pace::Film => "to be watched".to_owned(),
        Pace::Full => "full speed".to_owned(),
        Pace::Epochs(1) => "1 epoch a second".to_owned(),
        Pace::Epochs(epochs) => format!("{epochs} epochs a second"),
    }
}
pub(crate) const LOGARITHMIC: &str = "logarithmic";
pub(crate) fn epochs(epochs: impl Display) -> String {
    match epochs.to_string().as_str() {
        "1" => "1 epoch".to_owned(),
        epochs => format!("{epochs} epochs"),
    }
}

pub(crate) const SIDE_BY_SIDE: &str = "Side by side";

pub(crate) fn run(number: impl Display, given: &str) -> String {
    match given {
        "" => format!("run {number}"),
        given => format!("run {number}: {given}"),
    }
}
pub(crate) const AS_NUMBERS: &str = "as numbers";

pub(crate) const PREDICTIONS: &str = "Predictions";
pub(crate) const NO_SAMPLES: &str = "No data set has samples that begin with what goes in here.";
pub(crate) fn most_likely(class: impl Display) -> String {
    format!(", most of all {class}")
}
pub(crate) const COMES_OUT: &str = "comes out";
pub(crate) const SHOULD_COME_OUT: &str = "should come out";
pub(crate) const GOES_IN: &str = "goes in";
pub(crate) const SAMPLE: &str = "sample";
pub(crate) const CLASS: &str = "class";
pub(crate) fn predicted(
    sample: impl Display,
    class: impl Display,
    share: impl Display,
    wanted: Option<usize>,
) -> String {
    match wanted {
        Some(wanted) => format!("sample {sample}: predicted {class} with {share}, it is {wanted}"),
        None => format!("sample {sample}: predicted {class} with {share}"),
    }
}
pub(crate) fn cell(row: impl Display, column: impl Display, ink: bool) -> String {
    let ink = if ink { "ink" } else { "paper" };
    format!("row {row}, column {column}: {ink}")
}

pub(crate) fn data_set(count: u32, ty: &str, origin: Option<&str>, generated: bool) -> String {
    let samples = if count == 1 { "sample" } else { "samples" };
    match origin {
        Some(origin) if generated => format!("{count} {samples} of {ty}, made by {origin}"),
        Some(origin) => format!("{count} {samples} of {ty}, from the file {origin}"),
        None => format!("{count} {samples} of {ty}, written in the program"),
    }
}
