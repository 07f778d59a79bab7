//! Drafts: the programs that this browser keeps, and the files that their data sets are read from.

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

/// State of the drafts, as the page knows it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Drafts {
    /// Prefix of the ids of the drafts begun here, which no other page has.
    pub seed: Rc<str>,
    /// How many were begun.
    pub begun: u32,
    /// All that are kept, the newest first; nothing before they are known.
    pub all: Option<Rc<[Kept]>>,
    /// True if this is a new visit, which is offered the drafts of earlier visits.
    pub fresh: bool,
    /// Drafts on offer, until the reader waves the offer away.
    pub offered: Rc<[Kept]>,
    /// Words looked for in the list.
    pub sought: Rc<str>,
    /// The draft that is being given a name, and what is typed of it: the list may be drawn anew at any time.
    pub renaming: Option<(Rc<str>, Rc<str>)>,
    /// Title of the draft that was removed last, as long as it can be put back.
    pub removed: Option<Rc<str>>,
    /// Why nothing is kept at present.
    pub trouble: Option<Trouble>,
    /// True if the program was changed in another tab since this tab read it.
    pub elsewhere: bool,
}

/// Why a program is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The browser has no more room.
    Full,
    /// The browser keeps nothing for this page.
    Blocked,
    /// The drafts that were kept are gone.
    Cleared,
    /// Something else, as the browser says it.
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

/// A program that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Id that the program is kept under.
    pub id: Rc<str>,
    /// The name of its file: that of an example, if it began as one.
    pub file: Rc<str>,
    /// The name that the reader has given it; empty if none.
    pub given: Rc<str>,
    /// Its text.
    pub text: Rc<str>,
    /// When it was changed last, in words.
    pub when: Rc<str>,
}

/// How many lines of a program its entry in the list shows.
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

    /// Its first lines that have something in them, and more than its heading.
    pub fn glance(&self) -> String {
        let title = heading(&self.text);
        let lines = self.text.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.skip_while(|line| title.is_some_and(|title| line.contains(title)));
        lines.take(LINES).collect::<Vec<_>>().join("\n")
    }

    /// Tells if the title or the text of the draft has all these words, which are in small letters.
    fn has(&self, words: &[String]) -> bool {
        let (name, text) = (folded(self.heading()), folded(&self.text));
        words
            .iter()
            .all(|word| name.contains(word) || text.contains(word))
    }
}

impl Drafts {
    /// The id of a draft that begins.
    pub fn begin(&mut self) -> Rc<str> {
        self.begun += 1;
        format!("{}{}", self.seed, self.begun).into()
    }

    /// Drafts that have all words looked for; every draft if none is looked for.
    pub fn found(&self) -> Vec<&Kept> {
        let words: Vec<String> = self.sought.split_whitespace().map(folded).collect();
        let all = self.all.iter().flat_map(|all| all.iter());
        all.filter(|kept| kept.has(&words)).collect()
    }

    /// Now all are known that earlier visits and other tabs wrote; a new visit is offered the newest.
    pub fn know(&mut self, all: Rc<[Kept]>) {
        const MOST: usize = 4;
        if self.fresh {
            self.offered = all.iter().take(MOST).cloned().collect();
        }
        self.all = Some(all);
    }

    /// Drafts on offer, but for the one of this id, which is open.
    pub fn offer(&self, open: &str) -> Vec<&Kept> {
        let others = self.offered.iter().filter(|kept| *kept.id != *open);
        others.collect()
    }

    /// A file for each of them, by their ids: no two of one name.
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

/// The name of a file for a program of this name, without its ending.
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
    /// The name that `csv("name")` gives it.
    pub name: Rc<str>,
    /// Bytes of the file, in whatever encoding.
    pub bytes: Rc<[u8]>,
}

impl DataFile {
    /// The same, as a worker is given it.
    pub fn input(&self) -> InputFile {
        InputFile {
            name: self.name.to_string(),
            bytes: self.bytes.to_vec(),
        }
    }

    /// How much it holds: `12 kB`.
    pub fn size(&self) -> String {
        match self.bytes.len() {
            bytes @ 0..1000 => format!("{bytes} bytes"),
            bytes @ 1000..1_000_000 => format!("{} kB", bytes / 1000),
            bytes => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
        }
    }
}
