//! An arrow as numbered statements, for a page: what each applies to which wires, and where in the program it comes from.
//! Of a long one only a part is told, around what matters in it.

use crate::clip;
use fletch_arrows::{Arrow, NodeKind, passages};
use fletch_ide::place;
use fletch_print::numbers::short;
use fletch_smooth::Wire;
use fletch_syntax::LineIndex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// No more statements are told.
pub const SHOWN: usize = 200;
/// Of a constant, no more entries.
const ENTRIES: usize = 3;

/// The statements of an arrow, or those around one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// What it takes: names, and the size of each wire; wires are numbered from 0.
    pub inputs: Vec<(String, u32)>,
    /// In order.
    pub statements: Vec<Statement>,
    /// How many statements come before the first one told.
    pub before: u32,
    /// How many come after the last one told.
    pub after: u32,
    /// The wires it gives.
    pub outputs: Vec<u32>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Its number, from 0: what boxes of the diagram stand for.
    pub number: u32,
    /// The wires it gives, with their sizes.
    pub results: Vec<(u32, u32)>,
    /// What it applies: `FC[ℓ0]`, `swish`, `[1, 0]`.
    pub applies: String,
    /// What that is.
    pub kind: Applied,
    /// The wires it takes.
    pub arguments: Vec<u32>,
    /// Where in the source it comes from, if it does: from and to in UTF-16 code units, and the line from 1.
    pub place: Option<(u32, u32, u32)>,
    /// The handlers that it went through, the outermost first: `H_MLP forward FC[ℓ0]`.
    pub through: String,
    /// Whether it is what the arrows differ in.
    pub differs: bool,
    /// Whether it has been performed, and is set aside.
    pub performed: bool,
}

/// What a statement applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Applied {
    /// A pure map.
    Symbol,
    /// A constant.
    Constant,
    /// An operation.
    Operation,
}

/// Which statements of an arrow matter.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// What it differs in from another one.
    pub differs: Option<usize>,
    /// So many of its operations, from the first, were performed.
    pub performed: usize,
}

impl Listing {
    /// The statements of an arrow, whose inputs have these names.
    pub fn of(arrow: &Arrow, names: &[String], marks: &Marks, index: &LineIndex) -> Listing {
        let map = &arrow.map;
        let all = map.statements();
        let operations = all.iter().enumerate();
        let performed: BTreeSet<usize> = operations
            .filter(|(_, statement)| statement.applied.operation().is_some())
            .map(|(number, _)| number)
            .take(marks.performed)
            .collect();
        // What matters is in the middle of what is told.
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

    /// How many statements the arrow has.
    pub fn total(&self) -> usize {
        self.before as usize + self.statements.len() + self.after as usize
    }
}

/// A constant by its first entries, rounded; anything else by its name.
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
