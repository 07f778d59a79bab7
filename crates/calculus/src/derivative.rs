//! The rewriting of W.R_V(x. N) (Fig. rewriting-rule-term): the reverse derivative of x ↦ N at V, applied to the cotangent W. Two
//! gaps of the figure are filled (`errata.md`, gaps 1 and 2): there is an equation for +, and zeros have the types of x and of
//! the component. Bound names are fresh every time.

use crate::bookkeeping::is_zero_along;
use crate::build::At;
use crate::components::Components;
use crate::substitution::Substitution;
use crate::term::{Term, TermKind};
use crate::typing::{self, Assumption, Environment, TypeError};
use crate::variable::{Origin, Supply, Variable};
use fletch_smooth::Type;

/// Rewrites W.R_V(x. N). `cotangent` is W, `point` is V, and `ty` is the type of V and of x.
///
/// # Errors
/// Fails if N is not typable with x : `ty`, or the result would exceed [`NODE_LIMIT`]: the equation for `let` writes N twice, so
/// derivatives of derivatives grow exponentially in their order.
pub fn rewrite_derivative(
    cotangent: &Term,
    point: &Term,
    ty: &Type,
    variable: &Variable,
    body: &Term,
    supply: &mut Supply,
) -> Result<Term, DerivativeError> {
    let (derivative, _) = rewrite(cotangent, point, ty, variable, body, supply, false)?;
    Ok(derivative)
}

/// Rewrites as [`rewrite_derivative`] does, with the shortcut R_V(x. N) = 0 wherever [`is_zero_along`] allows it: a subterm
/// without x is skipped, and a summand 0 is not written. The result denotes the same arrow (RD.1 to RD.5). The flag is true if a
/// subterm was skipped that the equations would have rewritten.
///
/// # Errors
/// Fails as [`rewrite_derivative`] does.
pub fn shorten_derivative(
    cotangent: &Term,
    point: &Term,
    ty: &Type,
    variable: &Variable,
    body: &Term,
    supply: &mut Supply,
) -> Result<(Term, bool), DerivativeError> {
    rewrite(cotangent, point, ty, variable, body, supply, true)
}

fn rewrite(
    cotangent: &Term,
    point: &Term,
    ty: &Type,
    variable: &Variable,
    body: &Term,
    supply: &mut Supply,
    shortcuts: bool,
) -> Result<(Term, bool), DerivativeError> {
    let at = Point {
        value: point.clone(),
        ty: ty.clone(),
        variable: variable.clone(),
    };
    let environment = Environment::default().with(variable, Assumption::Term(ty.clone()));
    let mut rewriting = Rewriting {
        supply,
        left: NODE_LIMIT,
        shortcuts,
        left_out: false,
    };
    let derivative = rewriting.at(cotangent, &at, &environment, body)?;
    Ok((derivative, rewriting.left_out))
}

/// Maximum number of nodes that are rewritten in one derivative: nodes of N and of the terms that its equations make.
pub const NODE_LIMIT: usize = 500_000;

/// Reason why a derivative is not written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DerivativeError {
    /// N is not typable.
    IllTyped(TypeError),
    /// The rewriting exceeds [`NODE_LIMIT`].
    TooLarge {
        /// Origin of the term where the rewriting stopped.
        origin: Origin,
    },
}

impl From<TypeError> for DerivativeError {
    fn from(error: TypeError) -> Self {
        DerivativeError::IllTyped(error)
    }
}

/// Point of a derivative: the variable x and its value V : A.
struct Point {
    variable: Variable,
    value: Term,
    ty: Type,
}

struct Rewriting<'a> {
    supply: &'a mut Supply,
    /// Number of nodes that may still be rewritten; starts at [`NODE_LIMIT`].
    left: usize,
    shortcuts: bool,
    /// True if a shortcut was taken.
    left_out: bool,
}

