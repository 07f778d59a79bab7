//! Loops as single statements. A loop presents all its copies at once, so an arrow does not grow with the number of moments.
//! Loops add no structure to the free promonad.

use super::{Node, NodeKind, Provenance};
use fletch_calculus::Symbol;
use fletch_smooth::{Applied, Builder, Differentiable, Map, Wire};
use std::fmt;

/// Maximum length of a sequence, in numbers; a tensor has the same limit.
pub(crate) const SEQUENCE_LIMIT: usize = 1 << 24;

/// A body that runs `count` times. The body takes the constants, the states and one entry of each input sequence; it gives the
/// next states and one entry of each output sequence. The loop takes the constants, the first states and the input sequences;
/// it gives the last states and the output sequences.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Number n of moments.
    pub count: usize,
    /// Statements of one moment.
    pub body: Map<Node>,
    /// Number of constants.
    pub constants: usize,
    /// Number of states.
    pub states: usize,
    /// True if time runs backwards: the entries are processed from the last to the first.
    pub backwards: bool,
}

impl Loop {
    /// Sizes of the arguments of the loop.
    pub fn inputs(&self) -> Vec<usize> {
        let sizes = self.body.inputs().iter().enumerate();
        let single = self.constants + self.states;
        sizes
            .map(|(k, n)| {
                if k < single {
                    *n
                } else {
                    n.saturating_mul(self.count)
                }
            })
            .collect()
    }

    /// Sizes of the results of the loop.
    pub fn outputs(&self) -> Vec<usize> {
        let sizes = self.entries().into_iter().enumerate();
        sizes
            .map(|(k, n)| {
                if k < self.states {
                    n
                } else {
                    n.saturating_mul(self.count)
                }
            })
            .collect()
    }

    /// Sizes of the results of the body.
    fn entries(&self) -> Vec<usize> {
        self.body
            .outputs()
            .iter()
            .map(|wire| self.body.size(*wire))
            .collect()
    }

    /// True if the body has a statement that is kept even if unused, for its domain or its effect.
    pub fn is_kept(&self) -> bool {
        self.body
            .statements()
            .iter()
            .any(|statement| statement.applied.is_kept())
    }

    /// True if a statement of the body, or of a loop in the body, satisfies `which`.
    pub fn has(&self, which: &dyn Fn(&Node) -> bool) -> bool {
        self.body
            .statements()
            .iter()
            .any(|statement| match &statement.applied.kind {
                NodeKind::Loop(inner) => inner.has(which),
                _ => which(&statement.applied),
            })
    }

    /// Number of statements in all copies, plus one for each copy; saturating.
    pub fn work(&self) -> usize {
        work(&self.body)
            .saturating_add(1)
            .saturating_mul(self.count)
    }

    /// Map of the copies one after the other. Loops in the body are written out too.
    pub fn written_out(&self, provenance: &Provenance) -> Map<Node> {
        let mut b = Builder::empty(self.inputs());
        let inputs = b.inputs();
        let outputs = expand(&mut b, self, &inputs, provenance);
        b.finish(outputs)
    }

    /// Indices of the moments, from 0, in the order in which they run.
    pub fn moments(&self) -> Box<dyn Iterator<Item = usize>> {
        match self.backwards {
            false => Box::new(0..self.count),
            true => Box::new((0..self.count).rev()),
        }
    }
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let back = if self.backwards { " backwards" } else { "" };
        write!(f, "loop[{}]{back}", self.count)
    }
}

/// Number of statements that a map stands for, loops expanded; saturating.
pub(crate) fn work(map: &Map<Node>) -> usize {
    let statements = map
        .statements()
        .iter()
        .map(|statement| match &statement.applied.kind {
            NodeKind::Loop(inner) => inner.work().saturating_add(1),
            _ => 1,
        });
    statements.fold(0, usize::saturating_add)
}

/// Number of statements of a map, loop bodies counted once.
pub(crate) fn written(map: &Map<Node>) -> usize {
    let statements = map
        .statements()
        .iter()
        .map(|statement| match &statement.applied.kind {
            NodeKind::Loop(inner) => 1 + written(&inner.body),
            _ => 1,
        });
    statements.sum()
}

/// Callback that writes a statement of a copy at these wires, and returns its results.
type Visit<'a> = &'a mut dyn FnMut(&mut Builder<Node>, &Node, &[Wire]) -> Vec<Wire>;

/// Writes the copies of a loop at these wires, and the copies of the loops in it. Returns the results of the loop.
pub(crate) fn expand(
    b: &mut Builder<Node>,
    looped: &Loop,
    arguments: &[Wire],
    provenance: &Provenance,
) -> Vec<Wire> {
    copies(
        b,
        looped,
        arguments,
        provenance,
        &mut |b, node, arguments| match &node.kind {
            NodeKind::Loop(inner) => expand(b, inner, arguments, &node.provenance),
            _ => b.apply(node.clone(), arguments),
        },
    )
}

