//! The tab of the training.

use std::fmt::Display;

pub(crate) const PACE: &str = "How fast it goes";
pub(crate) fn pace(epochs: Option<u32>) -> String {
    match epochs {
        None => "full speed".to_owned(),
        Some(1) => "1 epoch a second".to_owned(),
        Some(epochs) => format!("{epochs} epochs a second"),
    }
}
pub(crate) fn epoch_of(epochs: impl Display, of: impl Display) -> String {
    format!("epoch {epochs} of {of}")
}
pub(crate) const PRECISION: &str = "What numbers are while it trains";
pub(crate) fn line(line: impl Display) -> String {
    format!("line {line}")
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
pub(crate) fn at(epoch: impl Display) -> String {
    format!("at epoch {epoch}")
}

pub(crate) const PREDICTIONS: &str = "Predictions";
pub(crate) const NO_SAMPLES: &str = "No data set has samples that begin with what goes in here.";
pub(crate) fn surface(name: impl Display, across: impl Display, up: impl Display) -> String {
    format!(
        "{name}: first input {across} to the right, second input {up} upward. Arrows point, Enter chooses"
    )
}
pub(crate) fn place(x: impl Display, y: impl Display) -> String {
    format!("({x}, {y})")
}
pub(crate) fn most_likely(class: impl Display) -> String {
    format!(", most of all {class}")
}
pub(crate) fn chosen(sample: impl Display, set: impl Display) -> String {
    format!("sample {sample} of {set} is chosen")
}
pub(crate) const A_CLICK: &str = "A click";
pub(crate) const BEFORE: &str = "before training";
pub(crate) const COMES_OUT: &str = "comes out";
pub(crate) const SHOULD_COME_OUT: &str = "should come out";
pub(crate) const GOES_IN: &str = "goes in";
pub(crate) const SAMPLE: &str = "sample";
pub(crate) const CLASS: &str = "class";
pub(crate) fn sample_of(sample: impl Display, set: impl Display) -> String {
    format!("sample {sample} of {set}")
}
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
pub(crate) fn right(right: impl Display, of: impl Display) -> String {
    format!("{right} of these {of} are predicted right.")
}
pub(crate) fn cell(row: impl Display, column: impl Display, ink: bool) -> String {
    let ink = if ink { "ink" } else { "paper" };
    format!("row {row}, column {column}: {ink}")
}

pub(crate) const DATA: &str = "Data sets";
pub(crate) fn data_set(count: u32, ty: &str, origin: Option<&str>, generated: bool) -> String {
    let samples = if count == 1 { "sample" } else { "samples" };
    match origin {
        Some(origin) if generated => format!("{count} {samples} of {ty}, made by {origin}"),
        Some(origin) => format!("{count} {samples} of {ty}, from the file {origin}"),
        None => format!("{count} {samples} of {ty}, written in the program"),
    }
}
