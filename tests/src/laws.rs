//! Laws that hold for every text, valid program or not. The fuzz targets (`fuzz/`) search for a text that breaks a law;
//! `tests/corpus.rs` checks the laws on the corpus.

use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Digits, Reply, Show};
use fletch_reduction::Stuck;
use fletch_runs::Outcome;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, Span, Spelling, format, highlight, parse};
use fletch_trace::{Budget, Status, Trace};
use fletch_transcript::source;

/// Checks that the parser takes any text, and that the spans of its diagnostics lie in the text, in order. Returns true if the text
/// has no syntax error.
///
/// # Panics
/// If the law does not hold.
pub fn parser(text: &str) -> bool {
    let (_, diagnostics) = parse(text, fletch_smooth::symbols());
    in_order(text, &diagnostics);
    for token in highlight(text, fletch_smooth::symbols()) {
        inside(text, token.span);
    }
    !diagnostics.iter().any(Diagnostic::is_error)
}

/// Checks that formatting is idempotent in both spellings and preserves the program. Returns true if the text could be formatted.
///
/// # Panics
/// If the law does not hold.
#[allow(clippy::panic)] // A failed test is a panic.
pub fn formatter(text: &str) -> bool {
    let mut laid_out = false;
    for spelling in [Spelling::Unicode, Spelling::Ascii] {
        match format(text, spelling, fletch_smooth::symbols()) {
            Ok(once) => {
                let twice = format(&once, spelling, fletch_smooth::symbols());
                assert_eq!(
                    twice.as_deref(),
                    Ok(once.as_str()),
                    "the layout of a layout is another"
                );
                laid_out = true;
            }
            // The formatter compares its result with the program itself, and reports F0999 if they differ.
            Err(errors) => no_defect(&errors),
        }
    }
    laid_out
}

/// Checks that elaboration takes any text. Returns true if the text is an accepted program.
///
/// # Panics
/// If the law does not hold.
pub fn elaborator(text: &str) -> bool {
    let checked = fletch_ide::check(text);
    in_order(text, &checked.diagnostics);
    no_defect(&checked.diagnostics);
    let _ = checked.json();
    !checked.rejected()
}

/// Checks that an accepted program runs for some steps, and that every position can be shown and written as a program. Returns true if
/// the text is an accepted program with a `main`.
///
/// # Panics
/// If the law does not hold.
pub fn reduction(text: &str, steps: usize) -> bool {
    let checked = fletch_ide::check(text);
    let Some(main) = checked.main.as_ref().filter(|_| !checked.rejected()) else {
        return false;
    };
    for partiality in [Partiality::Paper, Partiality::Total] {
        let run = fletch_runs::run(&main.program, partiality, steps);
        assert!(
            !matches!(run.outcome, Outcome::Stuck(Stuck::IllTyped { .. })),
            "a defect: the run is stuck"
        );
        let _ = run.json(&main.program, &checked.index);
    }
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    trace.advance(steps, || false);
    if let Status::Stuck(blocked) = trace.status() {
        assert!(!matches!(blocked.stuck, Stuck::IllTyped { .. }));
    }
    let positions = [0, 1, trace.len() / 2, trace.len()];
    for position in positions {
        let _ = source::source(&main.program, trace.state(position));
        let _ = fletch_transcript::steps::steps(&trace, position, position, Digits::Exact).count();
    }
    views(text, &positions);
    true
}

/// Requests the views that the page requests, at these positions.
fn views(text: &str, positions: &[usize]) {
    let mut session = Session::new(Budget::steps(5_000));
    session.ask(1, Ask::load(text));
    session.ask(1, Ask::Advance { milliseconds: 0 });
    for position in positions {
        let position = u32::try_from(*position).unwrap_or(u32::MAX);
        let reply = session.ask(
            1,
            Ask::Show(Show {
                position,
                width: 60,
                ..Show::default()
            }),
        );
        assert!(matches!(reply, Reply::Shown(_) | Reply::Outdated));
    }
}

fn in_order(text: &str, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        inside(text, diagnostic.span);
        for label in &diagnostic.labels {
            inside(text, label.span);
        }
        if let Some(fix) = &diagnostic.fix {
            inside(text, fix.span);
        }
    }
    assert!(
        diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start),
        "diagnostics out of order"
    );
}

fn inside(text: &str, span: Span) {
    let range = span.start as usize..span.end as usize;
    assert!(
        text.get(range).is_some(),
        "{span:?} is no place in the text"
    );
}

fn no_defect(diagnostics: &[Diagnostic]) {
    let defect = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.code == "F0999");
    assert!(defect.is_none(), "a defect: {defect:?}");
}
