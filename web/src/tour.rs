//! The tour: the lesson next to the program, and the reader's answers and programs.

pub(crate) mod update;
pub(crate) mod view;

use crate::model::{Model, Shared};
use fletch_playground::protocol::{Judgement, LessonVerdict, Standing};
use fletch_tour::{Entry, Exercise, Given, HandedIn, HandedLesson, HandedText, Lesson, Listing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Number of wrong answers to a prediction after which its answer is shown.
pub const TRIES: u32 = 3;

/// State of the tour on this page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tour {
    /// The open lesson.
    pub open: Option<Open>,
    /// The lesson that is being fetched, and the question or exercise in it to show. An empty name stands for the
    /// lesson that was open last.
    pub wanted: Option<(Rc<str>, Rc<str>)>,
    /// All lessons, once they are listed.
    pub listing: Option<Shared<Listing>>,
    /// True if the list of lessons replaces the text of the lesson.
    pub listed: bool,
    /// Search words in the list.
    pub sought: Rc<str>,
    /// The reader's work, by the names of the lessons.
    pub kept: Rc<BTreeMap<String, Kept>>,
    /// Name of the lesson that was open last.
    pub last: Option<Rc<str>>,
    /// True if the browser stores nothing.
    pub forgets: bool,
    /// The reader's name for a hand-in.
    pub name: Rc<str>,
    /// The reason why a lesson or the list could not be loaded.
    pub trouble: Option<Rc<str>>,
}

/// An open lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// The lesson.
    pub lesson: Shared<Lesson>,
    /// The lesson as JSON, for the worker.
    pub source: Rc<str>,
    /// Texts typed for predictions and not judged yet, by the numbers of the predictions.
    pub typed: BTreeMap<usize, Rc<str>>,
    /// Messages about the last answer to each prediction, by its number.
    pub said: BTreeMap<usize, Rc<str>>,
    /// Last verdict on each exercise, by its id.
    pub verdicts: BTreeMap<String, LessonVerdict>,
    /// Id of the exercise whose program is in the editor.
    pub exercise: Option<Rc<str>>,
    /// The answer or program that the worker is judging.
    pub judging: Option<Judging>,
}

/// An answer or a program that is being judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judging {
    /// The answer to the prediction with this number.
    Prediction(usize, Given),
    /// The program for the exercise with this id.
    Exercise(Rc<str>),
}

/// The reader's work in a lesson, as the browser stores it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Predictions by their numbers, from 1.
    pub predictions: BTreeMap<usize, Prediction>,
    /// Exercises by their ids.
    pub exercises: BTreeMap<String, Attempted>,
}

/// A prediction that the reader has answered or skipped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prediction {
    /// The last answer.
    pub given: Option<Given>,
    /// Number of wrong answers.
    pub tries: u32,
    /// True if the last answer is right.
    pub right: bool,
    /// True if the prediction was skipped.
    pub skipped: bool,
    /// The answer and its explanation, once they are shown.
    pub told: Option<(String, String)>,
}

/// An exercise that the reader has begun.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attempted {
    /// Program of the reader for the exercise.
    pub text: String,
    /// The last verdict.
    pub state: Option<Standing>,
    /// Number of checks.
    pub tries: u32,
    /// Number of opened hints.
    pub hints: usize,
    /// True if the solution was opened before the exercise was done.
    pub seen: bool,
    /// True if the solution is displayed.
    pub solution: bool,
}

/// Progress of a reader in a lesson, a prediction or an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing was tried.
    Open,
    /// Begun, or right without a proof.
    Half,
    /// Done.
    Done,
}

impl Mark {
    /// The sign, and its accessible name.
    pub fn sign(self) -> (&'static str, &'static str) {
        match self {
            Mark::Open => ("○", "open"),
            Mark::Half => ("◐", "begun"),
            Mark::Done => ("●", "done"),
        }
    }
}

impl Prediction {
    /// True if the prediction is neither answered nor skipped, and its answer was not shown.
    pub fn is_open(&self) -> bool {
        !self.right && !self.skipped && self.told.is_none()
    }
}

impl Attempted {
    /// Progress of the exercise.
    pub fn mark(&self) -> Mark {
        match self.state {
            Some(Standing::Done) => Mark::Done,
            Some(Standing::InNumbers | Standing::NotYet) => Mark::Half,
            None if self.tries > 0 || !self.text.is_empty() => Mark::Half,
            None => Mark::Open,
        }
    }

    /// True if the exercise counts as done, with or without a proof.
    pub fn is_done(&self) -> bool {
        matches!(self.state, Some(Standing::Done | Standing::InNumbers))
    }
}

impl Kept {
    /// Progress of a lesson. A lesson is done if all of its `predictions` are answered and an exercise is done.
    pub fn mark(&self, predictions: usize) -> Mark {
        let answered = self.predictions.values().filter(|of| !of.is_open());
        let answered = answered.filter(|of| !of.skipped).count();
        let done = self.exercises.values().any(Attempted::is_done);
        if done && answered >= predictions {
            Mark::Done
        } else if self.predictions.is_empty() && self.exercises.is_empty() {
            Mark::Open
        } else {
            Mark::Half
        }
    }
}

impl Tour {
    /// True if the text pane is shown.
    pub fn is_shown(&self) -> bool {
        self.open.is_some() || self.wanted.is_some() || self.listed
    }

