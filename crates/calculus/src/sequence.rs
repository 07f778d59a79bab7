//! Sequences: \[n\]A is n values of type A, one for each moment of a feedback. \[n\]Real(k) is Real(n × k), row by row. A sequence of
//! products is a product of sequences. So sequences need no types of their own.

use crate::build::At;
use crate::term::{Term, TermKind};
use fletch_smooth::{Shape, Symbol, Tensor, Type};

/// \[n\]A, the type of a sequence.
pub fn sequence(n: usize, ty: &Type) -> Type {
    match ty {
        Type::Real(k) => Type::Real(n.saturating_mul(*k)),
        Type::Product(parts) => Type::Product(parts.iter().map(|part| sequence(n, part)).collect()),
    }
}

/// A, if the type is \[n\]A and n is not 0; else `None`.
pub fn entry_type(n: usize, ty: &Type) -> Option<Type> {
    match ty {
        Type::Real(size) => size
            .is_multiple_of(n)
            .then(|| size.checked_div(n).map(Type::Real))?,
        Type::Product(parts) => {
            let parts = parts.iter().map(|part| entry_type(n, part));
            parts.collect::<Option<_>>().map(Type::Product)
        }
    }
}

/// Splits M : \[n\]A into M₁ : A and ⟨M₂, …, Mₙ⟩ : \[n − 1\]A. A closed value is split at once, other terms by function symbols.
pub fn uncons(n: usize, ty: &Type, m: &Term, at: At) -> (Term, Term) {
    match ty {
        Type::Real(k) => {
            let size = n.saturating_mul(*k);
            (
                part(m, size, 0, *k, at),
                part(m, size, *k, size.saturating_sub(*k), at),
            )
        }
        Type::Product(parts) => {
            let pairs = parts.iter().enumerate();
            let pairs = pairs.map(|(i, ty)| uncons(n, ty, &component(m, i, at), at));
            let (first, rest): (Vec<Term>, Vec<Term>) = pairs.unzip();
            (at.tuple(first), at.tuple(rest))
        }
    }
}

/// y :: ys : \[n\]A, for y : A and ys : \[n − 1\]A.
pub fn cons(n: usize, ty: &Type, y: &Term, ys: &Term, at: At) -> Term {
    match ty {
        Type::Real(0) => Term::zero(ty, at.0),
        Type::Real(_) if n <= 1 => y.clone(),
        Type::Real(k) => {
            let concat = Symbol::concat(1, n.saturating_sub(1), *k);
            at.apply(concat, at.tuple([y.clone(), ys.clone()]))
        }
        Type::Product(parts) => {
            let parts = parts.iter().enumerate().map(|(i, ty)| {
                let (y, ys) = (component(y, i, at), component(ys, i, at));
                cons(n, ty, &y, &ys, at)
            });
            at.tuple(parts)
        }
    }
}

/// ⟨Mₙ, …, M₁⟩ : \[n\]A, for M : \[n\]A.
pub fn reversed(n: usize, ty: &Type, m: &Term, at: At) -> Term {
    match ty {
        Type::Real(0) => Term::zero(ty, at.0),
        Type::Real(_) if n <= 1 => m.clone(),
        Type::Real(k) => at.apply(Symbol::reversal(n, *k), m.clone()),
        Type::Product(parts) => {
            let parts = parts.iter().enumerate();
            at.tuple(parts.map(|(i, ty)| reversed(n, ty, &component(m, i, at), at)))
        }
    }
}

/// Component of a term: taken out of a tuple at once, else a projection.
fn component(m: &Term, index: usize, at: At) -> Term {
    match m.kind() {
        TermKind::Tuple(parts) => parts.get(index).cloned(),
        _ => None,
    }
    .unwrap_or_else(|| at.project(index, m.clone()))
}

/// Entries i … i + m − 1 of a vector of length n, i from 0.
fn part(x: &Term, n: usize, i: usize, m: usize, at: At) -> Term {
    if m == 0 {
        return Term::unit(at.0);
    }
    if m == n {
        return match x.kind() {
            TermKind::Constant(tensor) => vector(tensor.data(), at),
            _ => x.clone(),
        };
    }
    match x.kind() {
        TermKind::Constant(tensor) => vector(tensor.data().get(i..i + m).unwrap_or(&[]), at),
        _ => at.apply(Symbol::slice(n, i, m), x.clone()),
    }
}

fn vector(data: &[f64], at: At) -> Term {
    let tensor = Tensor::new(Shape::vector(data.len()), data.to_vec());
    Term::constant(
        tensor.unwrap_or_else(|| Tensor::zeros(Shape::vector(0))),
        at.0,
    )
}
