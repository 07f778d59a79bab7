//! Map from the steps in the bodies of loops to a run. A moment of a feedback is matched with the body of its loop. Heap accesses and terms
//! are matched by their occurrence; copies of one occurrence are matched by order. So a step in a loop has a time for each moment.

use super::times::drawn;
use crate::clip;
use crate::steps::timeline::{OutsideTimes, Timeline, Work};
use fletch_arrows::{Node, Pass, Whole};
use fletch_calculus::Origin;
use fletch_diagrams::{Border, Once, Role, Step};
use fletch_smooth::Wire;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Time in which a step or a loop runs, at given moments of the loops around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct During {
    /// Moments of the enclosing loops, outermost first; moments count from 1.
    pub moments: Vec<u32>,
    /// Position from which it is at work.
    pub from: u32,
    /// Position from which it is done.
    pub until: Option<u32>,
}

/// Times of everything inside the loops of a diagram.
pub(super) struct Inner<'a> {
    /// Parts of the loop bodies, including nested loops.
    pub(super) parts: Vec<Part<'a>>,
    /// Position from which each wire has its value, by the moments of the loops around it. Indexed by wire number.
    pub(super) arrivals: Vec<BTreeMap<Vec<u32>, u32>>,
    /// Moments of each loop.
    pub(super) loops: Vec<Vec<During>>,
}

/// A part of a loop body: a term, an operation, half of a handled operation, or a nested loop.
pub(super) struct Part<'a> {
    /// Index of the loop.
    pub(super) around: usize,
    /// Steps of the part, each with its number.
    pub(super) steps: Vec<(usize, &'a Node)>,
    /// Source span, in bytes.
    pub(super) place: Option<(u32, u32)>,
    /// Times of the part, at each moment.
    pub(super) during: Vec<During>,
}

/// Identity of a part within a body.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// Half of a handled operation: the run and pass that handle it, and the number of the handled statement.
    Clause(u32, Pass, usize),
    /// A term: the run and pass that handle it, if any, its number and its source span in bytes.
    Term(Option<(u32, Pass)>, u32, (u32, u32)),
    /// An operation that no reverse handler handles, by the number of its step.
    Operation(usize),
}

/// A moment of a loop: the moments of the enclosing loops followed by its own number, and its index in the timeline.
struct Ran {
    path: Vec<u32>,
    moment: usize,
}

/// Tables of the moments of a run.
struct Moments<'a> {
    timeline: &'a Timeline,
    /// Terms and heap accesses of each moment, in order.
    entries: Vec<Vec<usize>>,
    /// Feedbacks that ran in each moment, in order; under `None`, feedbacks outside of all moments.
    loops: BTreeMap<Option<u32>, Vec<usize>>,
    /// Moments of each feedback.
    of_loop: Vec<Vec<usize>>,
}

/// Matches the inside of the loops of an arrow with a run. `works` has the part of the run for each statement of the arrow, `outer` the
/// position from which each of its wires has a value. In a network, operations are handled and their clauses do the accesses, so bodies are
/// not matched.
pub(super) fn inner<'a>(
    once: &'a Once,
    timeline: &Timeline,
    works: &[Option<Work>],
    outer: &[Option<u32>],
    network: bool,
) -> Inner<'a> {
    let moments = Moments::of(timeline, once);
    let ran = moments.ran(once, works);
    let mut parts = Vec::new();
    let mut own: BTreeMap<usize, usize> = BTreeMap::new();
    for around in 0..once.loops.len() {
        let of_body = match network {
            true => Vec::new(),
            false => moments.parts(once, around, ran.get(around).map_or(&[], Vec::as_slice)),
        };
        for part in of_body {
            for (step, _) in &part.steps {
                own.insert(*step, parts.len());
            }
            parts.push(part);
        }
    }
    sums(once, &mut parts, &mut own);
    for (round, ran) in once.loops.iter().zip(&ran) {
        if let Some(around) = round.parent {
            let origin = round.node.provenance.origin;
            parts.push(Part {
                around,
                steps: vec![(round.number, &round.node)],
                place: Some((origin.start, origin.end)),
                during: moments.whole(ran, round.count),
            });
        }
    }
    let arrivals = moments.arrivals(once, &ran, &parts, &own, outer);
    let during = |ran: &Ran| moments.during(ran);
    Inner {
        parts,
        arrivals,
        loops: ran
            .iter()
            .map(|ran| ran.iter().filter_map(during).collect())
            .collect(),
    }
}

