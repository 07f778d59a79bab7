//! Listings of arrows as numbered statements, for a page: the applied symbol or operation, the wires, and the source span
//! of each statement. Of a long arrow only the statements around the marked ones are listed.

use crate::clip;
use fletch_arrows::{Arrow, NodeKind, passages};
use fletch_ide::place;
use fletch_print::numbers::short;
use fletch_smooth::Wire;
use fletch_syntax::LineIndex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Maximum number of statements in a listing.
pub const SHOWN: usize = 200;
/// Maximum number of entries printed of a constant.
const ENTRIES: usize = 3;

/// The statements of an arrow, or an excerpt of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// Inputs of the arrow: name and size of each wire. Wires are numbered from 0.
    pub inputs: Vec<(String, u32)>,
    /// Statements in order.
    pub statements: Vec<Statement>,
    /// Number of statements omitted before the first listed one.
    pub before: u32,
    /// Number of statements omitted after the last listed one.
    pub after: u32,
    /// Wires that the arrow returns.
    pub outputs: Vec<u32>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Number of the statement in the arrow, from 0; boxes of the diagram refer to statements by it.
    pub number: u32,
    /// Result wires, with their sizes.
    pub results: Vec<(u32, u32)>,
    /// Text of the applied symbol, constant or operation: `FC[ℓ0]`, `swish`, `[1, 0]`.
    pub applies: String,
    /// Kind of the applied thing.
    pub kind: Applied,
    /// Argument wires.
    pub arguments: Vec<u32>,
    /// Source span (from and to in UTF-16 code units) and line (from 1) of the term that the statement stems from, if any.
    pub place: Option<(u32, u32, u32)>,
    /// Handlers that the statement passed through, outermost first: `H_MLP forward FC[ℓ0]`.
    pub through: String,
    /// True if the compared arrows first differ in this statement.
    pub differs: bool,
    /// True if the run has performed this operation, so that the comparison omits it.
    pub performed: bool,
}

/// Kind of the thing that a statement applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Applied {
    /// A pure map.
    Symbol,
    /// A constant.
    Constant,
    /// An operation.
    Operation,
}

/// Statements of an arrow to be marked in a listing.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Number of the first statement that differs from the other arrow.
    pub differs: Option<usize>,
    /// Number of operations, counted from the first, that the run has performed.
    pub performed: usize,
}

impl Listing {
    /// Lists the statements of an arrow. `names` are the names of its inputs.
    pub fn of(arrow: &Arrow, names: &[String], marks: &Marks, index: &LineIndex) -> Listing {
        let map = &arrow.map;
        let all = map.statements();
        let operations = all.iter().enumerate();
        let performed: BTreeSet<usize> = operations
            .filter(|(_, statement)| statement.applied.operation().is_some())
            .map(|(number, _)| number)
            .take(marks.performed)
            .collect();
        // A listing is centred on its marked statements.
        let centre = marks.differs.or(performed.last().copied()).unwrap_or(0);
        let most = all.len().saturating_sub(SHOWN);
        let from = centre.saturating_sub(SHOWN / 2).min(most);
        let told = all.iter().enumerate().skip(from).take(SHOWN);
        let statements: Vec<Statement> = told
            .map(|(number, statement)| {
                let node = &statement.applied;
                let origin = node.provenance.origin;
                let placed = origin.end > origin.start;
                Statement {
                    number: clip(number),
                    results: statement
                        .results()
                        .map(|wire| (clip(wire), clip(map.size(Wire(wire)))))
                        .collect(),
                    applies: applied(&node.kind),
                    kind: match &node.kind {
                        NodeKind::Symbol(_) if node.operands() == Some(0) => Applied::Constant,
                        NodeKind::Symbol(_) => Applied::Symbol,
                        NodeKind::Constant(_) => Applied::Constant,
                        NodeKind::Operation(_) | NodeKind::Loop(_) => Applied::Operation,
                    },
                    arguments: statement
                        .arguments
                        .iter()
                        .map(|wire| clip(wire.0))
                        .collect(),
                    place: placed.then(|| {
                        let (from, to) = place::utf16(place::span(origin), index);
                        (from, to, index.line_column(origin.start).0)
                    }),
                    through: passages(&node.provenance),
                    differs: marks.differs == Some(number),
                    performed: performed.contains(&number),
                }
            })
            .collect();
        let sizes = map.inputs().iter().enumerate();
        let name = |k: usize| names.get(k).cloned().unwrap_or_default();
        Listing {
            inputs: sizes.map(|(k, size)| (name(k), clip(*size))).collect(),
            before: clip(from),
            after: clip(all.len() - from - statements.len()),
            statements,
            outputs: map.outputs().iter().map(|wire| clip(wire.0)).collect(),
        }
    }

    /// Number of statements of the arrow, listed or not.
    pub fn total(&self) -> usize {
        self.before as usize + self.statements.len() + self.after as usize
    }
}

/// Text of the applied thing: a constant by its first entries, rounded; anything else by its name.
fn applied(kind: &NodeKind) -> String {
    match kind {
        NodeKind::Symbol(symbol) => symbol.to_string(),
        NodeKind::Operation(operation) => operation.to_string(),
        NodeKind::Loop(looped) => looped.to_string(),
        NodeKind::Constant(tensor) if tensor.is_empty() => "()".to_owned(),
        NodeKind::Constant(tensor) => {
            let entries = tensor.data().iter().take(ENTRIES);
            let mut entries: Vec<String> = entries.map(|entry| short(*entry)).collect();
            match tensor.len() {
                1 => return entries.concat(),
                n if n > ENTRIES => entries.push("…".to_owned()),
                _ => {}
            }
            format!("[{}]", entries.join(", "))
        }
    }
}
