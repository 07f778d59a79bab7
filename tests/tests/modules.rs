//! The modules of a crate use one another without a circle, so a file can be read after those that it uses. Parent and child may use
//! each other, because a parent declares what its children share. Another test checks that no test file is missing from its binary.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Module = Vec<String>;
type Uses = BTreeMap<Module, BTreeSet<Module>>;

/// Reads the files of a folder as modules, without tests and comments.
fn read(folder: &Path, module: &Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut inner = module.clone();
        if path.is_dir() {
            inner.push(name);
            read(&path, &inner, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") && name != "tests" {
            if !matches!(name.as_str(), "lib" | "main" | "mod") {
                inner.push(name);
            }
            let text = fs::read_to_string(&path).unwrap();
            let code: String = text
                .split("#[cfg(test)]\nmod tests {")
                .next()
                .unwrap()
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .map(|line| format!("{line}\n"))
                .collect();
            found.insert(inner, code);
        }
    }
}

/// Returns the paths that a text starts with: one, or several in braces.
fn paths(text: &str) -> Vec<Module> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        let mut depth = 1;
        let mut starts = vec![0];
        for (at, character) in group.char_indices() {
            match character {
                '{' => depth += 1,
                '}' if depth == 1 => break,
                '}' => depth -= 1,
                ',' if depth == 1 => starts.push(at + 1),
                _ => {}
            }
        }
        return starts.iter().flat_map(|at| paths(&group[*at..])).collect();
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let inner = match rest.strip_prefix("::") {
        Some(rest) => paths(rest),
        None => vec![Vec::new()],
    };
    let with = |path: Module| [vec![word.to_owned()], path].concat();
    inner.into_iter().map(with).collect()
}

/// Returns the module that a path leads into: its longest prefix that is a module.
fn target(path: &[String], modules: &BTreeMap<Module, String>) -> Module {
    let lengths = (0..=path.len()).rev();
    let mut starts = lengths.map(|length| path[..length].to_vec());
    starts.find(|start| modules.contains_key(start)).unwrap()
}

fn uses(crate_folder: &Path) -> Uses {
    let mut modules = BTreeMap::new();
    read(&crate_folder.join("src"), &Vec::new(), &mut modules);
    let mut uses = Uses::new();
    for (module, code) in &modules {
        let used = uses.entry(module.clone()).or_default();
        for (at, _) in code.match_indices("crate::") {
            if !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                let paths = paths(&code[at + "crate::".len()..]);
                used.extend(paths.iter().map(|path| target(path, &modules)));
            }
        }
        for (at, _) in code.match_indices("super::") {
            if code[..at].ends_with("super::") {
                continue;
            }
            let mut base = module.clone();
            let mut rest = &code[at..];
            while let Some(outer) = rest.strip_prefix("super::") {
                base.pop();
                rest = outer;
            }
            let paths = paths(rest)
                .into_iter()
                .map(|path| [base.clone(), path].concat());
            used.extend(paths.map(|path| target(&path, &modules)));
        }
        // Parent and child may use each other.
        used.retain(|other| !other.starts_with(module) && !module.starts_with(other));
    }
    uses
}

/// Extends a path of modules to a circle back to its start, if there is one.
fn circle(uses: &Uses, path: &mut Vec<Module>) -> bool {
    let last = path.last().unwrap().clone();
    for next in &uses[&last] {
        if *next == path[0] {
            return true;
        }
        if !path.contains(next) {
            path.push(next.clone());
            if circle(uses, path) {
                return true;
            }
            path.pop();
        }
    }
    false
}

fn circles(uses: &Uses) -> Vec<String> {
    let found = uses.keys().filter_map(|module| {
        let mut path = vec![module.clone()];
        circle(uses, &mut path).then(|| path.iter().map(|it| it.join("::")).collect())
    });
    found.map(|path: Vec<String>| path.join(" → ")).collect()
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    for name in [
        "arrows",
        "engine",
        "diagrams",
        "trace",
        "print",
        "explain",
        "transcript",
        "ide",
        "runs",
        "playground",
        "tour",
        "lsp",
        "cli",
    ] {
        let uses = uses(&folder.join(name));
        let seen: usize = uses.values().map(BTreeSet::len).sum();
        assert!(seen > 3, "{name}: only {seen} uses were found");
        assert_eq!(circles(&uses), Vec::<String>::new(), "{name}");
    }
    // A grammar has a circle, which checks the search: commands contain handlers, and handlers contain commands.
    let grammar = circles(&uses(&folder.join("syntax")));
    let found = "parser::command → parser::handle";
    assert!(grammar.iter().any(|it| it == found), "{grammar:?}");
}

#[test]
fn a_test_program_has_all_files_beside_it() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(own.join("../crates")).unwrap();
    let crates = crates.map(|folder| folder.unwrap().path());
    let mut programs = 0;
    for package in crates.chain([own.to_path_buf()]) {
        let tests = package.join("tests");
        let Ok(main) = fs::read_to_string(tests.join("main.rs")) else {
            continue;
        };
        programs += 1;
        let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
        for file in fs::read_dir(&tests).unwrap() {
            let file = file.unwrap().path();
            // Other files are data that tests read.
            if !file.is_dir() && file.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let name = file.file_stem().unwrap().to_string_lossy();
            let is_named = name == "main"
                || main.contains(&format!("\nmod {name};"))
                || manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            assert!(is_named, "{}: `mod {name};` is missing", tests.display());
        }
    }
    assert!(programs >= 10, "{programs}");
}
