//! Index of a trace: for every step its rule, its label for the search and its span of the source; and the stops of each
//! level of detail. The index grows with the trace. Rules, labels and spans are kept in tables, so that a step costs a few numbers.

use crate::administrative::administrative;
use crate::calls::{Calls, Event, Owner};
use crate::level::Level;
use fletch_calculus::Origin;
use fletch_reduction::{Action, Rule, State, Step};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Index of a trace.
#[derive(Debug, Default)]
pub struct TraceIndex {
    /// The rules that occur.
    pub rules: Vec<Rule>,
    /// For every step, the number of its rule in `rules`.
    pub rule: Vec<u8>,
    /// Labels of steps, with their numbers from 0.
    pub labels: BTreeMap<Label, u32>,
    /// For every step, the number of its label.
    pub label: Vec<u32>,
    /// The spans of the source that steps come from.
    pub places: Vec<Origin>,
    /// For every step, the number of its span in `places`.
    pub place: Vec<u32>,
    known_places: BTreeMap<(u32, u32), u32>,
    /// The positions before steps that are not administrative, the starts of backward clauses, and the ends of handlers' runs.
    plain: Vec<u32>,
    operations: Vec<u32>,
    handlers: Vec<u32>,
    /// The positions before moments of feedbacks.
    moments: Vec<u32>,
    /// The positions before reads and writes of the heap.
    accesses: Vec<u32>,
    /// Number of events of the handled calls that are already among the stops.
    noted: usize,
}

/// Label of a step, by which a search distinguishes steps.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// Rule of the step.
    pub rule: Rule,
    /// The names that the step concerns, such as `Put w Put[w]`.
    pub subject: String,
    /// Owner of the code in words: `FC[ℓ0]` and `backward`.
    pub owner: Option<(Arc<str>, &'static str)>,
}

impl TraceIndex {
    /// Records the step from this position, which `calls` has recorded already. Returns true if the step is not administrative.
    pub(crate) fn record(
        &mut self,
        position: usize,
        before: &State,
        step: &Step,
        owner: Owner,
        calls: &Calls,
    ) -> bool {
        let rule = step.action.rule();
        let number = self.rules.iter().position(|known| *known == rule);
        let number = number.unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        self.rule.push(u8::try_from(number).unwrap_or(u8::MAX));
        self.label(step, owner, calls);
        let places = &mut self.places;
        let origin = step.origin;
        let known = self.known_places.entry((origin.start, origin.end));
        let place = known.or_insert_with(|| {
            places.push(origin);
            clip(places.len() - 1)
        });
        self.place.push(*place);
        let telling = !administrative(step, before);
        if position == 0 || telling {
            push(&mut self.plain, position);
        }
        if let Action::Get { .. } | Action::Put { .. } = &step.action {
            push(&mut self.accesses, position);
        }
        if let Action::Feedback { input: Some(_), .. } = &step.action {
            push(&mut self.moments, position);
        }
        telling
    }

    /// Adds the stops for the events that the calls have recorded since the last time.
    pub(crate) fn events(&mut self, calls: &Calls) {
        for (position, event) in calls.events.iter().skip(self.noted) {
            match event {
                Event::Forward(at) | Event::Backward(at) => {
                    if calls.records.get(*at).is_some_and(|call| call.operation()) {
                        push(&mut self.operations, *position);
                        // The start of a backward clause only moves values, but readers look for it.
                        push(&mut self.plain, *position);
                    }
                }
                Event::Clause(_) => push(&mut self.operations, *position),
                Event::Returns(_) | Event::OrdinaryReturns(_) => {
                    push(&mut self.operations, *position);
                    push(&mut self.handlers, *position);
                }
                Event::Ends(_) => {
                    push(&mut self.handlers, *position);
                    push(&mut self.plain, *position);
                }
                Event::Begins(_) | Event::OrdinaryBegins(_) | Event::OrdinaryEnds(_) => {
                    push(&mut self.handlers, *position)
                }
            }
        }
        self.noted = calls.events.len();
    }

    fn label(&mut self, step: &Step, owner: Owner, calls: &Calls) {
        let key = Label {
            rule: step.action.rule(),
            subject: step.subject(),
            owner: calls.owner_name(owner),
        };
        let next = clip(self.labels.len());
        self.label.push(*self.labels.entry(key).or_insert(next));
    }

    fn stops(&self, level: Level) -> &[u32] {
        match level {
            Level::Every => &[],
            Level::Plain => &self.plain,
            Level::Operations if self.operations.is_empty() => &self.accesses,
            Level::Operations => &self.operations,
            Level::Handlers => &self.handlers,
            Level::Moments if self.moments.is_empty() => self.stops(Level::Operations),
            Level::Moments => &self.moments,
        }
    }

    /// The positions before reads and writes of the heap, ascending.
    pub fn accesses(&self) -> &[u32] {
        &self.accesses
    }

    /// True if a moment of a feedback has run, so that [`Level::Moments`] has stops of its own.
    pub fn has_moments(&self) -> bool {
        !self.moments.is_empty()
    }

    /// The first stop after a position; the last known position counts as a stop.
    pub fn next(&self, level: Level, position: usize) -> Option<usize> {
        let last = self.rule.len();
        if position >= last {
            return None;
        }
        if level == Level::Every {
            return Some(position + 1);
        }
        let stops = self.stops(level);
        let at = stops.partition_point(|stop| *stop as usize <= position);
        let stop = stops.get(at).map_or(last, |stop| *stop as usize);
        Some(stop.min(last))
    }

