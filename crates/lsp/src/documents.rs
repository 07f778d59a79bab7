//! Texts that are open in an editor, and texts on disk.

use crate::places::{Encoding, Places};
use fletch_ide::NotText;
use fletch_syntax::MAX_SOURCE;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use url::Url;

/// Identity of a text: two addresses of the same file have the same key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A file at this path, which may or may not exist.
    File(PathBuf),
    /// Any other text, by its address.
    Other(String),
}

impl Key {
    /// The key of an address.
    pub(crate) fn of(uri: &Uri) -> Key {
        match path(uri) {
            Some(path) => Key::File(path),
            None => Key::Other(uri.as_str().to_owned()),
        }
    }

    /// The path of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Key::File(path) => Some(path),
            Key::Other(_) => None,
        }
    }
}

/// The path of the file at an address; `None` if the address is not of a file.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    let url = Url::parse(uri.as_str()).ok()?;
    match url.scheme() {
        "file" => url.to_file_path().ok(),
        _ => None,
    }
}

/// The address of a file; `None` if its path is relative.
pub(crate) fn uri(path: &Path) -> Option<Uri> {
    Url::from_file_path(path).ok()?.as_str().parse().ok()
}

/// One version of a text.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The address, as the client writes it.
    pub(crate) uri: Uri,
    /// The identity of the text.
    pub(crate) key: Key,
    /// The client's number of this version; `None` for a text on disk.
    pub(crate) version: Option<i32>,
    /// The text.
    pub(crate) text: Arc<str>,
    /// Conversion between offsets and positions in the text.
    pub(crate) places: Arc<Places>,
    /// Number of this version, in the server's own count from 0.
    revision: u64,
    /// Number of the newest version, shared by all versions of the document.
    newest: Arc<AtomicU64>,
}

impl Document {
    fn new(uri: Uri, version: Option<i32>, text: String, encoding: Encoding) -> Document {
        Document {
            key: Key::of(&uri),
            uri,
            version,
            places: Arc::new(Places::new(&text, encoding)),
            text: text.into(),
            revision: 0,
            newest: Arc::default(),
        }
    }

    /// Reads a file that no editor has open. The error is returned with the text if the file is no text.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn on_disk(
        uri: Uri,
        encoding: Encoding,
    ) -> io::Result<(Document, Option<fletch_syntax::Diagnostic>)> {
        let path = path(&uri).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = Vec::new();
        // One byte more than the limit is enough to detect that a program is too large.
        let most = MAX_SOURCE as u64 + 1;
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
        let (text, error) = match fletch_ide::text(bytes) {
            Ok(text) => (text, None),
            Err(NotText { text, error }) => (text, Some(*error)),
        };
        Ok((Document::new(uri, None, text, encoding), error))
    }

    /// The folder of the text; `None` if it is no file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.key.path()?.parent()
    }

    /// True if a newer version is known, or the document is closed.
    pub(crate) fn is_outdated(&self) -> bool {
        self.newest.load(Ordering::SeqCst) != self.revision
    }

    /// Creates the next version, which outdates this one.
    fn next(&self, version: i32, text: String, encoding: Encoding) -> Document {
        let revision = self.newest.fetch_add(1, Ordering::SeqCst) + 1;
        Document {
            version: Some(version),
            revision,
            newest: Arc::clone(&self.newest),
            ..Document::new(self.uri.clone(), None, text, encoding)
        }
    }
}

/// The texts that are open in an editor.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    encoding: Encoding,
    open: BTreeMap<Key, Document>,
}

impl Documents {
    /// Starts without texts. Columns of positions are in this unit.
    pub(crate) fn new(encoding: Encoding) -> Documents {
        Documents {
            encoding,
            open: BTreeMap::new(),
        }
    }

    /// The newest version of an open text.
    pub(crate) fn get(&self, key: &Key) -> Option<&Document> {
        self.open.get(key)
    }

    /// Adds a text that was opened. If it is open already, this is its next version.
    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String) -> &Document {
        match self.open.entry(Key::of(&uri)) {
            Entry::Occupied(slot) => {
                let document = slot.into_mut();
                *document = document.next(version, text, self.encoding);
                document
            }
            Entry::Vacant(slot) => {
                slot.insert(Document::new(uri, Some(version), text, self.encoding))
            }
        }
    }

    /// Applies changes to an open text, in order. Returns the new version, or `None` if the text is not open.
    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Option<&Document> {
        let document = self.open.get_mut(&Key::of(uri))?;
        let mut text = document.text.to_string();
        let mut places = None;
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let places: &Places = places.as_ref().unwrap_or(&document.places);
                    let span = places.span(range);
                    text.replace_range(span.start as usize..span.end as usize, &change.text);
                }
            }
            places = Some(Places::new(&text, self.encoding));
        }
        *document = document.next(version, text, self.encoding);
        Some(document)
    }

    /// Removes a text that was closed. Its pending requests become outdated.
    pub(crate) fn close(&mut self, uri: &Uri) -> Option<Document> {
        let document = self.open.remove(&Key::of(uri))?;
        document.newest.fetch_add(1, Ordering::SeqCst);
        Some(document)
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Documents, Key};
    use crate::places::Encoding;
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};

    fn uri(text: &str) -> Uri {
        text.parse().unwrap()
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let position = |(line, character)| Position { line, character };
        TextDocumentContentChangeEvent {
            range: Some(Range::new(position(from), position(to))),
            range_length: None,
            text: text.to_owned(),
        }
    }

    fn text(document: Option<&Document>) -> &str {
        &document.unwrap().text
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let a = uri("file:///a.fletch");
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let mut documents = Documents::new(encoding);
            documents.open(a.clone(), 1, "ℓ0\nx".to_owned());
            let after_the_name = match encoding {
                Encoding::Utf8 => 4,
                Encoding::Utf16 => 2,
            };
            let changes = vec![
                change((0, after_the_name), (0, after_the_name), "🦀\n"),
                change((1, 0), (2, 0), "y"),
            ];
            assert_eq!(text(documents.change(&a, 2, changes)), "ℓ0🦀\nyx");
            let whole = TextDocumentContentChangeEvent {
                range: None,
                range_length: None,
                text: "z".to_owned(),
            };
            let changes = vec![whole, change((0, 9), (7, 7), "!")];
            assert_eq!(text(documents.change(&a, 3, changes)), "z!");
        }
    }

    #[test]
    fn a_version_is_outdated_by_the_next_and_by_closing() {
        let a = uri("file:///a.fletch");
        let mut documents = Documents::default();
        let first = documents.open(a.clone(), 1, "x".to_owned()).clone();
        assert!(!first.is_outdated());
        let second = documents.change(&a, 2, Vec::new()).unwrap().clone();
        assert!(first.is_outdated() && !second.is_outdated());
        documents.close(&a);
        assert!(second.is_outdated());
        assert!(documents.change(&a, 3, Vec::new()).is_none());
    }

    #[test]
    fn two_addresses_of_one_file_are_one_document() {
        let plain = Key::of(&uri("file:///tmp/a%20b.fletch"));
        assert_eq!(plain, Key::of(&uri("file:///tmp/a%20%62.fletch")));
        assert_ne!(plain, Key::of(&uri("untitled:a")));
    }
}
