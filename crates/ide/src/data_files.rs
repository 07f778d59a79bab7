//! The data files in the folder of a program on disk, from which its data sets are read. A page has no disk and supplies the files itself.

use fletch_elaborate::{FILE_LIMIT, Files};
use fletch_syntax::nfc;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Reads the files of these names in the folder of a program. Missing files are left out.
pub fn files(folder: &Path, names: &[&str]) -> Files {
    let mut files = Files::default();
    for name in names {
        match read(&path(folder, name)) {
            Ok(bytes) => files.insert_bytes(name, &bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => files.insert_unreadable(name, error.to_string()),
        }
    }
    files
}

/// The path of the file of this name in the folder of a program, existing or not.
pub fn path(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    match path.exists() {
        true => path,
        false => spelled(&path).unwrap_or(path),
    }
}

/// Reads a file, up to one byte more than the limit; the additional byte shows that the file is too large.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = FILE_LIMIT as u64 + 1;
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The existing file whose name differs only in its Unicode normalization form: other systems write `ö` as two characters.
fn spelled(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let name = nfc(path.file_name()?.to_str()?);
    let mut entries = fs::read_dir(folder).ok()?.flatten();
    let found = entries.find(|entry| {
        entry
            .file_name()
            .to_str()
            .is_some_and(|own| nfc(own) == name)
    });
    Some(found?.path())
}
