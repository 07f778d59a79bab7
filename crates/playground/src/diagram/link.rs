//! Map from the statements of an arrow to the parts of a run: by adequacy both come in the same order. Operations met by a
//! handler are matched by number, terms by source place and by order among those of one place. A nested handler is
//! eliminated first, so on both sides its clauses are code met by the outer handler.

use crate::steps::timeline::{Half, Timeline, Work};
use fletch_arrows::{Arrow, Node, NodeKind, Pass, Passage, Whole};
use fletch_smooth::Wire;
use std::collections::{BTreeMap, BTreeSet};

/// Key of a term of a handled command: the part of the nested handler whose code it is, if any; its place; and the number
/// of earlier terms from that place in the same part.
type Key = Vec<u32>;

/// The marks in a key: a clause or a term of a handler inside, its return clause, and a place.
const PART: u32 = 1;
const RETURN: u32 = 2;
const PLACE: u32 = 3;
const OPERATION: u32 = 4;
const TERM: u32 = 5;

/// Map from the numbers of runs in an arrow to places among the runs at the top.
type Known = BTreeMap<u32, usize>;

/// The calls of one run at the top.
#[derive(Default)]
struct Run {
    number: u32,
    place: (u32, u32),
    operations: Vec<u32>,
    feedbacks: Vec<u32>,
    terms: BTreeMap<Key, u32>,
}

/// Parts of a run, by the keys that they are found by.
struct Parts {
    /// The runs at the top, in order.
    runs: Vec<Run>,
    /// Terms and heap accesses outside of all handlers, by place; accesses in order.
    outside: BTreeMap<(u32, u32), Vec<u32>>,
    accesses: Vec<u32>,
}

/// The part of the run that each statement of the arrow of `main` is, or, if `network`, of its first network alone. A statement
/// without one is there from the start, or computed for nothing.
pub fn link(arrow: &Arrow, timeline: &Timeline, network: bool) -> Vec<Option<Work>> {
    let parts = Parts::of(timeline);
    let known = parts.known(arrow);
    let written = written(arrow);
    let loops = loops(arrow);
    let (mut accesses, mut operations, mut feedbacks) = (0, 0, 0);
    let statements = arrow.map.statements().iter();
    let mut works: Vec<Option<Work>> = statements
        .map(|statement| {
            let node = &statement.applied;
            let passage = node.provenance.passage.as_deref();
            if network {
                let run = parts.runs.first()?;
                if node.operation().is_some() {
                    operations += 1;
                    let call = run.operations.get(operations - 1)?;
                    return Some(Work::Call(*call, Half::Forward));
                }
                if let NodeKind::Loop(_) = node.kind {
                    feedbacks += 1;
                    let call = run.feedbacks.get(feedbacks - 1)?;
                    return Some(Work::Call(*call, Half::Forward));
                }
                return run.term(passage, node.provenance.term, Half::Forward);
            }
            match passage {
                Some(passage) => parts.handled(&known, &loops, passage, node),
                None if node.operation().is_some() => {
                    accesses += 1;
                    let outside = parts.accesses.get(accesses - 1)?;
                    Some(Work::Outside(*outside))
                }
                None => parts.outside(&written, node.provenance.term?),
            }
        })
        .collect();
    if !network {
        let doubtful = doubtful(arrow, timeline, &works);
        for work in &mut works {
            *work = work.filter(|work| !doubtful.contains(work));
        }
    }
    sums(arrow, &mut works);
    works
}

/// The statements of the loops that each run handles, by the number of the run.
fn loops(arrow: &Arrow) -> BTreeMap<u32, BTreeSet<usize>> {
    let mut loops: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    for statement in arrow.map.statements() {
        let node = &statement.applied;
        let passage = node.provenance.passage.as_deref();
        if let (NodeKind::Loop(_), Some(passage)) = (&node.kind, passage)
            && let (false, Some(call)) = (passage.clause, &passage.call)
        {
            loops.entry(passage.run).or_default().insert(call.statement);
        }
    }
    loops
}

