//! Judgement of a learner's program by the checks of an exercise. A message names the input and the program's result, never the expected
//! result.

use crate::arrows::{Drawn, operations};
use crate::ask::{entries, exported};
use crate::checks::{Check, Counted};
use crate::findings::{Findings, Found, Ran};
use crate::lesson::{Exercise, Lesson};
use crate::steps;
use crate::text::{canonical, composed, items, side, tokens};
use fletch_arrows::{Difference, Place};
use fletch_print::numbers;
use fletch_runs::denotation::Comparison;
use fletch_syntax::{Diagnostic, tree};
use std::rc::Rc;

/// Relative tolerance of a factor of gradient descent, which is measured by finite differences.
const FACTOR: f64 = 1e-3;

/// A learner's program, at an exercise.
#[derive(Clone, Copy)]
pub(crate) struct Case<'c> {
    pub(crate) lesson: &'c Lesson,
    pub(crate) exercise: &'c Exercise,
    pub(crate) text: &'c str,
}

/// Outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// The check holds.
    Yes,
    /// The check holds in numbers, without a proof. The text describes the difference of the arrows.
    InNumbers(String),
    /// The check does not hold, with the finding.
    No(String),
}

/// Evaluates all checks, in order. Returns the number, from 1, and the outcome of the first check that fails; else of the last that holds
/// in numbers alone; else of the last check. The number is 0 if the program is rejected.
pub(crate) fn judged(case: Case<'_>, findings: &mut Findings) -> Found<(usize, Held)> {
    if !asks_for_diagnostics(case.exercise) {
        let checked = findings.checked(case.text);
        if let Some(error) = checked.diagnostics.iter().find(|found| found.is_error()) {
            let (line, column) = checked.index.line_column(error.span.start);
            let mut message = format!(
                "{} in line {line}, column {column}: {}",
                error.code, error.message
            );
            if let Some(hint) = &error.hint {
                message.push_str(&format!(" ({hint})"));
            }
            return Ok((0, Held::No(message)));
        }
    }
    let mut best = (case.exercise.checks.len(), Held::Yes);
    for (at, check) in case.exercise.checks.iter().enumerate() {
        match held(check, case, findings)? {
            Held::Yes => {}
            no @ Held::No(_) => return Ok((at + 1, no)),
            unproved @ Held::InNumbers(_) => best = (at + 1, unproved),
        }
    }
    Ok(best)
}

/// True if the exercise asks for a program with diagnostics, so that an error is no reason to reject the program.
fn asks_for_diagnostics(exercise: &Exercise) -> bool {
    let mut checks = exercise.checks.iter();
    checks.any(|check| matches!(check, Check::Diagnostics { has, .. } if !has.is_empty()))
}

