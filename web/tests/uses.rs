//! Test of the layers: each file uses only its own layer and lower ones, as read from the paths that its text names.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)] // A failed test is a panic.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// Modules by layers, lowest first: texts and helpers, state, effects, updates, views, and modules that touch the
/// browser or produce a page next to it. No update depends on a view.
const LAYERS: [&[&str]; 6] = [
    &[
        "texts",
        "number",
        "geometry",
        "highlight",
        "failure",
        "late",
        "examples",
    ],
    &["model", "ids", "animation"],
    &["effects"],
    &["update"],
    &["controls", "view"],
    &["channel", "bridge", "generated", "worker", "shell", "still"],
];

/// Names of the features: the tabs, the editor, and sharing or presenting. A feature is a folder with its state, its
/// `update` and its `view`.
static FEATURES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let parts = |path: &Path| ["update", "view"].map(|part| path.join(part).with_extension("rs"));
    let own = entries.filter(|entry| parts(&entry.path()).iter().all(|part| part.exists()));
    own.map(|entry| entry.file_name().into_string().unwrap())
        .collect()
});

fn is_feature(module: &str) -> bool {
    FEATURES.iter().any(|feature| feature == module)
}

/// Files that no other file uses, or that only tests use.
const OUTSIDE: [&str; 4] = ["lib", "main", "bin", "answered"];

/// Index of the layer of a file or a path.
fn layer(parts: &[&str]) -> Option<usize> {
    let of = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let (module, rest) = parts.split_first()?;
    if !is_feature(module) {
        return of(module);
    }
    let part = rest.iter().find(|part| ["update", "view"].contains(part));
    of(part.unwrap_or(&"model"))
}

/// Paths that the text begins with, cut off after `names` names. A group in braces gives one path for each item.
fn paths(text: &str, names: usize) -> Vec<Vec<&str>> {
    let text = text.trim_start();
    if names == 0 {
        return vec![Vec::new()];
    }
    if let Some(group) = text.strip_prefix('{') {
        let items = items(group).into_iter();
        return items.flat_map(|item| paths(item, names)).collect();
    }
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (name, rest) = text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()));
    if name.is_empty() {
        return Vec::new();
    }
    let below = rest.strip_prefix("::");
    let below = below.map_or_else(|| vec![Vec::new()], |rest| paths(rest, names - 1));
    below
        .into_iter()
        .map(|path| [vec![name], path].concat())
        .collect()
}

/// Comma-separated items of a group, up to its closing brace.
fn items(group: &str) -> Vec<&str> {
    let (mut found, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, letter) in group.char_indices() {
        match (letter, depth) {
            ('{', _) => depth += 1,
            (',', 0) => {
                found.push(&group[from..at]);
                from = at + 1;
            }
            ('}', 0) => {
                found.push(&group[from..at]);
                break;
            }
            ('}', _) => depth -= 1,
            _ => {}
        }
    }
    found
}

/// Paths that a file uses: modules, and the `update` and `view` of features.
fn used<'t>(file: &[&'t str], text: &'t str) -> BTreeSet<Vec<&'t str>> {
    let named = text.split("crate::").skip(1);
    let mut used: BTreeSet<_> = named.flat_map(|rest| paths(rest, 2)).collect();
    // A path may also begin with a feature that a `use` has imported.
    for feature in FEATURES.iter().map(String::as_str) {
        let own = file.first() == Some(&feature);
        for part in ["update", "view"] {
            let above = own && text.contains(&format!("super::{part}"));
            if above || text.contains(&format!("{feature}::{part}::")) {
                used.insert(vec![feature, part]);
            }
        }
    }
    used
}

/// Collects the files below a folder, except tests: the path of each as module names, and its text.
fn files(folder: &Path, parts: &[String], found: &mut Vec<(Vec<String>, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let outside = parts.is_empty() && OUTSIDE.contains(&&*name);
        if name == "tests" || outside {
            continue;
        }
        let parts = [parts, &[name]].concat();
        if path.is_dir() {
            files(&path, &parts, found);
        } else {
            found.push((parts, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn files_use_only_their_own_layer_and_lower_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&folder, &[], &mut all);
    let (mut wrong, mut arrows) = (Vec::new(), 0);
    for (parts, text) in &all {
        let file: Vec<&str> = parts.iter().map(String::as_str).collect();
        let place = layer(&file).unwrap_or_else(|| panic!("{file:?} is in no layer"));
        for other in used(&file, text) {
            let below = layer(&other).unwrap_or_else(|| panic!("{file:?} uses {other:?}"));
            if below > place {
                wrong.push(format!("{} uses {}", file.join("::"), other.join("::")));
            }
            arrows += usize::from(below < place);
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(arrows > 200, "the lines were read: {arrows}");
}

#[test]
fn a_feature_has_a_part_in_three_layers() {
    assert!(is_feature("diagram") && !is_feature("model"));
    let parts = ["diagram::sheet", "diagram::update", "diagram::view::paint"];
    let layers = parts.map(|path| layer(&path.split("::").collect::<Vec<_>>()));
    let whole = ["model", "update", "view"].map(|module| layer(&[module]));
    assert_eq!(layers, whole);
}

#[test]
fn paths_in_groups_are_found() {
    let text = "use crate::{compare::{self, update::change}, texts};\ncrate::diagram::view::{a, b}";
    let found = used(&["update"], text);
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    let expected = ["compare::self", "compare::update", "diagram::view", "texts"];
    assert_eq!(found, expected);
}
