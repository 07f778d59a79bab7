//! The state of a training, as a front end observes it. A training advances only in slices that the front end requests, so it
//! stops when the requests stop.

use super::inside::Inside;
use super::numerals::Numeral;
use super::pictures::{Pictured, Sketch};
use crate::clip;
use crate::program::Program;
use fletch_elaborate::hyperparameters;
use fletch_engine::Precision;
use fletch_ide::{EditorDiagnostic, place};
use fletch_print::Blocks;
use fletch_runs::live::{At, Live};
use fletch_smooth::Tensor;
use fletch_syntax::tree::{ItemKind, MeasureDecl};
use serde::{Deserialize, Serialize};

/// Maximum number of entries of a tensor in a reply; a larger tensor is represented by blocks.
const ENTRIES: usize = 1024;

/// Request about a training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Number of points that the front end has already received.
    pub known: u32,
    /// Action to perform before the state is returned.
    pub asked: Asked,
}

/// Action on a training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Asked {
    /// Plan the training, and start from the heap of the program.
    Start(Begin),
    /// Train for about this time.
    Advance {
        /// Training time, in milliseconds; at most about 50, so that a reader can stop the training.
        milliseconds: u32,
        /// Epoch, from 1, at whose end the training pauses at the latest.
        to: Option<u32>,
        /// Goal at which the training pauses.
        until: Option<Goal>,
    },
    /// Continue after the end, with the same number of epochs again.
    GoOn,
    /// Return to the initial heap.
    Reset,
    /// Select the training of this index among those side by side.
    Hand(u32),
    /// Show the heap and the picture of a past epoch.
    Past(u32),
}

/// A goal: a measure that falls below a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// Index of the measure.
    pub measure: u32,
    /// The number.
    pub below: f64,
}

/// Options for the start of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begin {
    /// True to continue from the heap of the previous training, if it has as many items: a number in the program was changed,
    /// or its data.
    pub keep: bool,
    /// Precision of the numbers.
    pub precision: Precision,
    /// True to train the items side by side, with a heap for each; false to train them one after the other on one heap.
    /// `None`: side by side if the items differ only in their handlers.
    pub apart: Option<bool>,
}

/// State of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// Number of complete epochs of all items.
    pub epochs: u32,
    /// Past epoch whose heap and picture are in this reply, if one is shown.
    pub past: Option<u32>,
    /// Total number of epochs of all items.
    pub of: u32,
    /// Number of steps made, of all items.
    pub steps: u64,
    /// Steps per second, once known.
    pub speed: Option<f64>,
    /// True if the training has ended.
    pub ended: bool,
    /// Diagnostic that stopped the training before its end.
    pub stopped: Option<EditorDiagnostic>,
    /// Name of the data set of the current item, or of the last item.
    pub data: String,
    /// Number of samples of that data set, or of its batches.
    pub samples: u32,
    /// Names of the measures.
    pub measures: Vec<String>,
    /// For each measure, the name of its data set.
    pub sets: Vec<String>,
    /// For each measure, the index of the first measure with the same command, perhaps on another data set.
    pub alike: Vec<u32>,
    /// True if the training has reached its goal: the measure is below its number, in every training side by side that continues.
    pub reached: bool,
    /// Measures that the front end has not received yet.
    pub points: Vec<Measured>,
    /// Current contents of the locations.
    pub heap: Vec<Cell>,
    /// Reason for which the training does not run as a generated module, if it does not.
    pub not_generated: Option<String>,
    /// Precision of the numbers.
    pub precision: Precision,
    /// Numbers that the handlers take as arguments.
    pub scalars: Vec<Scalar>,
    /// Numbers in the program that a reader may vary, sent when the training starts.
    pub numerals: Vec<Numeral>,
    /// Sketches of the predictions, sent when the training starts.
    pub sketches: Vec<Sketch>,
    /// Current picture of each training and prediction; empty if there was no time for pictures.
    pub pictures: Vec<Pictured>,
    /// Inside of the network, if it is open and there was time for it.
    pub inside: Option<Inside>,
    /// True if the training continues the previous one, sent when it starts.
    pub goes_on: bool,
    /// Number of `train` items of the program.
    pub items: u32,
    /// Index of this training among those side by side, from 0.
    pub number: u32,
    /// Names of the trainings side by side: the texts of their handlers. Empty if all items train one after the other.
    pub names: Vec<String>,
    /// States of the other trainings side by side.
    pub beside: Vec<Beside>,
}

impl Trained {
    /// True if all trainings side by side have ended or stopped.
    pub fn rests(&self) -> bool {
        let over = |ended: bool, stopped: &Option<EditorDiagnostic>| ended || stopped.is_some();
        over(self.ended, &self.stopped)
            && (self.beside.iter()).all(|beside| over(beside.ended, &beside.stopped))
    }

    /// True if all trainings have ended or stopped, and this one without a diagnostic. Then they can be extended.
    pub fn over(&self) -> bool {
        self.rests() && self.stopped.is_none() && self.of > 0
    }

    /// Smallest number of complete epochs among the trainings that continue.
    pub fn least(&self) -> u32 {
        let going = |ended: bool, stopped: &Option<EditorDiagnostic>| !ended && stopped.is_none();
        let beside = self.beside.iter();
        let beside = beside.filter(|beside| going(beside.ended, &beside.stopped));
        let own = going(self.ended, &self.stopped).then_some(self.epochs);
        let all = beside.map(|beside| beside.epochs).chain(own);
        all.min().unwrap_or(self.epochs)
    }
}

