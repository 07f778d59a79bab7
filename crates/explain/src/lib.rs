//! What is said of a run: a sentence for every step and for what follows it, what its words mean, the rule of the paper
//! that a step uses, and what a piece of a state is. The only crate that knows how a run is told.

mod inspect;
mod rule;
mod sentence;
mod shown;
mod why;

pub use inspect::{Said, inspect};
pub use rule::{RuleFamily, RuleView, rule_view, title};
pub use sentence::{Sentence, Telling, badge, gloss, glossed, plain, sentence, sentence_until};
pub use shown::{centre, marks_since, split_call, style};
pub use why::{Part, Why, why};
