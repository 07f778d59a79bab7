//! The term rewriting R_V^W(x. N) (Fig. rewriting-rule-term): the reverse derivative of x ↦ N at V,
//! applied to the cotangent W. With the equation for + that the figure lacks, and zeros at the type of
//! x and of the component (`errata.md`, gaps 1 and 2). Bound names are fresh every time.

use crate::substitution::Substitution;
use crate::term::{Term, TermKind};
use crate::typing::{self, Assumption, Environment, TypeError};
use crate::variable::{Origin, Supply, Variable};
use fletch_smooth::{Symbol, Type};
use std::sync::Arc;

/// R_V^W(x. N), where `ty` is the type of V and of x. `cotangent` is W, `point` V.
///
/// # Errors
/// If N is not typable with x : `ty`, or the result would be enormous: the equation for `let` writes
/// N twice, so that derivatives of derivatives grow exponentially in their order.
pub fn rewrite_derivative(
    cotangent: &Term,
    point: &Term,
    ty: &Type,
    variable: &Variable,
    body: &Term,
    supply: &mut Supply,
) -> Result<Term, DerivativeError> {
    let at = Point {
        value: point.clone(),
        ty: ty.clone(),
        variable: variable.clone(),
    };
    let environment = Environment::default().with(variable, Assumption::Term(ty.clone()));
    Rewriting {
        supply,
        left: NODE_LIMIT,
    }
    .at(cotangent, &at, &environment, body)
}

/// No derivative is written out beyond this many nodes of N and of what its equations make of it.
const NODE_LIMIT: usize = 500_000;

/// Why a derivative is not written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DerivativeError {
    /// N is not typable.
    IllTyped(TypeError),
    /// The result would be enormous.
    TooLarge {
        /// Where the rewriting stopped.
        origin: Origin,
    },
}

impl From<TypeError> for DerivativeError {
    fn from(error: TypeError) -> Self {
        DerivativeError::IllTyped(error)
    }
}

/// Where a derivative is taken: x stands for V : A.
struct Point {
    variable: Variable,
    value: Term,
    ty: Type,
}

struct Rewriting<'a> {
    supply: &'a mut Supply,
    /// How many nodes may still be rewritten.
    left: usize,
}

