//! What the modules of the page use of one another, read from their `use` lines and paths.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Each module uses only those before it. What draws is last but for the figures, which draw too, and the shell, so that nothing
/// that decides depends on how it looks.
const ORDER: [&str; 22] = [
    "texts",
    "number",
    "talk",
    "ids",
    "geometry",
    "highlight",
    "failure",
    "late",
    "examples",
    "model",
    "animation",
    "effects",
    "update",
    "controls",
    "view",
    "channel",
    "bridge",
    "worker",
    "generated",
    "figures",
    "shell",
    "still",
];

/// The sources of a module.
fn sources(path: &Path) -> String {
    let mut text = fs::read_to_string(path.with_extension("rs")).unwrap_or_default();
    for entry in fs::read_dir(path).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.with_extension("rs").exists() {
            continue;
        }
        text += &sources(&path.with_extension(""));
    }
    text
}

/// The modules that a text names as `crate::…`.
fn used(text: &str) -> BTreeSet<&str> {
    let word = |rest: &str| rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let paths = text.split("crate::").skip(1);
    paths
        .map(|rest| &rest[..word(rest).unwrap_or(rest.len())])
        .collect()
}

#[test]
fn modules_use_only_those_before_them_and_none_but_figures_and_shell_use_the_view() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let known: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().with_extension(""))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| !["lib", "main", "bin"].contains(&name.as_str()))
        .collect();
    assert_eq!(
        known,
        ORDER.map(String::from).into(),
        "every module has its place"
    );
    let mut arrows = 0;
    for (at, module) in ORDER.iter().enumerate() {
        let text = sources(&folder.join(module));
        for other in used(&text) {
            let place = ORDER.iter().position(|known| *known == other);
            let place =
                place.unwrap_or_else(|| panic!("{module} uses crate::{other}, which is no module"));
            assert!(place <= at, "{module} uses {other}");
            assert!(
                other != "view" || ["view", "figures", "shell", "still"].contains(module),
                "{module} uses the view"
            );
            arrows += usize::from(place < at);
        }
    }
    assert!(arrows > 20, "the lines were read: {arrows}");
}
