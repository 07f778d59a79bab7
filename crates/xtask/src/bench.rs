//! `cargo xtask bench`: measures, and prints each result next to its bound.
//!
//! A missed bound is marked, but is no failure, since times depend on the machine. A failed measurement is a failure.

use std::fs;
use std::path::Path;

use crate::dist::{self, Page, Programs};
use crate::failure::{Failure, Outcome};
use crate::process::{self, command};
use crate::stages;
use crate::tools::{self, Purpose};
use crate::workspace::Workspace;

/// Mark of a missed bound in the rows of all tables.
const MISSED: &str = "**MISSED**";

/// Runs the benches with these names, or all if `only` is empty.
pub(crate) fn run(workspace: &Workspace, only: &[String]) -> Outcome<()> {
    let native = benches(&workspace.root().join("tests/benches"), ".rs")?;
    let page = benches(&workspace.end_to_end().join("bench"), ".bench.mjs")?;
    let all = || native.iter().chain(&page);
    if let Some(unknown) = only.iter().find(|name| !all().any(|bench| bench == *name)) {
        let known: Vec<&str> = all().map(String::as_str).collect();
        return Err(Failure::new(format!(
            "there is no bench `{unknown}`; the benches are {}",
            known.join(", ")
        )));
    }
    let chosen = |benches: Vec<String>| -> Vec<String> {
        let wanted = |name: &String| only.is_empty() || only.contains(name);
        benches.into_iter().filter(wanted).collect()
    };
    let (native, page) = (chosen(native), chosen(page));
    let mut missed = 0;
    let mut count = |line: &str| missed += usize::from(line.contains(MISSED));
    if !native.is_empty() {
        let mut cargo = command("cargo", workspace.root());
        cargo.args(["bench", "--quiet", "--package", "fletch-tests"]);
        cargo.args(native.iter().flat_map(|name| ["--bench", name]));
        process::watched(&mut cargo, &mut count)?;
    }
    if !page.is_empty() {
        tools::prepare(workspace, Purpose::Benches)?;
        dist::build(workspace, Page::Shipped, Programs::Alone)?;
        let mut node = stages::against(Page::Shipped, workspace)?;
        // The benches run one after the other, since parallel ones would slow each other down.
        node.args(["--test", "--test-concurrency=1"])
            .args(["--test-reporter", "./bench/table.mjs"])
            .args(page.iter().map(|name| format!("bench/{name}.bench.mjs")));
        process::watched(&mut node, &mut count)?;
    }
    println!("\n{missed} bounds missed");
    Ok(())
}

/// The names of the benches in a folder: its files with this ending.
fn benches(folder: &Path, ending: &str) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::io("list", folder))? {
        let name = entry.map_err(Failure::io("list", folder))?.file_name();
        if let Some(name) = name.to_string_lossy().strip_suffix(ending) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tables_mark_what_is_missed() {
        let workspace = Workspace::find().unwrap();
        for table in [
            "tests/benches/figures/mod.rs",
            "tests/e2e/bench/figures.mjs",
        ] {
            let text = fs::read_to_string(workspace.root().join(table)).unwrap();
            assert!(text.contains(MISSED), "{table}");
        }
    }

    #[test]
    fn benches_are_found_by_name() {
        let workspace = Workspace::find().unwrap();
        let names = benches(&workspace.root().join("tests/benches"), ".rs").unwrap();
        assert!(names.contains(&"steps".to_owned()), "{names:?}");
        let names = benches(&workspace.end_to_end().join("bench"), ".bench.mjs").unwrap();
        assert!(names.contains(&"jumps".to_owned()), "{names:?}");
    }
}
