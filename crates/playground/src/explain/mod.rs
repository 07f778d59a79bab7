//! What is said of a step, and of a stretch of steps: the only place that says in words what a run does.
//! Written for a reader who has read nothing of it before: actual names, short values, one thing after another.

mod fate;
mod glossary;
mod halves;
mod onward;
mod step;
mod words;

pub use glossary::gloss;
pub(crate) use step::sentence;
pub(crate) use words::{Sentence, glossed};

use crate::moves;
use crate::names::Names;
use crate::protocol::{Level, Piece, RuleView};
use crate::trace::Trace;
use fletch_reduction::{Rule, Step};

/// What happens from this position to the next stop of a level; nothing at the end of the trace.
pub(crate) fn sentence_until(
    trace: &Trace,
    position: usize,
    level: Level,
    names: &Names,
) -> Vec<Piece> {
    let Some(step) = trace.step(position) else {
        return Vec::new();
    };
    let next = trace.index().next(level, position);
    let stretch = Stretch {
        trace,
        step,
        from: position,
        to: next.unwrap_or(position + 1),
    };
    let told = match level {
        Level::Every | Level::Plain => None,
        Level::Operations => halves::operation(&stretch, names),
        Level::Handlers => {
            halves::handler(&stretch, names).or_else(|| halves::operation(&stretch, names))
        }
    };
    // Where a link leads that is no stop of its own there, it is told as at the level of those that are.
    glossed(told.unwrap_or_else(|| plainly(&stretch, level, names)))
}

/// What starts here, the first step, and what becomes of it.
fn plainly(stretch: &Stretch<'_>, level: Level, names: &Names) -> Vec<Piece> {
    let trace = stretch.trace;
    let mut say = halves::starts(stretch, names);
    let step = match level {
        Level::Every => onward::purpose(stretch, names),
        _ if say.pieces.is_empty()
            || !moves::administrative(stretch.step, trace.state(stretch.from)) =>
        {
            onward::sentence(stretch, names)
        }
        _ => onward::arrivals(stretch, names),
    };
    say.then(step);
    say.pieces
}

/// The steps from one stop to the next.
struct Stretch<'t> {
    trace: &'t Trace,
    /// The first of them.
    step: &'t Step,
    from: usize,
    to: usize,
}

/// What the step from a position does, for its badge: its rule, or that a backward clause starts there.
pub(crate) fn badge(trace: &Trace, position: usize) -> Option<RuleView> {
    let rule = rule_view(trace.step(position)?);
    Some(match halves::starting(trace.calls(), position).next() {
        Some(_) => RuleView {
            badge: "backward clause".to_owned(),
            title: "start the backward clause".to_owned(),
            family: "backward".to_owned(),
            ..rule
        },
        None => rule,
    })
}

/// The rule of a step.
pub(crate) fn rule_view(step: &Step) -> RuleView {
    let rule = step.action.rule();
    let (title, family) = title(rule);
    RuleView {
        name: rule.name().to_owned(),
        badge: rule.name().to_owned(),
        title: title.to_owned(),
        equation: !step.reduction,
        family: family.to_owned(),
    }
}

/// A rule in plain words, and the part of backpropagation that it belongs to.
pub(crate) fn title(rule: Rule) -> (&'static str, &'static str) {
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

/// The sentence as plain text.
pub(crate) fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}
