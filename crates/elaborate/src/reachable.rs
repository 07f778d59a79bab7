//! Unreachable clauses. An operation takes the first clause whose indices match. So a clause is dead if an earlier clause of the same
//! handler covers it, or if it matches no instance of its operation.
//!
//! The head of a clause is a row of slots: one for each index, and one for each size of a location's shape. Slots that must be equal
//! share a class, and a class may have a value.

use crate::calls::builtin;
use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::faults::Fault;
use fletch_syntax::Span;
use fletch_syntax::tree::{
    Clause, ClauseKind, IndexParam, IndexParamKind, Name, OpDecl, Size, SizeKind,
};
use std::collections::BTreeMap;

/// Maximal number of earlier clauses of the same operation that a clause is compared with.
const COMPARISONS: usize = 64;

impl<'a> Elaborator<'a> {
    /// Reports the clauses of one handler that can never be reached.
    pub(crate) fn check_reachable(&mut self, clauses: &'a [Clause]) {
        let mut first_return: Option<Span> = None;
        let mut earlier: BTreeMap<&'a str, Vec<(Span, Head<'a>)>> = BTreeMap::new();
        for clause in clauses {
            if let ClauseKind::Return(pattern, _) = &clause.node {
                match first_return {
                    Some(first) => {
                        self.report.add(pattern.span, Fault::SecondReturn(first));
                    }
                    None => first_return = Some(pattern.span),
                }
            }
            let Some((operation, params)) = clause.node.head() else {
                continue;
            };
            let place = params
                .last()
                .map_or(operation.span, |param| operation.span.to(param.span));
            let Some(slots) = self.slots(operation, params) else {
                // The wrong number of indices, or an unknown operation, has been reported elsewhere.
                continue;
            };
            let Some(head) = self.head(&slots, params) else {
                let declared = slots.declaration.map(|decl| decl.name.span);
                let none = Fault::NoInstance(operation.text.clone(), declared);
                self.report.add(place, none);
                continue;
            };
            let before = earlier.entry(&operation.text).or_default();
            let covering = before.iter().find(|(_, earlier)| earlier.covers(&head));
            if let Some((first, _)) = covering {
                let covered = Fault::Covered(operation.text.clone(), *first);
                self.report.add(place, covered);
            } else if before.len() < COMPARISONS {
                before.push((place, head));
            }
        }
    }

    fn slots(&self, operation: &Name, params: &[IndexParam]) -> Option<Slots<'a>> {
        if builtin(&operation.text).is_some() {
            let [param] = params else { return None };
            return Some(Slots {
                ranks: vec![Some(rank(param).unwrap_or(0))],
                declaration: None,
                // `Get[ℓ]` matches locations of any rank.
                heap_rank: Some(rank(param)),
            });
        }
        match self.declarations.callables.get(&operation.text) {
            Some(Callable::Operation(decl)) if decl.params.len() == params.len() => Some(Slots {
                ranks: decl.params.iter().map(rank).collect(),
                declaration: Some(decl),
                heap_rank: None,
            }),
            _ => None,
        }
    }

    /// The head of a clause, combined with the constraints that the declaration of the operation puts on every instance; `None` if it
    /// matches no instance.
    fn head(&mut self, slots: &Slots<'a>, params: &'a [IndexParam]) -> Option<Head<'a>> {
        let count = slots.ranks.iter().map(|rank| 1 + rank.unwrap_or(0)).sum();
        let mut head = Head {
            classes: (0..count).collect(),
            values: BTreeMap::new(),
            compound: Vec::new(),
            heap_rank: slots.heap_rank,
        };
        if let Some(decl) = slots.declaration {
            self.constrain(&mut head, slots, &decl.params, false)?;
        }
        self.constrain(&mut head, slots, params, true)?;
        Some(head)
    }

    /// Adds the constraints of a list of index parameters; `None` if nothing satisfies them.
    fn constrain(
        &mut self,
        head: &mut Head<'a>,
        slots: &Slots<'a>,
        params: &'a [IndexParam],
        clause: bool,
    ) -> Option<()> {
        let mut names: BTreeMap<&'a str, usize> = BTreeMap::new();
        let mut compound: Vec<(usize, &'a Size)> = Vec::new();
        let mut slot = 0;
        for (param, rank) in params.iter().zip(&slots.ranks) {
            match (&param.node, rank) {
                (IndexParamKind::Name(name), rank) => {
                    let own = self.declarations.locations.get(&name.text).copied();
                    let own = own.filter(|decl| {
                        clause
                            && rank.is_some()
                            && decl.params.is_empty()
                            && !names.contains_key(&*name.text)
                    });
                    match (own, rank) {
                        (Some(decl), Some(rank)) => {
                            // A rejected location may be any location.
                            let found = self.location_instance(decl, &[], name.span);
                            let Some(location) = found else {
                                slot += 1 + rank;
                                continue;
                            };
                            head.set(slot, Value::Location(location.number))?;
                            if slots.heap_rank.is_none() {
                                if location.sizes.len() != *rank {
                                    return None;
                                }
                                for (offset, size) in location.sizes.iter().enumerate() {
                                    head.set(slot + 1 + offset, Value::Size(*size as u64))?;
                                }
                            }
                        }
                        _ => head.name(&mut names, &name.text, slot)?,
                    }
                }
                (IndexParamKind::Location { name, shape }, Some(rank)) if shape.len() == *rank => {
                    for (offset, size) in shape.iter().enumerate() {
                        match &size.node {
                            SizeKind::Name(name) => {
                                head.name(&mut names, &name.text, slot + 1 + offset)?;
                            }
                            _ => compound.push((slot + 1 + offset, size)),
                        }
                    }
                    head.name(&mut names, &name.text, slot)?;
                }
                (IndexParamKind::Size(size), None) => compound.push((slot, size)),
                (IndexParamKind::Location { .. } | IndexParamKind::Size(_), _) => return None,
            }
            slot += 1 + rank.unwrap_or(0);
        }
        for (slot, size) in compound {
            if let SizeKind::Number(number) = size.node {
                head.set(slot, Value::Size(number))?;
            } else {
                let mut tokens = Vec::new();
                tokenise(size, &names, &mut tokens);
                head.compound.push((slot, tokens));
            }
        }
        Some(())
    }
}

