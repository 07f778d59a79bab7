//! Typing of commands and handlers (Fig. typing-commands-handlers), of ordinary handlers (the
//! Overview's rule) and of the runtime command RH (Lemma type-preservation-RH).

use super::{
    Assumption, Derivation, Environment, Subject, TypeError, TypeErrorKind, TypingRule, components,
    expect, term,
};
use crate::command::{Command, CommandKind};
use crate::handled::Handled;
use crate::handler::{OrdinaryHandler, ReverseHandler};
use crate::variable::{Origin, Variable};
use fletch_smooth::Type;
use std::sync::Arc;

/// Derives Γ; Δ ⊢ P : A.
pub fn command(environment: &Environment, subject: &Command) -> Result<Derivation, TypeError> {
    let origin = subject.origin();
    let (rule, ty, premises) = match subject.kind() {
        CommandKind::Pure(m) => {
            let pure = term(environment, m)?;
            (TypingRule::CommandPure, pure.ty.clone(), vec![pure])
        }
        CommandKind::Perform(operation, m) => {
            let argument = term(environment, m)?;
            expect(&operation.domain, &argument.ty, m.origin())?;
            (
                TypingRule::CommandOperation,
                operation.codomain.clone(),
                vec![argument],
            )
        }
        CommandKind::Let {
            variable,
            bound,
            body,
            ..
        } => {
            let first = command(environment, bound)?;
            let second = command(
                &environment.with(variable, Assumption::Term(first.ty.clone())),
                body,
            )?;
            (
                TypingRule::CommandLet,
                second.ty.clone(),
                vec![first, second],
            )
        }
        CommandKind::RevHandle {
            argument,
            variables,
            body,
            handler,
        } => {
            let input = term(environment, argument)?;
            let parts = components(&input.ty, variables.len(), argument.origin())?;
            let handled = command(&binders(variables, &parts), body)?;
            let by = reverse_handler(handler)?;
            expect(&handler.handled, &handled.ty, body.origin())?;
            (
                TypingRule::CommandRevHandle,
                input.ty.clone(),
                vec![input, handled, by],
            )
        }
        CommandKind::Handled(rh) => {
            let Handled {
                values,
                variables,
                types,
                body,
                handler,
                ..
            } = &**rh;
            let mut premises: Vec<Derivation> = values
                .iter()
                .map(|value| term(environment, value))
                .collect::<Result<_, _>>()?;
            let parts: Vec<Type> = premises.iter().map(|premise| premise.ty.clone()).collect();
            let ty = Type::product(parts.clone());
            expect(&Type::product(types.to_vec()), &ty, origin)?;
            if parts.len() != variables.len() {
                let kind = TypeErrorKind::Binders {
                    binders: variables.len(),
                    found: ty,
                };
                return Err(TypeError { origin, kind });
            }
            let handled = command(&binders(variables, &parts), body)?;
            let by = reverse_handler(handler)?;
            expect(&handler.handled, &handled.ty, body.origin())?;
            premises.push(handled);
            premises.push(by);
            (TypingRule::CommandHandled, ty, premises)
        }
        CommandKind::Handle { body, handler } => {
            let handled = command(environment, body)?;
            let by = ordinary_handler(handler)?;
            expect(&handler.handled, &handled.ty, body.origin())?;
            (
                TypingRule::CommandHandle,
                handler.result.clone(),
                vec![handled, by],
            )
        }
        CommandKind::Feedback { argument, feedback } => {
            let input = term(environment, argument)?;
            expect(&feedback.domain(), &input.ty, argument.origin())?;
            let types = [feedback.of_state.clone(), feedback.of_input.clone()];
            let moment = command(&binders(&feedback.variables, &types), &feedback.body)?;
            expect(&feedback.moment(), &moment.ty, feedback.body.origin())?;
            let premises = vec![input, moment];
            (TypingRule::CommandFeedback, feedback.codomain(), premises)
        }
        CommandKind::Resume(k, m) => match environment.get(k) {
            Some(Assumption::Continuation(input, output)) => {
                let (input, output) = (input.clone(), output.clone());
                let argument = term(environment, m)?;
                expect(&input, &argument.ty, m.origin())?;
                (TypingRule::CommandResume, output, vec![argument])
            }
            _ => {
                return Err(TypeError {
                    origin,
                    kind: TypeErrorKind::Unbound(k.name.clone()),
                });
            }
        },
    };
    Ok(Derivation {
        environment: environment.clone(),
        subject: Subject::Command(subject.clone()),
        rule,
        ty,
        premises,
    })
}

