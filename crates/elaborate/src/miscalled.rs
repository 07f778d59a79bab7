//! What to say of calls of what cannot be called, and of operations at locations of another shape.

use crate::scope::{Binding, Lookup, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Index, OperationRef};
use fletch_syntax::Diagnostic;
use fletch_syntax::tree::Name;

/// A variable where something to be called is needed.
pub(crate) fn called_variable(scope: &Scope, name: &Name) -> Option<Diagnostic> {
    let (message, hint) = match scope.variable(&name.text) {
        Lookup::Unknown => return None,
        Lookup::Found(Binding::Continuation { .. }) => (
            format!("`{}` is a continuation, and is not called with parentheses", name.text),
            format!("resume it with `{} • M`", name.text),
        ),
        Lookup::Found(_) | Lookup::Hidden(_) => (
            format!("`{}` is a variable, and cannot be called", name.text),
            "multiply with `·`, `∗` or `⊙`; a definition with parameters is declared with `fun` or `command`".to_owned(),
        ),
    };
    Some(Diagnostic::error("F0205", name.span, message).hint(hint))
}

/// What to ask where an argument has the other size of a location.
pub(crate) fn turned(operation: &OperationRef, found: &Shaped) -> Option<String> {
    if operation.builtin.is_some() {
        return None;
    }
    operation.indices.iter().find_map(|index| match index {
        Index::Location(location) => match location.sizes.as_slice() {
            [from, to] if from != to && *found == Shaped::vector(*to) => Some(format!(
                "are the sizes of `{0}` the other way round? `loc {0} ∷ (n, m)` is for vectors of n that become vectors of m",
                location.name
            )),
            _ => None,
        },
        Index::Size(_) => None,
    })
}

/// `, since w ∷ (2, 3)`: the shapes of the locations that an operation is about, since its types follow from them.
pub(crate) fn located(operation: &OperationRef) -> String {
    let shapes: Vec<String> = operation
        .indices
        .iter()
        .filter_map(|index| match index {
            Index::Location(location) if operation.builtin.is_none() => {
                let sizes: Vec<String> = location.sizes.iter().map(usize::to_string).collect();
                Some(format!("`{}` ∷ ({})", location.name, sizes.join(", ")))
            }
            _ => None,
        })
        .collect();
    if shapes.is_empty() {
        String::new()
    } else {
        format!(", since {}", shapes.join(" and "))
    }
}
