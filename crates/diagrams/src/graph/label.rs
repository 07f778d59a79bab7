//! Labels of the boxes, full and brief.

use super::Kind;
use super::group::Key;
use crate::measure::{column, columns};
use fletch_arrows::{Node, NodeKind, Pass, Passage};
use fletch_smooth::derivative_of;
use std::borrow::Cow;

/// Label of a box, with its kind and its half.
pub(super) fn label(
    key: &Key,
    nodes: &[&Node],
    passage: Option<&Passage>,
    source: &str,
) -> (String, Kind, Option<Pass>) {
    let text = || {
        let mut terms = nodes.iter().filter_map(|node| node.provenance.term);
        let first = terms.next()?;
        if terms.any(|term| term.number != first.number) {
            return None;
        }
        let origin = first.origin;
        let text = source.get(origin.start as usize..origin.end as usize)?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let symbols: Vec<&&Node> = nodes
        .iter()
        .filter(|node| !matches!(node.kind, NodeKind::Constant(_)) && node.operands().is_none())
        .collect();
    match key {
        Key::Run(_, half) => {
            let performs = nodes.iter().any(|node| node.operation().is_some());
            let kind = if performs {
                Kind::Operation
            } else {
                Kind::Pure
            };
            // The name of a handler is never cut.
            let handler = passage.map_or("", |passage| &passage.handler);
            (format!("rev handle … with {handler}"), kind, *half)
        }
        Key::Clause(_, _, pass) => {
            let name = passage.and_then(|passage| passage.call.as_ref());
            let name = name.map_or(String::new(), |call| call.name.to_string());
            (name, Kind::Operation, Some(*pass))
        }
        Key::Return(_) => {
            let operation = nodes.iter().any(|node| node.operation().is_some());
            let kind = if operation {
                Kind::Operation
            } else {
                Kind::Pure
            };
            (
                short(&text().unwrap_or_else(|| "return".to_owned())),
                kind,
                None,
            )
        }
        _ => {
            if let [only] = nodes
                && let Some(operation) = only.operation()
            {
                return (operation.to_string(), Kind::Operation, None);
            }
            let back = passage.is_some_and(|passage| passage.pass == Pass::Backward);
            if let [only] = nodes
                && only.operands() == Some(2)
                && (back || only.provenance.term.is_none())
            {
                return ("+".to_owned(), Kind::Sum, None);
            }
            // A symbol alone is its name; with sums and constants around it, it is a term.
            let alone = back || nodes.len() == 1;
            let forward = match symbols.as_slice() {
                [only] if alone => name_of(only),
                _ => None,
            };
            let inside = forward
                .or_else(text)
                .unwrap_or_else(|| nodes.first().map_or(String::new(), |node| node.to_string()));
            let inside = short(&inside);
            let label = if derives(nodes, passage) {
                derivative_of(inside)
            } else {
                inside
            };
            (label, Kind::Pure, None)
        }
    }
}

/// Short label of a box, for little room: for a clause, its operation without sizes; for a term, the map that gives its result, with `…`
/// for further maps.
pub(super) fn brief(label: &str, nodes: &[&Node], passage: Option<&Passage>, kind: Kind) -> String {
    if kind == Kind::Operation {
        let call = passage.and_then(|passage| passage.call.as_ref());
        return match (call, nodes) {
            (Some(call), _) => call.brief.to_string(),
            (None, [only]) => only.brief(),
            (None, _) => label.to_owned(),
        };
    }
    let back = passage.is_some_and(|passage| passage.pass == Pass::Backward);
    let symbols = || {
        nodes
            .iter()
            .filter(|node| matches!(node.kind, NodeKind::Symbol(_)))
    };
    // A derivative runs through its term from the result to the arguments.
    let gives = if back {
        symbols().next()
    } else {
        symbols().next_back()
    };
    let Some(name) = gives.and_then(|node| name_of(node)) else {
        return label.to_owned();
    };
    let more = if symbols().nth(1).is_some() {
        "…"
    } else {
        ""
    };
    let brief = match derives(nodes, passage) {
        true => derivative_of(format_args!("{name}{more}")),
        false => format!("{name}{more}"),
    };
    if brief.chars().count() < label.chars().count() {
        brief
    } else {
        label.to_owned()
    }
}

/// True if a box is the derivative of a term in the backward pass, or a derivative that the program itself contains.
pub(super) fn derives(nodes: &[&Node], passage: Option<&Passage>) -> bool {
    let back = passage.is_some_and(|passage| passage.pass == Pass::Backward);
    (back || nodes.len() == 1) && nodes.iter().any(|node| is_derivative(node))
}

fn is_derivative(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Symbol(symbol) if symbol.reverse_of().is_some())
}

