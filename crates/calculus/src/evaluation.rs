//! Big-step evaluation of closed pure terms that are computed once before a run: arguments of handlers and samples of a data
//! set. `fletch-reduction` makes the small steps of a run.

use crate::derivative::{DerivativeError, rewrite_derivative};
use crate::substitution::Substitution;
use crate::term::{Term, TermKind};
use crate::typing::{self, Environment};
use crate::variable::{Origin, Supply};
use fletch_smooth::{Partiality, Symbol, Undefined, Value};

/// Reason why a closed term has no value.
#[derive(Clone, Debug)]
pub enum EvaluationError {
    /// A partial function symbol was applied outside its domain.
    Undefined {
        /// The symbol.
        symbol: Symbol,
        /// Reason, in plain words.
        reason: String,
        /// Origin of the application.
        origin: Origin,
    },
    /// A derivative, of terms that contain derivatives, has too many nodes to be written out.
    TooLarge {
        /// Origin of the derivative.
        origin: Origin,
    },
    /// The term is open or ill typed.
    IllTyped {
        /// Origin of the subterm.
        origin: Origin,
    },
}

/// Evaluates a closed term.
///
/// # Errors
/// Fails if a function symbol is undefined at its argument, a derivative is too large, or the term is open or ill typed.
pub fn evaluate(
    term: &Term,
    partiality: Partiality,
    supply: &mut Supply,
) -> Result<Value, EvaluationError> {
    let origin = term.origin();
    let ill_typed = || EvaluationError::IllTyped { origin };
    if let Some(value) = term.to_value() {
        return Ok(value);
    }
    match term.kind() {
        TermKind::Variable(_) => Err(ill_typed()),
        TermKind::Constant(tensor) => Ok(Value::Real(tensor.clone())),
        TermKind::Apply(symbol, m) => {
            let argument = evaluate(m, partiality, supply)?;
            symbol
                .eval(&argument, partiality)
                .map_err(|Undefined { reason, .. }| EvaluationError::Undefined {
                    symbol: symbol.clone(),
                    reason,
                    origin,
                })
        }
        TermKind::Add(m, n) => {
            let left = evaluate(m, partiality, supply)?;
            let right = evaluate(n, partiality, supply)?;
            left.add(&right).ok_or_else(ill_typed)
        }
        TermKind::Tuple(parts) => {
            let values: Result<Vec<Value>, _> = parts
                .iter()
                .map(|part| evaluate(part, partiality, supply))
                .collect();
            Ok(Value::tuple(values?))
        }
        TermKind::Project(index, m) => match evaluate(m, partiality, supply)? {
            Value::Tuple(parts) => parts.get(*index).cloned().ok_or_else(ill_typed),
            Value::Real(_) => Err(ill_typed()),
        },
        TermKind::Let(x, m, n) => {
            let bound = Term::from_value(&evaluate(m, partiality, supply)?, m.origin());
            let body = Substitution::one(x, bound).term(n, supply);
            evaluate(&body, partiality, supply)
        }
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            let cotangent = Term::from_value(&evaluate(cotangent, partiality, supply)?, origin);
            let at = Term::from_value(&evaluate(point, partiality, supply)?, origin);
            let ty = typing::term(&Environment::default(), &at)
                .map_err(|_| ill_typed())?
                .ty;
            let rewritten = rewrite_derivative(&cotangent, &at, &ty, variable, body, supply)
                .map_err(|error| match error {
                    DerivativeError::IllTyped(error) => EvaluationError::IllTyped {
                        origin: error.origin,
                    },
                    DerivativeError::TooLarge { origin } => EvaluationError::TooLarge { origin },
                })?;
            evaluate(&rewritten, partiality, supply)
        }
    }
}
