//! Faulty programs and their diagnostics, as data. `diagnostics.fletch` has the programs. After each
//! program there is a comment per diagnostic (code, bytes, message), and the line that its fix
//! makes. `UPDATE=1 cargo test` rewrites the comments; review the difference before keeping it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use crate::common::{apply, render};
use fletch_syntax::{CODES, parse};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics.fletch");
const SEPARATOR: &str = "\n-- ====\n";

/// Splits a case into its program and the expected comments.
fn split(case: &str) -> (String, String) {
    let is_expectation = |line: &&str| line.starts_with("--! ");
    let lines = |expected: bool| {
        let lines: Vec<&str> = case
            .lines()
            .filter(|line| is_expectation(line) == expected)
            .collect();
        lines.join("\n")
    };
    (lines(false), lines(true))
}

fn comments(source: &str) -> String {
    let shown = render(source, &parse(source, crate::common::SYMBOLS).1);
    let lines: Vec<String> = shown.lines().map(|line| format!("--! {line}")).collect();
    lines.join("\n")
}

#[test]
fn wrong_programs_are_explained() {
    let cases = std::fs::read_to_string(FILE).unwrap();
    if std::env::var_os("UPDATE").is_some() {
        let renewed: Vec<String> = cases
            .trim_end()
            .split(SEPARATOR)
            .map(|case| {
                let (source, _) = split(case);
                format!("{source}\n{}", comments(&source))
            })
            .collect();
        std::fs::write(FILE, renewed.join(SEPARATOR) + "\n").unwrap();
        return;
    }
    let mut wrong = String::new();
    for case in cases.trim_end().split(SEPARATOR) {
        let (source, expected) = split(case);
        assert!(!expected.is_empty(), "no expectation: {source}");
        let found = comments(&source);
        if found != expected {
            wrong += &format!("{source}\nexpected\n{expected}\nfound\n{found}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn fixes_leave_fewer_mistakes_and_come_to_an_end() {
    let cases = std::fs::read_to_string(FILE).unwrap();
    for case in cases.trim_end().split(SEPARATOR) {
        let (mut source, _) = split(case);
        for _ in 0..20 {
            let (_, before) = parse(&source, crate::common::SYMBOLS);
            let Some(fixable) = before.iter().find(|diagnostic| diagnostic.fix.is_some()) else {
                break;
            };
            let fixed = apply(&source, fixable);
            let (_, after) = parse(&fixed, crate::common::SYMBOLS);
            assert!(
                after.len() <= before.len() && !after.contains(fixable),
                "{source}\n{}\nbecomes\n{fixed}\n{}",
                render(&source, &before),
                render(&fixed, &after)
            );
            source = fixed;
        }
        let (_, last) = parse(&source, crate::common::SYMBOLS);
        assert!(
            last.iter().all(|diagnostic| diagnostic.fix.is_none()),
            "{source}"
        );
    }
}

#[test]
fn every_code_has_a_case() {
    let cases = std::fs::read_to_string(FILE).unwrap();
    for code in CODES {
        // The limits are tested separately, because their programs are long.
        assert!(
            code.starts_with("F09") || cases.contains(&format!("--! {code} ")),
            "{code}"
        );
    }
}
