//! Links between a diagram and a run, as sent to a front end: the boxes at work in each step, the positions at which
//! wires get their values, and the source span of each box. A *part* of a run is a half of a call, a return clause, or
//! a term or heap access outside of runs ([`Work`]). Inside a loop, a part is a term, an operation or a half of a
//! handled operation, with its times at each moment.

use super::inside::{self, During, Inner};
use super::link::{is_sum, link};
use super::times::{arrivals, from, until};
use crate::clip;
use crate::program::Program;
use crate::steps::timeline::{Half, Timeline, Work};
use fletch_arrows::Node;
use fletch_diagrams::{Once, Role};
use fletch_ide::place;
use fletch_runs::denotation::{denotation, network};
use fletch_syntax::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Links from the steps and wires of a diagram to the parts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Links {
    /// Parts of the run.
    pub parts: Vec<Linked>,
    /// Part of the run for each step, by step number ([`fletch_diagrams::Shape::steps`]). The result of a step without
    /// a part exists from the start.
    pub statements: Vec<Option<Share>>,
    /// Position from which each wire outside of loops has its value; `None` if it never has one.
    pub wires: Vec<Option<u32>>,
    /// Wires in loops, by number.
    pub inner: Vec<InLoop>,
    /// Loops, an outer one before the loops in it.
    pub loops: Vec<LinkedLoop>,
}

/// A loop, with the times of its moments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedLoop {
    /// Key that folds the loop. Both passes of a handled loop share it.
    pub key: String,
    /// Index of the enclosing loop.
    pub parent: Option<u32>,
    /// Moments of the loop.
    pub moments: Vec<During>,
}

/// A wire in a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InLoop {
    /// Number of the wire.
    pub wire: u32,
    /// Index of the innermost loop around the wire.
    pub around: u32,
    /// Position from which the wire has its value, for each choice of moments of the loops around it, outermost loop first.
    pub at: Vec<(Vec<u32>, u32)>,
}

/// A part of a run, as it is linked to the diagram.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linked {
    /// The part in the timeline. For a part in a loop, the part that is the whole loop, if there is one.
    pub work: Option<Work>,
    /// Index of the innermost loop around the part.
    pub around: Option<u32>,
    /// Times of a part in a loop, one for each choice of moments.
    pub during: Vec<During>,
    /// Position from which the part is at work; in a loop, the first such position.
    pub from: Option<u32>,
    /// Position from which the part is done; in a loop, the position from which it has finished for all moments.
    pub until: Option<u32>,
    /// Stop whose sentence tells how the part begins.
    pub told: Option<u32>,
    /// Source span of the handled term or operation: from, to.
    pub source: Option<(u32, u32)>,
    /// Locations that the part reads or writes.
    pub locations: Vec<String>,
}

/// Link from a step to its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Index of the part in [`Links::parts`].
    pub part: u32,
    /// True if the step only adds cotangents. Such a sum may be drawn in the box of another part.
    pub sum: bool,
    /// Source span of the applied term or operation: from, to.
    pub place: Option<(u32, u32)>,
}

impl Links {
    /// Index of the part of the box that consists of these steps.
    pub fn of_box(&self, statements: &[usize]) -> Option<u32> {
        let shares = statements
            .iter()
            .filter_map(|number| self.statements.get(*number).copied().flatten());
        let own = shares.clone().find(|share| !share.sum);
        own.or_else(|| shares.clone().next())
            .map(|share| share.part)
    }
}

/// Links a run to the diagram of `main`, or of its network alone. Returns `None` if `main` has no such diagram.
pub(crate) fn follow(program: &Program, network: bool, timeline: Timeline) -> Option<Links> {
    let whole = denotation(&program.checked, &program.source, "main").ok()?;
    let timeline = &timeline.in_bytes(&program.checked.index);
    let works = link(&whole.arrow, timeline, None);
    let mut wires = arrivals(&whole.arrow, timeline, &works);
    let (arrow, works) = if network {
        let network = self::network(&program.checked, &program.source, "main").ok()?;
        // A wire that carries a forward value of `main` has it from the same position as the wire of the whole arrow.
        let whole = whole.network.iter();
        wires = whole.map(|wire| *wires.get((*wire)?.0)?).collect();
        let works = link(&network.arrow, timeline, network.handled);
        (network.arrow, works)
    } else {
        (whole.arrow, works)
    };
    let once = &Once::of(&arrow, &|_| false);
    let inner = inside::inner(once, timeline, &works, &wires, network);
    let mut links = Links {
        statements: vec![None; once.numbers()],
        ..Links::default()
    };
    let mut draft = Draft {
        program,
        timeline,
        numbers: BTreeMap::new(),
        links: &mut links,
    };
    let work = |statement: usize| works.get(statement).copied().flatten();
    for step in &once.steps {
        if let (None, Role::Statement) = (step.around, step.role) {
            draft.share(step.number, &step.node, work(step.statement));
        }
    }
    for round in &once.loops {
        if let (None, [statement]) = (round.parent, round.place.as_slice()) {
            draft.share(round.number, &round.node, work(*statement));
        }
    }
    draft.inside(once, &works, inner, &wires);
    Some(links)
}

