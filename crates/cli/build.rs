//! Embeds the files of the tour in the command line. A new lesson needs no change of code.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new("../../examples/tour").canonicalize()?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut table = "&[\n".to_owned();
    for file in files {
        let name = file.strip_prefix(&root)?;
        let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
        writeln!(table, "({:?}, include_str!({file:?})),", name.join("/"))?;
    }
    table.push(']');
    let out = std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    Ok(fs::write(Path::new(&out).join("lessons.rs"), table)?)
}

/// Collects the files of a folder and of its subfolders.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
