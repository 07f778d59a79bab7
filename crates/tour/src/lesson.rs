//! A lesson as data: its text, its program, its questions and its exercises. A lesson is read from files natively and from JSON in a page;
//! both produce the structures of this module.

use crate::blocks::Block;
use crate::checks::Check;
use crate::question::{Answer, Question, StepLike};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All lessons: parts in order, and tracks through them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tour {
    /// The parts, with their lessons in order.
    pub parts: Vec<Part>,
    /// Shorter routes through the tour.
    pub tracks: Vec<Track>,
    /// The lessons, in order.
    pub lessons: Vec<Lesson>,
}

/// A part of the tour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Title of the part.
    pub title: String,
    /// One sentence about the part.
    pub says: String,
    /// Folders of the lessons, in order.
    pub lessons: Vec<String>,
}

/// A route through the tour for one audience.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Name of the track in addresses.
    pub id: String,
    /// Title of the track.
    pub title: String,
    /// Audience of the track, in words.
    pub says: String,
    /// Folders of the lessons, in order.
    pub lessons: Vec<String>,
}

/// A lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// The name of its folder: `05-by-hand`.
    pub name: String,
    /// Position in the tour, from 1.
    pub number: usize,
    /// The front matter.
    #[serde(flatten)]
    pub front: Front,
    /// The text, in blocks.
    pub text: Vec<Block>,
    /// Programs in the folder of the lesson, by file name.
    pub files: BTreeMap<String, String>,
    /// Positions in the run, computed for a page by `Lesson::for_page`; empty otherwise.
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub places: Places,
    /// Translations of the lesson, by language code. A page gets one language.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub(crate) translations: BTreeMap<String, crate::translation::Translation>,
}

/// Positions in the run of a lesson's program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// Position before the step of each bookmark, by the id of the bookmark.
    pub marks: BTreeMap<String, u32>,
    /// For each prediction, the position that the run may not pass while the question is open; `None` if the run is not held.
    pub holds: Vec<Option<u32>>,
}

impl Places {
    fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.holds.is_empty()
    }
}

/// The front matter of a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Front {
    /// The title.
    pub title: String,
    /// One sentence, for lists and search engines.
    pub claim: String,
    /// The title of the part of the tour.
    pub part: String,
    /// Duration with the exercises, in minutes.
    pub minutes: u32,
    /// The file of the program that the text is about.
    pub program: String,
    /// Views that are open beside the text at first.
    #[serde(default)]
    pub show: Show,
    /// Codes of the diagnostics that the program gives on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<String>,
    /// Numbers and types that the text states.
    #[serde(default, rename = "fact", skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Bookmarks: positions in the run that the text links to.
    #[serde(default, rename = "mark", skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Questions to the reader, in the order of the text.
    #[serde(default, rename = "predict", skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<Prediction>,
    /// Exercises, in the order of the text.
    #[serde(default, rename = "exercise", skip_serializing_if = "Vec::is_empty")]
    pub exercises: Vec<Exercise>,
}

/// Views that are open beside a lesson at first, with the names that links use (`docs/dev/links.md`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// The tab: `steps`, `diagram`, `types`, `compare`, `train`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// The command that is drawn or compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Level of detail of the stops: `every`, `plain`, `operations`, `handlers`, `moments`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Panes that are open in a wide window.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panes: Vec<String>,
}

/// A number or a type that the text states, and the question that it answers. Without `is` and `below`, `says` itself is the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Words of the text that state the fact.
    pub says: String,
    /// Question that the words answer.
    pub of: Question,
    /// Expected answer, if the words do not give it in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Answer>,
    /// Exclusive upper bound of the answer, in place of an exact value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
    /// False if the words need not occur in the text.
    #[serde(default = "yes", rename = "in")]
    pub is_in_text: bool,
}

fn yes() -> bool {
    true
}

