//! The forward computation of an operation, read from a clause or from its declaration. The clauses for inference and for descent are
//! derived from it.

use super::site::Site;
use crate::chain::names_of;
use fletch_syntax::tree::{
    ClauseKind, Command, CommandKind, IndexParam, IndexParamKind, Name, OpDecl, Pattern,
    PatternKind, Size, Term, TermKind, TypeKind,
};
use std::collections::BTreeSet;

/// The forward computation of an operation: its `let`s and its result.
pub(super) struct Forward {
    /// Name of the operation.
    pub(super) operation: String,
    /// The operation with its index parameters, as a clause has it: `FC[ℓ ∷ (n, m)]`.
    pub(super) head: String,
    /// Pattern of the argument, as text.
    pub(super) pattern: String,
    /// The pattern as a term; `None` if the pattern leaves out a component of the argument.
    pub(super) argument: Option<String>,
    /// The `let`s before the result, in order.
    pub(super) lets: Vec<Bound>,
    /// The result.
    pub(super) result: Outcome,
    /// All names that occur in the pattern and in the computation.
    pub(super) names: BTreeSet<String>,
}

/// A `let` of a command.
pub(super) struct Bound {
    pub(super) pattern: String,
    pub(super) of: Of,
}

/// The value that a `let` binds.
pub(super) enum Of {
    /// The contents of the location with this name.
    Get(String),
    /// A term.
    Term(String),
    /// A command that is neither a term nor a `Get`.
    Command(String),
}

/// The end of a forward computation.
pub(super) enum Outcome {
    /// A term.
    Term(Ending),
    /// A command that returns the result and the saved value as a pair.
    Pair(String),
}

/// A term at the end of a command.
pub(super) struct Ending {
    /// The term as it is written.
    pub(super) text: String,
    /// True if the term needs no parentheses after `k •`.
    pub(super) closed: bool,
    /// The symbol and its arguments, if the term applies a symbol to variables.
    pub(super) applied: Option<(String, Vec<String>)>,
}

impl Forward {
    /// The forward computation in a clause; `None` for a return clause, and for an ordinary clause that does not end with its continuation.
    pub(super) fn of_clause(site: &Site<'_>, clause: &ClauseKind) -> Option<Forward> {
        let (name, params) = clause.head()?;
        let (pattern, body) = match clause {
            ClauseKind::Reverse {
                forward_pattern,
                forward,
                ..
            } => (forward_pattern, forward),
            ClauseKind::Ordinary { pattern, body, .. } => (pattern, body),
            ClauseKind::Return(..) => return None,
        };
        let mut names = names_of(body);
        in_pattern(pattern, &mut names);
        let (lets, end) = lets(site, body);
        let result = match clause {
            ClauseKind::Ordinary { .. } => resumed(site, end)?,
            _ => outcome(site, end)?,
        };
        Some(Forward {
            operation: name.text.to_string(),
            head: head(site, name, params),
            pattern: site.text(pattern.span).to_owned(),
            argument: as_term(site, pattern),
            lets,
            result,
            names,
        })
    }

    /// The forward computation of an operation that has no clause, if its type determines it: a matrix product, or a sum.
    pub(super) fn of_declaration(site: &Site<'_>, decl: &OpDecl) -> Option<Forward> {
        let mut locations = decl.params.iter().filter_map(|it| match &it.node {
            IndexParamKind::Location { name, shape } => Some((name, shape)),
            _ => None,
        });
        let (location, shape) = locations.next()?;
        let (TypeKind::Real(from), TypeKind::Real(to)) = (&decl.domain.node, &decl.codomain.node)
        else {
            return None;
        };
        let result = result_of(shape, from, to).filter(|_| locations.next().is_none())?;
        Some(Forward {
            operation: decl.name.text.to_string(),
            head: head(site, &decl.name, &decl.params),
            pattern: "x".to_owned(),
            argument: Some("x".to_owned()),
            lets: vec![Bound {
                pattern: "w".to_owned(),
                of: Of::Get(location.text.to_string()),
            }],
            result: Outcome::Term(Ending {
                text: result.to_owned(),
                closed: false,
                applied: None,
            }),
            names: ["w", "x"].map(str::to_owned).into(),
        })
    }

    /// This name, with as many primes as are needed so that it does not occur in the computation.
    pub(super) fn fresh(&self, name: &str) -> String {
        let mut fresh = name.to_owned();
        while self.names.contains(&fresh) {
            fresh.push('\'');
        }
        fresh
    }

    /// The `let`s as text.
    pub(super) fn written(&self) -> String {
        let lets = self.lets.iter().map(|bound| {
            let pattern = &bound.pattern;
            match &bound.of {
                Of::Get(location) => format!("let {pattern} ⇐ Get[{location}]() in "),
                Of::Term(term) => format!("let {pattern} ⇐ ⌊{term}⌋ in "),
                Of::Command(command) => format!("let {pattern} ⇐ ({command}) in "),
            }
        });
        lets.collect()
    }
}

