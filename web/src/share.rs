//! Programs that came here, and those that leave: links, the browser's history, the dialog for sharing.

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

/// State of the programs that travel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Travel {
    /// The programs between which the browser's back and forward go, by their numbers in its history.
    pub visits: BTreeMap<u32, Rc<Program>>,
    /// The number of the program on the screen.
    pub here: u32,
    /// True if the program came by a link, and is as it came.
    pub linked: bool,
    /// Message about a link that was opened, or could not be.
    pub told: Option<Rc<str>>,
    /// Where the reader was before the page was loaded again.
    pub resumed: Option<Place>,
    /// Where the page is, without query and fragment.
    pub address: Rc<str>,
    /// True if the system has a sheet for sharing.
    pub sheet: bool,
    /// State of the dialog for sharing.
    pub share: Share,
}

/// State of the dialog for sharing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// True if this step and how it is shown go along.
    pub whole: bool,
    /// Parts that an embedded page shows; none before a choice.
    pub parts: Option<Parts>,
    /// True if the text of an embedded page is fixed.
    pub fixed: bool,
    /// The link.
    pub link: Rc<str>,
    /// The link as a QR code, once it is asked for.
    pub code: Option<Code>,
    /// True if the program as a module of Python is awaited.
    pub python: bool,
    /// Message about what was done.
    pub said: Option<Rc<str>>,
}

/// A QR code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// A square of so many modules, with the path of the dark ones.
    Square(u32, Rc<str>),
    /// The link is too long for one.
    TooLong,
}

/// A link that is longer gets a warning: mail and chats cut it.
pub const LONG: usize = 2_000;
/// One that is longer is not offered: a file is.
pub const TOO_LONG: usize = 32_000;