impl Rewriting<'_> {
    fn at(
        &mut self,
        w: &Term,
        point: &Point,
        environment: &Environment,
        n: &Term,
    ) -> Result<Term, DerivativeError> {
        let origin = n.origin();
        self.left = self
            .left
            .checked_sub(1)
            .ok_or(DerivativeError::TooLarge { origin })?;
        match n.kind() {
            TermKind::Variable(y) if *y == point.variable => Ok(w.clone()),
            TermKind::Variable(_) | TermKind::Constant(_) => Ok(Term::zero(&point.ty, origin)),
            TermKind::Apply(symbol, m) => {
                let y = self.supply.fresh("y");
                let pulled = reverse(symbol, m, w, origin);
                let rest = self.at(&Term::variable(&y, origin), point, environment, m)?;
                Ok(point.bind(Term::bind(y, pulled, rest, origin), origin))
            }
            TermKind::Add(m, n) => {
                let left = self.at(w, point, environment, m)?;
                let right = self.at(w, point, environment, n)?;
                Ok(Term::add(left, right, origin))
            }
            TermKind::Tuple(parts) => self.tuple(w, point, environment, parts, origin),
            TermKind::Project(index, m) => {
                let ty = typing::term(environment, m)?.ty;
                let y = self.supply.fresh("y");
                let padded = pad(*index, w, &ty, origin);
                let rest = self.at(&padded, point, environment, m)?;
                Ok(point.bind(Term::bind(y, m.clone(), rest, origin), origin))
            }
            TermKind::Let(y, m, n) => {
                let ty = typing::term(environment, m)?.ty;
                // A fresh binder: `point.value` or W may mention a variable of y's number.
                let fresh = self.supply.fresh_like(&y.name);
                let n = Substitution::one(y, Term::variable(&fresh, origin)).term(n, self.supply);
                let inner = environment.with(&fresh, Assumption::Term(ty.clone()));
                let direct = self.at(w, point, &inner, &n)?;
                let through = Point {
                    variable: fresh.clone(),
                    value: Term::variable(&fresh, origin),
                    ty,
                };
                let cotangent = self.supply.fresh(&format!("{}′", y.name));
                let of_bound = self.at(w, &through, &inner, &n)?;
                let indirect =
                    self.at(&Term::variable(&cotangent, origin), point, environment, m)?;
                let indirect = Term::bind(cotangent, of_bound, indirect, origin);
                let sum = Term::add(direct, indirect, origin);
                Ok(point.bind(Term::bind(fresh, m.clone(), sum, origin), origin))
            }
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point: l,
            } => {
                let ty = typing::term(environment, l)?.ty;
                let cotangent_type = typing::term(environment, cotangent)?.ty;
                let (z, w_) = (self.supply.fresh("z"), self.supply.fresh("w"));
                let fresh = self.supply.fresh_like(&variable.name);
                let body = Substitution::one(variable, Term::variable(&fresh, origin))
                    .term(body, self.supply);
                let inner = environment
                    .with(&z, Assumption::Term(cotangent_type))
                    .with(&w_, Assumption::Term(ty.clone()))
                    .with(&fresh, Assumption::Term(ty.clone()));
                let at = Point {
                    variable: fresh,
                    value: Term::variable(&w_, origin),
                    ty,
                };
                let unfolded = self.at(&Term::variable(&z, origin), &at, &inner, &body)?;
                let unfolded = Term::bind(w_, l.clone(), unfolded, origin);
                let unfolded = Term::bind(z, cotangent.clone(), unfolded, origin);
                self.at(w, point, environment, &unfolded)
            }
        }
    }

    fn tuple(
        &mut self,
        w: &Term,
        point: &Point,
        environment: &Environment,
        parts: &Arc<[Term]>,
        origin: Origin,
    ) -> Result<Term, DerivativeError> {
        let components: Vec<Variable> = parts.iter().map(|_| self.supply.fresh("y")).collect();
        let mut sum: Option<Term> = None;
        for (y, part) in components.iter().zip(parts.iter()) {
            let pulled = self.at(&Term::variable(y, origin), point, environment, part)?;
            sum = Some(match sum {
                None => pulled,
                Some(sum) => Term::add(sum, pulled, origin),
            });
        }
        let whole = self.supply.fresh("t");
        let sum = sum.unwrap_or_else(|| Term::zero(&point.ty, origin));
        let body = components
            .into_iter()
            .enumerate()
            .rev()
            .fold(sum, |body, (index, y)| {
                Term::bind(
                    y,
                    Term::project(index, Term::variable(&whole, origin), origin),
                    body,
                    origin,
                )
            });
        Ok(Term::bind(whole, w.clone(), body, origin))
    }
}

impl Point {
    /// let x ← V in M
    fn bind(&self, body: Term, origin: Origin) -> Term {
        Term::bind(self.variable.clone(), self.value.clone(), body, origin)
    }
}

/// rd[f](⟨M, W⟩)
fn reverse(symbol: &Symbol, point: &Term, cotangent: &Term, origin: Origin) -> Term {
    let argument = Term::tuple(vec![point.clone(), cotangent.clone()], origin);
    Term::new(TermKind::Apply(symbol.reverse(), argument), origin)
}

/// ⟨U_k⟩ with U_i = W and zeros elsewhere.
fn pad(index: usize, w: &Term, ty: &Type, origin: Origin) -> Term {
    match ty {
        Type::Product(parts) => {
            let padded = parts.iter().enumerate().map(|(position, part)| {
                if position == index {
                    w.clone()
                } else {
                    Term::zero(part, origin)
                }
            });
            Term::tuple(padded.collect(), origin)
        }
        Type::Real(_) => w.clone(),
    }
}
