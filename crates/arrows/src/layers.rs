//! The values on the way out of a network, by name, with the cotangents that come back to them: the outputs of an arrow of its own, so that
//! whatever runs arrows computes them. The network of a command is what its first-level handlers handle; without a handler it is all of it.

use crate::Arrow;
use crate::bundle::Bundle;
use crate::node::{Node, NodeKind, Pass};
use crate::scope::{Piece, results};
use crate::writer::{Fault, Writer};
use fletch_calculus::{Builtin, Command, Origin, Tensor, Type};
use fletch_smooth::{Builder, Map, Statement, Symbol, Wire};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A value that an operation or a symbol gives on the way out.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The generator without its sizes: `FC[ℓ0]`, `swish`.
    pub name: String,
    /// The function symbol, if that is what gives it.
    pub symbol: Option<Symbol>,
    /// The variable that stands for it, if there is one.
    pub variable: Option<Arc<str>>,
    /// Origin of the call.
    pub origin: Origin,
    /// Number of entries.
    pub size: usize,
    /// The output of the arrow that is its value.
    pub value: usize,
    /// The output of the arrow that is its cotangent, if one comes back.
    pub cotangent: Option<usize>,
    /// The components of the sample that it depends on.
    pub reads: BTreeSet<usize>,
}

/// The layers met so far.
#[derive(Default)]
pub(crate) struct Noted {
    layers: Vec<Note>,
    /// What ordinary handlers handle, and the statements of it that are noted: a clause that resumes twice writes them again.
    resumed: Vec<(Rc<Piece>, BTreeSet<usize>)>,
}

/// A layer before the arrow is finished.
struct Note {
    layer: Layer,
    value: Wire,
    cotangent: Option<Wire>,
}

impl Noted {
    /// Notes all that a piece gives on the way out, at these wires, with the cotangents of its own wires.
    pub(crate) fn all(
        &mut self,
        map: &Map<Node>,
        wires: &[Wire],
        cotangent: impl Fn(Wire) -> Option<Wire>,
    ) {
        for statement in map.statements() {
            let given = results(statement).filter_map(|own| {
                Some(Given {
                    own,
                    value: *wires.get(own.0)?,
                    cotangent: cotangent(own),
                })
            });
            self.layers.extend(notes(map, statement, given));
        }
    }

    /// Notes what a statement of what an ordinary handler handles gives, the first time.
    pub(crate) fn once(&mut self, piece: &Rc<Piece>, number: usize, wires: &[Wire]) {
        let known = self.resumed.iter();
        let known = known.rev().position(|(other, _)| Rc::ptr_eq(other, piece));
        let place = match known {
            Some(back) => self.resumed.len() - 1 - back,
            None => {
                self.resumed.push((piece.clone(), BTreeSet::new()));
                self.resumed.len() - 1
            }
        };
        let seen = self.resumed.get_mut(place);
        let first = seen.is_some_and(|(_, seen)| seen.insert(number));
        if let (true, Some(statement)) = (first, piece.map.statements().get(number)) {
            let given = results(statement).filter_map(|own| {
                Some(Given {
                    own,
                    value: *wires.get(own.0)?,
                    cotangent: None,
                })
            });
            self.layers.extend(notes(&piece.map, statement, given));
        }
    }
}

/// A result of a statement: its wire in the map of the statement, and its value and cotangent in the arrow.
struct Given {
    own: Wire,
    value: Wire,
    cotangent: Option<Wire>,
}

/// The layers that a statement gives: none for constants, for reads and writes of the heap, and for what is on the way back.
fn notes(
    map: &Map<Node>,
    statement: &Statement<Node>,
    given: impl Iterator<Item = Given>,
) -> Vec<Note> {
    let node = &statement.applied;
    let back = node.provenance.passage.as_ref();
    let symbol = match &node.kind {
        NodeKind::Constant(_) => return Vec::new(),
        _ if back.is_some_and(|passage| passage.pass != Pass::Forward) => return Vec::new(),
        NodeKind::Symbol(symbol) => Some(symbol.clone()),
        NodeKind::Operation(operation) if operation.heap_access().is_some() => return Vec::new(),
        NodeKind::Operation(_) | NodeKind::Loop(_) => None,
    };
    let given = given.map(|result| Note {
        layer: Layer {
            name: node.brief(),
            symbol: symbol.clone(),
            variable: map.name(result.own).cloned(),
            origin: node.provenance.origin,
            size: map.size(result.own),
            value: 0,
            cotangent: None,
            reads: BTreeSet::new(),
        },
        value: result.value,
        cotangent: result.cotangent,
    });
    given.filter(|note| note.layer.size > 0).collect()
}

