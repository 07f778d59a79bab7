//! Captions of the boxes of a diagram, in the words of the program: half of a clause, a declaration, or a term and its type.

use crate::program::Program;
use fletch_arrows::{Node, Pass};
use fletch_diagrams::{Kind, Once, Picture, Shape};
use fletch_syntax::Span;
use fletch_syntax::tree::{Clause, ClauseKind, HandlerDecl, ItemKind};

/// Caption of each box.
pub(super) fn definitions(program: &Program, once: &Once, picture: &Picture) -> Vec<String> {
    let boxes = picture.boxes.iter().enumerate();
    boxes
        .map(|(number, shape)| definition(program, once, (picture, number), shape))
        .collect()
}

fn definition(
    program: &Program,
    once: &Once,
    (picture, number): (&Picture, usize),
    shape: &Shape,
) -> String {
    let nodes = || {
        let steps = shape.steps.iter();
        steps.filter_map(|number| Some(&once.step_of(*number)?.node))
    };
    if shape.kind == Kind::Delay {
        return "delay: first the first state, then the state of the moment before".to_owned();
    }
    let is_clause = |pass: Pass| {
        let whole = pass == Pass::Return && !picture.is_opened(shape.within.as_deref());
        shape.mark.is_some() || whole
    };
    if let (Some(part), Some(handler)) = (shape.part, &shape.handler)
        && is_clause(part.pass)
        && let Some(text) = clause(program, shape, handler, part.pass, nodes())
    {
        return text;
    }
    if let Some(operation) = nodes().find_map(Node::operation)
        && shape.steps.len() == 1
    {
        let declared = program.checked.program.items.iter().find(
            |item| matches!(&item.node, ItemKind::Op(op) if *op.name.text == *operation.name),
        );
        let declared = declared.and_then(|item| text(program, item.span));
        return declared.unwrap_or_else(|| {
            format!(
                "{operation} : {} ▷ {}",
                operation.domain, operation.codomain
            )
        });
    }
    let term = text(
        program,
        Span {
            start: shape.place.0,
            end: shape.place.1,
        },
    );
    let term = term.filter(|_| shape.kind != Kind::Sum);
    let term = match term {
        Some(term) if shape.derivative => fletch_smooth::derivative_of(term),
        Some(term) => term,
        None => shape.label.clone(),
    };
    format!("{term} : {}", ty(picture, number))
}

/// Type of a box by its wires: `Real(2) × Real(1) → Real(1)`.
fn ty(picture: &Picture, number: usize) -> String {
    let side = |ends: &dyn Fn(&fletch_diagrams::Path) -> bool| {
        let mut wires: Vec<(usize, &str)> = (picture.wires.iter())
            .filter(|path| ends(path))
            .map(|path| (path.wire, path.ty.as_str()))
            .collect();
        wires.sort_unstable();
        wires.dedup();
        let types: Vec<&str> = wires.into_iter().map(|(_, ty)| ty).collect();
        match types.as_slice() {
            [] => "1".to_owned(),
            types => types.join(" × "),
        }
    };
    let domain = side(&|path| path.ends.1.contains(&number));
    let codomain = side(&|path| path.ends.0 == Some(number));
    format!("{domain} → {codomain}")
}

/// Text of the half clause that handles the box's operation, or of the return clause, with the handler's name and the line.
fn clause<'a>(
    program: &Program,
    shape: &Shape,
    handler: &str,
    half: Pass,
    mut nodes: impl Iterator<Item = &'a Node>,
) -> Option<String> {
    let operation = shape.label.split('[').next()?;
    let all = own(program, handler, 0);
    let spans: Vec<(&str, Span)> = all
        .iter()
        .filter_map(|(name, clause)| Some((*name, span(clause, operation, half)?)))
        .collect();
    // Several clauses may handle operations of the same name. The right one contains the code of the box.
    let origins: Vec<u32> = nodes
        .by_ref()
        .map(|node| node.provenance.origin.start)
        .collect();
    let inside = |span: &Span| {
        let mut origins = origins.iter();
        origins.any(|at| (span.start..span.end).contains(at))
    };
    let found = spans.iter().find(|(_, span)| inside(span));
    let (name, span) = found.or(spans.first())?;
    let (line, _) = program.checked.index.line_column(span.start);
    Some(format!("{}\n{name}, line {line}", text(program, *span)?))
}