/// The parts that cannot be told apart: where handlers inside drop what they handle, counting may miss. By adequacy the accesses
/// of the heap are the operations of the arrow, one by one, and what a run meets goes forward in its order. What says otherwise
/// has no part: no link is better than a wrong one.
fn doubtful(arrow: &Arrow, timeline: &Timeline, works: &[Option<Work>]) -> BTreeSet<Work> {
    let mut doubtful = BTreeSet::new();
    let mut last: BTreeMap<u32, Work> = BTreeMap::new();
    let mut accesses = timeline.accesses.iter();
    for (statement, work) in arrow.map.statements().iter().zip(works) {
        let node = &statement.applied;
        // A loop has those of all its moments.
        for access in accesses.by_ref().take(performed(node)) {
            let access = access.map(|access| outermost(timeline, access));
            if access != *work {
                doubtful.extend(access.into_iter().chain(*work));
            }
        }
        let (Some(work), Some(passage)) = (*work, &node.provenance.passage) else {
            continue;
        };
        // A call has its place, and every copy of it.
        if let (Work::Call(call, _), Some(handled)) = (work, &passage.call)
            && (handled.operation.is_some() || matches!(node.kind, NodeKind::Loop(_)))
            && let Some(call) = timeline.calls.get(call as usize)
            && call.place != (handled.origin.start, handled.origin.end)
        {
            doubtful.insert(work);
        }
        if !is_sum(node) && matches!(work, Work::Call(_, Half::Forward)) {
            let before = last.insert(passage.run, work);
            doubtful.extend(before.filter(|before| *before > work).map(|_| work));
        }
    }
    doubtful
}

/// Number of accesses of the heap that a statement makes.
fn performed(node: &Node) -> usize {
    match &node.kind {
        NodeKind::Operation(_) => 1,
        NodeKind::Loop(looped) => {
            let statements = looped.body.statements().iter();
            let body = statements.map(|statement| performed(&statement.applied));
            body.fold(0, usize::saturating_add)
                .saturating_mul(looped.count)
        }
        NodeKind::Symbol(_) | NodeKind::Constant(_) => 0,
    }
}

/// The terms outside of all runs that an arrow has, by place.
fn written(arrow: &Arrow) -> BTreeMap<(u32, u32), BTreeSet<u32>> {
    let mut written: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
    for statement in arrow.map.statements() {
        let provenance = &statement.applied.provenance;
        if let (None, Some(term)) = (&provenance.passage, provenance.term) {
            let place = (term.origin.start, term.origin.end);
            written.entry(place).or_default().insert(term.occurrence);
        }
    }
    written
}

/// Part of the box with these statements; a sum of cotangents may be drawn in the box of the part that uses it.
pub fn of_box(arrow: &Arrow, works: &[Option<Work>], statements: &[usize]) -> Option<Work> {
    let of = |sums: bool| {
        let own = statements.iter().filter(move |number| {
            let statement = arrow.map.statements().get(**number);
            statement.is_some_and(|statement| is_sum(&statement.applied) == sums)
        });
        let mut works = own.filter_map(|number| works.get(*number).copied().flatten());
        works.next()
    };
    of(false).or_else(|| of(true))
}

/// True if the node adds cotangents.
pub(super) fn is_sum(node: &Node) -> bool {
    node.operands() == Some(2) && node.provenance.term.is_none()
}

/// A sum of cotangents for a nested handler belongs to the part of its last summand.
fn sums(arrow: &Arrow, works: &mut [Option<Work>]) {
    let first = arrow.map.inputs().len();
    let mut makers: Vec<Option<usize>> = vec![None; first];
    for (number, statement) in arrow.map.statements().iter().enumerate() {
        makers.extend(statement.results().map(|_| Some(number)));
        let node = &statement.applied;
        if !is_sum(node) {
            continue;
        }
        let mut shares = statement.arguments.iter().filter_map(|Wire(wire)| {
            let maker = makers.get(*wire).copied().flatten()?;
            works.get(maker).copied().flatten()
        });
        let last = shares.next_back();
        if let Some(slot) = works.get_mut(number).filter(|slot| slot.is_none()) {
            *slot = last;
        }
    }
}

