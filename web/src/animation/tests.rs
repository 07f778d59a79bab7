//! Tests of the motion between the views before and after a step.

use super::{Flight, Place, Scene, What, scene};
use fletch_playground::protocol::{
    Access, CellView, Chip, Entry, Layer, Level, Line, Mark, Phase, Picture, Piece, PieceKind,
    Rule, RuleFamily, RuleView, Show, Stack, StepView,
};

/// Lines in a notation: `*` marks the redex, `+` the contractum, `#` a value; two spaces of indentation are two columns.
fn lines(text: &str) -> Vec<Line> {
    let line = |line: &str| {
        let body = line.trim_start();
        Line {
            indent: (line.len() - body.len()) as u32,
            pieces: body.split(' ').map(piece).collect(),
        }
    };
    text.lines().map(line).collect()
}

fn piece(text: &str) -> Piece {
    let (mark, text) = match text.chars().next() {
        Some('*') => (Mark::Redex, &text[1..]),
        Some('+') => (Mark::Contractum, &text[1..]),
        _ => (Mark::None, text),
    };
    let value = text.strip_prefix('#');
    Piece {
        kind: PieceKind::Plain,
        text: text.into(),
        mark,
        chip: value.and_then(|value| value.parse().ok()).map(chip),
        node: 0,
        fold: None,
    }
}

fn chip(value: f64) -> Chip {
    Chip {
        id: 0,
        value: 0,
        shape: "1".into(),
        rows: 1,
        columns: 1,
        entries: vec![value],
        size: 1,
    }
}

fn view(position: u32, rule: Rule, text: &str) -> StepView {
    StepView {
        position,
        next: Some(position + 1),
        rule: Some(RuleView {
            rule,
            badge: rule.name().into(),
            title: String::new(),
            equation: false,
            family: RuleFamily::Plain,
        }),
        lines: lines(text),
        ..StepView::default()
    }
}

fn show(from: Option<u32>, position: u32) -> Show {
    Show {
        position,
        from,
        level: Level::Every,
        ..Show::default()
    }
}

fn single(before: &StepView, after: &StepView) -> Option<Scene> {
    scene(before, after, &show(Some(before.position), after.position))
}

fn flight(what: What, from: Place, to: Place) -> Flight {
    Flight { what, from, to }
}

fn value(value: &str) -> What {
    What::Value(value.into())
}

fn stack(layers: Vec<Layer>) -> Vec<Stack> {
    vec![Stack {
        handler: "H".into(),
        from: 0,
        source: (0, 0),
        entries: layers.into_iter().map(Entry::Call).collect(),
        turn: None,
        turns_at: None,
        done_at: None,
    }]
}

fn layer(met_at: u32, phase: Phase, cotangent: Option<(f64, u32)>) -> Layer {
    Layer {
        name: "FC[ℓ0]".into(),
        operation: true,
        handler: "H".into(),
        met_at,
        saved: Vec::new(),
        result: None,
        gradient: true,
        cotangent_type: "Real(1)".into(),
        cotangent: cotangent.map(|(value, _)| chip(value)),
        cotangent_at: cotangent.map(|(_, at)| at),
        told_at: None,
        done_at: None,
        phase,
        source: (0, 0),
        line: 1,
        locations: Vec::new(),
        puts: Vec::new(),
    }
}

#[test]
fn a_value_flies_to_where_it_stands_now() {
    let before = view(4, Rule::Bind, "*let *x *⇐ *#2 in\nx + x + #3");
    let after = view(5, Rule::Eval, "*+ +#2 *#2 #3");
    assert_eq!(
        single(&before, &after).unwrap().flights,
        [flight(value("2"), Place::Redex, Place::Marked)]
    );
    let elsewhere = view(5, Rule::Eval, "#2 +#3");
    assert_eq!(
        single(&before, &elsewhere),
        None,
        "nothing new is what was bound"
    );
}

#[test]
fn only_a_single_move_forward_moves_anything() {
    let before = view(4, Rule::Bind, "*let *x *⇐ *#2 in x");
    let after = view(5, Rule::Eval, "+#2");
    let far = StepView {
        position: 9,
        ..after.clone()
    };
    assert!(scene(&before, &after, &show(Some(4), 5)).is_some());
    assert_eq!(
        scene(&before, &after, &show(None, 5)),
        None,
        "by the slider"
    );
    assert_eq!(
        scene(&before, &after, &show(Some(3), 5)),
        None,
        "from elsewhere"
    );
    assert_eq!(scene(&after, &before, &show(Some(5), 4)), None, "back");
    assert_eq!(scene(&before, &far, &show(Some(4), 9)), None, "farther");
}

