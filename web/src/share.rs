//! Links to programs, the browser's history of programs, and the dialog for sharing.

#[cfg(test)]
mod tests;
pub(crate) mod texts;
pub(crate) mod update;
pub(crate) mod view;

use crate::editor::Program;
use crate::present::Parts;
use crate::steps::place::Place;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The id of the QR code, and of the button that shows it.
pub(crate) const SHARE_CODE: &str = "share-code";

/// State of links and of the browser's history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Travel {
    /// Programs that back and forward of the browser lead to, by their numbers in its history.
    pub visits: BTreeMap<u32, Rc<Program>>,
    /// Number of the displayed program in the history.
    pub here: u32,
    /// True if the program came by a link and is unchanged.
    pub linked: bool,
    /// Message about an opened or unreadable link.
    pub told: Option<Rc<str>>,
    /// The reader's position in the run before the page was reloaded.
    pub resumed: Option<Place>,
    /// Address of the page, without query and fragment.
    pub address: Rc<str>,
    /// True if the system has a share sheet.
    pub sheet: bool,
    /// State of the dialog for sharing.
    pub share: Share,
}

/// State of the dialog for sharing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// True if the link includes the current step and the view settings.
    pub whole: bool,
    /// Parts that an embedded page shows; `None` for the usual ones.
    pub parts: Option<Parts>,
    /// True if the text of an embedded page cannot be edited.
    pub fixed: bool,
    /// The link to the program.
    pub link: Rc<str>,
    /// The link as a QR code, if it is shown.
    pub code: Option<Code>,
    /// True if the export as a Python module is in progress.
    pub python: bool,
    /// Message about the last action.
    pub said: Option<Rc<str>>,
}

/// A QR code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Side of the square in modules, and an SVG path of the dark modules.
    Square(u32, Rc<str>),
    /// The link is too long for a QR code.
    TooLong,
}

/// Length in characters above which a link gets a warning: mail and chat programs cut longer ones.
pub const LONG: usize = 2_000;
/// Length in characters above which no link is offered, but a file.
pub const TOO_LONG: usize = 32_000;