fn held(check: &Check, case: Case<'_>, findings: &mut Findings) -> Found<Held> {
    match check {
        Check::Run {
            mains,
            with,
            compare,
            tolerance,
        } => runs_alike(case, mains, with.as_deref(), compare, *tolerance, findings),
        Check::ComesTo {
            main,
            with,
            value,
            heap,
            tolerance,
        } => {
            let text = case.with(main.as_deref(), with.as_deref(), findings);
            let ran = findings.run(&text, false)?;
            let found = match &ran.ended {
                Ok(found) => entries(found),
                Err(error) => return Ok(Held::No(said(error))),
            };
            if let Some(value) = value
                && !near(&found, value, *tolerance)
            {
                return Ok(Held::No(format!("The value is {}", listed(&found))));
            }
            for (location, wanted) in heap {
                match cell(&ran, location) {
                    None => return Ok(Held::No(format!("There is no location `{location}`"))),
                    Some(found) if !near(found, wanted, *tolerance) => {
                        return Ok(Held::No(format!("`{location}` is {}", listed(found))));
                    }
                    Some(_) => {}
                }
            }
            Ok(Held::Yes)
        }
        Check::Arrow {
            of,
            to,
            with,
            or_mains,
            numbers,
            compare,
        } => {
            let with = with.as_deref();
            let text = case.with(None, with, findings);
            let compared = match findings.compared((&text, of), (&text, to))? {
                Ok(compared) => compared,
                Err(message) => return Ok(Held::No(message)),
            };
            let found = match &*compared {
                Comparison::Equal { .. } => return Ok(Held::Yes),
                Comparison::Rounding(rounding) => {
                    format!("`{of}` is equal to it but for rounding: {rounding}")
                }
                Comparison::Different(difference) => {
                    let difference = different(difference);
                    format!("`{of}` denotes another arrow: {difference}")
                }
                Comparison::TooLong => {
                    format!("`{of}` has loops of too many moments to be compared one by one")
                }
                Comparison::Incomparable => match findings.arrow(&text, of)? {
                    Ok(arrow) => format!("`{of}` : {}, which is another type", arrow.signature()),
                    Err(message) => message,
                },
            };
            if or_mains.is_empty() {
                let mut alike = || runs_alike(case, numbers, with, compare, 1e-12, findings);
                return Ok(Held::No(
                    match numbers.is_empty() || alike()? != Held::Yes {
                        true => found,
                        false => format!("The numbers agree, and no proof is found: {found}"),
                    },
                ));
            }
            let alike = runs_alike(case, or_mains, with, compare, 1e-12, findings)?;
            Ok(match alike {
                Held::Yes => Held::InNumbers(found),
                other => other,
            })
        }
        Check::Operations { of, is, with } => {
            let text = case.with(None, with.as_deref(), findings);
            let found = findings.arrow(&text, of)?;
            Ok(match found.map(|arrow| operations(&arrow)) {
                Ok(found) if found == *is => Held::Yes,
                Ok(found) => Held::No(format!("`{of}` performs {}", named(&found))),
                Err(message) => Held::No(message),
            })
        }
        Check::Type { of, is } => Ok(match findings.arrow(case.text, of)? {
            Ok(arrow) if arrow.signature() == *is => Held::Yes,
            Ok(arrow) => Held::No(format!("The type of `{of}` is {}", arrow.signature())),
            Err(message) => Held::No(message),
        }),
        Check::Saves {
            of,
            operation,
            most,
            with,
        } => {
            let text = case.with(None, with.as_deref(), findings);
            let arrow = findings.arrow(&text, of)?;
            let drawn = match arrow.and_then(|arrow| Drawn::of(&text, &arrow)) {
                Ok(drawn) => drawn,
                Err(message) => return Ok(Held::No(message)),
            };
            let mut forward = drawn.forward.iter();
            Ok(match forward.find(|(name, _)| name == operation) {
                None => Held::No(format!("`{of}` has no `{operation}` that is handled")),
                Some((_, saved)) if saved <= most => Held::Yes,
                Some((_, saved)) => Held::No(format!("`{operation}` saves {saved} values")),
            })
        }
        Check::Trace {
            main,
            with,
            order,
            counts,
        } => {
            let text = case.with(main.as_deref(), with.as_deref(), findings);
            let trace = match findings.trace(&text)? {
                Ok(trace) => trace,
                Err(error) => return Ok(Held::No(said(&error))),
            };
            if let Some(order) = order {
                let written = steps::written(&trace);
                if written != *order {
                    return Ok(Held::No(format!("It writes {}", named(&written))));
                }
            }
            let wrong = counts.iter().find_map(|counted| {
                let found = steps::like(&trace, &counted.like()).len();
                (found != counted.is).then(|| described(counted, found))
            });
            Ok(wrong.map_or(Held::Yes, Held::No))
        }
        Check::Train {
            measure,
            below,
            above,
            epochs,
            most,
            with,
        } => {
            let text = case.with(None, with.as_deref(), findings);
            let trained = findings.train(&text, *epochs)?;
            if let Some(error) = &trained.stopped {
                return Ok(Held::No(said(error)));
            }
            if most.is_some_and(|most| trained.epochs > most) {
                return Ok(Held::No(format!("It takes {} epochs", trained.epochs)));
            }
            let mut curves = trained.measures.iter();
            let last = match curves.find(|(name, _)| name == measure) {
                Some((_, curve)) => curve.last().copied().unwrap_or(f64::NAN),
                None => return Ok(Held::No(format!("There is no measure `{measure}`"))),
            };
            let holds =
                below.is_none_or(|below| last < below) && above.is_none_or(|above| last > above);
            Ok(match holds {
                true => Held::Yes,
                false => Held::No(format!("`{measure}` ends at {}", numbers::short(last))),
            })
        }
        Check::Gradient {
            measure,
            with,
            factor,
        } => {
            let text = case.with(None, with.as_deref(), findings);
            Ok(match findings.gradient(&text, measure.as_deref())? {
                Err(message) => Held::No(message),
                Ok(found) => {
                    let fits = |wanted: f64| {
                        let near = |found: f64| (found - wanted).abs() <= FACTOR * wanted.abs();
                        found.factor.is_some_and(near)
                    };
                    match found.is_descent && factor.is_none_or(fits) {
                        true => Held::Yes,
                        false => Held::No(found.verdict.clone()),
                    }
                }
            })
        }
        Check::Diagnostics {
            has,
            only,
            none,
            with,
        } => {
            let text = case.with(None, with.as_deref(), findings);
            let checked = findings.checked(&text);
            let weighs = |found: &&Diagnostic| found.severity.name() != "hint";
            let found: Vec<&Diagnostic> = checked.diagnostics.iter().filter(weighs).collect();
            let missing = has
                .iter()
                .find(|code| found.iter().all(|found| found.code != **code));
            let other = found.iter().find(|found| !has.contains(&found.code));
            Ok(match (missing, other) {
                (Some(_), None) => Held::No("Nothing is wrong with it".to_owned()),
                (Some(_), Some(other)) => Held::No(said(other)),
                (None, Some(other)) if *only || *none => Held::No(said(other)),
                (None, _) => Held::Yes,
            })
        }
        Check::Stuck {
            code,
            names,
            main,
            with,
        } => {
            let text = case.with(main.as_deref(), with.as_deref(), findings);
            let ran = findings.run(&text, false)?;
            let names = names.as_deref().unwrap_or("");
            Ok(match &ran.ended {
                Ok(value) => Held::No(format!("It comes to {}", listed(&entries(value)))),
                Err(error) if error.code == *code && error.message.contains(names) => Held::Yes,
                Err(error) => Held::No(said(error)),
            })
        }
        Check::Runs { mains, with } => {
            for main in mains {
                let text = case.with(Some(main), with.as_deref(), findings);
                if let Err(error) = &findings.run(&text, false)?.ended {
                    return Ok(Held::No(format!("`main = {main}`: {}", said(error))));
                }
            }
            Ok(Held::Yes)
        }
        Check::Export {
            measures,
            predictions,
        } => {
            let checked = findings.checked(case.text);
            let module = match exported(case.text, &checked) {
                Ok(module) => module,
                Err(message) => return Ok(Held::No(message)),
            };
            for (kind, names) in [("measure", measures), ("predict", predictions)] {
                for name in names {
                    let offered = table(&module, kind);
                    if !offered.contains(&format!("\"{name}\"")) {
                        return Ok(Held::No(format!("The module has no {kind} `{name}`")));
                    }
                }
            }
            Ok(Held::Yes)
        }
        Check::Keep { items } => Ok(keeps(case, items, findings)),
        Check::Words {
            item,
            side: half,
            uses,
            without,
            at_most,
        } => {
            let text = canonical(case.text);
            let checked = findings.checked(&text);
            let part = match item {
                None => Some(fletch_syntax::Span::new(0, text.len())),
                Some(item) => items(&checked, item).first().copied(),
            };
            let Some(mut part) = part else {
                let item = item.as_deref().unwrap_or("");
                return Ok(Held::No(format!("There is no `{item}`")));
            };
            if let Some((operation, half)) = half {
                match side(&checked.program, part, operation, *half) {
                    Some(found) => part = found,
                    None => {
                        let message = format!("There is no clause for {operation} with two sides");
                        return Ok(Held::No(message));
                    }
                }
            }
            let words = tokens(&text, part);
            let count = |word: &str| words.iter().filter(|found| **found == word).count();
            if let Some(word) = without.iter().find(|word| count(word) > 0) {
                return Ok(Held::No(format!("`{word}` is used")));
            }
            if let Some(word) = uses.iter().find(|word| count(word) == 0) {
                return Ok(Held::No(format!("`{word}` is not used")));
            }
            let often = at_most.iter().find(|(word, most)| count(word) > **most);
            Ok(often.map_or(Held::Yes, |(word, _)| {
                Held::No(format!("`{word}` occurs {} times", count(word)))
            }))
        }
    }
}

