//! Programs on disk, in the folders of a workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// File name extension of programs.
const ENDING: &str = "fletch";
/// Maximum numbers of folders visited and of programs found.
const FOLDERS: usize = 10_000;
const PROGRAMS: usize = 2_000;
/// Maximum depth of folders below a folder of the workspace.
const DEPTH: usize = 16;
/// Folders of tools, which may contain foreign programs.
const OTHERS: [&str; 2] = ["target", "node_modules"];

/// True if the name of a file is that of a program.
pub(crate) fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING)
}

/// The programs in a folder and its subfolders, sorted. Hidden folders and folders of tools are skipped, and no link is followed.
pub(crate) fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut next = vec![(folder.to_owned(), 0)];
    let mut looked = 0;
    while let Some((folder, depth)) = next.pop() {
        looked += 1;
        if looked > FOLDERS || found.len() >= PROGRAMS {
            break;
        }
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if kind.is_dir() {
                let left_out = name.starts_with('.') || OTHERS.contains(&&*name);
                if depth < DEPTH && !left_out {
                    next.push((path, depth + 1));
                }
            } else if kind.is_file() && is_program(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.truncate(PROGRAMS);
    found
}
