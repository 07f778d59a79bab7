//! A judgement of a derivation in pieces: its subject on one line, its type, and its side conditions, that is, the
//! premises of its rule that are no judgements.

use super::environments::assumed;
use fletch_calculus::typing::{Derivation, Subject, TypingRule};
use fletch_calculus::{CommandKind, Index, OperationRef, Part, TermKind};
use fletch_print::{Names, inline};
use fletch_print::{Piece, PieceKind};

/// The subject, in at most about `limit` characters.
pub(super) fn subject(derivation: &Derivation, names: &Names, limit: usize) -> Vec<Piece> {
    match &derivation.subject {
        Subject::Term(term) => inline(Part::Term(term), names, limit),
        Subject::Command(command) => inline(Part::Command(command), names, limit),
        Subject::ReverseHandler(handler) => vec![handler_name(&handler.name)],
        Subject::Handler(handler) => vec![handler_name(&handler.name)],
    }
}

fn handler_name(name: &str) -> Piece {
    Piece::new(PieceKind::Handler, name)
}

/// `⊢`, or `⊢ʳ` for a reverse handler.
pub(super) fn turnstile(derivation: &Derivation) -> String {
    match derivation.subject {
        Subject::ReverseHandler(_) => "⊢ʳ".to_owned(),
        _ => "⊢".to_owned(),
    }
}

/// The type A, or C ⇒ D for an ordinary handler.
pub(super) fn ty(derivation: &Derivation) -> Vec<Piece> {
    let text = match &derivation.subject {
        Subject::Handler(handler) => format!("{} ⇒ {}", handler.handled, derivation.ty),
        _ => derivation.ty.to_string(),
    };
    vec![plain(text)]
}

/// Side conditions of the rule. `environment` is the environment as it is displayed.
pub(super) fn side(
    derivation: &Derivation,
    names: &Names,
    environment: &[Piece],
) -> Vec<Vec<Piece>> {
    let member = |mut entry: Vec<Piece>| {
        entry.push(plain(" ∈ "));
        // An environment that is written in full has the letter Γ of the figure here.
        match environment {
            [name] if name.kind == PieceKind::Metavariable => entry.push(name.clone()),
            _ => entry.push(Piece::new(PieceKind::Metavariable, "Γ")),
        }
        entry
    };
    match (derivation.rule, &derivation.subject) {
        (TypingRule::TermVariable, Subject::Term(term)) => {
            let variable = term.as_variable().map(|x| {
                let name = names.get(x).to_string();
                vec![
                    Piece::new(PieceKind::Variable, name),
                    plain(format!(" : {}", derivation.ty)),
                ]
            });
            variable.map(member).into_iter().collect()
        }
        (TypingRule::TermConstant, Subject::Term(term)) => {
            let mut entry = inline(Part::Term(term), names, CONSTANT);
            entry.push(plain(format!(" : {} ∈ Σ", derivation.ty)));
            vec![entry]
        }
        (TypingRule::TermFunction, Subject::Term(term)) => match term.kind() {
            TermKind::Apply(symbol, _) => vec![vec![
                Piece::new(PieceKind::Function, symbol.to_string()),
                plain(format!(
                    " : {} → {} ∈ Σ",
                    symbol.domain(),
                    symbol.codomain()
                )),
            ]],
            _ => Vec::new(),
        },
        (TypingRule::TermProjection, Subject::Term(term)) => match term.kind() {
            TermKind::Project(index, _) => {
                let whole = derivation.premises.first().map(|premise| &premise.ty);
                let parts = match whole {
                    Some(fletch_calculus::Type::Product(parts)) => parts.len(),
                    _ => 0,
                };
                vec![vec![plain(format!("1 ≤ {} ≤ {parts}", index + 1))]]
            }
            _ => Vec::new(),
        },
        (TypingRule::CommandOperation, Subject::Command(command)) => match command.kind() {
            CommandKind::Perform(operation, _) => {
                let mut entry = signature(operation);
                entry.push(plain(" ∈ Σ"));
                vec![entry]
            }
            _ => Vec::new(),
        },
        (TypingRule::CommandResume, Subject::Command(command)) => match command.kind() {
            CommandKind::Resume(k, _) => {
                let assumption = derivation.environment.get(k);
                let entry = assumption.map(|assumption| {
                    vec![
                        Piece::new(PieceKind::Variable, names.get(k).to_string()),
                        plain(format!(" : {}", assumed(assumption))),
                    ]
                });
                entry.map(member).into_iter().collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Maximum length of a constant in a side condition, in characters.
const CONSTANT: usize = 16;

/// Signature of an operation: `FC[ℓ0] : Real(2) ▷ Real(8)`.
pub(super) fn signature(operation: &OperationRef) -> Vec<Piece> {
    let mut pieces = operation_name(operation);
    let (domain, codomain) = (&operation.domain, &operation.codomain);
    pieces.push(plain(format!(" : {domain} ▷ {codomain}")));
    pieces
}

/// Name of an operation, `FC[ℓ0]`, as separate pieces for the name and each index.
fn operation_name(operation: &OperationRef) -> Vec<Piece> {
    let mut pieces = vec![Piece::new(PieceKind::Operation, &*operation.name)];
    for (place, index) in operation.indices.iter().enumerate() {
        pieces.push(plain(if place == 0 { "[" } else { ", " }));
        pieces.push(match index {
            Index::Location(location) => Piece::new(PieceKind::Location, &*location.name),
            Index::Size(size) => plain(size.to_string()),
        });
    }
    if !operation.indices.is_empty() {
        pieces.push(plain("]"));
    }
    pieces
}

pub(super) fn plain(text: impl Into<String>) -> Piece {
    Piece::new(PieceKind::Plain, text)
}