    /// The reader's work in the open lesson.
    pub fn work(&self) -> Kept {
        let name = self.open.as_ref().map(|open| open.lesson.name.as_str());
        name.and_then(|name| self.kept.get(name))
            .cloned()
            .unwrap_or_default()
    }

    /// The reader's hand-in.
    pub fn handed_in(&self) -> HandedIn {
        let lessons = self.kept.iter().map(|(name, kept)| {
            let answers = kept.predictions.iter();
            let answers = answers.filter_map(|(at, of)| Some((*at, of.given.clone()?)));
            let exercises = kept.exercises.iter();
            let exercises = exercises.filter_map(|(id, of)| {
                let handed = HandedText {
                    text: of.text.clone(),
                    state: of.state?,
                    seen: of.seen,
                };
                Some((id.clone(), handed))
            });
            let handed = HandedLesson {
                answers: answers.collect(),
                exercises: exercises.collect(),
            };
            (name.clone(), handed)
        });
        HandedIn::new(&self.name, lessons.collect())
    }

    /// The lessons before and after the open one.
    pub fn around(&self) -> (Option<&Entry>, Option<&Entry>) {
        let open = self.open.as_ref();
        let (Some(open), Some(listing)) = (open, self.listing.as_ref()) else {
            return (None, None);
        };
        let number = |number: usize| listing.lessons.iter().find(|of| of.number == number);
        let here = open.lesson.number;
        (
            here.checked_sub(1).and_then(number),
            here.checked_add(1).and_then(number),
        )
    }
}

impl Open {
    /// The exercise whose program is in the editor.
    pub fn exercise(&self) -> Option<&Exercise> {
        self.lesson.exercise(self.exercise.as_deref()?)
    }

    /// True if the editor contains the unchanged program of the lesson.
    pub fn shows_program(&self, text: &str) -> bool {
        self.exercise.is_none() && self.lesson.program() == text
    }
}

impl Model {
    /// The first open prediction that holds the run: its number, from 1, and the position at which the run is held.
    pub fn held(&self) -> Option<(usize, u32)> {
        let open = self.tour.open.as_ref()?;
        if !open.shows_program(&self.program.text) {
            return None;
        }
        let work = self.tour.kept.get(&open.lesson.name);
        let predictions = open.lesson.front.predictions.iter().enumerate();
        let held = predictions.filter_map(|(at, prediction)| {
            let kept = work.and_then(|work| work.predictions.get(&(at + 1)));
            if !kept.is_none_or(Prediction::is_open) {
                return None;
            }
            let place = open.lesson.places.holds.get(at).copied().flatten();
            // Positions in a lesson belong to the paper's reading without shortcuts. In another mode, an affected run
            // is held at its start.
            let place = match (place, prediction.of.total && self.mode.total) {
                (Some(_), _) if self.mode.shortcuts => Some(0),
                (None, true) => Some(0),
                (place, _) => place,
            };
            Some((at + 1, place?))
        });
        held.min_by_key(|(_, place)| *place)
    }

    /// Number of the prediction that holds the run at the displayed position; `None` if none does.
    pub fn is_held_here(&self) -> Option<usize> {
        let trace = self.trace.as_ref()?;
        let at_end = self.worker.hold == Some(trace.position) && trace.position == trace.steps;
        let (number, _) = self.held().filter(|_| at_end)?;
        Some(number)
    }

    /// True if the figures would answer an open question of the lesson.
    pub fn is_veiled(&self) -> bool {
        let Some(open) = self.tour.open.as_ref() else {
            return false;
        };
        let work = self.tour.kept.get(&open.lesson.name);
        let mut numbers = 1..=open.lesson.front.predictions.len();
        open.shows_program(&self.program.text)
            && numbers.any(|number| {
                let kept = work.and_then(|work| work.predictions.get(&number));
                kept.is_none_or(Prediction::is_open)
            })
    }
}

/// Message for a judgement.
pub(crate) fn words(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Right(because) => because.clone(),
        Judgement::Slip(says) => says.clone(),
        Judgement::Wrong => "Not that. Try again, or skip the question.".to_owned(),
        Judgement::NoAnswer(wanted) => format!("That is no answer: {wanted}."),
    }
}

/// Fragment of the address of a lesson, with the id of an element in it unless `anchor` is empty.
pub(crate) fn fragment(lesson: &str, anchor: &str) -> String {
    let slash = if anchor.is_empty() { "" } else { "/" };
    format!("#tour={lesson}{slash}{anchor}")
}

/// Lesson, and question or exercise in it, named by a fragment of the tour: `#tour`, `#tour=05-by-hand`,
/// `#tour=05-by-hand/exercise-bias`. `None` for another fragment.
pub fn named(fragment: &str) -> Option<(Rc<str>, Rc<str>)> {
    let fragment = fragment.trim_start_matches('#');
    let place = fragment.strip_prefix("tour")?;
    let place = match place.strip_prefix('=') {
        Some(place) => place,
        None if place.is_empty() => "",
        None => return None,
    };
    let (lesson, anchor) = place.split_once('/').unwrap_or((place, ""));
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (plain(lesson) && plain(anchor)).then(|| (lesson.into(), anchor.into()))
}

// Lessons are read from files, so these tests are native only.
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
