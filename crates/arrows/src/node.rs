//! Nodes: the generators that the statements of an arrow apply, with the origin of each statement.

pub(crate) mod looped;

use fletch_calculus::{Index, OperationRef, Origin};
use fletch_smooth::{Applied, Builder, Differentiable, Symbol, Tensor, Wire};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use looped::Loop;

/// Generator of the free strong promonad over PSmooth that a statement applies, with its origin. Two nodes are equal if they apply
/// the same generator in the same part of the same term: a statement is shared inside a term, so that each term is a map of its
/// own, and a box in a diagram.
#[derive(Clone, Debug)]
pub struct Node {
    /// The generator.
    pub kind: NodeKind,
    /// Origin.
    pub provenance: Provenance,
}

/// The generators of arrows.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// η(⟦f⟧), for a function symbol f.
    Symbol(Symbol),
    /// η(⟦c⟧), for a constant c.
    Constant(Tensor),
    /// An operation. It is never shared, dropped or moved past another one.
    Operation(OperationRef),
    /// A loop. It stands for its copies, and is no generator of its own.
    Loop(Arc<Loop>),
}

/// Origin of a statement.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Span in the source.
    pub origin: Origin,
    /// Passage through reverse handlers, the outermost first.
    pub passage: Option<Arc<Passage>>,
    /// Term of a command that the statement is part of.
    pub term: Option<Whole>,
}

/// A term M where a command has it: in ⌊M⌋, Op(M), rev handle(M) and k • M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Number, in the order of interpretation.
    pub number: u32,
    /// Origin of the whole term.
    pub origin: Origin,
    /// Number of times that the same node precedes it in the same command: a clause of an ordinary handler runs at each call.
    pub copy: u32,
}

impl Provenance {
    /// Provenance of a statement from this origin, outside of handlers.
    pub(crate) fn at(origin: Origin) -> Provenance {
        Provenance {
            origin,
            ..Provenance::default()
        }
    }
}

/// Part of a handled command that a statement belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The handler's name.
    pub handler: Arc<str>,
    /// Run of the reverse handler, by number among those at the same nesting in the same arrow.
    pub run: u32,
    /// Origin of the `rev handle`.
    pub origin: Origin,
    /// Number of times that the same `rev handle` precedes it at the same nesting in the same arrow.
    pub copy: u32,
    /// Direction: forward, at the turn, or backward.
    pub pass: Pass,
    /// Handled call; none in the return clause.
    pub call: Option<Handled>,
    /// True for code of a clause, false for the handled arrow's own.
    pub clause: bool,
    /// Passage through the handlers further inside.
    pub inner: Option<Arc<Passage>>,
}

/// A statement of an arrow that is handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handled {
    /// Number of the statement.
    pub statement: usize,
    /// Generator, as text: `FC[ℓ0]`.
    pub name: Arc<str>,
    /// Generator without sizes, see [`Node::brief`].
    pub brief: Arc<str>,
    /// Span in the source.
    pub origin: Origin,
    /// For an operation, the number of operations before it in the handled arrow.
    pub operation: Option<u32>,
    /// For a loop, the number of loops of the same node before it in the handled arrow.
    pub feedback: Option<u32>,
    /// The handlers that it went through in the handled arrow.
    pub passage: Option<Arc<Passage>>,
}

/// A part of a handled command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Pass {
    /// The handled command, operations replaced by their forward clauses.
    Forward,
    /// The return clause.
    Return,
    /// Derivatives and backward clauses.
    Backward,
}

impl Pass {
    /// `forward`, `return`, `backward`.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Forward => "forward",
            Pass::Return => "return",
            Pass::Backward => "backward",
        }
    }
}

impl Node {
    /// η(⟦f⟧)
    pub fn symbol(symbol: Symbol, provenance: Provenance) -> Node {
        let kind = NodeKind::Symbol(symbol);
        Node { kind, provenance }
    }

    /// The operation, if it is one.
    pub fn operation(&self) -> Option<&OperationRef> {
        match &self.kind {
            NodeKind::Operation(operation) => Some(operation),
            NodeKind::Symbol(_) | NodeKind::Constant(_) | NodeKind::Loop(_) => None,
        }
    }

    /// 2 for +, 0 for 0: how many are summed.
    pub fn operands(&self) -> Option<usize> {
        let NodeKind::Symbol(symbol) = &self.kind else {
            return None;
        };
        let n = symbol.codomain().dimension();
        if *symbol == Symbol::plus(n) {
            Some(2)
        } else if *symbol == Symbol::zero(n) {
            Some(0)
        } else {
            None
        }
    }
}

