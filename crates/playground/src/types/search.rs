//! Search of a derivation for the judgements about a piece of syntax.

use super::surface::Sought;
use crate::clip;
use fletch_calculus::typing::{Derivation, Subject, TypingRule};
use fletch_calculus::{OperationRef, Origin};

/// A judgement found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Indices of premises from the root to the judgement.
    pub(super) path: Vec<u32>,
    /// For a clause: the indices of its premises among those of the handler.
    pub(super) clause: Vec<usize>,
}

impl Found {
    /// True if the innermost clause that contains the judgement, or that was found, is a clause of this operation.
    pub(super) fn is_in_clause(&self, derivation: &Derivation, operation: &str) -> bool {
        let mut innermost: Option<&OperationRef> = None;
        let mut below = Some(derivation);
        let clause = self.clause.iter().take(1).copied();
        for index in self.path.iter().map(|index| *index as usize).chain(clause) {
            let number = index.checked_sub(1);
            let clause = below.and_then(|below| match &below.subject {
                Subject::ReverseHandler(handler) => handler.clauses.keys().nth(number? / 2),
                Subject::Handler(handler) => handler.clauses.keys().nth(number?),
                Subject::Term(_) | Subject::Command(_) => None,
            });
            innermost = clause.or(innermost);
            below = below.and_then(|below| below.premises.get(index));
        }
        innermost.is_some_and(|innermost| innermost.to_string() == operation)
    }
}

/// Judgements about the subject, from left to right. The search does not continue inside a match: one piece of the source may
/// become several nodes of the calculus, and the outermost is meant.
pub(super) fn search(derivation: &Derivation, sought: Sought) -> Vec<Found> {
    let mut found = Vec::new();
    visit(derivation, sought, &mut Vec::new(), &mut found);
    found
}

fn visit(derivation: &Derivation, sought: Sought, path: &mut Vec<u32>, found: &mut Vec<Found>) {
    let matched = matched(derivation, sought);
    if !matched.is_empty() {
        let mut path = path.clone();
        if matches!(sought, Sought::HandlerOf(_)) {
            path.push(clip(derivation.premises.len().saturating_sub(1)));
        }
        found.extend(matched.into_iter().map(|clause| Found {
            path: path.clone(),
            clause,
        }));
        return;
    }
    for (index, premise) in derivation.premises.iter().enumerate() {
        path.push(clip(index));
        visit(premise, sought, path, found);
        path.pop();
    }
}

/// Matches of the derivation with the subject. A match is the list of the premises of a clause, and empty for any other subject.
/// A clause of a handler has a match for each operation that it handles.
fn matched(derivation: &Derivation, sought: Sought) -> Vec<Vec<usize>> {
    let at = |origin: Origin| derivation.origin().place() == origin.place();
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
            let clauses = handler.clauses.values().enumerate();
            let clauses = clauses.filter(|(_, clause)| clause.origin.place() == origin.place());
            return clauses
                .map(|(index, _)| vec![1 + 2 * index, 2 + 2 * index])
                .collect();
        }
        (Sought::Clause(origin), Subject::Handler(handler)) => {
            let clauses = handler.clauses.values().enumerate();
            let clauses = clauses.filter(|(_, clause)| clause.origin.place() == origin.place());
            return clauses.map(|(index, _)| vec![1 + index]).collect();
        }
        _ => false,
    };
    if found { vec![Vec::new()] } else { Vec::new() }
}
