//! Map from the statements of an arrow to the parts of a run. A *part* is a half of a call, a return clause, or a term or heap access
//! outside of all runs ([`Work`]). Statements and calls both carry the occurrence of the program node that they come from
//! ([`Origin::occurrence`](fletch_calculus::Origin)), so a part is looked up by occurrence. Where a node runs several times, its copies
//! are counted: by adequacy they come in the same order on both sides. The operations that a run handles are looked up by number. A
//! nested handler is eliminated first, so on both sides its clauses are code that the outer handler handles.

use crate::clip;
use crate::steps::timeline::{CallTimes, Half, Timeline, Work};
use fletch_arrows::{Arrow, Handled, Node, Pass, Passage, Whole, calls};
use fletch_calculus::Origin;
use fletch_smooth::Wire;
use std::collections::BTreeMap;

/// A node that runs: its occurrence, and the number of times that it ran before in the same part.
type Copied = (u32, u32);

/// Part of the run of a nested handler. `Copied` identifies the run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// The forward or backward half of a term that the nested run handles.
    Met(Copied, Half),
    /// A half of the clause for the operation of this number in the nested run.
    Clause(Copied, Half, u32),
    /// The return clause of the nested run.
    Return(Copied),
}

/// Key of a term that a run handles: the parts of nested runs that contain it, outermost first, and its node.
type Key = (Vec<Part>, Copied);

/// Calls of a run.
#[derive(Default)]
struct Run {
    /// The `rev handle`.
    node: Copied,
    /// Operations, in order, as indices into `Timeline::calls`.
    operations: Vec<u32>,
    /// Feedbacks by occurrence, in order, as indices into `Timeline::calls`.
    feedbacks: BTreeMap<u32, Vec<u32>>,
    terms: BTreeMap<Key, u32>,
}

/// Lookup tables of the parts of a timeline.
struct Parts<'t> {
    timeline: &'t Timeline,
    /// Runs, in the order of the timeline.
    runs: Vec<Run>,
    /// Indices of the runs that no other run handles.
    tops: BTreeMap<Copied, u32>,
    /// Key of each call, and the number of operations that its run had handled before.
    keys: Vec<(Key, u32)>,
    /// Number of times that a run has handled a node in a part: run, part, occurrence.
    met: BTreeMap<(u32, Vec<Part>, u32), u32>,
    /// For each term of a nested run, the half that the outer run handled last.
    halves: Vec<Option<Half>>,
    /// Terms and heap accesses outside of all runs, by occurrence, in order.
    outside: BTreeMap<u32, Vec<u32>>,
}

/// Finds the part of the run for each statement of the arrow of `main`, or of the network of one of its `rev handle`s. The result of a
/// statement without a part exists from the start, or is never used.
pub fn link(arrow: &Arrow, timeline: &Timeline, network: Option<Origin>) -> Vec<Option<Work>> {
    let parts = Parts::of(timeline);
    let statements = arrow.map.statements().iter();
    let nodes = statements.map(|statement| &statement.applied);
    let mut works: Vec<Option<Work>> = match network {
        Some(handled) => {
            let first = parts.tops.get(&(handled.occurrence, 0));
            let run = first.and_then(|first| parts.runs.get(*first as usize));
            let calls = calls(&arrow.map);
            let nodes = nodes.zip(&calls);
            nodes
                .map(|(node, call)| run?.part(node, call, call.passage.as_deref(), Half::Forward))
                .collect()
        }
        None => {
            let mut performed = BTreeMap::new();
            let works = nodes.clone();
            let works = works.map(|node| parts.part(node, &mut performed));
            works.collect()
        }
    };
    sums(arrow, &mut works);
    works
}

/// Part of the run for the box with these statements. A sum of cotangents may be drawn in the box of the part that uses it, so other
/// statements take precedence.
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

/// Assigns each sum of cotangents of a nested handler to the part of its last summand.
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

