//! Drafts: the programs that this browser keeps, with the data files of each.

#[cfg(test)]
mod tests;
pub(crate) mod texts;
pub(crate) mod update;
pub(crate) mod view;

use crate::editor::heading;
use crate::examples;
use crate::texts::folded;
use fletch_playground::protocol::InputFile;
use std::rc::Rc;

/// State of the drafts on the page.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Drafts {
    /// Prefix of the ids of drafts that begin on this page; no other page has it.
    pub seed: Rc<str>,
    /// Number of drafts that began on this page.
    pub begun: u32,
    /// All kept drafts, newest first; `None` until they are known.
    pub all: Option<Rc<[Kept]>>,
    /// True if this visit is new and may offer the drafts of earlier visits.
    pub fresh: bool,
    /// Drafts on offer, until the reader dismisses them.
    pub offered: Rc<[Kept]>,
    /// Search words in the list of drafts.
    pub sought: Rc<str>,
    /// Id of the draft that is being renamed, and the name as typed so far. The model holds it because the list may
    /// be drawn again at any time.
    pub renaming: Option<(Rc<str>, Rc<str>)>,
    /// Title of the draft that was deleted last, while it can be restored.
    pub removed: Option<Rc<str>>,
    /// The reason why no program is kept at present; `None` if programs are kept.
    pub trouble: Option<Trouble>,
    /// True if the program was changed in another tab since this tab read it.
    pub elsewhere: bool,
}

/// The reason why a program is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The browser's storage is full.
    Full,
    /// The browser does not allow the page to store anything.
    Blocked,
    /// The kept drafts were deleted.
    Cleared,
    /// Another reason, in the browser's words.
    Other(Rc<str>),
}

impl Trouble {
    /// Message to the reader.
    pub fn words(&self) -> String {
        match self {
            Trouble::Full => "There is no room left in this browser, so your program is not kept. Save it as a file, or delete drafts.".to_owned(),
            Trouble::Blocked => "This browser keeps nothing for this page, so your program lasts as long as this tab. Save it as a file.".to_owned(),
            Trouble::Cleared => "The drafts of this browser were cleared. What you see here is kept anew.".to_owned(),
            Trouble::Other(why) => format!("Your program is not kept: {why}. Save it as a file."),
        }
    }
}

/// A kept program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Id that the program is kept under.
    pub id: Rc<str>,
    /// Name of its file: that of an example if it began as one.
    pub file: Rc<str>,
    /// The name that the reader has given it; empty if none.
    pub given: Rc<str>,
    /// Text of the program.
    pub text: Rc<str>,
    /// Time of its last change, in words.
    pub when: Rc<str>,
}

/// Number of lines of a program that its entry in the list shows.
const LINES: usize = 4;

impl Kept {
    /// Title of the draft: the name that the reader gave, else the title of its example, else that of its text.
    pub fn heading(&self) -> &str {
        if !self.given.is_empty() {
            return &self.given;
        }
        let example = examples::number(&self.file).and_then(|number| examples::all().nth(number));
        let own = || heading(&self.text).unwrap_or("Untitled");
        example.map_or_else(own, |example| example.title)
    }

    /// First nonempty lines of the text, without those at the start that repeat its heading.
    pub fn glance(&self) -> String {
        let title = heading(&self.text);
        let lines = self.text.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.skip_while(|line| title.is_some_and(|title| line.contains(title)));
        lines.take(LINES).collect::<Vec<_>>().join("\n")
    }

    /// True if the heading or the text of the draft contains each of these words, given in lower case.
    fn has(&self, words: &[String]) -> bool {
        let (name, text) = (folded(self.heading()), folded(&self.text));
        words
            .iter()
            .all(|word| name.contains(word) || text.contains(word))
    }
}

impl Drafts {
    /// Id for a new draft.
    pub fn begin(&mut self) -> Rc<str> {
        self.begun += 1;
        format!("{}{}", self.seed, self.begun).into()
    }

    /// Drafts that contain all search words; all drafts without a search.
    pub fn found(&self) -> Vec<&Kept> {
        let words: Vec<String> = self.sought.split_whitespace().map(folded).collect();
        let all = self.all.iter().flat_map(|all| all.iter());
        all.filter(|kept| kept.has(&words)).collect()
    }

    /// Stores the drafts of earlier visits and other tabs; a new visit offers the newest four.
    pub fn know(&mut self, all: Rc<[Kept]>) {
        const MOST: usize = 4;
        if self.fresh {
            self.offered = all.iter().take(MOST).cloned().collect();
        }
        self.all = Some(all);
    }

    /// Drafts on offer, without the open one, whose id is `open`.
    pub fn offer(&self, open: &str) -> Vec<&Kept> {
        let others = self.offered.iter().filter(|kept| *kept.id != *open);
        others.collect()
    }

    /// File names for all drafts, with the drafts' ids; no two names are equal.
    pub fn file_names(&self) -> Vec<(Rc<str>, String)> {
        let mut names: Vec<(Rc<str>, String)> = Vec::new();
        for kept in self.all.iter().flat_map(|all| all.iter()) {
            let stem = file_stem(kept.heading());
            let taken = |name: &str| {
                let same = |(_, other): &(_, String)| folded(other) == folded(name);
                names.iter().any(same)
            };
            let numbered = (2_u32..).map(|number| format!("{stem} ({number}).fletch"));
            let mut free = std::iter::once(format!("{stem}.fletch")).chain(numbered);
            if let Some(name) = free.find(|name| !taken(name)) {
                names.push((kept.id.clone(), name));
            }
        }
        names
    }
}

/// File name for a program with this heading, without an extension.
pub fn file_stem(heading: &str) -> String {
    const MOST: usize = 60;
    let sign = |letter: char| {
        if letter.is_alphanumeric() || " -_()".contains(letter) {
            letter
        } else {
            '-'
        }
    };
    let stem: String = heading.chars().take(MOST).map(sign).collect();
    let stem = stem.trim_matches([' ', '-', '.']);
    if stem.is_empty() { "program" } else { stem }.to_owned()
}

/// A file that a data set is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// Name of the file in `csv("name")`.
    pub name: Rc<str>,
    /// Bytes of the file, in any encoding.
    pub bytes: Rc<[u8]>,
}

impl DataFile {
    /// The file as input of a worker.
    pub fn input(&self) -> InputFile {
        InputFile {
            name: self.name.to_string(),
            bytes: self.bytes.to_vec(),
        }
    }

    /// Size of the file in words: `12 kB`.
    pub fn size(&self) -> String {
        match self.bytes.len() {
            bytes @ 0..1000 => format!("{bytes} bytes"),
            bytes @ 1000..1_000_000 => format!("{} kB", bytes / 1000),
            bytes => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
        }
    }
}
