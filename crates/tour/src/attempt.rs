//! A learner's program at an exercise: judged in slices, and a known mistake recognised by what it does.

use crate::findings::{Findings, Found};
use crate::judge::{Case, Held, judged};
#[cfg(not(target_family = "wasm"))]
use crate::lesson::Exercise;
use crate::lesson::Lesson;
use crate::profile::alike;
use fletch_runs::generated::Host;
use fletch_trace::Budget;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The three ways in which an attempt ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All checks hold.
    Done,
    /// All checks hold in numbers, and an arrow that was to be equal is not proved so. The exercise counts as done.
    InNumbers,
    /// A check fails.
    NotYet,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// State of the attempt.
    pub state: State,
    /// The check that decided, from 1; 0 if the program is rejected before any.
    pub check: usize,
    /// The kind of that check: `run`, `arrow`, …; `accepted` if the program is rejected.
    pub kind: String,
    /// The finding: the input and what came out, never what should.
    pub found: Option<String>,
    /// The known mistake that was recognised.
    pub slip: Option<String>,
    /// The words to the learner.
    pub says: String,
}

impl Verdict {
    /// True if the exercise counts as done.
    pub fn is_done(&self) -> bool {
        self.state != State::NotYet
    }
}

/// A program at an exercise.
pub struct Attempt {
    lesson: Rc<Lesson>,
    exercise: usize,
    text: String,
    findings: Findings,
    judged: Option<(usize, Held)>,
}

impl Attempt {
    /// An attempt at the exercise of this name, each of whose runs may use so much; nothing if the lesson has none.
    pub fn new(lesson: Rc<Lesson>, exercise: &str, text: &str, budget: Budget) -> Option<Attempt> {
        let mut exercises = lesson.front.exercises.iter();
        let exercise = exercises.position(|known| known.id == exercise)?;
        Some(Attempt {
            lesson,
            exercise,
            text: text.to_owned(),
            findings: Findings::new(budget),
            judged: None,
        })
    }

    /// Sets the host in which trainings run as modules of their own.
    #[must_use]
    pub fn with_host(self, host: Option<Host>) -> Attempt {
        let findings = self.findings.with_host(host);
        Attempt { findings, ..self }
    }

    /// Goes on while it may; gives the verdict once there is one. To stop an attempt is to ask it no more.
    pub fn advance(&mut self, may: &dyn Fn() -> bool) -> Option<Verdict> {
        loop {
            // Begun work comes first: checks are asked again only once it is there.
            if !self.findings.advance(may) {
                return None;
            }
            if let Ok(verdict) = self.verdict() {
                return Some(verdict);
            }
        }
    }

    /// The verdict, without a stop.
    pub fn verdict_now(&mut self) -> Option<Verdict> {
        self.advance(&|| true)
    }

    fn verdict(&mut self) -> Found<Verdict> {
        let lesson = self.lesson.clone();
        let Some(exercise) = lesson.front.exercises.get(self.exercise) else {
            return Err(crate::findings::Pending);
        };
        let case = Case {
            lesson: &lesson,
            exercise,
            text: &self.text,
        };
        let judged = match self.judged.clone() {
            Some(judged) => judged,
            None => judged(case, &mut self.findings)?,
        };
        self.judged = Some(judged.clone());
        let (check, held) = judged;
        let kind = match check.checked_sub(1).and_then(|at| exercise.checks.get(at)) {
            Some(check) => check.kind(),
            None => "accepted",
        };
        let verdict = |state, found, slip, says: &str| Verdict {
            state,
            check,
            kind: kind.to_owned(),
            found,
            slip,
            says: says.to_owned(),
        };
        Ok(match held {
            Held::Yes => verdict(State::Done, None, None, &exercise.done),
            Held::InNumbers(found) => verdict(State::InNumbers, Some(found), None, &exercise.done),
            Held::No(found) => match recognised(case, &mut self.findings)? {
                Some((name, says)) => verdict(State::NotYet, Some(found), Some(name), &says),
                None => verdict(State::NotYet, Some(found.clone()), None, &found),
            },
        })
    }
}

/// The known mistake that a program makes: its name, and what is said of it.
fn recognised(case: Case<'_>, findings: &mut Findings) -> Found<Option<(String, String)>> {
    for mistake in &case.exercise.mistakes {
        let Some(text) = case.lesson.file(&mistake.file) else {
            continue;
        };
        if alike(case, Case { text, ..case }, findings)? {
            return Ok(Some((mistake.name().to_owned(), mistake.says.clone())));
        }
    }
    Ok(None)
}

/// True if two files of a lesson have the same profile at an exercise.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn files_alike(lesson: &Lesson, exercise: &Exercise, files: [&str; 2]) -> bool {
    let mut findings = Findings::new(crate::BUDGET);
    let [one, other] = files.map(|file| Case {
        lesson,
        exercise,
        text: lesson.file(file).unwrap_or(""),
    });
    loop {
        if let Ok(alike) = alike(one, other, &mut findings) {
            return alike;
        }
        findings.advance(&|| true);
    }
}
