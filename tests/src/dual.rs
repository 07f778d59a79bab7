//! Evaluates terms by forward differentiation. Values are dual numbers, nested for nested derivatives. M.rd(x. N)(L) is
//! computed by its definition: for every entry of L, the slope of N along that entry, weighted by M. Variables are looked
//! up in an environment. The module shares only the terms with `calculus`: neither R, nor substitution, nor typing.

use fletch_calculus::{Symbol, Term, TermKind, Type, Value};
use fletch_smooth::{Partiality, Tensor, Undefined};
use std::sync::Arc;

/// A real number, or value + slope·ε with ε² = 0. Every enclosing derivative has an infinitesimal ε of its own,
/// numbered by nesting depth. The infinitesimals inside value and slope have smaller numbers than ε.
#[derive(Clone, Debug)]
enum Number {
    Real(f64),
    Dual(usize, Arc<(Number, Number)>),
}

impl Number {
    fn dual(epsilon: usize, value: Number, slope: Number) -> Number {
        Number::Dual(epsilon, Arc::new((value, slope)))
    }

    /// Returns the number of the outermost infinitesimal, or 0 for a real number.
    fn outermost(&self) -> usize {
        match self {
            Number::Real(_) => 0,
            Number::Dual(epsilon, _) => *epsilon,
        }
    }

    /// Splits the number into value and slope along this infinitesimal. The number may contain no infinitesimal with
    /// a greater number.
    fn split(&self, epsilon: usize) -> (Number, Number) {
        match self {
            Number::Dual(own, parts) if *own == epsilon => parts.as_ref().clone(),
            _ => (self.clone(), Number::Real(0.0)),
        }
    }

    fn plus(&self, other: &Number) -> Number {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) => Number::Real(a + b),
            _ => {
                let epsilon = self.outermost().max(other.outermost());
                let ((a, da), (b, db)) = (self.split(epsilon), other.split(epsilon));
                Number::dual(epsilon, a.plus(&b), da.plus(&db))
            }
        }
    }

    fn times(&self, other: &Number) -> Number {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) => Number::Real(a * b),
            _ => {
                let epsilon = self.outermost().max(other.outermost());
                let ((a, da), (b, db)) = (self.split(epsilon), other.split(epsilon));
                Number::dual(epsilon, a.times(&b), da.times(&b).plus(&a.times(&db)))
            }
        }
    }
}

fn dot(left: &[Number], right: &[Number]) -> Number {
    let products = left.iter().zip(right).map(|(a, b)| a.times(b));
    products.fold(Number::Real(0.0), |sum, product| sum.plus(&product))
}

/// A value of a type whose entries are dual numbers.
#[derive(Clone, Debug)]
enum Jet {
    Real(Vec<Number>),
    Tuple(Vec<Jet>),
}

impl Jet {
    fn numbers(&self) -> Vec<Number> {
        match self {
            Jet::Real(numbers) => numbers.clone(),
            Jet::Tuple(parts) => parts.iter().flat_map(Jet::numbers).collect(),
        }
    }

    /// Returns a jet of the same shape with other numbers.
    fn with(&self, numbers: &mut impl Iterator<Item = Number>) -> Jet {
        match self {
            Jet::Real(own) => Jet::Real(numbers.take(own.len()).collect()),
            Jet::Tuple(parts) => Jet::Tuple(parts.iter().map(|part| part.with(numbers)).collect()),
        }
    }

    /// Returns the jet of a type with these numbers.
    fn of(ty: &Type, numbers: &mut impl Iterator<Item = Number>) -> Jet {
        match ty {
            Type::Real(size) => Jet::Real(numbers.take(*size).collect()),
            Type::Product(parts) => {
                Jet::Tuple(parts.iter().map(|part| Jet::of(part, numbers)).collect())
            }
        }
    }
}

/// Returns the value of a closed term as a list of entries, left to right.
///
/// # Errors
/// If a function symbol is undefined at its argument.
///
/// # Panics
/// If the term is open or ill typed.
pub fn evaluate(term: &Term) -> Result<Vec<f64>, Undefined> {
    let numbers = at(term, &[], 0)?.numbers();
    Ok(numbers.iter().map(real).collect())
}

#[allow(clippy::panic)] // A failed test is a panic.
fn real(number: &Number) -> f64 {
    match number {
        Number::Real(number) => *number,
        Number::Dual(..) => panic!("an infinitesimal is left"),
    }
}

