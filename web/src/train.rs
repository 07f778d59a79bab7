//! The training that is watched: what the worker has said of it, and what is asked next.

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

/// A request advances a training by so many milliseconds: a reader who stops it waits for two of them at most.
pub const SLICE: u32 = 16;
/// So many requests are under way, so that the worker does not wait for the page.
pub const AHEAD: usize = 2;
/// Of more points than these every other one is let go of.
const POINTS: usize = 1200;

/// How fast a training goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// From stop to stop of its film, so that all of it takes about four seconds, or longer if it must.
    #[default]
    Film,
    /// As fast as it can.
    Full,
    /// So many epochs a second.
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

/// A film takes so long, in milliseconds, where the training is fast enough.
const FILM: u32 = 4000;
/// No two of its stops are nearer, in milliseconds.
const FRAME: u32 = 30;

impl Pace {
    /// The epoch to which a training goes at once, from this one of so many; all the way if nothing.
    pub fn next(self, epoch: u32, of: u32) -> Option<u32> {
        match self {
            Pace::Film => Some(next_moment(epoch, of)),
            Pace::Full => None,
            Pace::Epochs(_) => Some(epoch + 1),
        }
    }

    /// How long a training of so many epochs rests there, in milliseconds.
    pub fn rest(self, of: u32) -> u32 {
        match self {
            Pace::Film => (FILM / of.clamp(1, STOPS)).max(FRAME),
            Pace::Full => 0,
            Pace::Epochs(pace) => 1000 / pace.max(1),
        }
    }
}

/// The tab of the training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Train {
    /// The program whose training was started.
    pub asked: Option<u32>,
    /// True if the next training goes on where this one is: a number was changed by hand.
    pub keep: bool,
    /// The reader's choice of side by side (a heap for each `train` item) or one after the other; none before a choice.
    pub apart: Option<bool>,
    /// The trainings side by side with this one.
    pub lanes: Rc<Vec<Lane>>,
    /// True if the training was begun, and is not there yet.
    pub begins: bool,
    /// True if the training is to go on.
    pub going: bool,
    /// So many answers to come are older than the reader's wish that it goes on, so none of them is a reason to stop.
    pub older: usize,
    /// No further than to the end of this epoch.
    pub to: Option<u32>,
    /// How fast it goes.
    pub pace: Pace,
    /// Precision of the numbers of the training.
    pub precision: Precision,
    /// Rest until the next stop is due.
    pub rests: bool,
    /// Rare controls are open.
    pub more: bool,
    /// Last answer about the training.
    pub trained: Option<Shared<Trained>>,
    /// So many points the worker has told.
    pub known: u32,
    /// The measures so far.
    pub points: Rc<Vec<Measured>>,
    /// Why there is no training.
    pub refused: Option<Rc<EditorDiagnostic>>,
    /// The numbers of the text for which a reader may try others.
    pub numerals: Rc<Vec<Numeral>>,
    /// Pictures of predictions.
    pub pictures: Pictures,
    /// The inside of the network.
    pub inside: Inside,
    /// Runs that a reader has kept.
    pub runs: Rc<Vec<Run>>,
    /// The numbers that the handlers were given, each with the epoch from which they were, of the run that is there.
    pub given: Rc<Vec<(u32, Rc<str>)>>,
    /// The draft of the program that all of this is about.
    pub of: Rc<str>,
    /// How many runs there were.
    pub count: u32,
    /// The epoch at which the curves are read off.
    pub read: Option<f64>,
    /// How the curves are looked at.
    pub charts: Charts,
    /// A training pauses once a measure is below a number.
    pub until: Option<Goal>,
    /// Why what was typed in a field is not taken.
    pub wrong: Option<(Field, Rc<str>)>,
    /// Scalar that a slider has written into the text and is not known to be there: its number, and its value.
    pub writes: Option<(usize, f64)>,
    /// Scalar that the slider is to write next: its number, and its value.
    pub pending: Option<(usize, f64)>,
    /// The gradient check.
    pub check: Check,
    /// The heap that is carried elsewhere, and back.
    pub carrying: Carrying,
}

/// A field for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Of the scalar of this number.
    Scalar(usize),
    /// Of the numeral of this number.
    Numeral(usize),
    /// Field of the number that a measure is to come to.
    Until,
}