/// Position from which each wire has its value; None if it never has. A wire without a part has it as soon as its arguments
/// have theirs.
pub fn arrivals(arrow: &Arrow, timeline: &Timeline, works: &[Option<Work>]) -> Vec<Option<u32>> {
    let mut from: Vec<Option<u32>> = vec![Some(0); arrow.map.inputs().len()];
    let mut loops: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (statement, work) in arrow.map.statements().iter().zip(works) {
        let arguments = statement.arguments.iter();
        let mut arguments = arguments.map(|Wire(wire)| from.get(*wire).copied().flatten());
        let there = match (work, &statement.applied.kind) {
            (Some(work), _) => until(timeline, *work),
            (None, NodeKind::Loop(looped)) => {
                let origin = statement.applied.provenance.origin;
                let before = loops.entry((origin.start, origin.end)).or_default();
                *before += 1;
                ended(
                    timeline,
                    (origin.start, origin.end),
                    *before - 1,
                    looped.count,
                )
            }
            (None, _) => arguments.try_fold(0, |last, at| Some(at?.max(last))),
        };
        from.extend(statement.results().map(|_| there));
    }
    from
}

/// Position from which the last of so many moments is over, of a feedback outside of all runs: of those of its place as many came before.
fn ended(timeline: &Timeline, place: (u32, u32), before: usize, count: usize) -> Option<u32> {
    let loops = timeline.loops.iter().enumerate();
    let mut loops = loops.filter(|(_, looped)| {
        looped.place == place && looped.inside.is_none() && looped.around.is_none()
    });
    let (number, _) = loops.nth(before)?;
    let moments = timeline.moments.iter();
    let mut moments = moments.filter(|moment| moment.looped as usize == number);
    moments.nth(count.checked_sub(1)?)?.until
}

/// The part that a part is in: what runs in a clause is that clause.
pub fn outermost(timeline: &Timeline, work: Work) -> Work {
    let mut work = work;
    // A run begins in one that began before.
    for _ in &timeline.runs {
        let run = match work {
            Work::Call(call, _) => timeline.calls.get(call as usize).map(|call| call.run),
            Work::Return(run) => Some(run),
            Work::Outside(_) => None,
        };
        let run = run.and_then(|run| timeline.runs.get(run as usize));
        match run.and_then(|run| run.inside) {
            Some(around) => work = around,
            None => break,
        }
    }
    work
}

/// The position from which a part of a run is at work.
pub fn from(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Forward) => Some(timeline.calls.get(call as usize)?.met),
        Work::Call(call, Half::Backward) => timeline.calls.get(call as usize)?.cotangent,
        Work::Return(run) => timeline.runs.get(run as usize)?.turned,
        Work::Outside(outside) => Some(timeline.outside.get(outside as usize)?.from),
    }
}

/// The position from which it is done.
pub fn until(timeline: &Timeline, work: Work) -> Option<u32> {
    match work {
        Work::Call(call, Half::Forward) => timeline.calls.get(call as usize)?.result,
        Work::Call(call, Half::Backward) => timeline.calls.get(call as usize)?.done,
        Work::Return(run) => timeline.runs.get(run as usize)?.until,
        Work::Outside(outside) => timeline.outside.get(outside as usize)?.until,
    }
}

impl Parts {
    fn of(timeline: &Timeline) -> Parts {
        let mut parts = Parts {
            runs: Vec::new(),
            outside: BTreeMap::new(),
            accesses: Vec::new(),
        };
        for (number, outside) in (0..).zip(&timeline.outside) {
            if outside.moment.is_some() {
                continue;
            }
            if outside.access {
                parts.accesses.push(number);
            } else {
                parts.outside.entry(outside.place).or_default().push(number);
            }
        }
        let keys = Keys::of(timeline);
        for (number, run) in (0..).zip(&timeline.runs) {
            if run.parent.is_none() && run.inside.is_none() {
                parts.runs.push(Run {
                    number,
                    place: run.place,
                    ..Run::default()
                });
            }
        }
        for (number, (call, key)) in (0..).zip(timeline.calls.iter().zip(keys.keys)) {
            let run = parts.runs.iter_mut().find(|run| run.number == call.run);
            let Some(run) = run else { continue };
            if call.operation {
                run.operations.push(number);
            } else if call.feedback {
                run.feedbacks.push(number);
            } else {
                run.terms.insert(key, number);
            }
        }
        parts
    }

