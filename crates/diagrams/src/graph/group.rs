//! Assignment of statements to boxes.

use super::inner::letter;
use super::once::{Once, Role};
use fletch_arrows::{Pass, Passage};
use fletch_smooth::{Applied, Wire};
use std::collections::BTreeMap;

/// Key of a box: statements with equal keys share a box.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    /// A clause of a handled operation: run; path of the handled statement, with the loops around it; pass.
    Clause(u32, Vec<usize>, Pass),
    Return(u32),
    /// A term, by its occurrence: its passages as text, and its number.
    Term(String, u32),
    Single(usize),
    /// A handled statement, with the loops around it.
    Call(Vec<usize>),
    /// A folded loop: its key, and its pass in the run that handles it.
    Loop(String, Option<Pass>),
    /// A run of a handler as a whole: its key, and its pass in the run that handles it.
    Run(String, Option<Pass>),
}

impl Key {
    /// Name that is stable from one picture of the arrow to the next and shared by boxes that are opened together, and the letter of the
    /// pass.
    pub(super) fn name(&self) -> (String, &'static str) {
        match self {
            Key::Clause(run, call, pass) => {
                (format!("c{run}.{}", numbers(call)), letter(Some(*pass)))
            }
            Key::Call(call) => (format!("u{}", numbers(call)), ""),
            Key::Run(key, half) | Key::Loop(key, half) => (key.clone(), letter(*half)),
            Key::Return(run) => (format!("r{run}"), ""),
            Key::Term(path, number) => (format!("t{path}{number}"), ""),
            Key::Single(number) => (format!("s{number}"), ""),
        }
    }
}

fn numbers(call: &[usize]) -> String {
    let numbers: Vec<String> = call.iter().map(usize::to_string).collect();
    numbers.join(".")
}

/// Key of the box of a statement with this passage, at this depth.
pub(super) fn key(once: &Once, number: usize, passage: Option<&Passage>, depth: usize) -> Key {
    if let Some(passage) = passage {
        match (passage.pass, &passage.call, passage.clause) {
            (Pass::Return, ..) => return Key::Return(passage.run),
            (pass, Some(call), true) => {
                let call = once.call(number, call.statement, depth);
                return Key::Clause(passage.run, call, pass);
            }
            _ => {}
        }
    }
    let Some(step) = once.steps.get(number) else {
        return Key::Single(number);
    };
    if let Role::Folded(own) = step.role
        && let Some(round) = once.loops.get(own)
    {
        return Key::Loop(round.key.clone(), round.half());
    }
    match step.node.provenance.term {
        // An operation is a box of its own; its argument is a term.
        Some(term) if step.node.operation().is_none() && step.role == Role::Statement => {
            Key::Term(path(once, number, passage, depth), term.number)
        }
        _ => Key::Single(number),
    }
}

/// The loops around a statement and its passages, as text.
fn path(once: &Once, number: usize, passage: Option<&Passage>, depth: usize) -> String {
    let call = once.call(number, 0, depth);
    let loops = call.split_last().map_or(&[][..], |(_, loops)| loops);
    let text = passages(passage);
    match loops {
        [] => text,
        loops => format!("{}:{text}", numbers(loops)),
    }
}

/// The passages of a statement as text.
fn passages(mut passage: Option<&Passage>) -> String {
    let mut text = String::new();
    while let Some(through) = passage {
        let call = match &through.call {
            // Outside of clauses, the statement is a copy of one of the handled arrow, which its term identifies.
            Some(call) if through.clause => call.statement.to_string(),
            _ => String::new(),
        };
        text += &format!("{}{}{call}/", through.run, through.pass.name());
        passage = through.inner.as_deref();
    }
    text
}

/// Key that a box shares with its counterpart in the other pass of a run.
pub(super) fn unit_of(once: &Once, number: usize, passage: &Passage, key: &Key) -> Key {
    let statement = passage.call.as_ref();
    let statement = statement.map_or(usize::MAX, |call| call.statement);
    let term = once.node(number).and_then(|node| node.provenance.term);
    match (key, term) {
        (Key::Run(key, _), _) => Key::Run(key.clone(), None),
        (Key::Loop(key, _), _) => Key::Loop(key.clone(), None),
        (Key::Term(..), Some(term)) => {
            let path = path(once, number, passage.inner.as_deref(), 0);
            Key::Term(path, term.number)
        }
        _ => Key::Call(once.call(number, statement, 0)),
    }
}

/// Producer and users of each wire, as statements.
pub(super) struct Uses {
    makers: Vec<Option<usize>>,
    users: Vec<Vec<usize>>,
}

