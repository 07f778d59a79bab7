//! `fletch arrow`, `fletch diagram` and `fletch equal`: the denotations of commands.

use crate::answer::{self, REJECTED, USAGE, complain, print_json, refuse};
use crate::commands::with_files;
use crate::numbers::Numbers;
use crate::render::Source;
use fletch_ide::{Checked, diagnostic_json};
use fletch_runs::denotation::{
    Comparison, Denotation, NoDenotation, clause, compare, denotation, network, standing,
};
use fletch_runs::diagram;
use fletch_runs::trial::{self, Trial};
use fletch_smooth::{Partiality, Value, counted};
use fletch_syntax::LineIndex;
use fletch_tour::{Exercise, Lesson};
use fletch_transcript::{numbers_json, value_json};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::process::ExitCode;

pub(crate) fn arrow(file: &str, name: &str, json: bool) -> ExitCode {
    with_commands(file, &[name], |source, checked| {
        let denotation = match denoted(source, checked, json, || {
            denotation(checked, source.text, name)
        }) {
            Ok(denotation) => denotation,
            Err(code) => return ExitCode::from(code),
        };
        if json {
            print_json(&denotation.json(checked));
        } else {
            let signature = denotation.signature();
            let listing = denotation.listing();
            let (statements, operations) = denotation.arrow.counts();
            // A closed pipe is no failure: its reader has seen enough.
            let _ = write!(std::io::stdout(), "{name} : {signature}\n{listing}");
            let statements = counted(statements, "statement");
            eprintln!("{statements}, {operations} of them operations");
        }
        ExitCode::SUCCESS
    })
}

/// The part of a command that is drawn.
pub(crate) enum Part {
    /// The whole command.
    Whole,
    /// The network of its first `rev handle`.
    Network,
    /// A clause of the handler of its first `rev handle`.
    Clause(String),
}

/// The diagram that `fletch diagram` is to draw.
pub(crate) struct Drawing {
    pub(crate) part: Part,
    pub(crate) format: diagram::Format,
    pub(crate) drawn: diagram::Drawing,
}

pub(crate) fn diagram(file: &str, name: &str, drawing: &Drawing) -> ExitCode {
    let json = drawing.format == diagram::Format::Json;
    with_commands(file, &[name], |source, checked| {
        let find = || match &drawing.part {
            Part::Whole => denotation(checked, source.text, name),
            Part::Network => network(checked, source.text, name),
            Part::Clause(which) => clause(checked, source.text, name, which),
        };
        let find = || {
            let found = find()?;
            found.can_be_drawn().map_err(NoDenotation::Fault)?;
            Ok(found)
        };
        match denoted(source, checked, json, find) {
            Ok(denotation) => {
                let picture = match diagram::opened(&denotation, source.text, &drawing.drawn) {
                    Ok(picture) => picture,
                    Err(unknown) => {
                        return refuse(unknown);
                    }
                };
                let text = diagram::text(&picture, drawing.format, &checked.index);
                answer::begin();
                // A closed pipe is no failure: its reader has seen enough.
                let _ = std::io::stdout().write_all(text.as_bytes());
                ExitCode::SUCCESS
            }
            Err(code) => ExitCode::from(code),
        }
    })
}

/// The diagram at the start of an exercise, in SVG: of a hidden command, which is in the solution or in the items of a check. `None` if the
/// exercise has none.
pub(crate) fn pictured(lesson: &Lesson, exercise: &Exercise) -> Option<String> {
    let of = exercise.picture.as_ref()?;
    let mut text = lesson.file(&exercise.solution)?.to_owned();
    for with in exercise.checks.iter().filter_map(|check| check.with()) {
        text.push('\n');
        text.push_str(with);
    }
    svg(&text, &of.of)
}

/// The diagram of a command of a program in SVG; `None` if it cannot be drawn.
pub(crate) fn svg(text: &str, name: &str) -> Option<String> {
    let checked = fletch_ide::check(text);
    let denotation = denotation(&checked, text, name).ok()?;
    denotation.can_be_drawn().ok()?;
    let picture = diagram::opened(&denotation, text, &diagram::Drawing::default()).ok()?;
    Some(picture.svg())
}