/// The term for the result, from an argument `x` and the contents `w` of a location of this shape.
fn result_of(shape: &[Size], from: &[Size], to: &[Size]) -> Option<&'static str> {
    match (shape, from, to) {
        ([n, m], [a], [b]) if n == a && m == b => Some("w ∗ x"),
        ([n, m], [a, k], [b, l]) if n == a && m == b && k == l => Some("w ∗ x"),
        ([n, m], [k, a], [l, b]) if n == a && m == b && k == l => Some("x ∗ wᵀ"),
        ([n], [a], [b]) if n == a && n == b => Some("x + w"),
        _ => None,
    }
}

/// An operation with its index parameters, as a clause has it.
pub(super) fn head(site: &Site<'_>, name: &Name, params: &[IndexParam]) -> String {
    let (name, params) = (&name.text, params.iter().map(|it| site.text(it.span)));
    match &*params.collect::<Vec<_>>() {
        [] => name.to_string(),
        params => format!("{name}[{}]", params.join(", ")),
    }
}

/// Splits a command into the `let`s at its beginning and the command after them.
fn lets<'a>(site: &Site<'_>, command: &'a Command) -> (Vec<Bound>, &'a Command) {
    let mut found = Vec::new();
    let mut at = command;
    while let CommandKind::Let(pattern, bound, rest) = &at.node {
        let of = match &bound.node {
            CommandKind::Pure(term) => Of::Term(site.text(term.span).to_owned()),
            CommandKind::Call { name, indices, .. } if &*name.text == "Get" => {
                let indices = indices.iter().map(|index| site.text(index.span));
                Of::Get(indices.collect::<Vec<_>>().join(", "))
            }
            _ => Of::Command(site.text(bound.span).to_owned()),
        };
        found.push(Bound {
            pattern: site.text(pattern.span).to_owned(),
            of,
        });
        at = rest;
    }
    (found, at)
}

/// The result of an ordinary clause, from the command after its `let`s: the term to which it applies the continuation. `None` for any
/// other command, which gives the result of the whole `handle`.
fn resumed(site: &Site<'_>, end: &Command) -> Option<Outcome> {
    match &end.node {
        CommandKind::Resume(_, term) => Some(Outcome::Term(ending(site, term))),
        _ => None,
    }
}

/// The result of the forward computation of a reverse clause, from the command after its `let`s; `None` for a command with a syntax error.
fn outcome(site: &Site<'_>, end: &Command) -> Option<Outcome> {
    Some(match &end.node {
        CommandKind::Pure(term) => match &term.node {
            TermKind::Tuple(parts) => {
                let first = parts.first()?;
                Outcome::Term(ending(site, first))
            }
            _ => Outcome::Pair(format!("⌊{}⌋", site.text(term.span))),
        },
        CommandKind::Call { .. }
        | CommandKind::RevHandle { .. }
        | CommandKind::Handle { .. }
        | CommandKind::Iterate { .. }
        | CommandKind::Feedback { .. } => Outcome::Pair(site.text(end.span).to_owned()),
        CommandKind::Resume(..) | CommandKind::Let(..) | CommandKind::Error => return None,
    })
}

fn ending(site: &Site<'_>, term: &Term) -> Ending {
    let variable = |term: &Term| match &term.node {
        TermKind::Variable(name) => Some(name.text.to_string()),
        _ => None,
    };
    let applied = match &term.node {
        TermKind::Call(symbol, arguments) => {
            let arguments = arguments.iter().map(variable).collect::<Option<_>>();
            arguments.map(|arguments| (site.text(symbol.span).to_owned(), arguments))
        }
        _ => None,
    };
    Ending {
        text: site.text(term.span).to_owned(),
        closed: matches!(
            term.node,
            TermKind::Variable(_) | TermKind::Call(..) | TermKind::Tuple(_) | TermKind::Unit
        ),
        applied,
    }
}

/// A pattern as a term with the same text; `None` if the pattern has a wildcard.
fn as_term(site: &Site<'_>, pattern: &Pattern) -> Option<String> {
    fn whole(pattern: &Pattern) -> bool {
        match &pattern.node {
            PatternKind::Name(_) => true,
            PatternKind::Wildcard => false,
            PatternKind::Tuple(parts) => parts.iter().all(whole),
        }
    }
    whole(pattern).then(|| site.text(pattern.span).to_owned())
}

fn in_pattern(pattern: &Pattern, names: &mut BTreeSet<String>) {
    match &pattern.node {
        PatternKind::Name(name) => {
            names.insert(name.text.to_string());
        }
        PatternKind::Wildcard => {}
        PatternKind::Tuple(parts) => parts.iter().for_each(|part| in_pattern(part, names)),
    }
}