impl Rewriting<'_> {
    /// Rewrites N by the equations of Fig. rewriting-rule-term, recursively; counts one node of the limit.
    fn at(
        &mut self,
        w: &Term,
        point: &Point,
        environment: &Environment,
        n: &Term,
    ) -> Result<Term, DerivativeError> {
        let at = At(n.origin());
        self.left = self
            .left
            .checked_sub(1)
            .ok_or(DerivativeError::TooLarge { origin: at.0 })?;
        match n.kind() {
            TermKind::Variable(y) if *y == point.variable => Ok(w.clone()),
            TermKind::Variable(_) | TermKind::Constant(_) => Ok(Term::zero(&point.ty, at.0)),
            _ if self.is_left_out(&point.variable, n) => Ok(Term::zero(&point.ty, at.0)),
            TermKind::Apply(f, m) => {
                let y = self.supply.fresh("y");
                let pulled = at.apply(f.reverse(), at.tuple([m.clone(), w.clone()]));
                let rest = self.at(&at.variable(&y), point, environment, m)?;
                Ok(point.bind(at, at.let_term(&y, pulled, rest)))
            }
            TermKind::Add(m, n) if self.is_left_out(&point.variable, m) => {
                self.at(w, point, environment, n)
            }
            TermKind::Add(m, n) if self.is_left_out(&point.variable, n) => {
                self.at(w, point, environment, m)
            }
            TermKind::Add(m, n) => {
                let left = self.at(w, point, environment, m)?;
                let right = self.at(w, point, environment, n)?;
                Ok(at.add(left, right))
            }
            TermKind::Tuple(parts) => self.tuple(w, point, environment, parts, at),
            TermKind::Project(index, m) => {
                let ty = typing::term(environment, m)?.ty;
                let y = self.supply.fresh("y");
                let rest = self.at(&pad(*index, w, &ty, at), point, environment, m)?;
                Ok(point.bind(at, at.let_term(&y, m.clone(), rest)))
            }
            TermKind::Let(y, m, n) => {
                let ty = typing::term(environment, m)?.ty;
                // The binder is renamed because `point.value` or W may mention a variable with y's number.
                let fresh = self.supply.renamed(y);
                let n = Substitution::one(y, at.variable(&fresh)).term(n, self.supply);
                let inner = environment.with(&fresh, Assumption::Term(ty.clone()));
                let along_x = !self.is_left_out(&point.variable, &n);
                let through_y =
                    !self.is_left_out(&fresh, &n) && !self.is_left_out(&point.variable, m);
                let direct = |this: &mut Self| this.at(w, point, &inner, &n);
                let indirect = |this: &mut Self| -> Result<Term, DerivativeError> {
                    let through = Point {
                        variable: fresh.clone(),
                        value: at.variable(&fresh),
                        ty: ty.clone(),
                    };
                    let cotangent = this.supply.cotangent(y);
                    let of_bound = this.at(w, &through, &inner, &n)?;
                    let indirect = this.at(&at.variable(&cotangent), point, environment, m)?;
                    Ok(at.let_term(&cotangent, of_bound, indirect))
                };
                let sum = match (along_x, through_y) {
                    (false, true) => indirect(self)?,
                    (_, false) => direct(self)?,
                    (true, true) => {
                        let direct = direct(self)?;
                        at.add(direct, indirect(self)?)
                    }
                };
                Ok(point.bind(at, at.let_term(&fresh, m.clone(), sum)))
            }
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point: l,
            } => {
                let ty = typing::term(environment, l)?.ty;
                let cotangent_type = typing::term(environment, cotangent)?.ty;
                let (z, v) = (self.supply.fresh("z"), self.supply.fresh("w"));
                let y = self.supply.renamed(variable);
                let body = Substitution::one(variable, at.variable(&y)).term(body, self.supply);
                let inner = environment
                    .with(&z, Assumption::Term(cotangent_type))
                    .with(&v, Assumption::Term(ty.clone()))
                    .with(&y, Assumption::Term(ty.clone()));
                let inner_point = Point {
                    variable: y,
                    value: at.variable(&v),
                    ty,
                };
                let unfolded = self.at(&at.variable(&z), &inner_point, &inner, &body)?;
                let unfolded = at.let_term(&v, l.clone(), unfolded);
                let unfolded = at.let_term(&z, cotangent.clone(), unfolded);
                self.at(w, point, environment, &unfolded)
            }
        }
    }

    /// True if a shortcut replaces the cotangent that flows to x through N by 0.
    fn is_left_out(&mut self, x: &Variable, n: &Term) -> bool {
        let left_out = self.shortcuts && is_zero_along(x, n);
        self.left_out |= left_out;
        left_out
    }

    /// W.R_V(x. ⟨M₁, …, Mₙ⟩) = let ⟨y₁, …, yₙ⟩ ← W in y₁.R_V(x. M₁) + … + yₙ.R_V(x. Mₙ)
    fn tuple(
        &mut self,
        w: &Term,
        point: &Point,
        environment: &Environment,
        parts: &Components,
        at: At,
    ) -> Result<Term, DerivativeError> {
        let mut kept: Vec<(usize, &Term)> = parts.iter().enumerate().collect();
        kept.retain(|(_, part)| !self.is_left_out(&point.variable, part));
        let components: Vec<Variable> = kept.iter().map(|_| self.supply.fresh("y")).collect();
        let mut sum: Option<Term> = None;
        for (y, (_, part)) in components.iter().zip(&kept) {
            let pulled = self.at(&at.variable(y), point, environment, part)?;
            sum = Some(match sum {
                None => pulled,
                Some(sum) => at.add(sum, pulled),
            });
        }
        let whole = self.supply.fresh("t");
        let sum = sum.unwrap_or_else(|| Term::zero(&point.ty, at.0));
        let components = components.iter().zip(&kept).rev();
        let body = components.fold(sum, |body, (y, (index, _))| {
            at.let_term(y, at.project(*index, at.variable(&whole)), body)
        });
        Ok(at.let_term(&whole, w.clone(), body))
    }
}

impl Point {
    /// let x ← V in M
    fn bind(&self, at: At, m: Term) -> Term {
        at.let_term(&self.variable, self.value.clone(), m)
    }
}

/// ⟨U₁, …, Uₙ⟩ of type `ty`, with U_i = W and zeros elsewhere; i is `index`, from 0.
fn pad(index: usize, w: &Term, ty: &Type, at: At) -> Term {
    let Type::Product(parts) = ty else {
        return w.clone();
    };
    let zero = |part| Term::zero(part, at.0);
    let padded = parts.iter().enumerate().map(|(position, part)| {
        if position == index {
            w.clone()
        } else {
            zero(part)
        }
    });
    at.tuple(padded)
}