impl<'t> Parts<'t> {
    fn of(timeline: &'t Timeline) -> Parts<'t> {
        let mut parts = Parts {
            timeline,
            runs: Vec::new(),
            tops: BTreeMap::new(),
            keys: Vec::new(),
            met: BTreeMap::new(),
            halves: vec![None; timeline.calls.len()],
            outside: BTreeMap::new(),
        };
        let mut begun: BTreeMap<(Option<u32>, u32), u32> = BTreeMap::new();
        for (number, times) in (0..).zip(&timeline.runs) {
            let before = begun.entry((times.parent, times.occurrence));
            let before = before.or_default();
            let node = (times.occurrence, *before);
            *before += 1;
            if times.parent.is_none() {
                parts.tops.insert(node, number);
            }
            parts.runs.push(Run {
                node,
                ..Run::default()
            });
        }
        for (number, call) in (0..).zip(&timeline.calls) {
            parts.meets(number, call);
        }
        for (number, outside) in (0..).zip(&timeline.outside) {
            if outside.moment.is_none() {
                let copies = parts.outside.entry(outside.occurrence);
                copies.or_default().push(number);
            }
        }
        parts
    }

    /// Records a call of a run.
    fn meets(&mut self, number: u32, call: &CallTimes) {
        let key = self.key(call).unwrap_or_else(|| {
            let part = self.around(call).into_iter().collect();
            let before = self.met.entry((call.run, part, call.occurrence));
            let part = before.key().1.clone();
            let before = before.or_default();
            *before += 1;
            (part, (call.occurrence, *before - 1))
        });
        let run = self.runs.get_mut(call.run as usize);
        let before = run.as_ref().map_or(0, |run| run.operations.len());
        self.keys.push((key.clone(), clip(before)));
        let Some(run) = run else { return };
        if call.operation {
            run.operations.push(number);
        } else if call.feedback {
            let copies = run.feedbacks.entry(call.occurrence);
            copies.or_default().push(number);
        } else {
            run.terms.entry(key).or_insert(number);
        }
    }

    /// Key of a term that a nested run has handled, or of its derivative.
    fn key(&mut self, call: &CallTimes) -> Option<Key> {
        let is_term = |call: &CallTimes| !call.operation && !call.feedback;
        let calls = &self.timeline.calls;
        let (of, half) = match call.within {
            Some((of, half)) => (of as usize, half),
            // RH-term puts the derivatives of a term after its continuation, and an ordinary handler around it puts the term itself in
            // front. Both belong to that term.
            None if is_term(call) && !call.moves && self.returning(call).is_none() => {
                let met = calls.iter().zip(&self.halves).enumerate();
                let met = met.take(self.keys.len()).rev();
                let mut of = met.filter(|(_, (other, half))| {
                    let run = self.timeline.runs.get(other.run as usize);
                    is_term(other)
                        && other.occurrence == call.occurrence
                        && run.is_some_and(|run| run.parent == Some(call.run))
                        && **half != Some(Half::Backward)
                });
                let (of, (_, half)) = of.next()?;
                match half {
                    None => (of, Half::Forward),
                    Some(_) => (of, Half::Backward),
                }
            }
            None => return None,
        };
        *self.halves.get_mut(of)? = Some(half);
        let met = calls.get(of).filter(|met| !met.operation)?;
        let ((inner, node), _) = self.keys.get(of)?;
        let part = Part::Met(self.runs.get(met.run as usize)?.node, half);
        let path = std::iter::once(part).chain(inner.iter().cloned());
        Some((path.collect(), *node))
    }

    /// The part of a nested run whose code contains a call.
    fn around(&self, call: &CallTimes) -> Option<Part> {
        if let Some((of, half)) = call.within {
            let met = self.timeline.calls.get(of as usize)?;
            let run = self.runs.get(met.run as usize)?;
            let (_, operations) = self.keys.get(of as usize)?;
            return Some(Part::Clause(run.node, half, *operations));
        }
        self.returning(call)
    }

    /// The return clause of a nested run, if its code contains a call.
    fn returning(&self, call: &CallTimes) -> Option<Part> {
        let mut runs = self.timeline.runs.iter().zip(&self.runs);
        let returns = runs.find(|(times, _)| {
            let begun = times.turned.is_some_and(|turned| turned <= call.met);
            let over = times.until.is_some_and(|until| until <= call.met);
            times.parent == Some(call.run) && begun && !over
        });
        returns.map(|(_, run)| Part::Return(run.node))
    }

    /// The part that a statement belongs to. `performed` counts, by occurrence, the operations outside of all runs so far.
    fn part(&self, node: &Node, performed: &mut BTreeMap<u32, usize>) -> Option<Work> {
        let from = &node.provenance;
        let origin = origin(node);
        let outside = origin.and_then(|origin| self.outside.get(&origin.occurrence));
        let Some(passage) = from.passage.as_deref() else {
            let copy = match from.term {
                Some(term) => term.copy as usize,
                None => {
                    let count = performed.entry(origin?.occurrence).or_default();
                    *count += 1;
                    *count - 1
                }
            };
            return outside?.get(copy).copied().map(Work::Outside);
        };
        let top = *self.tops.get(&(passage.origin.occurrence, passage.copy))?;
        let half = match passage.pass {
            Pass::Forward => Half::Forward,
            Pass::Backward => Half::Backward,
            Pass::Return => return Some(Work::Return(top)),
        };
        let run = self.runs.get(top as usize)?;
        let inner = passage.inner.as_deref();
        run.part(node, passage.call.as_ref()?, inner, half)
    }
}

impl Run {
    /// The part that a statement belongs to, where the run handles this call.
    fn part(
        &self,
        node: &Node,
        call: &Handled,
        inner: Option<&Passage>,
        half: Half,
    ) -> Option<Work> {
        let met = match (call.operation, node.provenance.term) {
            (Some(ordinal), _) => self.operations.get(ordinal as usize)?,
            (None, Some(term)) => self.terms.get(&key(inner, term)?)?,
            // A loop, or the zeros and sums with which its backward pass begins.
            (None, None) => {
                let copies = self.feedbacks.get(&call.origin.occurrence)?;
                copies.get(call.feedback? as usize)?
            }
        };
        Some(Work::Call(*met, half))
    }
}

/// Origin of the term that a statement belongs to, or of the statement's operation.
fn origin(node: &Node) -> Option<Origin> {
    let from = &node.provenance;
    match from.term {
        Some(term) => Some(term.origin),
        None => node.operation().map(|_| from.origin),
    }
}

/// Key of a term, given its passage through nested handlers.
fn key(mut passage: Option<&Passage>, term: Whole) -> Option<Key> {
    let mut path = Vec::new();
    while let Some(through) = passage {
        let run = (through.origin.occurrence, through.copy);
        let half = match through.pass {
            Pass::Backward => Half::Backward,
            Pass::Forward | Pass::Return => Half::Forward,
        };
        path.push(match (through.pass, &through.call) {
            (Pass::Return, _) => Part::Return(run),
            (_, Some(call)) if through.clause => Part::Clause(run, half, call.operation?),
            _ => Part::Met(run, half),
        });
        passage = through.inner.as_deref();
    }
    Some((path, (term.origin.occurrence, term.copy)))
}