    /// The last stop before a position; position 0 counts as a stop.
    pub fn previous(&self, level: Level, position: usize) -> Option<usize> {
        let before = position.checked_sub(1)?;
        if level == Level::Every {
            return Some(before);
        }
        let stops = self.stops(level);
        let at = stops.partition_point(|stop| *stop as usize <= before);
        let stop = at.checked_sub(1).and_then(|at| stops.get(at));
        Some(stop.map_or(0, |stop| *stop as usize))
    }

    /// True if a position is a stop of a level; position 0 always is.
    pub fn is_stop(&self, level: Level, position: usize) -> bool {
        let stops = self.stops(level);
        level == Level::Every || position == 0 || stops.binary_search(&clip(position)).is_ok()
    }

    /// The stops of a level, ascending, with the first and the last position.
    pub fn all(&self, level: Level) -> Vec<u32> {
        let last = clip(self.rule.len());
        let mut stops = vec![0];
        match level {
            Level::Every => stops.extend(1..=last),
            _ => {
                let inner = self.stops(level).iter().copied();
                stops.extend(inner.filter(|stop| (1..last).contains(stop)));
                stops.extend((last > 0).then_some(last));
            }
        }
        stops
    }
}

/// Appends a position to ascending stops, if it is greater than the last one.
fn push(stops: &mut Vec<u32>, position: usize) {
    let position = clip(position);
    if stops.last().is_none_or(|last| *last < position) {
        stops.push(position);
    }
}

fn clip(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use crate::cases::{HANDLED, check, named, run, step, stops};
    use crate::level::Level;

    #[test]
    fn the_level_of_operations_stops_at_each_pass_and_at_the_turn() {
        check(
            &stops(&run(HANDLED), Level::Operations),
            "
                0 rev-handle H
                1 RH-op D H
                10 RH-ret H
                18 bind p
                30 the end",
        );
    }

    #[test]
    fn the_plain_level_passes_over_what_only_moves_values_but_not_over_a_backward_clause() {
        check(
            &stops(&run(HANDLED), Level::Plain),
            "
                0 rev-handle H
                1 RH-op D H
                2 get Get w Get[w]
                4 eval hadamard ⊙
                10 RH-ret H
                11 eval minus −
                18 bind p
                23 eval hadamard ⊙
                24 eval minus −
                25 put Put w Put[w]
                27 eval hadamard ⊙
                30 the end",
        );
    }

    #[test]
    fn the_end_of_a_run_is_a_plain_stop_even_where_a_value_is_moved() {
        let trace = run("main = let a ⇐ rev handle(3)⟨x⟩. D(x) with H in ⌊⟨a, 0⟩.1⌋");
        assert_eq!(step(&trace, 31), "31 proj");
        assert!(trace.index().is_stop(Level::Plain, 31));
        assert!(!trace.index().is_stop(Level::Plain, 30), "bind a");
    }

    #[test]
    fn the_level_of_handlers_stops_where_runs_begin_turn_and_end() {
        check(
            &stops(
                &run("main = let a ⇐ rev handle(3)⟨x⟩. D(x) with H in ⌊a + 1⌋"),
                Level::Handlers,
            ),
            "
                0 rev-handle H
                10 RH-ret H
                31 add +
                32 the end",
        );
    }

    #[test]
    fn without_handled_operations_the_heap_has_the_stops_of_theirs() {
        check(
            &stops(
                &run("main = let a ⇐ Get[w]() in let _ ⇐ Put[w](a + a) in ⌊sin(a)⌋"),
                Level::Operations,
            ),
            "
                0 get Get w Get[w]
                3 put Put w Put[w]
                6 the end",
        );
    }

    #[test]
    fn moments_stop_on_the_way_out_and_on_the_way_back() {
        check(
            &named(
                &run("main = rev handle(3)⟨x⟩. feedback[2](x, [[1], [2]])⟨s, x⟩. ⌊s + x⌋ with H"),
                Level::Moments,
            ),
            "
                rev-handle H
                feedback feedback[2]
                feedback feedback[1]
                feedback feedback[2]
                feedback feedback[1]
                the end",
        );
    }

    #[test]
    fn a_move_goes_to_the_next_stop_of_its_level_and_not_beyond_the_ends() {
        let trace = run(HANDLED);
        let index = trace.index();
        let level = Level::Operations;
        assert_eq!(index.next(level, 2), Some(10));
        assert_eq!(index.previous(level, 10), Some(1));
        assert_eq!(index.next(level, 29), Some(30));
        assert_eq!(index.next(level, 30), None);
        assert_eq!(index.previous(level, 0), None);
    }

    #[test]
    fn a_search_tells_a_rule_in_one_clause_from_that_in_another() {
        let trace = run(HANDLED);
        let labels = trace.index().labels.iter();
        let evaluations = labels.filter(|(label, _)| label.rule.name() == "eval");
        let mut numbered: Vec<(u32, String)> = evaluations
            .map(|(label, number)| {
                let (name, part) = label.owner.clone().unwrap();
                (*number, format!("{} in {name} {part}", label.subject))
            })
            .collect();
        numbered.sort();
        let found: Vec<String> = numbered.into_iter().map(|(_, found)| found).collect();
        check(
            &found,
            "
                hadamard ⊙ in D forward
                minus − in H return clause
                hadamard ⊙ in D backward
                minus − in D backward",
        );
    }
}
