//! State of the panel that explains the rule of a step (*why?*), and of the form for copying states.

use crate::model::Shared;
use fletch_playground::protocol::{Digits, Format, Why};
use std::rc::Rc;

const TEXT: &str = "Text";

/// State of the rule panel and of the copy form.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// True if the rule panel is open.
    pub open: bool,
    /// Rule of the step on the screen. Until the worker replies, it may be the rule of an earlier step.
    pub why: Option<Shared<Why>>,
    /// Contents of the copy form, kept while it is closed.
    pub copy: Copying,
    /// Text of the steps that are being printed on paper, in place of the state on the screen.
    pub printed: Option<Rc<str>>,
}

/// Contents of the copy form.
#[derive(Clone, Debug, PartialEq)]
pub struct Copying {
    /// True if only the state on the screen is copied.
    pub one: bool,
    /// First position of the range.
    pub from: u32,
    /// Last position of the range.
    pub to: u32,
    /// Format of the text.
    pub format: Format,
    /// Digits of numbers: rounded or exact.
    pub digits: Digits,
    /// Destination of the requested text, until it has arrived.
    pub purpose: Option<Purpose>,
    /// Text that the browser refused to copy, for the reader to select.
    pub text: Option<Rc<str>>,
}

/// Destination of a copied text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The clipboard.
    Clipboard,
    /// A file.
    File,
    /// The printer, after the program.
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

/// All formats, each with its name and the extension of its files.
pub(crate) const FORMATS: [(Format, &str, &str); 4] = [
    (Format::Text, TEXT, "txt"),
    (Format::Markdown, "Markdown", "md"),
    (Format::Latex, "LaTeX", "tex"),
    (Format::Json, "JSON", "json"),
];

/// All notations of numbers, each with its name on the page and the name it is stored under.
pub(crate) const DIGITS: [(Digits, &str, &str); 2] = [
    (Digits::Rounded, "Rounded", "rounded"),
    (Digits::Exact, "Exact", "exact"),
];

/// Notation stored under a name, or the default one if there is none.
pub(crate) fn digits_named(stored: &str) -> Digits {
    let mut named = DIGITS.iter();
    let found = named.find(|(.., name)| *name == stored);
    found.map_or_else(Digits::default, |(digits, ..)| *digits)
}

/// Name of a format, and the extension of its files.
pub(crate) fn format_names(format: Format) -> (&'static str, &'static str) {
    FORMATS
        .iter()
        .find(|(other, ..)| *other == format)
        .map_or((TEXT, "txt"), |(_, name, ending)| (*name, *ending))
}
