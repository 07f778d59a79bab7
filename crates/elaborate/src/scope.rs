//! Meanings of names in elaboration: variables, and the sizes and locations that index parameters bind.

use crate::names::Border;
use crate::repair::Entrance;
use crate::shaped::Shaped;
use fletch_calculus::{Index, Term, Value, Variable};
use fletch_syntax::Span;
use fletch_syntax::tree::Name;
use std::sync::Arc;

/// Meaning of a variable name.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A variable of the calculus.
    Local { variable: Variable, shaped: Shaped },
    /// A parameter of a handler, or a name bound by `train` or `measure`: replaced by its value, and visible inside `rev handle`.
    Constant { value: Value, shaped: Shaped },
    /// As `Constant`, with a value that is unknown until there is a sample.
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

/// The result of a variable lookup.
pub(crate) enum Lookup<'a> {
    Found(&'a Binding),
    /// The variable is bound beyond this border.
    Hidden(Border),
    Unknown,
}

/// Meanings of the bound names, by the spans of their binders, which `names::resolve` has found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    variables: Vec<Bound<Binding>>,
    /// Entrance of the innermost `rev handle`, through which its body gets values.
    entrance: Option<Entrance>,
    indices: Vec<Bound<Index>>,
}

/// A binder with its meaning.
#[derive(Clone, Debug)]
struct Bound<T> {
    name: Arc<str>,
    binder: Span,
    meaning: T,
}

/// Meaning of a name, given the span of its binder.
fn meaning<T>(bound: &[Bound<T>], binder: Span) -> Option<&T> {
    let mut found = bound.iter().rev().filter(|bound| bound.binder == binder);
    found.next().map(|bound| &bound.meaning)
}

/// State of a scope, to return to.
pub(crate) struct Mark {
    variables: usize,
    entrance: Option<Entrance>,
    indices: usize,
}

impl Scope {
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            variables: self.variables.len(),
            entrance: self.entrance,
            indices: self.indices.len(),
        }
    }

    pub(crate) fn reset(&mut self, mark: &Mark) {
        self.variables.truncate(mark.variables);
        self.entrance = mark.entrance;
        self.indices.truncate(mark.indices);
    }

    /// Begins the body of a `rev handle` with this entrance, or the clauses of a handler.
    pub(crate) fn enter(&mut self, entrance: Option<Entrance>) {
        self.entrance = entrance;
    }

    /// Entrance through which a variable bound outside could be passed in.
    pub(crate) fn entrance(&self) -> Option<Entrance> {
        self.entrance
    }

    pub(crate) fn bind(&mut self, name: &Name, binding: Binding) {
        self.variables.push(Bound {
            name: name.text.clone(),
            binder: name.span,
            meaning: binding,
        });
    }

    /// Meaning of a variable, given the span of its binder.
    pub(crate) fn binding(&self, binder: Span) -> Option<&Binding> {
        meaning(&self.variables, binder)
    }

    /// The variable with this number and its type (`Ok`), or the name of the continuation with this number (`Err`).
    pub(crate) fn local(&self, id: u32) -> Option<Result<Carried, Arc<str>>> {
        self.variables
            .iter()
            .rev()
            .find_map(|bound| match &bound.meaning {
                Binding::Local { variable, shaped } if variable.id == id => {
                    Some(Ok((variable.clone(), shaped.clone())))
                }
                Binding::Continuation { variable, .. } if variable.id == id => {
                    Some(Err(bound.name.clone()))
                }
                _ => None,
            })
    }

    pub(crate) fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|bound| &*bound.name)
    }

    /// Gives a name in the name space of indices its meaning, at the span of its binder.
    pub(crate) fn bind_index(&mut self, name: &Name, binder: Span, index: Index) {
        self.indices.push(Bound {
            name: name.text.clone(),
            binder,
            meaning: index,
        });
    }

    /// Meaning of a name in the name space of indices, given the span of its binder.
    pub(crate) fn index(&self, binder: Span) -> Option<&Index> {
        meaning(&self.indices, binder)
    }

    pub(crate) fn index_names(&self) -> impl Iterator<Item = &str> {
        self.indices.iter().map(|bound| &*bound.name)
    }

    /// The innermost index of this name, for advice.
    pub(crate) fn index_named(&self, name: &str) -> Option<&Index> {
        let found = self.indices.iter().rev().find(|bound| *bound.name == *name);
        found.map(|bound| &bound.meaning)
    }
}
