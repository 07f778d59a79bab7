//! Heaps on disk: `safetensors` files in the format of the page.

use fletch_runs::{Cells, weights};
use fletch_smooth::Tensor;
use std::io;
use std::path::Path;

/// Reads the contents of these locations from a file. A location that the file lacks keeps its contents.
pub(crate) fn load(path: &str, locations: &[(String, Tensor)]) -> Result<Cells, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    let read = weights::read(path, &bytes, locations)?;
    for name in &read.missing {
        eprintln!("fletch: {path} has no `{name}`, which keeps its initial contents");
    }
    tell_not_finite(path, &read.cells);
    Ok(read.cells)
}

/// Writes the contents of all locations, in F64.
pub(crate) fn save(path: &str, cells: &[(String, Tensor)]) -> Result<(), String> {
    let bytes = weights::written(cells)?;
    std::fs::write(path, bytes).map_err(|error| format!("cannot write {path}: {error}"))?;
    tell_not_finite(path, cells);
    Ok(())
}

/// Reports which locations of a file have numbers that are not finite: results computed with them are not finite either.
fn tell_not_finite(path: &str, cells: &[(String, Tensor)]) {
    for (name, contents) in cells {
        let mut entries = contents.data().iter();
        let found = match entries.clone().any(|entry| entry.is_nan()) {
            true => "NaN",
            false if entries.any(|entry| entry.is_infinite()) => "∞",
            false => continue,
        };
        eprintln!("fletch: {path} has {found} in `{name}`");
    }
}

/// True if a command would write its result over its own program.
pub(crate) fn overwrites(path: &str, program: &str) -> bool {
    let of = |path: &str| std::fs::canonicalize(path).ok();
    program != "-" && of(path).is_some_and(|path| of(program) == Some(path))
}

/// Message for a result that would overwrite its program.
pub(crate) fn overwritten(path: &str) -> String {
    format!("{path} is the program itself: write to another file")
}

/// Checks that a file can be written, as far as possible without writing, so that no training is lost at its end.
pub(crate) fn writable(path: &str) -> Result<(), String> {
    let cannot = |error: io::Error| format!("cannot write {path}: {error}");
    let found = std::fs::OpenOptions::new().write(true).open(path);
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = Path::new(path).parent();
            let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            std::fs::metadata(folder).map(|_| ()).map_err(cannot)
        }
        found => found.map(|_| ()).map_err(cannot),
    }
}