/// Links under construction.
struct Draft<'a> {
    program: &'a Program,
    timeline: &'a Timeline,
    /// Index in `links.parts` of each part of the timeline.
    numbers: BTreeMap<Work, u32>,
    links: &'a mut Links,
}

impl Draft<'_> {
    /// Records the part of a step outside of loops.
    fn share(&mut self, step: usize, node: &Node, work: Option<Work>) {
        let Some(work) = work else { return };
        let (timeline, parts) = (self.timeline, &mut self.links.parts);
        let program = self.program;
        let part = *self.numbers.entry(work).or_insert_with(|| {
            parts.push(Linked {
                work: Some(work),
                around: None,
                during: Vec::new(),
                from: from(timeline, work),
                until: until(timeline, work),
                told: told(timeline, work),
                source: source(program, called(timeline, work)),
                locations: Vec::new(),
            });
            clip(parts.len() - 1)
        });
        self.step(step, node, part);
    }

    /// Records the part of a step, and the location that the step accesses.
    fn step(&mut self, step: usize, node: &Node, part: u32) {
        let (sum, origin) = (is_sum(node), node.provenance.origin);
        let place = source(self.program, Some((origin.start, origin.end)));
        if let Some(slot) = self.links.statements.get_mut(step) {
            *slot = Some(Share { part, sum, place });
        }
        let access = node
            .operation()
            .and_then(|operation| operation.heap_access());
        if let (Some((_, location)), Some(part)) = (access, self.links.parts.get_mut(part as usize))
        {
            let name = location.name.to_string();
            if !part.locations.contains(&name) {
                part.locations.push(name);
            }
        }
    }

    /// Records the parts in loops, and the arrivals of all wires.
    fn inside(
        &mut self,
        once: &Once,
        works: &[Option<Work>],
        inner: Inner<'_>,
        outer: &[Option<u32>],
    ) {
        for part in inner.parts {
            let work = once.loops.get(part.around).and_then(|round| {
                let statement = *round.place.first()?;
                works.get(statement).copied().flatten()
            });
            let number = clip(self.links.parts.len());
            let last = part.during.iter().map(|during| during.until).max();
            self.links.parts.push(Linked {
                work,
                around: Some(clip(part.around)),
                from: part.during.iter().map(|during| during.from).min(),
                until: last.flatten(),
                told: None,
                source: source(self.program, part.place),
                during: part.during,
                locations: Vec::new(),
            });
            for (step, node) in part.steps {
                self.step(step, node, number);
            }
        }
        for (wire, at) in inner.arrivals.into_iter().enumerate() {
            let around = once.place(wire).and_then(|place| place.around);
            let outside = match once.place(wire) {
                Some(place) if place.around.is_none() => outer.get(place.wire).copied().flatten(),
                _ => None,
            };
            self.links.wires.push(outside);
            if let Some(around) = around {
                self.links.inner.push(InLoop {
                    wire: clip(wire),
                    around: clip(around),
                    at: at.into_iter().collect(),
                });
            }
        }
        let loops = once.loops.iter().zip(inner.loops);
        self.links.loops = loops
            .map(|(round, moments)| LinkedLoop {
                key: round.key.clone(),
                parent: round.parent.map(clip),
                moments,
            })
            .collect();
    }
}

/// Stop whose sentence tells how a part begins.
fn told(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Backward) => {
            let call = timeline.calls.get(call as usize)?;
            call.told.or(call.cotangent)
        }
        _ => from(timeline, work),
    }
}

/// Source span, in bytes, of the handled term or operation.
fn called(timeline: &Timeline, work: Work) -> Option<(u32, u32)> {
    match work {
        Work::Call(call, _) => Some(timeline.calls.get(call as usize)?.place),
        Work::Outside(outside) => Some(timeline.outside.get(outside as usize)?.place),
        Work::Return(_) => None,
    }
}

/// Source span in UTF-16 units, unless it is empty.
fn source(program: &Program, place: Option<(u32, u32)>) -> Option<(u32, u32)> {
    let (start, end) = place?;
    let span = Span { start, end };
    (end > start).then(|| place::utf16(span, &program.checked.index))
}
