//! Invariants of `ARCHITECTURE.md` that no other test covers: things that must not occur in the lower crates, origins of nodes, and
//! sharing between states. The document names a test or lint for each invariant, and a test here checks these names.

use fletch_calculus::{Command, Part};
use fletch_smooth::Partiality;
use fletch_tests::{examples, must_check, programs};
use fletch_trace::{Budget, Trace};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the Rust files of a folder and its subfolders, with their text.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    assert!(!found.is_empty(), "no files in {}", folder.display());
    found
}

#[test]
fn what_computes_does_no_input_or_output() {
    let outside = [
        "std::env",
        "std::fs",
        "std::io",
        "std::net",
        "std::process",
        "std::thread",
        "std::time",
        "print!(",
        "println!(",
        "eprintln!(",
        "dbg!(",
        "include_str!(",
    ];
    for name in [
        "smooth",
        "calculus",
        "reduction",
        "arrows",
        "engine",
        "codegen",
        "diagrams",
        "tour",
    ] {
        for (path, text) in files(&root().join("crates").join(name).join("src")) {
            for word in outside {
                assert!(!text.contains(word), "{} has {word}", path.display());
            }
        }
    }
}

/// Returns the colours that a text names: `#` and digits, or `rgb(` and a number.
fn colours(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('#') {
        let digits = &text[at + 1..];
        let end = digits.find(|c: char| !c.is_ascii_hexdigit());
        let digits = &digits[..end.unwrap_or(digits.len())];
        let ends = !text[at + 1 + digits.len()..]
            .starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        if ends && [3, 4, 6, 8].contains(&digits.len()) {
            found.push(&text[at..=at + digits.len()]);
        }
    }
    for name in ["rgb(", "rgba(", "hsl("] {
        for (at, _) in text.match_indices(name) {
            if text[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()) {
                found.push(&text[at..at + name.len()]);
            }
        }
    }
    found
}

