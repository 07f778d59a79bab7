//! Lowering of an arrow to a [`Line`]: its statements are expanded to primitives, and the heap becomes values. The contents of a location
//! are a wire from the first read to the last write. A loop over moments takes the locations that its body writes as states, and the
//! locations that it only reads as constants.

use crate::line::{Constant, Line, Moments, Op, Repeat};
use fletch_arrows::{Arrow, Loop, Node, NodeKind, WORK};
use fletch_calculus::{Builtin, OperationRef, Origin, Tensor};
use fletch_smooth::{Builder, Map, Wire, among};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Default of the maximum number of statements, counted over all moments, of a loop that is unrolled.
const SHORT: usize = 64;

/// Reason why an arrow has no plan.
#[derive(Clone, Debug)]
pub enum Refused {
    /// An operation that no handler handles; the step would stop there.
    Unhandled(OperationRef, Origin),
    /// A loop that would take too long: more than [`fletch_arrows::WORK`] statements over all moments.
    TooLong(Origin),
    /// A location or an argument of another type than the arrow promises. This is a defect, reported rather than hidden.
    IllTyped(Origin),
}

/// Results of an arrow that the line computes, in addition to the checks of the arrow's domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Value and effect on the heap.
    All,
    /// Value.
    Value,
    /// Effect on the heap.
    Heap,
}

/// Lowers an arrow to its line. `sample` has the sizes of the components of a sample, which are the first inputs of the line. A constant to
/// which `component` gives a component number is replaced by that input.
///
/// # Errors
/// If the arrow performs an operation other than `Get` and `Put`, or if its loops would take too long.
pub fn lower(
    arrow: &Arrow,
    sample: &[usize],
    component: impl Fn(&Tensor) -> Option<usize>,
    wanted: Wanted,
) -> Result<Line, Refused> {
    lower_keeping(SHORT, arrow, sample, component, wanted)
}

/// Same as [`lower`], but unrolls a loop of at most `short` statements, counted over all moments.
///
/// # Errors
/// As [`lower`].
pub fn lower_keeping(
    short: usize,
    arrow: &Arrow,
    sample: &[usize],
    component: impl Fn(&Tensor) -> Option<usize>,
    wanted: Wanted,
) -> Result<Line, Refused> {
    let mut b = Builder::empty([sample, arrow.map.inputs()].concat());
    let inputs = b.inputs();
    let (sample, wires) = inputs.split_at(sample.len());
    let component = |tensor: &Tensor| sample.get(component(tensor)?).copied();
    let mut lowering = Lowering::new(short, &component);
    let outputs = lowering.lower(&mut b, &arrow.map, wires, true)?;
    if wanted != Wanted::Value {
        lowering.put(&mut b);
    }
    let outputs = match wanted {
        Wanted::All | Wanted::Value => outputs,
        Wanted::Heap => Vec::new(),
    };
    Ok(Line {
        map: b.finish(outputs),
        origins: origins(&arrow.map),
    })
}

/// Contents of a location: the wire, its size, and true if the step wrote it.
type Cell = (Wire, usize, bool);

/// Lowering of one line.
struct Lowering<'c> {
    /// Maximum number of statements, counted over all moments, of a loop that is unrolled.
    short: usize,
    /// Wire of the sample component that a constant stands for; `None` for any other constant.
    component: &'c dyn Fn(&Tensor) -> Option<Wire>,
    /// Contents of the locations that the step has touched so far, by location number.
    heap: BTreeMap<usize, Cell>,
}

/// Origin of each statement of a map.
fn origins(map: &Map<Node>) -> Vec<Origin> {
    let statements = map.statements().iter();
    let nodes = statements.map(|statement| &statement.applied);
    nodes.map(|node| node.provenance.origin).collect()
}

/// The locations and constants that a loop needs from outside.
#[derive(Default)]
struct Needed {
    /// Size of each location, and true if the body writes it; by location number.
    locations: BTreeMap<usize, (usize, bool)>,
    /// Wires of the sample components that the body uses.
    components: Vec<Wire>,
}

