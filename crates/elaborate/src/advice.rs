//! Advice about an unknown name, by the position of the name: in the head or the types of a declaration, in a clause, in one half of a
//! clause.

use crate::declarations::{Callable, Declarations};
use crate::faults::Help;
use fletch_syntax::Span;
use fletch_syntax::tree::{
    Clause, ClauseKind, Command, CommandKind, IndexParam, IndexParamKind, Name, Pattern,
    PatternKind, SizeKind,
};
use std::sync::Arc;

/// Advice how to declare an unknown size: as a parameter in the brackets of the enclosing clause or declaration, if there is one.
pub(crate) fn unknown_size(declarations: &Declarations<'_>, name: &Name) -> Help {
    if let Some((operation, params)) =
        clause_at(declarations, name.span).and_then(|clause| clause.node.head())
        && let Some(head) = head_with_shape(declarations, operation, params)
    {
        return Help::Head(head);
    }
    if let Some(owner) = declared_around(declarations, name.span) {
        return Help::Brackets(owner);
    }
    Help::Declare
}

/// Advice on using, in the backward half of a clause, a variable of its forward half.
pub(crate) fn forgotten(declarations: &Declarations<'_>, name: &Name) -> Option<Help> {
    let ClauseKind::Reverse {
        forward_pattern,
        forward,
        cotangent,
        saved,
        backward,
        ..
    } = &clause_at(declarations, name.span)?.node
    else {
        return None;
    };
    let of_forward = binds(forward_pattern, &name.text) || binds_in(forward, &name.text);
    if !contains(backward.span, name.span) || !of_forward {
        return None;
    }
    Some(Help::Saved(match (&cotangent.node, &saved.node) {
        (PatternKind::Name(_), PatternKind::Name(saved)) => Some(saved.text.clone()),
        _ => None,
    }))
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The clause of a declared handler that contains a span.
fn clause_at<'a>(declarations: &Declarations<'a>, place: Span) -> Option<&'a Clause> {
    declarations
        .callable_order
        .iter()
        .filter_map(|callable| match callable {
            Callable::Handler(decl) => Some(&decl.clauses),
            _ => None,
        })
        .flatten()
        .find(|clause| contains(clause.span, place))
}

/// The head of a clause, completed with the shapes of its locations as the operation's declaration names them; `None` if no shape is
/// missing.
fn head_with_shape(
    declarations: &Declarations<'_>,
    operation: &Name,
    params: &[IndexParam],
) -> Option<String> {
    let Callable::Operation(decl) = declarations.callables.get(&operation.text)? else {
        return None;
    };
    let mut completed = false;
    let mut written = Vec::new();
    for (param, declared) in params.iter().zip(&decl.params) {
        written.push(match (&param.node, &declared.node) {
            (IndexParamKind::Name(name), IndexParamKind::Location { shape, .. }) => {
                completed = true;
                let sizes: Vec<&str> = shape
                    .iter()
                    .map(|size| match &size.node {
                        SizeKind::Name(name) => &*name.text,
                        _ => "…",
                    })
                    .collect();
                format!("{} ∷ ({})", name.text, sizes.join(", "))
            }
            (IndexParamKind::Name(name), _) => name.text.to_string(),
            (IndexParamKind::Location { name, .. }, _) => format!("{} ∷ (…)", name.text),
            (IndexParamKind::Size(_), _) => "…".to_owned(),
        });
    }
    completed.then(|| format!("{}[{}]", operation.text, written.join(", ")))
}

/// Name of the operation or function whose declaration contains a span, between its name and its end.
fn declared_around(declarations: &Declarations<'_>, place: Span) -> Option<Arc<str>> {
    declarations.callable_order.iter().find_map(|callable| {
        let (name, end) = match callable {
            Callable::Operation(decl) => (&decl.name, decl.codomain.span.end),
            Callable::Function(decl) => (&decl.name, decl.body.span.end),
            _ => return None,
        };
        (name.span.end <= place.start && place.end <= end).then(|| name.text.clone())
    })
}

fn binds(pattern: &Pattern, name: &str) -> bool {
    match &pattern.node {
        PatternKind::Name(bound) => *bound.text == *name,
        PatternKind::Wildcard => false,
        PatternKind::Tuple(components) => components.iter().any(|part| binds(part, name)),
    }
}

/// True if one of the `let`s of a command binds a name.
fn binds_in(command: &Command, name: &str) -> bool {
    let mut command = command;
    while let CommandKind::Let(pattern, _, body) = &command.node {
        if binds(pattern, name) {
            return true;
        }
        command = body;
    }
    false
}