/// Span of the half of a clause that handles this half of an operation.
fn span(clause: &Clause, operation: &str, half: Pass) -> Option<Span> {
    match (&clause.node, half) {
        (ClauseKind::Return(..), Pass::Return) => Some(clause.span),
        (
            ClauseKind::Reverse {
                operation: name,
                forward_pattern,
                forward,
                ..
            },
            Pass::Forward,
        ) if *name.text == *operation => Some(Span {
            start: forward_pattern.span.start,
            end: forward.span.end,
        }),
        (
            ClauseKind::Reverse {
                operation: name,
                cotangent,
                backward,
                ..
            },
            Pass::Backward,
        ) if *name.text == *operation => Some(Span {
            start: cotangent.span.start,
            end: backward.span.end,
        }),
        _ => None,
    }
}

/// Clauses of the declared handler of this name and of the handlers that it extends, each with its handler's name.
fn own<'a>(program: &'a Program, handler: &str, depth: usize) -> Vec<(&'a str, &'a Clause)> {
    const DEEPEST: usize = 16;
    let items = program.checked.program.items.iter();
    let found = items.filter_map(|item| match &item.node {
        ItemKind::Handler(declared) if *declared.name.text == *handler => Some(declared),
        _ => None,
    });
    let Some(declared) = { found }.next().filter(|_| depth < DEEPEST) else {
        return Vec::new();
    };
    let HandlerDecl {
        name,
        clauses,
        extends,
        ..
    } = declared;
    let own_clauses = clauses.iter().map(|clause| (&*name.text, clause));
    let further = extends
        .iter()
        .flat_map(|call| own(program, &call.name.text, depth + 1));
    own_clauses.chain(further).collect()
}

/// Text of a span, on one line; `None` if it is blank.
fn text(program: &Program, span: Span) -> Option<String> {
    let words: Vec<&str> = span.text(&program.source).split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

    use crate::Session;
    use crate::protocol::{Ask, Drawing, Figure, Reply};

    #[test]
    fn a_box_is_defined_in_the_words_of_the_program() {
        let source = include_str!("../../../../examples/mlp.fletch");
        let mut session = Session::default();
        session.ask(1, Ask::load(source));
        let mut draw = |network, open: &[String]| {
            let asked = Drawing {
                of: "main".to_owned(),
                network,
                room: (!open.is_empty()).then_some(fletch_diagrams::Room {
                    width: 390,
                    height: 600,
                    ..fletch_diagrams::Room::default()
                }),
                open: open.to_vec(),
                ..Drawing::default()
            };
            let Reply::Drawn(drawn) = session.ask(1, Ask::Draw(asked)) else {
                panic!("no drawing")
            };
            drawn.unwrap()
        };
        let handled = draw(false, &[]);
        let find = |figure: &Figure, key: &str| {
            let boxes = &figure.picture.boxes;
            assert_eq!(boxes.len(), figure.definitions.len());
            let place = boxes.iter().position(|shape| shape.key == key);
            let keys: Vec<&str> = boxes.iter().map(|shape| shape.key.as_str()).collect();
            figure.definitions[place.unwrap_or_else(|| panic!("{key} of {keys:?}"))].clone()
        };
        let labelled = |label: &str| {
            let mut boxes = handled.picture.boxes.iter();
            boxes.position(|shape| shape.label == label).unwrap()
        };
        assert_eq!(
            find(&handled, "c0.0f"),
            "x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋\nH_MLP, line 18"
        );
        assert!(find(&handled, "c0.0b").starts_with("y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in let _ ⇐ Put["));
        assert_eq!(
            handled.definitions[labelled("swish")],
            "swish(z_hid) : Real(8) → Real(8)"
        );
        assert_eq!(
            handled.definitions[labelled("α · (x − t)")],
            "x ↦ ⌊α · (x − t)⌋\nH_MLP, line 17"
        );
        let network = draw(true, &[]);
        let mut boxes = network.picture.boxes.iter();
        let layer = boxes.position(|shape| shape.label == "FC[ℓ0]").unwrap();
        assert_eq!(
            network.definitions[layer],
            "op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)"
        );

        let layer = handled
            .picture
            .boxes
            .iter()
            .find(|shape| shape.key == "c0.0f");
        let layer = layer.unwrap();
        assert_eq!(layer.handler.as_deref(), Some("H_MLP"));
        let opened = draw(false, &[layer.opens.clone().unwrap()]);
        assert_eq!(opened.picture.frames.len(), 2);
        let mut boxes = opened.picture.boxes.iter();
        let get = boxes.position(|shape| shape.label == "Get[ℓ0]").unwrap();
        assert_eq!(opened.definitions[get], "Get[ℓ0] : 1 ▷ Real(16)");
    }
}
