//! Files that data sets are read from: added by name, and parsed only once.

use crate::csv::{self, FILE_LIMIT, FileFault, LeftOut, Table, Wrong};
use crate::shaped::Shaped;
use fletch_calculus::{Tensor, Value};
use fletch_syntax::tree::{Dataset, ItemKind, Program};
use fletch_syntax::{Spanned, nfc};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Files by the names that `csv("name")` uses. Names are compared in NFC.
#[derive(Clone, Debug, Default)]
pub struct Files {
    known: BTreeMap<String, Arc<File>>,
}

#[derive(Debug)]
struct File {
    text: String,
    read: OnceLock<Result<Table, FileFault>>,
}

impl File {
    /// A file with a fault, whose contents are not available.
    fn wrong(wrong: Wrong) -> File {
        let (place, more) = (None, 0);
        File {
            text: String::new(),
            read: OnceLock::from(Err(FileFault { place, wrong, more })),
        }
    }
}

impl Files {
    /// Adds a file, and replaces a file of the same name.
    pub fn insert(&mut self, name: &str, text: String) {
        let read = OnceLock::new();
        self.put(name, File { text, read });
    }

    /// Inserts a file from its bytes, in any text encoding ([`csv::decoded`]).
    pub fn insert_bytes(&mut self, name: &str, bytes: &[u8]) {
        if bytes.len() > FILE_LIMIT {
            self.put(name, File::wrong(Wrong::Bytes));
        } else {
            self.insert(name, csv::decoded(bytes));
        }
    }

    /// Adds a file that exists but cannot be read, with the reason.
    pub fn insert_unreadable(&mut self, name: &str, why: String) {
        self.put(name, File::wrong(Wrong::Unreadable(why)));
    }

    fn put(&mut self, name: &str, file: File) {
        self.known.insert(nfc(name), Arc::new(file));
    }

    /// The numbers of a file; `None` if there is no such file.
    pub(crate) fn table(&self, name: &str) -> Option<Result<&Table, &FileFault>> {
        let file = self.known.get(&nfc(name))?;
        Some(file.read.get_or_init(|| csv::read(&file.text)).as_ref())
    }
}

impl FromIterator<(String, Vec<u8>)> for Files {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(files: I) -> Files {
        let mut all = Files::default();
        for (name, bytes) in files {
            all.insert_bytes(&name, &bytes);
        }
        all
    }
}

impl FromIterator<(String, String)> for Files {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(files: I) -> Files {
        let mut all = Files::default();
        for (name, text) in files {
            all.insert(&name, text);
        }
        all
    }
}

/// The names of the files that a program reads, in file order.
pub fn file_names(program: &Program) -> Vec<&str> {
    let items = program.items.iter();
    let files = items.flat_map(|item| match &item.node {
        ItemKind::Data(decl) => files_of(&decl.dataset),
        _ => Vec::new(),
    });
    files.map(|file| &*file.node).collect()
}

/// The files named in a data set, from left to right.
pub(crate) fn files_of(dataset: &Dataset) -> Vec<&Spanned<String>> {
    match dataset {
        Dataset::Csv(file) => vec![file],
        Dataset::Combined(combination) => {
            let of = combination.of.iter();
            of.flat_map(|dataset| files_of(&dataset.node)).collect()
        }
        Dataset::Samples(_) | Dataset::Generator(_) => Vec::new(),
    }
}

impl Table {
    /// Lines of the file as samples of a type. The columns fill the type in order.
    ///
    /// # Errors
    /// If the count of columns differs from the size of a sample. If the missing columns were left out as empty, the fault says that
    /// their numbers are missing.
    pub(crate) fn samples(&self, shaped: &Shaped) -> Result<Vec<Value>, FileFault> {
        let size = size(shaped);
        if size != self.columns {
            let LeftOut {
                empty, first_empty, ..
            } = self.left_out;
            let missing = (1..=empty).contains(&size.saturating_sub(self.columns));
            let (place, wrong) = match missing {
                true => (
                    first_empty,
                    Wrong::Missing(String::new(), self.columns + 1, None),
                ),
                false => ((self.first, 1), Wrong::Columns(self.columns, size)),
            };
            return Err(FileFault {
                place: Some(place),
                wrong,
                more: 0,
            });
        }
        let lines = self.numbers.chunks_exact(self.columns.max(1));
        Ok(lines
            .filter_map(|mut line| filled(shaped, &mut line))
            .collect())
    }
}

/// Number of scalars in a sample.
fn size(shaped: &Shaped) -> usize {
    match shaped {
        Shaped::Unknown => 0,
        Shaped::Real(shape) => shape.size(),
        Shaped::Product(parts) => parts.iter().map(size).sum(),
    }
}

/// A value made of the first numbers, which are removed from the slice.
fn filled(shaped: &Shaped, numbers: &mut &[f64]) -> Option<Value> {
    match shaped {
        Shaped::Unknown => None,
        Shaped::Real(shape) => {
            let (own, rest) = numbers.split_at_checked(shape.size())?;
            *numbers = rest;
            Some(Value::Real(Tensor::new(shape.clone(), own.to_vec())?))
        }
        Shaped::Product(parts) => {
            let parts: Option<Vec<Value>> =
                parts.iter().map(|part| filled(part, numbers)).collect();
            Some(Value::Tuple(parts?.into()))
        }
    }
}