impl Case<'_> {
    /// The learner's program with another `main` and further items.
    pub(crate) fn with(
        self,
        main: Option<&str>,
        with: Option<&str>,
        findings: &mut Findings,
    ) -> String {
        let own = findings.checked(self.text);
        composed(self.text, &own, main, with.unwrap_or(""))
    }
}

/// Holds if the learner's program and the solution have the same results under each `main`.
fn runs_alike(
    case: Case<'_>,
    mains: &[String],
    with: Option<&str>,
    compare: &[String],
    tolerance: f64,
    findings: &mut Findings,
) -> Found<Held> {
    let solution = case.lesson.file(&case.exercise.solution).unwrap_or("");
    let solved = Case {
        text: solution,
        ..case
    };
    for main in mains {
        let texts = [case, solved].map(|case| case.with(Some(main), with, findings));
        let [own, other] = &texts;
        let own = findings.run(own, false)?;
        let value = match &own.ended {
            Ok(value) => entries(value),
            Err(error) => return Ok(Held::No(format!("`main = {main}`: {}", said(error)))),
        };
        let other = findings.run(other, false)?;
        let wanted = match &other.ended {
            Ok(value) => entries(value),
            Err(error) => return Ok(Held::No(format!("The solution stops: {}", said(error)))),
        };
        for what in compare {
            let (found, wanted) = match what.strip_prefix("heap.") {
                None => (Some(&value[..]), Some(&wanted[..])),
                Some(location) => (cell(&own, location), cell(&other, location)),
            };
            let name = what.strip_prefix("heap.");
            let name = name.map_or("the value".to_owned(), |location| format!("`{location}`"));
            let found = match found {
                None => return Ok(Held::No(format!("There is no location {name}"))),
                Some(found) => found,
            };
            let wanted = wanted.unwrap_or(&[]);
            if !near(found, wanted, tolerance) {
                let found = listed_apart(found, wanted);
                return Ok(Held::No(format!("`main = {main}`: {name} is {found}")));
            }
        }
    }
    Ok(Held::Yes)
}

