//! Statements of an arrow as a diagram draws them, with the body of each loop once, so that a diagram does not depend on the number of
//! moments. A state begins at a delay, which takes the first state and is then fed the next one. An entry of a sequence has a wire of its
//! own inside of the loop. A *folded* loop is drawn as one box, without its body.

mod written;

use fletch_arrows::{Arrow, Node, Pass, Traced};
use fletch_smooth::{Tensor, Wire};
use std::ops::Range;
use std::sync::Arc;

/// The statements of an arrow, with each loop body once. Numbers of wires and steps do not depend on what is folded; without loops they are
/// the numbers of the arrow.
#[derive(Debug, Default)]
pub struct Once {
    /// The statements, in order.
    pub steps: Vec<Step>,
    /// The loops; an outer loop comes before the loops in it.
    pub loops: Vec<Round>,
    /// The wires of the outputs.
    pub outputs: Vec<Wire>,
    wires: Vec<Strand>,
    /// Number of the arrow's statement that is being written.
    at: usize,
    /// Number of the next step.
    next: usize,
}

/// A statement.
#[derive(Debug)]
pub struct Step {
    /// Number, which does not depend on what is folded: the position among all steps of the arrow and of all bodies, with one more for each
    /// loop.
    pub number: usize,
    /// Node of the statement. Its passage leads through the handlers of the whole arrow, for a statement of a body too.
    pub node: Node,
    /// Role of the statement in a loop.
    pub role: Role,
    /// Wires of the arguments.
    pub arguments: Vec<Wire>,
    /// Numbers of the wires of the results.
    pub results: Range<usize>,
    /// Innermost loop around the statement; a delay is outside of its own loop.
    pub around: Option<usize>,
    /// Number of the arrow's statement that this statement is, or whose body contains it.
    pub statement: usize,
}

/// A wire on the border of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// Entry of a sequence that goes into this loop.
    Entry(usize),
    /// Last state of this loop, or a sequence of its results.
    Result(usize),
}

/// Role of a statement in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A statement of the arrow or of a body.
    Statement,
    /// A loop that is folded.
    Folded(usize),
    /// Delay of a loop, with the wire of the next state. Its value is the first state at the first moment, then the state of the moment
    /// before.
    Delay(usize, Wire),
    /// A copy of a value that a body returns unchanged.
    Copy,
}

/// A loop.
#[derive(Debug)]
pub struct Round {
    /// Number of the loop among the steps, which is that of its box when the loop is folded.
    pub number: usize,
    /// Number of moments.
    pub count: usize,
    /// True if time runs backwards.
    pub backwards: bool,
    /// The loop around it.
    pub parent: Option<usize>,
    /// Node of the loop's statement.
    pub node: Node,
    /// Numbers of the statements of this loop and of the loops around it, the outermost first: each in the body around it, the outermost in
    /// the arrow.
    pub place: Vec<usize>,
    /// Numbers of the handled statements of this loop and of the loops around it, the outermost first; outside of runs, as in `place`.
    pub path: Vec<usize>,
    /// Key that folds the loop; the forward and the backward pass of a handled loop share it.
    pub key: String,
    /// Number of handlers whose clauses contain the loop.
    pub depth: usize,
}

/// A wire on one side of the border of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Number of the wire.
    pub(crate) wire: usize,
    /// Number of reals.
    pub(crate) size: usize,
    /// True if the wire is the sequence of the values of an inner wire.
    pub(crate) thick: bool,
}

/// A wire.
#[derive(Debug)]
struct Strand {
    size: usize,
    name: Option<Arc<str>>,
    /// Wire of the arrow or of a body that this wire represents.
    place: Place,
    /// True for a sequence that enters or leaves a folded loop.
    thick: bool,
    same: Same,
    /// First wire that is the sequence of this wire; below, the first wire of its entries, and the first of its last value.
    sequence: Option<usize>,
    entry: Option<usize>,
    last: Option<usize>,
}

