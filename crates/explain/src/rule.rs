//! The rules as a reader meets them: name, plain words, and which part of backpropagation they belong to.

use fletch_reduction::{Rule, Step};
use serde::{Deserialize, Serialize};

/// The rule of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleView {
    /// `rev-handle`, `RH-op`, …
    pub name: String,
    /// What stands on its badge: its name, or what starts with the step, `backward clause`.
    pub badge: String,
    /// In plain words: `handle an operation`.
    pub title: String,
    /// Whether it unfolds a definition (=) rather than reduces (→).
    pub equation: bool,
    /// `forward`, `return`, `backward`, `heap` or `plain`: which part of backprop it belongs to.
    pub family: String,
}

/// The rule of a step.
pub fn rule_view(step: &Step) -> RuleView {
    let rule = step.action.rule();
    let (title, family) = title(rule);
    RuleView {
        name: rule.name().to_owned(),
        badge: rule.name().to_owned(),
        title: title.to_owned(),
        equation: !step.reduces(),
        family: family.to_owned(),
    }
}

/// A rule in plain words, and the part of backpropagation that it belongs to.
pub fn title(rule: Rule) -> (&'static str, &'static str) {
    match rule {
        Rule::Eval => ("apply a function", "plain"),
        Rule::Add => ("add", "plain"),
        Rule::Proj => ("take a component", "plain"),
        Rule::Let => ("substitute in a term", "plain"),
        Rule::Rd => ("differentiate", "backward"),
        Rule::Bind => ("substitute", "plain"),
        Rule::RevHandle => ("start handling", "forward"),
        Rule::HandleRet => ("return from a handler", "return"),
        Rule::HandleOp => ("handle an operation", "forward"),
        Rule::Get => ("read the heap", "heap"),
        Rule::Put => ("write the heap", "heap"),
        Rule::RhRet => ("the return clause", "return"),
        Rule::RhLet => ("rename", "plain"),
        Rule::RhOp => ("handle an operation", "forward"),
        Rule::RhHandle => ("unfold an inner handler", "forward"),
        Rule::RhTerm => ("handle a pure term", "forward"),
    }
}
