//! Translations: the words of a lesson in another language, in a file of the lesson's folder. The program, the questions and the checks are
//! those of the lesson.

use crate::blocks::Block;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The words of a lesson in another language: the front matter of `de.md`, and its text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    pub(crate) title: String,
    pub(crate) claim: String,
    /// The words of predictions, by their numbers from 1.
    #[serde(default, rename = "predict")]
    pub(crate) predictions: BTreeMap<String, Predicted>,
    /// The words of exercises, by their names.
    #[serde(default, rename = "exercise")]
    pub(crate) exercises: BTreeMap<String, Exercised>,
    /// The text, in blocks.
    #[serde(skip)]
    pub(crate) text: Vec<Block>,
}

/// The words of a prediction.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Predicted {
    pub(crate) because: Option<String>,
    /// Explanation of each known wrong answer, in order.
    #[serde(default)]
    pub(crate) slips: Vec<String>,
    /// For each choice, in order, the answer in words and the explanation once it is chosen.
    #[serde(default)]
    pub(crate) choices: Vec<[String; 2]>,
}

/// The words of an exercise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exercised {
    pub(crate) title: String,
    pub(crate) done: String,
    pub(crate) hints: Vec<String>,
    /// Explanations of mistakes, by the names of their files without the ending.
    #[serde(default)]
    pub(crate) slips: BTreeMap<String, String>,
}
