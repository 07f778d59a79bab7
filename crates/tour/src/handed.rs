//! Hand-ins: the answers and programs of a learner, as one file. Its verdicts are not trusted: grading checks the programs again.

use crate::BUDGET;
use crate::attempt::{Attempt, State};
use crate::lesson::Tour;
use crate::predict::{Asking, Given, Judgement};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The version of the format.
const VERSION: u32 = 1;

/// A file that a learner hands in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandedIn {
    /// The version of the format: 1.
    #[serde(rename = "fletch-tour")]
    pub version: u32,
    /// The name of the learner.
    pub name: String,
    /// Lessons by the names of their folders.
    #[serde(default)]
    pub lessons: BTreeMap<String, HandedLesson>,
}

impl HandedIn {
    /// Creates a hand-in of the current version.
    pub fn new(name: &str, lessons: BTreeMap<String, HandedLesson>) -> HandedIn {
        HandedIn {
            version: VERSION,
            name: name.to_owned(),
            lessons,
        }
    }
}

/// The work of a learner in a lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandedLesson {
    /// The last answer to each prediction, by its number from 1.
    #[serde(default)]
    pub answers: BTreeMap<usize, Given>,
    /// Programs at exercises, by exercise id.
    #[serde(default)]
    pub exercises: BTreeMap<String, HandedText>,
}

/// The program of a learner at an exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandedText {
    /// The program.
    pub text: String,
    /// The verdict that the page gave.
    pub state: State,
    /// True if the learner had opened the solution before.
    #[serde(default)]
    pub seen: bool,
}

/// The result of grading a hand-in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Graded {
    /// The name of the learner.
    pub name: String,
    /// Number of predictions that are right, and number of all in the tour.
    pub predictions: (usize, usize),
    /// Number of exercises that are done, and number of all in the tour.
    pub exercises: (usize, usize),
    /// Exercises that are right in numbers, without a proof: `04-out-and-back/save`.
    pub unproved: Vec<String>,
    /// Exercises that are done, but whose solution had been opened before.
    pub seen: Vec<String>,
    /// Exercises whose verdict in the file differs from the verdict on their text.
    pub forged: Vec<String>,
    /// Lessons, exercises and predictions of the file that the tour does not have.
    pub unknown: Vec<String>,
}

/// Grades a hand-in: computes its answers and verdicts again.
///
/// # Errors
/// If the hand-in has another version.
pub fn grade(tour: &Tour, handed: &HandedIn) -> Result<Graded, String> {
    if handed.version != VERSION {
        return Err(format!(
            "it is of version {} of hand-ins; this Fletch reads version {VERSION}",
            handed.version
        ));
    }
    let of = |count: fn(&crate::lesson::Front) -> usize| {
        let lessons = tour.lessons.iter();
        lessons.map(|lesson| count(&lesson.front)).sum()
    };
    let mut graded = Graded {
        name: handed.name.clone(),
        predictions: (0, of(|front| front.predictions.len())),
        exercises: (0, of(|front| front.exercises.len())),
        ..Graded::default()
    };
    for (folder, done) in &handed.lessons {
        let mut lessons = tour.lessons.iter();
        let Some(lesson) = lessons.find(|lesson| lesson.name == *folder) else {
            graded.unknown.push(folder.clone());
            continue;
        };
        let lesson = Rc::new(lesson.clone());
        for (number, given) in &done.answers {
            let Some(mut asking) = Asking::new(lesson.clone(), *number, BUDGET) else {
                graded.unknown.push(format!("{folder}/{number}"));
                continue;
            };
            let answered = asking.advance(&|| true);
            if let Some(Ok(answered)) = answered
                && let Judgement::Right(_) = answered.judge(given)
            {
                graded.predictions.0 += 1;
            }
        }
        for (id, written) in &done.exercises {
            let name = format!("{folder}/{id}");
            let attempt = Attempt::new(lesson.clone(), id, &written.text, BUDGET);
            let verdict = attempt.and_then(|mut attempt| attempt.verdict_now());
            let Some(verdict) = verdict else {
                graded.unknown.push(name);
                continue;
            };
            if verdict.state != written.state {
                graded.forged.push(name.clone());
            }
            if verdict.is_done() {
                graded.exercises.0 += 1;
                if verdict.state == State::InNumbers {
                    graded.unproved.push(name.clone());
                }
                if written.seen {
                    graded.seen.push(name);
                }
            }
        }
    }
    Ok(graded)
}
