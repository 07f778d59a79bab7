//! Language services for a text while it is typed: hover, definition, completion, renaming and formatting. Questions carry
//! the text they are about, so an answer is never one about an older text; a text that was read already is not read again.

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

/// Analysis of the text in the editor, and of the last one before it without a syntax error: where a declaration is broken
/// off in the middle of a word, its earlier analysis still holds.
pub struct Assistant {
    current: Study,
    whole: Option<Study>,
}

/// A text, read.
#[derive(Clone, Copy)]
pub struct Survey<'a> {
    /// Declarations, as far as they could be read.
    pub program: &'a tree::Program,
    /// Tokens and comments, in order of place.
    pub tokens: &'a [HighlightToken],
    /// Occurrences of names, in order of place.
    pub names: &'a [Occurrence],
}

impl Default for Assistant {
    /// Knows the empty text.
    fn default() -> Assistant {
        Assistant {
            current: Study::read(""),
            whole: None,
        }
    }
}

impl Assistant {
    /// Keeps what checking found out about a text.
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

    /// Reads a text, unless it is known.
    pub fn survey(&mut self, source: &str) -> Survey<'_> {
        let (study, _) = self.study(source);
        Survey {
            program: &study.program,
            tokens: &study.tokens,
            names: &study.names,
        }
    }

    /// All places of the name at an offset in UTF-16 code units, in order: its definition, and where it is used.
    pub fn places(&mut self, source: &str, offset: u32) -> Vec<&Occurrence> {
        let (study, _) = self.study(source);
        let name = study.name_at(study.index.from_utf16(offset));
        name.map_or_else(Vec::new, |name| study.places(name).collect())
    }

    /// Analysis of a text, and if it has a syntax error, of the last one before it without one.
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
