//! A `main` for a program that has none: the first candidate of `fletch_elaborate::mains` that checks and runs.

use crate::clip;
use crate::program::Program;
use fletch_elaborate::mains;
use fletch_ide::{self as ide, TextEdit};
use fletch_reduction::Setting;
use fletch_runs::{Outcome, run};
use fletch_syntax::{Diagnostic, Severity, Spelling, format};
use fletch_trace::Budget;
use serde::{Deserialize, Serialize};

/// Maximum number of steps in which a candidate is tried. A candidate need not reach its end.
const STEPS: usize = 2000;

/// A `main` that can be added to the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Text of the `main` item.
    pub text: String,
    /// Edit of the program that adds the item.
    pub edit: TextEdit,
}

/// Chooses the `main` to offer for a checked program without one: the first candidate that is neither rejected nor stuck.
/// A candidate without new warnings is preferred. Returns `None` if the program has a `main` or no candidate qualifies.
pub(crate) fn offer(program: &Program, budget: &Budget) -> Option<Offer> {
    if program.checked.main.is_some() {
        return None;
    }
    let source = &program.source;
    let warnings = warnings(&program.checked.diagnostics);
    let mut second = None;
    for main in mains(&program.checked.program) {
        let Ok(text) = format(&main, Spelling::Unicode, fletch_smooth::symbols()) else {
            continue;
        };
        let insert = format!("{}{text}", gap(source));
        let checked = ide::check(&format!("{source}{insert}"));
        let Some(main) = checked.main.as_ref().filter(|_| !checked.rejected()) else {
            continue;
        };
        let budget = Budget {
            steps: STEPS,
            ..*budget
        };
        let tried = run(&main.program, Setting::from(program.mode), budget);
        if matches!(tried.outcome, Outcome::Stuck(_)) {
            continue;
        }
        let end = program.checked.index.to_utf16(clip(source.len()));
        let offer = Offer {
            text: text.trim_end().to_owned(),
            edit: TextEdit {
                from: end,
                to: end,
                insert,
            },
        };
        if self::warnings(&checked.diagnostics) <= warnings {
            return Some(offer);
        }
        second = second.or(Some(offer));
    }
    second
}

/// Number of warnings among the diagnostics.
fn warnings(diagnostics: &[Diagnostic]) -> usize {
    let weights = diagnostics.iter().map(|found| found.severity);
    weights
        .filter(|weight| *weight == Severity::Warning)
        .count()
}

/// Line breaks to insert between the text and a further item, so that one empty line separates them.
fn gap(source: &str) -> &'static str {
    if source.ends_with("\n\n") {
        ""
    } else if source.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    }
}
