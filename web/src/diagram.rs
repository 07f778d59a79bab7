//! The tab of diagrams: what is drawn and how, and where the run stands in it.

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

/// State of the tab of diagrams.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// The command that is drawn; the first one if it is not there.
    pub of: Rc<str>,
    /// Part of the command that is drawn.
    pub part: Part,
    /// Out and back side by side, or in one line.
    pub style: Style,
    /// The handled command, and its network.
    pub sheets: [Sheet; 2],
    /// Downward or along, if the reader has chosen.
    pub down: Option<bool>,
    /// Keys of the boxes opened in each sheet.
    pub open: [Rc<[String]>; 2],
    /// True if the operation at work is not to be opened by itself.
    pub closed: bool,
    /// True if the formats to save are open.
    pub more: bool,
    /// The box that was chosen: its sheet, and its number.
    pub chosen: Option<(usize, usize)>,
    /// The run that is stepped through.
    pub run: Run,
    /// The call, or the return clause, whose box is to be shown once it is there: the position that met it.
    pub sought: Option<u32>,
}

/// The sheet of the handled command.
pub const HANDLED: usize = 0;
/// The sheet of the network.
pub const NETWORK: usize = 1;

/// Something that happened to the diagrams.
#[derive(Clone, Debug, PartialEq)]
pub enum DiagramMsg {
    /// Draw this command.
    Of(Rc<str>),
    /// Draw this part of it.
    Part(Part),
    /// Draw it like this.
    Style(Style),
    /// Draw it downward, or across again.
    Turn,
    /// Show how long values are in the place of values, or values again.
    Norms(bool),
    /// Show the values of this moment of the loop of this key, or of the moment of the run again.
    Moment(Rc<str>, Option<u32>),
    /// Something happened to the sheet of this number.
    Sheet(usize, SheetMsg),
    /// Open whatever can be opened, or fold all.
    OpenAll(bool),
    /// Open the operation at work by itself, or none.
    AtWork(bool),
    /// Close what is told of a box.
    Unchoose,
    /// Close what is told of what the pointer is on.
    Rest,
    /// Show the box of the call, or of the return clause, that was met at this position.
    Box(u32),
    /// Open or close the rare controls.
    More(bool),
    /// Save the diagram of the sheet of this number.
    Save(usize, SaveAs),
}

/// Form in which a diagram is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveAs {
    /// As a file of text.
    Text(Format),
    /// As a picture of dots.
    Png,
}

impl Diagram {
    /// Look of the diagram, as a link keeps it.
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
        self.run.moments.clear();
        self.open = [look.open.into(), look.inner.into()];
        self.chosen = None;
    }

    /// True while something is told of what the pointer is on.
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

    /// The sheets that are shown.
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

    /// True while a diagram is shown below the steps: where a screen has room for both, and in a presentation that has both.
    pub fn is_tiled(&self) -> bool {
        let showing = &self.showing;
        let tiled = match showing.stand {
            Stand::Alone => self.layout.roomy && !self.tour.is_shown(),
            Stand::Presented => showing.parts.has(Shown::Diagram),
            Stand::Embedded => false,
        };
        tiled && self.tab == Tab::Steps
    }

    /// The diagram of a sheet at the position that is shown, if it is one of what runs.
    pub fn following(&self, number: usize) -> Option<Following> {
        let drawn = self.diagram.sheets.get(number)?.drawn.as_ref()?;
        let at = self.at()?;
        let of_run = drawn.asked.of == "main" && drawn.revision == at.revision;
        let cursor = (!self.is_outdated()).then_some(self.stepping.cursor);
        let following = self.diagram.run.at(&at, number == NETWORK, cursor);
        following.filter(|_| of_run)
    }
}