impl<'t> Moments<'t> {
    /// Tables for a diagram. An ordinary handler unrolls the feedbacks in its command: the arrow has no loop for such a feedback, so what runs
    /// in its moments belongs to the moment around it.
    fn of(timeline: &'t Timeline, once: &Once) -> Moments<'t> {
        let loops = once.loops.iter();
        let drawn: BTreeSet<u32> = loops
            .map(|round| round.node.provenance.origin.occurrence)
            .collect();
        let innermost = |moment: Option<u32>| {
            let mut around = moment;
            while let Some(number) = around {
                let moment = timeline.moments.get(number as usize)?;
                let looped = timeline.loops.get(moment.looped as usize)?;
                if drawn.contains(&looped.occurrence) {
                    break;
                }
                around = looped.inside;
            }
            around
        };
        let mut moments = Moments {
            timeline,
            entries: vec![Vec::new(); timeline.moments.len()],
            loops: BTreeMap::new(),
            of_loop: vec![Vec::new(); timeline.loops.len()],
        };
        for (number, entry) in timeline.outside.iter().enumerate() {
            let moment = innermost(entry.moment).map(|moment| moment as usize);
            if let Some(entries) = moment.and_then(|moment| moments.entries.get_mut(moment)) {
                entries.push(number);
            }
        }
        for (number, looped) in timeline.loops.iter().enumerate() {
            let inside = innermost(looped.inside);
            moments.loops.entry(inside).or_default().push(number);
        }
        for (number, moment) in timeline.moments.iter().enumerate() {
            if let Some(of_loop) = moments.of_loop.get_mut(moment.looped as usize) {
                of_loop.push(number);
            }
        }
        moments
    }

    /// The moments of each loop.
    fn ran(&self, once: &Once, works: &[Option<Work>]) -> Vec<Vec<Ran>> {
        let work = |place: &[usize]| {
            let statement = place.first()?;
            works.get(*statement).copied().flatten()
        };
        let mut ran: Vec<Vec<Ran>> = Vec::new();
        for (own, round) in once.loops.iter().enumerate() {
            let (origin, around) = (round.node.provenance.origin, work(&round.place));
            let before = once.loops.iter().take(own).filter(|other| {
                other.parent == round.parent
                    && other.node.provenance.origin == origin
                    && work(&other.place) == around
            });
            let before = before.count();
            let is_own = |number: &&usize| {
                self.timeline.loops.get(**number).is_some_and(|looped| {
                    let has = |work| Some(work) == around;
                    let of = looped.around.map(|of| drawn(self.timeline, of, has));
                    looped.occurrence == origin.occurrence && of == around
                })
            };
            let outer: Vec<(Vec<u32>, Option<u32>)> = match round.parent {
                None => vec![(Vec::new(), None)],
                Some(parent) => ran.get(parent).map_or(Vec::new(), |ran| {
                    let outer = ran.iter();
                    let outer = outer.map(|ran| (ran.path.clone(), Some(clip(ran.moment))));
                    outer.collect()
                }),
            };
            let mut of_round = Vec::new();
            for (path, inside) in outer {
                let loops = self.loops.get(&inside).into_iter().flatten();
                let looped = loops.filter(is_own).nth(before);
                let moments = looped.and_then(|number| self.of_loop.get(*number));
                for moment in moments.into_iter().flatten() {
                    let number = self.timeline.moments.get(*moment).map(|times| times.number);
                    of_round.push(Ran {
                        path: path.iter().copied().chain(number).collect(),
                        moment: *moment,
                    });
                }
            }
            ran.push(of_round);
        }
        ran
    }

    fn during(&self, ran: &Ran) -> Option<During> {
        let times = self.timeline.moments.get(ran.moment)?;
        Some(During {
            moments: ran.path.clone(),
            from: times.from,
            until: times.until,
        })
    }

    /// Times of a whole loop of `count` moments within an enclosing loop, for each moment of the latter.
    fn whole(&self, ran: &[Ran], count: usize) -> Vec<During> {
        let mut during: BTreeMap<Vec<u32>, Vec<During>> = BTreeMap::new();
        for times in ran.iter().filter_map(|ran| self.during(ran)) {
            let outer = times
                .moments
                .split_last()
                .map_or(&[][..], |(_, outer)| outer);
            during.entry(outer.to_vec()).or_default().push(times);
        }
        let whole = during.into_iter().filter_map(|(moments, times)| {
            let last = times.last().filter(|_| times.len() == count);
            Some(During {
                moments,
                from: times.first()?.from,
                until: last.and_then(|last| last.until),
            })
        });
        whole.collect()
    }

    /// The parts of a body with their times.
    fn parts<'a>(&self, once: &'a Once, around: usize, ran: &[Ran]) -> Vec<Part<'a>> {
        let mut keys: Vec<Key> = Vec::new();
        let mut parts: Vec<Part<'a>> = Vec::new();
        // Parts of the copies of each operation and of each term, by occurrence.
        let mut operations: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut terms: BTreeMap<u32, Vec<Copied>> = BTreeMap::new();
        let body = once.steps.iter().filter(|step| step.around == Some(around));
        for step in body.filter(|step| step.role == Role::Statement) {
            let Some((key, place)) = key(step) else {
                continue;
            };
            let known = keys.iter().position(|known| *known == key);
            let part = known.unwrap_or_else(|| {
                keys.push(key);
                parts.push(Part {
                    around,
                    steps: Vec::new(),
                    place: Some(place),
                    during: Vec::new(),
                });
                parts.len() - 1
            });
            if let Some(part) = parts.get_mut(part) {
                part.steps.push((step.number, &step.node));
            }
            if step.node.operation().is_some() {
                let occurrence = step.node.provenance.origin.occurrence;
                operations.entry(occurrence).or_default().push(part);
            } else if let Some(term) = step.node.provenance.term {
                let copies = terms.entry(term.origin.occurrence).or_default();
                let call = called(step);
                if !copies.contains(&(term, call, part)) {
                    copies.push((term, call, part));
                }
            }
        }
        for ran in ran {
            let mut times: BTreeMap<usize, Time> = BTreeMap::new();
            let mut note = |part: usize, from: u32, until: Option<u32>| {
                let own = times.entry(part).or_insert((from, until));
                *own = (
                    own.0.min(from),
                    until.max(own.1.filter(|_| until.is_some())),
                );
            };
            let entries = self.entries.get(ran.moment).into_iter().flatten();
            let entries = entries.filter_map(|entry| self.timeline.outside.get(*entry));
            let entries: Vec<&OutsideTimes> = entries.collect();
            let over = self
                .timeline
                .moments
                .get(ran.moment)
                .and_then(|times| times.until);
            let visits = visits(&entries);
            // A different number of visits means another body, unless the moment is not over.
            for (operation, own) in &operations {
                let fits = |ran: &&Vec<Time>| ran.len() == own.len() || over.is_none();
                let ran = visits.accesses.get(operation).filter(fits);
                for ((from, until), part) in ran.into_iter().flatten().zip(own) {
                    note(*part, *from, *until);
                }
            }
            for (term, own) in &terms {
                let fits = |ran: &&Vec<Time>| ran.len() == own.len() || over.is_none();
                let each = visits.each.get(term).filter(fits);
                // On the backward pass one term makes several visits: it destructures the cotangent, then sums the results.
                let ran = each.or_else(|| visits.merged.get(term).filter(fits));
                for ((from, until), (_, _, part)) in ran.into_iter().flatten().zip(own) {
                    note(*part, *from, *until);
                }
            }
            for (part, (from, until)) in times {
                if let Some(part) = parts.get_mut(part) {
                    part.during.push(During {
                        moments: ran.path.clone(),
                        from,
                        until,
                    });
                }
            }
        }
        parts.retain(|part| !part.during.is_empty());
        parts.iter_mut().for_each(|part| part.during.sort());
        parts
    }

    /// Positions from which wires have their values, by moments.
    fn arrivals(
        &self,
        once: &Once,
        ran: &[Vec<Ran>],
        parts: &[Part<'_>],
        own: &BTreeMap<usize, usize>,
        outer: &[Option<u32>],
    ) -> Vec<BTreeMap<Vec<u32>, u32>> {
        let mut arrivals: Vec<BTreeMap<Vec<u32>, u32>> = vec![BTreeMap::new(); once.count()];
        let begins = |around: usize| {
            let ran = ran.get(around).into_iter().flatten();
            let begins = ran.filter_map(|ran| self.during(ran));
            begins.map(|during| (during.moments, during.from))
        };
        for wire in 0..once.count() {
            let Some(place) = once.place(wire) else {
                continue;
            };
            let Some(around) = place.around else {
                let at = outer.get(place.wire).copied().flatten();
                let at = at.map(|at| (Vec::new(), at));
                if let Some(slot) = arrivals.get_mut(wire) {
                    slot.extend(at);
                }
                continue;
            };
            let found: BTreeMap<Vec<u32>, u32> = match (once.border(wire), once.gives(wire)) {
                (Some(Border::Entry(_)), _) => begins(around).collect(),
                (Some(Border::Result(inner)), _) => {
                    let count = once.loops.get(inner).map_or(0, |round| round.count);
                    let ran = ran.get(inner).map_or(&[][..], Vec::as_slice);
                    let whole = self.whole(ran, count).into_iter();
                    whole
                        .filter_map(|during| Some((during.moments, during.until?)))
                        .collect()
                }
                (None, Some(step)) if matches!(step.role, Role::Delay(..)) => {
                    begins(around).collect()
                }
                (None, Some(step)) => match own.get(&step.number).and_then(|part| parts.get(*part))
                {
                    Some(part) => {
                        let during = part.during.iter();
                        let done = during.filter_map(|at| Some((at.moments.clone(), at.until?)));
                        done.collect()
                    }
                    None => begins(around)
                        .filter_map(|(path, begun)| {
                            let arguments = step.arguments.iter();
                            let mut known = arguments.map(|Wire(argument)| {
                                let depth = once.depth(*argument);
                                let path = path.get(..depth).unwrap_or(&path);
                                arrivals.get(*argument)?.get(path).copied()
                            });
                            let last = known.try_fold(begun, |last, at| Some(at?.max(last)));
                            Some((path.clone(), last?))
                        })
                        .collect(),
                },
                (None, None) => BTreeMap::new(),
            };
            if let Some(slot) = arrivals.get_mut(wire) {
                *slot = found;
            }
        }
        arrivals
    }
}

