//! State of the diagram tab: the command drawn, the settings, and the data that links its diagram to the run. A *sheet* is one
//! diagram on the screen. The network is the command without its handler.

pub mod camera;
pub mod following;
pub mod sheet;
#[cfg(test)]
mod tests;
pub(crate) mod update;
pub(crate) mod view;

use crate::model::{Model, Tab};
use crate::present::{Part as Shown, Stand};
use fletch_link::{Diagram as Look, Part};
use fletch_playground::diagram::{Format, Style};
use following::{Following, Run};
use sheet::{Sheet, SheetMsg};
use std::rc::Rc;

/// State of the diagram tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// Name of the command that is drawn; the first command is drawn if there is none of this name.
    pub of: Rc<str>,
    /// Diagrams that are shown: of the handled command, of its network, or both.
    pub part: Part,
    /// Style of the layout: forward and backward pass side by side (bent), or in one line.
    pub style: Style,
    /// Sheets of the handled command and of its network.
    pub sheets: [Sheet; 2],
    /// The reader's choice to draw downward (true) or across; `None` before a choice.
    pub down: Option<bool>,
    /// Keys of the boxes opened in each sheet.
    pub open: [Rc<[String]>; 2],
    /// True if the current operation does not open automatically.
    pub closed: bool,
    /// True if the less frequent controls are open.
    pub more: bool,
    /// Selected box: the index of its sheet, and its index there.
    pub chosen: Option<(usize, usize)>,
    /// Data of the run that is stepped through.
    pub run: Run,
    /// Position at which a call or a return clause was met, whose box is to be shown as soon as it is drawn.
    pub sought: Option<u32>,
}

/// Index of the sheet of the handled command.
pub const HANDLED: usize = 0;
/// Index of the sheet of the network.
pub const NETWORK: usize = 1;

/// Event of the diagram tab.
#[derive(Clone, Debug, PartialEq)]
pub enum DiagramMsg {
    /// Draw this command.
    Of(Rc<str>),
    /// Draw the handled command, its network, or both.
    Part(Part),
    /// Select the style of the layout.
    Style(Style),
    /// Draw downward, or across again.
    Turn,
    /// Show norms on the wires instead of values, or values again.
    Norms(bool),
    /// Show the values of this moment of the loop with this key; `None` for the moment that the run is in.
    Moment(Rc<str>, Option<u32>),
    /// Event of the sheet with this index.
    Sheet(usize, SheetMsg),
    /// Open all boxes of the shown sheets, or fold all.
    OpenAll(bool),
    /// Open the current operation automatically, or not.
    AtWork(bool),
    /// Close the card of the selected box.
    Unchoose,
    /// Close the tooltip of the element under the pointer.
    Rest,
    /// Show the box of the call, or of the return clause, that was met at this position.
    Box(u32),
    /// Open or close the less frequent controls.
    More(bool),
    /// Save the diagram of the sheet with this index.
    Save(usize, SaveAs),
}

/// File type of a saved diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveAs {
    /// Text in a format.
    Text(Format),
    /// Bitmap.
    Png,
}

impl Diagram {
    /// Settings of the diagram that a link stores.
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

    /// Applies the settings of a link.
    pub fn take(&mut self, look: Look) {
        self.of = match look.of.as_str() {
            "" => "main".into(),
            of => of.into(),
        };
        (self.part, self.style) = (look.part, look.style);
        self.run.moments.clear();
        self.open = [look.open.into(), look.inner.into()];
        self.chosen = None;
    }

    /// True while the tooltip of an element under the pointer is shown.
    pub fn hovers(&self) -> bool {
        self.sheets.iter().any(|sheet| sheet.hover.is_some())
    }

    /// True if a sheet is drawn from top to bottom.
    pub fn is_down(&self, number: usize) -> bool {
        let sheet = self.sheets.get(number);
        sheet
            .and_then(|sheet| sheet.picture())
            .is_some_and(|picture| picture.down)
    }

    /// Indices of the sheets that are shown.
    pub fn shown(&self) -> &'static [usize] {
        match self.part {
            Part::Handled => &[HANDLED],
            Part::Network => &[NETWORK],
            Part::Both => &[NETWORK, HANDLED],
        }
    }
}

impl Model {
    /// True while a diagram is shown: in its tab, or below the steps.
    pub fn draws(&self) -> bool {
        self.tab == Tab::Diagram || self.is_tiled()
    }

    /// True while a diagram is shown below the steps: on a screen with room for both, and in a presentation with both.
    pub fn is_tiled(&self) -> bool {
        let showing = &self.showing;
        let tiled = match showing.stand {
            Stand::Alone => self.layout.roomy && !self.tour.is_shown(),
            Stand::Presented => showing.parts.has(Shown::Diagram),
            Stand::Embedded => false,
        };
        tiled && self.tab == Tab::Steps
    }

    /// Diagram of a sheet at the shown position; `None` unless it is a diagram of `main` in the program that runs.
    pub fn following(&self, number: usize) -> Option<Following> {
        let drawn = self.diagram.sheets.get(number)?.drawn.as_ref()?;
        let at = self.at()?;
        let of_run = drawn.asked.of == "main" && drawn.revision == at.revision;
        let cursor = (!self.is_outdated()).then_some(self.stepping.cursor);
        let following = self.diagram.run.at(&at, number == NETWORK, cursor);
        following.filter(|_| of_run)
    }
}
