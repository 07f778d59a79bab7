//! The run of the current program: its known steps, and the position shown.

use crate::model::Shared;
use fletch_playground::protocol::{Index, NonFinite, RunStatus, Show, StepView};

/// Position that is shown, with the settings of its view.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Revision of the program that runs.
    pub revision: u32,
    /// Position and settings of the view.
    pub show: Show,
}

/// The run of a program, as far as the page knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Revision of the program that runs.
    pub revision: u32,
    /// Number of steps known.
    pub steps: u32,
    /// State of the run: running, stopped, ended or lost.
    pub state: RunState,
    /// Index of the run: stops, rules, labels and source spans; empty until the run has ended or was stopped.
    pub index: Shared<Index>,
    /// Requested position, which the slider shows.
    pub position: u32,
    /// Stop that the reader came from, if one move forward led here.
    pub from: Option<u32>,
    /// View on the screen. It may belong to an earlier position or to an earlier program.
    pub view: Option<Shared<StepView>>,
    /// Position and settings of `view`.
    pub shown: Option<Shown>,
    /// Number of steps known when the view was requested. A view also depends on the steps after its position.
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

    /// First value that is not a finite number, once the index covers the run; `None` if the view on the screen already reports
    /// one.
    pub fn non_finite(&self) -> Option<&NonFinite> {
        let told = self
            .view
            .as_ref()
            .is_some_and(|view| view.non_finite.is_some());
        self.indexed()?.non_finite.as_ref().filter(|_| !told)
    }
}

/// State of a run as the page sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// Status that the worker reports.
    Worker(RunStatus),
    /// Stopped by the reader; it can continue.
    Stopped,
    /// Lost, since the worker had to be terminated. Only the step on the screen is left.
    Lost,
}
