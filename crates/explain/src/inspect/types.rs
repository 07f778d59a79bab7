//! Types of the nodes of a state, found on the way down to them. The state is known to be well typed, so the type
//! of a node follows from few of its components (Figs. typing-terms and typing-commands-handlers). The command
//! that a `let` binds is typed only if its variable is requested. So a state of a U-net is hovered without a derivation.

use fletch_calculus::{Command, CommandKind, Part, Term, TermKind, Type, Variable};
use std::cell::OnceCell;
use std::rc::Rc;

/// A typing environment Γ; Δ, innermost last.
#[derive(Clone, Default)]
pub(super) struct Scope<'c>(Option<Rc<Entry<'c>>>);

struct Entry<'c> {
    variable: &'c Variable,
    subject: Subject<'c>,
    ty: OnceCell<Option<Type>>,
    outer: Scope<'c>,
}

/// Source of a variable's type.
enum Subject<'c> {
    Known(Option<Type>),
    Command(&'c Command),
    Term(&'c Term),
}

impl<'c> Scope<'c> {
    /// The environment of child number `index` of a node.
    pub(super) fn inside(&self, part: Part<'c>, index: usize) -> Scope<'c> {
        match part {
            Part::Command(command) => match (command.kind(), index) {
                (
                    CommandKind::Let {
                        variable, bound, ..
                    },
                    1,
                ) => self.with(variable, Subject::Command(bound)),
                (
                    CommandKind::RevHandle {
                        argument,
                        variables,
                        ..
                    },
                    1,
                ) => {
                    let parts = self
                        .term(argument)
                        .map_or_else(Vec::new, |ty| components(&ty, variables.len()));
                    self.with_all(variables, &parts)
                }
                (CommandKind::Handled(handled), index) if index == handled.values.len() => {
                    self.with_all(&handled.variables, &handled.types)
                }
                (CommandKind::Feedback { feedback, .. }, 1) => {
                    let types = [feedback.of_state.clone(), feedback.of_input.clone()];
                    self.with_all(&feedback.variables, &types)
                }
                _ => self.clone(),
            },
            Part::Term(term) => match (term.kind(), index) {
                (TermKind::Let(x, bound, _), 1) => self.with(x, Subject::Term(bound)),
                (
                    TermKind::ReverseDerivative {
                        variable, point, ..
                    },
                    1,
                ) => self.with(variable, Subject::Term(point)),
                _ => self.clone(),
            },
        }
    }

    /// The type of a node in this environment.
    pub(super) fn ty(&self, part: Part<'c>) -> Option<Type> {
        match part {
            Part::Command(command) => self.command(command),
            Part::Term(term) => self.term(term),
        }
    }

    /// The type of a variable.
    pub(super) fn variable(&self, variable: &Variable) -> Option<Type> {
        let mut rest = self;
        while let Some(entry) = &rest.0 {
            if entry.variable == variable {
                let ty = entry.ty.get_or_init(|| match &entry.subject {
                    Subject::Known(ty) => ty.clone(),
                    Subject::Command(command) => entry.outer.command(command),
                    Subject::Term(term) => entry.outer.term(term),
                });
                return ty.clone();
            }
            rest = &entry.outer;
        }
        None
    }

    pub(super) fn command(&self, command: &'c Command) -> Option<Type> {
        let mut scope = self.clone();
        let mut command = command;
        loop {
            command = match command.kind() {
                CommandKind::Pure(m) => return scope.term(m),
                CommandKind::Perform(operation, _) => return Some(operation.codomain.clone()),
                CommandKind::Let { body, .. } => {
                    scope = scope.inside(Part::Command(command), 1);
                    body
                }
                CommandKind::RevHandle { argument, .. } => return scope.term(argument),
                CommandKind::Handled(handled) => {
                    return Some(Type::product(handled.types.to_vec()));
                }
                CommandKind::Handle { handler, .. } => return Some(handler.result.clone()),
                CommandKind::Feedback { feedback, .. } => return Some(feedback.codomain()),
                // A state contains no continuation variables: unfolding a clause substitutes them.
                CommandKind::Resume(..) => return None,
            };
        }
    }

    fn term(&self, term: &'c Term) -> Option<Type> {
        match term.kind() {
            TermKind::Variable(x) => self.variable(x),
            TermKind::Constant(tensor) => Some(Type::real(tensor.len())),
            TermKind::Apply(symbol, _) => Some(symbol.codomain()),
            TermKind::Add(m, _) => self.term(m),
            TermKind::Tuple(parts) => {
                let parts: Option<Vec<Type>> = parts.iter().map(|part| self.term(part)).collect();
                parts.map(Type::product)
            }
            TermKind::Project(index, m) => match self.term(m)? {
                Type::Product(parts) => parts.get(*index).cloned(),
                Type::Real(_) => None,
            },
            TermKind::Let(_, _, body) => self.inside(Part::Term(term), 1).term(body),
            TermKind::ReverseDerivative { point, .. } => self.term(point),
        }
    }

    fn with(&self, variable: &'c Variable, subject: Subject<'c>) -> Scope<'c> {
        Scope(Some(Rc::new(Entry {
            variable,
            subject,
            ty: OnceCell::new(),
            outer: self.clone(),
        })))
    }

    fn with_all(&self, variables: &'c [Variable], types: &[Type]) -> Scope<'c> {
        let types = types.iter().map(Some).chain(std::iter::repeat(None));
        variables
            .iter()
            .zip(types)
            .fold(self.clone(), |scope, (x, ty)| {
                scope.with(x, Subject::Known(ty.cloned()))
            })
    }
}

/// The types of `count` variables that destructure a value of this type.
fn components(ty: &Type, count: usize) -> Vec<Type> {
    match ty {
        Type::Product(parts) if count > 1 => parts.to_vec(),
        _ => vec![ty.clone()],
    }
}
