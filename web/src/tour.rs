//! The tour: the lesson beside the program, and what a reader has answered and written.

pub(crate) mod update;
pub(crate) mod view;

use crate::model::{Model, Shared};
use fletch_playground::protocol::{Judgement, LessonVerdict, Standing};
use fletch_tour::{Entry, Exercise, Given, HandedIn, HandedLesson, HandedText, Lesson, Listing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How often a prediction may be wrong before its answer is told.
pub const TRIES: u32 = 3;

/// The tour on this page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tour {
    /// The lesson that is open.
    pub open: Option<Open>,
    /// The lesson that is on its way, and its question or exercise that is asked for.
    pub wanted: Option<(Rc<str>, Rc<str>)>,
    /// All lessons, once they are listed.
    pub listing: Option<Shared<Listing>>,
    /// True if the list stands in the place of the text.
    pub listed: bool,
    /// The words sought in the list.
    pub sought: Rc<str>,
    /// The work of this reader, by lesson.
    pub kept: Rc<BTreeMap<String, Kept>>,
    /// The lesson that was open last.
    pub last: Option<Rc<str>>,
    /// True if the browser keeps nothing.
    pub forgets: bool,
    /// The name on a hand-in.
    pub name: Rc<str>,
    /// Why something of the tour is not here.
    pub trouble: Option<Rc<str>>,
}

/// An open lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// The lesson.
    pub lesson: Shared<Lesson>,
    /// The same as JSON, as the worker takes it.
    pub source: Rc<str>,
    /// Texts typed for predictions and not yet judged, by their numbers.
    pub typed: BTreeMap<usize, Rc<str>>,
    /// The words about the last answer to each prediction.
    pub said: BTreeMap<usize, Rc<str>>,
    /// The last verdict on each exercise.
    pub verdicts: BTreeMap<String, LessonVerdict>,
    /// The exercise whose program is in the editor.
    pub exercise: Option<Rc<str>>,
    /// The answer or program that the worker is judging.
    pub judging: Option<Judging>,
}

/// An answer or a program that is being judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judging {
    /// The answer to the prediction of this number.
    Prediction(usize, Given),
    /// The program for the exercise of this name.
    Exercise(Rc<str>),
}

/// The work of a reader in a lesson, as the browser keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Predictions by their numbers.
    pub predictions: BTreeMap<usize, Prediction>,
    /// Exercises by their names.
    pub exercises: BTreeMap<String, Attempted>,
}

/// A prediction that a reader has seen to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prediction {
    /// The last answer.
    pub given: Option<Given>,
    /// How many answers were wrong.
    pub tries: u32,
    /// True if the last answer is right.
    pub right: bool,
    /// True if it was passed over.
    pub skipped: bool,
    /// The answer and why, once they are told.
    pub told: Option<(String, String)>,
}

/// An exercise that a reader has begun.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attempted {
    /// The program.
    pub text: String,
    /// The last verdict.
    pub state: Option<Standing>,
    /// How often it was checked.
    pub tries: u32,
    /// How many hints were opened.
    pub hints: usize,
    /// True if the solution was looked at before it was done.
    pub seen: bool,
    /// True if the solution is open.
    pub solution: bool,
}

/// How far a reader has come with a lesson, a prediction or an exercise.
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
    /// The sign, and the word for who does not see it.
    pub fn sign(self) -> (&'static str, &'static str) {
        match self {
            Mark::Open => ("○", "open"),
            Mark::Half => ("◐", "begun"),
            Mark::Done => ("●", "done"),
        }
    }
}

impl Prediction {
    /// True if its answer is still to be found, and nobody has passed it over.
    pub fn is_open(&self) -> bool {
        !self.right && !self.skipped && self.told.is_none()
    }
}

impl Attempted {
    /// How far it is.
    pub fn mark(&self) -> Mark {
        match self.state {
            Some(Standing::Done) => Mark::Done,
            Some(Standing::InNumbers | Standing::NotYet) => Mark::Half,
            None if self.tries > 0 || !self.text.is_empty() => Mark::Half,
            None => Mark::Open,
        }
    }

    /// True if it counts as done, with or without a proof.
    pub fn is_done(&self) -> bool {
        matches!(self.state, Some(Standing::Done | Standing::InNumbers))
    }
}

impl Kept {
    /// How far a lesson is: done once all predictions are answered and an exercise is done.
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
    /// True if the text pane is there.
    pub fn is_shown(&self) -> bool {
        self.open.is_some() || self.wanted.is_some() || self.listed
    }

    /// The work of this reader in the open lesson.
    pub fn work(&self) -> Kept {
        let name = self.open.as_ref().map(|open| open.lesson.name.as_str());
        name.and_then(|name| self.kept.get(name))
            .cloned()
            .unwrap_or_default()
    }

    /// The hand-in of this reader.
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

    /// The lesson before the open one and the one after it.
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
    /// The exercise in the editor.
    pub fn exercise(&self) -> Option<&Exercise> {
        self.lesson.exercise(self.exercise.as_deref()?)
    }

    /// True if the lesson's own program is in the editor, as it is.
    pub fn shows_program(&self, text: &str) -> bool {
        self.exercise.is_none() && self.lesson.program() == text
    }
}

impl Model {
    /// The prediction that is open and holds the run, by its number, and the position at which the run is held.
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
            // Places are those of the paper's reading, step by step.
            let place = match (place, prediction.of.total && self.mode.total) {
                (Some(_), _) if self.mode.shortcuts => Some(0),
                (None, true) => Some(0),
                (place, _) => place,
            };
            Some((at + 1, place?))
        });
        held.min_by_key(|(_, place)| *place)
    }

    /// The question for which the run is held at the position on the screen.
    pub fn is_held_here(&self) -> Option<usize> {
        let trace = self.trace.as_ref()?;
        let at_end = self.worker.hold == Some(trace.position) && trace.position == trace.steps;
        let (number, _) = self.held().filter(|_| at_end)?;
        Some(number)
    }

    /// True if what figures compute of the program would answer an open question of the lesson.
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

/// The words of a judgement.
pub(crate) fn words(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Right(because) => because.clone(),
        Judgement::Slip(says) => says.clone(),
        Judgement::Wrong => "Not that. Try again, or skip the question.".to_owned(),
        Judgement::NoAnswer(wanted) => format!("That is no answer: {wanted}."),
    }
}

/// The fragment of the address of a lesson, at a place in it if there is an anchor.
pub(crate) fn fragment(lesson: &str, anchor: &str) -> String {
    let slash = if anchor.is_empty() { "" } else { "/" };
    format!("#tour={lesson}{slash}{anchor}")
}

/// The lesson and its question or exercise that a fragment of the address names, if it names the tour: `#tour`, `#tour=05-by-hand`,
/// `#tour=05-by-hand/exercise-bias`.
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

// Lessons are read from their files natively alone.
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
