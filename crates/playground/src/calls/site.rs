//! A place in the focus of a state, with the RH commands around it: where an equation of RH was used.

use crate::parts::Part;
use fletch_calculus::{Call, Command, CommandKind, Role, Term, TermKind};
use std::sync::Arc;

/// What stands right around a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    /// Nothing: it is all that a handler handles, or the whole program.
    Nothing,
    /// It is bound to the variable of this number.
    Let(u32),
    /// It is what an ordinary handler handles.
    Handle,
}

/// An RH command on the way to a place.
pub(crate) struct Level<'c> {
    pub(crate) handled: &'c Command,
    /// The command whose child it is, inside the RH command around it.
    pub(crate) parent: Option<&'c Command>,
}

/// A place in a command.
pub(crate) struct Site<'c> {
    /// The RH commands around it, outermost first.
    pub(crate) levels: Vec<Level<'c>>,
    /// The commands between the last of these and the place, outermost first.
    pub(crate) between: Vec<&'c Command>,
    /// What stands there; of a place in a term, the command that has the term.
    pub(crate) at: &'c Command,
}

impl<'c> Site<'c> {
    /// The place that these child numbers lead to.
    pub(crate) fn of(command: &'c Command, path: &[usize]) -> Site<'c> {
        let mut site = Site {
            levels: Vec::new(),
            between: Vec::new(),
            at: command,
        };
        for index in path {
            let mut position = 0;
            let mut found = None;
            Part::Command(site.at).each_child(&mut |child| {
                if position == *index {
                    found = Some(child);
                }
                position += 1;
            });
            let Some(Part::Command(child)) = found else {
                return site;
            };
            if let CommandKind::Handled { .. } = site.at.kind() {
                site.levels.push(Level {
                    handled: site.at,
                    parent: site.between.last().copied(),
                });
                site.between.clear();
            } else {
                site.between.push(site.at);
            }
            site.at = child;
        }
        site
    }

    /// What stands right around the place.
    pub(crate) fn around(&self) -> Around {
        match self.between.last().map(|command| command.kind()) {
            Some(CommandKind::Let { variable, .. }) => Around::Let(variable.id),
            Some(CommandKind::Handle { .. }) => Around::Handle,
            _ => Around::Nothing,
        }
    }

    /// The role of the innermost `let` with one between the last RH command and the place.
    pub(crate) fn role(&self) -> Option<&'c Role> {
        let roles = self
            .between
            .iter()
            .rev()
            .filter_map(|command| role(command));
        roles.into_iter().find(|role| !matches!(role, Role::Plain))
    }

    /// What a value in the innermost RH command is: variables of each level stand for values of the one around.
    pub(crate) fn resolved(&self, term: &Term) -> Term {
        self.levels
            .iter()
            .rev()
            .fold(term.clone(), |term, level| resolve(level.handled, &term))
    }
}

fn resolve(handled: &Command, term: &Term) -> Term {
    let CommandKind::Handled {
        values, variables, ..
    } = handled.kind()
    else {
        return term.clone();
    };
    match term.kind() {
        TermKind::Variable(x) => {
            let position = variables.iter().position(|variable| variable == x);
            let value = position.and_then(|position| values.get(position));
            value.unwrap_or(term).clone()
        }
        TermKind::Tuple(parts) if !term.free().is_empty() => {
            let parts = parts.iter().map(|part| resolve(handled, part)).collect();
            Term::tuple(parts, term.origin())
        }
        _ => term.clone(),
    }
}

/// The role of a `let`.
pub(crate) fn role(command: &Command) -> Option<&Role> {
    match command.kind() {
        CommandKind::Let { role, .. } => Some(role),
        _ => None,
    }
}

/// The call whose backward clause starts here.
pub(crate) fn backward(role: Option<&Role>) -> Option<&Arc<Call>> {
    match role {
        Some(Role::Backward(call)) => Some(call),
        _ => None,
    }
}
