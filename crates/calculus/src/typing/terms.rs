//! Typing of terms (Fig. typing-terms).

use super::{
    Assumption, Derivation, Environment, Subject, TypeError, TypeErrorKind, TypingRule, expect,
};
use crate::term::{Term, TermKind};
use fletch_smooth::Type;

/// Derives Γ ⊢ M : A.
pub fn term(environment: &Environment, subject: &Term) -> Result<Derivation, TypeError> {
    let origin = subject.origin();
    let (rule, ty, premises) = match subject.kind() {
        TermKind::Variable(x) => match environment.get(x) {
            Some(Assumption::Term(ty)) => (TypingRule::TermVariable, ty.clone(), Vec::new()),
            _ => {
                return Err(TypeError {
                    origin,
                    kind: TypeErrorKind::Unbound(x.name.clone()),
                });
            }
        },
        TermKind::Constant(tensor) => (
            TypingRule::TermConstant,
            Type::real(tensor.len()),
            Vec::new(),
        ),
        TermKind::Apply(symbol, m) => {
            let argument = term(environment, m)?;
            expect(&symbol.domain(), &argument.ty, m.origin())?;
            (TypingRule::TermFunction, symbol.codomain(), vec![argument])
        }
        TermKind::Add(m, n) => {
            let left = term(environment, m)?;
            let right = term(environment, n)?;
            expect(&left.ty, &right.ty, n.origin())?;
            (TypingRule::TermPlus, left.ty.clone(), vec![left, right])
        }
        TermKind::Tuple(parts) => {
            let premises: Vec<Derivation> = parts
                .iter()
                .map(|part| term(environment, part))
                .collect::<Result<_, _>>()?;
            let ty = Type::product(premises.iter().map(|premise| premise.ty.clone()).collect());
            (TypingRule::TermTuple, ty, premises)
        }
        TermKind::Project(index, m) => {
            let whole = term(environment, m)?;
            let component = match &whole.ty {
                Type::Product(parts) => parts.get(*index).cloned(),
                Type::Real(_) => None,
            };
            let Some(ty) = component else {
                let kind = TypeErrorKind::Projection {
                    index: *index,
                    found: whole.ty,
                };
                return Err(TypeError { origin, kind });
            };
            (TypingRule::TermProjection, ty, vec![whole])
        }
        TermKind::Let(x, m, n) => {
            let bound = term(environment, m)?;
            let body = term(&environment.with(x, Assumption::Term(bound.ty.clone())), n)?;
            (TypingRule::TermLet, body.ty.clone(), vec![bound, body])
        }
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            let at = term(environment, point)?;
            let along = term(
                &environment.with(variable, Assumption::Term(at.ty.clone())),
                body,
            )?;
            let pulled = term(environment, cotangent)?;
            expect(&along.ty, &pulled.ty, cotangent.origin())?;
            (
                TypingRule::TermReverseDerivative,
                at.ty.clone(),
                vec![pulled, along, at],
            )
        }
    };
    Ok(Derivation {
        environment: environment.clone(),
        subject: Subject::Term(subject.clone()),
        rule,
        ty,
        premises,
    })
}
