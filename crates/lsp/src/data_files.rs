//! The data files of a program, cached until one of them changes.

use fletch_elaborate::Files;
use fletch_ide::data_files;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The state of a file: its length in bytes and the time of its last change; `None` if the file does not exist.
type Stamp = Option<(u64, SystemTime)>;

/// Cache of the data files of a program.
#[derive(Default)]
pub(crate) struct DataFiles {
    /// Path of each requested file, with its state when it was read.
    seen: Vec<(PathBuf, Stamp)>,
    files: Files,
}

impl DataFiles {
    /// The files with these names in a folder, read again if one of them has changed. A program without a folder has no files.
    pub(crate) fn files(&mut self, folder: Option<&Path>, names: &[String]) -> &Files {
        let Some(folder) = folder else {
            *self = DataFiles::default();
            return &self.files;
        };
        let seen = names.iter().map(|name| {
            let path = data_files::path(folder, name);
            let stamp = stamp(&path);
            (path, stamp)
        });
        let seen: Vec<(PathBuf, Stamp)> = seen.collect();
        if seen != self.seen {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            // Reading a device or a pipe might never end.
            let (ordinary, others) = names
                .into_iter()
                .partition::<Vec<&str>, _>(|name| is_ordinary(&data_files::path(folder, name)));
            self.files = data_files::files(folder, &ordinary);
            for name in others {
                self.files
                    .insert_unreadable(name, "it is not an ordinary file".to_owned());
            }
            self.seen = seen;
        }
        &self.files
    }

    /// True if the state of a file differs from the state when it was read.
    pub(crate) fn is_stale(&self) -> bool {
        self.seen
            .iter()
            .any(|(path, before)| stamp(path) != *before)
    }

    /// True if this file is in the cache.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.seen.iter().any(|(own, _)| own == path)
    }

    /// Makes the next call of [`DataFiles::files`] read all files again.
    pub(crate) fn forget(&mut self) {
        for (_, stamp) in &mut self.seen {
            *stamp = None;
        }
    }
}

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// True if a file is an ordinary one, which can be read to its end, or does not exist.
fn is_ordinary(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |data| data.is_file())
}
