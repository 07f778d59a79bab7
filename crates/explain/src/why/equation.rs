//! The parts of an equation of RH: which RH is unfolded, and what its body looks like (Lemma form-of-commands).

use fletch_calculus::{
    Command, CommandKind, OrdinaryHandler, Part, ReverseHandler, Term, Variable,
};
use fletch_reduction::{Decomposition, Frame};
use std::sync::Arc;

/// RH_V^H(⟨ȳ⟩. F[head]), the innermost one that shows: it is the one unfolded.
pub(super) struct Equation {
    pub(super) values: Arc<[Term]>,
    pub(super) variables: Arc<[Variable]>,
    pub(super) handler: Arc<ReverseHandler>,
    /// F, outermost first.
    pub(super) context: Vec<Frame>,
    pub(super) head: Command,
}

impl Equation {
    pub(super) fn of(focus: &Command) -> Option<Equation> {
        let mut equation = None;
        let mut here = focus.clone();
        while let CommandKind::Handled(rh) = here.kind() {
            let Decomposition { frames, head } = Decomposition::of(&rh.body);
            equation = Some(Equation {
                values: rh.values.clone(),
                variables: rh.variables.clone(),
                handler: rh.handler.clone(),
                context: frames,
                head: head.clone(),
            });
            here = head;
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

/// The command at a part, if it is one.
pub(super) fn command(part: Part<'_>) -> Option<&Command> {
    match part {
        Part::Command(command) => Some(command),
        Part::Term(_) => None,
    }
}
