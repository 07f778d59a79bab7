//! What the page knows of its figures, which are a module of their own.

use super::{DataFile, Theme};
use crate::talk::{At, Same, Tab};
use fletch_link::Diagram;
use fletch_playground::Sample;
use fletch_playground::protocol::Edit;
use std::rc::Rc;

/// The figures beside the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// What is shown.
    pub tab: Tab,
    /// Whether they are there.
    pub state: Opening,
    /// What they were told last.
    pub told: Told,
    /// The call, or the return clause, whose box they are to show once they are there: the position that met it.
    pub sought: Option<u32>,
    /// Whether it is to be said at each step that the arrow stays the same, here and on later visits.
    pub marks: bool,
    /// What they said of the last step that they were asked about.
    pub same: Option<Same>,
    /// Whether the arrows of the step are asked for.
    pub step: bool,
    /// Whether the program as a module of Python is asked for.
    pub export: bool,
    /// Whether what they show in the tab of comparisons is about the step.
    pub about_step: bool,
    /// What the diagram shows.
    pub look: Diagram,
    /// The sample of the training whose run stands in the place of `main`.
    pub sampled: Option<Rc<Sampled>>,
}

/// A sample of the training that is stepped through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampled {
    /// The sample.
    pub sample: Sample,
    /// Its data set.
    pub data: Rc<str>,
    /// What `main` starts from.
    pub before: Rc<[Edit]>,
}

/// What the file of a trained heap is called among those of a program: a `safetensors` file as text.
pub const HEAP_FILE: &str = "heap.safetensors.base64";

/// Whether the figures are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Opening {
    /// Nobody has asked for one.
    #[default]
    Closed,
    /// They are on their way.
    Opening,
    /// They are there.
    Open,
    /// They could not be opened, or could not go on; with the reason.
    Failed(Rc<str>),
}

/// What the figures know of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// The tab.
    pub tab: Option<Tab>,
    /// The files of data.
    pub files: Rc<[DataFile]>,
    /// The program; 0 for none.
    pub revision: u32,
    /// Whether the text has changed since.
    pub stale: bool,
    /// The sample whose run stands in the place of `main`.
    pub sample: Option<Sample>,
    /// The heap that is kept with the program.
    pub kept: Rc<str>,
    /// The cursor.
    pub cursor: Option<u32>,
    /// The theme.
    pub theme: Option<Theme>,
    /// Where the stepper is.
    pub at: Option<At>,
    /// The run whose parts they know: its program, and how many steps of it.
    pub run: Option<(u32, u32)>,
    /// Whether it is to be said at each step that the arrow stays the same.
    pub marks: bool,
    /// What the diagram shows.
    pub look: Diagram,
}
