//! Panel that tells the rule of a step, and form for copying states.

use crate::model::Shared;
use fletch_playground::protocol::{Digits, Format, Why};
use std::rc::Rc;

const TEXT: &str = "Text";

/// The panel of the rule, and the form for copying.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// True if the panel of the rule is open.
    pub open: bool,
    /// The rule of the step on the screen, or of one before it until the answer is there.
    pub why: Option<Shared<Why>>,
    /// The form for copying, as it is or was last filled in.
    pub copy: Copying,
    /// The steps that are being printed, in place of the state on the screen.
    pub printed: Option<Rc<str>>,
}

/// The form for copying.
#[derive(Clone, Debug, PartialEq)]
pub struct Copying {
    /// True if only the state on the screen is wanted.
    pub one: bool,
    /// The first position of a range.
    pub from: u32,
    /// The last one.
    pub to: u32,
    /// How.
    pub format: Format,
    /// Digits of numbers: rounded or exact.
    pub digits: Digits,
    /// Destination of the text that is on its way.
    pub purpose: Option<Purpose>,
    /// A text that the browser would not copy, for the reader to take.
    pub text: Option<Rc<str>>,
}

/// Destination of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It goes to the clipboard.
    Clipboard,
    /// It becomes a file.
    File,
    /// It is printed, after the program.
    Printer,
}

impl Default for Words {
    fn default() -> Self {
        Words {
            open: false,
            why: None,
            copy: Copying {
                one: true,
                from: 0,
                to: 0,
                format: Format::Text,
                digits: Digits::default(),
                purpose: None,
                text: None,
            },
            printed: None,
        }
    }
}

/// The formats, each with its name and the ending of its files.
pub(crate) const FORMATS: [(Format, &str, &str); 4] = [
    (Format::Text, TEXT, "txt"),
    (Format::Markdown, "Markdown", "md"),
    (Format::Latex, "LaTeX", "tex"),
    (Format::Json, "JSON", "json"),
];

/// How numbers are written, with the name on the page and the one it is stored under.
pub(crate) const DIGITS: [(Digits, &str, &str); 2] = [
    (Digits::Rounded, "Rounded", "rounded"),
    (Digits::Exact, "Exact", "exact"),
];

/// The digits stored under a name; the usual ones if there are none.
pub(crate) fn digits_named(stored: &str) -> Digits {
    let mut named = DIGITS.iter();
    let found = named.find(|(.., name)| *name == stored);
    found.map_or_else(Digits::default, |(digits, ..)| *digits)
}

/// The name of a format, and the ending of its files.
pub(crate) fn format_names(format: Format) -> (&'static str, &'static str) {
    FORMATS
        .iter()
        .find(|(other, ..)| *other == format)
        .map_or((TEXT, "txt"), |(_, name, ending)| (*name, *ending))
}
