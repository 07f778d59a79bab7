//! State of the training tab: the last report of the worker, the curves, and the reader's settings. A training runs the program's
//! `train` items. Its film is a sequence of epochs, the stops, at which it rests so that it can be watched.

pub mod axis;
pub mod beside;
pub mod charts;
pub mod check;
pub mod inside;
pub mod pictures;
pub mod runs;
pub mod sampled;
#[cfg(test)]
mod tests;
pub(crate) mod texts;
pub(crate) mod update;
pub(crate) mod view;

use crate::model::Shared;
use beside::Lane;
use charts::{ChartMsg, Charts};
use check::{Carrying, Check};
use fletch_playground::protocol::{
    EditorDiagnostic, Goal, Measured, Numeral, Precision, STOPS, Trained, next_moment,
};
use inside::Inside;
use pictures::{PictureMsg, Pictures};
use runs::{KEPT, Run};
use std::rc::Rc;

/// Time that one request advances a training, in milliseconds. A reader who stops the training waits for at most two requests.
pub const SLICE: u32 = 16;
/// Number of requests under way, so that the worker does not wait for the page.
pub const AHEAD: usize = 2;
/// Maximum number of points of a curve. Beyond it every other point is dropped.
const POINTS: usize = 1200;

/// Pace of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// From stop to stop of its film. The whole film takes about four seconds, or longer for a slow training.
    #[default]
    Film,
    /// As fast as it can.
    Full,
    /// A number of epochs per second.
    Epochs(u32),
}

/// The paces that are offered.
pub const PACES: [Pace; 5] = [
    Pace::Film,
    Pace::Full,
    Pace::Epochs(50),
    Pace::Epochs(10),
    Pace::Epochs(1),
];

/// Duration of a film, in milliseconds, if the training is fast enough.
const FILM: u32 = 4000;
/// Least time between two stops of a film, in milliseconds.
const FRAME: u32 = 30;

impl Pace {
    /// Epoch to which a training of `of` epochs advances next from `epoch`; `None` if it advances to the end.
    pub fn next(self, epoch: u32, of: u32) -> Option<u32> {
        match self {
            Pace::Film => Some(next_moment(epoch, of)),
            Pace::Full => None,
            Pace::Epochs(_) => Some(epoch + 1),
        }
    }

    /// Time for which a training of `of` epochs rests at a stop, in milliseconds.
    pub fn rest(self, of: u32) -> u32 {
        match self {
            Pace::Film => (FILM / of.clamp(1, STOPS)).max(FRAME),
            Pace::Full => 0,
            Pace::Epochs(pace) => 1000 / pace.max(1),
        }
    }
}

/// State of the training tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Train {
    /// Revision of the program whose training was requested.
    pub asked: Option<u32>,
    /// True if the next training continues from the heap of this one, since a scalar was edited in the tab.
    pub keep: bool,
    /// The reader's choice to train the `train` items side by side, each on its own heap, or one after the other; `None` before a
    /// choice.
    pub apart: Option<bool>,
    /// Trainings side by side with the selected one.
    pub lanes: Rc<Vec<Lane>>,
    /// True if a training was requested that the worker has not reported yet.
    pub begins: bool,
    /// True if the training is to continue.
    pub going: bool,
    /// Number of awaited replies that were requested before the reader let the training continue. They must not stop it.
    pub older: usize,
    /// Epoch at whose end the training stops.
    pub to: Option<u32>,
    /// Pace of the training.
    pub pace: Pace,
    /// Precision of the numbers of the training.
    pub precision: Precision,
    /// True while the training rests at a stop.
    pub rests: bool,
    /// True if the less frequent controls are open.
    pub more: bool,
    /// Last report about the training.
    pub trained: Option<Shared<Trained>>,
    /// Number of points that the worker has sent.
    pub known: u32,
    /// Measures so far.
    pub points: Rc<Vec<Measured>>,
    /// Reason why there is no training.
    pub refused: Option<Rc<EditorDiagnostic>>,
    /// Numbers in the text that the reader may change, such as sizes and seeds.
    pub numerals: Rc<Vec<Numeral>>,
    /// Pictures of predictions.
    pub pictures: Pictures,
    /// State of the inside of the network.
    pub inside: Inside,
    /// Runs that the reader has kept.
    pub runs: Rc<Vec<Run>>,
    /// Scalars that the handlers were given in the current run, each list with the first epoch that used it.
    pub given: Rc<Vec<(u32, Rc<str>)>>,
    /// Draft whose program is trained.
    pub of: Rc<str>,
    /// Number of runs kept so far, including those dropped later.
    pub count: u32,
    /// Epoch at which the curves are read off.
    pub read: Option<f64>,
    /// Settings of the charts.
    pub charts: Charts,
    /// Goal at which a training pauses: a measure below a number.
    pub until: Option<Goal>,
    /// Error in a field: the field, and why its text is rejected.
    pub wrong: Option<(Field, Rc<str>)>,
    /// Scalar that a slider has written into the text and that the worker has not confirmed: its index, and its value.
    pub writes: Option<(usize, f64)>,
    /// Scalar that the slider is to write next: its index, and its value.
    pub pending: Option<(usize, f64)>,
    /// State of the gradient check.
    pub check: Check,
    /// State of saving and loading the heap.
    pub carrying: Carrying,
}

/// Field for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Field of the scalar with this index.
    Scalar(usize),
    /// Field of the numeral with this index.
    Numeral(usize),
    /// Field of the goal of a measure.
    Until,
}