/// Number of sizes in the shape of a location parameter; `None` for a size.
fn rank(param: &IndexParam) -> Option<usize> {
    match &param.node {
        IndexParamKind::Location { shape, .. } => Some(shape.len()),
        IndexParamKind::Name(_) | IndexParamKind::Size(_) => None,
    }
}

/// Layout of the slots of an operation's indices.
struct Slots<'a> {
    /// For each index, the number of sizes in the shape of its location; `None` for a size.
    ranks: Vec<Option<usize>>,
    declaration: Option<&'a OpDecl>,
    /// For `Get` and `Put`, the rank that the clause requires: `Some(None)` if it requires none. `None` for other operations.
    heap_rank: Option<Option<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Size(u64),
    Location(usize),
}

/// A token of a compound size, in prefix order.
#[derive(PartialEq, Eq)]
enum Token<'a> {
    Number(u64),
    /// A name bound in the list of index parameters, as the slot of its first occurrence.
    Slot(usize),
    Name(&'a str),
    Operator(char),
}

struct Head<'a> {
    /// The class of each slot.
    classes: Vec<usize>,
    /// The values of classes.
    values: BTreeMap<usize, Value>,
    /// Slots that a compound size is compared with.
    compound: Vec<(usize, Vec<Token<'a>>)>,
    heap_rank: Option<Option<usize>>,
}

impl<'a> Head<'a> {
    fn class(&self, slot: usize) -> usize {
        self.classes.get(slot).copied().unwrap_or(slot)
    }

    fn value(&self, slot: usize) -> Option<Value> {
        self.values.get(&self.class(slot)).copied()
    }

    /// Gives a slot a value; `None` if the slot has another value.
    fn set(&mut self, slot: usize, value: Value) -> Option<()> {
        let class = self.class(slot);
        (*self.values.entry(class).or_insert(value) == value).then_some(())
    }

    /// Binds a bare name at its first slot. A later slot of the name joins the class of the first.
    fn name(
        &mut self,
        names: &mut BTreeMap<&'a str, usize>,
        name: &'a str,
        slot: usize,
    ) -> Option<()> {
        let first = *names.entry(name).or_insert(slot);
        let (kept, gone) = (self.class(first), self.class(slot));
        if kept == gone {
            return Some(());
        }
        for class in &mut self.classes {
            if *class == gone {
                *class = kept;
            }
        }
        match self.values.remove(&gone) {
            Some(value) => self.set(first, value),
            None => Some(()),
        }
    }

    fn equal(&self, one: usize, other: usize) -> bool {
        self.class(one) == self.class(other)
            || self.value(one).is_some() && self.value(one) == self.value(other)
    }

    /// True if this head matches every instance that `later` matches.
    fn covers(&self, later: &Head<'a>) -> bool {
        let same_rank = match (self.heap_rank, later.heap_rank) {
            (Some(Some(rank)), Some(other)) => other == Some(rank),
            _ => true,
        };
        let slots = 0..self.classes.len();
        same_rank
            && slots.clone().all(|slot| {
                let first = slots
                    .clone()
                    .find(|first| self.class(*first) == self.class(slot));
                let values = match self.value(slot) {
                    Some(value) => later.value(slot) == Some(value),
                    None => true,
                };
                values && first.is_none_or(|first| later.equal(first, slot))
            })
            && self.compound.iter().all(|(slot, tokens)| {
                later.compound.iter().any(|(other, others)| {
                    other == slot
                        && tokens.len() == others.len()
                        && tokens
                            .iter()
                            .zip(others)
                            .all(|(one, other)| match (one, other) {
                                (Token::Slot(one), Token::Slot(other)) => later.equal(*one, *other),
                                (one, other) => one == other,
                            })
                })
            })
    }
}

fn tokenise<'a>(size: &'a Size, names: &BTreeMap<&'a str, usize>, tokens: &mut Vec<Token<'a>>) {
    let (operator, left, right) = match &size.node {
        SizeKind::Number(number) => return tokens.push(Token::Number(*number)),
        SizeKind::Name(name) => {
            return tokens.push(match names.get(&*name.text) {
                Some(slot) => Token::Slot(*slot),
                None => Token::Name(&name.text),
            });
        }
        SizeKind::Add(left, right) => ('+', left, right),
        SizeKind::Subtract(left, right) => ('-', left, right),
        SizeKind::Multiply(left, right) => ('*', left, right),
        SizeKind::Ceiling(left, right) => ('/', left, right),
    };
    tokens.push(Token::Operator(operator));
    tokenise(left, names, tokens);
    tokenise(right, names, tokens);
}
