//! Ordinary handlers at the top level: `handle F[Op(V)] with H` (the paper's Overview, Eq. typing-rule-direct-handler).

use crate::action::Action;
use crate::frames::Frame;
use crate::state::State;
use crate::step::{Locus, Step};
use fletch_calculus::{
    At, Command, OperationRef, OrdinaryHandler, Substitution, Supply, Term, Variable,
};

/// Step of an operation inside an ordinary handler; `None` if no ordinary handler is around the operation.
pub(crate) fn handle_operation(
    state: &State,
    operation: &OperationRef,
    argument: &Term,
) -> Option<Step> {
    let (inside, handle, rest) = state.frames().innermost_handle()?;
    let Frame::Handle { handler, .. } = handle else {
        return None;
    };
    let at = At(state.focus().origin());
    let mut supply = state.supply().clone();
    let y = supply.fresh("y");
    let resumed = inside
        .into_iter()
        .chain([handle])
        .fold(at.pure(at.variable(&y)), |inner, frame| frame.plug(inner));
    let (focus, outside) = respond(
        handler,
        operation,
        argument.clone(),
        &y,
        resumed,
        at,
        &mut supply,
    );
    let action = Action::HandleOp {
        handler: handler.clone(),
        operation: operation.clone(),
        argument: argument.clone(),
        result: y,
        outside,
    };
    let redex = Locus::layers(state.frames().depth());
    let contractum = Locus::layers(rest.depth());
    let next = state.then(rest, focus, supply);
    Some(Step::reduction(action, redex, contractum, at.0, next))
}

/// Q_Op[V/x, (y. handle F[⌊y⌋] with H)/k], or let y ⇐ Op(V) in handle F[⌊y⌋] with H where H has no clause for Op; `resumed` is handle
/// F[⌊y⌋] with H. The bool is true if Op is performed outside H.
pub(crate) fn respond(
    handler: &OrdinaryHandler,
    operation: &OperationRef,
    argument: Term,
    y: &Variable,
    resumed: Command,
    at: At,
    supply: &mut Supply,
) -> (Command, bool) {
    match handler.clauses.get(operation) {
        Some(clause) => {
            let substitution = Substitution::one(&clause.argument, argument).with_continuation(
                &clause.continuation,
                y.clone(),
                resumed,
            );
            (substitution.command(&clause.body, supply), false)
        }
        None => {
            let outside = Command::perform(operation.clone(), argument, at.0);
            (at.let_(y, outside, resumed), true)
        }
    }
}
