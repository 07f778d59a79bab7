//! The answer to a question, which is always computed and never stored.

use crate::arrows::{Drawn, operations};
use crate::findings::{Findings, Found};
use crate::lesson::Lesson;
use crate::question::{Answer, Question, What};
use crate::steps;
use crate::text::composed;
use fletch_elaborate::Files;
use fletch_runs::denotation::Comparison;
use fletch_smooth::Value;
use fletch_syntax::Severity;

/// Answers a question about a program of the lesson. The inner error is the reason, in words, why there is no answer.
pub(crate) fn answer(
    question: &Question,
    lesson: &Lesson,
    findings: &mut Findings,
) -> Found<Result<Answer, String>> {
    let file = question.file.as_deref().unwrap_or(&lesson.front.program);
    let Some(source) = lesson.file(file) else {
        return Ok(Err(format!("there is no file {file}")));
    };
    let own = findings.checked(source);
    let with = question.with.as_deref().unwrap_or("");
    let text = composed(source, &own, question.main.as_deref(), with);
    answered(&text, question, findings)
}

fn answered(
    text: &str,
    question: &Question,
    findings: &mut Findings,
) -> Found<Result<Answer, String>> {
    let numbers = |entries: Vec<f64>, entry: Option<usize>| part(&entries, entry);
    Ok(match &question.what {
        What::Value(entry) => match &findings.run(text, question.total)?.ended {
            Ok(value) => numbers(entries(value), *entry),
            Err(error) => Err(error.message.clone()),
        },
        What::Heap(location, entry) => {
            let ran = findings.run(text, question.total)?;
            match &ran.ended {
                Ok(_) => cell(&ran.heap, location, *entry),
                Err(error) => Err(error.message.clone()),
            }
        }
        What::Steps => {
            let ran = findings.run(text, question.total)?;
            match &ran.ended {
                Ok(_) => Ok(Answer::Number(ran.reductions as f64)),
                Err(error) => Err(error.message.clone()),
            }
        }
        What::Stuck => match &findings.run(text, question.total)?.ended {
            Ok(_) => Err("it comes to a value".to_owned()),
            Err(error) => Ok(Answer::Word(error.code.clone())),
        },
        What::Write(of) => findings
            .trace(text)?
            .map_err(|error| error.message)
            .and_then(|trace| {
                let writes = steps::writes(&trace);
                let mut writes = writes.filter(|write| *write.location.name == *of.location);
                match writes.nth(of.nth.get() - 1) {
                    Some(write) => numbers(write.after.data().to_vec(), of.entry),
                    None => Err(format!("`{}` is not written {} times", of.location, of.nth)),
                }
            }),
        What::Count(like) => (findings.trace(text)?)
            .map(|trace| Answer::Number(steps::like(&trace, like).len() as f64))
            .map_err(|error| error.message),
        What::Order => (findings.trace(text)?)
            .map(|trace| Answer::Words(steps::written(&trace)))
            .map_err(|error| error.message),
        What::Codes(weight) => {
            let checked = findings.checked(text);
            let weigh = |severity: Severity| severity.name() == weight || weight == "all";
            let found = checked.diagnostics.iter();
            let found = found.filter(|found| weigh(found.severity));
            let mut codes: Vec<String> = found.map(|found| found.code.clone()).collect();
            codes.sort();
            codes.dedup();
            Ok(Answer::Words(codes))
        }
        What::Equal(one, other) => {
            let compared = findings.compared((text, one), (text, other))?;
            compared.map(|compared| {
                Answer::Word(match *compared {
                    Comparison::Equal { .. } => "equal".to_owned(),
                    Comparison::Rounding(_) | Comparison::Different(_) => "different".to_owned(),
                    Comparison::TooLong | Comparison::Incomparable => "incomparable".to_owned(),
                })
            })
        }
        What::Operations(of, number) => findings.arrow(text, of)?.map(|arrow| {
            let operations = operations(&arrow);
            match number {
                true => Answer::Number(operations.len() as f64),
                false => Answer::Words(operations),
            }
        }),
        What::Type(of) => {
            let arrow = findings.arrow(text, of)?;
            arrow.map(|arrow| Answer::Word(arrow.signature()))
        }
        What::Saved(of) => {
            let arrow = findings.arrow(text, of)?;
            let drawn = arrow.and_then(|arrow| Drawn::of(text, &arrow));
            drawn.map(|drawn| Answer::Number(drawn.saved as f64))
        }
        What::Train(of) => {
            let trained = findings.train(text, of.epochs)?;
            let mut curves = trained.measures.iter();
            let curve = curves.find(|(name, _)| *name == of.measure);
            match (&trained.stopped, curve) {
                (Some(error), _) => Err(error.message.clone()),
                (None, None) => Err(format!("there is no measure `{}`", of.measure)),
                (None, Some((_, curve))) => {
                    let at = of.at.or(curve.len().checked_sub(1));
                    let value = at.and_then(|at| curve.get(at));
                    let value = value.map(|value| Answer::Number(*value));
                    value.ok_or_else(|| "the training has not so many epochs".to_owned())
                }
            }
        }
        What::Trained(location, entry) => {
            let trained = findings.train(text, None)?;
            match &trained.stopped {
                Some(error) => Err(error.message.clone()),
                None => cell(&trained.heap, location, *entry),
            }
        }
        What::Factor(measure) => findings
            .gradient(text, Some(measure))?
            .and_then(|gradient| {
                let factor = gradient.factor.map(Answer::Number);
                factor.ok_or_else(|| gradient.lines.join("\n"))
            }),
        What::Export(function, holds) => {
            let checked = findings.checked(text);
            exported(text, &checked)
                .and_then(|module| occurrences(&module, function, holds))
                .map(|count| Answer::Number(count as f64))
        }
    })
}

/// The program as a module for JAX.
pub(crate) fn exported(text: &str, checked: &fletch_ide::Checked) -> Result<String, String> {
    if checked.rejected() {
        return Err("it is rejected".to_owned());
    }
    let module = fletch_runs::export::python(&checked.program, &Files::default(), text);
    module.map_err(|error| error.message)
}

/// Number of occurrences of a text in a function of a module.
fn occurrences(module: &str, function: &str, holds: &str) -> Result<usize, String> {
    let begins = format!("def {function}(");
    let mut lines = module.lines().skip_while(|line| !line.starts_with(&begins));
    if lines.next().is_none() {
        return Err(format!("the module has no function {function}"));
    }
    let body = lines.take_while(|line| line.is_empty() || line.starts_with([' ', ')']));
    Ok(body.map(|line| line.matches(holds).count()).sum())
}

/// The entries of a value, in order.
pub(crate) fn entries(value: &Value) -> Vec<f64> {
    let tensors = value.tensors().into_iter();
    tensors.flat_map(|tensor| tensor.data().to_vec()).collect()
}

fn cell(
    heap: &[(String, Vec<f64>)],
    location: &str,
    entry: Option<usize>,
) -> Result<Answer, String> {
    let found = heap.iter().find(|(name, _)| name == location);
    match found {
        Some((_, entries)) => part(entries, entry),
        None => Err(format!("there is no location `{location}`")),
    }
}

/// All entries as a list, or one of them as a number.
fn part(entries: &[f64], entry: Option<usize>) -> Result<Answer, String> {
    match entry {
        None => Ok(Answer::Numbers(entries.to_vec())),
        Some(entry) => match entries.get(entry) {
            Some(number) => Ok(Answer::Number(*number)),
            None => Err(format!("there is no entry {entry}")),
        },
    }
}