/// A term, the number of the handled statement whose clause contains it (0 for none), and its part.
type Copied = (Whole, usize, usize);

/// Position from which a part is at work, and position from which it is done.
type Time = (u32, Option<u32>);

/// Times of the heap accesses and of the terms of a moment, by occurrence.
#[derive(Default)]
struct Visits {
    /// Each access.
    accesses: BTreeMap<u32, Vec<Time>>,
    /// Each visit of a term separately.
    each: BTreeMap<u32, Vec<Time>>,
    /// Visits of a term, with consecutive visits joined into one.
    merged: BTreeMap<u32, Vec<Time>>,
}

fn visits(entries: &[&OutsideTimes]) -> Visits {
    let mut visits = Visits::default();
    let mut last = None;
    for entry in entries {
        let (occurrence, time) = (entry.occurrence, (entry.from, entry.until));
        if entry.access {
            visits.accesses.entry(occurrence).or_default().push(time);
            last = None;
            continue;
        }
        visits.each.entry(occurrence).or_default().push(time);
        let merged = visits.merged.entry(occurrence).or_default();
        match merged.last_mut().filter(|_| last == Some(occurrence)) {
            Some(before) => before.1 = entry.until,
            None => merged.push(time),
        }
        last = Some(occurrence);
    }
    visits
}