/// Holds if the items are the same as in the start program, apart from layout and comments.
fn keeps(case: Case<'_>, kept: &[String], findings: &mut Findings) -> Held {
    let start = case.lesson.file(&case.exercise.start).unwrap_or("");
    let (start, own) = (findings.checked(start), findings.checked(case.text));
    let found = |checked: &Rc<fletch_ide::Checked>, name: &str| -> Vec<tree::ItemKind> {
        let places = items(checked, name);
        let all = checked.program.items.iter();
        let named = all.filter(|item| places.contains(&item.span));
        named.map(|item| item.node.clone()).collect()
    };
    let changed = kept
        .iter()
        .find(|name| found(&start, name) != found(&own, name));
    changed.map_or(Held::Yes, |name| {
        Held::No(match found(&own, name).is_empty() {
            true => format!("`{name}` is not there any more"),
            false => format!("`{name}` has changed"),
        })
    })
}

/// The line of a module for JAX that lists its measures or predictions.
pub(crate) fn table<'m>(module: &'m str, kind: &str) -> &'m str {
    let begins = match kind {
        "measure" => "MEASURES = ",
        _ => "PREDICTIONS = ",
    };
    let mut lines = module.lines();
    lines.find(|line| line.starts_with(begins)).unwrap_or("")
}

fn cell<'r>(ran: &'r Ran, location: &str) -> Option<&'r [f64]> {
    let found = ran.heap.iter().find(|(name, _)| name == location);
    found.map(|(_, entries)| &entries[..])
}

/// True if the lists have equal length and each pair of numbers differs by at most `tolerance`, relative to the larger absolute value and
/// at least to 1. Numbers with equal bits are near too, so NaN equals itself.
pub(crate) fn near(found: &[f64], wanted: &[f64], tolerance: f64) -> bool {
    let alike = |(found, wanted): (&f64, &f64)| {
        let scale = found.abs().max(wanted.abs()).max(1.0);
        found.to_bits() == wanted.to_bits() || (found - wanted).abs() <= tolerance * scale
    };
    found.len() == wanted.len() && found.iter().zip(wanted).all(alike)
}

