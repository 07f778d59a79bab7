//! The workers as the page sees them. Both run the same session. One answers requests about the steps, so that no long
//! computation delays a step; the other one computes the figures.

use crate::drafts::DataFile;
use crate::model::Model;
use fletch_playground::Sample;
use fletch_playground::protocol::{Ask, Edit, Mode, Request};
use std::collections::VecDeque;
use std::rc::Rc;

/// Identifier of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerId {
    /// The worker of the steps and of the editor.
    Steps,
    /// The worker of the figures: diagrams, types, comparisons, training.
    Figures,
}

/// State of a worker, with the data that it was sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worker {
    /// State of the worker, from absent to failed.
    pub health: Health,
    /// Requests without an answer yet, oldest first; each gets exactly one answer, in order.
    pub in_flight: VecDeque<Rc<Request>>,
    /// Revision of the newest runnable program that the worker has checked, whose trace it keeps; 0 before there is
    /// one.
    pub holds: u32,
    /// True if the worker has been busy long enough that the page offers to stop it.
    pub slow: bool,
    /// True if the reader asked the worker to stop.
    pub stopping: bool,
    /// Data files that were sent to the worker.
    pub files: Rc<[DataFile]>,
    /// Training sample, sent to the worker, whose run replaces the run of `main`.
    pub sample: Option<Sample>,
    /// Maximum number of steps that the worker may run, while a lesson holds the run.
    pub hold: Option<u32>,
}

/// State of a worker, from absent to failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Health {
    /// The worker was not started.
    #[default]
    Absent,
    /// The worker was started and has not reported yet.
    Starting,
    /// The worker answers requests.
    Ready,
    /// The worker failed, with the browser's message.
    Failed(Rc<str>),
}

impl Worker {
    /// True if a request that satisfies `wanted` is unanswered.
    pub fn awaits(&self, wanted: impl Fn(&Ask) -> bool) -> bool {
        self.in_flight.iter().any(|request| wanted(&request.ask))
    }

    /// True if the worker was started and has not failed.
    pub fn lives(&self) -> bool {
        matches!(self.health, Health::Starting | Health::Ready)
    }
}

/// The program that the figures show: the newest one that checks. Until one checks it is the newest rejected one,
/// whose well-formed items are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Revision of the program.
    pub revision: u32,
    /// Source text of the program.
    pub text: Rc<str>,
    /// Initial contents of the heap that replace the program's.
    pub heap: Rc<[Edit]>,
    /// Reading of partial function symbols, and use of shortcuts.
    pub mode: Mode,
    /// Names of the commands, `main` first, once the worker has checked the program.
    pub commands: Option<Rc<[String]>>,
    /// True if the program is rejected.
    pub is_rejected: bool,
}

/// Something that a pane needs in order to show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Want {
    /// Question for the worker.
    pub ask: Ask,
    /// Progress of the thing that the question is about. With another stamp the same question is sent again.
    pub stamp: u64,
}

impl Want {
    /// Question that is sent once for each program.
    pub fn once(ask: Ask) -> Want {
        Want { ask, stamp: 0 }
    }
}

/// The last question, with its stamp, for each figure. A figure accepts only the answer to its last question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions(Vec<(Rc<Request>, u64)>);

impl Questions {
    /// True if this question, with this stamp, was the last one of its figure for this revision of the program.
    pub fn knows(&self, revision: u32, want: &Want) -> bool {
        let mut all = self.0.iter();
        all.any(|(request, stamp)| {
            (request.revision, *stamp) == (revision, want.stamp) && request.ask == want.ask
        })
    }

    /// Records a request as the last one of its figure.
    pub fn note(&mut self, request: Rc<Request>, stamp: u64) {
        self.forget(&request.ask);
        self.0.push((request, stamp));
    }

    /// Forgets the last question of the figure that such a question belongs to, so that it may be sent again.
    pub fn forget(&mut self, ask: &Ask) {
        self.0
            .retain(|(request, _)| !share_a_place(&request.ask, ask));
    }

    /// Forgets the last question of every figure but the one that such a question belongs to.
    pub fn forget_others(&mut self, ask: &Ask) {
        self.0
            .retain(|(request, _)| share_a_place(&request.ask, ask));
    }

    /// True if a request is the last one of its figure.
    pub fn has(&self, request: &Rc<Request>) -> bool {
        self.0.iter().any(|(last, _)| Rc::ptr_eq(last, request))
    }
}

/// True if the answers to two questions are shown in the same figure. Each kind of question has one figure. Drawings
/// and links to the steps have one for each sheet, `Data` has one for each argument.
fn share_a_place(one: &Ask, other: &Ask) -> bool {
    match (one, other) {
        (Ask::Draw(one), Ask::Draw(other)) => one.network == other.network,
        (Ask::Follow { network: one, .. }, Ask::Follow { network: other, .. }) => one == other,
        (Ask::Data(one), Ask::Data(other)) => one == other,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

impl Model {
    /// State of the worker with this identifier.
    pub fn worker_of(&mut self, id: WorkerId) -> &mut Worker {
        match id {
            WorkerId::Steps => &mut self.worker,
            WorkerId::Figures => &mut self.second,
        }
    }

    /// The program that the figures show, once their worker has checked it.
    pub fn read(&self) -> Option<&Subject> {
        let subject = self.subject.as_deref();
        subject.filter(|subject| subject.commands.is_some())
    }

    /// True if the text is not the one that the figures show, or does not check.
    pub fn is_ahead(&self) -> bool {
        self.is_outdated() || self.subject.as_ref().is_none_or(|it| it.is_rejected)
    }

    /// True if the figures show another text, or the last one that did check.
    pub fn is_outdated(&self) -> bool {
        let rejected = self.check.phase == crate::editor::CheckPhase::Checked && self.errors() > 0;
        let is_current = |subject: &Rc<Subject>| {
            subject.text == self.program.text && (subject.is_rejected || !rejected)
        };
        !self.subject.as_ref().is_some_and(is_current)
    }
}