/// A wire of the arrow, or of the body of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Innermost loop in which the wire has a value for each moment.
    pub around: Option<usize>,
    /// Number of the wire in the body of that loop, or in the arrow.
    pub wire: usize,
}

/// Relation of a wire to another wire across the border of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Same {
    /// No relation: a step or an input gives the wire.
    Own,
    /// No wire: the number is reserved for a wire in a folded loop, or for a copy that is not made.
    Nothing,
    /// Entries of this sequence, one at a moment.
    Entry(Wire),
    /// Sequence of the values of this wire.
    Sequence(Wire),
    /// Last value of this wire.
    Last(Wire),
}

/// Wire that represents another wire in the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Drawn {
    /// Wire that begins at a statement or an input.
    pub(super) wire: usize,
    /// True for the last value of a wire, which is drawn separately from its sequence.
    pub(super) last: bool,
}

impl Once {
    /// The statements of an arrow. A loop is folded if `folded` holds for its key.
    pub fn of(arrow: &Arrow, folded: &dyn Fn(&str) -> bool) -> Once {
        let mut once = Once::default();
        let mut wires = Vec::new();
        for (k, size) in arrow.map.inputs().iter().enumerate() {
            let name = arrow.map.name(Wire(k)).cloned();
            let place = Place {
                around: None,
                wire: k,
            };
            wires.push(once.wire(*size, name, place, Same::Own));
        }
        once.walk(&arrow.map, wires, None, folded);
        once
    }

    /// Node of a statement, by its index in `steps`.
    pub fn node(&self, at: usize) -> Option<&Node> {
        Some(&self.steps.get(at)?.node)
    }

    /// Step of this number; `None` if it is in a folded loop.
    pub fn step_of(&self, number: usize) -> Option<&Step> {
        let at = self.steps.binary_search_by_key(&number, |step| step.number);
        self.steps.get(at.ok()?)
    }

    /// Number of all steps, including those in folded loops.
    pub fn numbers(&self) -> usize {
        self.next
    }

    /// The wire of the arrow or of a body that a wire represents; `None` for a number without a wire.
    pub fn place(&self, wire: usize) -> Option<Place> {
        let strand = self.wires.get(wire)?;
        (strand.same != Same::Nothing).then_some(strand.place)
    }

    /// The step among whose results a wire is.
    pub fn gives(&self, wire: usize) -> Option<&Step> {
        let after = (self.steps).partition_point(|step| step.results.start <= wire);
        let step = self.steps.get(after.checked_sub(1)?)?;
        step.results.contains(&wire).then_some(step)
    }

    /// The border of a loop that a wire touches.
    pub fn border(&self, wire: usize) -> Option<Border> {
        let strand = self.wires.get(wire)?;
        match strand.same {
            Same::Own | Same::Nothing => None,
            Same::Entry(_) => strand.place.around.map(Border::Entry),
            Same::Last(inner) | Same::Sequence(inner) => {
                let inner = self.wires.get(inner.0)?;
                inner.place.around.map(Border::Result)
            }
        }
    }

    /// Inner wire of a result of a loop: the wire whose last value, or whose values at all moments, the result is.
    pub fn inside(&self, wire: usize) -> Option<usize> {
        match self.wires.get(wire)?.same {
            Same::Last(inner) | Same::Sequence(inner) => Some(inner.0),
            Same::Own | Same::Nothing | Same::Entry(_) => None,
        }
    }