#[test]
fn colours_are_written_in_their_table() {
    assert_eq!(colours("a: #fff; b: rgb(1 2 3); #ghost"), ["#fff", "rgb("]);
    let mut texts = files(&root().join("crates"));
    texts.extend(files(&root().join("web/src")));
    for folder in ["web", "web/style", "web/editor", "web/drafts"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|kind| kind == "css" || kind == "js")
            {
                texts.push((path.clone(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    let mut checked = 0;
    for (path, text) in texts {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy();
        let name = name.replace('\\', "/");
        // The frame of an embedded program is part of another site's page.
        if name.contains("/tests/") || name.ends_with("tests.rs") || name == "web/embed.js" {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        checked += 1;
        assert_eq!(colours(code), [""; 0], "{name} has colours of its own");
    }
    assert!(checked > 100, "{checked} files");
}

/// Checks that comments begin with a noun or a verb: the name of the thing, or the action of a function.
#[test]
fn comments_name_their_thing() {
    let vague = [
        "What ", "Whether ", "That ", "Those ", "Of ", "Where ", "When ", "Which ", "If ", "It ",
        "They ",
    ];
    let mut checked = 0;
    for folder in ["crates", "web/src", "web/tests", "tests/src", "tests/tests"] {
        for (path, text) in files(&root().join(folder)) {
            let mut before = None;
            for (number, line) in (1..).zip(text.lines()) {
                let line = line.trim_start();
                let words = line.trim_start_matches(['/', '!']);
                let mark = line.strip_suffix(words).unwrap();
                let mark = Some(mark).filter(|mark| mark.starts_with("//"));
                // `cargo xtask test` compiles no code in comments of libraries.
                let code = mark.is_some() && words.trim_start().starts_with("```");
                let library = !folder.ends_with("tests");
                assert!(!(code && library), "{}:{number}: code", path.display());
                if mark.is_some() && mark != before {
                    checked += 1;
                    let begins = |word: &&&str| words.trim_start().starts_with(**word);
                    let vague = vague.iter().find(begins);
                    let place = path.display();
                    assert_eq!(vague, None, "{place}:{number}: {line}");
                }
                before = mark;
            }
        }
    }
    assert!(checked > 5_000, "{checked} comments");
}

/// Lists the files that may have hash maps. A hash map may be looked up, never iterated over (the lint `iter_over_hash_type` forbids it
/// in loops).
#[test]
fn hash_maps_are_where_they_are_known() {
    let asked = [
        "crates/arrows/src/canonical.rs",
        "crates/arrows/src/scope.rs",
        "crates/codegen/src/memory.rs",
        "crates/engine/src/share.rs",
        "crates/smooth/src/builder.rs",
        "crates/syntax/src/highlight.rs",
    ];
    let mut have = Vec::new();
    for (path, text) in files(&root().join("crates")) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy();
        let name = name.replace('\\', "/");
        let tests = name.contains("/tests/") || name.ends_with("tests.rs");
        if !tests && (text.contains("HashMap") || text.contains("HashSet")) {
            have.push(name);
        }
    }
    have.sort();
    assert_eq!(have, asked);
}

/// Visits all nodes of a command; a shared node is visited as often as it occurs.
fn each(part: Part<'_>, visit: &mut dyn FnMut(Part<'_>)) {
    visit(part);
    for child in part.children() {
        each(child, visit);
    }
}

fn states(source: &str, steps: usize) -> Vec<Command> {
    let main = must_check(source);
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    trace.run(steps, &Budget::steps(steps));
    (0..=trace.len())
        .map(|at| trace.state(at).command())
        .collect()
}

#[test]
fn every_node_of_every_state_of_every_example_comes_from_its_source() {
    for (name, source) in programs(&examples()) {
        let mut known = BTreeSet::new();
        for (position, command) in states(&source, 300).iter().enumerate() {
            each(Part::Command(command), &mut |part| {
                if !known.insert(part.identity()) {
                    return;
                }
                let (start, end) = part.origin().place();
                let text = source.get(start as usize..end as usize);
                assert!(
                    text.is_some_and(|text| !text.trim().is_empty()),
                    "{name}, position {position}: {start}–{end} is no place"
                );
            });
        }
    }
}

#[test]
fn states_share_what_a_step_leaves_alone() {
    let source = fs::read_to_string(examples().join("deep_autoencoder.fletch")).unwrap();
    let (mut nodes, mut distinct) = (0_usize, BTreeSet::new());
    let states = states(&source, 400);
    for command in &states {
        each(Part::Command(command), &mut |part| {
            nodes += 1;
            distinct.insert(part.identity());
        });
    }
    // `command` plugs the frames of a state together again, but shares the nodes below them.
    assert!(
        4 * distinct.len() < nodes,
        "{} of {nodes} nodes are distinct",
        distinct.len()
    );
}

/// Checks that every invariant names the test or the lint that enforces it, and that the named file exists.
#[test]
fn every_invariant_names_what_backs_it() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## Invariants\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut invariants: Vec<String> = Vec::new();
    for line in section.lines() {
        if line.starts_with(&format!("{}. ", invariants.len() + 1)) {
            invariants.push(String::new());
        }
        if let Some(last) = invariants.last_mut() {
            *last += line;
        }
    }
    assert!(invariants.len() >= 9, "{invariants:#?}");
    for invariant in invariants {
        let quoted = invariant.split('`').skip(1).step_by(2);
        let backed = [".rs", ".toml", ".mjs"];
        let named: Vec<&str> = quoted
            .filter(|name| backed.iter().any(|ending| name.ends_with(ending)))
            .collect();
        assert!(!named.is_empty(), "nothing backs: {invariant}");
        for name in named {
            assert!(root().join(name).exists(), "{name} is not there");
        }
    }
}

/// Checks that the architecture page and the pages that it links to stay short, and that no page is left out.
#[test]
fn the_architecture_is_short_and_leads_to_all_pages_beside_it() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(text.len() <= 10_000, "{} bytes", text.len());
    let mut pages = 0;
    for entry in fs::read_dir(root().join("docs/dev")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(text.contains(&format!("(docs/dev/{name})")), "{name}");
        let length = fs::metadata(&path).unwrap().len();
        assert!(length <= 6_000, "{name} has {length} bytes");
        pages += 1;
    }
    assert!(pages >= 10, "{pages} pages");
}

/// Checks that the table of the paper's labels names existing files, and that the Rust files among them cite the label.
#[test]
fn every_label_of_the_paper_leads_to_the_code_that_cites_it() {
    let text = fs::read_to_string(root().join("docs/dev/paper.md")).unwrap();
    let mut found = 0;
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        let quoted = |cell: &str| -> Vec<String> {
            let names = cell.split('`').skip(1).step_by(2);
            names.map(str::to_owned).collect()
        };
        let files: Vec<(String, String)> = quoted(cells[2])
            .into_iter()
            .map(|name| {
                let text = fs::read_to_string(root().join(&name)).expect(&name);
                (name, text)
            })
            .collect();
        assert!(!files.is_empty(), "{row}");
        for label in quoted(cells[1]) {
            found += 1;
            // `fig:rewriterevh` is cited as «Fig. rewriterevh»; the examples are cited by their number.
            let cited = label.rsplit(':').next().unwrap();
            for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".rs")) {
                assert!(text.contains(cited), "{name} does not cite {label}");
            }
        }
    }
    assert!(found >= 15, "{found} labels");
}

