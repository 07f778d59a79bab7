//! What the page says stands in `web/src/texts` and nowhere else of its sources.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use std::fs;
use std::path::{Path, PathBuf};

/// Words in the sources of the page that are no texts: names of classes, of a command.
const NO_TEXTS: [&str; 8] = [
    "fletch equal",
    "ghost part {class}",
    "factor down",
    "forward clause",
    "backward clause",
    "reverse derivative",
    "raised strong",
    "editor steps",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The string literals of a source outside of comments, each with what stands before it in its line.
fn literals(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut before = String::new();
    let mut signs = source.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '/' if signs.peek() == Some(&'/') => {
                signs.by_ref().find(|sign| *sign == '\n');
                before.clear();
            }
            '\n' => before.clear(),
            '\'' => {
                // A character, or a lifetime.
                let rest: String = signs.clone().take(4).collect();
                let length = match rest.strip_prefix('\\') {
                    Some(_) => rest
                        .chars()
                        .skip(1)
                        .position(|sign| sign == '\'')
                        .map(|at| at + 2),
                    None => (rest.chars().nth(1) == Some('\'')).then_some(2),
                };
                signs.by_ref().take(length.unwrap_or(0)).for_each(drop);
                before.push('\'');
            }
            '"' => {
                let mut text = String::new();
                while let Some(sign) = signs.next().filter(|sign| *sign != '"') {
                    text.push(sign);
                    if sign == '\\' {
                        text.extend(signs.next());
                    }
                }
                found.push((text, before.clone()));
                before.push('"');
            }
            other => before.push(other),
        }
    }
    found
}

/// Whether a reader would take it for words: two in a row, and no notation of markup or styles.
fn has_words(text: &str) -> bool {
    let word = |word: &str| {
        let word = word.trim_matches([',', '.', ':', ';', '(', ')', '?', '!', '…']);
        word.chars().count() >= 2 && word.chars().all(|sign| sign.is_ascii_alphabetic())
    };
    let words: Vec<bool> = text.split(' ').map(word).collect();
    let marks = ["<", "[", "--", "(prefers", "(forced", "px", " .", "#"];
    words.windows(2).any(|pair| pair == [true, true])
        && !marks.iter().any(|mark| text.contains(mark))
}

#[test]
fn what_the_page_says_is_in_one_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src");
    let mut paths = Vec::new();
    sources(&folder, &mut paths);
    let (mut seen, mut elsewhere, mut needed) = (0, Vec::new(), [false; NO_TEXTS.len()]);
    for path in paths {
        let name = path
            .strip_prefix(&folder)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let apart = name.starts_with("texts/")
            || name.contains("tests")
            || name == "examples.rs"
            || name.starts_with("bin/");
        if apart {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        for (text, before) in literals(source) {
            seen += 1;
            let is_class = before.ends_with("class=") || before.ends_with("class=\"");
            if is_class || !has_words(&text) {
                continue;
            }
            match NO_TEXTS.iter().position(|known| *known == text) {
                Some(known) => needed[known] = true,
                None => elsewhere.push(format!("{name}: {text:?}")),
            }
        }
    }
    assert!(seen > 1000, "{seen}");
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
    let unneeded = NO_TEXTS.iter().zip(needed).filter(|(_, needed)| !needed);
    assert_eq!(unneeded.count(), 0, "{needed:?}");
}
