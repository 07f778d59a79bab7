//! The workers as the page sees them. Both run the same session: one answers for the steps, so that nothing keeps a step waiting,
//! the other one for all else that is shown of a program.

use crate::drafts::DataFile;
use crate::model::Model;
use fletch_playground::Sample;
use fletch_playground::protocol::{Ask, Edit, Mode, Request};
use std::collections::VecDeque;
use std::rc::Rc;

/// Which worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerId {
    /// The one of the steps, and of the editor.
    Steps,
    /// The one of the figures: diagrams, types, comparisons, training.
    Figures,
}

/// A worker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worker {
    /// State of the worker, from absent to failed.
    pub health: Health,
    /// Requests without an answer yet, oldest first; each gets exactly one answer, in order.
    pub in_flight: VecDeque<Rc<Request>>,
    /// The newest program that it has found to run, whose trace it keeps; 0 before there is one.
    pub holds: u32,
    /// True if the worker has been busy long enough to offer a stop.
    pub slow: bool,
    /// True if the reader asked the worker to stop.
    pub stopping: bool,
    /// The files that it was given.
    pub files: Rc<[DataFile]>,
    /// The sample whose run it puts in the place of `main`.
    pub sample: Option<Sample>,
    /// The steps that it lets a run have at most, while a lesson holds it.
    pub hold: Option<u32>,
}

/// State of a worker, from absent to failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Health {
    /// Nothing was asked of it.
    #[default]
    Absent,
    /// It has not said that it is there.
    Starting,
    /// It is there.
    Ready,
    /// It failed, with what the browser said.
    Failed(Rc<str>),
}

impl Worker {
    /// Tells if an answer to such a request is still to come.
    pub fn awaits(&self, wanted: impl Fn(&Ask) -> bool) -> bool {
        self.in_flight.iter().any(|request| wanted(&request.ask))
    }

    /// Tells if the worker was started and has not failed.
    pub fn lives(&self) -> bool {
        matches!(self.health, Health::Starting | Health::Ready)
    }
}

/// The program that the figures are about: the newest that checks. Until one does, the newest that is rejected, of which the part that stands is
/// shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The page's number for it.
    pub revision: u32,
    /// Its text.
    pub text: Rc<str>,
    /// Initial contents that take the place of the program's.
    pub heap: Rc<[Edit]>,
    /// How partial function symbols are read.
    pub mode: Mode,
    /// Its commands, `main` first, once the worker has read it.
    pub commands: Option<Rc<[String]>>,
    /// True if it is rejected.
    pub is_rejected: bool,
}

/// Something that a pane shows and does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Want {
    /// Question for the worker.
    pub ask: Ask,
    /// How far what it is about has gone; later, the same is asked again.
    pub stamp: u64,
}

impl Want {
    /// Question that is asked once for a program.
    pub fn once(ask: Ask) -> Want {
        Want { ask, stamp: 0 }
    }
}

/// The questions asked last, one for each place of the page that shows an answer. A place takes an answer to its last
/// question alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions(Vec<(Rc<Request>, u64)>);

impl Questions {
    /// True if this question was the last one for its place, about this program and as far as the program has gone.
    pub fn knows(&self, revision: u32, want: &Want) -> bool {
        let mut all = self.0.iter();
        all.any(|(request, stamp)| {
            (request.revision, *stamp) == (revision, want.stamp) && request.ask == want.ask
        })
    }

    /// Notes what is asked now.
    pub fn note(&mut self, request: Rc<Request>, stamp: u64) {
        self.forget(&request.ask);
        self.0.push((request, stamp));
    }

    /// Forgets what was asked for the place of such a question, which may then be asked again.
    pub fn forget(&mut self, ask: &Ask) {
        self.0
            .retain(|(request, _)| !share_a_place(&request.ask, ask));
    }

    /// Forgets all but what was asked for the place of such a question.
    pub fn forget_others(&mut self, ask: &Ask) {
        self.0
            .retain(|(request, _)| share_a_place(&request.ask, ask));
    }

    /// True if a request is the last one for its place.
    pub fn has(&self, request: &Rc<Request>) -> bool {
        self.0.iter().any(|(last, _)| Rc::ptr_eq(last, request))
    }
}

/// True if the answers to two questions are shown in one place. Each kind of question has a place; drawings, and the parts of the run in
/// them, have a place for each sheet.
fn share_a_place(one: &Ask, other: &Ask) -> bool {
    match (one, other) {
        (Ask::Draw(one), Ask::Draw(other)) => one.network == other.network,
        (Ask::Follow { network: one, .. }, Ask::Follow { network: other, .. }) => one == other,
        (Ask::Data(one), Ask::Data(other)) => one == other,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

impl Model {
    /// A worker.
    pub fn worker_of(&mut self, id: WorkerId) -> &mut Worker {
        match id {
            WorkerId::Steps => &mut self.worker,
            WorkerId::Figures => &mut self.second,
        }
    }

    /// The program that the figures are about, once its worker has read it.
    pub fn read(&self) -> Option<&Subject> {
        let subject = self.subject.as_deref();
        subject.filter(|subject| subject.commands.is_some())
    }

    /// True if the text is not the one that the figures are about, or does not check.
    pub fn is_ahead(&self) -> bool {
        self.is_outdated() || self.subject.as_ref().is_none_or(|it| it.is_rejected)
    }

    /// True if figures are about another text, or about the last one that did check.
    pub fn is_outdated(&self) -> bool {
        let rejected = self.check.phase == crate::editor::CheckPhase::Checked && self.errors() > 0;
        let is_current = |subject: &Rc<Subject>| {
            subject.text == self.program.text && (subject.is_rejected || !rejected)
        };
        !self.subject.as_ref().is_some_and(is_current)
    }
}
