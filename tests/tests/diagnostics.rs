//! Diagnostics of wrong programs. The programs are in `tests/diagnostics/*.fletch`, one file for each family of
//! mistakes. Each program carries the diagnostics that are expected for it:
//!
//! ```text
//! --- a component that is not there
//! main = ⌊⟨1, 2⟩.3⌋
//! -- error[F0403]: 16-17 there is no component 3 in Real(1) × Real(1)
//! -- hint: components are counted from 1 to 2
//! ```
//!
//! * A line `--- name` starts a case, a separate program. `--- run: name` also runs its `main`, and
//!   `--- run 5: name` runs it for at most 5 steps. Text before the first case of a file is a remark.
//! * An expectation is a comment `-- error[CODE]: A-B message` (or `warning`, or `hint`) under the line that it
//!   is about. The span is from column A up to, and not including, column B, in characters from 1; `A-+n:B` ends
//!   n lines further down. Expectations are not part of the program that is checked.
//! * Below an expectation stand further details to be compared: `-- label: L:A-B text`, in line L of the
//!   program; `-- hint: text`; `-- fix: …`, with the line as the fix leaves it.
//!
//! All diagnostics of a case are compared; diagnostics that are only hints are compared if the case expects a
//! hint. Every offered fix must remove its diagnostic. A case that fails is printed with its actual diagnostics,
//! to be read and, if they are right, copied.

use fletch_ide::codes;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, LineIndex, Severity, Span};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// One program with the diagnostics expected for it.
struct Case {
    /// File, line and name of the case.
    title: String,
    source: String,
    /// Maximal number of steps of its run, or `None` if it is not run.
    steps: Option<usize>,
    expected: Vec<Expected>,
}

struct Expected {
    severity: Severity,
    code: String,
    span: Span,
    message: String,
    /// Details to be compared in addition, as written: `label: …`, `hint: …`, `fix: …`.
    details: Vec<String>,
}

const RUN_LIMIT: usize = 100_000;

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let starts: Vec<usize> = (0..lines.len())
            .filter(|&line| lines[line].starts_with("--- "))
            .collect();
        for (position, &start) in starts.iter().enumerate() {
            let end = starts.get(position + 1).copied().unwrap_or(lines.len());
            let title = format!("{name}:{}: {}", start + 1, &lines[start][4..]);
            cases.push(read_case(title, &lines[start][4..], &lines[start + 1..end]));
        }
    }
    cases
}

fn read_case(title: String, head: &str, lines: &[&str]) -> Case {
    let steps = head.strip_prefix("run").and_then(|rest| {
        let (limit, _) = rest.split_once(':')?;
        Some(limit.trim().parse().unwrap_or(RUN_LIMIT))
    });
    let mut program: Vec<&str> = Vec::new();
    let mut heads: Vec<(usize, &str, Vec<String>)> = Vec::new();
    for line in lines {
        let note = line.trim_start().strip_prefix("-- ");
        match note.filter(|note| is_expectation(note)) {
            Some(note) if is_detail(note) => {
                let head = heads.last_mut();
                head.unwrap().2.push(note.to_owned());
            }
            Some(note) => heads.push((program.len().saturating_sub(1), note, Vec::new())),
            None => program.push(line),
        }
    }
    let source = program.join("\n").trim_end().to_owned();
    let index = LineIndex::new(&source);
    let expected = heads.into_iter().map(|(line, note, details)| {
        read_expectation(line + 1, note, details, &index)
            .unwrap_or_else(|| panic!("{title}: cannot read `{note}`"))
    });
    Case {
        steps,
        expected: expected.collect(),
        title,
        source,
    }
}

fn is_detail(note: &str) -> bool {
    ["label: ", "hint: ", "fix: "]
        .iter()
        .any(|start| note.starts_with(start))
}

fn is_expectation(note: &str) -> bool {
    is_detail(note)
        || ["error[", "warning[", "hint["]
            .iter()
            .any(|start| note.starts_with(start))
}