/// Derives ⊢ʳ H : C.
pub fn reverse_handler(handler: &Arc<ReverseHandler>) -> Result<Derivation, TypeError> {
    let mut premises = vec![returns(
        &handler.return_clause.variable,
        &handler.handled,
        &handler.return_clause.body,
    )?];
    expect_return(
        &handler.handled,
        &premises,
        handler.return_clause.body.origin(),
    )?;
    for (operation, clause) in &handler.clauses {
        let input = assume(&clause.argument, &operation.domain);
        let forward = command(&input, &clause.forward)?;
        let saved = match &forward.ty {
            Type::Product(parts) => match parts.as_ref() {
                [result, saved] if *result == operation.codomain => Some(saved.clone()),
                _ => None,
            },
            Type::Real(_) => None,
        };
        let Some(saved) = saved else {
            let kind = TypeErrorKind::ForwardClause { found: forward.ty };
            return Err(TypeError {
                origin: clause.forward.origin(),
                kind,
            });
        };
        let output = assume(&clause.cotangent, &operation.codomain)
            .with(&clause.saved, Assumption::Term(saved));
        let backward = command(&output, &clause.backward)?;
        expect(&operation.domain, &backward.ty, clause.backward.origin())?;
        premises.push(forward);
        premises.push(backward);
    }
    let ty = handler.handled.clone();
    Ok(Derivation {
        environment: Environment::default(),
        subject: Subject::ReverseHandler(handler.clone()),
        rule: TypingRule::ReverseHandler,
        ty,
        premises,
    })
}

/// Derives ⊢ H : C ⇒ D; the derivation's type is D.
pub fn ordinary_handler(handler: &Arc<OrdinaryHandler>) -> Result<Derivation, TypeError> {
    let mut premises = vec![returns(
        &handler.return_clause.variable,
        &handler.handled,
        &handler.return_clause.body,
    )?];
    expect_return(
        &handler.result,
        &premises,
        handler.return_clause.body.origin(),
    )?;
    for (operation, clause) in &handler.clauses {
        let continuation =
            Assumption::Continuation(operation.codomain.clone(), handler.result.clone());
        let input =
            assume(&clause.argument, &operation.domain).with(&clause.continuation, continuation);
        let body = command(&input, &clause.body)?;
        expect(&handler.result, &body.ty, clause.body.origin())?;
        premises.push(body);
    }
    let ty = handler.result.clone();
    Ok(Derivation {
        environment: Environment::default(),
        subject: Subject::Handler(handler.clone()),
        rule: TypingRule::Handler,
        ty,
        premises,
    })
}

fn returns(variable: &Variable, handled: &Type, body: &Command) -> Result<Derivation, TypeError> {
    command(&assume(variable, handled), body)
}

fn expect_return(
    expected: &Type,
    premises: &[Derivation],
    origin: Origin,
) -> Result<(), TypeError> {
    premises
        .first()
        .map_or(Ok(()), |premise| expect(expected, &premise.ty, origin))
}

fn assume(variable: &Variable, ty: &Type) -> Environment {
    Environment::default().with(variable, Assumption::Term(ty.clone()))
}

/// Environment of a body that sees its own binders alone, as the body of `rev handle` does: no
/// outer variables.
fn binders(variables: &[Variable], types: &[Type]) -> Environment {
    variables
        .iter()
        .zip(types)
        .fold(Environment::default(), |inner, (variable, ty)| {
            inner.with(variable, Assumption::Term(ty.clone()))
        })
}