/// Writes the copies of a loop at these wires, each statement by `visit`. Returns the results of the loop.
pub(crate) fn copies(
    b: &mut Builder<Node>,
    looped: &Loop,
    arguments: &[Wire],
    provenance: &Provenance,
    visit: Visit<'_>,
) -> Vec<Wire> {
    let single = looped.constants + looped.states;
    let constants = arguments.get(..looped.constants).unwrap_or(&[]);
    let mut states = arguments
        .get(looped.constants..single)
        .unwrap_or(&[])
        .to_vec();
    let sequences = arguments.get(single..).unwrap_or(&[]);
    let sizes = looped.body.inputs().get(single..).unwrap_or(&[]).to_vec();
    let mut given = Vec::new();
    for t in looped.moments() {
        let mut inputs = [constants, &states].concat();
        for (sequence, k) in sequences.iter().zip(&sizes) {
            inputs.push(entry(b, *sequence, looped.count, *k, t, provenance));
        }
        let wires = b.inline_with(&looped.body, &inputs, visit);
        let results = outputs(&looped.body, &wires);
        states = results.get(..looped.states).unwrap_or(&[]).to_vec();
        given.push(results.get(looped.states..).unwrap_or(&[]).to_vec());
    }
    if looped.backwards {
        given.reverse();
    }
    let sizes = looped.entries();
    for (k, size) in sizes.iter().enumerate().skip(looped.states) {
        let entries = given
            .iter()
            .filter_map(|moment| moment.get(k - looped.states).copied());
        states.push(joined(b, &entries.collect::<Vec<_>>(), *size, provenance));
    }
    states
}

/// Writes entry t, from 0, of a sequence of n entries of k numbers.
pub(crate) fn entry(
    b: &mut Builder<Node>,
    sequence: Wire,
    n: usize,
    k: usize,
    t: usize,
    provenance: &Provenance,
) -> Wire {
    if k == 0 {
        return nothing(b, provenance);
    }
    if n == 1 {
        return sequence;
    }
    let slice = Symbol::slice(n * k, t * k, k);
    only(&b.apply(Node::symbol(slice, provenance.clone()), &[sequence]))
}

/// Writes the sequence of these entries of k numbers each.
pub(crate) fn joined(
    b: &mut Builder<Node>,
    entries: &[Wire],
    k: usize,
    provenance: &Provenance,
) -> Wire {
    let Some((last, before)) = entries.split_last().filter(|_| k > 0) else {
        return nothing(b, provenance);
    };
    let before = before.iter().rev().enumerate();
    before.fold(*last, |rest, (length, entry)| {
        let concat = Symbol::concat(1, length + 1, k);
        only(&b.apply(Node::symbol(concat, provenance.clone()), &[*entry, rest]))
    })
}

/// Writes the only value of type 1.
fn nothing(b: &mut Builder<Node>, provenance: &Provenance) -> Wire {
    let zero = Node {
        provenance: provenance.clone(),
        ..Node::zero(0)
    };
    only(&b.apply(zero, &[]))
}

/// Single wire of a statement with one result.
#[allow(clippy::indexing_slicing)] // A symbol gives what its codomain says, and that is one base type here.
fn only(wires: &[Wire]) -> Wire {
    wires[0]
}

/// Images of the outputs of a map under a renaming of its wires.
fn outputs(map: &Map<Node>, wires: &[Wire]) -> Vec<Wire> {
    let outputs = map.outputs().iter();
    outputs
        .filter_map(|wire| wires.get(wire.0).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::work;
    use crate::cases::{check, of_program};

    #[test]
    fn the_copies_of_a_loop_that_runs_backwards_begin_with_the_last_entry() {
        let arrow = of_program(
            "handler H : Real(1) { x ↦ ⌊x⌋ }
            main = rev handle(1)⟨s⟩. feedback[2](s, ())⟨s, _⟩. ⌊sin(s)⌋ with H",
        );
        // The backward half of sin(sin(s)) derives sin at sin(s) first, then at s.
        check(
            &arrow.expanded(1000).unwrap(),
            "
                in
                   0 w0 : 1 = 1()
                   1 w1 : 1 = sin(w0)                  H forward sin
                   2 w2 : 1 = sin(w1)                  H forward sin
                   3 w3 : 2 = concat[1, 1, 1](w0, w1)  H forward loop[2]
                   4 w4 : 1 = slice[1, 1](w3)          H backward loop[2]
                   5 w5 : 1 = rd[sin](w4, w2)          H backward sin
                   6 w6 : 1 = slice[0, 1](w3)          H backward loop[2]
                   7 w7 : 1 = rd[sin](w6, w5)          H backward sin
                out  w7",
        );
    }

    #[test]
    fn work_counts_each_copy_and_one_more_for_it() {
        let loops = |main: &str| work(&of_program(&format!("main = {main}")).map);
        // Two constants, the loop, and three copies of two statements.
        assert_eq!(loops("feedback[3](1, ())⟨s, _⟩. ⌊sin(s)⌋"), 3 + 3 * (2 + 1));
        let nested = "feedback[3](1, ())⟨s, _⟩. feedback[2](s, ())⟨s, _⟩. ⌊sin(s)⌋";
        assert!(loops(nested) > 3 * 2 * 3);
        let long = "feedback[4000000000](1, ())⟨s, _⟩. feedback[4000000000](s, ())⟨s, _⟩. ⌊sin(s)⌋";
        assert_eq!(loops(long), usize::MAX, "and does not overflow");
    }
}