/// A bookmark: a position in the run. It is stored as a description of its step and computed, so that it never points to another step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// Name of the bookmark in the text: `[the turn](step:turn)`.
    pub id: String,
    /// The step.
    pub step: StepLike,
}

/// A question to the reader, answered before the run shows the step that reveals the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// The question to the program.
    pub of: Question,
    /// Step that the run may not pass while the question is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<StepLike>,
    /// Expected answer, for the tests alone: the page computes the answer.
    #[serde(default, skip_serializing)]
    pub is: Option<Answer>,
    /// Explanation of the answer, for a question without choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Known wrong answers, each with an explanation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slips: Vec<Slip>,
    /// Answers to choose from; empty if a number is requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
}

/// A known wrong answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// The answer.
    pub is: Answer,
    /// Explanation of the mistake, for the reader.
    pub says: String,
}

/// An answer to choose. The right choice is the one that fits the computed answer; no field marks it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The answer in words.
    pub says: String,
    /// Explanation that is shown once the answer is chosen.
    pub because: String,
    /// Computed answer for which the choice is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Answer>,
    /// Exclusive lower bound of the computed numbers for which the choice is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// Exclusive upper bound of the computed numbers for which the choice is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
}

/// An exercise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// Name of the exercise in addresses.
    pub id: String,
    /// Title of the exercise.
    pub title: String,
    /// File of the program that the learner starts from.
    pub start: String,
    /// File of the solution.
    pub solution: String,
    /// Files of other right answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Hints, in the order in which they are given.
    pub hints: Vec<String>,
    /// Words that are shown once the exercise is done.
    pub done: String,
    /// Diagram that replaces the words of the exercise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
    /// Checks, in order. All must hold; the first that fails is reported.
    pub checks: Vec<Check>,
    /// Known mistakes.
    #[serde(default, rename = "slips", skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<Mistake>,
}

/// The diagram of a command that the learner does not see as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// Name of a command of the solution, or of one that the checks add to it.
    pub of: String,
}

/// A known mistake, recognised by its behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// File of a program with the mistake.
    pub file: String,
    /// Explanation of the mistake, for the learner.
    pub says: String,
}

impl Lesson {
    /// The text of a file of the lesson.
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }

    /// The program that the text is about.
    pub fn program(&self) -> &str {
        self.file(&self.front.program).unwrap_or("")
    }

    /// Names of all files that the front matter refers to, with repetitions.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn named(&self) -> Vec<&str> {
        let front = &self.front;
        let mut files = vec![front.program.as_str()];
        files.extend(
            front
                .facts
                .iter()
                .filter_map(|fact| fact.of.file.as_deref()),
        );
        let questions = front.predictions.iter();
        files.extend(questions.filter_map(|prediction| prediction.of.file.as_deref()));
        for exercise in &front.exercises {
            files.extend([exercise.start.as_str(), &exercise.solution]);
            files.extend(exercise.also.iter().map(String::as_str));
            files.extend(
                exercise
                    .mistakes
                    .iter()
                    .map(|mistake| mistake.file.as_str()),
            );
        }
        files
    }

    /// The exercise of this name.
    pub fn exercise(&self, id: &str) -> Option<&Exercise> {
        let mut exercises = self.front.exercises.iter();
        exercises.find(|exercise| exercise.id == id)
    }
}

impl Mistake {
    /// Name of the mistake: its file name without the ending.
    pub fn name(&self) -> &str {
        self.file.strip_suffix(".fletch").unwrap_or(&self.file)
    }
}

impl Tour {
    /// The lesson of this number, folder, or name without its number: `5`, `05-by-hand`, `by-hand`.
    pub fn lesson(&self, asked: &str) -> Option<&Lesson> {
        let number = asked.parse::<usize>().ok();
        self.lessons.iter().find(|lesson| {
            let bare = lesson.name.split_once('-').map(|(_, bare)| bare);
            number == Some(lesson.number) || lesson.name == asked || bare == Some(asked)
        })
    }
}