fn read_expectation(
    line: usize,
    note: &str,
    details: Vec<String>,
    index: &LineIndex,
) -> Option<Expected> {
    let (severity, rest) = note.split_once('[')?;
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Hint,
    };
    let (code, rest) = rest.split_once("]: ")?;
    let (place, message) = rest.split_once(' ')?;
    let (from, to) = place.split_once('-')?;
    let (further, to) = match to.strip_prefix('+') {
        Some(rest) => {
            let (lines, column) = rest.split_once(':')?;
            (lines.parse().ok()?, column)
        }
        None => (0, to),
    };
    let line = u32::try_from(line).ok()?;
    let span = Span {
        start: index.offset(line, from.parse().ok()?),
        end: index.offset(line + further, to.parse().ok()?),
    };
    Some(Expected {
        severity,
        code: code.to_owned(),
        span,
        message: message.to_owned(),
        details,
    })
}

/// Returns all diagnostics of a case, sorted by span.
fn said(case: &Case) -> Vec<Diagnostic> {
    let checked = fletch_ide::check(&case.source);
    let mut said = checked.diagnostics;
    if let Some(limit) = case.steps {
        match &checked.main {
            Some(main) => {
                let run = fletch_runs::run(&main.program, Partiality::Paper, limit);
                said.extend(run.error(&main.program));
            }
            None if said.iter().any(Diagnostic::is_error) => {}
            None => said.push(fletch_ide::no_main(&case.source)),
        }
    }
    let hints = |expected: &Expected| expected.severity == Severity::Hint;
    if !case.expected.iter().any(hints) {
        said.retain(|diagnostic| diagnostic.severity != Severity::Hint);
    }
    said.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code.clone()));
    said
}

/// Returns the further details of a diagnostic, in the form of the files.
fn details(source: &str, index: &LineIndex, diagnostic: &Diagnostic) -> Vec<String> {
    let labels = diagnostic.labels.iter().map(|label| {
        let (line, _) = index.line_column(label.span.start);
        format!(
            "label: {line}:{} {}",
            columns(index, label.span),
            label.text
        )
    });
    let hint = diagnostic.hint.iter().map(|hint| format!("hint: {hint}"));
    let fix = diagnostic.fix.iter().map(|fix| {
        let fixed = apply(source, diagnostic);
        let (line, _) = index.line_column(fix.span.start);
        let line = fixed.lines().nth(line as usize - 1).unwrap_or("");
        format!("fix: {}", line.trim())
    });
    labels.chain(hint).chain(fix).collect()
}

fn columns(index: &LineIndex, span: Span) -> String {
    let (line, from) = index.line_column(span.start);
    match index.line_column(span.end) {
        (last, to) if last == line => format!("{from}-{to}"),
        (last, to) => format!("{from}-+{}:{to}", last - line),
    }
}

fn apply(source: &str, diagnostic: &Diagnostic) -> String {
    let mut fixed = source.to_owned();
    if let Some(fix) = &diagnostic.fix {
        let range = fix.span.start as usize..fix.span.end as usize;
        fixed.replace_range(range, &fix.replacement);
    }
    fixed
}

/// Returns the case as its file would have it if the given diagnostics were expected.
fn shown(case: &Case, said: &[Diagnostic]) -> String {
    let index = LineIndex::new(&case.source);
    let mut text = String::new();
    for (number, line) in (1..).zip(case.source.split('\n')) {
        writeln!(text, "{line}").unwrap();
        for diagnostic in said {
            if index.line_column(diagnostic.span.start).0 != number {
                continue;
            }
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Hint => "hint",
            };
            let place = columns(&index, diagnostic.span);
            let (code, message) = (&diagnostic.code, &diagnostic.message);
            writeln!(text, "-- {severity}[{code}]: {place} {message}").unwrap();
            for detail in details(&case.source, &index, diagnostic) {
                writeln!(text, "-- {detail}").unwrap();
            }
        }
    }
    text
}

