//! Straight-line maps of other operations than primitives: of symbols, which are boxes that can be opened, and of symbols with
//! effectful operations among them, as in an arrow.

use std::convert::Infallible;
use std::sync::Arc;

use fletch_smooth::generate::SplitMix64;
use fletch_smooth::{Applied, Builder, Map, Partiality, Primitive, Shape, Symbol, Wire, family};

/// All wires are vectors of 2 entries.
const N: usize = 2;

fn symbol(name: &str) -> Symbol {
    let family = family(name).unwrap();
    let shapes = vec![Shape::vector(N); family.arity];
    family.instantiate(&[], &shapes).unwrap()
}

/// A random diagram of three inputs and two outputs, with derivatives among its boxes.
fn diagram(random: &mut SplitMix64) -> Map<Symbol> {
    let symbols = [
        symbol("swish"),
        symbol("softmax"),
        symbol("hadamard"),
        symbol("minus"),
        symbol("relu"),
        symbol("swish").reverse(),
        symbol("hadamard").reverse(),
        symbol("softmax").reverse().reverse(),
    ];
    let mut choose = |bound: usize| (random.uniform() * bound as f64) as usize;
    let mut b = Builder::empty(vec![N; 3]);
    let mut wires = b.inputs();
    for _ in 0..6 {
        let symbol = &symbols[choose(symbols.len())];
        let count = Applied::inputs(symbol).len();
        let arguments: Vec<Wire> = (0..count).map(|_| wires[choose(wires.len())]).collect();
        wires.extend(b.apply(symbol.clone(), &arguments));
    }
    let outputs = (0..2).map(|_| wires[choose(wires.len())]).collect();
    b.finish(outputs)
}

fn run(map: &Map, x: &[f64]) -> Result<Vec<u64>, String> {
    let inputs: Vec<Arc<[f64]>> = x.chunks(N).map(Arc::from).collect();
    let outputs = map.eval(&inputs, Partiality::Paper)?;
    Ok(outputs
        .iter()
        .flat_map(|data| data.iter().map(|x| x.to_bits()))
        .collect())
}

#[test]
fn boxes_are_opened_to_their_primitives() {
    let random = &mut SplitMix64::new(1);
    for _ in 0..100 {
        let boxes = diagram(random);
        let opened = boxes.primitives();
        assert_eq!(
            (boxes.inputs(), boxes.outputs().len()),
            (opened.inputs(), 2)
        );
        for statement in opened.statements() {
            let part_of = &boxes.statements()[statement.part_of.unwrap()];
            let inside = part_of.applied.map().statements();
            assert!(
                inside
                    .iter()
                    .any(|inner| inner.applied == statement.applied)
            );
        }
        // The boxes are evaluated one by one, by the maps of their symbols.
        let x: Vec<f64> = (0..3 * N).map(|_| 2.0 * random.uniform() - 1.0).collect();
        let inputs: Vec<Arc<[f64]>> = x.chunks(N).map(Arc::from).collect();
        let by_boxes = boxes.run(&inputs, |statement, arguments, wires| {
            wires.extend(statement.applied.map().eval(arguments, Partiality::Paper)?);
            Ok::<(), String>(())
        });
        let bits = |outputs: Vec<Arc<[f64]>>| -> Vec<u64> {
            outputs
                .iter()
                .flat_map(|data| data.iter().map(|x| x.to_bits()))
                .collect()
        };
        assert_eq!(by_boxes.map(bits), run(&opened, &x));
    }
}

/// RD of a diagram has a box rd\[f\] for a box f, and is the same map as RD of the primitives.
#[test]
fn the_derivative_of_boxes_is_that_of_what_is_in_them() {
    let random = &mut SplitMix64::new(2);
    let mut defined = 0;
    for _ in 0..100 {
        let boxes = diagram(random);
        let backward = boxes.reverse();
        assert!(backward.statements().len() <= 4 * boxes.statements().len() + 6);
        let x: Vec<f64> = (0..5 * N).map(|_| 2.0 * random.uniform() - 1.0).collect();
        let both = (
            run(&backward.primitives(), &x),
            run(&boxes.primitives().reverse(), &x),
        );
        let (by_boxes, by_primitives) = match both {
            (Ok(by_boxes), Ok(by_primitives)) => (by_boxes, by_primitives),
            (by_boxes, by_primitives) => {
                assert!(
                    by_boxes.is_err() && by_primitives.is_err(),
                    "they have one domain"
                );
                continue;
            }
        };
        defined += 1;
        for (a, b) in by_boxes.into_iter().zip(by_primitives) {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{a} against {b}");
        }
    }
    assert!(defined > 50, "{defined} of 100 points are in the domain");
}

/// Operation of an arrow's statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Step {
    Symbol(Symbol),
    /// Takes one vector and gives two.
    Operation(&'static str),
}

impl Applied for Step {
    fn inputs(&self) -> Vec<usize> {
        match self {
            Step::Symbol(symbol) => Applied::inputs(symbol),
            Step::Operation(_) => vec![N],
        }
    }

    fn outputs(&self) -> Vec<usize> {
        match self {
            Step::Symbol(symbol) => symbol.outputs(),
            Step::Operation(_) => vec![N, N],
        }
    }

    fn is_kept(&self) -> bool {
        match self {
            Step::Symbol(symbol) => symbol.is_kept(),
            Step::Operation(_) => true,
        }
    }

    fn is_shared(&self) -> bool {
        matches!(self, Step::Symbol(_))
    }
}

#[test]
fn operations_stand_among_symbols() {
    let swish = Step::Symbol(symbol("swish"));
    let mut b = Builder::empty(vec![N]);
    let x = b.inputs();
    let first = b.apply(Step::Operation("draw"), &x);
    let second = b.apply(Step::Operation("draw"), &x);
    assert_ne!(
        first, second,
        "an operation is performed as often as it is written"
    );
    let y = b.apply(swish.clone(), &second[1..]);
    assert_eq!(
        b.apply(swish.clone(), &second[1..]),
        y,
        "a symbol need only be applied once"
    );
    b.apply(swish.clone(), &first[..1]);
    let arrow = b.finish(vec![y[0]]);
    let applied: Vec<&Step> = arrow.statements().iter().map(|s| &s.applied).collect();
    let draw = Step::Operation("draw");
    assert_eq!(
        applied,
        [&draw, &draw, &swish],
        "what nothing uses is dropped, operations are not"
    );
    assert_eq!(
        (arrow.size(arrow.outputs()[0]), arrow.inputs()),
        (N, &[N][..])
    );
    let mut performed = Vec::new();
    let outputs = arrow.run(&["x".to_owned()], |statement, arguments, wires| {
        match &statement.applied {
            Step::Symbol(symbol) => wires.push(format!("{symbol}({})", arguments[0])),
            Step::Operation(name) => {
                performed.push(*name);
                let number = performed.len();
                wires.extend(["a", "b"].map(|part| format!("{part}{number}")));
            }
        }
        Ok::<(), Infallible>(())
    });
    assert_eq!(outputs.unwrap(), ["swish(b2)"]);
    assert_eq!(performed.len(), 2);
}

#[test]
fn a_primitive_is_a_box_with_one_statement() {
    let f: Primitive = symbol("hadamard").as_primitive().unwrap().clone();
    let boxed = symbol("hadamard");
    assert_eq!(Applied::inputs(&f), Applied::inputs(&boxed));
    assert_eq!(boxed.map().statements().len(), 1);
    assert_eq!(boxed.map().statements()[0].part_of, None);
}
