//! The run on show: how far it is known, and which position is shown.

use crate::model::Shared;
use fletch_playground::protocol::{Index, NonFinite, RunStatus, Show, StepView};

/// A position that is shown, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The program whose run it is of.
    pub revision: u32,
    /// The position, and how it is looked at.
    pub show: Show,
}

/// A run: how far it is known and which position is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The program it belongs to.
    pub revision: u32,
    /// The number of steps known.
    pub steps: u32,
    /// State of the run: whether and how it ended.
    pub state: RunState,
    /// Where one can go in it, once it has ended or stopped.
    pub index: Shared<Index>,
    /// The position asked for: what the slider says.
    pub position: u32,
    /// The stop that the reader came from, if it was by one move.
    pub from: Option<u32>,
    /// The view on the screen, perhaps of an earlier position or of an earlier program.
    pub view: Option<Shared<StepView>>,
    /// Position that `view` shows, and how.
    pub shown: Option<Shown>,
    /// The number of steps that were known when the view was last asked for: it tells of steps to come too.
    pub known: u32,
    /// True if the last change of position was the reader's, so that the editor may scroll along.
    pub follow: bool,
}

impl Trace {
    /// True if the run may have more steps than are known.
    pub fn may_go_on(&self) -> bool {
        matches!(
            self.state,
            RunState::Stopped | RunState::Worker(RunStatus::Running | RunStatus::Exhausted(_))
        )
    }

    /// The first value that is no finite number, once the steps are listed, unless what is on the screen tells of it.
    pub fn non_finite(&self) -> Option<&NonFinite> {
        let told = self
            .view
            .as_ref()
            .is_some_and(|view| view.non_finite.is_some());
        self.indexed()?.non_finite.as_ref().filter(|_| !told)
    }
}

/// State of a run as the page sees it: whether and how it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// Status that the worker reports.
    Worker(RunStatus),
    /// The reader stopped it; it can go on.
    Stopped,
    /// The worker had to be ended, so the steps are gone but for the one on the screen.
    Lost,
}
