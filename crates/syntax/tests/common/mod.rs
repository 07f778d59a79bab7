//! Helpers shared by the tests of this crate.
#![allow(dead_code, missing_docs, unreachable_pub)]

pub mod deep;
pub mod large;

use fletch_syntax::{Diagnostic, tree::Program};

/// Names of function symbols that the sources of these tests use; the parser itself knows none.
pub const SYMBOLS: &[&str] = &[
    "swish", "sum", "matmul", "cols", "rows", "exp", "relu", "scale", "reshape", "count",
];

/// Golden programs with their names.
pub fn golden() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden");
    let mut programs: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "fletch")
        })
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    programs.sort();
    assert!(!programs.is_empty());
    programs
}

/// All golden programs in one text.
pub fn programs() -> String {
    let sources = golden().into_iter();
    sources.map(|(_, source)| source + "\n").collect()
}

/// Parses a program that must have no mistakes.
pub fn parse_clean(source: &str) -> Program {
    let (program, diagnostics) = fletch_syntax::parse(source, SYMBOLS);
    assert!(
        diagnostics.is_empty(),
        "{source}\n{}",
        render(source, &diagnostics)
    );
    program
}

/// Tree of a program, as text without spans.
pub fn without_places(program: &Program) -> String {
    let shown = format!("{program:?}");
    let mut parts = shown.split(", span: Span {");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        text += part.split_once('}').unwrap().1;
    }
    text
}

/// Tree of a program that must have no mistakes, as text without spans.
pub fn tree(source: &str) -> String {
    without_places(&parse_clean(source))
}

/// Lines that show diagnostics: `F0101 4-7 message`, and for a fix the line of the fixed source after
/// `fix:`.
pub fn render(source: &str, diagnostics: &[Diagnostic]) -> String {
    let mut lines = String::new();
    for diagnostic in diagnostics {
        let span = diagnostic.span;
        lines += &format!(
            "{} {}-{} {}",
            diagnostic.code, span.start, span.end, diagnostic.message
        );
        if let Some(fix) = &diagnostic.fix {
            let fixed = apply(source, diagnostic);
            let at = fix.span.start as usize;
            let line = fixed[..at].rfind('\n').map_or(0, |at| at + 1);
            let end = fixed[at..].find('\n').map_or(fixed.len(), |end| at + end);
            lines += &format!("\n   fix: {}", fixed[line..end].trim());
        }
        lines.push('\n');
    }
    lines
}

/// Source after the fix of a diagnostic; unchanged without a fix.
pub fn apply(source: &str, diagnostic: &Diagnostic) -> String {
    match &diagnostic.fix {
        Some(fix) => {
            let (start, end) = (fix.span.start as usize, fix.span.end as usize);
            format!("{}{}{}", &source[..start], fix.replacement, &source[end..])
        }
        None => source.to_owned(),
    }
}
