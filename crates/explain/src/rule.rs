//! Rules for readers: name, plain words, and the part of backpropagation that each belongs to.

use fletch_reduction::{Rule, Step, Stuck};
use serde::{Deserialize, Serialize};

/// The rule of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleView {
    /// Rule.
    pub rule: Rule,
    /// Text of the badge: the rule's name, or the event that starts with the step, `backward clause`.
    pub badge: String,
    /// Rule in plain words: `handle an operation`.
    pub title: String,
    /// True if the rule unfolds a definition (=) rather than reduces (→).
    pub equation: bool,
    /// Part of backpropagation that the rule belongs to.
    pub family: RuleFamily,
}

/// The part of backpropagation that a rule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names say it.
pub enum RuleFamily {
    Forward,
    Return,
    Backward,
    Heap,
    /// None: an equation of the model, which leaves out steps of the paper.
    Shortcut,
    /// None.
    Plain,
}

/// The rule of a step.
pub fn rule_view(step: &Step) -> RuleView {
    let rule = step.action.rule();
    let (title, family) = title(rule);
    RuleView {
        rule,
        badge: rule.name().to_owned(),
        title: title.to_owned(),
        equation: !step.reduces(),
        family,
    }
}

/// The rule that does not apply where a run is stuck.
pub(crate) fn blocked_view(stuck: &Stuck) -> RuleView {
    let (rule, title) = match stuck {
        Stuck::Undefined { .. } => (Rule::Eval, "a function outside of its domain"),
        Stuck::Unhandled { .. } => (Rule::HandleOp, "an operation that no handler treats"),
        Stuck::TooLarge { .. } => (Rule::Rd, "a derivative that is too large"),
        Stuck::Tape { .. } => (Rule::RhFeedback, "a tape that is too long"),
        Stuck::TooLong { .. } => (Rule::Feedback, "loops that take too long"),
        Stuck::IllTyped { .. } => (Rule::Bind, "a state that typing excludes"),
    };
    RuleView {
        rule,
        badge: "stuck".to_owned(),
        title: title.to_owned(),
        equation: false,
        family: RuleFamily::Plain,
    }
}

/// A rule in plain words, and the part of backpropagation that it belongs to.
pub fn title(rule: Rule) -> (&'static str, RuleFamily) {
    match rule {
        Rule::Eval => ("apply a function", RuleFamily::Plain),
        Rule::Add => ("add", RuleFamily::Plain),
        Rule::Proj => ("take a component", RuleFamily::Plain),
        Rule::Let => ("substitute in a term", RuleFamily::Plain),
        Rule::Rd => ("differentiate", RuleFamily::Backward),
        Rule::Bind => ("substitute", RuleFamily::Plain),
        Rule::RevHandle => ("start handling", RuleFamily::Forward),
        Rule::HandleRet => ("return from a handler", RuleFamily::Return),
        Rule::HandleOp => ("handle an operation", RuleFamily::Forward),
        Rule::Get => ("read the heap", RuleFamily::Heap),
        Rule::Put => ("write the heap", RuleFamily::Heap),
        Rule::RhRet => ("the return clause", RuleFamily::Return),
        Rule::RhLet => ("rename", RuleFamily::Plain),
        Rule::RhOp => ("handle an operation", RuleFamily::Forward),
        Rule::RhHandle => ("unfold an inner handler", RuleFamily::Forward),
        Rule::RhTerm => ("handle a pure term", RuleFamily::Forward),
        Rule::RdZero => (
            "a derivative that is 0, by a shortcut",
            RuleFamily::Shortcut,
        ),
        Rule::RdShort => ("differentiate by a shortcut", RuleFamily::Shortcut),
        Rule::RhOpShort => ("handle an operation by a shortcut", RuleFamily::Shortcut),
        Rule::RhTermShort => ("handle a pure term by a shortcut", RuleFamily::Shortcut),
        Rule::Feedback => ("run a moment", RuleFamily::Forward),
        Rule::RhFeedback => ("handle a feedback", RuleFamily::Forward),
        Rule::RhFeedbackShort => ("handle a feedback by a shortcut", RuleFamily::Shortcut),
    }
}
