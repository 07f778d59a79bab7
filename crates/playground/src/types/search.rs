//! Search of a derivation for the judgements about a piece of syntax.

use super::surface::Sought;
use crate::clip;
use fletch_calculus::Origin;
use fletch_calculus::typing::{Derivation, Subject, TypingRule};

/// Paths to the judgements found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The numbers of premises from the bottom.
    pub(super) path: Vec<u32>,
    /// The premises that are of the clause meant, of a handler.
    pub(super) clause: Vec<usize>,
}

/// Judgements about the subject, from left to right. Inside of one no other is looked for: one part of the source may
/// become several nodes of the calculus, of which the outermost is meant.
pub(super) fn search(derivation: &Derivation, sought: Sought) -> Vec<Found> {
    let mut found = Vec::new();
    visit(derivation, sought, &mut Vec::new(), &mut found);
    found
}

fn visit(derivation: &Derivation, sought: Sought, path: &mut Vec<u32>, found: &mut Vec<Found>) {
    if let Some(clause) = matched(derivation, sought) {
        let mut path = path.clone();
        if matches!(sought, Sought::HandlerOf(_)) {
            path.push(clip(derivation.premises.len().saturating_sub(1)));
        }
        found.push(Found { path, clause });
        return;
    }
    for (index, premise) in derivation.premises.iter().enumerate() {
        path.push(clip(index));
        visit(premise, sought, path, found);
        path.pop();
    }
}

/// Path to the judgement if this derivation is about the piece of syntax sought; for a clause, the numbers of its premises.
fn matched(derivation: &Derivation, sought: Sought) -> Option<Vec<usize>> {
    let at = |origin: Origin| derivation.origin() == origin;
    let rule = derivation.rule;
    let found = match (sought, &derivation.subject) {
        (Sought::Term(origin), Subject::Term(_)) => at(origin) && rule != TypingRule::TermLet,
        (Sought::TermLet(origin), Subject::Term(_)) => at(origin) && rule == TypingRule::TermLet,
        (Sought::Command(origin), Subject::Command(_)) => {
            at(origin) && rule != TypingRule::CommandLet
        }
        (Sought::CommandLet(origin), Subject::Command(_)) => {
            at(origin) && rule == TypingRule::CommandLet
        }
        (Sought::Let(origin), Subject::Command(_) | Subject::Term(_)) => {
            at(origin) && matches!(rule, TypingRule::CommandLet | TypingRule::TermLet)
        }
        (Sought::HandlerOf(origin), Subject::Command(_)) => {
            at(origin)
                && matches!(
                    rule,
                    TypingRule::CommandRevHandle | TypingRule::CommandHandle
                )
        }
        (Sought::Handler(origin), Subject::ReverseHandler(_) | Subject::Handler(_)) => at(origin),
        (Sought::Clause(origin), Subject::ReverseHandler(handler)) => {
            let mut clauses = handler.clauses.values();
            let index = clauses.position(|clause| clause.origin == origin)?;
            return Some(vec![1 + 2 * index, 2 + 2 * index]);
        }
        (Sought::Clause(origin), Subject::Handler(handler)) => {
            let mut clauses = handler.clauses.values();
            let index = clauses.position(|clause| clause.origin == origin)?;
            return Some(vec![1 + index]);
        }
        _ => false,
    };
    found.then(Vec::new)
}
