//! A term over some variables as a straight-line map. Such a map makes a declared function a function symbol. ⟦Γ ⊢ M :
//! A⟧ (Fig. interpretation-of-terms), down to primitives.

use crate::term::{Term, TermKind};
use crate::variable::Variable;
use fletch_smooth::{Builder, Map, Primitive, Type, Wire};
use std::collections::BTreeMap;

/// The map of a term from the values of its free variables, which must all be in `variables`. `None` if the term is ill
/// typed.
pub fn straight_line(variables: &[(Variable, Type)], term: &Term) -> Option<Map> {
    let sizes: Vec<usize> = variables.iter().flat_map(|(_, ty)| ty.sizes()).collect();
    let mut b = Builder::new(sizes);
    let mut wires = b.inputs().into_iter();
    let mut scope = BTreeMap::new();
    for (variable, ty) in variables {
        scope.insert(variable.id, Wires::of(ty, &mut wires)?);
    }
    let outputs = write(&mut b, &mut scope, term)?.leaves();
    Some(b.finish(outputs))
}

/// Wires of a value: a tree of tuples with a wire of base type at each leaf.
#[derive(Clone)]
enum Wires {
    One(Wire),
    Tuple(Vec<Wires>),
}

impl Wires {
    fn of(ty: &Type, wires: &mut impl Iterator<Item = Wire>) -> Option<Wires> {
        match ty {
            Type::Real(_) => wires.next().map(Wires::One),
            Type::Product(parts) => {
                let parts = parts.iter().map(|part| Wires::of(part, wires));
                parts.collect::<Option<_>>().map(Wires::Tuple)
            }
        }
    }

    /// Tree of the same shape over other wires.
    fn over(&self, wires: &mut impl Iterator<Item = Wire>) -> Option<Wires> {
        match self {
            Wires::One(_) => wires.next().map(Wires::One),
            Wires::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.over(wires));
                parts.collect::<Option<_>>().map(Wires::Tuple)
            }
        }
    }

    fn leaves(&self) -> Vec<Wire> {
        match self {
            Wires::One(wire) => vec![*wire],
            Wires::Tuple(parts) => parts.iter().flat_map(Wires::leaves).collect(),
        }
    }
}

type Scope = BTreeMap<u32, Wires>;

/// Writes a term; returns the wires of its value.
fn write(b: &mut Builder, scope: &mut Scope, term: &Term) -> Option<Wires> {
    match term.kind() {
        TermKind::Variable(x) => scope.get(&x.id).cloned(),
        TermKind::Constant(tensor) => Some(Wires::One(b.push(Primitive::constant(tensor), &[]))),
        TermKind::Apply(f, m) => {
            let arguments = write(b, scope, m)?.leaves();
            let results = b.inline(f.map(), &arguments);
            Wires::of(&f.codomain(), &mut results.into_iter())
        }
        TermKind::Let(x, m, n) => {
            let bound = write(b, scope, m)?;
            let hidden = scope.insert(x.id, bound);
            let written = write(b, scope, n);
            match hidden {
                Some(wires) => scope.insert(x.id, wires),
                None => scope.remove(&x.id),
            };
            written
        }
        TermKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| write(b, scope, part));
            parts.collect::<Option<_>>().map(Wires::Tuple)
        }
        TermKind::Project(index, m) => match write(b, scope, m)? {
            Wires::Tuple(parts) => parts.into_iter().nth(*index),
            Wires::One(_) => None,
        },
        TermKind::Add(m, n) => {
            let (left, right) = (write(b, scope, m)?, write(b, scope, n)?);
            let pairs = left.leaves().into_iter().zip(right.leaves());
            let sums: Vec<Wire> = pairs.map(|(m, n)| b.add(m, n)).collect();
            left.over(&mut sums.into_iter())
        }
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => {
            let cotangent = write(b, scope, cotangent)?;
            let point = write(b, scope, point)?;
            // The body is a map of x and of its other free variables. The derivative by x is the first component of the
            // result.
            let free = body.free().without(variable.id);
            let others: Vec<(u32, Wires)> = free
                .ids()
                .map(|id| Some((id, scope.get(&id)?.clone())))
                .collect::<Option<_>>()?;
            let mut inputs = point.leaves();
            let along = inputs.len();
            inputs.extend(others.iter().flat_map(|(_, wires)| wires.leaves()));
            let mut inner = Builder::new(inputs.iter().map(|wire| b.size(*wire)).collect());
            let mut wires = inner.inputs().into_iter();
            let mut inside = Scope::new();
            inside.insert(variable.id, point.over(&mut wires)?);
            for (id, tree) in &others {
                inside.insert(*id, tree.over(&mut wires)?);
            }
            let outputs = write(&mut inner, &mut inside, body)?.leaves();
            let reverse = inner.finish(outputs).reverse();
            inputs.extend(cotangent.leaves());
            let results = b.inline(&reverse, &inputs);
            point.over(&mut results.into_iter().take(along))
        }
    }
}
