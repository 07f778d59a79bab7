//! Edits of a network and of its data that a reader can choose: layers, activations, inputs, data sets. Only edits whose result has no
//! error are offered. A network is seen here as a *chain* of layers.

mod inputs;
mod layers;
mod sets;
mod walk;

pub(crate) use walk::names as names_of;

use crate::answers::TextEdit;
use crate::check::Checked;
use crate::place::utf16;
use fletch_elaborate::Files;
use fletch_syntax::tree::{self, CommandDecl, IndexKind, ItemKind, Name, SymbolKind, TermKind};
use fletch_syntax::{Span, parse};
use serde::{Deserialize, Serialize};

/// The activations that are offered as replacements for one another.
const ACTIVATIONS: [&str; 6] = ["relu", "tanh", "sigmoid", "swish", "gelu", "softplus"];
/// Maximum number of bytes of text that are checked again in total, and of edits that are tried. Edits beyond these limits are not offered.
const BYTES: usize = 1 << 20;
const TRIED: usize = 48;

/// An edit of a network or of its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEdit {
    /// `Add a layer after z`
    pub title: String,
    /// Relation to the other edits.
    pub kind: EditKind,
    /// Start of the text that the edit is about, in UTF-16 code units.
    pub from: u32,
    /// End of the text that the edit is about.
    pub to: u32,
    /// The changes of the text, in the order of their positions.
    pub edits: Vec<TextEdit>,
}

/// Relation of an edit to the others that are offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EditKind {
    /// An edit independent of the others.
    Alone,
    /// One of several alternatives for the same text.
    Choice {
        /// Name of the choice: `Activation in tanh(z)`.
        of: String,
        /// The current alternative.
        before: String,
        /// The alternative that the edit chooses.
        after: String,
    },
    /// An edit that adds or removes something.
    Switch {
        /// Name of the group of switches: `Inputs of FC[ℓ0]`.
        of: String,
        /// Name of the switch: `square(x)`.
        name: String,
        /// True if it is present, and the edit removes it.
        on: bool,
    },
}

/// An edit that was not tried yet.
struct Proposal {
    title: String,
    kind: EditKind,
    at: Span,
    changes: Vec<(Span, String)>,
}

/// The edits of a program whose text touches the span `place`, or all its edits; empty if the program has an error.
pub fn chain_edits(
    source: &str,
    checked: &Checked,
    files: Option<&Files>,
    place: Option<Span>,
) -> Vec<ChainEdit> {
    if checked.diagnostics.iter().any(|found| found.is_error()) {
        return Vec::new();
    }
    let program = Chain {
        source,
        program: &checked.program,
    };
    let mut proposals = Vec::new();
    for item in &checked.program.items {
        if let ItemKind::Command(command) = &item.node {
            program.layers(command, &mut proposals);
            program.inputs(command, &mut proposals);
        }
    }
    program.sets(files, &mut proposals);
    for item in &checked.program.items {
        if let ItemKind::Command(command) = &item.node {
            program.activations(command, &mut proposals);
        }
    }
    let touched = |at: Span| place.is_none_or(|it| it.start <= at.end && at.start <= it.end);
    proposals.retain(|proposal| touched(proposal.at));
    let room = (BYTES / source.len().max(1)).min(TRIED);
    let helpful = proposals.into_iter().take(room);
    let helpful = helpful.filter(|proposal| {
        checks(
            &applied(source, Span::new(0, source.len()), &proposal.changes),
            files,
        )
    });
    let offered = helpful.map(|proposal| {
        let (from, to) = utf16(proposal.at, &checked.index);
        let edits = proposal.changes.into_iter().map(|(span, insert)| {
            let (from, to) = utf16(span, &checked.index);
            TextEdit { from, to, insert }
        });
        ChainEdit {
            title: proposal.title,
            kind: proposal.kind,
            from,
            to,
            edits: edits.collect(),
        }
    });
    offered.collect()
}

/// True if a text has no error.
fn checks(source: &str, files: Option<&Files>) -> bool {
    let (_, syntax) = parse(source, fletch_smooth::symbols());
    if syntax.iter().any(|found| found.is_error()) {
        return false;
    }
    let examined = crate::examination::examine(source, files);
    !examined.diagnostics.iter().any(|found| found.is_error())
}

/// The part `part` of a text with these changes, which lie in it in the order of their positions.
fn applied(source: &str, part: Span, changes: &[(Span, String)]) -> String {
    let mut text = String::new();
    let mut at = part.start;
    for (span, insert) in changes {
        let (start, end) = (at, span.start);
        text.push_str(Span { start, end }.text(source));
        text.push_str(insert);
        at = span.end;
    }
    let end = part.end;
    text.push_str(Span { start: at, end }.text(source));
    text
}

/// The program whose edits are collected.
struct Chain<'a> {
    source: &'a str,
    program: &'a tree::Program,
}

impl Chain<'_> {
    /// Proposes to replace each activation that a command applies by every other one.
    fn activations(&self, command: &CommandDecl, proposals: &mut Vec<Proposal>) {
        let mut found = Vec::new();
        walk::terms(&command.body, &mut |term| {
            if let TermKind::Call(symbol, _) = &term.node
                && let Some(name) = activation(symbol)
            {
                found.push((name.clone(), term.span));
            }
        });
        for (name, call) in found {
            let others = ACTIVATIONS.iter().filter(|other| **other != &*name.text);
            proposals.extend(others.map(|other| {
                let call = call.text(self.source);
                Proposal {
                    title: format!("Use {other} in the place of {} in {call}", name.text),
                    kind: EditKind::Choice {
                        of: format!("Activation in {call}"),
                        before: name.text.to_string(),
                        after: (*other).to_owned(),
                    },
                    at: name.span,
                    changes: vec![(name.span, (*other).to_owned())],
                }
            }));
        }
    }
}

/// The name of the activation that a symbol is; of `rows[tanh]` that of `tanh`.
fn activation(symbol: &tree::SymbolRef) -> Option<&Name> {
    let SymbolKind::Named(name, indices) = &symbol.node else {
        return None;
    };
    if ACTIVATIONS.contains(&&*name.text) {
        return Some(name);
    }
    indices.iter().find_map(|index| match &index.node {
        IndexKind::Symbol(inner) => activation(inner),
        IndexKind::Name(inner, _) => ACTIVATIONS.contains(&&*inner.text).then_some(inner),
        IndexKind::Size(_) => None,
    })
}

#[cfg(test)]
mod tests;
