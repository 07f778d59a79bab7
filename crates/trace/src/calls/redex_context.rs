//! The context of a redex in the focus of a state: the RH commands around the place where an equation of RH was used.

use fletch_calculus::{Call, Command, CommandKind, Part, Role, Term, TermKind};
use std::sync::Arc;

/// What stands right around a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// Nothing: it is all that a handler handles, or the whole program.
    Nothing,
    /// It is bound to the variable of this number.
    Let(u32),
    /// It is what an ordinary handler handles.
    Handle,
}

/// An RH command on the way to a place.
pub struct Enclosing<'c> {
    /// The RH command.
    pub handled: &'c Command,
    /// The command whose child it is, inside the RH command around it.
    pub parent: Option<&'c Command>,
}

/// A place in a command, and what is around it.
pub struct RedexContext<'c> {
    /// The RH commands around it, outermost first.
    pub levels: Vec<Enclosing<'c>>,
    /// The commands between the last of these and the place, outermost first.
    pub between: Vec<&'c Command>,
    /// What stands there; of a place in a term, the command that has the term.
    pub at: &'c Command,
}

impl<'c> RedexContext<'c> {
    /// The place that these child numbers lead to.
    pub fn of(command: &'c Command, path: &[usize]) -> RedexContext<'c> {
        let mut context = RedexContext {
            levels: Vec::new(),
            between: Vec::new(),
            at: command,
        };
        for index in path {
            let Some(Part::Command(child)) = Part::Command(context.at).child(*index) else {
                return context;
            };
            if let CommandKind::Handled(_) = context.at.kind() {
                context.levels.push(Enclosing {
                    handled: context.at,
                    parent: context.between.last().copied(),
                });
                context.between.clear();
            } else {
                context.between.push(context.at);
            }
            context.at = child;
        }
        context
    }

    /// What stands right around the place.
    pub(super) fn around(&self) -> Around {
        match self.between.last().map(|command| command.kind()) {
            Some(CommandKind::Let { variable, .. }) => Around::Let(variable.id),
            Some(CommandKind::Handle { .. }) => Around::Handle,
            _ => Around::Nothing,
        }
    }

    /// The role of the innermost `let` with one between the last RH command and the place.
    pub(super) fn role(&self) -> Option<&'c Role> {
        let roles = self
            .between
            .iter()
            .rev()
            .filter_map(|command| role(command));
        roles.into_iter().find(|role| !matches!(role, Role::Plain))
    }

    /// What a value in the innermost RH command is: variables of each level stand for values of the one around.
    pub fn resolved(&self, term: &Term) -> Term {
        self.levels
            .iter()
            .rev()
            .fold(term.clone(), |term, level| resolve(level.handled, &term))
    }
}

fn resolve(handled: &Command, term: &Term) -> Term {
    let CommandKind::Handled(rh) = handled.kind() else {
        return term.clone();
    };
    match term.kind() {
        TermKind::Variable(x) => rh.value(x).unwrap_or(term).clone(),
        TermKind::Tuple(parts) if !term.free().is_empty() => {
            let parts = parts.iter().map(|part| resolve(handled, part)).collect();
            Term::tuple(parts, term.origin())
        }
        _ => term.clone(),
    }
}

/// The role of a `let`.
pub(super) fn role(command: &Command) -> Option<&Role> {
    match command.kind() {
        CommandKind::Let { role, .. } => Some(role),
        _ => None,
    }
}

/// The call whose backward clause starts here.
pub(super) fn backward(role: Option<&Role>) -> Option<&Arc<Call>> {
    match role {
        Some(Role::Backward(call)) => Some(call),
        _ => None,
    }
}
