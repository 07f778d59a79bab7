//! A `main` for a program that has none: the first of those it could have that checks and runs.

use crate::clip;
use crate::program::Program;
use fletch_elaborate::mains;
use fletch_ide::{self as ide, TextEdit};
use fletch_reduction::Setting;
use fletch_runs::{Outcome, run};
use fletch_syntax::{Diagnostic, Severity, Spelling, format};
use fletch_trace::Budget;
use serde::{Deserialize, Serialize};

/// A `main` need not come to its end when it is tried.
const STEPS: usize = 2000;

/// A `main` that can be put into the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The item.
    pub text: String,
    /// The change of the program that adds it.
    pub edit: TextEdit,
}

/// The `main` that a checked program without one is offered, if there is one that is neither rejected nor stuck. One that
/// gives no further warning is taken before one that does.
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

/// The lines to put between the text and a further item, so that one empty line is between them.
fn gap(source: &str) -> &'static str {
    if source.ends_with("\n\n") {
        ""
    } else if source.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    }
}
