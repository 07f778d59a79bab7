//! The pages of `docs/errors`: each has a program that gives its code and no other, and a repaired version of
//! the program. The codes of the pages are compared with the codes in the sources.

use fletch_elaborate::Files;
use fletch_ide::codes::{self, Page};
use fletch_runs::Engine;
use fletch_runs::training::{Course, train};
use fletch_smooth::Partiality;
use fletch_syntax::Diagnostic;
use fletch_trace::Budget;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Codes without a program on their page, because the program is too long for a page, or none is known.
const WITHOUT_PROGRAM: &[&str] = &["F0007", "F0902", "F0903", "F0904", "F0999"];

/// A program of a page, in a code fence.
struct Fence {
    source: String,
    /// Maximal number of steps, from `fletch --max-steps N` in the opening line of the fence.
    steps: usize,
}

fn fences(page: &Page) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut lines = page.body().lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```fletch") else {
            continue;
        };
        let steps = info.trim().strip_prefix("--max-steps ");
        let source: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        fences.push(Fence {
            source: source.join("\n"),
            steps: steps.map_or(100_000, |steps| steps.parse().unwrap()),
        });
    }
    fences
}

/// Returns the diagnostics of a program: of the check, or for codes of a run or a training those of the run
/// or training alone.
fn said(page: &Page, fence: &Fence) -> Vec<Diagnostic> {
    let file = match page.code {
        "F0607" => Some("1,2\n3,x"),
        "F0610" => Some("x,t\n1,2"),
        _ => None,
    };
    if let Some(file) = file {
        let files = [("points.csv".to_owned(), file.to_owned())];
        return fletch_ide::check_with_files(&fence.source, &files.into_iter().collect())
            .diagnostics;
    }
    let checked = fletch_ide::check(&fence.source);
    if !page.code.starts_with("F06") || page.code == "F0609" {
        return checked.diagnostics;
    }
    if ["F0606", "F0608"].contains(&page.code) {
        let engine = Engine::Step { shortcuts: false };
        let budget = Budget::steps(fence.steps);
        let (_, stopped) = train(
            &checked.program,
            &Files::default(),
            Course {
                engine,
                epochs: None,
                budget,
                heap: &[],
                host: Some(fletch_native::host),
                halt: &|| false,
            },
            |_, _| {},
        );
        return stopped.into_iter().collect();
    }
    match checked.main {
        Some(main) => fletch_runs::run(&main.program, Partiality::Paper, fence.steps)
            .error(&main.program)
            .into_iter()
            .collect(),
        None => vec![fletch_ide::no_main(&fence.source)],
    }
}

#[test]
fn the_first_program_gives_the_code_and_the_second_is_repaired() {
    for page in codes::pages() {
        let fences = fences(page);
        let repaired = if WITHOUT_PROGRAM.contains(&page.code) {
            assert!(fences.len() < 2, "{}", page.code);
            fences.first()
        } else {
            assert_eq!(fences.len(), 2, "{}", page.code);
            let given: BTreeSet<String> = said(page, &fences[0])
                .into_iter()
                .filter(|diagnostic| {
                    diagnostic.severity != fletch_syntax::Severity::Hint
                        || diagnostic.code == page.code
                })
                .map(|diagnostic| diagnostic.code)
                .collect();
            assert_eq!(given, BTreeSet::from([page.code.to_owned()]));
            Some(&fences[1])
        };
        if let Some(repaired) = repaired {
            let checked = fletch_ide::check(&repaired.source);
            assert!(checked.main.is_some(), "{}", page.code);
            let left: Vec<Diagnostic> = checked
                .diagnostics
                .into_iter()
                .chain(said(page, repaired))
                .collect();
            assert!(
                !left
                    .iter()
                    .any(|found| found.is_error() || found.code == page.code),
                "{}: {left:#?}",
                page.code
            );
        }
    }
}

#[test]
fn every_page_has_a_title_and_says_how_to_repair() {
    for page in codes::pages() {
        assert!(
            !page.title().is_empty() && !page.title().ends_with('.'),
            "{}",
            page.code
        );
        assert!(
            page.body().contains("**How to repair it.** "),
            "{}",
            page.code
        );
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors");
        let text = fs::read_to_string(file.join(format!("{}.md", page.code))).unwrap();
        assert!(text.starts_with(&format!("# {}: {}\n", page.code, page.title())));
    }
}

/// Collects the codes that the sources below a folder have in quotation marks, except for the table of codes itself.
fn mentioned(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            mentioned(&path, codes);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("ide/src/codes.rs")
        {
            let text = fs::read_to_string(&path).unwrap();
            let quoted = text.split('"').filter(|piece| {
                piece.len() == 5
                    && piece.starts_with("F0")
                    && piece.bytes().skip(1).all(|byte| byte.is_ascii_digit())
            });
            codes.extend(quoted.map(str::to_owned));
        }
    }
}

#[test]
fn the_table_has_the_codes_of_the_sources() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut in_sources = BTreeSet::new();
    for phase in ["syntax", "elaborate", "ide", "runs"] {
        mentioned(&crates.join(phase).join("src"), &mut in_sources);
    }
    let in_table: BTreeSet<String> = codes::pages()
        .iter()
        .map(|page| page.code.to_owned())
        .collect();
    assert_eq!(in_table, in_sources);
    assert!(
        fletch_syntax::CODES
            .iter()
            .all(|code| in_table.contains(*code))
    );
    assert!(codes::pages().is_sorted_by_key(|page| page.code));
}
