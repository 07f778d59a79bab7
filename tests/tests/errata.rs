//! Checks the page `examples/errata/README.md`, which states the results of every program in its folder.
//!
//! The convention: a list item is ``- [Title](NAME.fletch) …`` or ``- `TERM` …``, and its remainder makes claims. Each claim
//! is words followed by code: ``gives `error CODE` ``, ``gives `VALUE` ``, ``leaves `LOCATION` at `VALUE` `` (``and
//! `LOCATION` at …`` for further ones), ``depth `N` ``, ``size `N` ``. Values are terms of Fletch. The first paragraph of a
//! section cites lines of the paper, and a program cites lines from that paragraph in its first comment.

use fletch_calculus::typing;
use fletch_smooth::Partiality;
use fletch_tests::{difference, examples, must_check, programs, run_json};
use fletch_trace::Trace;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

fn folder() -> PathBuf {
    examples().join("errata")
}

fn page() -> String {
    std::fs::read_to_string(folder().join("README.md")).unwrap()
}

fn sources() -> BTreeMap<String, String> {
    programs(&folder()).into_iter().collect()
}

/// A claim of the page about a program.
#[derive(Debug, PartialEq, Eq)]
enum Claim<'a> {
    /// Code of an error that the checker or the run reports.
    Error(&'a str),
    /// Value of the run.
    Value(&'a str),
    /// A location, and its contents after the run.
    Leaves(&'a str, &'a str),
    Depth(&'a str),
    Size(&'a str),
}

/// A list item: its subject, and its claims about the subject.
struct Item<'a> {
    subject: Subject<'a>,
    claims: Vec<Claim<'a>>,
    /// First paragraph of the section, which cites lines of the paper.
    lines: &'a str,
}

enum Subject<'a> {
    Program(&'a str),
    Term(&'a str),
}

fn claims<'a>(text: &'a str) -> Vec<Claim<'a>> {
    let mut pieces = text.split('`');
    let mut claims = Vec::new();
    let mut location = None;
    while let (Some(words), Some(code)) = (pieces.next(), pieces.next()) {
        match (words.split_whitespace().last(), location.take()) {
            (Some("gives"), None) => claims.push(match code.strip_prefix("error ") {
                Some(code) => Claim::Error(code),
                None => Claim::Value(code),
            }),
            (Some("leaves"), None) => location = Some(code),
            (Some("and"), None) if matches!(claims.last(), Some(Claim::Leaves(..))) => {
                location = Some(code);
            }
            (Some("at"), Some(location)) => claims.push(Claim::Leaves(location, code)),
            (Some("depth"), None) => claims.push(Claim::Depth(code)),
            (Some("size"), None) => claims.push(Claim::Size(code)),
            _ => panic!("`{code}` is no claim in: {text}"),
        }
    }
    assert!(location.is_none(), "a location without its value: {text}");
    claims
}

fn items(page: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for section in page.split("\n### ").skip(1) {
        let lines = section.split("\n\n").nth(1).unwrap();
        for line in section.lines() {
            let (subject, rest) = if let Some(rest) = line.strip_prefix("- [") {
                let (_, rest) = rest.split_once("](").unwrap();
                let (name, rest) = rest.split_once(".fletch)").unwrap();
                (Subject::Program(name), rest)
            } else if let Some(rest) = line.strip_prefix("- `") {
                let (term, rest) = rest.split_once('`').unwrap();
                (Subject::Term(term), rest)
            } else {
                continue;
            };
            let claims = claims(rest);
            assert!(!claims.is_empty(), "nothing is said: {line}");
            items.push(Item {
                subject,
                claims,
                lines,
            });
        }
    }
    items
}

/// Returns the codes of the errors of the check, or else of the run.
fn errors(source: &str) -> BTreeSet<String> {
    let checked = fletch_ide::check(source);
    let rejections: BTreeSet<String> = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| diagnostic.code.clone())
        .collect();
    match checked.main {
        Some(main) if rejections.is_empty() => {
            fletch_runs::run(&main.program, Partiality::Paper, 100_000)
                .error(&main.program)
                .into_iter()
                .map(|error| error.code)
                .collect()
        }
        _ => rejections,
    }
}

/// Returns a term of the page as a value.
fn value(term: &str) -> Json {
    run_json(&format!("main = ⌊{term}⌋"))["value"].clone()
}