/// Formats entries as `0.4` or `[1, 2]`. Of many entries, only the first 8 are written.
pub(crate) fn listed(entries: &[f64]) -> String {
    written(entries, numbers::short)
}

fn written(entries: &[f64], number: fn(f64) -> String) -> String {
    const SHOWN: usize = 8;
    let shown = entries.iter().take(SHOWN).map(|entry| number(*entry));
    let mut shown: Vec<String> = shown.collect();
    if entries.len() > SHOWN {
        shown.push("…".to_owned());
    }
    match &shown[..] {
        [one] => one.clone(),
        _ => format!("[{}]", shown.join(", ")),
    }
}

/// Formats the entries that were found, with all digits if three digits do not distinguish them from the expected entries.
fn listed_apart(found: &[f64], wanted: &[f64]) -> String {
    let short = listed(found);
    match short == listed(wanted) {
        true => written(found, numbers::full),
        false => short,
    }
}

/// Describes the first difference of an arrow from the requested arrow. For an argument or output, the text names the whole and the
/// component that differs.
fn different(difference: &Difference) -> String {
    let Difference { place, left, .. } = difference;
    match (place, left.as_str()) {
        (Place::Operation(_), "none") => format!("{place} is missing"),
        (Place::Argument(..) | Place::Output(_), left) => {
            format!("in {place}, something else is asked for in the place of {left}")
        }
        (_, left) => format!("{place} is {left}"),
    }
}

fn named(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "nothing".to_owned(),
        false => names.join(", then "),
    }
}

fn said(error: &Diagnostic) -> String {
    format!("{}: {}", error.code, error.message)
}

/// Describes the number of steps that were found.
fn described(counted: &Counted, found: usize) -> String {
    let rule = counted.rule.as_deref().map(|rule| format!("of {rule}"));
    let place = counted.location.as_deref();
    let place = place.map(|place| format!("at `{place}`"));
    let redex = counted.redex.as_deref();
    let redex = redex.map(|redex| format!("of `{redex}`"));
    let parts = [rule, place, redex].into_iter().flatten();
    let parts: Vec<String> = parts.collect();
    match found {
        1 => format!("The run has 1 step {}", parts.join(" ")),
        _ => format!("The run has {found} steps {}", parts.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, Place, different, listed, listed_apart, named, near};

    #[test]
    fn numbers_are_near_as_a_part_of_the_larger_one() {
        assert!(near(&[1.0, 0.0], &[1.0 + 1e-13, 1e-13], 1e-12));
        assert!(near(&[1e9], &[1e9 + 1e-4], 1e-12));
        assert!(!near(&[1.0], &[1.0 + 1e-11], 1e-12));
        assert!(!near(&[1.0], &[1.0, 1.0], 1.0));
        assert!(near(&[f64::NAN], &[f64::NAN], 0.0) && !near(&[f64::NAN], &[0.0], 1.0));
    }

    #[test]
    fn a_difference_within_an_output_is_not_said_of_all_of_it() {
        let said = |place, left: &str| {
            different(&Difference {
                place,
                left: left.to_owned(),
                right: "input 1".to_owned(),
                statements: [None, None],
                makers: [None, None],
            })
        };
        assert_eq!(
            said(Place::Output(0), "the result of operation 1"),
            "in output 1, something else is asked for in the place of the result of operation 1"
        );
        assert_eq!(said(Place::Operation(1), "Get[a]"), "operation 2 is Get[a]");
        assert_eq!(said(Place::Operation(1), "none"), "operation 2 is missing");
    }

    #[test]
    fn what_is_found_is_short() {
        assert_eq!(listed(&[0.4]), "0.4");
        assert_eq!(listed(&[1.0, -2.0]), "[1, −2]");
        assert_eq!(listed(&[0.0; 9]), "[0, 0, 0, 0, 0, 0, 0, 0, …]");
        assert_eq!(listed_apart(&[1.9998], &[1.998]), "1.9998");
        assert_eq!(listed_apart(&[0.4], &[0.5]), "0.4");
        assert_eq!(named(&[]), "nothing");
        assert_eq!(named(&["a".to_owned(), "b".to_owned()]), "`a`, then `b`");
    }
}
