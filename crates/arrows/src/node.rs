//! Nodes: the generators that the statements of an arrow apply, with the origin of each statement.

pub(crate) mod looped;

use fletch_calculus::{Index, OperationRef, Origin};
use fletch_smooth::{Applied, Builder, Differentiable, Symbol, Tensor, Wire};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use looped::Loop;

/// Generator of the free strong promonad over PSmooth that a statement applies, with its origin. Two nodes are equal if they
/// apply the same generator in the same term and the same passage. So statements are shared only inside a term: each term is a
/// map of its own, and a box in a diagram.
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
    /// A loop: a shorthand for its copies, not a generator of its own.
    Loop(Arc<Loop>),
}

/// Origin of a statement: its source span, its handlers and its term.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Span in the source.
    pub origin: Origin,
    /// Passage through reverse handlers, the outermost first.
    pub passage: Option<Arc<Passage>>,
    /// Whole term of a command that contains the statement.
    pub term: Option<Whole>,
}

/// A whole term M of a command: the M of ⌊M⌋, Op(M), rev handle(M), feedback\[n\](M) or k • M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Number, in the order of interpretation.
    pub number: u32,
    /// Origin of the whole term.
    pub origin: Origin,
    /// Number of earlier interpretations of the same node in the same command. A clause of an ordinary handler is interpreted
    /// at each call.
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

/// Passage of a statement through a reverse handler: the run, the part of the run, and the call that it was written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The handler's name.
    pub handler: Arc<str>,
    /// Number of the handler's run, from 0, among the runs at the same nesting depth in the same arrow.
    pub run: u32,
    /// Origin of the `rev handle`.
    pub origin: Origin,
    /// Number of earlier runs of the same `rev handle` at the same nesting depth in the same arrow.
    pub copy: u32,
    /// Part of the run: forward half, return clause, or backward half.
    pub pass: Pass,
    /// Handled call; `None` in the return clause, and for the zero cotangents of the run's inputs.
    pub call: Option<Handled>,
    /// True for code of a clause, false for code of the handled arrow itself.
    pub clause: bool,
    /// Passage through the next handler further inside.
    pub inner: Option<Arc<Passage>>,
}

/// A statement of a handled arrow, as a call.
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
    /// Passage of the statement inside the handled arrow.
    pub passage: Option<Arc<Passage>>,
}

/// Part of a run of a reverse handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Pass {
    /// The handled command, with its operations replaced by their forward clauses.
    Forward,
    /// The return clause.
    Return,
    /// Derivatives of pure maps, and backward clauses of operations.
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

    /// The operation that the node applies, if it applies one.
    pub fn operation(&self) -> Option<&OperationRef> {
        match &self.kind {
            NodeKind::Operation(operation) => Some(operation),
            NodeKind::Symbol(_) | NodeKind::Constant(_) | NodeKind::Loop(_) => None,
        }
    }

    /// Number of summands: 2 for the symbol +, 0 for the symbol 0, `None` for other nodes.
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
        // Constants take no wires, so the argument wires of a sharing key do not distinguish them.
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

    /// True for an operation, because of its effect, and for a partial map, because of its domain.
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

    /// Writes ⟦rd\[f\]⟧ for ⟦f⟧. Constants have no arguments. An operation has no derivative: only pure maps are derived.
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
        // The transpose of + is copying, which needs no statement.
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
    /// Name for a label with little room. An operation keeps its locations and leaves out its sizes; a map has its name alone.
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

/// Entries of a constant as text: all of them, or the first few of a large constant.
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