pub(crate) fn equal(file: &str, left: &str, right: &str, json: bool) -> ExitCode {
    with_commands(file, &[left, right], |source, checked| {
        let of = |name| {
            denoted(source, checked, json, || {
                denotation(checked, source.text, name)
            })
        };
        let both = of(left).and_then(|a| Ok((a, of(right)?)));
        let (a, b) = match both {
            Ok(both) => both,
            Err(code) => return ExitCode::from(code),
        };
        match compare(&a, &b, Partiality::Paper) {
            Comparison::Equal { any_length } => {
                if json {
                    print_json(&match any_length {
                        true => json!({ "equal": true, "anyLength": true }),
                        false => json!({ "equal": true }),
                    });
                } else {
                    let length = match any_length {
                        true => ", whatever the number of moments",
                        false => "",
                    };
                    say!("`{left}` and `{right}` denote equal arrows{length}");
                }
                ExitCode::SUCCESS
            }
            Comparison::Rounding(rounding) => {
                let [one, other] = rounding.entries;
                if json {
                    print_json(&json!({
                        "equal": false,
                        "rounding": {
                            "difference": rounding.difference,
                            "left": one,
                            "right": other,
                            "statements": rounding.makers,
                        },
                    }));
                } else {
                    say!(
                        "`{left}` and `{right}` denote arrows that are equal but for rounding of constants: {rounding}"
                    );
                }
                ExitCode::from(REJECTED)
            }
            Comparison::Different(difference) => {
                let trial = trial::tried(&a, &b);
                if json {
                    let numbers = match &trial {
                        Trial::Agree(points) => json!({ "agree": true, "points": points }),
                        Trial::Differ(input, values) => json!({
                            "agree": false,
                            "input": input.iter().map(|input| numbers_json(input.data())).collect::<Vec<_>>(),
                            "values": values.as_ref().map(|values| values.each_ref().map(value_json)),
                        }),
                        Trial::Untried => Json::Null,
                    };
                    print_json(&json!({
                        "equal": false,
                        "difference": {
                            "place": difference.place.to_string(),
                            "left": difference.left,
                            "right": difference.right,
                            "statements": difference.statements,
                        },
                        "numbers": numbers,
                    }));
                } else {
                    match &trial {
                        Trial::Agree(points) => say!(
                            "`{left}` and `{right}` are not found equal, though numbers agree at {}: no axiom that is decided makes \
                             them equal, {difference}",
                            counted(*points, "point")
                        ),
                        Trial::Differ(input, values) => {
                            say!("`{left}` and `{right}` denote different arrows: {difference}");
                            let numbers = Numbers::of(false);
                            let input = input
                                .iter()
                                .map(|input| numbers.value(&Value::Real(input.clone())));
                            let input: Vec<String> = input.collect();
                            let at = match input.is_empty() {
                                true => String::new(),
                                false => format!(" at {}", input.join(", ")),
                            };
                            match values {
                                Some([one, other]) => say!(
                                    "numbers too{at}: {} against {}",
                                    numbers.value(one),
                                    numbers.value(other)
                                ),
                                None => say!("numbers too{at}: what they write to the heap"),
                            }
                        }
                        Trial::Untried => {
                            say!("`{left}` and `{right}` are not found equal: {difference}");
                        }
                    }
                }
                ExitCode::from(REJECTED)
            }
            Comparison::TooLong => refuse(format!(
                "`{left}` and `{right}` have loops of too many moments to be compared one by one"
            )),
            Comparison::Incomparable => {
                let message = format!(
                    "`{left}` : {} and `{right}` : {} are of different types",
                    a.signature(),
                    b.signature()
                );
                refuse(message)
            }
        }
    })
}

/// Calls `body` with a program, of which it needs these commands. If errors elsewhere reject the program, `body` gets the program without
/// its faulty declarations.
fn with_commands(
    file: &str,
    names: &[&str],
    body: impl FnOnce(&Source<'_>, &Checked) -> ExitCode,
) -> ExitCode {
    with_files(file, |source, checked, files| {
        let Some(standing) = standing(checked, source.text, files, names) else {
            return body(source, checked);
        };
        let errors = checked.diagnostics.iter().filter(|found| found.is_error());
        let errors = counted(errors.count(), "error");
        eprintln!(
            "fletch: the program is rejected, for {errors} elsewhere; `fletch check` says which"
        );
        body(source, &standing)
    })
}

/// The denotation of a command. Without one, the reason is reported, and the error is the exit code.
fn denoted(
    source: &Source<'_>,
    checked: &Checked,
    json: bool,
    find: impl FnOnce() -> Result<Denotation, NoDenotation>,
) -> Result<Denotation, u8> {
    if checked.rejected() {
        let first = checked.diagnostics.iter().find(|found| found.is_error());
        if let Some(first) = first.filter(|_| json) {
            print_json(&json!({ "error": diagnostic_json(first, &checked.index) }));
        }
        source.report_run(&checked.diagnostics);
        return Err(REJECTED);
    }
    find().map_err(|reason| match reason {
        NoDenotation::Indices(text, wrong) => {
            // Spans of these diagnostics are spans of the command name in the arguments.
            if let (Some(first), true) = (wrong.first(), json) {
                let error = diagnostic_json(first, &LineIndex::new(&text));
                print_json(&json!({ "error": error }));
            }
            Source::new("COMMAND", &text).report_all(&wrong);
            USAGE
        }
        NoDenotation::Named(..)
        | NoDenotation::Trains(_)
        | NoDenotation::NothingHandled(_)
        | NoDenotation::NoClause(..) => {
            complain(reason);
            USAGE
        }
        NoDenotation::Fault(diagnostic) => {
            if json {
                let error = diagnostic_json(&diagnostic, &checked.index);
                print_json(&json!({ "error": error }));
            }
            source.report_all(&[*diagnostic]);
            REJECTED
        }
    })
}