/// Something that a reader does.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainMsg {
    /// Train, or pause.
    Go(bool),
    /// Train to the end of the epoch.
    Epoch,
    /// Go back to where it started.
    Reset,
    /// How fast it goes.
    Pace(Pace),
    /// The next stop is due.
    Due,
    /// Look at an epoch that is past, or at where the training is.
    Past(u32),
    /// Open or close what is rare.
    More,
    /// Go on in numbers of this precision.
    Precision(Precision),
    /// Give a handler another number: the number of the scalar, what is written.
    Scalar(usize, Rc<str>),
    /// Give a handler another number, of those that come one after the other while a slider is moved.
    Slide(usize, f64),
    /// Write another number into the text: the number of the numeral, what is written.
    Numeral(usize, Rc<str>),
    /// Keep the curves so far, for comparison.
    Keep,
    /// Train each item on a heap of its own, side by side, or all one after the other.
    Apart(bool),
    /// Show the one of this number, of those that are side by side.
    Hand(u32),
    /// Forget the runs before.
    Forget,
    /// Call the run of this number so.
    Name(u32, Rc<str>),
    /// Forget the run of this number.
    Drop(u32),
    /// Read the curves off at an epoch, or no longer.
    Read(Option<f64>),
    /// Save the curves.
    Save(SaveCurves),
    /// Look at the curves in another way.
    Chart(ChartMsg),
    /// Pause once the measure of this number is below what is written; never if nothing is.
    Until(u32, Rc<str>),
    /// Show the inside of the network, or no longer.
    Inside(bool),
    /// Show the edits that are offered for the network, or no longer.
    Changes(bool),
    /// Make the edit of this number.
    Change(usize),
    /// Something with pictures and data.
    Picture(PictureMsg),
}

/// Format in which curves are saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveCurves {
    /// Numbers.
    Csv,
    /// A picture.
    Svg,
}

impl Train {
    /// Tells if the training has come to its end, after which it may go on.
    pub fn over(&self) -> bool {
        self.trained.as_ref().is_some_and(|trained| trained.over())
    }

    /// The run that is there.
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

    /// The numbers of a run, with those that are others in another run that is kept or there.
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

    /// Takes the numbers that the handlers are given from now on. Those before them stay told of the epochs that had them.
    fn give(&mut self, trained: &Trained) {
        let scalars = trained.scalars.iter();
        let given: Vec<String> = scalars
            .map(|scalar| format!("{} {}", scalar.name, scalar.value))
            .collect();
        let given: Rc<str> = given.join(", ").into();
        if self.given.last().is_none_or(|(_, last)| *last != given) {
            let known = Rc::make_mut(&mut self.given);
            known.retain(|(from, _)| *from < trained.epochs);
            // Back at what it was, it has not been another one.
            if known.last().is_none_or(|(_, last)| *last != given) {
                known.push((trained.epochs, given));
            }
        }
    }

    /// Keeps the curves of the runs that have got anywhere.
    pub fn keep_run(&mut self) {
        let now = self.now().into_iter();
        for mut run in now.filter(|run| run.points.len() > 1) {
            let runs = Rc::make_mut(&mut self.runs);
            // A part of the same run that was kept gives way to it, and leaves it its name.
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

    /// Forgets the points, which are all told again.
    pub fn clear(&mut self) {
        self.points = Rc::default();
        self.lanes = Rc::default();
        self.known = 0;
    }

    /// Takes what is new of the points.
    pub fn take(&mut self, new: &[Measured], known: u32) {
        add(&mut self.points, new);
        self.known = self.known.max(known);
    }
}

/// Adds what is new.
fn add(points: &mut Rc<Vec<Measured>>, new: &[Measured]) {
    let points = Rc::make_mut(points);
    for point in new {
        // Of two requests that were under way both answers may have it.
        if points.last().is_none_or(|last| last.epochs < point.epochs) {
            points.push(point.clone());
        }
    }
    if points.len() > POINTS {
        let last = points.len() - 1;
        let mut at = 0;
        points.retain(|_| {
            at += 1;
            (at - 1) % 2 == 0 || at - 1 == last
        });
    }
}
