//! Meanings of names at a place: variables, and the sizes and locations that index parameters bind.

use crate::faults::Fault;
use crate::repair::Entrance;
use crate::shaped::Shaped;
use fletch_calculus::{Index, LocationRef, Term, Value, Variable};
use fletch_syntax::tree::Name;
use std::sync::Arc;

/// Meaning of a variable name.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A variable of the calculus.
    Local { variable: Variable, shaped: Shaped },
    /// A parameter of a handler, or a name of `train` or `measure`: replaced by its value, and visible
    /// inside `rev handle`.
    Constant { value: Value, shaped: Shaped },
    /// As `Constant`, with a value that is unknown before there is a sample.
    Closed { term: Term, shaped: Shaped },
    /// k : B ⇝ D
    Continuation {
        variable: Variable,
        input: Shaped,
        output: Shaped,
    },
}

/// A variable that a feedback carries, and its type.
pub(crate) type Carried = (Variable, Shaped);

/// Syntax that hides the variables around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Border {
    /// The body of `rev handle` sees only its own variables (rule T-RHandle).
    #[default]
    RevHandle,
    /// Handlers are typed in the empty environment (rule T-RHandler).
    Handler,
    /// A moment of a feedback is a command of its own, and carries no continuation (rule T-Feedback).
    Feedback,
}

/// The result of looking a variable up.
pub(crate) enum Lookup<'a> {
    Found(&'a Binding),
    /// The variable is bound beyond this border.
    Hidden(Border),
    Unknown,
}

/// The names visible at a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    variables: Vec<(Arc<str>, Binding)>,
    /// Locals below this position are hidden.
    floor: usize,
    border: Border,
    /// Entrance of the innermost `rev handle`, through which its body gets values.
    entrance: Option<Entrance>,
    indices: Vec<(Arc<str>, Index)>,
}

/// A position to return to.
pub(crate) struct Mark {
    variables: usize,
    floor: usize,
    border: Border,
    entrance: Option<Entrance>,
    indices: usize,
}

impl Scope {
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            variables: self.variables.len(),
            floor: self.floor,
            border: self.border,
            entrance: self.entrance,
            indices: self.indices.len(),
        }
    }

    pub(crate) fn reset(&mut self, mark: &Mark) {
        self.variables.truncate(mark.variables);
        self.floor = mark.floor;
        self.border = mark.border;
        self.entrance = mark.entrance;
        self.indices.truncate(mark.indices);
    }

    /// Hides all locals so far.
    pub(crate) fn hide_locals(&mut self, border: Border) {
        self.floor = self.variables.len();
        self.border = border;
        self.entrance = None;
    }

    /// Hides all locals so far from the body of a `rev handle`, which is given something here.
    pub(crate) fn enter(&mut self, entrance: Option<Entrance>) {
        self.hide_locals(Border::RevHandle);
        self.entrance = entrance;
    }

    /// Place at which a variable bound outside could be passed in.
    pub(crate) fn entrance(&self) -> Option<Entrance> {
        self.entrance
    }

    pub(crate) fn bind(&mut self, name: &Arc<str>, binding: Binding) {
        self.variables.push((name.clone(), binding));
    }

    pub(crate) fn variable(&self, name: &str) -> Lookup<'_> {
        let mut hidden = None;
        for (position, (bound, binding)) in self.variables.iter().enumerate().rev() {
            if **bound == *name {
                let visible = match binding {
                    Binding::Local { .. } | Binding::Continuation { .. } => position >= self.floor,
                    Binding::Constant { .. } | Binding::Closed { .. } => true,
                };
                if visible {
                    return Lookup::Found(binding);
                }
                hidden = Some(self.border);
            }
        }
        hidden.map_or(Lookup::Unknown, Lookup::Hidden)
    }

    /// The variable of this number with its type, or the name of the continuation.
    pub(crate) fn local(&self, id: u32) -> Option<Result<Carried, Arc<str>>> {
        self.variables
            .iter()
            .rev()
            .find_map(|(name, binding)| match binding {
                Binding::Local { variable, shaped } if variable.id == id => {
                    Some(Ok((variable.clone(), shaped.clone())))
                }
                Binding::Continuation { variable, .. } if variable.id == id => {
                    Some(Err(name.clone()))
                }
                _ => None,
            })
    }

    /// Fault of a call of a name, if the name is one of a variable.
    pub(crate) fn called(&self, name: &Name) -> Option<Fault> {
        let name = name.text.clone();
        match self.variable(&name) {
            Lookup::Unknown => None,
            Lookup::Found(Binding::Continuation { .. }) => Some(Fault::CalledContinuation(name)),
            Lookup::Found(_) | Lookup::Hidden(_) => Some(Fault::CalledVariable(name)),
        }
    }

    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(name, _)| &**name)
    }

    pub(crate) fn bind_index(&mut self, name: &Arc<str>, index: Index) {
        self.indices.push((name.clone(), index));
    }

    pub(crate) fn index(&self, name: &str) -> Option<&Index> {
        self.indices
            .iter()
            .rev()
            .find(|(bound, _)| **bound == *name)
            .map(|(_, index)| index)
    }

    pub(crate) fn index_names(&self) -> impl Iterator<Item = &str> {
        self.indices.iter().map(|(name, _)| &**name)
    }

    pub(crate) fn location(&self, name: &str) -> Option<&LocationRef> {
        match self.index(name) {
            Some(Index::Location(location)) => Some(location),
            _ => None,
        }
    }
}
