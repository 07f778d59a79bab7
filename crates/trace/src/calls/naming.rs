//! Names for a handled call: for its callee, its saved value and its cotangent. Form of a return clause.

use super::Turn;
use fletch_calculus::{
    Called, Command, CommandKind, Part, ReturnClause, ReverseClause, Symbol, Term, TermKind,
    Variable, notation,
};

/// The names that a backward clause gives to the components of the saved value.
pub(super) fn saved(clause: &ReverseClause) -> Vec<Variable> {
    let mut place = &clause.backward;
    while let CommandKind::Let {
        variable,
        bound,
        body,
        ..
    } = place.kind()
    {
        if is(bound, &clause.saved) {
            return match notation::pattern(variable, body) {
                Some((components, _)) => components,
                None => vec![variable.clone()],
            };
        }
        place = body;
    }
    Vec::new()
}

/// The name that a backward clause gives to its cotangent.
pub(super) fn cotangent(clause: &ReverseClause) -> Option<Variable> {
    // A clause that destructures its cotangent at once names only the components.
    let parts = match clause.backward.kind() {
        CommandKind::Let {
            variable,
            bound,
            body,
            ..
        } => {
            is(bound, &clause.cotangent)
                && variable.name == clause.cotangent.name
                && notation::pattern(variable, body).is_some()
        }
        _ => false,
    };
    (!clause.default && !parts && &*clause.cotangent.name != "_").then(|| clause.cotangent.clone())
}

/// Form of a return clause. Reads and writes of the heap do not count as operations of the program.
pub(super) fn turn(clause: &ReturnClause) -> Turn {
    if is(&clause.body, &clause.variable) {
        Turn::Same
    } else if performs(Part::Command(&clause.body)) {
        Turn::Other
    } else {
        Turn::Gradient {
            scaled: is_multiple(&clause.body),
        }
    }
}

/// True for a command ⌊M · N⌋.
fn is_multiple(command: &Command) -> bool {
    let CommandKind::Pure(term) = command.kind() else {
        return false;
    };
    let TermKind::Apply(symbol, _) = term.kind() else {
        return false;
    };
    notation::infix(symbol).is_some_and(|(operator, _)| operator == "·")
}

fn performs(part: Part<'_>) -> bool {
    let here = match part {
        Part::Command(command) => match command.kind() {
            CommandKind::Perform(operation, _) => operation.heap_access().is_none(),
            _ => false,
        },
        Part::Term(_) => false,
    };
    here || part.children().any(performs)
}

/// True if a command is ⌊x⌋.
fn is(command: &Command, x: &Variable) -> bool {
    matches!(command.kind(), CommandKind::Pure(m) if m.as_variable() == Some(x))
}

/// Name of the callee for a reader.
pub fn callee(called: &Called) -> String {
    match called {
        Called::Operation(operation) => operation.to_string(),
        Called::Function(symbol) => symbol_name(symbol),
        Called::Term => "pure term".to_owned(),
        Called::Feedback(feedback) => format!("feedback[{}]", feedback.count),
    }
}

/// Name of the callee for a reader; for a term, the functions in it.
pub fn called(called: &Called, term: &Term) -> String {
    match called {
        Called::Operation(_) | Called::Function(_) | Called::Feedback(_) => callee(called),
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
    symbol.reading().name.into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

    use super::called;
    use crate::calls::Turn;
    use crate::cases::run;
    use fletch_calculus::Called;
    use fletch_notation::Notation;

    fn turn(clause: &str) -> Turn {
        let trace = run(&format!(
            "handler K : Real(1) {{ x ↦ {clause} }} main = rev handle(3)⟨x⟩. ⌊x⌋ with K"
        ));
        trace.calls().runs[0].turn
    }

    #[test]
    fn a_return_clause_that_computes_makes_a_gradient() {
        let gradient = |scaled| Turn::Gradient { scaled };
        assert_eq!(turn("⌊x − 1⌋"), gradient(false));
        assert_eq!(turn("⌊2 · (x − 1)⌋"), gradient(true));
        assert_eq!(turn("let t ⇐ Get[w]() in ⌊x − t⌋"), gradient(false));
    }

    #[test]
    fn a_return_clause_that_returns_or_performs_makes_none() {
        assert_eq!(turn("⌊x⌋"), Turn::Same);
        assert_eq!(turn("D(x)"), Turn::Other);
        assert_eq!(turn("let y ⇐ D(x) in ⌊y − 1⌋"), Turn::Other);
    }

    #[test]
    fn a_term_is_called_by_the_functions_in_it_each_once() {
        let name = |term: &str| called(&Called::Term, &Notation::default().term(term).subject);
        assert_eq!(name("x : Real(1) ⊢ ⟨x, 1⟩"), "pure term");
        assert_eq!(name("x : Real(1) ⊢ sin[1](sin[1](x))"), "sin");
        assert_eq!(name("x : Real(1) ⊢ sin[1](x) + cos[1](x)"), "+, sin, cos");
        assert_eq!(
            name("x : Real(1) ⊢ sin[1](x) + cos[1](exp[1](x))"),
            "+, sin, …"
        );
    }

    /// The names that a backward clause gives to its cotangent and to the components of the saved value.
    fn names(backward: &str) -> (Option<String>, Vec<String>) {
        let trace = run(&format!(
            "handler K : Real(1) {{ x ↦ ⌊x⌋ D ( x ↦ ⌊⟨x, ⟨x, x⟩⟩⌋ | {backward} ) }}
            main = rev handle(3)⟨x⟩. D(x) with K"
        ));
        let record = &trace.calls().records[0];
        let saved = record.saved_names.iter().map(|x| x.name.to_string());
        let cotangent = record.cotangent_name.as_ref();
        (cotangent.map(|x| x.name.to_string()), saved.collect())
    }

    #[test]
    fn a_backward_clause_names_what_it_takes_apart() {
        let some = |name: &str| Some(name.to_owned());
        let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(names("y, ⟨a, b⟩ ↦ ⌊y + a⌋"), (some("y"), all(&["a", "b"])));
        assert_eq!(
            names("_, z ↦ let ⟨a, b⟩ ⇐ ⌊z⌋ in ⌊b⌋"),
            (None, all(&["a", "b"]))
        );
        assert_eq!(names("y, z ↦ ⌊y + z.1⌋"), (some("y"), all(&[])));
    }
}
