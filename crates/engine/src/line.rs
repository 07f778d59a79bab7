//! Straight-line program of one step: primitives between reads and writes of the heap. Each location is read at most once, before
//! all else, and written at most once, after all else; a read after a write yields the value written.

use fletch_calculus::Origin;
use fletch_smooth::{Applied, Builder, Differentiable, Map, Partiality, Primitive, Wire, among};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Operation that a statement of a line applies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A primitive map.
    Primitive(Primitive),
    /// A constant, which takes nothing.
    Constant(Constant),
    /// Contents of a location before the step; number and size of the location.
    Get(usize, usize),
    /// Write of new contents to a location; number and size of the location.
    Put(usize, usize),
    /// A loop over moments: a line that is repeated.
    Repeat(Repeat),
}

/// Numbers, compared by their bits.
#[derive(Clone, Debug)]
pub struct Constant(pub Arc<[f64]>);

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        let bits = |Constant(entries): &Constant| -> Vec<u64> {
            entries.iter().map(|entry| entry.to_bits()).collect()
        };
        Arc::ptr_eq(&self.0, &other.0) || bits(self) == bits(other)
    }
}

impl Eq for Constant {}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|entry| entry.to_bits().hash(state));
    }
}

impl Applied for Op {
    fn inputs(&self) -> Vec<usize> {
        match self {
            Op::Primitive(primitive) => primitive.inputs(),
            Op::Constant(_) | Op::Get(..) => Vec::new(),
            Op::Put(_, size) => vec![*size],
            Op::Repeat(repeat) => repeat.inputs(),
        }
    }

    fn outputs(&self) -> Vec<usize> {
        match self {
            Op::Primitive(primitive) => vec![primitive.output()],
            Op::Constant(Constant(entries)) => vec![entries.len()],
            Op::Get(_, size) => vec![*size],
            Op::Put(..) => Vec::new(),
            Op::Repeat(repeat) => repeat.outputs(),
        }
    }

    /// True if a statement is never dead: a write, or a partial map, which is kept for its domain.
    fn is_kept(&self) -> bool {
        match self {
            Op::Primitive(primitive) => primitive.is_partial(),
            Op::Put(..) => true,
            Op::Repeat(repeat) => repeat.is_partial(),
            Op::Constant(_) | Op::Get(..) => false,
        }
    }
}

/// Straight-line program of one step: from a sample and the inputs of the arrow to its outputs.
#[derive(Clone, Debug)]
pub struct Line {
    /// The statements. The inputs are the components of the sample, then the inputs of the arrow.
    pub map: Map<Op>,
    /// Origin of each statement of the arrow; [`Statement::part_of`] is an index into this list.
    pub origins: Vec<Origin>,
}

impl Line {
    /// Constant folding: statements on constants alone become constants, and additions of 0 vanish.
    #[must_use]
    pub fn folded(&self, mode: Partiality) -> Line {
        /// Maximum size of a folded constant, in numbers.
        const LARGE: usize = 4096;
        let mut known: BTreeMap<Wire, Arc<[f64]>> = BTreeMap::new();
        let mut b = Builder::empty(self.map.inputs().to_vec());
        let mut wires = b.inputs();
        for statement in self.map.statements() {
            b.opening(statement.part_of);
            let arguments = among(&wires, &statement.arguments);
            let computed = match &statement.applied {
                Op::Constant(Constant(entries)) => Some(Arc::clone(entries)),
                Op::Primitive(primitive) => {
                    let constants = arguments.iter().map(|wire| known.get(wire).cloned());
                    let constants: Option<Vec<Arc<[f64]>>> = constants.collect();
                    constants.and_then(|inputs| value(primitive, &inputs, mode, LARGE))
                }
                Op::Get(..) | Op::Put(..) | Op::Repeat(_) => None,
            };
            let vanishing = match &statement.applied {
                Op::Primitive(primitive) => sum(primitive, &arguments, &known),
                _ => None,
            };
            wires.extend(match (computed, vanishing) {
                (Some(entries), _) => {
                    let given = b.apply(Op::Constant(Constant(Arc::clone(&entries))), &[]);
                    known.extend(given.iter().map(|wire| (*wire, Arc::clone(&entries))));
                    given
                }
                (None, Some(wire)) => vec![wire],
                (None, None) => b.apply(statement.applied.clone(), &arguments),
            });
        }
        let outputs = among(&wires, self.map.outputs());
        Line {
            map: b.finish(outputs),
            origins: self.origins.clone(),
        }
    }
}

