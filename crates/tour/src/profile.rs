//! The profile of a program at an exercise: its diagnostics, and the behaviour of the commands that the checks look at. A program with the
//! profile of a known mistake makes that mistake, even with a different text. Cheap comparisons come first.

use crate::ask::exported;
use crate::checks::Check;
use crate::findings::{Findings, Found};
use crate::judge::{Case, table};
use fletch_runs::denotation::Comparison;
use fletch_syntax::Diagnostic;

/// Prefixes of the codes of errors of names, sizes and types. A program with such an error denotes no arrow.
const NO_ARROW: [&str; 4] = ["F01", "F02", "F03", "F04"];

/// True if two programs at an exercise have the same profile.
pub(crate) fn alike(one: Case<'_>, other: Case<'_>, findings: &mut Findings) -> Found<bool> {
    let said = [one, other].map(|case| said(case, findings));
    let [said_of_one, said_of_other] = &said;
    if said_of_one != said_of_other {
        return Ok(false);
    }
    if said_of_one.is_rejected {
        return Ok(true);
    }
    let checks = || one.exercise.checks.iter();
    for check in checks() {
        if !same_arrows(check, [one, other], findings)? {
            return Ok(false);
        }
    }
    // Trainings take the most time, so they come last.
    for check in checks() {
        let same = match check {
            Check::Gradient { measure, with, .. } => {
                let texts = [one, other].map(|case| case.with(None, with.as_deref(), findings));
                let [one, other] = &texts;
                let one = findings.gradient(one, measure.as_deref())?;
                let other = findings.gradient(other, measure.as_deref())?;
                let lines = |found: Result<std::rc::Rc<crate::findings::Gradient>, String>| {
                    found.map(|found| found.lines.join("\n"))
                };
                lines(one) == lines(other)
            }
            Check::Train { epochs, with, .. } => {
                let texts = [one, other].map(|case| case.with(None, with.as_deref(), findings));
                let [one, other] = &texts;
                let (one, other) = (
                    findings.train(one, *epochs)?,
                    findings.train(other, *epochs)?,
                );
                let code =
                    |error: &Option<Box<Diagnostic>>| error.as_ref().map(|it| it.code.clone());
                one.measures == other.measures
                    && one.heap == other.heap
                    && code(&one.stopped) == code(&other.stopped)
            }
            _ => true,
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The findings of the checker about a program.
#[derive(PartialEq)]
struct Said {
    codes: Vec<String>,
    /// True if the program denotes no arrows. Then the messages and the source text at their spans are compared.
    is_rejected: bool,
    messages: Vec<String>,
}

fn said(case: Case<'_>, findings: &mut Findings) -> Said {
    let checked = findings.checked(case.text);
    let weighs = |found: &&Diagnostic| found.severity.name() != "hint";
    let found: Vec<&Diagnostic> = checked.diagnostics.iter().filter(weighs).collect();
    let mut codes: Vec<String> = found.iter().map(|found| found.code.clone()).collect();
    codes.sort_unstable();
    let has_no_arrow = |code: &String| NO_ARROW.iter().any(|kind| code.starts_with(kind));
    let is_rejected = codes.iter().any(has_no_arrow);
    let mut messages = Vec::new();
    for found in found.into_iter().filter(|_| is_rejected) {
        messages.push(found.message.clone());
        let labels = found.labels.iter().map(|label| label.span);
        let places = labels.chain([found.span]);
        messages.extend(places.map(|span| span.text(case.text).to_owned()));
    }
    Said {
        codes,
        is_rejected,
        messages,
    }
}

/// True if the commands that a check looks at denote equal arrows.
fn same_arrows(check: &Check, cases: [Case<'_>; 2], findings: &mut Findings) -> Found<bool> {
    match check {
        Check::Run { mains, with, .. } | Check::Runs { mains, with } => {
            for main in mains {
                if !same_arrow(cases, Some(main), with.as_deref(), "main", findings)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Check::ComesTo { main, with, .. }
        | Check::Trace { main, with, .. }
        | Check::Stuck { main, with, .. } => {
            same_arrow(cases, main.as_deref(), with.as_deref(), "main", findings)
        }
        Check::Arrow { of, with, .. } | Check::Operations { of, with, .. } => {
            same_arrow(cases, None, with.as_deref(), of, findings)
        }
        Check::Type { of, .. } => same_arrow(cases, None, None, of, findings),
        Check::Export { .. } => {
            let [one, other] = cases.map(|case| {
                let checked = findings.checked(case.text);
                let module = exported(case.text, &checked);
                let tables = |module: String| {
                    ["measure", "predict"].map(|kind| table(&module, kind).to_owned())
                };
                module.map(tables)
            });
            Ok(one == other)
        }
        Check::Gradient { .. }
        | Check::Train { .. }
        | Check::Diagnostics { .. }
        | Check::Saves { .. }
        | Check::Keep { .. }
        | Check::Words { .. } => Ok(true),
    }
}

/// True if a command denotes equal arrows in both programs, or has no arrow in either for the same reason.
fn same_arrow(
    cases: [Case<'_>; 2],
    main: Option<&str>,
    with: Option<&str>,
    of: &str,
    findings: &mut Findings,
) -> Found<bool> {
    let texts = cases.map(|case| case.with(main, with, findings));
    let [one, other] = &texts;
    match [findings.arrow(one, of)?, findings.arrow(other, of)?] {
        [Ok(_), Ok(_)] => {
            let compared = findings.compared((one, of), (other, of))?;
            Ok(compared.is_ok_and(|compared| {
                matches!(
                    *compared,
                    Comparison::Equal { .. } | Comparison::Rounding(_)
                )
            }))
        }
        [Err(one), Err(other)] => Ok(one == other),
        _ => Ok(false),
    }
}
