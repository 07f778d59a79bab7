//! Helpers that the cross-crate tests share: programs on disk, and comparison with reference results.

pub mod dual;
pub mod eager;
pub mod generate;
pub mod hostile;
pub mod laws;
pub mod module;
pub mod nested;
pub mod pieces;
pub mod random;
pub mod time;

use fletch_elaborate::Main;
use fletch_ide::Checked;
use fletch_smooth::Partiality;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the examples.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Returns the folder of the programs with reference results.
pub fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Returns the programs of a folder as (name, source), sorted by name.
///
/// # Panics
/// If the folder has no program: a test that iterates over them would test nothing.
pub fn programs(folder: &Path) -> Vec<(String, String)> {
    let mut programs: Vec<(String, String)> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "fletch")
        })
        .filter_map(|path| {
            let name = path.file_stem()?.to_string_lossy().into_owned();
            Some((name, fs::read_to_string(path).ok()?))
        })
        .collect();
    programs.sort();
    assert!(!programs.is_empty(), "no programs in {}", folder.display());
    programs
}

/// Checks a program that must have no errors; warnings are allowed.
///
/// # Panics
/// If the program is rejected or has no `main`.
#[allow(clippy::panic)] // A failed test is a panic.
pub fn must_check(source: &str) -> Main {
    let Checked {
        diagnostics, main, ..
    } = fletch_ide::check(source);
    let errors: Vec<_> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .collect();
    match main {
        Some(main) if errors.is_empty() => main,
        _ => panic!("rejected: {errors:#?}\n{source}"),
    }
}

/// Returns the result of `run --json`.
///
/// # Panics
/// If the program is rejected or has no `main`.
pub fn run_json(source: &str) -> Json {
    let main = must_check(source);
    let index = fletch_ide::check(source).index;
    fletch_runs::run(&main.program, Partiality::Paper, 1_000_000).json(&main.program, &index)
}

/// Returns the first difference between two results. Numbers are compared to a relative 1e-12 (absolute below 1).
pub fn difference(expected: &Json, found: &Json, place: &str) -> Option<String> {
    match (expected, found) {
        (Json::Object(expected), Json::Object(found)) => {
            if let Some(extra) = found.keys().find(|key| !expected.contains_key(*key)) {
                return Some(format!("{place}: unexpected {extra}"));
            }
            expected
                .iter()
                .find_map(|(key, expected)| match found.get(key) {
                    Some(found) => difference(expected, found, &format!("{place}.{key}")),
                    None => Some(format!("{place}: {key} is missing")),
                })
        }
        (Json::Array(expected), Json::Array(found)) => {
            if expected.len() != found.len() {
                return Some(format!(
                    "{place}: {} entries, not {}",
                    found.len(),
                    expected.len()
                ));
            }
            let mut pairs = expected.iter().zip(found).enumerate();
            pairs.find_map(|(position, (expected, found))| {
                difference(expected, found, &format!("{place}[{position}]"))
            })
        }
        _ => {
            let close = match (expected.as_f64(), found.as_f64()) {
                (Some(expected), Some(found)) => {
                    (expected - found).abs() <= 1e-12 * expected.abs().max(1.0)
                }
                _ => expected == found,
            };
            (!close).then(|| format!("{place}: {found}, not {expected}"))
        }
    }
}