impl<'c> Lowering<'c> {
    fn new(short: usize, component: &'c dyn Fn(&Tensor) -> Option<Wire>) -> Lowering<'c> {
        Lowering {
            short,
            component,
            heap: BTreeMap::new(),
        }
    }

    /// Adds the statements of a map at these input wires; returns the wires of its outputs. The new statements belong to those of the map
    /// if it is `outermost`, and else to the statement that is being opened.
    fn lower(
        &mut self,
        b: &mut Builder<Op>,
        map: &Map<Node>,
        inputs: &[Wire],
        outermost: bool,
    ) -> Result<Vec<Wire>, Refused> {
        let mut wires = inputs.to_vec();
        for (number, statement) in map.statements().iter().enumerate() {
            if outermost {
                b.opening(Some(number));
            }
            let arguments = among(&wires, &statement.arguments);
            wires.extend(self.statement(b, &statement.applied, &arguments)?);
        }
        Ok(among(&wires, map.outputs()))
    }

    /// Adds a `Put` for each location that the step wrote.
    fn put(&self, b: &mut Builder<Op>) {
        for (number, (wire, size, written)) in &self.heap {
            if *written {
                b.apply(Op::Put(*number, *size), &[*wire]);
            }
        }
    }

    fn statement(
        &mut self,
        b: &mut Builder<Op>,
        node: &Node,
        arguments: &[Wire],
    ) -> Result<Vec<Wire>, Refused> {
        let origin = node.provenance.origin;
        match &node.kind {
            NodeKind::Symbol(symbol) => {
                let map = symbol.map();
                let opened = b.inline_with(map, arguments, &mut |b, primitive, wires| {
                    let applied = match primitive.as_constant() {
                        Some(tensor) => Op::Constant(Constant(Arc::clone(tensor.buffer()))),
                        None => Op::Primitive(primitive.clone()),
                    };
                    b.apply(applied, wires)
                });
                Ok(among(&opened, map.outputs()))
            }
            NodeKind::Constant(tensor) => Ok(match (self.component)(tensor) {
                Some(wire) => vec![wire],
                None => b.apply(Op::Constant(Constant(Arc::clone(tensor.buffer()))), &[]),
            }),
            NodeKind::Operation(operation) => {
                let unhandled = || Refused::Unhandled(operation.clone(), origin);
                let (access, location) = operation.heap_access().ok_or_else(unhandled)?;
                let size = location.shape().size();
                match access {
                    Builtin::Get => Ok(vec![self.get(b, location.number, size)]),
                    Builtin::Put => {
                        let written = *arguments.first().ok_or(Refused::IllTyped(origin))?;
                        self.heap.insert(location.number, (written, size, true));
                        Ok(b.apply(Op::Constant(Constant(Arc::new([]))), &[]))
                    }
                }
            }
            NodeKind::Loop(looped) if looped.work() > WORK => Err(Refused::TooLong(origin)),
            NodeKind::Loop(looped) if looped.work() <= self.short => {
                let written = looped.written_out(&node.provenance);
                self.lower(b, &written, arguments, false)
            }
            NodeKind::Loop(looped) => self.looped(b, looped, arguments, origin),
        }
    }

    /// Wire of the contents of a location; the first use adds a `Get`.
    fn get(&mut self, b: &mut Builder<Op>, number: usize, size: usize) -> Wire {
        let get = || (b.apply_one(Op::Get(number, size), &[]), size, false);
        self.heap.entry(number).or_insert_with(get).0
    }

    fn looped(
        &mut self,
        b: &mut Builder<Op>,
        looped: &Loop,
        arguments: &[Wire],
        origin: Origin,
    ) -> Result<Vec<Wire>, Refused> {
        let ill_typed = || Refused::IllTyped(origin);
        let mut needed = Needed::default();
        self.needs(looped, &mut needed)?;
        let (read, written): (Vec<_>, Vec<_>) = needed
            .locations
            .iter()
            .map(|(number, (size, is_written))| (*number, *size, *is_written))
            .partition(|(.., is_written)| !is_written);
        // Arguments of the loop, in order: constants, sample components, locations that are only read; states, locations that are written;
        // sequences.
        let parts = arguments.split_at_checked(looped.constants);
        let (constants, rest) = parts.ok_or_else(ill_typed)?;
        let parts = rest.split_at_checked(looped.states);
        let (states, sequences) = parts.ok_or_else(ill_typed)?;
        let mut outside = [constants, &needed.components].concat();
        for (number, size, _) in &read {
            outside.push(self.get(b, *number, *size));
        }
        let still = outside.len();
        outside.extend(states);
        for (number, size, _) in &written {
            outside.push(self.get(b, *number, *size));
        }
        let moving = outside.iter().skip(still).map(|wire| b.size(*wire));
        let moving: Vec<usize> = moving.collect();
        outside.extend(sequences);
        // Inputs of the body: the arguments that do not change, then one entry of each sequence. Each state is a location of the body.
        let sizes = outside.iter().take(still).map(|wire| b.size(*wire));
        let entries = looped.body.inputs().iter();
        let entries = entries.skip(constants.len() + states.len()).copied();
        let mut body = Builder::empty(sizes.chain(entries).collect());
        let inside = body.inputs();
        let component = |tensor: &Tensor| {
            let wire = (self.component)(tensor)?;
            let position = needed.components.iter().position(|other| *other == wire)?;
            inside.get(constants.len() + position).copied()
        };
        let mut lowering = Lowering::new(self.short, &component);
        let known = constants.len() + needed.components.len();
        for ((number, size, _), wire) in read.iter().zip(inside.iter().skip(known)) {
            lowering.heap.insert(*number, (*wire, *size, false));
        }
        let mut wires: Vec<Wire> = inside.iter().take(constants.len()).copied().collect();
        for (j, size) in moving.iter().enumerate() {
            let wire = body.apply_one(Op::Get(j, *size), &[]);
            match j.checked_sub(states.len()).and_then(|at| written.get(at)) {
                Some((number, size, _)) => {
                    lowering.heap.insert(*number, (wire, *size, false));
                }
                None => wires.push(wire),
            }
        }
        wires.extend(inside.iter().skip(still));
        let given = lowering.lower(&mut body, &looped.body, &wires, true)?;
        let (next, results) = given.split_at_checked(states.len()).ok_or_else(ill_typed)?;
        let left = written.iter().map(|(number, ..)| lowering.heap.get(number));
        let left: Option<Vec<Wire>> = left.map(|cell| Some(cell?.0)).collect();
        let next = [next, &left.ok_or_else(ill_typed)?].concat();
        for (j, (wire, size)) in next.iter().zip(&moving).enumerate() {
            body.apply(Op::Put(j, *size), &[*wire]);
        }
        let repeat = Repeat {
            moments: Moments {
                count: looped.count,
                backwards: looped.backwards,
            },
            body: Arc::new(Line {
                map: body.finish(results.to_vec()),
                origins: origins(&looped.body),
            }),
            states: moving,
            constants: still,
        };
        let mut given = b.apply(Op::Repeat(repeat), &outside);
        let contents = given.drain(states.len()..states.len() + written.len());
        for ((number, size, _), wire) in written.iter().zip(contents) {
            self.heap.insert(*number, (wire, *size, true));
        }
        Ok(given)
    }

    /// Collects what the statements of a loop and of its inner loops need.
    fn needs(&self, looped: &Loop, needed: &mut Needed) -> Result<(), Refused> {
        for statement in looped.body.statements() {
            let node = &statement.applied;
            match &node.kind {
                NodeKind::Loop(inner) => self.needs(inner, needed)?,
                NodeKind::Constant(tensor) => {
                    if let Some(wire) = (self.component)(tensor)
                        && !needed.components.contains(&wire)
                    {
                        needed.components.push(wire);
                    }
                }
                NodeKind::Operation(operation) => {
                    let origin = node.provenance.origin;
                    let unhandled = || Refused::Unhandled(operation.clone(), origin);
                    let (access, location) = operation.heap_access().ok_or_else(unhandled)?;
                    let size = location.shape().size();
                    let entry = needed.locations.entry(location.number);
                    entry.or_insert((size, false)).1 |= access == Builtin::Put;
                }
                NodeKind::Symbol(_) => {}
            }
        }
        Ok(())
    }
}