#[test]
fn a_handled_operation_comes_apart() {
    let before = view(2, Rule::RhOp, "RH( #1 )\n  let z ⇐ *FC in\n  z\nwith H");
    let mut after = view(
        3,
        Rule::Get,
        "let z ⇐\n  let w ⇐ *Get in\n  w\nin\nlet z′ ⇐\n  RH( z )\n    z\n  with H\nin\nlet x ⇐\n  w\nin\nx",
    );
    after.sandwich = stack(vec![layer(2, Phase::Forward, None)]);
    let scene = single(&before, &after).unwrap();
    let part = |name, class, to| flight(What::Part(name, class), Place::Redex, to);
    assert_eq!(
        scene.flights,
        [
            part("forward clause", "forward", Place::Redex),
            part("continuation", "rest", Place::Below(4)),
            part("backward clause", "backward", Place::Below(8)),
        ]
    );
    assert_eq!(scene.entering, Some(2));
}

#[test]
fn a_function_comes_apart_with_its_derivative() {
    let before = view(
        2,
        Rule::RhTerm,
        "RH( #1 )\n  let z ⇐ *swish in\n  z\nwith H",
    );
    let after = view(
        3,
        Rule::Eval,
        "let z ⇐ *swish in\nlet z′ ⇐ RH( z ) z with H in\nz′ . rd",
    );
    let parts: Vec<_> = single(&before, &after)
        .unwrap()
        .flights
        .into_iter()
        .map(|flight| (flight.what, flight.to))
        .collect();
    assert_eq!(
        parts,
        [
            (What::Part("value", "forward"), Place::Redex),
            (What::Part("continuation", "rest"), Place::Below(1)),
            (
                What::Part("reverse derivative", "backward"),
                Place::Below(2)
            ),
        ]
    );
}

#[test]
fn a_write_flies_to_its_card_and_a_read_comes_from_it() {
    let cell = |active| CellView {
        name: "ℓ1".into(),
        shape: "1".into(),
        rows: 1,
        columns: 1,
        entries: vec![1.0],
        before: None,
        start: None,
        ids: (0, 0),
        value: 0,
        picture: Picture::Matrix,
        summary: None,
        blank: None,
        writes: 0,
        history: Vec::new(),
        update: None,
        active: Some(active),
        source: (0, 0),
    };
    let mut before = view(4, Rule::Put, "let _ ⇐ *Put *#2 in x");
    before.heap = vec![cell(Access::WillWrite)];
    let after = view(5, Rule::Bind, "*let *_ *⇐ *() in x");
    let scene = single(&before, &after).unwrap();
    let card = Place::Card("ℓ1".into());
    assert_eq!(
        scene.flights,
        [flight(value("2"), Place::Redex, card.clone())]
    );
    assert_eq!(scene.flash.as_deref(), Some("ℓ1"));

    let mut before = view(4, Rule::Get, "let w ⇐ *Get in w");
    before.heap = vec![cell(Access::Reads)];
    let after = view(5, Rule::Bind, "*let *w *⇐ *#7 in w");
    assert_eq!(
        single(&before, &after).unwrap().flights,
        [flight(value("7"), card, Place::Marked)]
    );
}

#[test]
fn a_cotangent_flies_to_its_layer_and_what_is_done_leaves() {
    let mut before = view(33, Rule::Proj, "*#2");
    before.sandwich = stack(vec![
        layer(2, Phase::Waiting, None),
        layer(9, Phase::Backward, Some((3.0, 20))),
    ]);
    let mut after = view(34, Rule::Eval, "+#2");
    after.sandwich = stack(vec![
        layer(2, Phase::Backward, Some((2.0, 34))),
        layer(9, Phase::Done, Some((3.0, 20))),
    ]);
    let scene = single(&before, &after).unwrap();
    assert_eq!(
        scene.flights,
        [flight(value("2"), Place::Redex, Place::Layer(2))]
    );
    assert_eq!((scene.entering, scene.leaving), (None, vec![9]));
}