impl Arrow {
    /// The arrow of a closed command whose outputs are the values of its layers, and the cotangents that come back to them; with at most so
    /// many moments of each feedback. A constant that is a component of a sample by `component` is one that layers read; a layer that reads
    /// none is left out.
    ///
    /// # Errors
    /// As [`Arrow::unrolled`].
    pub fn with_layers(
        command: &Command,
        codomain: &Type,
        moments: usize,
        component: &dyn Fn(&Tensor) -> Option<usize>,
    ) -> Result<(Arrow, Vec<Layer>), Fault> {
        let mut writer = Writer::new(Vec::new());
        writer.unrolled = Some(moments);
        writer.noted = Some(Noted::default());
        let mut notes = Vec::new();
        let (mut piece, _) = writer.abstracted_tracing(&[], command.origin(), |writer| {
            writer.command(command)?;
            notes = writer.noted.take().unwrap_or_default().layers;
            let wires = notes.iter().map(|note| note.value);
            let wires = wires.chain(notes.iter().filter_map(|note| note.cotangent));
            Ok(Bundle::Tuple(wires.map(Bundle::One).collect()))
        })?;
        if notes.is_empty() {
            let (whole, _) = Arrow::unrolled(&[], command, codomain, moments)?;
            (piece.map, notes) = of_whole(&whole.map);
        }
        let count = notes.len();
        let mut cotangents = count..;
        let mut layers: Vec<Layer> = Vec::with_capacity(count);
        for (number, note) in notes.into_iter().enumerate() {
            layers.push(Layer {
                value: number,
                cotangent: note.cotangent.and_then(|_| cotangents.next()),
                ..note.layer
            });
        }
        Ok(kept(&piece.map, layers, component))
    }
}

/// All statements of an arrow as layers, and the map that gives them.
fn of_whole(map: &Map<Node>) -> (Map<Node>, Vec<Note>) {
    let mut b = Builder::empty(map.inputs().to_vec());
    let inputs = b.inputs();
    let wires = b.inline_with(map, &inputs, &mut |b, node, arguments| {
        b.apply(node.clone(), arguments)
    });
    let all = map.statements().iter().flat_map(|statement| {
        let given = results(statement).filter_map(|own| {
            Some(Given {
                own,
                value: *wires.get(own.0)?,
                cotangent: None,
            })
        });
        notes(map, statement, given)
    });
    let all: Vec<Note> = all.collect();
    let outputs = all.iter().map(|note| note.value).collect();
    (b.finish(outputs), all)
}

/// The layers that read the sample, and the arrow that gives those alone.
fn kept(
    map: &Map<Node>,
    layers: Vec<Layer>,
    component: &dyn Fn(&Tensor) -> Option<usize>,
) -> (Arrow, Vec<Layer>) {
    let reads = reads(map, component);
    let of_output = |output: usize| {
        let wire = map.outputs().get(output);
        wire.and_then(|wire| reads.get(wire.0)).cloned()
    };
    let mut outputs: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for layer in layers {
        let reads = of_output(layer.value).unwrap_or_default();
        if reads.is_empty() {
            continue;
        }
        let value = outputs.len();
        outputs.push(layer.value);
        let cotangent = layer.cotangent.map(|cotangent| {
            outputs.push(cotangent);
            value + 1
        });
        found.push(Layer {
            value,
            cotangent,
            reads,
            ..layer
        });
    }
    let mut b = Builder::empty(map.inputs().to_vec());
    let inputs = b.inputs();
    let wires = b.inline(map, &inputs);
    let wires = outputs.iter().filter_map(|output| wires.get(*output));
    let wires: Vec<Wire> = wires.copied().collect();
    let sizes = wires.iter().map(|wire| Type::Real(b.size(*wire)));
    let codomain = Type::product(sizes.collect());
    let map = b.finish(wires);
    (Arrow { map, codomain }, found)
}

/// The components of the sample that each wire depends on, also by what was written to a location before it is read.
fn reads(map: &Map<Node>, component: &dyn Fn(&Tensor) -> Option<usize>) -> Vec<BTreeSet<usize>> {
    let mut of_wires: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); map.inputs().len()];
    let mut written: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for statement in map.statements() {
        let arguments = statement.arguments.iter();
        let arguments = arguments.filter_map(|wire| of_wires.get(wire.0));
        let mut own: BTreeSet<usize> = arguments.flatten().copied().collect();
        match &statement.applied.kind {
            NodeKind::Constant(tensor) => own.extend(component(tensor)),
            NodeKind::Operation(operation) => match operation.heap_access() {
                Some((Builtin::Put, location)) => {
                    written.insert(location.number, own.clone());
                }
                Some((Builtin::Get, location)) => {
                    own.extend(written.get(&location.number).into_iter().flatten());
                }
                None => {}
            },
            NodeKind::Symbol(_) | NodeKind::Loop(_) => {}
        }
        let count = statement.results().len();
        of_wires.extend(std::iter::repeat_n(own, count));
    }
    of_wires
}
