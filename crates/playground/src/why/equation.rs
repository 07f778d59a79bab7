//! The parts of an equation of RH: which RH is unfolded, and what its body looks like (Lemma form-of-commands).

use crate::parts::Part;
use fletch_calculus::{Command, CommandKind, OrdinaryHandler, ReverseHandler, Term, Variable};
use fletch_reduction::Frame;
use std::sync::Arc;

/// RH_V^H(⟨ȳ⟩. F[head]), the innermost one that shows: it is the one unfolded.
pub(super) struct Equation<'c> {
    pub(super) values: &'c [Term],
    pub(super) variables: &'c [Variable],
    pub(super) handler: &'c ReverseHandler,
    /// F, outermost first.
    pub(super) context: Vec<Frame>,
    pub(super) head: &'c Command,
}

impl<'c> Equation<'c> {
    pub(super) fn of(focus: &'c Command) -> Option<Equation<'c>> {
        let mut equation = None;
        let mut here = focus;
        while let CommandKind::Handled {
            values,
            variables,
            body,
            handler,
            ..
        } = here.kind()
        {
            let (context, head) = spine(body);
            here = head;
            equation = Some(Equation {
                values,
                variables,
                handler,
                context,
                head,
            });
        }
        equation
    }

    /// The innermost ordinary handler of the context, what is around it and what is inside it.
    pub(super) fn ordinary(&self) -> Option<(&[Frame], &Arc<OrdinaryHandler>, &[Frame])> {
        let position = self
            .context
            .iter()
            .rposition(|frame| matches!(frame, Frame::Handle { .. }))?;
        let (outer, rest) = self.context.split_at(position);
        match rest.split_first() {
            Some((Frame::Handle { handler, .. }, inner)) => Some((outer, handler, inner)),
            _ => None,
        }
    }
}

/// The term of a head.
pub(super) fn argument(head: &Command) -> Option<&Term> {
    match head.kind() {
        CommandKind::Pure(m)
        | CommandKind::Perform(_, m)
        | CommandKind::RevHandle { argument: m, .. } => Some(m),
        _ => None,
    }
}

/// A command as layers around a head that is neither a `let` nor a `handle`, outermost first.
fn spine(command: &Command) -> (Vec<Frame>, &Command) {
    let mut frames = Vec::new();
    let mut head = command;
    loop {
        match head.kind() {
            CommandKind::Let {
                variable,
                bound,
                body,
                role,
            } => {
                frames.push(Frame::Let {
                    variable: variable.clone(),
                    body: body.clone(),
                    role: role.clone(),
                    origin: head.origin(),
                });
                head = bound;
            }
            CommandKind::Handle { body, handler } => {
                frames.push(Frame::Handle {
                    handler: handler.clone(),
                    origin: head.origin(),
                });
                head = body;
            }
            _ => return (frames, head),
        }
    }
}

/// The command at a part, if it is one.
pub(super) fn command(part: Part<'_>) -> Option<&Command> {
    match part {
        Part::Command(command) => Some(command),
        Part::Term(_) => None,
    }
}