    /// Value of a wire, in loops at the traced moments.
    pub fn value<'t>(&self, wire: usize, traced: &'t Traced) -> Option<&'t Tensor> {
        let place = self.place(wire)?;
        let inside = match place.around {
            Some(around) => traced.inside(&self.loops.get(around)?.place)?,
            None => traced,
        };
        inside.wires.get(place.wire)
    }

    /// Number of wires.
    pub fn count(&self) -> usize {
        self.wires.len()
    }

    /// Number of reals on a wire.
    pub fn size(&self, wire: usize) -> usize {
        self.wires.get(wire).map_or(0, |strand| strand.size)
    }

    /// Name of a wire.
    pub fn name(&self, wire: usize) -> Option<&Arc<str>> {
        self.wires.get(wire)?.name.as_ref()
    }

    /// The loops around a statement, the outermost first.
    pub(super) fn around(&self, number: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = self.steps.get(number).and_then(|step| step.around);
        while let Some(own) = at {
            found.insert(0, own);
            at = self.loops.get(own).and_then(|round| round.parent);
        }
        found
    }

    /// Number of loops around a wire.
    pub fn depth(&self, wire: usize) -> usize {
        let mut depth = 0;
        let mut at = (self.wires.get(wire)).and_then(|strand| strand.place.around);
        while let Some(own) = at {
            depth += 1;
            at = self.loops.get(own).and_then(|round| round.parent);
        }
        depth
    }

    /// Path of a statement in the handled command: the statement numbers of the loops around it, then its own, `statement`. Loops in
    /// clauses of more than `depth` handlers do not count.
    pub(super) fn call(&self, number: usize, statement: usize, depth: usize) -> Vec<usize> {
        let Some(step) = self.steps.get(number) else {
            return vec![statement];
        };
        let loops = |at: usize| self.loops.get(at).filter(|round| round.depth <= depth);
        let own = match step.role {
            Role::Delay(own, _) | Role::Folded(own) => loops(own),
            Role::Statement | Role::Copy => None,
        };
        if let Some(own) = own {
            // A delay comes before its loop in the forward pass, and after it in the backward pass, whose statements are drawn from last to
            // first.
            let delay = matches!(step.role, Role::Delay(..));
            let back = delay && own.half() == Some(Pass::Backward);
            let mut path = own.path.clone();
            path.extend(back.then_some(usize::MAX));
            return path;
        }
        // The first cotangents of a loop exist before its backward pass.
        let passage = step.node.provenance.passage.as_deref();
        let back = passage.is_some_and(|passage| passage.pass == Pass::Backward);
        let around = self.around(number);
        let around = around.into_iter().rev().find_map(loops);
        let mut path = around.map_or(Vec::new(), |round| round.path.clone());
        path.push(statement);
        let zero = back && step.node.operands() == Some(0);
        if zero && self.loops.iter().any(|round| round.path == path) {
            path.extend([usize::MAX, usize::MAX]);
        }
        path
    }

    /// The wire that represents a wire in the diagram. An entry belongs to its sequence, and a sequence to the wire whose values it has.
    pub(super) fn drawn(&self, wire: usize) -> Drawn {
        let mut drawn = Drawn { wire, last: false };
        while let Some(strand) = self.wires.get(drawn.wire) {
            drawn.wire = match strand.same {
                Same::Own | Same::Nothing => break,
                Same::Last(own) => {
                    drawn.last = true;
                    own.0
                }
                Same::Entry(own) | Same::Sequence(own) => own.0,
            };
        }
        drawn
    }

    /// A wire on both sides of the borders of loops that it crosses, from the outermost wire to the innermost. `last` is true for the last
    /// value of a wire.
    pub(super) fn levels(&self, wire: usize, last: bool) -> Vec<Level> {
        let find =
            |wire: usize, of: fn(&Strand) -> Option<usize>| self.wires.get(wire).and_then(of);
        let level = |wire: usize, thick: bool| Level {
            wire,
            size: self.size(wire),
            thick: thick || self.wires.get(wire).is_some_and(|strand| strand.thick),
        };
        let mut levels = Vec::new();
        let mut at = wire;
        while let Some(sequence) = find(at, |strand| strand.sequence) {
            levels.insert(0, level(sequence, true));
            at = sequence;
        }
        if (levels.is_empty() || last)
            && let Some(of_last) = find(wire, |strand| strand.last)
        {
            levels = vec![level(of_last, false)];
        }
        levels.push(level(wire, false));
        let mut at = wire;
        while let Some(entry) = find(at, |strand| strand.entry) {
            if let Some(own) = levels.last_mut() {
                own.thick = true;
            }
            levels.push(level(entry, false));
            at = entry;
        }
        levels
    }
}

