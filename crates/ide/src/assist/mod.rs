//! Language services for a text while it is typed: hover, definition, completion, renaming and formatting. A question carries the text that
//! it is about, so an answer never refers to an older text. The analysis of the last text is kept.

mod completion;
mod context;
mod edits;
mod hover;
mod lexicon;
mod rename;
mod study;
#[cfg(test)]
mod tests;

use crate::answers::{Answer, Question};
use crate::check::{Checked, check};
use crate::shelf::insertion;
use fletch_elaborate::Occurrence;
use fletch_syntax::{HighlightToken, tree};
use study::Study;

/// The analysis of the current text, and of the last text before it without a syntax error. The earlier analysis covers a declaration that
/// is broken while a word in it is being typed.
pub struct Assistant {
    current: Study,
    whole: Option<Study>,
}

/// The analysis of a text, for reading.
#[derive(Clone, Copy)]
pub struct Survey<'a> {
    /// The declarations, as far as they could be read.
    pub program: &'a tree::Program,
    /// Tokens and comments, in the order of their positions.
    pub tokens: &'a [HighlightToken],
    /// Occurrences of names, in the order of their positions.
    pub names: &'a [Occurrence],
}

impl Default for Assistant {
    /// An assistant that knows the empty text.
    fn default() -> Assistant {
        Assistant {
            current: Study::read(""),
            whole: None,
        }
    }
}

impl Assistant {
    /// Keeps the results of checking a text.
    pub fn learn(&mut self, source: &str, checked: &Checked) {
        self.keep(Study::of(source, checked));
    }

    /// Answers a question about a text.
    pub fn answer(&mut self, source: &str, question: Question) -> Answer {
        match question {
            Question::Hover { offset } => {
                let (study, before) = self.study(source);
                Answer::Hover(hover::hover(study, before, offset, hover::Reach::Before))
            }
            Question::Point { offset } => {
                let (study, before) = self.study(source);
                Answer::Hover(hover::hover(study, before, offset, hover::Reach::Within))
            }
            Question::Rename { offset, to } => {
                let (study, _) = self.study(source);
                Answer::Rename(rename::rename(study, offset, &to))
            }
            Question::Definition { offset } => {
                let (study, before) = self.study(source);
                Answer::Definition(hover::definition(study, before, offset))
            }
            Question::Complete { offset } => {
                let (study, before) = self.study(source);
                Answer::Complete(completion::complete(study, before, offset))
            }
            Question::Format => Answer::Format(edits::formatted(source)),
            Question::Insert { name } => {
                let made = insertion(source, &check(source), None, &name);
                Answer::Insert(made.map(Box::new).map_err(|unfit| unfit.to_string()))
            }
        }
    }

    /// The analysis of a text, which is read unless it is the current one.
    pub fn survey(&mut self, source: &str) -> Survey<'_> {
        let (study, _) = self.study(source);
        Survey {
            program: &study.program,
            tokens: &study.tokens,
            names: &study.names,
        }
    }

    /// All occurrences of the name at an offset in UTF-16 code units, in order: its definition and its uses.
    pub fn places(&mut self, source: &str, offset: u32) -> Vec<&Occurrence> {
        let (study, _) = self.study(source);
        let name = study.name_at(study.index.from_utf16(offset));
        name.map_or_else(Vec::new, |name| study.places(name).collect())
    }

    /// The analysis of a text; if the text has a syntax error, also that of the last text without one.
    fn study(&mut self, source: &str) -> (&Study, Option<&Study>) {
        if self.current.source != source {
            self.keep(Study::read(source));
        }
        let before = self.whole.as_ref().filter(|_| !self.current.whole);
        (&self.current, before)
    }

    fn keep(&mut self, study: Study) {
        let before = std::mem::replace(&mut self.current, study);
        if before.whole {
            self.whole = Some(before);
        }
    }
}