/// Name of a symbol that is written before its argument; for rd\[f\], the name of f. `None` for an operator.
fn name_of(node: &Node) -> Option<String> {
    let NodeKind::Symbol(symbol) = &node.kind else {
        return None;
    };
    let symbol = symbol.reverse_of().unwrap_or(symbol);
    symbol.operator().is_none().then(|| symbol.name())
}

/// Labels of more than 24 characters end in `…`.
fn short(label: &str) -> String {
    const LONGEST: usize = 24;
    if label.chars().count() <= LONGEST {
        return label.to_owned();
    }
    let mut text: String = label.chars().take(LONGEST - 1).collect();
    text.push('…');
    text
}

/// Brief label whose name is cut to at most `most` columns: for 6, `softm…`, and `rd[softm…]` for a derivative.
pub(super) fn cut(brief: &str, most: f64) -> Cow<'_, str> {
    let inside = (brief.strip_prefix("rd[")).and_then(|name| name.strip_suffix(']'));
    let name = inside.unwrap_or(brief);
    if columns(name) <= most {
        return Cow::Borrowed(brief);
    }
    let mut room = most - 1.0;
    let fits = name.chars().take_while(|letter| {
        room -= column(*letter);
        room >= 0.0
    });
    let text: String = fits.collect();
    let text = format!("{}…", text.trim_end());
    Cow::Owned(match inside {
        Some(_) => derivative_of(text),
        None => text,
    })
}

/// Label of a primitive of an opened term: its name or its operator.
pub(super) fn primitive(nodes: &[&Node]) -> Option<(String, Kind, Option<Pass>)> {
    let [node] = nodes else { return None };
    if node.operands() == Some(2) {
        return Some(("+".to_owned(), Kind::Sum, None));
    }
    let text = match &node.kind {
        NodeKind::Operation(_) | NodeKind::Loop(_) => return None,
        NodeKind::Constant(_) => node.to_string(),
        NodeKind::Symbol(symbol) => {
            let plain = symbol.reverse_of().unwrap_or(symbol);
            let name = plain
                .operator()
                .map_or_else(|| plain.name(), |operator| operator.text.to_owned());
            if symbol.reverse_of().is_some() {
                derivative_of(name)
            } else {
                name
            }
        }
    };
    Some((short(&text), Kind::Pure, None))
}

#[cfg(test)]
mod tests {
    use super::cut;
    use crate::cases::{boxes, graph};

    #[test]
    fn a_name_is_cut_at_its_end_and_never_away() {
        for (brief, expected) in [
            ("softmax", "softm…"),
            ("tanh…", "tanh…"),
            ("swish", "swish"),
            ("rd[softmax…]", "rd[softm…]"),
            ("rd[swish]", "rd[swish]"),
            ("[[0.8, 0.2], [-0.5, 0.4…", "[[0.8…"),
            ("α · (x - t)", "α · (…"),
            ("x y + z w", "x y +…"),
            ("変数変数", "変数…"),
        ] {
            assert_eq!(cut(brief, 6.0), expected);
        }
        assert_eq!(cut("softmax", 4.0), "sof…");
    }

    #[test]
    fn a_map_alone_is_its_name_and_a_term_is_as_written() {
        let labels = |term: &str| {
            let main = format!("rev handle([1, 2])⟨y⟩. ⌊{term}⌋ with T([0, 1])");
            let found = boxes(&graph(&main));
            (found.get(1).cloned(), found.last().cloned())
        };
        let expected = |out: &str, back: &str| (Some(out.to_owned()), Some(back.to_owned()));
        assert_eq!(labels("sin(y)"), expected("sin", "rd[sin]"));
        assert_eq!(
            labels("sin(cos(y))"),
            expected("sin(cos(y))", "rd[sin(cos(y))]")
        );
        assert_eq!(labels("y ⊙ y"), expected("y ⊙ y", "rd[y ⊙ y]"));
        let long = "sin(cos(sin(cos(sin(y)))))";
        let cut = "sin(cos(sin(cos(sin(y))…";
        assert_eq!(labels(long), expected(cut, &format!("rd[{cut}]")));
    }

    #[test]
    fn a_brief_label_is_the_map_that_gives_the_result() {
        let graph = graph("rev handle([1, 2])⟨y⟩. ⌊sin(cos(y))⌋ with T([0, 1])");
        let briefs = graph.boxes.iter().map(|block| block.brief.as_str());
        assert_eq!(
            briefs.collect::<Vec<_>>(),
            ["[1, 2]", "sin…", "x − t", "rd[sin…]"]
        );
    }
}
