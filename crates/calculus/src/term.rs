//! Pure terms (Def. terms-commands): computations without operations.

use crate::components::Components;
use crate::free::FreeVariables;
use crate::variable::{Origin, Variable};
use fletch_smooth::{Symbol, Tensor, Type, Value};
use std::sync::Arc;

/// A term L, M, N. Cheap to clone: the tree is shared.
#[derive(Clone, Debug)]
pub struct Term(Arc<Node>);

#[derive(Debug)]
struct Node {
    kind: TermKind,
    origin: Origin,
    free: FreeVariables,
    value: bool,
}

/// The forms of a term.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// x
    Variable(Variable),
    /// c : Real(n), a constant symbol
    Constant(Tensor),
    /// f(M)
    Apply(Symbol, Term),
    /// M₁ + M₂, at any type (componentwise at products)
    Add(Term, Term),
    /// ⟨M₁, …, Mₙ⟩ with n ≥ 2
    Tuple(Components),
    /// proj_i(M), with i counted from 0
    Project(usize, Term),
    /// let x ← M in N
    Let(Variable, Term, Term),
    /// M.rd(x. N)(L)
    ReverseDerivative {
        /// M, the cotangent of N's value
        cotangent: Term,
        /// x
        variable: Variable,
        /// N
        body: Term,
        /// L, the point
        point: Term,
    },
}

impl Term {
    /// Makes a term of this form and origin.
    pub fn new(kind: TermKind, origin: Origin) -> Term {
        let free = match &kind {
            TermKind::Variable(x) => FreeVariables::one(x.id),
            TermKind::Constant(_) => FreeVariables::default(),
            TermKind::Apply(_, m) | TermKind::Project(_, m) => m.free().clone(),
            TermKind::Add(m, n) => m.free().union(n.free()),
            TermKind::Tuple(components) => {
                FreeVariables::union_of(components.kept().iter().map(Term::free))
            }
            TermKind::Let(x, m, n) => m.free().union(&n.free().without(x.id)),
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => cotangent
                .free()
                .union(&body.free().without(variable.id))
                .union(point.free()),
        };
        let value = match &kind {
            TermKind::Variable(_) | TermKind::Constant(_) => true,
            TermKind::Tuple(components) => components.kept().iter().all(Term::is_value),
            _ => false,
        };
        Term(Arc::new(Node {
            kind,
            origin,
            free,
            value,
        }))
    }

    /// A variable.
    pub fn variable(x: &Variable, origin: Origin) -> Term {
        Term::new(TermKind::Variable(x.clone()), origin)
    }

    /// A constant.
    pub fn constant(tensor: Tensor, origin: Origin) -> Term {
        Term::new(TermKind::Constant(tensor), origin)
    }

    /// A tuple; for one component the component itself, for none the unit value.
    pub fn tuple(components: Vec<Term>, origin: Origin) -> Term {
        match <[Term; 1]>::try_from(components) {
            Ok([only]) => only,
            Err(components) if components.is_empty() => Term::unit(origin),
            Err(components) => {
                let components: Arc<[Term]> = components.into();
                Term::new(TermKind::Tuple(components.into()), origin)
            }
        }
    }

    /// The only value of type Real(0).
    pub fn unit(origin: Origin) -> Term {
        Term::constant(Tensor::zeros(fletch_smooth::Shape::vector(0)), origin)
    }

    /// 0 at a type; at a product, a tuple of zeros.
    pub fn zero(ty: &Type, origin: Origin) -> Term {
        match ty {
            Type::Real(size) => {
                Term::constant(Tensor::zeros(fletch_smooth::Shape::vector(*size)), origin)
            }
            Type::Product(components) => Term::tuple(
                components
                    .iter()
                    .map(|component| Term::zero(component, origin))
                    .collect(),
                origin,
            ),
        }
    }

    /// M₁ + M₂
    pub fn add(left: Term, right: Term, origin: Origin) -> Term {
        Term::new(TermKind::Add(left, right), origin)
    }

    /// proj_i(M), i from 0
    pub fn project(index: usize, term: Term, origin: Origin) -> Term {
        Term::new(TermKind::Project(index, term), origin)
    }

    /// let x ← M in N
    pub fn bind(variable: Variable, bound: Term, body: Term, origin: Origin) -> Term {
        Term::new(TermKind::Let(variable, bound, body), origin)
    }

    /// A closed value as a term.
    pub fn from_value(value: &Value, origin: Origin) -> Term {
        match value {
            Value::Real(tensor) => Term::constant(tensor.clone(), origin),
            Value::Tuple(components) => Term::tuple(
                components
                    .iter()
                    .map(|component| Term::from_value(component, origin))
                    .collect(),
                origin,
            ),
        }
    }

    /// A closed value term as data; `None` if the term is not a closed value.
    pub fn to_value(&self) -> Option<Value> {
        match self.kind() {
            TermKind::Constant(tensor) => Some(Value::Real(tensor.clone())),
            TermKind::Tuple(components) if self.is_value() => {
                let components: Option<Vec<Value>> =
                    components.iter().map(Term::to_value).collect();
                components.map(|components| Value::Tuple(Arc::from(components)))
            }
            _ => None,
        }
    }

    /// Form.
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// Origin.
    pub fn origin(&self) -> Origin {
        self.0.origin
    }

    /// Free variables.
    pub fn free(&self) -> &FreeVariables {
        &self.0.free
    }

    /// True for a value U, V, W: a variable, a constant, or a tuple of values.
    pub fn is_value(&self) -> bool {
        self.0.value
    }

    /// True for a closed value.
    pub fn is_closed_value(&self) -> bool {
        self.0.value && self.0.free.is_empty()
    }

    /// The variable, if the term is one.
    pub fn as_variable(&self) -> Option<&Variable> {
        match self.kind() {
            TermKind::Variable(x) => Some(x),
            _ => None,
        }
    }

    /// Address that distinguishes this node of the shared tree from all other live nodes.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// True if both terms are the same node of the shared tree.
    pub fn same(&self, other: &Term) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
