//! Layers of a network: the values of its forward half, by name, with their cotangents. They are the outputs of a separate
//! arrow, so anything that runs arrows computes them. The network of a command is what its outermost handlers handle; without a
//! handler it is the whole command.

use crate::Arrow;
use crate::bundle::Bundle;
use crate::node::{Node, NodeKind};
use crate::noted::{Layer, Note, Noted};
use crate::writer::{Fault, Writer};
use fletch_calculus::{Builtin, Command, Tensor, Type};
use fletch_smooth::{Builder, Map, Wire};
use std::collections::{BTreeMap, BTreeSet};

impl Arrow {
    /// Returns an arrow of a closed command whose outputs are the values of its layers and their cotangents. The moments of a
    /// feedback have separate layers if there are at most `moments` of them; a longer feedback is one layer. `component` gives
    /// the index of the component of a sample that a constant is. A layer that depends on no component is left out.
    ///
    /// # Errors
    /// As [`Arrow::of`].
    pub fn with_layers(
        command: &Command,
        codomain: &Type,
        moments: usize,
        component: &dyn Fn(&Tensor) -> Option<usize>,
    ) -> Result<(Arrow, Vec<Layer>), Fault> {
        let mut writer = Writer::new(Vec::new());
        writer.unrolled = moments;
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

/// All statements of an arrow as layers, and the map that outputs them.
fn of_whole(map: &Map<Node>) -> (Map<Node>, Vec<Note>) {
    let mut b = Builder::empty(map.inputs().to_vec());
    let inputs = b.inputs();
    let wires = b.inline_with(map, &inputs, &mut |b, node, arguments| {
        b.apply(node.clone(), arguments)
    });
    let mut noted = Noted::default();
    noted.all(map, &wires, |_| None);
    let outputs = noted.layers.iter().map(|note| note.value).collect();
    (b.finish(outputs), noted.layers)
}

/// Layers that depend on the sample, and the arrow that outputs those alone.
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

/// Components of the sample that each wire depends on, also through what was written to a location before it is read.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use crate::Arrow;
    use crate::cases::{check, command, layers};
    use fletch_calculus::{Tensor, Type};

    #[test]
    fn the_outputs_are_each_layer_with_its_cotangent() {
        let read = command("rev handle([5])⟨x⟩. let y ⇐ D(x) in ⌊sin[1](y)⌋ with H");
        let sample = |tensor: &Tensor| (tensor.data() == [5.0]).then_some(0);
        let (arrow, layers) =
            Arrow::with_layers(&read.subject, &Type::real(1), 0, &sample).unwrap();
        let numbers = layers.iter().map(|layer| (layer.value, layer.cotangent));
        assert_eq!(numbers.collect::<Vec<_>>(), [(0, Some(1)), (2, Some(3))]);
        // Values and cotangents: w3 and w6 of D, w4 and w5 of sin.
        check(
            &arrow,
            "
                in
                   0 w0 : 1 = 5()
                   1 w1 : 0 = ()()              H forward D
                   2 w2 : 1 = Get[w](w1)        H forward D
                   3 w3 : 1 = hadamard(w2, w0)  H forward D
                   4 w4 : 1 = sin(w3)           H forward sin
                   5 w5 : 1 = sin(w4)           H return
                   6 w6 : 1 = rd[sin](w3, w5)   H backward sin
                   7 w7 : 1 = hadamard(w6, w0)  H backward D
                   8 w8 : 0 = Put[w](w7)        H backward D
                out  w3, w6, w4, w5",
        );
    }

    #[test]
    fn a_value_that_does_not_depend_on_the_sample_is_no_layer() {
        assert_eq!(
            layers("let c ⇐ ⌊sin[1](2)⌋ in let s ⇐ ⌊cos[1](5)⌋ in ⌊s + c⌋"),
            ["cos s", "plus"]
        );
    }

    #[test]
    fn a_sample_is_followed_through_the_heap() {
        assert_eq!(
            layers("let _ ⇐ Put[w](5) in let m ⇐ Get[w]() in ⌊sin[1](m)⌋"),
            ["sin"]
        );
        assert_eq!(
            layers("let m ⇐ Get[w]() in let _ ⇐ Put[w](5) in ⌊sin[1](m)⌋"),
            Vec::<String>::new(),
            "it is written after the read"
        );
    }
}