impl Uses {
    pub(super) fn of(once: &Once) -> Uses {
        let mut uses = Uses {
            makers: vec![None; once.count()],
            users: vec![Vec::new(); once.count()],
        };
        for (number, step) in once.steps.iter().enumerate() {
            for wire in step.results.clone() {
                if let Some(maker) = uses.makers.get_mut(wire) {
                    *maker = Some(number);
                }
            }
        }
        for (number, step) in once.steps.iter().enumerate() {
            for wire in &step.arguments {
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

/// Adds a sum of cotangents to a box, if both summands come from the box, or if the sum goes back into the box of a summand.
fn join_sums(once: &Once, uses: &Uses, keys: &mut BTreeMap<usize, Key>) {
    let members: Vec<usize> = keys.keys().copied().collect();
    for number in members {
        let Some(statement) = once.steps.get(number) else {
            continue;
        };
        let whole = matches!(keys.get(&number), Some(Key::Run(..)));
        let sums = statement.node.operands() == Some(2);
        if whole || !sums || statement.node.provenance.term.is_some() {
            continue;
        }
        let made = |wire: &Wire| {
            let maker = uses.maker(*wire)?;
            let same = once.steps.get(maker)?.around == statement.around;
            keys.get(&maker).filter(|_| same).cloned()
        };
        let (Some(a), Some(b)) = (
            statement.arguments.first().and_then(made),
            statement.arguments.get(1).and_then(made),
        ) else {
            continue;
        };
        let mut users = statement.results.clone().flat_map(|wire| uses.users(wire));
        let feeds_back = users.any(|user| keys.get(user).is_some_and(|key| *key == a || *key == b));
        if a == b || feeds_back {
            keys.insert(number, if matches!(b, Key::Term(..)) { b } else { a });
        }
    }
}

/// Divides a box that depends on its own results, through other boxes, into its single statements; the box of a run, into the boxes of the
/// run when it is not folded.
fn split_circles(
    once: &Once,
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
            let statement = once.steps.get(*number)?;
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

/// Statements grouped by box, in the order of the first statement of each box. Statements that only make the unit value have no box.
pub(super) fn groups(
    once: &Once,
    uses: &Uses,
    mut keys: BTreeMap<usize, Key>,
    unfolded: impl Fn(usize) -> Key,
) -> Vec<(Key, Vec<usize>)> {
    join_sums(once, uses, &mut keys);
    split_circles(once, uses, &mut keys, unfolded);
    let mut members: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (number, key) in keys {
        members.entry(key).or_default().push(number);
    }
    let mut groups: Vec<(Key, Vec<usize>)> = members.into_iter().collect();
    groups.sort_by_key(|(_, statements)| statements.first().copied());
    groups.retain(|(_, group)| !group.iter().all(|number| is_unit(once, *number)));
    groups
}

/// True if a statement only makes the unit value.
fn is_unit(once: &Once, number: usize) -> bool {
    once.steps.get(number).is_some_and(|step| {
        let stays = step.role == Role::Statement || matches!(step.role, Role::Folded(_));
        let kept = stays && step.node.is_kept();
        !kept && step.results.clone().all(|wire| once.size(wire) == 0)
    })
}

#[cfg(test)]
mod tests {
    use super::{Key, Uses, groups};
    use crate::cases::{arrow, boxes, check, graph};
    use crate::graph::Once;

    #[test]
    fn a_term_is_one_box_and_an_operation_another() {
        check(
            &boxes(&graph("let y ⇐ F([1, 2]) in ⌊sin(y) + y⌋")),
            "
            [1, 2]
            F
            sin(y) + y",
        );
    }

    #[test]
    fn a_sum_of_cotangents_from_one_box_is_part_of_it() {
        check(
            &boxes(&graph(
                "rev handle([1, 2])⟨x⟩. (let y ⇐ F(x) in ⌊y ⊙ y⌋) with T([0, 1])",
            )),
            "
            [1, 2]
            F›
            y ⊙ y
            x − t
            rd[y ⊙ y]
            F‹",
        );
    }

    #[test]
    fn a_sum_of_cotangents_from_several_boxes_stands_alone() {
        check(
            &boxes(&graph(
                "rev handle([1, 2])⟨x⟩. (let y ⇐ F(x) in let z ⇐ ⌊sin(y)⌋ in F(z + y)) with H",
            )),
            "
            [1, 2]
            F›
            sin
            z + y
            F›
            F‹
            rd[sin]
            +
            F‹",
        );
    }

    #[test]
    fn a_box_that_would_need_what_is_made_from_it_is_drawn_by_statements() {
        // A constant, and three maps one after the other.
        let (arrow, _) = arrow("⌊sin(cos(sin([1, 2])))⌋");
        let once = Once::of(&arrow, &|_| false);
        let uses = Uses::of(&once);
        let together = |members: [usize; 2]| -> Vec<Vec<usize>> {
            let key = |number: usize| match members.contains(&number) {
                true => Key::Term(String::new(), 0),
                false => Key::Single(number),
            };
            let keys = (0..4).map(|number| (number, key(number))).collect();
            let found = groups(&once, &uses, keys, Key::Single);
            found.into_iter().map(|(_, group)| group).collect()
        };
        assert_eq!(together([1, 2]), [vec![0], vec![1, 2], vec![3]]);
        assert_eq!(together([1, 3]), [[0], [1], [2], [3]]);
    }
}
