//! The edited program, and the results of checking it.

#[cfg(test)]
mod tests;
pub(crate) mod update;
pub(crate) mod view;

use crate::drafts::{DataFile, file_stem};
use crate::{examples, texts};
use fletch_playground::protocol::{EditorDiagnostic, MainSummary, Offer, OutlineEntry};
use std::rc::Rc;

/// The program in the editor: text, cursor, files, and the draft that it is kept as.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The file name of an example, else `program.fletch`.
    pub name: Rc<str>,
    /// Title of the program, in a few words.
    pub title: Rc<str>,
    /// The text as it was opened, to find out if it was changed; empty if unknown.
    pub original: Rc<str>,
    /// The text.
    pub text: Rc<str>,
    /// Id of the draft that the program is kept under in this browser.
    pub draft: Rc<str>,
    /// The name that the reader has given it; empty if none.
    pub given: Rc<str>,
    /// Data files of the program.
    pub files: Rc<[DataFile]>,
    /// Number of the last text that was sent to the worker.
    pub revision: u32,
    /// The cursor's line and column, from 1.
    pub cursor: (u32, u32),
}

/// Results of checking the newest checked text.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Phase of checking relative to the newest text.
    pub phase: CheckPhase,
    /// The newest diagnostics.
    pub diagnostics: Rc<[EditorDiagnostic]>,
    /// The declarations of the newest checked text.
    pub outline: Rc<[OutlineEntry]>,
    /// Type and measures of `main`, if the newest checked text has one that checks.
    pub main: Option<MainSummary>,
    /// A `main` that the newest checked text could have, if it has none.
    pub offer: Option<Rc<Offer>>,
    /// The names of the files that the newest checked text reads.
    pub files: Rc<[String]>,
    /// True if the list of diagnostics below the editor is open.
    pub listed: bool,
}

/// Phase of checking relative to editing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckPhase {
    /// The text has changed since it was last sent.
    Edited,
    /// The worker is checking the text.
    Checking,
    /// The diagnostics belong to the current text.
    Checked,
    /// Checking took too long and was stopped.
    Stopped,
}

/// Explanation of a diagnostic's code.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The code.
    pub code: Rc<str>,
    /// The text, as an HTML document, or the reason why it could not be fetched; `None` while it is fetched.
    pub text: Option<Result<Rc<str>, Rc<str>>>,
}

/// Key map of the editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyMap {
    /// Keys of the editor itself, as in other web pages.
    #[default]
    Standard,
    /// Keys of Vim.
    Vim,
    /// Keys of Emacs.
    Emacs,
}

/// The key maps, each with its name on the page and its name in storage, which the editor uses too.
pub const KEY_MAPS: [(KeyMap, &str, &str); 3] = [
    (KeyMap::Standard, "standard", "standard"),
    (KeyMap::Vim, "Vim", "vim"),
    (KeyMap::Emacs, "Emacs", "emacs"),
];

impl KeyMap {
    /// Storage name of the key map.
    pub fn name(self) -> &'static str {
        let known = KEY_MAPS.iter().find(|(known, ..)| *known == self);
        known.map_or("standard", |(.., name)| name)
    }

    /// The key map with a storage name; the standard one for an unknown name.
    pub fn named(stored: &str) -> Self {
        let known = KEY_MAPS.iter().find(|(.., name)| *name == stored);
        known.map_or_else(Self::default, |(map, ..)| *map)
    }
}

/// File name of a program that is no example.
pub const OWN: &str = "program.fletch";

impl Program {
    /// True if the program is the reader's own, not a changed example: a changed example keeps its first line.
    pub fn is_own(&self) -> bool {
        let first = |text: &str| text.lines().next().map(str::to_owned);
        !self.given.is_empty()
            || examples::number(&self.name).is_none()
            || (!self.original.is_empty() && first(&self.text) != first(&self.original))
    }

    /// File name of the program, under which it is kept.
    pub fn file(&self) -> &str {
        if self.is_own() { OWN } else { &self.name }
    }

    /// Heading of the program. An own program has its given name, or else the comment that it begins with; an example has its title.
    pub fn heading(&self) -> Rc<str> {
        match self.is_own() {
            false => Rc::clone(&self.title),
            true if !self.given.is_empty() => Rc::clone(&self.given),
            true => heading(&self.text).unwrap_or(texts::UNTITLED).into(),
        }
    }

    /// Name of the file that the program is saved as.
    pub fn file_name(&self) -> String {
        format!("{}.fletch", file_stem(&self.heading()))
    }

    /// True if the text differs from the opened one.
    pub fn is_changed(&self) -> bool {
        !self.original.is_empty() && self.text != self.original
    }
}

/// First nonempty line of the comment that a program begins with, without its signs.
pub fn heading(text: &str) -> Option<&str> {
    let sign = |letter: char| letter.is_whitespace() || "-{}".contains(letter);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut comments = lines.take_while(|line| line.starts_with("--") || line.starts_with("{-"));
    comments.find_map(|line| {
        let words = line.trim_matches(sign).trim_end_matches('.');
        Some(words).filter(|words| !words.is_empty() && !line.starts_with("--:"))
    })
}
