//! Value that a variable of a state will receive, if the trace knows it already.

use fletch_calculus::{CommandKind, Part, Term, TermKind, Variable};
use fletch_reduction::Action;
use fletch_trace::Trace;

/// The value of a variable: the value that an enclosing handler keeps for it, or that a step gives it.
pub(super) fn value(
    trace: &Trace,
    position: usize,
    around: &[(Part<'_>, usize)],
    variable: &Variable,
) -> Option<Term> {
    for (depth, (part, _)) in around.iter().enumerate().rev() {
        if let Some(kept) = kept(*part, variable) {
            return match kept.as_variable() {
                Some(other) if other != variable => {
                    let outside = around.get(..depth).unwrap_or_default();
                    value(trace, position, outside, other)
                }
                Some(other) => given(trace, position, other),
                None => closed(kept),
            };
        }
    }
    given(trace, position, variable)
}

/// Value that a handler keeps for a variable of the command that it handles.
fn kept<'c>(part: Part<'c>, variable: &Variable) -> Option<&'c Term> {
    let Part::Command(command) = part else {
        return None;
    };
    match command.kind() {
        CommandKind::Handled(handled) => handled.value(variable),
        CommandKind::RevHandle {
            argument,
            variables,
            ..
        } => {
            let place = variables.iter().position(|x| x == variable)?;
            match argument.kind() {
                TermKind::Tuple(parts) if variables.len() > 1 => parts.get(place),
                _ if variables.len() == 1 => Some(argument),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Maximum number of steps that are searched for a value: in a long run they have to be recomputed.
const LOOKED: usize = 1 << 14;

/// Value that a variable receives in the steps from a position on. A `let` that only renames it is followed to the other name,
/// which may have its value already.
fn given(trace: &Trace, position: usize, variable: &Variable) -> Option<Term> {
    let mut wanted = variable;
    let until = position.saturating_add(LOOKED);
    for (at, step) in (position..).zip(trace.steps(position..until)) {
        match &step.action {
            Action::Bind {
                variable, value, ..
            }
            | Action::Let {
                variable, value, ..
            } if variable == wanted => {
                return closed(value);
            }
            Action::RhLet {
                variable,
                replacement,
                ..
            } if variable == wanted => {
                let known = trace
                    .steps(at.saturating_sub(LOOKED)..at)
                    .rev()
                    .find_map(|step| match &step.action {
                        Action::Bind {
                            variable, value, ..
                        } if variable == replacement => Some(value),
                        Action::RevHandle(handled) => handled.value(replacement),
                        _ => None,
                    });
                if let Some(known) = known {
                    return closed(known);
                }
                wanted = replacement;
            }
            _ => {}
        }
    }
    None
}

fn closed(value: &Term) -> Option<Term> {
    value.is_closed_value().then(|| value.clone())
}
