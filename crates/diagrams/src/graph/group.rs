//! Which statements of an arrow stand in one box.

use fletch_arrows::{Arrow, Node, Pass, Passage};
use fletch_smooth::Wire;
use std::collections::BTreeMap;

/// What puts statements into one box.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    /// A clause of a handled operation: run, statement, pass.
    Clause(u32, usize, Pass),
    Return(u32),
    /// A term, where it stands: the passages as text, and its number.
    Term(String, u32),
    Single(usize),
}

/// Which box a statement goes to.
pub(super) fn key(number: usize, node: &Node) -> Key {
    let passage = node.provenance.passage.as_deref();
    if let Some(passage) = passage {
        match (passage.pass, &passage.call, passage.clause) {
            (Pass::Return, ..) => return Key::Return(passage.run),
            (pass, Some(call), true) => return Key::Clause(passage.run, call.statement, pass),
            _ => {}
        }
    }
    match node.provenance.term {
        // An operation is a box of its own; its argument is a term.
        Some(term) if node.operation().is_none() => Key::Term(path(passage), term.number),
        _ => Key::Single(number),
    }
}

/// The passages of a statement as text.
fn path(mut passage: Option<&Passage>) -> String {
    let mut text = String::new();
    while let Some(through) = passage {
        let call = match &through.call {
            // A copy of the handled arrow's own statement: its term says which.
            Some(call) if through.clause => call.statement.to_string(),
            _ => String::new(),
        };
        text += &format!("{}{}{call}/", through.run, through.pass.name());
        passage = through.inner.as_deref();
    }
    text
}

/// What a box and its counterpart on the other side of a run have in common.
pub(super) fn unit_of(passage: &Passage, key: &Key, first: Option<&&Node>) -> Key {
    let statement = passage
        .call
        .as_ref()
        .map_or(usize::MAX, |call| call.statement);
    let term = first.and_then(|node| node.provenance.term);
    match (key, term) {
        (Key::Term(..), Some(term)) => Key::Term(path(passage.inner.as_deref()), term.number),
        _ => Key::Single(statement),
    }
}

/// The statement that gives each wire.
pub(super) fn makers(arrow: &Arrow) -> BTreeMap<usize, usize> {
    let statements = arrow.map.statements().iter().enumerate();
    let results = statements
        .flat_map(|(number, statement)| statement.results().map(move |wire| (wire, number)));
    results.collect()
}

/// A sum of cotangents that come from one box only, or go back into where they come from, is part of that box.
pub(super) fn join_sums(arrow: &Arrow, keys: &mut [Key]) {
    let statements = arrow.map.statements();
    let maker = makers(arrow);
    for (number, statement) in statements.iter().enumerate() {
        if statement.applied.operands() != Some(2) || statement.applied.provenance.term.is_some() {
            continue;
        }
        let made = |wire: &Wire| {
            maker
                .get(&wire.0)
                .and_then(|maker| keys.get(*maker))
                .cloned()
        };
        let (Some(a), Some(b)) = (
            statement.arguments.first().and_then(made),
            statement.arguments.get(1).and_then(made),
        ) else {
            continue;
        };
        let feeds_back = statements.iter().enumerate().any(|(user, other)| {
            let uses = other
                .arguments
                .iter()
                .any(|wire| statement.results().contains(&wire.0));
            uses && keys.get(user).is_some_and(|key| *key == a || *key == b)
        });
        if a == b || feeds_back {
            let key = if matches!(b, Key::Term(..)) { b } else { a };
            if let Some(slot) = keys.get_mut(number) {
                *slot = key;
            }
        }
    }
}

/// A box that would need what is made from what it gives is drawn statement by statement.
pub(super) fn split_circles(arrow: &Arrow, keys: &mut [Key]) {
    let makers = makers(arrow);
    loop {
        let mut first: BTreeMap<&Key, usize> = BTreeMap::new();
        for (number, key) in keys.iter().enumerate() {
            first.entry(key).or_insert(number);
        }
        let statements = arrow.map.statements().iter().zip(keys.iter());
        let circle = statements.map(|(statement, key)| {
            let begins = first.get(key)?;
            let made = statement
                .arguments
                .iter()
                .filter_map(|wire| keys.get(*makers.get(&wire.0)?));
            let mut later = made.filter(|other| *other != key && first.get(other) > Some(begins));
            later.next().map(|_| key.clone())
        });
        let Some(circle) = circle.flatten().next() else {
            return;
        };
        for (number, key) in keys.iter_mut().enumerate() {
            if *key == circle {
                *key = Key::Single(number);
            }
        }
    }
}
