//! Links: a program and the settings of its view as the fragment of an address. `docs/dev/links.md` has the format; links of version 1
//! open forever.
//!
//! A link is untrusted text. Reading one never panics, never unpacks more than [`MAX_SOURCE`] bytes, and never returns a part of a
//! damaged source.

mod page;
mod payload;
mod repaired;
mod settings;
mod values;

pub use page::base;
pub use payload::{Damage, MAX_SOURCE};
pub use settings::{Diagram, Part, Settings, Tab, level_named};

use fletch_playground::protocol::Edit;
use std::fmt;

/// Contents of a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// Source text of the program.
    pub source: String,
    /// Settings of the view.
    pub settings: Settings,
    /// Initial contents of locations that the reader edited, in place of the program's.
    pub heap: Vec<Edit>,
}

/// Result of reading an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// Contents of the link.
    pub link: Link,
    /// Keys that this version does not know or whose values it cannot read; they have no effect. At most 8, each of at most 24
    /// characters.
    pub ignored: Vec<String>,
}

/// Reason why an address cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The address contains no program.
    NoProgram,
    /// The address contains this number of different programs.
    Several(usize),
    /// This reader does not know the version of the link.
    Version(String),
    /// The program is damaged.
    Damaged(Damage),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::NoProgram => {
                write!(to, "there is no program in this link: it has no `#v1.…`")
            }
            Unreadable::Several(programs) => write!(
                to,
                "there are {programs} programs in this address: open one at a time, from its `#v1.` to its `sum`"
            ),
            Unreadable::Version(version) => write!(
                to,
                "this link is of version {version:?}, which this Fletch does not know; a newer one may"
            ),
            Unreadable::Damaged(damage) => write!(to, "this link is damaged: {damage}"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// Key of the check sum.
const SUM: &str = "sum";

impl Link {
    /// Returns the fragment, without `#`: `v1.<payload>&step=12…`. Keys have a fixed order; keys with their default value are left
    /// out.
    pub fn fragment(&self) -> String {
        let mut fragment = format!("v1.{}", payload::pack(&self.source));
        let mut put = |key: &str, value: &str| {
            fragment.push('&');
            fragment.push_str(key);
            fragment.push('=');
            values::escape(value, &mut fragment);
        };
        for (key, value) in self.settings.pairs() {
            put(key, &value);
        }
        if !self.heap.is_empty() {
            put("heap", &values::heap(&self.heap));
        }
        put(SUM, &payload::sum(&self.source));
        fragment
    }

    /// Returns the address of the link at a page. With an empty `page`, returns `#` and the fragment, to be appended to the address of
    /// any page. A fragment that `page` has already is dropped.
    pub fn address(&self, page: &str) -> String {
        let page = page.split_once('#').map_or(page, |(page, _)| page);
        format!("{page}#{}", self.fragment())
    }

    /// Reads an address, or its fragment with or without `#`. If the address as written gives no link, or ignored keys, also tries to
    /// undo the changes that mail programs and other software make to addresses.
    ///
    /// # Errors
    /// Fails if there is no program or several, if the version is unknown, or if the link is damaged.
    pub fn read(address: &str) -> Result<Opened, Unreadable> {
        let exact = Link::read_exactly(address);
        if exact.as_ref().is_ok_and(|opened| opened.ignored.is_empty()) {
            return exact;
        }
        let programs = repaired::programs(address);
        if programs > 1 {
            return Err(Unreadable::Several(programs));
        }
        let repaired = repaired::repaired(address).into_iter();
        let mut repaired = repaired.filter_map(|fragment| Link::read_exactly(&fragment).ok());
        match (exact, repaired.next()) {
            (Err(_), Some(repaired)) => Ok(repaired),
            (Ok(opened), Some(repaired)) if repaired.ignored.len() < opened.ignored.len() => {
                Ok(repaired)
            }
            (exact, _) => exact,
        }
    }

    /// Names of the files that the program reads; a link does not contain the files.
    pub fn files(&self) -> Vec<String> {
        fletch_ide::files(&self.source)
    }

    /// Reads an address as written.
    fn read_exactly(address: &str) -> Result<Opened, Unreadable> {
        let fragment = address
            .split_once('#')
            .map_or(address, |(_, after)| after)
            .trim();
        let mut parts = fragment.split('&');
        let (version, packed) = parts
            .next()
            .and_then(|first| first.split_once('.'))
            .ok_or(Unreadable::NoProgram)?;
        if version != "v1" {
            let known = version.strip_prefix('v').is_some_and(|number| {
                !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
            });
            return Err(if known {
                Unreadable::Version(version.chars().take(12).collect())
            } else {
                Unreadable::NoProgram
            });
        }
        let source = payload::unpack(packed).map_err(Unreadable::Damaged)?;
        let mut opened = Opened {
            link: Link {
                source,
                ..Link::default()
            },
            ignored: Vec::new(),
        };
        for part in parts.filter(|part| !part.is_empty()).take(KEYS) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            opened.take(key, value).map_err(Unreadable::Damaged)?;
        }
        Ok(opened)
    }
}

/// Maximum number of keys that are read; version 1 has fewer.
const KEYS: usize = 64;

impl Opened {
    fn take(&mut self, key: &str, value: &str) -> Result<(), Damage> {
        let link = &mut self.link;
        let taken = values::unescape(value).is_some_and(|value| match key {
            "heap" => match values::read_heap(&value) {
                Some(heap) => {
                    link.heap = heap;
                    true
                }
                None => false,
            },
            SUM => true,
            _ => link.settings.take(key, &value),
        });
        let sum = payload::sum(&link.source);
        if key == SUM && value != sum {
            let is_cut = sum.starts_with(value);
            return Err(if is_cut { Damage::End } else { Damage::Sum });
        }
        if !taken && self.ignored.len() < 8 {
            self.ignored.push(key.chars().take(24).collect());
        }
        Ok(())
    }
}
