//! Assignment of statements to boxes.

use fletch_arrows::{Arrow, Node, Pass, Passage};
use fletch_smooth::{Applied, Wire};
use std::collections::BTreeMap;

/// Key of a box: statements of equal keys share one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    /// A clause of a handled operation: run, statement, pass.
    Clause(u32, usize, Pass),
    Return(u32),
    /// A term, by its occurrence: the passages as text, and its number.
    Term(String, u32),
    Single(usize),
    /// A run of a handler as a whole, and the side of the run that handles it.
    Run(String, Option<Pass>),
}

impl Key {
    /// Name that is stable from one picture of the arrow to the next, shared by boxes opened together, and the letter of the half.
    pub(super) fn name(&self) -> (String, &'static str) {
        match self {
            Key::Clause(run, statement, pass) => {
                (format!("c{run}.{statement}"), letter(Some(*pass)))
            }
            Key::Run(key, half) => (key.clone(), letter(*half)),
            Key::Return(run) => (format!("r{run}"), ""),
            Key::Term(path, number) => (format!("t{path}{number}"), ""),
            Key::Single(number) => (format!("s{number}"), ""),
        }
    }
}

/// The letter of a half.
pub(super) fn letter(half: Option<Pass>) -> &'static str {
    match half {
        Some(Pass::Forward) => "f",
        Some(Pass::Return) => "r",
        Some(Pass::Backward) => "b",
        None => "",
    }
}

/// Key of the box of a statement with this passage.
pub(super) fn key(number: usize, node: &Node, passage: Option<&Passage>) -> Key {
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

/// Key that a box shares with its counterpart on the other side of a run.
pub(super) fn unit_of(passage: &Passage, key: &Key, first: Option<&&Node>) -> Key {
    let statement = passage
        .call
        .as_ref()
        .map_or(usize::MAX, |call| call.statement);
    let term = first.and_then(|node| node.provenance.term);
    match (key, term) {
        (Key::Run(key, _), _) => Key::Run(key.clone(), None),
        (Key::Term(..), Some(term)) => Key::Term(path(passage.inner.as_deref()), term.number),
        _ => Key::Single(statement),
    }
}

/// Producer and users of each wire, as statements.
pub(super) struct Uses {
    makers: Vec<Option<usize>>,
    users: Vec<Vec<usize>>,
}

impl Uses {
    pub(super) fn of(arrow: &Arrow) -> Uses {
        let mut uses = Uses {
            makers: vec![None; arrow.map.inputs().len()],
            users: Vec::new(),
        };
        for (number, statement) in arrow.map.statements().iter().enumerate() {
            uses.makers.resize(statement.results().end, Some(number));
        }
        uses.users.resize(uses.makers.len(), Vec::new());
        for (number, statement) in arrow.map.statements().iter().enumerate() {
            for wire in &statement.arguments {
                if let Some(users) = uses.users.get_mut(wire.0) {
                    users.push(number);
                }
            }
        }
        uses
    }

    pub(super) fn maker(&self, wire: Wire) -> Option<usize> {
        self.makers.get(wire.0).copied().flatten()
    }

    fn users(&self, wire: usize) -> &[usize] {
        self.users.get(wire).map_or(&[], Vec::as_slice)
    }
}

/// A sum of cotangents that come from one box only, or go back into where they come from, is part of that box.
fn join_sums(arrow: &Arrow, uses: &Uses, keys: &mut BTreeMap<usize, Key>) {
    let statements = arrow.map.statements();
    let members: Vec<usize> = keys.keys().copied().collect();
    for number in members {
        let Some(statement) = statements.get(number) else {
            continue;
        };
        let whole = matches!(keys.get(&number), Some(Key::Run(..)));
        let sums = statement.applied.operands() == Some(2);
        if whole || !sums || statement.applied.provenance.term.is_some() {
            continue;
        }
        let made = |wire: &Wire| keys.get(&uses.maker(*wire)?).cloned();
        let (Some(a), Some(b)) = (
            statement.arguments.first().and_then(made),
            statement.arguments.get(1).and_then(made),
        ) else {
            continue;
        };
        let mut users = statement.results().flat_map(|wire| uses.users(wire));
        let feeds_back = users.any(|user| keys.get(user).is_some_and(|key| *key == a || *key == b));
        if a == b || feeds_back {
            keys.insert(number, if matches!(b, Key::Term(..)) { b } else { a });
        }
    }
}

/// A box that would need what is made from what it gives is drawn statement by statement; a run, as it is when it is not folded.
fn split_circles(
    arrow: &Arrow,
    uses: &Uses,
    keys: &mut BTreeMap<usize, Key>,
    unfolded: impl Fn(usize) -> Key,
) {
    loop {
        let mut first: BTreeMap<&Key, usize> = BTreeMap::new();
        for (number, key) in keys.iter() {
            first.entry(key).or_insert(*number);
        }
        let mut circles = keys.iter().filter_map(|(number, key)| {
            let begins = first.get(key)?;
            let statement = arrow.map.statements().get(*number)?;
            let made = statement
                .arguments
                .iter()
                .filter_map(|wire| keys.get(&uses.maker(*wire)?));
            let mut later = made.filter(|other| *other != key && first.get(other) > Some(begins));
            later.next().map(|_| key.clone())
        });
        let Some(circle) = circles.next() else {
            return;
        };
        for (number, key) in keys.iter_mut() {
            if *key == circle {
                *key = match circle {
                    Key::Run(..) => unfolded(*number),
                    _ => Key::Single(*number),
                };
            }
        }
    }
}

/// Statements grouped by box, in the order of the first of each; a statement that only makes the unit value has none.
pub(super) fn groups(
    arrow: &Arrow,
    uses: &Uses,
    mut keys: BTreeMap<usize, Key>,
    unfolded: impl Fn(usize) -> Key,
) -> Vec<(Key, Vec<usize>)> {
    join_sums(arrow, uses, &mut keys);
    split_circles(arrow, uses, &mut keys, unfolded);
    let mut members: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (number, key) in keys {
        members.entry(key).or_default().push(number);
    }
    let mut groups: Vec<(Key, Vec<usize>)> = members.into_iter().collect();
    groups.sort_by_key(|(_, statements)| statements.first().copied());
    groups.retain(|(_, group)| !group.iter().all(|number| is_unit(arrow, *number)));
    groups
}

/// True if a statement only makes the unit value.
fn is_unit(arrow: &Arrow, number: usize) -> bool {
    arrow.map.statements().get(number).is_some_and(|statement| {
        !statement.applied.is_kept()
            && statement
                .results()
                .all(|wire| arrow.map.size(Wire(wire)) == 0)
    })
}
