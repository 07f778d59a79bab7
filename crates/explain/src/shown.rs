//! Presentation of a state: its marks, the node to centre a view on, and the names in scope at a node.

use fletch_calculus::{Command, Part, Role, Term, TermKind};
use fletch_print::numbers::Digits;
use fletch_print::{Folds, Mark, Marked, Marks, Names, Style, Values};
use fletch_reduction::{Action, Frame, Locus, Step};
use fletch_trace::{Made, Trace, since as made_since};

/// Width of a layout without line breaks, in columns.
pub(crate) const ENDLESS: usize = u16::MAX as usize;

/// Number of the result variable of the call that a step split into forward half, continuation and backward half.
pub fn split_call(step: &Step) -> Option<u32> {
    let (Action::RhOp { .. } | Action::RhFeedback { .. } | Action::RhTerm { .. }) = &step.action
    else {
        return None;
    };
    step.next.frames().iter().find_map(|frame| match frame {
        Frame::Let {
            role: Role::Forward(call),
            ..
        } => Some(call.result.id),
        _ => None,
    })
}

/// Marks for a reader who comes from the stop `since`: the next redex, and the values made since then.
pub fn marks_since(trace: &Trace, since: Option<usize>, position: usize) -> Marks {
    match made_since(trace, since, position) {
        Made::Step(step) => marks(trace, position, Some(step)),
        Made::Value(value) => Marks {
            equal: value.to_value().filter(|_| trace.calls().made_again),
            substituted: Some(value).filter(worth),
            ..marks(trace, position, None)
        },
        Made::Nothing => marks(trace, position, None),
    }
}

/// Marks of the next redex, and of the last step's contractum.
fn marks(trace: &Trace, position: usize, last: Option<&Step>) -> Marks {
    let mut marks = Marks::default();
    if let Some(redex) = redex(trace, position) {
        marks.places.push(Marked {
            path: whole_path(redex),
            mark: Mark::Redex,
            head: trace
                .step(position)
                .is_some_and(|step| head_only(&step.action)),
        });
    }
    let Some(last) = last else {
        return marks;
    };
    match &last.action {
        Action::Bind { value, .. } | Action::Let { value, .. } => {
            if !value.free().is_empty() || worth(value) {
                marks.substituted = Some(value.clone());
            }
        }
        // An unfolding of RH makes the whole remainder of the run; only its first command is marked as new.
        Action::RhOp { .. }
        | Action::RhFeedback { .. }
        | Action::RhTerm { .. }
        | Action::RhRet { .. } => {
            let mut path = whole_path(&last.contractum);
            path.push(0);
            marks.places.push(Marked {
                path,
                mark: Mark::Contractum,
                head: true,
            });
        }
        Action::RevHandle { .. } | Action::RhLet { .. } | Action::RhHandle { .. } => {}
        Action::HandleRet { .. } | Action::HandleOp { .. } | Action::Rd { .. } => {}
        _ => marks.places.push(Marked {
            path: whole_path(&last.contractum),
            mark: Mark::Contractum,
            head: false,
        }),
    }
    marks
}

/// True if a value is worth marking. The unit value occurs so often that its marks would show nothing.
fn worth(value: &Term) -> bool {
    !matches!(value.kind(), TermKind::Constant(tensor) if tensor.is_empty())
}

/// True if the redex is a `let` or a handler whose body the step does not change, so that only the head is marked.
fn head_only(action: &Action) -> bool {
    matches!(
        action,
        Action::Bind { .. }
            | Action::Let { .. }
            | Action::RevHandle { .. }
            | Action::RhLet { .. }
            | Action::RhHandle { .. }
            | Action::HandleRet { .. }
    )
}

/// Redex of the step from a position, or of the blocked step if the run is stuck there.
fn redex(trace: &Trace, position: usize) -> Option<&Locus> {
    let blocked = || trace.blocked(position).map(|blocked| &blocked.redex);
    let next = trace.step(position).map(|step| &step.redex);
    next.or_else(blocked)
}

/// Path of the next redex, or without one, of the last step's contractum.
pub fn centre(trace: &Trace, position: usize) -> Vec<usize> {
    let last = position.checked_sub(1).and_then(|last| trace.step(last));
    let locus = redex(trace, position).or(last.map(|step| &step.contractum));
    locus.map_or_else(Vec::new, whole_path)
}

/// Path of a locus: child numbers from the whole command.
pub(crate) fn whole_path(locus: &Locus) -> Vec<usize> {
    locus.whole().to_vec()
}

/// Style of the state at a position, for a view in which readers cannot fold: it is folded around its step, and
/// the redex is marked.
pub fn style<'c>(
    trace: &Trace,
    position: usize,
    command: &Command,
    values: Values<'c>,
) -> Style<'c> {
    let folds = Folds::around(command, &centre(trace, position));
    Style {
        names: Names::of(command, &folds, trace.first_introduced),
        folds,
        values,
        marks: marks(trace, position, None),
    }
}

/// The names that the state has on the page, with the variables in scope at `path`.
pub(crate) fn names(trace: &Trace, position: usize, command: &Command, path: &[usize]) -> Names {
    let mut names = style(trace, position, command, Values::Text(Digits::Exact)).names;
    let mut here = Part::Command(command);
    for index in path {
        for variable in here.bound_in(*index) {
            names.enter(variable);
        }
        match here.child(*index) {
            Some(child) => here = child,
            None => break,
        }
    }
    names
}