impl Round {
    /// Pass of the run that handles the loop; `None` without such a run, and in a clause.
    pub(super) fn half(&self) -> Option<Pass> {
        let passage = self.node.provenance.passage.as_ref()?;
        (!passage.clause).then_some(passage.pass)
    }
}

#[cfg(test)]
mod tests {
    use super::{Once, Role};
    use crate::cases::{arrow, boxes, check, graph};

    /// Steps with their numbers; `in` marks a step in a loop.
    fn steps(main: &str, folded: bool) -> Vec<String> {
        let once = Once::of(&arrow(main).0, &|_| folded);
        let steps = once.steps.iter().map(|step| {
            let text = match step.role {
                Role::Statement => step.node.to_string(),
                Role::Folded(_) => "loop".to_owned(),
                Role::Delay(..) => "delay".to_owned(),
                Role::Copy => "copy".to_owned(),
            };
            let inside = if step.around.is_some() { "in " } else { "" };
            format!("{}: {inside}{text}", step.number)
        });
        steps.collect()
    }

    #[test]
    fn the_body_of_a_loop_stands_there_once_for_any_number_of_moments() {
        for count in [2, 300] {
            check(
                &steps(
                    &format!("feedback[{count}]([1, 2], ())⟨s, _⟩. ⌊sin(s)⌋"),
                    false,
                ),
                "
                0: [1, 2]
                1: ()
                3: delay
                4: in sin
                5: in ()",
            );
        }
    }

    #[test]
    fn a_folded_loop_keeps_the_numbers_of_what_comes_after_it() {
        let main = "let y ⇐ (feedback[3]([1, 2], ())⟨s, _⟩. ⌊sin(s)⌋) in ⌊cos(y)⌋";
        check(&steps(main, true), "0: [1, 2]\n1: ()\n2: loop\n8: cos");
        check(
            &steps(main, false),
            "0: [1, 2]\n1: ()\n3: delay\n4: in sin\n5: in ()\n8: cos",
        );
    }

    #[test]
    fn a_sequence_is_as_long_as_all_its_entries_outside_of_its_loop_alone() {
        let graph = graph("feedback[3]([1, 2], [[1, 2], [3, 4], [5, 6]])⟨s, x⟩. ⌊⟨s + x, sin(s)⟩⌋");
        let levels = graph.nets.iter().map(|net| {
            let levels = net
                .levels
                .iter()
                .map(|level| format!("{}{}", level.size, if level.thick { " thick" } else { "" }));
            levels.collect::<Vec<_>>().join(", ")
        });
        // The first state, the entries, the state, the next state, and the results.
        check(
            &levels.collect::<Vec<_>>(),
            "2\n6 thick, 2\n2\n2, 2\n6 thick, 2",
        );
    }

    #[test]
    fn an_entry_that_a_body_gives_as_it_comes_is_copied() {
        let sequence = "[[1, 2], [3, 4], [5, 6], [7, 8]]";
        let given = |body: &str| {
            boxes(&graph(&format!(
                "feedback[4]([1, 2], {sequence})⟨s, x⟩. ⌊{body}⌋"
            )))
        };
        let copies = |body: &str| {
            given(body)
                .iter()
                .filter(|text| text.ends_with("copy"))
                .count()
        };
        assert_eq!(
            ["⟨x, s⟩", "⟨x, sin(s)⟩", "⟨sin(x), s⟩"].map(copies),
            [2, 1, 0]
        );
    }
}
