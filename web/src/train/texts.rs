//! Texts that several modules of the training share.

use super::Pace;
use super::runs::Run;
use fletch_playground::protocol::Numeral;
use std::fmt::Display;
use std::rc::Rc;

pub(crate) fn pace(pace: Pace) -> String {
    match pace {
        Pace::Film => "to be watched".to_owned(),
        Pace::Full => "full speed".to_owned(),
        Pace::Epochs(1) => "1 epoch a second".to_owned(),
        Pace::Epochs(epochs) => format!("{epochs} epochs a second"),
    }
}
/// Parses a typed number; the error says why it is not one.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    let typed = text.trim();
    let why = match typed.replace('−', "-").parse::<f64>() {
        Ok(number) if number.is_finite() => return Ok(number),
        // `parse` also accepts words such as `inf`, which are no typed numbers.
        Ok(_) if typed.contains(|letter: char| letter.is_ascii_digit()) => "is too large",
        _ if typed.is_empty() => return Err("a number is missing".to_owned()),
        Err(_) if typed.replace(',', ".").parse::<f64>().is_ok() => {
            "has a comma: a number is written with a point"
        }
        _ => "is no number",
    };
    Err(format!("“{typed}” {why}"))
}

pub(crate) const LOGARITHMIC: &str = "logarithmic";
pub(crate) fn epochs(epochs: impl Display) -> String {
    match epochs.to_string().as_str() {
        "1" => "1 epoch".to_owned(),
        epochs => format!("{epochs} epochs"),
    }
}

pub(crate) const SIDE_BY_SIDE: &str = "Side by side";

pub(crate) fn run_name(run: &Run) -> String {
    match &*run.name {
        "" => format!("run {}", run.number),
        name => name.to_owned(),
    }
}

pub(crate) fn run(run: &Run) -> String {
    let name = run_name(run);
    match &*run.given {
        "" => name,
        given => format!("{name}: {given}"),
    }
}

/// Name of a numeral, such as `n_hid` or `seed of w0`, and its value.
pub(crate) fn numeral(numeral: &Numeral) -> (String, f64) {
    let name = match &*numeral.of {
        "" => numeral.name.clone(),
        of => format!("{} of {of}", numeral.name),
    };
    (name, numeral.value)
}

/// Description of the scalars of a run that has reached epoch `end`: `α 3, from epoch 2000 0.1`. Scalars that no epoch used are
/// left out, and the name of a single scalar is written once.
pub(crate) fn given(given: &[(u32, Rc<str>)], end: f64) -> String {
    let mut said = String::new();
    let trained = given.iter().filter(|(from, _)| f64::from(*from) < end);
    // Before its first step, a run is described by its initial scalars.
    let first = given.first().filter(|_| end <= 0.0);
    for (from, numbers) in trained.chain(first) {
        if said.is_empty() {
            said.push_str(numbers);
            continue;
        }
        let name = given
            .first()
            .and_then(|(_, first)| Some(first.split_once(' ')?.0));
        let own = name.and_then(|name| numbers.strip_prefix(name)?.strip_prefix(' '));
        let own = own.filter(|own| !own.contains(' ')).unwrap_or(numbers);
        said.push_str(&format!(", from epoch {from} {own}"));
    }
    said
}
pub(crate) const AS_NUMBERS: &str = "as numbers";

pub(crate) const CONFUSION: &str = "Confusion matrix";
pub(crate) const PREDICTIONS: &str = "Predictions";
pub(crate) const AS_TABLE: &str = "Predictions, sample by sample";
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

/// Message about dead units of a `relu` layer.
pub(crate) fn dead(dead: u32, units: u32, layer: impl Display) -> String {
    let are = if dead == 1 { "is" } else { "are" };
    format!(
        "{dead} of {units} units of {layer} {are} dead: never above 0, so nothing comes back through them."
    )
}
