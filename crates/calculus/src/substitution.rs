//! Capture-avoiding simultaneous substitution of values for variables, and of a continuation for a variable k.
//!
//! A node that the substitution does not affect is shared, not copied. A binder that would capture is renamed. Closed values are
//! substituted into a command layer by layer, when the form of the layer is requested: a run substitutes many values into its
//! continuation and looks at the first command of it alone.

use crate::assignment::Assignment;
use crate::command::{Command, CommandKind, Role};
use crate::free::FreeVariables;
use crate::handled::Handled;
use crate::term::{Term, TermKind};
use crate::variable::{Supply, Variable};
use std::borrow::Cow;
use std::sync::Arc;

/// Simultaneous substitution of terms for variables, and of a continuation for k.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    terms: Assignment<Term>,
    /// False if all terms are closed, so that no binder can capture.
    open: bool,
    /// k ↦ (y. C): `k • M` becomes let y ⇐ ⌊M⌋ in C.
    continuation: Option<(u32, Variable, Command)>,
}

impl Substitution {
    /// [V/x]
    pub fn one(variable: &Variable, value: Term) -> Self {
        Substitution {
            open: !value.free().is_empty(),
            terms: Assignment::one(variable.id, value),
            continuation: None,
        }
    }

    /// [V₁/x₁, …, Vₙ/xₙ], all at once; surplus variables or values are ignored.
    pub fn many(variables: &[Variable], values: &[Term]) -> Self {
        let pairs = variables.iter().zip(values);
        Substitution {
            open: values.iter().any(|value| !value.free().is_empty()),
            terms: pairs.map(|(x, v)| (x.id, v.clone())).collect(),
            continuation: None,
        }
    }

    /// Substitution extended by [(y. C)/k].
    #[must_use]
    pub fn with_continuation(mut self, k: &Variable, y: Variable, body: Command) -> Self {
        self.continuation = Some((k.id, y, body));
        self
    }