/// Action of the reader in the training tab, or an event of its timer.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainMsg {
    /// Train (true) or pause.
    Go(bool),
    /// Train to the end of the current epoch.
    Epoch,
    /// Reset the training to its start.
    Reset,
    /// Select a pace.
    Pace(Pace),
    /// Continue: the rest at a stop is over.
    Due,
    /// Show a past epoch, or the current state of the training.
    Past(u32),
    /// Open or close the less frequent controls.
    More,
    /// Continue in numbers of this precision.
    Precision(Precision),
    /// Set a scalar of a handler: its index, and the text of its field.
    Scalar(usize, Rc<str>),
    /// Set a scalar of a handler while its slider moves: its index, and its value.
    Slide(usize, f64),
    /// Set a numeral in the text: its index, and the text of its field.
    Numeral(usize, Rc<str>),
    /// Keep the curves so far, for comparison.
    Keep,
    /// Train the items side by side, each on its own heap, or one after the other.
    Apart(bool),
    /// Select the training with this index, of those side by side.
    Hand(u32),
    /// Drop all kept runs.
    Forget,
    /// Name the run with this number.
    Name(u32, Rc<str>),
    /// Drop the run with this number.
    Drop(u32),
    /// Read the curves off at an epoch, or stop doing so.
    Read(Option<f64>),
    /// Save the curves.
    Save(SaveCurves),
    /// Change the settings of the charts.
    Chart(ChartMsg),
    /// Set the goal: pause once the measure with this index is below the number in the text; an empty text removes the goal.
    Until(u32, Rc<str>),
    /// Show or hide the inside of the network.
    Inside(bool),
    /// Show or hide the edits that are offered for the network.
    Changes(bool),
    /// Make the edit with this index.
    Change(usize),
    /// Act on pictures and data.
    Picture(PictureMsg),
}

/// Format in which curves are saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveCurves {
    /// A table of numbers.
    Csv,
    /// A picture.
    Svg,
}

impl Train {
    /// True if the training has reached its end, after which it can be extended.
    pub fn over(&self) -> bool {
        self.trained.as_ref().is_some_and(|trained| trained.over())
    }

    /// The current run.
    pub fn run(&self) -> Run {
        let trained = self.trained.as_ref();
        let end = self.points.last().map_or(0.0, |point| point.epochs);
        Run {
            number: self.count + 1,
            given: texts::given(&self.given, end).into(),
            numerals: self.numerals.iter().map(texts::numeral).collect(),
            measures: trained.map_or(Rc::default(), |trained| trained.measures.as_slice().into()),
            points: self.points.clone(),
            ..Run::default()
        }
    }

    /// Description of a run: its scalars, and the sizes, noise and seeds that differ in another run, kept or current.
    pub fn said(&self, run: &Run) -> String {
        let now = std::iter::once(self.run());
        let own = now.filter(|now| now.number != run.number);
        let others = self.runs.iter().filter(|other| other.number != run.number);
        let all: Vec<Run> = std::iter::once(run.clone())
            .chain(others.cloned())
            .chain(own)
            .collect();
        let told = runs::told(&all);
        told.first()
            .map_or_else(String::new, |run| run.given.to_string())
    }

    /// Records the scalars that the handlers are given from now on. Earlier scalars stay recorded for the epochs that used them.
    fn give(&mut self, trained: &Trained) {
        let scalars = trained.scalars.iter();
        let given: Vec<String> = scalars
            .map(|scalar| format!("{} {}", scalar.name, scalar.value))
            .collect();
        let given: Rc<str> = given.join(", ").into();
        if self.given.last().is_none_or(|(_, last)| *last != given) {
            let known = Rc::make_mut(&mut self.given);
            known.retain(|(from, _)| *from < trained.epochs);
            // A scalar that returned to its value before any step has not changed.
            if known.last().is_none_or(|(_, last)| *last != given) {
                known.push((trained.epochs, given));
            }
        }
    }

    /// Keeps the curves of the current runs, unless they have at most one point.
    pub fn keep_run(&mut self) {
        let now = self.now().into_iter();
        for mut run in now.filter(|run| run.points.len() > 1) {
            let runs = Rc::make_mut(&mut self.runs);
            // A kept run that this run extends is replaced, and its name is inherited.
            let part = |other: &Run| run.points.starts_with(&other.points);
            if let Some(before) = runs.iter().rfind(|other| part(other)) {
                run.name = before.name.clone();
            }
            runs.retain(|other| !run.points.starts_with(&other.points));
            runs.push(run);
            if runs.len() > KEPT {
                runs.remove(0);
            }
            self.count += 1;
        }
    }

    /// Drops all points; the worker sends them again.
    pub fn clear(&mut self) {
        self.points = Rc::default();
        self.lanes = Rc::default();
        self.known = 0;
    }

    /// Appends new points, and notes how many the worker has sent.
    pub fn take(&mut self, new: &[Measured], known: u32) {
        add(&mut self.points, new);
        self.known = self.known.max(known);
    }
}

/// Appends new points, and thins the curve if it has too many.
fn add(points: &mut Rc<Vec<Measured>>, new: &[Measured]) {
    let points = Rc::make_mut(points);
    for point in new {
        // Two requests under way may both be answered with the same point.
        if points.last().is_none_or(|last| last.epochs < point.epochs) {
            points.push(point.clone());
        }
    }
    thin(points, POINTS);
}

/// Drops every other element, but not the last one, if there are more than `most`.
fn thin<T>(all: &mut Vec<T>, most: usize) {
    if all.len() <= most {
        return;
    }
    let last = all.len() - 1;
    let mut at = 0;
    all.retain(|_| {
        at += 1;
        (at - 1) % 2 == 0 || at - 1 == last
    });
}
