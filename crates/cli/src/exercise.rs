//! `fletch exercise`: an exercise of the tour in a file of the learner, whose first line names the lesson and the exercise.

use crate::answer::{REJECTED, USAGE, complain, print_json, refuse};
use crate::arrows;
use crate::commands;
use crate::lessons;
use fletch_tour::{Attempt, Exercise, Lesson, State, Verdict};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

/// Maximum number of steps of a run.
const STEPS: usize = 1_000_000;

/// Start of the first line of a learner's file: `-- Tour 5/bias`.
const FIRST: &str = "-- Tour ";

#[derive(clap::Subcommand)]
pub(crate) enum Task {
    /// Write what an exercise begins with to a file: `bias.fletch`; its picture, if it has one, to `bias.svg`.
    Start {
        /// The lesson: its number or name.
        lesson: String,
        /// The exercise.
        exercise: String,
        /// The file to write; it must not be there yet.
        #[arg(long, value_name = "PATH")]
        out: Option<String>,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check a program: exit code 0 if the exercise is done, 1 if it is not, 2 if it cannot be checked.
    Check {
        /// The program; `-` is standard input.
        file: String,
        /// The exercise, `5/bias`, where the first line does not name it.
        #[arg(long, value_name = "LESSON/EXERCISE")]
        of: Option<String>,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print a hint: the first, or another.
    Hint {
        /// The lesson: its number or name.
        lesson: String,
        /// The exercise.
        exercise: String,
        /// The number of the hint, from 1.
        #[arg(default_value_t = 1)]
        number: usize,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the solution.
    Solution {
        /// The lesson: its number or name.
        lesson: String,
        /// The exercise.
        exercise: String,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
}

impl Task {
    /// True if standard output gets JSON.
    pub(crate) fn prints_json(&self) -> bool {
        match self {
            Task::Start { json, .. }
            | Task::Check { json, .. }
            | Task::Hint { json, .. }
            | Task::Solution { json, .. } => *json,
        }
    }
}

pub(crate) fn run(task: Task) -> ExitCode {
    let done = match task {
        Task::Start {
            lesson,
            exercise,
            out,
            json,
        } => found(&lesson, &exercise)
            .map(|(lesson, exercise)| start(&lesson, &exercise, out.as_deref(), json)),
        Task::Check { file, of, json } => return check(&file, of.as_deref(), json),
        Task::Hint {
            lesson,
            exercise,
            number,
            json,
        } => found(&lesson, &exercise).map(|(_, exercise)| hint(&lesson, &exercise, number, json)),
        Task::Solution {
            lesson,
            exercise,
            json,
        } => found(&lesson, &exercise).map(|(lesson, exercise)| {
            let solution = lesson.file(&exercise.solution).unwrap_or("");
            match json {
                true => print_json(&json!({ "solution": solution, "says": exercise.done })),
                false => say!("{solution}\n-- {}", exercise.done),
            }
            ExitCode::SUCCESS
        }),
    };
    done.unwrap_or(ExitCode::from(USAGE))
}

/// The exercise with this id, and its lesson. A missing one is reported, and gives `None`.
fn found(lesson: &str, id: &str) -> Option<(Rc<Lesson>, Exercise)> {
    let tour = lessons::own()?;
    let lesson = lessons::lesson(&tour, lesson)?;
    match lesson.exercise(id).cloned() {
        Some(exercise) => Some((lesson, exercise)),
        None => {
            let known = lesson.front.exercises.iter();
            let known: Vec<String> = known.map(|known| format!("`{}`", known.id)).collect();
            complain(format!(
                "lesson {} has no exercise `{id}`: it has {}",
                lesson.number,
                known.join(", ")
            ));
            None
        }
    }
}

fn start(lesson: &Lesson, exercise: &Exercise, out: Option<&str>, json: bool) -> ExitCode {
    let name = format!("{}.fletch", exercise.id);
    let path = out.unwrap_or(&name);
    let text = lesson.file(&exercise.start).unwrap_or("");
    let text = format!("{FIRST}{}/{}\n{text}", lesson.number, exercise.id);
    let drawn = arrows::pictured(lesson, exercise).map(|svg| {
        let path = Path::new(path).with_extension("svg");
        (path.display().to_string(), svg)
    });
    let picture = drawn.as_ref().map(|(path, _)| path.as_str());
    let files = drawn.iter().map(|(path, svg)| (path.as_str(), svg));
    let files: Vec<(&str, &String)> = files.chain([(path, &text)]).collect();
    if let Some((path, _)) = files.iter().find(|(path, _)| Path::new(path).exists()) {
        return refuse(format!(
            "{path} is there already: name another file with --out, or take it away"
        ));
    }
    for (path, text) in files {
        if let Err(error) = std::fs::write(path, text) {
            return refuse(format!("cannot write {path}: {error}"));
        }
    }
    match json {
        true => print_json(&json!({ "file": path, "picture": picture })),
        false => {
            say!("{path}: change it, then `fletch exercise check {path}`");
            if let Some(picture) = picture {
                say!("{picture}: the picture that it is about");
            }
        }
    }
    ExitCode::SUCCESS
}

fn hint(lesson: &str, exercise: &Exercise, number: usize, json: bool) -> ExitCode {
    let count = exercise.hints.len();
    let hint = number.checked_sub(1).and_then(|at| exercise.hints.get(at));
    let Some(hint) = hint else {
        return refuse(format!(
            "there are {count} hints, from 1 to {count}; `fletch exercise solution {lesson} {}` prints the solution",
            exercise.id
        ));
    };
    if json {
        print_json(&json!({ "hint": hint, "number": number, "of": count }));
    } else {
        say!("{hint}");
        let id = &exercise.id;
        match number < count {
            true => eprintln!(
                "the next one: fletch exercise hint {lesson} {id} {}",
                number + 1
            ),
            false => eprintln!("the solution: fletch exercise solution {lesson} {id}"),
        }
    }
    ExitCode::SUCCESS
}

fn check(file: &str, of: Option<&str>, json: bool) -> ExitCode {
    let text = match commands::text(file, json) {
        Ok(text) => text,
        Err(code) => return code,
    };
    let first = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix(FIRST));
    let named = of.or(first).map(str::trim);
    let Some((lesson, id)) = named.and_then(|named| named.split_once('/')) else {
        return refuse(format!(
            "{file} does not say which exercise it is: its first line is `{FIRST}5/bias`, or give `--of 5/bias`"
        ));
    };
    let Some((lesson, _)) = found(lesson, id) else {
        return ExitCode::from(USAGE);
    };
    let attempt = Attempt::new(lesson.clone(), id, &text, commands::budget(STEPS));
    let attempt = attempt.map(|attempt| attempt.with_host(Some(fletch_native::host)));
    let Some(verdict) = attempt.and_then(|mut attempt| attempt.verdict_now()) else {
        return refuse(format!("{file} cannot be checked"));
    };
    match json {
        true => print_json(&verdict_json(&lesson, id, &verdict)),
        false => say!("{}", words(&verdict)),
    }
    ExitCode::from(if verdict.is_done() { 0 } else { REJECTED })
}

/// The result of `exercise check --json`.
fn verdict_json(lesson: &Lesson, id: &str, verdict: &Verdict) -> Json {
    let checks = lesson
        .exercise(id)
        .map_or(&[][..], |exercise| &exercise.checks);
    let proves = checks.iter().any(|check| check.kind() == "arrow");
    json!({
        "done": verdict.is_done(),
        "proved": (proves && verdict.is_done()).then_some(verdict.state == State::Done),
        "check": verdict.check,
        "kind": verdict.kind,
        "found": verdict.found,
        "slip": verdict.slip,
        "says": verdict.says,
    })
}

fn words(verdict: &Verdict) -> String {
    let found = verdict.found.as_deref().unwrap_or("");
    match (verdict.state, &verdict.slip) {
        (State::Done, _) => format!("Done. {}", verdict.says),
        (State::InNumbers, _) => format!(
            "Done, in numbers: they are equal at all inputs that were tried, and there is no proof ({found}). {}",
            verdict.says
        ),
        (State::NotYet, Some(_)) => format!("Not yet. {}\n{found}", verdict.says),
        (State::NotYet, None) => format!("Not yet. {found}"),
    }
}