/// Checks that modules that the documents for developers name, such as `share::update`, exist. The first component of a path is a crate
/// or a module of the page; each further component is a file below it, or declared in it.
#[test]
fn the_documents_name_modules_that_are_there() {
    let docs = root().join("docs/dev");
    let mut pages: Vec<PathBuf> = fs::read_dir(docs)
        .unwrap()
        .map(|page| page.unwrap().path())
        .collect();
    pages.push(root().join("ARCHITECTURE.md"));
    let is_name = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|sign| sign == '_' || sign.is_ascii_lowercase() || sign.is_ascii_digit())
    };
    let (mut looked, mut missing) = (0, Vec::new());
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for code in text.split('`').skip(1).step_by(2) {
            let parts: Vec<&str> = code.split("::").take_while(|part| is_name(part)).collect();
            let (Some(first), true) = (parts.first(), code.contains("::")) else {
                continue;
            };
            let starts = [
                root().join("crates").join(first).join("src"),
                root().join("web/src").join(first),
            ];
            let starts = starts
                .iter()
                .filter(|start| start.is_dir() || start.with_extension("rs").is_file());
            let declared = |at: &Path, part: &str| {
                let own = if at.is_dir() { files(at) } else { Vec::new() };
                let file = fs::read_to_string(at.with_extension("rs")).unwrap_or_default();
                let says = |text: &str| {
                    ["fn", "mod", "static"].iter().any(|word| {
                        let word = format!("{word} {part}");
                        text.match_indices(&word).any(|(found, _)| {
                            !text[found + word.len()..]
                                .starts_with(|sign: char| sign == '_' || sign.is_alphanumeric())
                        })
                    })
                };
                says(&file)
                    || own
                        .iter()
                        .any(|(path, text)| path.parent() == Some(at) && says(text))
            };
            let is_there = |start: &PathBuf| {
                let mut at = start.clone();
                parts[1..].iter().all(|part| {
                    let found = declared(&at, part);
                    at = at.join(part);
                    found
                })
            };
            let starts: Vec<&PathBuf> = starts.collect();
            looked += 1;
            if !starts.is_empty() && !starts.into_iter().any(is_there) {
                missing.push(format!("{}: `{code}`", page.display()));
            }
        }
    }
    assert!(looked > 50, "only {looked} paths");
    assert!(missing.is_empty(), "{missing:#?}");
}
