//! Explanation of a run: a sentence for every step and for its consequences, a glossary, the paper's rule behind a step, and the
//! meaning of each piece of a state. No other crate describes a run in sentences.

mod inspect;
mod sentence;
mod shown;
mod why;

pub use inspect::{Said, inspect};
pub use sentence::{
    RuleFamily, RuleView, Sentence, Telling, badge, gloss, glossed, plain, rule_view, sentence,
    sentence_until, title,
};
pub use shown::{centre, marks_since, split_call, style};
pub use why::{Part, Why, why};