/// State of a training side by side with the selected one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Index of the training, from 0.
    pub number: u32,
    /// Number of complete epochs.
    pub epochs: u32,
    /// Total number of epochs.
    pub of: u32,
    /// True if the training has ended.
    pub ended: bool,
    /// Diagnostic that stopped the training before its end.
    pub stopped: Option<EditorDiagnostic>,
    /// Measures that the front end has not received yet.
    pub points: Vec<Measured>,
}

/// The measures at one time, a point of the curves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Number of epochs so far, including the fraction of the current one.
    pub epochs: f64,
    /// Mean of each measure.
    pub values: Vec<f64>,
}

/// A location with its contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Name, such as `ℓ0`.
    pub name: String,
    /// Shape, such as `8 × 2`.
    pub shape: String,
    /// Number of rows as drawn.
    pub rows: u32,
    /// Number of columns as drawn.
    pub columns: u32,
    /// True if every entry is present. Otherwise each number is the entry farthest from zero of a block.
    pub whole: bool,
    /// Entries, row-major.
    pub entries: Vec<f64>,
}

/// A number that a handler takes as an argument.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scalar {
    /// Name of the handler, such as `H`.
    pub handler: String,
    /// Name of the parameter, such as `α`.
    pub name: String,
    /// Value of the argument.
    pub value: f64,
    /// Line of the number, from 1.
    pub line: u32,
    /// Start of the number's span, in UTF-16 code units.
    pub from: u32,
    /// End of the number's span, in UTF-16 code units.
    pub to: u32,
}

/// Locations that the reader has edited, with their initial contents.
pub(super) fn heap(program: &Program) -> Vec<(String, Tensor)> {
    let edits = program.heap.iter();
    let main = program.checked.main.as_ref();
    let locations = main.map(|main| (&main.program.locations, &main.program.initial));
    edits
        .filter_map(|edit| {
            let (locations, initial) = locations?;
            let mut known = locations.iter().zip(initial);
            let (_, contents) = known.find(|(location, _)| *location.name == *edit.location)?;
            Some((edit.location.clone(), contents.clone()))
        })
        .collect()
}

/// State of a training, for a front end that has received the first `known` points.
pub(super) fn trained(program: &Program, live: &Live, known: usize) -> Trained {
    let index = &program.checked.index;
    let At {
        epochs,
        of,
        steps,
        ended,
        ..
    } = live.at();
    let scalars = hyperparameters(&program.checked.program);
    let measured = measured(program, live);
    Trained {
        epochs: clip(epochs),
        of: clip(of),
        steps: steps as u64,
        speed: live.speed(),
        ended,
        stopped: live.stopped().map(|why| place::for_editor(why, index)),
        data: live.data().to_owned(),
        samples: clip(live.samples()),
        measures: live.measures().map(str::to_owned).collect(),
        sets: measured
            .iter()
            .map(|it| it.map_or_else(String::new, |it| it.data.text.to_string()))
            .collect(),
        alike: alike(&measured),
        points: points(live, known),
        heap: live.heap().iter().map(cell).collect(),
        not_generated: live.not_generated().map(str::to_owned),
        precision: live.precision(),
        scalars: scalars
            .into_iter()
            .map(|found| {
                let (from, to) = place::utf16(found.span, index);
                Scalar {
                    handler: found.handler,
                    name: found.name,
                    value: found.value,
                    line: index.line_column(found.span.start).0,
                    from,
                    to,
                }
            })
            .collect(),
        ..Trained::default()
    }
}

/// Declaration of each measure, by name.
fn measured<'p>(program: &'p Program, live: &Live) -> Vec<Option<&'p MeasureDecl>> {
    let items = program.checked.program.items.iter();
    let measures = items.filter_map(|item| match &item.node {
        ItemKind::Measure(measure) => Some(measure),
        _ => None,
    });
    let measures: Vec<_> = measures.collect();
    let names = live.measures();
    let found = names.map(|name| measures.iter().find(|it| *it.name.text == *name).copied());
    found.collect()
}

/// For each measure, the index of the first measure with the same command.
fn alike(found: &[Option<&MeasureDecl>]) -> Vec<u32> {
    let first = |(number, own): (usize, &Option<&MeasureDecl>)| {
        let mut others = found.iter().take(number);
        let same = own.and_then(|own| {
            let like =
                |other: &MeasureDecl| (&other.pattern, &other.body) == (&own.pattern, &own.body);
            others.position(|other| other.is_some_and(like))
        });
        clip(same.unwrap_or(number))
    };
    found.iter().enumerate().map(first).collect()
}

/// Points of a training after the first `known`; all points if there are fewer.
fn points(live: &Live, known: usize) -> Vec<Measured> {
    let points = live.points().get(known..).unwrap_or(live.points());
    let points = points.iter().map(|point| Measured {
        epochs: point.epochs,
        values: point.values.clone(),
    });
    points.collect()
}

/// State of a training side by side with the selected one, for a front end that has received its first `told` points.
pub(super) fn beside(program: &Program, live: &Live, number: usize, told: usize) -> Beside {
    let At {
        epochs, of, ended, ..
    } = live.at();
    let index = &program.checked.index;
    Beside {
        number: clip(number),
        epochs: clip(epochs),
        of: clip(of),
        ended,
        stopped: live.stopped().map(|why| place::for_editor(why, index)),
        points: points(live, told),
    }
}

pub(super) fn cell((name, contents): &(String, Tensor)) -> Cell {
    let blocks = Blocks::of(contents, ENTRIES);
    Cell {
        name: name.clone(),
        shape: contents.shape().to_string(),
        rows: clip(blocks.rows()),
        columns: clip(blocks.columns()),
        whole: blocks.is_whole(),
        entries: blocks.entries(contents),
    }
}