impl PartialEq for NodeKind {
    fn eq(&self, other: &NodeKind) -> bool {
        match (self, other) {
            (NodeKind::Symbol(f), NodeKind::Symbol(g)) => f == g,
            (NodeKind::Constant(c), NodeKind::Constant(d)) => {
                c.shape() == d.shape() && bits(c).eq(bits(d))
            }
            (NodeKind::Operation(op), NodeKind::Operation(other)) => op == other,
            (NodeKind::Loop(one), NodeKind::Loop(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        let (from, to) = (&self.provenance, &other.provenance);
        self.kind == other.kind && from.term == to.term && from.passage == to.passage
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Constants take no wire, so the rest of a key does not tell them apart.
        let Provenance { term, passage, .. } = &self.provenance;
        term.map(|term| term.number).hash(state);
        let call = passage.as_ref().and_then(|passage| passage.call.as_ref());
        call.map(|call| call.statement).hash(state);
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.hash(state),
            NodeKind::Constant(tensor) => bits(tensor).for_each(|bits| bits.hash(state)),
            NodeKind::Operation(operation) => operation.name.hash(state),
            NodeKind::Loop(body) => Arc::as_ptr(body).addr().hash(state),
        }
    }
}

fn bits(tensor: &Tensor) -> impl Iterator<Item = u64> + '_ {
    tensor.data().iter().map(|entry| entry.to_bits())
}

impl Applied for Node {
    fn inputs(&self) -> Vec<usize> {
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.inputs(),
            NodeKind::Constant(_) => Vec::new(),
            NodeKind::Operation(operation) => operation.domain.sizes(),
            NodeKind::Loop(body) => body.inputs(),
        }
    }

    fn outputs(&self) -> Vec<usize> {
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.outputs(),
            NodeKind::Constant(tensor) => vec![tensor.len()],
            NodeKind::Operation(operation) => operation.codomain.sizes(),
            NodeKind::Loop(body) => body.outputs(),
        }
    }

    /// An operation for what it does, a partial map for its domain.
    fn is_kept(&self) -> bool {
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.is_kept(),
            NodeKind::Constant(_) => false,
            NodeKind::Operation(_) => true,
            NodeKind::Loop(body) => body.is_kept(),
        }
    }

    fn is_shared(&self) -> bool {
        matches!(self.kind, NodeKind::Symbol(_) | NodeKind::Constant(_))
    }
}

impl Differentiable for Node {
    fn zero(n: usize) -> Node {
        Node::symbol(Symbol::zero(n), Provenance::default())
    }

    fn plus(n: usize) -> Node {
        Node::symbol(Symbol::plus(n), Provenance::default())
    }

    fn derivative_is_kept(&self) -> bool {
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.derivative_is_kept(),
            NodeKind::Constant(_) | NodeKind::Operation(_) | NodeKind::Loop(_) => false,
        }
    }

    /// ⟦rd\[f\]⟧ for ⟦f⟧; constants take nothing, and an operation has no derivative: what is derived is pure.
    fn reverse(
        &self,
        b: &mut Builder<Node>,
        point: &[Wire],
        results: &[Wire],
        cotangents: &[Option<Wire>],
    ) -> Vec<Option<Wire>> {
        let NodeKind::Symbol(symbol) = &self.kind else {
            return Vec::new();
        };
        // Copying is the transpose of +, and needs no box.
        if let (Some(operands), [Some(cotangent)]) = (self.operands(), cotangents) {
            return vec![Some(*cotangent); operands];
        }
        let mut arguments = point.to_vec();
        for (result, cotangent) in results.iter().zip(cotangents) {
            let size = b.size(*result);
            let zero = || {
                let zero = Symbol::zero(size);
                b.apply(Node::symbol(zero, self.provenance.clone()), &[])
            };
            arguments.extend(cotangent.map_or_else(zero, |cotangent| vec![cotangent]));
        }
        let reverse = Node::symbol(symbol.reverse(), self.provenance.clone());
        b.apply(reverse, &arguments).into_iter().map(Some).collect()
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.fmt(f),
            NodeKind::Operation(operation) => operation.fmt(f),
            NodeKind::Loop(body) => body.fmt(f),
            NodeKind::Constant(tensor) if tensor.is_empty() => f.write_str("()"),
            NodeKind::Constant(tensor) => f.write_str(&entries(tensor)),
        }
    }
}

impl Node {
    /// The name for a place with little room: an operation keeps its locations, and leaves out its sizes; a map has its name alone.
    pub fn brief(&self) -> String {
        match &self.kind {
            NodeKind::Symbol(symbol) => symbol.name(),
            NodeKind::Constant(_) | NodeKind::Loop(_) => self.to_string(),
            NodeKind::Operation(operation) => {
                let locations = operation.indices.iter().filter_map(|index| match index {
                    Index::Location(location) => Some(&*location.name),
                    _ => None,
                });
                let locations: Vec<&str> = locations.collect();
                match locations.as_slice() {
                    [] => operation.name.to_string(),
                    several => format!("{}[{}]", operation.name, several.join(", ")),
                }
            }
        }
    }
}

/// The entries of a constant, of a large one the first few.
pub(crate) fn entries(tensor: &Tensor) -> String {
    const SHOWN: usize = 8;
    let mut entries: Vec<String> = (tensor.data().iter().take(SHOWN))
        .map(|entry| fletch_smooth::numeral(*entry))
        .collect();
    match (tensor.len(), entries.as_slice()) {
        (1, [only]) => return only.clone(),
        (n, _) if n > SHOWN => entries.push("…".to_owned()),
        _ => {}
    }
    format!("[{}]", entries.join(", "))
}