/// Evaluates a term that `around` derivatives enclose.
#[allow(clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.
fn at(term: &Term, environment: &[(u32, Jet)], around: usize) -> Result<Jet, Undefined> {
    let with = |x: u32, value: Jet| {
        let mut inner = environment.to_vec();
        inner.push((x, value));
        inner
    };
    Ok(match term.kind() {
        TermKind::Variable(x) => {
            let found = environment.iter().rev().find(|(id, _)| *id == x.id);
            found
                .unwrap_or_else(|| panic!("{} is free", x.name))
                .1
                .clone()
        }
        TermKind::Constant(tensor) => Jet::Real(
            tensor
                .data()
                .iter()
                .map(|entry| Number::Real(*entry))
                .collect(),
        ),
        TermKind::Apply(symbol, m) => {
            let argument = at(m, environment, around)?.numbers();
            let result = apply(symbol, &argument)?;
            Jet::of(&symbol.codomain(), &mut result.into_iter())
        }
        TermKind::Add(m, n) => {
            let (left, right) = (at(m, environment, around)?, at(n, environment, around)?);
            let (a, b) = (left.numbers(), right.numbers());
            assert_eq!(a.len(), b.len(), "a sum of different types");
            left.with(&mut a.iter().zip(&b).map(|(a, b)| a.plus(b)))
        }
        TermKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| at(part, environment, around));
            Jet::Tuple(parts.collect::<Result<_, _>>()?)
        }
        TermKind::Project(index, m) => match at(m, environment, around)? {
            Jet::Tuple(parts) => parts[*index].clone(),
            Jet::Real(_) => panic!("no tuple"),
        },
        TermKind::Let(x, m, n) => {
            let bound = at(m, environment, around)?;
            at(n, &with(x.id, bound), around)?
        }
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            let weights = at(cotangent, environment, around)?.numbers();
            let point = at(point, environment, around)?;
            let entries = point.numbers();
            let epsilon = around + 1;
            let mut result = Vec::new();
            for along in 0..entries.len() {
                let moved = entries.iter().enumerate().map(|(entry, number)| {
                    let slope = if entry == along { 1.0 } else { 0.0 };
                    Number::dual(epsilon, number.clone(), Number::Real(slope))
                });
                let moved = point.with(&mut moved.into_iter());
                let image = at(body, &with(variable.id, moved), epsilon)?.numbers();
                let slopes: Vec<Number> =
                    image.iter().map(|number| number.split(epsilon).1).collect();
                result.push(dot(&weights, &slopes));
            }
            point.with(&mut result.into_iter())
        }
    })
}

/// Evaluates f at dual numbers: the slope of entry j is ⟨rd[f](a, eⱼ), da⟩. This trusts each symbol's own rd[f], one
/// order at a time. The laws of `smooth` test that rd[f] is the derivative of f.
fn apply(symbol: &Symbol, argument: &[Number]) -> Result<Vec<Number>, Undefined> {
    let epsilon = argument.iter().map(Number::outermost).max().unwrap_or(0);
    if epsilon == 0 {
        let entries: Vec<f64> = argument.iter().map(real).collect();
        let argument = value(&symbol.domain(), &mut entries.into_iter());
        let result = symbol.eval(&argument, Partiality::Paper)?;
        let entries = result
            .tensors()
            .into_iter()
            .flat_map(|tensor| tensor.data().to_vec());
        return Ok(entries.map(Number::Real).collect());
    }
    let (values, slopes): (Vec<Number>, Vec<Number>) =
        argument.iter().map(|number| number.split(epsilon)).unzip();
    let results = apply(symbol, &values)?;
    let reverse = symbol.reverse();
    let size = results.len();
    let row = |entry: usize| {
        let unit = (0..size).map(|other| Number::Real(if other == entry { 1.0 } else { 0.0 }));
        apply(
            &reverse,
            &values.iter().cloned().chain(unit).collect::<Vec<_>>(),
        )
    };
    let entries = results.into_iter().enumerate();
    entries
        .map(|(entry, result)| Ok(Number::dual(epsilon, result, dot(&row(entry)?, &slopes))))
        .collect()
}

fn value(ty: &Type, entries: &mut impl Iterator<Item = f64>) -> Value {
    match ty {
        Type::Real(size) => Value::Real(Tensor::vector(entries.take(*size).collect())),
        Type::Product(parts) => {
            Value::tuple(parts.iter().map(|part| value(part, entries)).collect())
        }
    }
}