    /// Matches the runs of an arrow with those of the timeline: runs of one `rev handle` come in the same order. An arrow
    /// also counts runs that a clause of an ordinary handler discards before they begin.
    fn known(&self, arrow: &Arrow) -> Known {
        let mut places: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
        for statement in arrow.map.statements() {
            if let Some(passage) = statement.applied.provenance.passage.as_deref() {
                let place = (passage.origin.start, passage.origin.end);
                places.entry(place).or_default().insert(passage.run);
            }
        }
        let mut known = Known::new();
        for (place, numbers) in places {
            let runs = self.runs.iter().enumerate();
            let runs = runs.filter(|(_, run)| run.place == place);
            known.extend(numbers.into_iter().zip(runs.map(|(index, _)| index)));
        }
        known
    }

    /// The part that a term outside is: of its place, as many came before. Where an arrow has as many as ran, those before
    /// count that it has: it may lack what a clause of an ordinary handler gives up.
    fn outside(&self, written: &BTreeMap<(u32, u32), BTreeSet<u32>>, term: Whole) -> Option<Work> {
        let place = (term.origin.start, term.origin.end);
        let (ran, all) = (self.outside.get(&place)?, written.get(&place)?);
        let before = match all.len() == ran.len() {
            true => all.range(..term.occurrence).count(),
            false => term.occurrence as usize,
        };
        ran.get(before).map(|outside| Work::Outside(*outside))
    }

    /// The part that a statement of a handled command is.
    fn handled(
        &self,
        known: &Known,
        loops: &BTreeMap<u32, BTreeSet<usize>>,
        passage: &Passage,
        node: &Node,
    ) -> Option<Work> {
        let run = self.runs.get(*known.get(&passage.run)?)?;
        let half = match passage.pass {
            Pass::Forward => Half::Forward,
            Pass::Backward => Half::Backward,
            Pass::Return => return Some(Work::Return(run.number)),
        };
        let handled = passage.call.as_ref()?;
        // A loop, and the zeros and sums that its way back begins with.
        let of_run = loops.get(&passage.run);
        if let Some(of_run) = of_run.filter(|loops| loops.contains(&handled.statement))
            && !passage.clause
            && node.provenance.term.is_none()
        {
            // A run of an ordinary handler unfolds its feedbacks.
            let all = of_run.len() == run.feedbacks.len();
            let ordinal = of_run.range(..handled.statement).count();
            let call = run.feedbacks.get(ordinal).filter(|_| all)?;
            return Some(Work::Call(*call, half));
        }
        match handled.operation {
            Some(ordinal) => {
                let call = run.operations.get(ordinal as usize)?;
                Some(Work::Call(*call, half))
            }
            None => run.term(passage.inner.as_deref(), node.provenance.term, half),
        }
    }
}

impl Run {
    /// The call of a term that it has met.
    fn term(&self, inner: Option<&Passage>, term: Option<Whole>, half: Half) -> Option<Work> {
        let call = self.terms.get(&term_key(inner, term?))?;
        Some(Work::Call(*call, half))
    }
}

/// The key of a term of a handled arrow.
fn term_key(passage: Option<&Passage>, term: Whole) -> Key {
    let place = |occurrence| [PLACE, term.origin.start, term.origin.end, occurrence];
    let Some(passage) = passage else {
        return place(term.occurrence).into();
    };
    let mut key = match passage.pass {
        Pass::Return => vec![RETURN, passage.run],
        Pass::Forward => vec![PART, passage.run, 0],
        Pass::Backward => vec![PART, passage.run, 1],
    };
    match &passage.call {
        Some(call) if passage.clause => {
            key.extend([OPERATION, call.operation.unwrap_or(u32::MAX)]);
            key.extend(term_key(passage.inner.as_deref(), term));
        }
        // The handled term itself, or its derivative.
        Some(_) => {
            key.push(TERM);
            key.extend(term_key(passage.inner.as_deref(), term));
            key.extend(place(0));
        }
        None => key.extend(term_key(passage.inner.as_deref(), term)),
    }
    key
}

