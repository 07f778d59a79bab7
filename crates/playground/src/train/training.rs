//! The training of a program, watched: started, advanced a while at a time by whoever asks, so that it stops when nobody asks.

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

/// A map carries no more entries than this; of a larger tensor it shows blocks.
const ENTRIES: usize = 1024;

/// Request about a training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Number of points that the front end has.
    pub known: u32,
    /// Action to perform before the state is reported.
    pub asked: Asked,
}

/// Action on a training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Asked {
    /// Plan it, from the heap of the program.
    Start(Begin),
    /// Train for about so long, in milliseconds.
    Advance {
        /// Time to train; at most 50 or so, where a reader may want to stop.
        milliseconds: u32,
        /// No further than to the end of this epoch, from 1.
        to: Option<u32>,
        /// No further than to where a measure is below a number.
        until: Option<Goal>,
    },
    /// Go on after its end, with as many epochs again.
    GoOn,
    /// Go back to where it started.
    Reset,
    /// Show the one of this number, of those that are side by side.
    Hand(u32),
    /// Show the heap and the picture of an epoch that is past.
    Past(u32),
}

/// A measure below a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// The measure of this number.
    pub measure: u32,
    /// The number.
    pub below: f64,
}

/// Options for the start of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begin {
    /// Go on where the one before is, if it has as many items: some number in the program was changed, or its data.
    pub keep: bool,
    /// In these numbers.
    pub precision: Precision,
    /// Side by side, a heap for each item, or one after the other on one heap. None: side by side if the items differ in their
    /// handlers alone.
    pub apart: Option<bool>,
}

/// State of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The complete epochs of all items.
    pub epochs: u32,
    /// The past epoch whose heap and picture this tells, if it does.
    pub past: Option<u32>,
    /// All epochs of all items.
    pub of: u32,
    /// The steps of all items.
    pub steps: u64,
    /// Steps a second, once that is known.
    pub speed: Option<f64>,
    /// True if the training has ended.
    pub ended: bool,
    /// Diagnostic that stopped the training before its end.
    pub stopped: Option<EditorDiagnostic>,
    /// The data set of the item at work, or of the last.
    pub data: String,
    /// The samples of it, or its batches.
    pub samples: u32,
    /// The names of the measures.
    pub measures: Vec<String>,
    /// For each measure, the data set that it is of.
    pub sets: Vec<String>,
    /// For each measure, the number of the first with the same command, perhaps on another data set.
    pub alike: Vec<u32>,
    /// True if the training has reached its goal: the measure is below its number, in every training side by side.
    pub reached: bool,
    /// The measures that were not known yet.
    pub points: Vec<Measured>,
    /// Current contents of the locations.
    pub heap: Vec<Cell>,
    /// Reason for which the training does not run as a generated module, if it does not.
    pub not_generated: Option<String>,
    /// Precision of the numbers.
    pub precision: Precision,
    /// The numbers that its handlers are given.
    pub scalars: Vec<Scalar>,
    /// The numbers of the text for which a reader may try others, told when it starts.
    pub numerals: Vec<Numeral>,
    /// Sketches of the predictions, sent when the training starts.
    pub sketches: Vec<Sketch>,
    /// Picture on display of each training, if there was time for it.
    pub pictures: Vec<Pictured>,
    /// The inside of the network, where it is open and there was time for it.
    pub inside: Option<Inside>,
    /// True if the training continues the one before, sent when it starts.
    pub goes_on: bool,
    /// Number of `train` items of the program.
    pub items: u32,
    /// Number of this training among those side by side, from 0.
    pub number: u32,
    /// Names of the trainings side by side: their handlers. Empty if all items train one after the other.
    pub names: Vec<String>,
    /// The other trainings.
    pub beside: Vec<Beside>,
}

impl Trained {
    /// True if this training and all beside it have ended or stopped.
    pub fn rests(&self) -> bool {
        let over = |ended: bool, stopped: &Option<EditorDiagnostic>| ended || stopped.is_some();
        over(self.ended, &self.stopped)
            && (self.beside.iter()).all(|beside| over(beside.ended, &beside.stopped))
    }

    /// True if all trainings have ended without a diagnostic, after which they can be extended.
    pub fn over(&self) -> bool {
        self.rests() && self.stopped.is_none() && self.of > 0
    }

    /// The complete epochs of those that are behind, and go on.
    pub fn least(&self) -> u32 {
        let going = |ended: bool, stopped: &Option<EditorDiagnostic>| !ended && stopped.is_none();
        let beside = self.beside.iter();
        let beside = beside.filter(|beside| going(beside.ended, &beside.stopped));
        let own = going(self.ended, &self.stopped).then_some(self.epochs);
        let all = beside.map(|beside| beside.epochs).chain(own);
        all.min().unwrap_or(self.epochs)
    }
}

/// State of a training beside the selected one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// From 0.
    pub number: u32,
    /// The complete epochs.
    pub epochs: u32,
    /// All epochs.
    pub of: u32,
    /// True if the training has ended.
    pub ended: bool,
    /// Diagnostic that stopped the training before its end.
    pub stopped: Option<EditorDiagnostic>,
    /// The measures that were not told yet.
    pub points: Vec<Measured>,
}

/// The measures at one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// After so many epochs, and the part of one that has begun.
    pub epochs: f64,
    /// The mean of each measure.
    pub values: Vec<f64>,
}

/// A location.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// `ℓ0`
    pub name: String,
    /// `8 × 2`
    pub shape: String,
    /// Rows as drawn.
    pub rows: u32,
    /// Columns as drawn.
    pub columns: u32,
    /// True if every entry is present; else each entry is the one farthest from zero in its block.
    pub whole: bool,
    /// The entries, row-major.
    pub entries: Vec<f64>,
}

/// A number that a handler is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scalar {
    /// `H`
    pub handler: String,
    /// `α`
    pub name: String,
    /// The number.
    pub value: f64,
    /// Line of the number, from 1.
    pub line: u32,
    /// Start of the number's span, in UTF-16 code units.
    pub from: u32,
    /// End of that span.
    pub to: u32,
}

/// Initial contents of the locations that the reader has edited.
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

/// State of a training, for a front end that knows the first `known` points.
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

/// The declaration of each measure.
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

/// For each measure, the number of the first with the same command.
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

/// The points of a training that are not known.
fn points(live: &Live, known: usize) -> Vec<Measured> {
    let points = live.points().get(known..).unwrap_or(live.points());
    let points = points.iter().map(|point| Measured {
        epochs: point.epochs,
        values: point.values.clone(),
    });
    points.collect()
}

/// State of a training beside the selected one, for a front end that was sent the first `told` points.
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
