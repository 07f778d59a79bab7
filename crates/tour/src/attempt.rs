//! Judgement of a learner's program at an exercise, in slices. A known mistake is recognised by its behaviour.

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

/// State of an attempt that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All checks hold.
    Done,
    /// All checks hold, but an equality of arrows only in numbers, without a proof. The exercise counts as done.
    InNumbers,
    /// A check fails.
    NotYet,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// State of the attempt.
    pub state: State,
    /// Number of the check that decided, from 1; 0 if the program is rejected before the first check.
    pub check: usize,
    /// The kind of that check: `run`, `arrow`, …; `accepted` if the program is rejected.
    pub kind: String,
    /// Finding of that check: the input and the result, never the expected result.
    pub found: Option<String>,
    /// Name of the known mistake that was recognised.
    pub slip: Option<String>,
    /// Message to the learner.
    pub says: String,
}

impl Verdict {
    /// True if the exercise counts as done.
    pub fn is_done(&self) -> bool {
        self.state != State::NotYet
    }
}

/// A learner's program at an exercise, while it is judged.
pub struct Attempt {
    lesson: Rc<Lesson>,
    exercise: usize,
    text: String,
    findings: Findings,
    judged: Option<(usize, Held)>,
}

impl Attempt {
    /// Starts an attempt at the exercise with this id. Each run may use `budget`. `None` if the lesson has no such exercise.
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

    /// Sets the host that runs trainings as compiled modules.
    #[must_use]
    pub fn with_host(self, host: Option<Host>) -> Attempt {
        let findings = self.findings.with_host(host);
        Attempt { findings, ..self }
    }

    /// Continues while `may` is true. Returns the verdict once it is known. To stop an attempt, do not call this again.
    pub fn advance(&mut self, may: &dyn Fn() -> bool) -> Option<Verdict> {
        loop {
            // Started work is finished first, since the checks need its result.
            if !self.findings.advance(may) {
                return None;
            }
            if let Ok(verdict) = self.verdict() {
                return Some(verdict);
            }
        }
    }

    /// Computes the verdict without interruption.
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

/// The known mistake that a program makes: its name and its explanation.
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