/// True if the diagnostics are those that the case expects.
fn agrees(case: &Case, said: &[Diagnostic]) -> bool {
    let index = LineIndex::new(&case.source);
    let mut expected: Vec<&Expected> = case.expected.iter().collect();
    expected.sort_by_key(|expected| (expected.span, expected.code.clone()));
    expected.len() == said.len()
        && expected.iter().zip(said).all(|(expected, said)| {
            let details = details(&case.source, &index, said);
            expected.severity == said.severity
                && expected.code == said.code
                && expected.span == said.span
                && expected.message == said.message
                && expected
                    .details
                    .iter()
                    .all(|detail| details.contains(detail))
        })
}

#[test]
fn every_mistake_is_said_where_it_is_and_nothing_else() {
    let mut wrong = String::new();
    for case in cases() {
        let said = said(&case);
        if !agrees(&case, &said) {
            writeln!(wrong, "--- {}\n{}", case.title, shown(&case, &said)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "these cases are said to be:\n{wrong}");
}

#[test]
fn every_fix_removes_its_diagnostic() {
    for case in cases() {
        for diagnostic in fletch_ide::check(&case.source).diagnostics {
            if diagnostic.fix.is_none() {
                continue;
            }
            let fixed = apply(&case.source, &diagnostic);
            let left = fletch_ide::check(&fixed).diagnostics;
            let again = left
                .iter()
                .any(|other| other.code == diagnostic.code && other.span == diagnostic.span);
            assert!(
                !again,
                "{}: the fix of {} does not help:\n{fixed}",
                case.title, diagnostic.code
            );
        }
    }
}

/// Leaving out one token is one mistake: for fewer than one token in eight of a program does it give more than one error.
#[test]
fn a_missing_token_is_seldom_said_twice() {
    let programs = fletch_tests::programs(&fletch_tests::examples());
    let paper = ["mlp", "resnet", "autoencoder"];
    for (name, source) in programs.iter().filter(|(name, _)| paper.contains(&&**name)) {
        let said: Vec<usize> = fletch_syntax::highlight(source, fletch_smooth::symbols())
            .into_iter()
            .filter(|token| token.class != fletch_syntax::TokenClass::Comment)
            .map(|token| {
                let mut slip = source.clone();
                slip.replace_range(token.span.start as usize..token.span.end as usize, "");
                let said = fletch_ide::check(&slip).diagnostics;
                said.iter().filter(|said| said.is_error()).count()
            })
            .collect();
        let twice = said.iter().filter(|count| **count > 1).count();
        assert!(twice * 8 < said.len(), "{name}: {twice} of {}", said.len());
        assert!(said.iter().all(|count| *count <= 4), "{name}");
    }
}

/// Returns programs that are too long to be written into a file, with a code that must be reported for each.
fn generated() -> Vec<(&'static str, String)> {
    vec![
        ("F0902", format!("main = ⌊{}1⌋", "−".repeat(1002))),
        ("F0903", format!("main = ⌊1{}⌋", " $".repeat(300))),
        ("F0904", format!("main = ⌊1⌋ -- {}", "…".repeat(6 << 20))),
    ]
}

#[test]
fn what_is_too_long_for_a_file_is_refused() {
    for (code, source) in generated() {
        let said: BTreeSet<String> = fletch_ide::check(&source)
            .diagnostics
            .into_iter()
            .map(|diagnostic| diagnostic.code)
            .collect();
        assert!(said.contains(code), "{code}: {said:?}");
        // The text for F0903 also has the code of its many errors.
        assert!(said.len() <= 2, "{code}: {said:?}");
    }
}

#[test]
fn every_code_has_a_case() {
    let generated = generated();
    let covered: BTreeSet<String> = cases()
        .into_iter()
        .flat_map(|case| case.expected)
        .map(|expected| expected.code)
        .chain(generated.iter().map(|(code, _)| (*code).to_owned()))
        .collect();
    let missing: Vec<&str> = codes::pages()
        .iter()
        .map(|page| page.code)
        // Reported only if the checker contradicts itself, so no program is known to give it.
        .filter(|code| *code != "F0999" && !covered.contains(*code))
        // The sources here are valid UTF-8; the tests of the command line have a file that is not.
        .filter(|code| *code != "F0007")
        // Reported for files next to the program, and for a training; the tests of these features cover the codes.
        .filter(|code| !["F0606", "F0607", "F0608", "F0610"].contains(code))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}
