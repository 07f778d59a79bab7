//! The tab of the training.

use std::fmt::Display;

pub(crate) const PLANNING: &str = "Planning the training …";
pub(crate) const THERE_IS_NOTHING_YET: &str =
    "There is nothing to train before the program checks.";
pub(crate) const TRAIN: &str = "Train";
pub(crate) const TRAIN_ON: &str = "Train on";
pub(crate) const TRAIN_ON_TITLE: &str = "As many epochs again";
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
pub(crate) const DOUBLE_PRECISION: &str = "double (f64)";
pub(crate) const SINGLE_PRECISION: &str = "single (f32)";
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
    match epochs.to_string().as_str() {
        "1" => "1 epoch".to_owned(),
        epochs => format!("{epochs} epochs"),
    }
}
pub(crate) const NO_MEASURES: &str =
    "The program measures nothing: `measure loss on D as p = …` gives a curve.";
pub(crate) const HEAP: &str = "The heap now";

pub(crate) const SIDE_BY_SIDE: &str = "Side by side";
pub(crate) const SIDE_BY_SIDE_TITLE: &str = "Each `train` item begins with the program's heap and has one of its own; otherwise they train one after the other";
pub(crate) const HAND_TITLE: &str = "Show this one: its heap, its picture, its samples";
pub(crate) const HAS_STOPPED: &str = "stopped";

pub(crate) const OTHER_WEIGHTS: &str = "Other weights";
pub(crate) const OTHER_WEIGHTS_TITLE: &str =
    "Writes other seeds for what locations hold at first, and starts again";
pub(crate) fn slider_of(name: impl Display) -> String {
    format!("slider: {name}")
}
pub(crate) fn run(number: impl Display, given: &str) -> String {
    match given {
        "" => format!("run {number}"),
        given => format!("run {number}: {given}"),
    }
}
pub(crate) const RUNS: &str = "Runs";
pub(crate) const KEEP: &str = "Keep for comparison";
pub(crate) const KEEP_TITLE: &str = "Keeps the curves so far behind those that follow";
pub(crate) const FORGET: &str = "Forget earlier runs";
pub(crate) const SAVE_CSV: &str = "CSV: the curves as numbers";
pub(crate) const SAVE_SVG: &str = "SVG: the curves as a picture";
pub(crate) const AS_NUMBERS: &str = "as numbers";
pub(crate) const EPOCH: &str = "epoch";
pub(crate) fn at(epoch: impl Display) -> String {
    format!("at epoch {epoch}")
}
pub(crate) fn at_epoch(epoch: impl Display, name: impl Display, value: impl Display) -> String {
    format!("epoch {epoch}: {name} {value}")
}

pub(crate) const PREDICTIONS: &str = "Predictions";
pub(crate) const PREDICTION: &str = "Prediction";
pub(crate) const DATA_SET: &str = "Data set";
pub(crate) const ON: &str = "on";
pub(crate) const NO_PREDICTIONS: &str =
    "The program predicts nothing: `predict output(v : Real(2)) = …` gives a picture.";
pub(crate) const NOTHING_TO_DRAW: &str = "There is nothing to draw yet.";
pub(crate) const NO_SAMPLES: &str = "No data set has samples that begin with what goes in here.";
pub(crate) fn refused(why: impl Display) -> String {
    format!("That cannot be done: {why}.")
}
pub(crate) const SURFACE: &str = "decision surface";
pub(crate) fn from_to(from: impl Display, to: impl Display) -> String {
    format!("from {from} to {to}")
}
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
pub(crate) const POINT_AT_IT: &str = "Point at the picture to read it off.";
pub(crate) const A_CLICK: &str = "A click";
pub(crate) const CHOOSES: &str = "chooses";
pub(crate) const CHOOSES_A_SAMPLE: &str = "A click chooses the nearest sample";
pub(crate) const ADDS: &str = "or adds";
pub(crate) fn add_points_of(class: impl Display) -> String {
    format!("A click adds a sample with target {class}")
}
pub(crate) fn is_written_out(name: impl Display, count: impl Display) -> String {
    format!(
        "The first click writes the {count} samples of {name} into the program, in the place of what makes them. Undo in the editor takes it back."
    )
}
pub(crate) fn scale(least: impl Display, most: impl Display) -> String {
    format!("Colours: blue for {least}, orange for {most}")
}
pub(crate) const FIRST_INPUT: &str = "first input";
pub(crate) const SECOND_INPUT: &str = "second input";
pub(crate) const INPUT: &str = "input";
pub(crate) const LINES: &str = "Lines";
pub(crate) fn curve_over(name: impl Display, from: impl Display, to: impl Display) -> String {
    format!("{name} over inputs from {from} to {to}, with the samples")
}
pub(crate) fn signal(name: impl Display, sample: impl Display, set: impl Display) -> String {
    format!("{name} for sample {sample} of {set}")
}
pub(crate) const NOW: &str = "now";
pub(crate) const BEFORE: &str = "before training";
pub(crate) const SAMPLES: &str = "samples";
pub(crate) const COMES_OUT: &str = "comes out";
pub(crate) const SHOULD_COME_OUT: &str = "should come out";
pub(crate) const GOES_IN: &str = "goes in";
pub(crate) const PLACE: &str = "place";
pub(crate) const SAMPLE: &str = "sample";
pub(crate) const CLASS: &str = "class";
pub(crate) const SHARE: &str = "share";
pub(crate) const TARGET: &str = "target";
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
pub(crate) fn images(set: impl Display) -> String {
    format!("Images of {set} with what is predicted")
}
pub(crate) const PAPER: &str =
    "Paper to draw on: arrows go from cell to cell, the space bar puts ink or takes it";
pub(crate) fn cell(row: impl Display, column: impl Display, ink: bool) -> String {
    let ink = if ink { "ink" } else { "paper" };
    format!("row {row}, column {column}: {ink}")
}
pub(crate) const DRAW: &str = "Draw here: what you draw is predicted at once.";
pub(crate) fn reads(class: impl Display, share: impl Display) -> String {
    format!("Predicted: {class}, with {share}")
}
pub(crate) const CLEAR: &str = "Clear";
pub(crate) fn add_to(set: impl Display) -> String {
    format!("Add to {set}")
}
pub(crate) const AS_CLASS: &str = "as …";

pub(crate) const DATA: &str = "Data sets";
pub(crate) const NO_DATA: &str = "The program has no data set.";
pub(crate) const FILES: &str = "A data set can be read from a file of the program. ";
pub(crate) const ADD_A_FILE: &str = "Add a CSV file …";
pub(crate) fn read_from(file: impl Display) -> String {
    format!("read from {file}")
}
pub(crate) fn data_set(count: u32, ty: &str, origin: Option<&str>, generated: bool) -> String {
    let samples = if count == 1 { "sample" } else { "samples" };
    match origin {
        Some(origin) if generated => format!("{count} {samples} of {ty}, made by {origin}"),
        Some(origin) => format!("{count} {samples} of {ty}, from the file {origin}"),
        None => format!("{count} {samples} of {ty}, written in the program"),
    }
}
pub(crate) const SHOW_IN_THE_TEXT: &str = "show in the text";
pub(crate) const SAVE_AS_CSV: &str = "save as CSV";
pub(crate) fn save_data(name: impl Display) -> String {
    format!("save as CSV: {name}")
}
pub(crate) fn first_samples(name: impl Display) -> String {
    format!("First samples of {name}")
}
