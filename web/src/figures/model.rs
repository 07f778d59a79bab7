//! What the figures know: one plain value that is cloned, compared and tested without a browser.

use super::sheet::Sheet;
use crate::model::Theme;
use crate::talk::{At, Program, Tab};
use fletch_playground::diagram::Style;
use fletch_playground::figures::protocol::Loaded;
use std::rc::Rc;

/// All of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What is shown.
    pub tab: Tab,
    /// The newest program that checks.
    pub program: Option<Rc<Program>>,
    /// Whether the text has changed since.
    pub stale: bool,
    /// The cursor of the editor.
    pub cursor: u32,
    /// Where the stepper is.
    pub at: At,
    /// Light, dark, or as the system says.
    pub theme: Theme,
    /// What the worker said of the program.
    pub loaded: Option<Rc<Loaded>>,
    /// Why the worker does not answer any more.
    pub failure: Option<Rc<str>>,
    /// The tab of diagrams.
    pub diagram: Diagram,
}

/// The tab of diagrams.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// The command that is drawn; the first one if it is not there.
    pub of: Rc<str>,
    /// What of it.
    pub part: Part,
    /// Out and back side by side, or in one line.
    pub style: Style,
    /// The handled command, and its network.
    pub sheets: [Sheet; 2],
    /// Whether the formats to save are open.
    pub saving: bool,
}

/// What of a command is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it: ⟦rev handle …⟧.
    #[default]
    Handled,
    /// What it handles: ⟦R⟧.
    Network,
    /// Both.
    Both,
}

/// The sheet of the handled command.
pub const HANDLED: usize = 0;
/// The sheet of the network.
pub const NETWORK: usize = 1;

impl Diagram {
    /// The sheets that are shown.
    pub fn shown(&self) -> &'static [usize] {
        match self.part {
            Part::Handled => &[HANDLED],
            Part::Network => &[NETWORK],
            Part::Both => &[NETWORK, HANDLED],
        }
    }
}

impl Default for Model {
    fn default() -> Self {
        Model {
            tab: Tab::default(),
            program: None,
            stale: false,
            cursor: 0,
            at: At::default(),
            theme: Theme::Auto,
            loaded: None,
            failure: None,
            diagram: Diagram::default(),
        }
    }
}
