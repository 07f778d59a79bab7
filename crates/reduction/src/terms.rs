//! Small-step reduction of closed terms (Fig. rewriting-rule-term), in the contexts ℰ of the paper extended to tuples
//! (⟨V₁, …, ℰ, …, Mₙ⟩, left to right; see `semantics.md`).

use crate::action::Action;
use crate::setting::Setting;
use crate::state::State;
use crate::step::{Blocked, Locus, Step, Stuck};
use fletch_calculus::{
    DerivativeError, Origin, Substitution, Supply, Symbol, Term, TermKind, rewrite_derivative,
    shorten_derivative, typing,
};
use fletch_smooth::Partiality;

struct Reduced {
    term: Term,
    action: Action,
    /// Child numbers on the path from the reduced term to its redex, in reverse: outermost last.
    path: Vec<usize>,
    origin: Origin,
}

/// A term that has no step, and the path to the subterm that blocks it, as in [`Reduced`].
struct Halted {
    stuck: Stuck,
    path: Vec<usize>,
}

impl From<Stuck> for Halted {
    fn from(stuck: Stuck) -> Halted {
        let path = Vec::new();
        Halted { stuck, path }
    }
}

/// Steps the term in the hole of F^t.
pub(crate) fn inside(state: &State, term: &Term) -> Result<Step, Box<Blocked>> {
    let mut supply = state.supply().clone();
    let locus = |mut path: Vec<usize>| {
        path.push(0);
        path.reverse();
        Locus {
            frames: state.frames().depth(),
            path: path.into(),
        }
    };
    let reduced = reduce(term, &mut supply, state.setting()).map_err(|halted| {
        Box::new(Blocked {
            stuck: halted.stuck,
            redex: locus(halted.path),
        })
    })?;
    let place = locus(reduced.path);
    let focus = state.focus().with_argument(reduced.term);
    let next = state.then(state.frames(), focus, supply);
    let (action, origin) = (reduced.action, reduced.origin);
    Ok(Step::reduction(action, place.clone(), place, origin, next))
}

fn reduce(term: &Term, supply: &mut Supply, setting: Setting) -> Result<Reduced, Halted> {
    let origin = term.origin();
    let done = |term: Term, action: Action| {
        Ok(Reduced {
            term,
            action,
            path: Vec::new(),
            origin,
        })
    };
    let ill_typed = Stuck::IllTyped { origin };
    // Reduces child number `index`, then rebuilds this node around it.
    let mut below = |index: usize, child: &Term, rebuild: &dyn Fn(Term) -> TermKind| {
        let mut reduced = reduce(child, supply, setting).map_err(|mut halted| {
            halted.path.push(index);
            halted
        })?;
        reduced.path.push(index);
        reduced.term = Term::new(rebuild(reduced.term), origin);
        Ok(reduced)
    };
    match term.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => Err(ill_typed.into()),
        TermKind::Apply(symbol, m) if m.is_value() => {
            let result = evaluate(symbol, m, origin, setting.partiality)?;
            let action = Action::Eval {
                symbol: symbol.clone(),
                argument: m.clone(),
                result: result.clone(),
            };
            done(result, action)
        }
        TermKind::Apply(symbol, m) => below(0, m, &|m| TermKind::Apply(symbol.clone(), m)),
        TermKind::Add(m, n) if !m.is_value() => below(0, m, &|m| TermKind::Add(m, n.clone())),
        TermKind::Add(m, n) if !n.is_value() => below(1, n, &|n| TermKind::Add(m.clone(), n)),
        TermKind::Add(m, n) => {
            let sum = m
                .to_value()
                .zip(n.to_value())
                .and_then(|(left, right)| left.add(&right));
            let result = Term::from_value(&sum.ok_or(ill_typed)?, origin);
            done(
                result.clone(),
                Action::Add {
                    left: m.clone(),
                    right: n.clone(),
                    result,
                },
            )
        }
        TermKind::Tuple(parts) => {
            let index = parts.first_reducible();
            let Some((index, part)) = index.and_then(|index| Some((index, parts.get(index)?)))
            else {
                return Err(ill_typed.into());
            };
            below(index, part, &|reduced| {
                TermKind::Tuple(parts.with(index, &reduced))
            })
        }
        TermKind::Project(index, m) if m.is_value() => match m.kind() {
            TermKind::Tuple(parts) => {
                let result = parts.get(*index).cloned().ok_or(ill_typed)?;
                done(
                    result.clone(),
                    Action::Proj {
                        index: *index,
                        tuple: m.clone(),
                        result,
                    },
                )
            }
            _ => Err(ill_typed.into()),
        },
        TermKind::Project(index, m) => below(0, m, &|m| TermKind::Project(*index, m)),
        TermKind::Let(x, m, n) if m.is_value() => {
            let result = Substitution::one(x, m.clone()).term(n, supply);
            done(
                result,
                Action::Let {
                    variable: x.clone(),
                    value: m.clone(),
                    body: n.clone(),
                },
            )
        }
        TermKind::Let(x, m, n) => below(0, m, &|m| TermKind::Let(x.clone(), m, n.clone())),
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            let rebuild = |cotangent: Term, point: Term| TermKind::ReverseDerivative {
                cotangent,
                variable: variable.clone(),
                body: body.clone(),
                point,
            };
            if !cotangent.is_value() {
                return below(0, cotangent, &|cotangent| rebuild(cotangent, point.clone()));
            }
            if !point.is_value() {
                return below(2, point, &|point| rebuild(cotangent.clone(), point));
            }
            let point_type = typing::term(&typing::Environment::default(), point)
                .map_err(|_| ill_typed.clone())?
                .ty;
            let written = if setting.shortcuts {
                shorten_derivative(cotangent, point, &point_type, variable, body, supply)
            } else {
                rewrite_derivative(cotangent, point, &point_type, variable, body, supply)
                    .map(|result| (result, false))
            };
            let (result, short) = written.map_err(|error| match error {
                DerivativeError::IllTyped(error) => Stuck::IllTyped {
                    origin: error.origin,
                },
                DerivativeError::TooLarge { origin } => Stuck::TooLarge {
                    clauses: false,
                    origin,
                },
            })?;
            let action = Action::Rd {
                cotangent: cotangent.clone(),
                variable: variable.clone(),
                body: body.clone(),
                point: point.clone(),
                short,
            };
            done(result, action)
        }
    }
}

fn evaluate(
    symbol: &Symbol,
    argument: &Term,
    origin: Origin,
    partiality: Partiality,
) -> Result<Term, Stuck> {
    let argument = argument.to_value().ok_or(Stuck::IllTyped { origin })?;
    match symbol.eval(&argument, partiality) {
        Ok(result) => Ok(Term::from_value(&result, origin)),
        Err(undefined) => Err(Stuck::Undefined {
            symbol: symbol.clone(),
            argument,
            reason: undefined.reason,
            origin,
        }),
    }
}
