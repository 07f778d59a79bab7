//! The crates use one another as the table of `ARCHITECTURE.md` says, and nothing below `web` knows of a browser.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// What cargo knows, for the target that the page is built for.
fn metadata() -> Json {
    let platform = ["--filter-platform", "wasm32-unknown-unknown"];
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        .args(platform)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What each package depends on when it is built, by the names of the packages.
fn dependencies(metadata: &Json) -> BTreeMap<String, BTreeSet<String>> {
    let packages = metadata["packages"].as_array().unwrap();
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let names: BTreeMap<String, String> = packages
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let normal = |dependency: &&Json| {
        let kinds = dependency["dep_kinds"].as_array().unwrap();
        kinds.iter().any(|kind| kind["kind"].is_null())
    };
    let used = |node: &Json| {
        let dependencies = node["deps"].as_array().unwrap().iter().filter(normal);
        dependencies
            .map(|it| names[&text(&it["pkg"])].clone())
            .collect()
    };
    nodes
        .iter()
        .map(|node| (names[&text(&node["id"])].clone(), used(node)))
        .collect()
}

/// The rows of the table: a folder of crates, and what it may use.
fn table() -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.split(" | ").collect();
        let folder = cells[0].trim_end_matches('`');
        let name = folder.rsplit('/').next()?;
        let crates = folder.starts_with("crates/") || name == "web";
        let may = cells.last()?.trim_end_matches(['|', ' ']);
        let may = may
            .split(", ")
            .filter(|word| *word != "–")
            .map(str::to_owned);
        crates.then(|| (name.to_owned(), may.collect()))
    });
    rows.collect()
}

#[test]
fn crates_use_what_the_table_lets_them_use() {
    let dependencies = dependencies(&metadata());
    let table = table();
    let members: BTreeSet<&str> = dependencies
        .keys()
        .filter_map(|name| name.strip_prefix("fletch-"))
        .filter(|name| !matches!(*name, "tests" | "notation"))
        .collect();
    let listed: BTreeSet<&str> = table.iter().map(|(name, _)| &**name).collect();
    assert_eq!(members, listed);
    let mut above: Vec<String> = Vec::new();
    for (name, may) in &table {
        let may = if may == &["all of the above"] {
            &above
        } else {
            may
        };
        let used = dependencies[&format!("fletch-{name}")].iter();
        let used = used.filter_map(|it| it.strip_prefix("fletch-"));
        let wrong: Vec<&str> = used.filter(|it| !may.contains(&(*it).to_owned())).collect();
        assert_eq!(wrong, Vec::<&str>::new(), "what `{name}` uses");
        above.push(name.clone());
    }
}

#[test]
fn nothing_below_the_page_knows_of_a_browser() {
    let dependencies = dependencies(&metadata());
    let reached = |start: &str| {
        let mut reached = BTreeSet::new();
        let mut left = vec![start.to_owned()];
        while let Some(name) = left.pop() {
            if reached.insert(name.clone()) {
                left.extend(dependencies[&name].iter().cloned());
            }
        }
        reached
    };
    let browser = ["js-sys", "wasm-bindgen", "web-sys"].map(str::to_owned);
    let page = reached("fletch-web");
    assert!(browser.iter().all(|name| page.contains(name)));
    let below = reached("fletch-playground");
    assert!(below.contains("fletch-smooth") && below.contains("pretty"));
    assert!(!browser.iter().any(|name| below.contains(name)));
}