fn hold(about: &str, source: &str, claims: &[Claim<'_>]) {
    for claim in claims {
        match claim {
            Claim::Error(code) => {
                let found = errors(source);
                assert!(found.contains(*code), "{about}: {found:?}, not {code}");
            }
            Claim::Value(term) => {
                let found = run_json(source);
                assert_eq!(difference(&value(term), &found["value"], about), None);
            }
            Claim::Leaves(location, term) => {
                let found = run_json(source);
                let place = format!("{about}, {location}");
                let found = &found["heap"][*location]["data"];
                assert_eq!(difference(&value(term)["real"], found, &place), None);
            }
            Claim::Depth(number) => {
                assert_eq!(must_check(source).depth.to_string(), *number, "{about}");
            }
            Claim::Size(number) => {
                assert_eq!(must_check(source).size.to_string(), *number, "{about}");
            }
        }
    }
}

#[test]
fn every_program_and_term_gives_what_the_page_says() {
    let sources = sources();
    let page = page();
    for item in items(&page) {
        match item.subject {
            Subject::Program(name) => {
                let source = sources
                    .get(name)
                    .unwrap_or_else(|| panic!("no {name}.fletch"));
                hold(name, source, &item.claims);
            }
            Subject::Term(term) => hold(term, &format!("main = ⌊{term}⌋"), &item.claims),
        }
    }
}

#[test]
fn every_program_is_on_the_page_once_and_every_link_leads_to_one() {
    let page = page();
    let mut named: Vec<&str> = items(&page)
        .iter()
        .filter_map(|item| match item.subject {
            Subject::Program(name) => Some(name),
            Subject::Term(_) => None,
        })
        .collect();
    named.sort_unstable();
    let sources = sources();
    let present: Vec<&str> = sources.keys().map(String::as_str).collect();
    assert_eq!(named, present);
    // Links are looked for outside of code, because `[ℓ](v)` in code is no link.
    let prose: String = page.split('`').step_by(2).collect();
    for link in prose.split("](").skip(1) {
        let target = link.split(')').next().unwrap();
        assert!(folder().join(target).is_file(), "{target}");
    }
}

#[test]
fn every_program_has_its_counterpart() {
    let sources = sources();
    for name in sources.keys() {
        let pairs = [("-printed", "-meant"), ("-before", "-after")];
        let other = pairs.iter().find_map(|(first, second)| {
            let other = |one, other| name.strip_suffix(one).map(|stem| format!("{stem}{other}"));
            other(*first, *second).or_else(|| other(*second, *first))
        });
        let other = other.unwrap_or_else(|| panic!("{name} is one of no pair"));
        assert!(sources.contains_key(&other), "{name} is without {other}");
    }
}

/// Returns the line numbers in a text: its numbers of at least three digits.
fn numbers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|digits| digits.len() >= 3)
        .collect()
}

#[test]
fn a_program_cites_lines_that_its_section_cites() {
    let sources = sources();
    let page = page();
    for item in items(&page) {
        let Subject::Program(name) = item.subject else {
            continue;
        };
        let source = &sources[name];
        assert!(source.starts_with("-- Line"), "{name} cites no line");
        let cited = numbers(source.split(':').next().unwrap());
        assert!(!cited.is_empty(), "{name} cites no line");
        let of_section = numbers(item.lines);
        assert!(
            cited.is_subset(&of_section),
            "{name}: {cited:?}, {of_section:?}"
        );
    }
}

#[test]
fn whatever_is_accepted_keeps_its_type_at_every_step() {
    for (name, source) in sources() {
        let checked = fletch_ide::check(&source);
        let Some(main) = checked.main.filter(|_| errors(&source).is_empty()) else {
            continue;
        };
        let mut trace = Trace::new(&main.program, Partiality::Paper);
        trace.advance(usize::MAX, || false);
        for position in (0..=trace.len()).step_by(1 + trace.len() / 1000) {
            let command = trace.state(position).command();
            let derivation = typing::command(&typing::Environment::default(), &command);
            match derivation {
                Ok(derivation) => assert_eq!(derivation.ty, main.program.ty, "{name}, {position}"),
                Err(error) => panic!("{name}, position {position}: {}", error.kind),
            }
        }
    }
}

#[test]
fn claims_are_read_and_nothing_else_passes_for_one() {
    assert_eq!(
        claims(" gives `[1, 2]`, and leaves `ℓ0` at `3` and `ℓ1` at `−4`, as said."),
        [
            Claim::Value("[1, 2]"),
            Claim::Leaves("ℓ0", "3"),
            Claim::Leaves("ℓ1", "−4")
        ]
    );
    assert_eq!(claims(" gives `error F0102`."), [Claim::Error("F0102")]);
    assert_eq!(
        claims(" has depth `1` and size `23`."),
        [Claim::Depth("1"), Claim::Size("23")]
    );
    assert!(std::panic::catch_unwind(|| claims(" shows `1`.")).is_err());
    assert!(std::panic::catch_unwind(|| claims(" leaves `ℓ`.")).is_err());
}