    /// M[…]
    pub fn term(&self, term: &Term, supply: &mut Supply) -> Term {
        if !self.affects(term.free()) {
            return term.clone();
        }
        let kind = match term.kind() {
            TermKind::Variable(x) => return self.terms.get(x.id).unwrap_or(term).clone(),
            TermKind::Constant(_) => return term.clone(),
            TermKind::Apply(symbol, m) => TermKind::Apply(symbol.clone(), self.term(m, supply)),
            TermKind::Add(m, n) => TermKind::Add(self.term(m, supply), self.term(n, supply)),
            TermKind::Tuple(components) => {
                TermKind::Tuple(components.iter().map(|m| self.term(m, supply)).collect())
            }
            TermKind::Project(index, m) => TermKind::Project(*index, self.term(m, supply)),
            TermKind::Let(x, m, n) => {
                let bound = self.term(m, supply);
                let (inner, x) = self.under(x, n.free(), supply);
                TermKind::Let(x, bound, inner.term(n, supply))
            }
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                let cotangent = self.term(cotangent, supply);
                let point = self.term(point, supply);
                let (inner, variable) = self.under(variable, body.free(), supply);
                TermKind::ReverseDerivative {
                    cotangent,
                    variable,
                    body: inner.term(body, supply),
                    point,
                }
            }
        };
        Term::new(kind, term.origin())
    }

    /// P[…]. Handlers are closed, so the substitution leaves them unchanged.
    pub fn command(&self, command: &Command, supply: &mut Supply) -> Command {
        if !self.affects(command.free()) {
            return command.clone();
        }
        if self.waits() && command.has_parts() {
            return command.under(self);
        }
        Command::new(self.form(command, supply), command.origin())
    }

    /// True if the terms may be substituted lazily: they are closed, so that no binder is renamed.
    fn waits(&self) -> bool {
        !self.open && self.continuation.is_none()
    }

    /// Form of P[…].
    pub(crate) fn form(&self, command: &Command, supply: &mut Supply) -> CommandKind {
        match &*command.form() {
            CommandKind::Pure(m) => CommandKind::Pure(self.term(m, supply)),
            CommandKind::Perform(operation, m) => {
                CommandKind::Perform(operation.clone(), self.term(m, supply))
            }
            CommandKind::Let {
                variable,
                bound,
                body,
                role,
            } => {
                let bound = self.command(bound, supply);
                let (inner, variable) = self.under(variable, body.free(), supply);
                let body = inner.command(body, supply);
                CommandKind::Let {
                    variable,
                    bound,
                    body,
                    role: role.clone(),
                }
            }
            // The bodies of these three have no free variables but their own (rules T-RHandle, T-Feedback).
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => CommandKind::RevHandle {
                argument: self.term(argument, supply),
                variables: variables.clone(),
                body: body.clone(),
                handler: handler.clone(),
            },
            CommandKind::Handled(handled) => CommandKind::Handled(Arc::new(Handled {
                values: (handled.values.iter())
                    .map(|v| self.term(v, supply))
                    .collect(),
                ..(**handled).clone()
            })),
            CommandKind::Handle { body, handler } => CommandKind::Handle {
                body: self.command(body, supply),
                handler: handler.clone(),
            },
            CommandKind::Feedback { argument, feedback } => CommandKind::Feedback {
                argument: self.term(argument, supply),
                feedback: feedback.clone(),
            },
            CommandKind::Resume(k, m) => {
                let m = self.term(m, supply);
                match &self.continuation {
                    Some((id, y, body)) if *id == k.id => {
                        let bound = Command::pure(m, command.origin());
                        CommandKind::Let {
                            variable: y.clone(),
                            bound,
                            body: body.clone(),
                            role: Role::Plain,
                        }
                    }
                    _ => CommandKind::Resume(k.clone(), m),
                }
            }
        }
    }

    fn affects(&self, free: &FreeVariables) -> bool {
        let continuation = self.continuation.as_ref();
        free.meets(self.terms.variables()) || continuation.is_some_and(|(k, ..)| free.contains(*k))
    }

    /// Composition of two substitutions of closed values: P[…][…], first `self`, then `other`.
    #[must_use]
    pub(crate) fn then(&self, other: &Substitution) -> Substitution {
        let others = other.terms.iter();
        let terms = others.fold(self.terms.clone(), |terms, (id, value)| {
            terms.with(id, value.clone())
        });
        Substitution {
            terms,
            ..self.clone()
        }
    }

    /// Variables that the substitution replaces by terms.
    pub(crate) fn variables(&self) -> &FreeVariables {
        self.terms.variables()
    }

    /// Substitution without one variable, which a binder shadows.
    #[must_use]
    pub fn without(&self, variable: &Variable) -> Cow<'_, Substitution> {
        let hides = |(k, ..): &(u32, Variable, Command)| *k == variable.id;
        if !self.terms.variables().contains(variable.id) && !self.continuation.iter().any(hides) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Substitution {
            terms: self.terms.without(variable.id),
            open: self.open,
            continuation: self.continuation.clone().filter(|k| !hides(k)),
        })
    }

    /// Returns the substitution to use below a binder, and the binder. `scope` are the free variables of the body of the binder.
    /// The binder is renamed if it would capture a variable of a substituted term or continuation.
    fn under(
        &self,
        binder: &Variable,
        scope: &FreeVariables,
        supply: &mut Supply,
    ) -> (Cow<'_, Substitution>, Variable) {
        let inner = self.without(binder);
        let captures =
            |(id, value): (u32, &Term)| scope.contains(id) && value.free().contains(binder.id);
        let captured = inner.open && inner.terms.iter().any(captures)
            || inner.continuation.as_ref().is_some_and(|(id, y, body)| {
                scope.contains(*id) && y.id != binder.id && body.free().contains(binder.id)
            });
        if !captured {
            return (inner, binder.clone());
        }
        let renamed = supply.renamed(binder);
        let own = Term::variable(&renamed, crate::Origin::default());
        let inner = Substitution {
            terms: inner.terms.with(binder.id, own),
            open: true,
            ..inner.into_owned()
        };
        (Cow::Owned(inner), renamed)
    }
}
