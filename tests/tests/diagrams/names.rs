//! One thing has one name (`docs/dev/notation.md`): a derivative in a diagram has the same name as in the listing of an arrow, in
//! sentences and in rules, and the name is made of its term.

use super::fitting::arrows;
use fletch_arrows::Pass;
use fletch_diagrams::{Graph, Kind, Labels, Picture, Room, Shape, Style};
use fletch_smooth::derivative_of;

/// Returns the boxes of terms in the forward pass, each with the box of its derivative in the backward pass, in the same unit.
fn pairs(picture: &Picture) -> Vec<(&Shape, &Shape)> {
    let pure = |pass: Pass| {
        let shapes = picture
            .boxes
            .iter()
            .filter(|shape| shape.kind == Kind::Pure);
        shapes.filter(move |shape| shape.part.is_some_and(|part| part.pass == pass))
    };
    let derivatives = pure(Pass::Backward).filter(|shape| shape.derivative);
    let pairs = derivatives.filter_map(|derivative| {
        let of = |shape: &&Shape| {
            let (own, other) = (shape.part.unwrap(), derivative.part.unwrap());
            (own.run, own.unit) == (other.run, other.unit) && shape.place == derivative.place
        };
        Some((pure(Pass::Forward).find(of)?, derivative))
    });
    pairs.collect()
}

#[test]
fn a_derivative_has_the_name_of_its_term_in_every_example() {
    let mut found = 0;
    for (name, arrow, source) in arrows() {
        let mut graph = Graph::of(&arrow, &source);
        let picture = Picture::of(&graph, Style::Bent);
        assert!(
            !picture.boxes.iter().any(|shape| shape.label.contains("R′")),
            "{name}"
        );
        for (term, derivative) in pairs(&picture) {
            // In the backward pass a lone map is called by its name only, whatever its argument is (`rows` for `rows[f](x + y)`).
            let whole = derivative.label == derivative_of(&term.label);
            let alone = (term.label.split_once('['))
                .is_some_and(|(map, _)| derivative.label == derivative_of(map));
            assert!(
                whole || alone,
                "{name}: {} and {}",
                term.label,
                derivative.label
            );
            found += 1;
        }
        graph.labels = Labels::Brief;
        for shape in &Picture::of(&graph, Style::Bent).boxes {
            if shape.derivative {
                assert!(
                    shape.shown().starts_with("rd[") && shape.shown().ends_with(']'),
                    "{name}: {}",
                    shape.shown()
                );
            }
            assert!(
                shape.shown().chars().count() <= shape.label.chars().count(),
                "{name}"
            );
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn a_symbol_and_a_box_call_a_derivative_alike() {
    let (arrow, source) = super::main_of("mlp");
    let statements = arrow
        .map
        .statements()
        .iter()
        .map(|statement| statement.applied.to_string());
    let listed: Vec<String> = statements.filter(|name| name.starts_with("rd[")).collect();
    let mut graph = Graph::of(&arrow, &source);
    let room = Room {
        width: 1252,
        height: 536,
        ..Room::default()
    };
    let picture = Picture::fitted(&mut graph, Style::Bent, room);
    let drawn = picture.boxes.iter().filter(|shape| shape.derivative);
    let drawn: Vec<String> = drawn.map(|shape| shape.shown().to_owned()).collect();
    assert_eq!(drawn, ["rd[swish]"]);
    assert!(
        listed.iter().any(|name| name.starts_with("rd[swish")),
        "{listed:?}"
    );
}
