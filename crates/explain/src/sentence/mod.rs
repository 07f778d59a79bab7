//! Sentences about a step, and about a stretch: the steps from one stop to the next. Written for a newcomer: actual names,
//! short values, events in order.

mod consequences;
mod glossary;
mod moments;
mod passes;
mod shortcuts;
mod step;
mod terms;
mod uses;
mod words;

pub use glossary::gloss;
pub(crate) use step::blocked_view;
pub use step::{RuleFamily, RuleView, rule_view, sentence, title};
pub(crate) use words::capitalised;
pub use words::{Sentence, Telling, glossed};

use fletch_print::Piece;
use fletch_reduction::Step;
use fletch_trace::{Level, Trace, administrative};

/// Sentences for the stretch from this position to the next stop of a level; empty at the end of the trace.
pub fn sentence_until(
    trace: &Trace,
    position: usize,
    level: Level,
    telling: Telling<'_>,
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
        Level::Operations => passes::operation(&stretch, telling),
        Level::Handlers => {
            passes::handler(&stretch, telling).or_else(|| passes::operation(&stretch, telling))
        }
        Level::Moments => {
            moments::moment(&stretch, telling).or_else(|| passes::operation(&stretch, telling))
        }
    };
    // A link may lead to a position that is no stop of the level. The sentence is then that of a level with a stop there.
    glossed(told.unwrap_or_else(|| plainly(&stretch, level, telling)))
}

/// Sentences for the passes that start with the stretch, for its first step, and for the consequences of this step.
fn plainly(stretch: &Stretch<'_>, level: Level, telling: Telling<'_>) -> Vec<Piece> {
    let trace = stretch.trace;
    let mut say = passes::starts(stretch, telling);
    let step = match level {
        Level::Every => consequences::purpose(stretch, telling),
        _ if say.pieces.is_empty() || !administrative(stretch.step, trace.state(stretch.from)) => {
            consequences::sentence(stretch, telling)
        }
        _ => consequences::arrivals(stretch, telling),
    };
    say.then(step);
    say.pieces
}

/// A stretch: the steps from one stop, at `from`, to the next, at `to`.
struct Stretch<'t> {
    trace: &'t Trace,
    /// First step of the stretch.
    step: &'t Step,
    from: usize,
    to: usize,
}

/// Badge of the step from a position: its rule, or the start of a backward clause.
pub fn badge(trace: &Trace, position: usize) -> Option<RuleView> {
    let rule = rule_view(trace.step(position)?);
    Some(match passes::starting(trace.calls(), position).next() {
        Some(_) => RuleView {
            badge: "backward clause".to_owned(),
            title: "start the backward clause".to_owned(),
            family: RuleFamily::Backward,
            ..rule
        },
        None => rule,
    })
}

/// The sentence as plain text.
pub fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}
