//! Links between a diagram and a run, as a front end takes them: the boxes at work in each step, the positions at which
//! wires get their values, and the source of each box.

use super::link::{arrivals, from, is_sum, link, until};
use crate::clip;
use crate::program::Program;
use crate::steps::timeline::{Half, Timeline, Work};
use fletch_arrows::Arrow;
use fletch_ide::place;
use fletch_runs::denotation::{denotation, network};
use fletch_syntax::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The parts of a run in a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Links {
    /// The parts.
    pub parts: Vec<Linked>,
    /// Part of the run for each statement. A statement without one is there from the start.
    pub statements: Vec<Option<Share>>,
    /// Position from which each wire has its value; None if it never has.
    pub wires: Vec<Option<u32>>,
}

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linked {
    /// Identity of the part in the timeline.
    pub work: Work,
    /// The position from which it is at work.
    pub from: Option<u32>,
    /// The position from which it is done.
    pub until: Option<u32>,
    /// The stop that tells how it begins.
    pub told: Option<u32>,
    /// Source span of the handled term or operation: from, to.
    pub source: Option<(u32, u32)>,
    /// The locations that it reads and writes.
    pub locations: Vec<String>,
}

/// A statement of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The part, by its number.
    pub part: u32,
    /// True if the statement only adds cotangents; such a sum may be drawn in the box of another part.
    pub sum: bool,
}

impl Links {
    /// The part that a box of these statements is.
    pub fn of_box(&self, statements: &[usize]) -> Option<u32> {
        let shares = statements
            .iter()
            .filter_map(|number| self.statements.get(*number).copied().flatten());
        let own = shares.clone().find(|share| !share.sum);
        own.or_else(|| shares.clone().next())
            .map(|share| share.part)
    }
}

/// The parts of a run in the diagram of `main`, or of its network alone; nothing if there is none, or if it has a feedback: a statement of the
/// diagram is then one of each moment.
pub(crate) fn follow(program: &Program, network: bool, timeline: Timeline) -> Option<Links> {
    let whole = denotation(&program.checked, &program.source, "main").ok()?;
    if whole.arrow.has_loops() {
        return None;
    }
    let timeline = &timeline.in_bytes(&program.checked.index);
    let works = link(&whole.arrow, timeline, false);
    let mut wires = arrivals(&whole.arrow, timeline, &works);
    let (arrow, works) = if network {
        let arrow = self::network(&program.checked, &program.source, "main")
            .ok()?
            .arrow;
        // A wire that carries a forward value of `main` has it from the position at which the whole arrow has it.
        let whole = whole.network.iter();
        wires = whole.map(|wire| *wires.get((*wire)?.0)?).collect();
        let works = link(&arrow, timeline, true);
        (arrow, works)
    } else {
        (whole.arrow, works)
    };
    let mut numbers: BTreeMap<Work, u32> = BTreeMap::new();
    let mut parts: Vec<Linked> = Vec::new();
    let statements = arrow.map.statements().iter().zip(&works);
    let statements = statements.map(|(statement, work)| {
        let work = (*work)?;
        let next = clip(parts.len());
        let number = *numbers.entry(work).or_insert_with(|| {
            parts.push(Linked {
                work,
                from: from(timeline, work),
                until: until(timeline, work),
                told: told(timeline, work),
                source: source(program, timeline, work),
                locations: Vec::new(),
            });
            next
        });
        Some(Share {
            part: number,
            sum: is_sum(&statement.applied),
        })
    });
    let statements: Vec<Option<Share>> = statements.collect();
    locations(&arrow, &statements, &mut parts);
    Some(Links {
        wires,
        parts,
        statements,
    })
}

/// The stop that tells how a part begins.
fn told(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Backward) => {
            let call = timeline.calls.get(call as usize)?;
            call.told.or(call.cotangent)
        }
        _ => from(timeline, work),
    }
}

/// Source span of the handled term or operation.
fn source(program: &Program, timeline: &Timeline, work: Work) -> Option<(u32, u32)> {
    let (start, end) = match work {
        Work::Call(call, _) => timeline.calls.get(call as usize)?.place,
        Work::Outside(outside) => timeline.outside.get(outside as usize)?.place,
        Work::Return(_) => return None,
    };
    let span = Span { start, end };
    (end > start).then(|| place::utf16(span, &program.checked.index))
}

/// Notes which locations each part touches.
fn locations(arrow: &Arrow, statements: &[Option<Share>], parts: &mut [Linked]) {
    for (statement, share) in arrow.map.statements().iter().zip(statements) {
        let operation = statement.applied.operation();
        let access = operation.and_then(|operation| operation.heap_access());
        let part = share.and_then(|share| parts.get_mut(share.part as usize));
        if let (Some((_, location)), Some(part)) = (access, part) {
            let name = location.name.to_string();
            if !part.locations.contains(&name) {
                part.locations.push(name);
            }
        }
    }
}