/// Identity and source span of the part that a step of a body belongs to.
fn key(step: &Step) -> Option<(Key, (u32, u32))> {
    let provenance = &step.node.provenance;
    let passage = provenance.passage.as_deref();
    let call = passage.and_then(|passage| Some((passage, passage.call.as_ref()?)));
    match (call, provenance.term) {
        (Some((passage, call)), _) if call.operation.is_some() => {
            let key = Key::Clause(passage.run, passage.pass, call.statement);
            Some((key, place(call.origin)))
        }
        (_, Some(term)) => {
            let of = passage.map(|passage| (passage.run, passage.pass));
            let place = place(term.origin);
            Some((Key::Term(of, term.number, place), place))
        }
        _ => {
            let operation = step.node.operation().map(|_| Key::Operation(step.number))?;
            Some((operation, place(provenance.origin)))
        }
    }
}

/// Number of the handled statement whose clause contains a step, to distinguish copies of a clause.
fn called(step: &Step) -> usize {
    let passage = step.node.provenance.passage.as_deref();
    let call = passage.and_then(|passage| passage.call.as_ref());
    let call = call.filter(|call| call.operation.is_some());
    call.map_or(0, |call| call.statement)
}

/// Assigns each sum of cotangents to the part of its last summand.
fn sums<'a>(once: &'a Once, parts: &mut [Part<'a>], own: &mut BTreeMap<usize, usize>) {
    for step in &once.steps {
        let sum = step.node.operands() == Some(2) && step.node.provenance.term.is_none();
        if step.around.is_none() || !sum || own.contains_key(&step.number) {
            continue;
        }
        let mut shares = step.arguments.iter().filter_map(|Wire(wire)| {
            let maker = once.gives(*wire)?;
            own.get(&maker.number).copied()
        });
        if let Some(number) = shares.next_back()
            && let Some(part) = parts.get_mut(number)
            && Some(part.around) == step.around
        {
            part.steps.push((step.number, &step.node));
            own.insert(step.number, number);
        }
    }
}

fn place(origin: Origin) -> (u32, u32) {
    (origin.start, origin.end)
}
