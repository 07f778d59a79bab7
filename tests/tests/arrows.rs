//! Invariants 1 and 2 of `ARCHITECTURE.md`: crates depend only on crates that its table allows, and no crate below the page
//! depends on a browser. The table is read from that file, crates and dependencies (called *arrows* here) from `cargo metadata`.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

type Names = BTreeSet<String>;

/// Returns the crates of the table, by the last component of their folders, with the crates that each may use.
fn table() -> BTreeMap<String, Names> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| folder |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let mut table = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [folder, _, uses] = cells[..] else {
            panic!("not three cells: {row}")
        };
        let folder = folder.trim_matches('`');
        // Some folders are no crates, and `fuzz` is a separate workspace.
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml"));
        if manifest.map_or(true, |text| text.contains("[workspace]")) {
            continue;
        }
        let above = || table.keys().cloned().collect::<Names>();
        let uses = match uses {
            "–" => Names::new(),
            "all of the above" => above(),
            listed => listed.split(", ").map(str::to_owned).collect(),
        };
        assert!(uses.is_subset(&above()), "{folder} uses what is not above");
        let name = folder.rsplit('/').next().unwrap();
        table.insert(name.to_owned(), uses);
    }
    table
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Packages by identifier: name and dependencies, including those of tests.
struct Packages(BTreeMap<String, (String, Vec<Arrow>)>);

struct Arrow {
    to: String,
    only_in_tests: bool,
}

impl Packages {
    /// Reads all packages that the workspace is built from for a browser.
    fn read() -> Packages {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version=1", "--locked"])
            .args(["--filter-platform", "wasm32-unknown-unknown"])
            .current_dir(root())
            .output()
            .unwrap();
        let failure = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{failure}");
        let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
        let text = |json: &Json| json.as_str().unwrap().to_owned();
        let packages = metadata["packages"].as_array().unwrap().iter();
        let names: BTreeMap<String, String> = packages
            .map(|package| (text(&package["id"]), text(&package["name"])))
            .collect();
        let arrow = |dependency: &Json| {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            Arrow {
                to: text(&dependency["pkg"]),
                only_in_tests: kinds.iter().all(|kind| kind["kind"] == "dev"),
            }
        };
        let nodes = metadata["resolve"]["nodes"].as_array().unwrap().iter();
        let packages = nodes.map(|node| {
            let id = text(&node["id"]);
            let arrows = node["deps"].as_array().unwrap().iter().map(arrow);
            (id.clone(), (names[&id].clone(), arrows.collect()))
        });
        Packages(packages.collect())
    }

    /// Returns the packages of this workspace: name in the table, identifier, dependencies.
    fn own(&self) -> impl Iterator<Item = (&str, &str, &[Arrow])> {
        let packages = self.0.iter();
        packages.filter_map(|(id, (name, arrows))| {
            Some((name.strip_prefix("fletch-")?, id.as_str(), &arrows[..]))
        })
    }

    /// Returns the name in the table, or `None` for a crate outside of this workspace.
    fn name(&self, id: &str) -> Option<&str> {
        self.0[id].0.strip_prefix("fletch-")
    }

    /// Returns all packages that a package is built from, including itself, without dependencies of tests.
    fn parts(&self, id: &str) -> BTreeSet<&str> {
        let mut parts = BTreeSet::new();
        let mut next: Vec<&str> = self
            .0
            .get_key_value(id)
            .map(|(id, _)| &**id)
            .into_iter()
            .collect();
        while let Some(id) = next.pop() {
            if parts.insert(id) {
                let arrows = self.0[id].1.iter().filter(|arrow| !arrow.only_in_tests);
                next.extend(arrows.map(|arrow| arrow.to.as_str()));
            }
        }
        parts
    }
}

#[test]
fn arrows_point_as_in_the_table() {
    let (table, packages) = (table(), Packages::read());
    let mut arrows_seen = 0;
    for (name, _, arrows) in packages.own() {
        let row = table.get(name);
        let uses = row.unwrap_or_else(|| panic!("the table has no row for {name}"));
        for arrow in arrows {
            let Some(to) = packages.name(&arrow.to) else {
                continue;
            };
            arrows_seen += 1;
            // Tests may use crates next to or above their own in the table, but no front end.
            let may = if arrow.only_in_tests {
                !["cli", "web", "xtask", "tests"].contains(&to)
            } else {
                uses.contains(to)
            };
            assert!(may, "{name} uses {to}, which the table does not let it");
        }
    }
    assert!(arrows_seen >= table.len(), "{arrows_seen} arrows");
    let names: Names = packages.own().map(|(name, ..)| name.to_owned()).collect();
    assert_eq!(names, table.into_keys().collect(), "rows and crates");
}

#[test]
fn nothing_below_the_page_knows_of_a_browser() {
    let packages = Packages::read();
    let of_browsers = |id: &&str| {
        let name = packages.0[*id].0.as_str();
        let kinds = ["web-sys", "js-sys", "wasm-bindgen", "yew", "gloo"];
        kinds.iter().any(|kind| name.starts_with(kind))
    };
    let (_, web, _) = packages.own().find(|(name, ..)| *name == "web").unwrap();
    let page = packages.parts(web);
    assert!(page.iter().any(of_browsers), "the page itself does");
    let below = packages
        .own()
        .filter(|(name, id, _)| *id != web && *name != "host" && page.contains(id));
    let mut checked = 0;
    for (name, id, _) in below {
        let found: Vec<&str> = packages.parts(id).into_iter().filter(of_browsers).collect();
        assert!(found.is_empty(), "{name} depends on {found:?}");
        checked += 1;
    }
    assert!(checked > 5, "{checked} crates below the page");
}
