//! Declarations and clauses of a text, called *parts* here: as the parser finds them, and as the tree-sitter tree has them.

use fletch_syntax::Span;
use fletch_syntax::tree::{ClauseKind, Command, CommandKind, Handler, HandlerKind, ItemKind};
use tree_sitter::{Node, Parser, Tree};

/// A declaration or a clause: the kind of its node, and its span in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: &'static str,
}

/// Returns the parts that the parser finds, sorted by start, and true if the parser reports an error.
pub(crate) fn of_parser(text: &str) -> (Vec<Part>, bool) {
    let (program, said) = fletch_syntax::parse(text, fletch_smooth::symbols());
    let mut parts = Vec::new();
    for item in &program.items {
        let (kind, body) = match &item.node {
            ItemKind::Dim(_) => ("dim_item", None),
            ItemKind::Loc(_) => ("loc_item", None),
            ItemKind::Op(_) => ("op_item", None),
            ItemKind::Fun(_) => ("fun_item", None),
            ItemKind::Command(command) => ("command_item", Some(&command.body)),
            ItemKind::Handler(_) => ("handler_item", None),
            ItemKind::Data(_) => ("data_item", None),
            ItemKind::Train(train) => ("train_item", Some(&train.body)),
            ItemKind::Measure(measure) => ("measure_item", Some(&measure.body)),
            ItemKind::Predict(predict) => ("predict_item", Some(&predict.body)),
            ItemKind::Main(body) => ("main_item", Some(body)),
        };
        parts.push(part(kind, item.span));
        if let ItemKind::Handler(handler) = &item.node {
            clauses(&handler.clauses, &mut parts);
        }
        if let Some(body) = body {
            command(body, &mut parts);
        }
    }
    parts.sort();
    (parts, said.iter().any(fletch_syntax::Diagnostic::is_error))
}

fn part(kind: &'static str, span: Span) -> Part {
    Part {
        start: span.start as usize,
        end: span.end as usize,
        kind,
    }
}

fn clauses(clauses: &[fletch_syntax::tree::Clause], parts: &mut Vec<Part>) {
    for clause in clauses {
        let (kind, bodies) = match &clause.node {
            ClauseKind::Return(_, body) => ("return_clause", vec![body]),
            ClauseKind::Reverse {
                forward, backward, ..
            } => ("reverse_clause", vec![forward, backward]),
            ClauseKind::Ordinary { body, .. } => ("ordinary_clause", vec![body]),
        };
        parts.push(part(kind, clause.span));
        for body in bodies {
            command(body, parts);
        }
    }
}

fn command(from: &Command, parts: &mut Vec<Part>) {
    match &from.node {
        CommandKind::Let(_, bound, body) => {
            command(bound, parts);
            command(body, parts);
        }
        CommandKind::RevHandle { body, handler, .. } | CommandKind::Handle { body, handler } => {
            command(body, parts);
            literal(handler, parts);
        }
        CommandKind::Iterate { body, .. } | CommandKind::Feedback { body, .. } => {
            command(body, parts);
        }
        CommandKind::Pure(_)
        | CommandKind::Call { .. }
        | CommandKind::Resume(..)
        | CommandKind::Error => {}
    }
}

fn literal(handler: &Handler, parts: &mut Vec<Part>) {
    if let HandlerKind::Literal(inner) = &handler.node {
        clauses(inner, parts);
    }
}

/// Makes a tree-sitter parser for Fletch.
pub(crate) fn parser() -> Parser {
    let mut parser = Parser::new();
    let language = tree_sitter_fletch::LANGUAGE.into();
    parser.set_language(&language).unwrap();
    parser
}

/// Parses a text with tree-sitter.
pub(crate) fn tree(text: &str) -> Tree {
    parser().parse(text, None).unwrap()
}

/// Returns the parts of a tree, sorted by start.
pub(crate) fn of_tree(tree: &Tree) -> Vec<Part> {
    let mut parts = Vec::new();
    below(tree.root_node(), &mut parts);
    parts.sort();
    parts
}

/// Returns the end of the last token of a node. Comments behind the node, and missing tokens of no length, do not count.
fn last_token(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    let children: Vec<_> = node.children(&mut cursor).collect();
    // Text that is skipped after a syntax error is marked extra, like a comment, but it counts.
    let is_part = |child: &Node<'_>| !child.is_extra() || child.is_error();
    let last = children
        .into_iter()
        .rfind(|child| is_part(child) && child.end_byte() > child.start_byte());
    match last {
        Some(last) if !node.is_error() => last_token(last),
        _ => node.end_byte(),
    }
}

fn below(node: Node<'_>, parts: &mut Vec<Part>) {
    let kind = node.kind();
    if node.is_named() && (kind.ends_with("_item") || kind.ends_with("_clause")) {
        parts.push(Part {
            start: node.start_byte(),
            end: last_token(node),
            kind,
        });
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        below(child, parts);
    }
}