/// The value of a primitive at constants, if it is defined there and not large.
fn value(
    primitive: &Primitive,
    inputs: &[Arc<[f64]>],
    mode: Partiality,
    large: usize,
) -> Option<Arc<[f64]>> {
    let slices: Vec<&[f64]> = inputs.iter().map(|entries| &**entries).collect();
    if primitive.output() > large || primitive.check(&slices, mode).is_err() {
        return None;
    }
    let mut out = vec![0.0; primitive.output()];
    primitive.apply(&slices, &mut out);
    Some(out.into())
}

/// The other operand of x + 0 or 0 + x.
fn sum(
    primitive: &Primitive,
    arguments: &[Wire],
    known: &BTreeMap<Wire, Arc<[f64]>>,
) -> Option<Wire> {
    let plus = <Primitive as Differentiable>::plus(primitive.output());
    let (&[a, b], true) = (arguments, plus == *primitive) else {
        return None;
    };
    let zero = |wire: Wire| {
        let known = known.get(&wire);
        known.is_some_and(|entries| entries.iter().all(|entry| *entry == 0.0))
    };
    match (zero(a), zero(b)) {
        (true, _) => Some(b),
        (_, true) => Some(a),
        _ => None,
    }
}

/// Loop over moments as an operation of a line. Its arguments are constants, first states and sequences; its results are last states and
/// sequences. A sequence is the concatenation of the entries of all moments.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// Number and direction of the moments.
    pub moments: Moments,
    /// The line of a moment. Its inputs are the constants, then an entry of each sequence; its locations are the states; its outputs are an
    /// entry of each sequence of results.
    pub body: Arc<Line>,
    /// The sizes of the states.
    pub states: Vec<usize>,
    /// Number of constants.
    pub constants: usize,
}

/// Number and direction of the moments of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    /// Number of moments.
    pub count: usize,
    /// True if time runs backwards: the entries from the last to the first.
    pub backwards: bool,
}

impl Moments {
    /// Numbers of the moments, from 0, in the order in which they run.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        let last = self.count.saturating_sub(1);
        (0..self.count).map(move |t| if self.backwards { last - t } else { t })
    }
}

impl PartialEq for Repeat {
    fn eq(&self, other: &Repeat) -> bool {
        let of = |repeat: &Repeat| (repeat.moments, repeat.states.clone(), repeat.constants);
        Arc::ptr_eq(&self.body, &other.body) && of(self) == of(other)
    }
}

impl Eq for Repeat {}

impl Hash for Repeat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.body).hash(state);
    }
}

impl Repeat {
    /// Sizes of the arguments.
    pub(crate) fn inputs(&self) -> Vec<usize> {
        let inputs = self.body.map.inputs();
        let (constants, entries) = inputs.split_at(self.constants.min(inputs.len()));
        let sequences: Vec<usize> = entries
            .iter()
            .map(|size| size * self.moments.count)
            .collect();
        [constants, &self.states, &sequences].concat()
    }

    /// Sizes of the results.
    pub(crate) fn outputs(&self) -> Vec<usize> {
        let map = &self.body.map;
        let entries = map.outputs().iter().map(|wire| map.size(*wire));
        let sequences = entries.map(|size| size * self.moments.count);
        self.states.iter().copied().chain(sequences).collect()
    }

    /// True if its body applies a primitive that may be undefined.
    pub(crate) fn is_partial(&self) -> bool {
        let statements = self.body.map.statements().iter();
        let mut applied = statements.map(|statement| &statement.applied);
        applied.any(|op| match op {
            Op::Primitive(primitive) => primitive.is_partial(),
            Op::Repeat(inner) => inner.is_partial(),
            Op::Constant(_) | Op::Get(..) | Op::Put(..) => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_over_one_body_in_two_directions_differ() {
        let body = Arc::new(Line {
            map: Builder::empty(Vec::new()).finish(Vec::new()),
            origins: Vec::new(),
        });
        let [forwards, backwards] = [false, true].map(|backwards| Repeat {
            moments: Moments {
                count: 3,
                backwards,
            },
            body: Arc::clone(&body),
            states: Vec::new(),
            constants: 0,
        });
        assert_eq!(forwards, forwards.clone());
        assert_ne!(forwards, backwards);
    }
}
