//! Ordinary handlers at the top level: `handle F[Op(V)] with H` (semantics of the paper's Overview).

use crate::frames::{Frame, Frames};
use crate::state::State;
use crate::step::{Action, Locus, Step};
use fletch_calculus::{
    Command, CommandKind, OperationRef, OrdinaryHandler, Substitution, Supply, Term, Variable,
};

/// The step of an operation below an ordinary handler; `None` if there is none around it.
pub(crate) fn handle_operation(
    state: &State,
    operation: &OperationRef,
    argument: &Term,
) -> Option<Step> {
    let mut captured: Vec<&Frame> = Vec::new();
    let mut rest: &Frames = state.frames();
    let handler = loop {
        let (frame, outer) = rest.pop()?;
        captured.push(frame);
        rest = outer;
        if let Frame::Handle { handler, .. } = frame {
            break handler;
        }
    };
    let origin = state.focus().origin();
    let mut supply = state.supply().clone();
    let result = supply.fresh("y");
    let resumed = Command::pure(Term::variable(&result, origin), origin);
    let resumed = captured
        .iter()
        .fold(resumed, |inner, frame| frame.plug(inner));
    let (focus, outside) = respond(
        handler,
        operation,
        argument.clone(),
        result,
        resumed,
        state.focus(),
        &mut supply,
    );
    let action = Action::HandleOp {
        handler: handler.name.clone(),
        operation: operation.clone(),
        argument: argument.clone(),
        outside,
    };
    Some(Step {
        action,
        reduction: true,
        redex: Locus {
            frames: state.frames().depth(),
            path: Vec::new(),
        },
        contractum: Locus {
            frames: rest.depth(),
            path: Vec::new(),
        },
        origin,
        write: None,
        next: state.then(rest, focus, supply),
    })
}

/// Q_Op[V/x, (y. handle F[⌊y⌋] with H)/k], or let y ⇐ Op(V) in handle F[⌊y⌋] with H without a clause;
/// `resumed` is handle F[⌊y⌋] with H. Also says whether the operation goes outside.
pub(crate) fn respond(
    handler: &OrdinaryHandler,
    operation: &OperationRef,
    argument: Term,
    result: Variable,
    resumed: Command,
    call: &Command,
    supply: &mut Supply,
) -> (Command, bool) {
    match handler.clauses.get(operation) {
        Some(clause) => {
            let substitution = Substitution::one(&clause.argument, argument).with_continuation(
                &clause.continuation,
                result,
                resumed,
            );
            (substitution.command(&clause.body, supply), false)
        }
        None => {
            let outside = Command::perform(operation.clone(), argument, call.origin());
            let kind = CommandKind::Let {
                variable: result,
                bound: outside,
                body: resumed,
                role: fletch_calculus::Role::Plain,
            };
            (Command::new(kind, call.origin()), true)
        }
    }
}
