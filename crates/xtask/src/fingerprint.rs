//! Fingerprints, which change when the files under some paths change.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Names of folders with generated files, which are skipped.
const GENERATED: [&str; 4] = ["node_modules", "generated", "target", "results"];

/// The fingerprint of files and folders. It covers paths, sizes and times of change, not contents, so it takes milliseconds.
pub(crate) fn of_trees<'a>(paths: impl IntoIterator<Item = &'a Path>) -> String {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        visit(path, &mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// The fingerprint of a file's bytes. An absent file has one too.
pub(crate) fn of_content(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    fs::read(path).ok().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn visit(path: &Path, hasher: &mut DefaultHasher) {
    path.hash(hasher);
    let Ok(metadata) = fs::metadata(path) else {
        return;
    };
    if metadata.is_dir() {
        let Ok(entries) = fs::read_dir(path) else {
            return;
        };
        let mut children: Vec<_> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .collect();
        // The file system determines the order of the entries.
        children.sort();
        for child in children {
            if !child
                .file_name()
                .is_some_and(|name| GENERATED.iter().any(|generated| name == *generated))
            {
                visit(&child, hasher);
            }
        }
    } else {
        metadata.len().hash(hasher);
        metadata.modified().ok().hash(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_with_content_and_ignores_generated_folders() {
        let folder =
            std::env::temp_dir().join(format!("fletch-fingerprint-{}", std::process::id()));
        fs::create_dir_all(folder.join("generated")).unwrap();
        fs::write(folder.join("a"), "1").unwrap();
        let before = of_trees([folder.as_path()]);
        fs::write(folder.join("generated").join("b"), "2").unwrap();
        assert_eq!(of_trees([folder.as_path()]), before);
        fs::write(folder.join("a"), "12").unwrap();
        assert_ne!(of_trees([folder.as_path()]), before);
        fs::remove_dir_all(folder).unwrap();
    }
}
