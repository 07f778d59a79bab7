//! What a reader calls the parts of a handled call.

use fletch_calculus::{
    Call, Called, Command, CommandKind, Part, Role, Symbol, Term, TermKind, Variable, notation,
};

/// The names that the backward clause gives to the parts of what was saved.
pub(super) fn saved(call: &Call, body: &Command) -> Vec<Variable> {
    let Some(saved) = &call.saved else {
        return Vec::new();
    };
    // Past the continuation stands the `let` of the backward clause.
    let mut place = body.clone();
    let clause = loop {
        let next = match place.kind() {
            CommandKind::Let {
                bound,
                role: Role::Backward(_),
                ..
            } => break bound.clone(),
            CommandKind::Let { body, .. } => body.clone(),
            _ => return Vec::new(),
        };
        place = next;
    };
    let mut place = clause;
    loop {
        let next = match place.kind() {
            CommandKind::Let {
                variable,
                bound,
                body,
                ..
            } => {
                if let CommandKind::Pure(m) = bound.kind()
                    && m.as_variable() == Some(saved)
                {
                    return match notation::pattern(variable, body) {
                        Some((components, _)) => components,
                        None => vec![variable.clone()],
                    };
                }
                body.clone()
            }
            _ => return Vec::new(),
        };
        place = next;
    }
}

/// The name that the backward clause of a call gives to its cotangent; `handled` is the RH command that meets the call.
pub(super) fn cotangent(call: &Call, handled: Option<&Command>) -> Option<Variable> {
    let (Called::Operation(operation), CommandKind::Handled(handled)) =
        (&call.called, handled?.kind())
    else {
        return None;
    };
    let clause = handled.handler.clauses.get(operation)?;
    // A clause that takes its cotangent apart at once has names for the parts only.
    let parts = match clause.backward.kind() {
        CommandKind::Let {
            variable,
            bound,
            body,
            ..
        } => {
            matches!(bound.kind(), CommandKind::Pure(m) if m.as_variable() == Some(&clause.cotangent))
                && variable.name == clause.cotangent.name
                && notation::pattern(variable, body).is_some()
        }
        _ => false,
    };
    (!clause.default && !parts && &*clause.cotangent.name != "_").then(|| clause.cotangent.clone())
}

/// What was called, as a reader knows it.
pub fn callee(called: &Called) -> String {
    match called {
        Called::Operation(operation) => operation.to_string(),
        Called::Function(symbol) => symbol_name(symbol),
        Called::Term => "pure term".to_owned(),
    }
}

/// What was called, as a reader knows it: of a term, the functions in it.
pub fn called(called: &Called, term: &Term) -> String {
    match called {
        Called::Operation(_) | Called::Function(_) => callee(called),
        Called::Term => {
            let mut names = Vec::new();
            functions(Part::Term(term), &mut names);
            match names.as_slice() {
                [] => "pure term".to_owned(),
                [names @ .., last] if names.len() < 3 => {
                    let names: String = names.iter().map(|name| format!("{name}, ")).collect();
                    format!("{names}{last}")
                }
                [first, second, ..] => format!("{first}, {second}, …"),
                [only] => only.clone(),
            }
        }
    }
}

fn functions(part: Part<'_>, names: &mut Vec<String>) {
    if let Part::Term(term) = part {
        let name = match term.kind() {
            TermKind::Apply(symbol, _) => Some(symbol_name(symbol)),
            TermKind::Add(..) => Some("+".to_owned()),
            TermKind::ReverseDerivative { .. } => Some("rd".to_owned()),
            _ => None,
        };
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    part.children().for_each(|child| functions(child, names));
}

fn symbol_name(symbol: &Symbol) -> String {
    match symbol.reverse_of() {
        Some(_) => symbol.to_string(),
        None => symbol.name(),
    }
}
