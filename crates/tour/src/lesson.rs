//! A lesson as data: its text, its program, and what it asks. A lesson is read from files natively and from JSON in a page; both are the
//! structures of this module.

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
    /// Shorter ways through the tour.
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
    /// One sentence about it.
    pub says: String,
    /// The folders of its lessons, in order.
    pub lessons: Vec<String>,
}

/// A way through the tour, for somebody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Name of the track in addresses.
    pub id: String,
    /// Title of the track.
    pub title: String,
    /// For whom it is.
    pub says: String,
    /// The folders of its lessons, in order.
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
    /// The programs beside it, by their file names.
    pub files: BTreeMap<String, String>,
    /// Places of the run, for a page.
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub places: Places,
    /// The same lesson in other languages, by their codes. A page gets one language.
    #[cfg(not(target_family = "wasm"))]
    #[serde(skip)]
    pub(crate) translations: BTreeMap<String, crate::translation::Translation>,
}

/// Positions in the run of a lesson's program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// The positions before the steps of the bookmarks.
    pub marks: BTreeMap<String, u32>,
    /// The position at which the run is held while a prediction is open, for each prediction that holds it.
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
    /// The views that are open beside it at first.
    #[serde(default)]
    pub show: Show,
    /// The codes that the program gives on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<String>,
    /// Numbers and types that the text states.
    #[serde(default, rename = "fact", skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Places of the run that the text links to.
    #[serde(default, rename = "mark", skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Questions to the reader, in the order of the text.
    #[serde(default, rename = "predict", skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<Prediction>,
    /// Exercises, in the order of the text.
    #[serde(default, rename = "exercise", skip_serializing_if = "Vec::is_empty")]
    pub exercises: Vec<Exercise>,
}

/// The views that are open beside a lesson at first, in the words of links.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// The tab: `steps`, `diagram`, `types`, `compare`, `train`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// The command that is drawn or compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Level of detail of the stops: `every`, `plain`, `operations`, `handlers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The panes of a wide window.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panes: Vec<String>,
}

/// A number or a type that the text states, and the question that it answers. Without `is` and `below`, `says` itself is the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The words of the text.
    pub says: String,
    /// The question.
    pub of: Question,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Answer>,
    /// A number that the answer is below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
    /// False if the words are not in the text.
    #[serde(default = "yes", rename = "in")]
    pub is_in_text: bool,
}

fn yes() -> bool {
    true
}

/// A bookmark: a place of the run, as a question to it, so that it never points beside the step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// Name of the bookmark in the text: `[the turn](step:turn)`.
    pub id: String,
    /// The step.
    pub step: StepLike,
}

/// A question to the reader, who answers before the step that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// The question to the program.
    pub of: Question,
    /// The run is held before this step while the question is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<StepLike>,
    /// The answer, for the tests alone: the page computes it.
    #[serde(default, skip_serializing)]
    pub is: Option<Answer>,
    /// Explanation of the answer, for a question without choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Wrong answers with their words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slips: Vec<Slip>,
    /// The answers to choose from; none if a number is asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
}

/// A wrong answer that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// The answer.
    pub is: Answer,
    /// The words about it.
    pub says: String,
}

/// An answer to choose. The right one is the one that fits what is computed; none is marked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The answer in words.
    pub says: String,
    /// The words once it is chosen.
    pub because: String,
    /// The outcome that it is right for,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Answer>,
    /// or a number above this,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// or below this.
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
    /// The file that it begins with.
    pub start: String,
    /// The file of its solution.
    pub solution: String,
    /// Files of other right answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Hints, in the order in which they are given.
    pub hints: Vec<String>,
    /// A thought for afterwards.
    pub done: String,
    /// The picture that stands for the words of the exercise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
    /// All of them must hold; the first that fails is told.
    pub checks: Vec<Check>,
    /// Known mistakes.
    #[serde(default, rename = "slips", skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<Mistake>,
}

/// The diagram of a command that the learner does not see as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// A command of the solution, with what the checks add to it.
    pub of: String,
}

/// A mistake that is recognised by what it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// The file that makes it.
    pub file: String,
    /// The words about it.
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

    /// The files that it names.
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
    /// The name of the mistake: that of its file.
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