/// Keys of the calls of a run.
struct Keys<'t> {
    timeline: &'t Timeline,
    /// For each run, the number of earlier runs with the same parent.
    ordinal: Vec<u32>,
    /// For each run, the number of operations that it has met.
    operations: Vec<u32>,
    /// For each call, the number of earlier operations of its run.
    before: Vec<u32>,
    keys: Vec<Key>,
    /// Number of terms met so far, by run, part and place.
    seen: BTreeMap<(u32, Key), u32>,
    /// The calls of handlers inside whose derivatives have been met.
    derived: Vec<bool>,
}

impl<'t> Keys<'t> {
    fn of(timeline: &'t Timeline) -> Keys<'t> {
        let mut children: BTreeMap<Option<u32>, u32> = BTreeMap::new();
        let runs = timeline.runs.iter();
        let ordinal = runs.map(|run| {
            let count = children.entry(run.parent).or_default();
            *count += 1;
            *count - 1
        });
        let mut keys = Keys {
            timeline,
            ordinal: ordinal.collect(),
            operations: vec![0; timeline.runs.len()],
            before: Vec::new(),
            keys: Vec::new(),
            seen: BTreeMap::new(),
            derived: vec![false; timeline.calls.len()],
        };
        for number in 0..timeline.calls.len() {
            keys.add(number);
        }
        keys
    }

    fn add(&mut self, number: usize) {
        let Some(call) = self.timeline.calls.get(number) else {
            return;
        };
        let mut before = 0;
        if let Some(count) = self.operations.get_mut(call.run as usize) {
            before = *count;
            *count += u32::from(call.operation);
        }
        self.before.push(before);
        let mut key = self.part(number).unwrap_or_default();
        key.extend([PLACE, call.place.0, call.place.1]);
        let count = self.seen.entry((call.run, key.clone())).or_default();
        key.push(*count);
        *count += 1;
        self.keys.push(key);
    }

    /// The part of a handler inside that a call is code of.
    fn part(&mut self, number: usize) -> Option<Key> {
        let call = self.timeline.calls.get(number)?;
        if let Some((inner, half)) = call.within {
            return self.pass(inner as usize, half);
        }
        let (runs, calls) = (&self.timeline.runs, &self.timeline.calls);
        let returns = runs.iter().position(|run| {
            let begun = run.turned.is_some_and(|turned| turned <= call.met);
            let over = run.until.is_some_and(|until| until <= call.met);
            run.parent == Some(call.run) && begun && !over
        });
        if let Some(run) = returns {
            return Some(vec![RETURN, *self.ordinal.get(run)?]);
        }
        if call.operation || call.feedback || call.moves {
            return None;
        }
        // RH-term puts the derivatives of a term after its continuation; they belong to that term.
        let before = calls.iter().enumerate().take(number).rev();
        let of = before.into_iter().find(|(inner, other)| {
            let run = runs.get(other.run as usize);
            !(other.operation || other.feedback)
                && other.place == call.place
                && run.is_some_and(|run| run.parent == Some(call.run))
                && self.derived.get(*inner) == Some(&false)
        });
        let (of, _) = of?;
        if let Some(derived) = self.derived.get_mut(of) {
            *derived = true;
        }
        self.pass(of, Half::Backward)
    }

    /// A pass of a call of a handler inside.
    fn pass(&self, number: usize, half: Half) -> Option<Key> {
        let call = self.timeline.calls.get(number)?;
        let run = *self.ordinal.get(call.run as usize)?;
        let mut key = vec![PART, run, u32::from(half == Half::Backward)];
        if call.operation {
            key.extend([OPERATION, *self.before.get(number)?]);
        } else {
            key.push(TERM);
            key.extend(self.keys.get(number)?);
        }
        Some(key)
    }
}
