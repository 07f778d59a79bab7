//! What the figures know: one plain value that is cloned, compared and tested without a browser.

use super::check::{Carrying, Check};
use super::compare::Compare;
use super::following::{Following, Run};
use super::sheet::Sheet;
use super::train::Train;
use super::types::Types;
use crate::model::Theme;
use crate::talk::{At, Program, Tab};
use fletch_link::{Diagram as Look, Part};
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
    /// The tab of diagrams.
    pub diagram: Diagram,
    /// The tab of types.
    pub types: Types,
    /// The tab of comparisons.
    pub compare: Compare,
    /// The tab of the training.
    pub train: Train,
    /// The gradient check.
    pub check: Check,
    /// The heap that is carried elsewhere, and back.
    pub carrying: Carrying,
    /// The sample whose run stands in the place of `main`.
    pub sampled: Option<fletch_playground::Sample>,
    /// What the page knows of what the diagram shows.
    pub look: Look,
    /// Whether the page knows that the tab of comparisons is about the step.
    pub about_step: bool,
    /// The run that is stepped through.
    pub run: Run,
    /// The call, or the return clause, whose box is to be shown once it is there: the position that met it.
    pub sought: Option<u32>,
}

impl Model {
    /// The diagram of a sheet at the position that is shown, if it is one of what runs.
    pub fn following(&self, number: usize) -> Option<Following> {
        let drawn = self.diagram.sheets.get(number)?.drawn.as_ref()?;
        let of_run = drawn.asked.of == "main" && drawn.asked.revision == self.at.revision;
        let cursor = (!self.stale).then_some(self.cursor);
        let at = (self.at.revision, self.at.position);
        let network = number == NETWORK;
        let following = self.run.at(at, self.at.work, network, cursor);
        following.filter(|_| of_run)
    }
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
    /// Whether the reader has turned them: across where it is narrow, or downward where it is wide.
    pub turned: bool,
    /// What is opened in each, by key.
    pub open: [Rc<[String]>; 2],
    /// Whether the formats to save are open.
    pub saving: bool,
    /// The box that was chosen: its sheet, and its number.
    pub chosen: Option<(usize, usize)>,
}

/// The sheet of the handled command.
pub const HANDLED: usize = 0;
/// The sheet of the network.
pub const NETWORK: usize = 1;

impl Diagram {
    /// What a link has of it.
    pub fn look(&self) -> Look {
        let turned = |number: usize| {
            self.open
                .get(number)
                .map_or_else(Vec::new, |open| open.to_vec())
        };
        Look {
            of: match &*self.of {
                "main" => String::new(),
                of => of.to_owned(),
            },
            part: self.part,
            style: self.style,
            open: turned(HANDLED),
            inner: turned(NETWORK),
        }
    }

    /// Shows what a link has.
    pub fn take(&mut self, look: Look) {
        self.of = match look.of.as_str() {
            "" => "main".into(),
            of => of.into(),
        };
        (self.part, self.style) = (look.part, look.style);
        self.open = [look.open.into(), look.inner.into()];
        self.chosen = None;
    }

    /// Whether a sheet is drawn from top to bottom: where it is narrow, or where the reader wants it.
    pub fn is_down(&self, number: usize) -> bool {
        /// A narrower one has no room for two operations side by side.
        const NARROW: f64 = 720.0;
        let width = self.sheets.get(number).map_or(0.0, |sheet| sheet.size.0);
        (width > 0.0 && width < NARROW) != self.turned
    }

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
            diagram: Diagram::default(),
            run: Run::default(),
            sought: None,
            compare: Compare::default(),
            train: Train::default(),
            check: Check::default(),
            carrying: Carrying::default(),
            sampled: None,
            about_step: false,
            look: Look::default(),
            types: Types::default(),
        }
    }
}
