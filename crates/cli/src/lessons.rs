//! Lessons for a command: those of Fletch, or of a folder.

use crate::answer::complain;
use fletch_tour::{Lesson, TEXT, Tour, tour};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// Paths and texts of the files of the tour.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// Reads the tour of Fletch. A failure is reported, and gives `None`.
pub(crate) fn own() -> Option<Tour> {
    let files = FILES.iter();
    let files = files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    read(&files.collect())
}

/// Reads the lessons of a folder. A failure is reported, and gives `None`.
pub(crate) fn of(folder: &str) -> Option<Tour> {
    let root = Path::new(folder);
    let mut files = BTreeMap::new();
    let mut collected = collect(root, "", &mut files);
    // A folder with a `lesson.md` is a single lesson; otherwise its subfolders are lessons.
    if collected.is_ok() && !files.contains_key(TEXT) {
        let folders = fs::read_dir(root).map(|entries| entries.flatten());
        for entry in folders.into_iter().flatten() {
            if entry.path().is_dir() && collected.is_ok() {
                let name = entry.file_name().to_string_lossy().into_owned();
                collected = collect(&entry.path(), &format!("{name}/"), &mut files);
            }
        }
    }
    match collected {
        Ok(()) => read(&files),
        Err(message) => {
            complain(message);
            None
        }
    }
}

/// Adds the files of a folder that belong to lessons.
fn collect(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, String>,
) -> Result<(), String> {
    let cannot = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let kind = path.extension().and_then(|kind| kind.to_str());
        let name = path.file_name().and_then(|name| name.to_str());
        if let (Some("md" | "toml" | "fletch"), Some(name)) = (kind, name) {
            let text = fs::read_to_string(&path);
            let text = text.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            files.insert(format!("{prefix}{name}"), text);
        }
    }
    Ok(())
}

fn read(files: &BTreeMap<String, String>) -> Option<Tour> {
    tour(files).map_err(complain).ok()
}

/// The lesson with this number or name. A missing lesson is reported, and gives `None`.
pub(crate) fn lesson(tour: &Tour, asked: &str) -> Option<Rc<Lesson>> {
    let found = tour.lesson(asked).cloned().map(Rc::new);
    if found.is_none() {
        let last = tour.lessons.len();
        complain(format!(
            "there is no lesson `{asked}`: they have numbers from 1 to {last}, and names as `fletch tour` lists them"
        ));
    }
    found
}
