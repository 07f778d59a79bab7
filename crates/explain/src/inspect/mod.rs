//! Inspection of a piece of a state: type, origin, meaning, and value, now or later.

mod future;
#[cfg(test)]
mod tests;
mod types;

use crate::sentence::capitalised;
use crate::shown::{self, ENDLESS};
use fletch_calculus::{
    Builtin, Call, Called, Command, CommandKind, OperationRef, Origin, Part, Role, Symbol, Term,
    TermKind, Type, Variable, VariableKind,
};
use fletch_print::{Chip, Chips, Folds, Line, Marks, Names, Style, Values};
use fletch_trace::{Known, Trace, callee};
use types::Scope;

/// Maximum number of characters of a text in a signature.
const LENGTH: usize = 48;

/// Description of the node at path `place` of a state's command, or of the variable `binder` that the
/// piece binds; `None` if there is no such node.
pub fn inspect(
    trace: &Trace,
    position: usize,
    place: &[usize],
    binder: Option<&Variable>,
    chips: &Chips,
) -> Option<Said> {
    let command = trace.state(position).command();
    let mut around: Vec<(Part<'_>, usize)> = Vec::with_capacity(place.len());
    let mut scope = Scope::default();
    let mut here = Part::Command(&command);
    for &number in place {
        let child = here.child(number)?;
        scope = scope.inside(here, number);
        around.push((here, number));
        here = child;
    }
    let piece = Inspected {
        trace,
        position,
        around,
        scope,
        names: shown::names(trace, position, &command, place),
        chips,
    };
    let said = match (here, binder) {
        (Part::Command(command), Some(variable))
            if !matches!(command.kind(), CommandKind::Let { .. }) =>
        {
            piece.bound(here, variable)
        }
        (Part::Command(command), _) => piece.command(command),
        (Part::Term(term), _) => piece.term(term),
    };
    Some(Said {
        origin: here.origin(),
        ..said
    })
}

/// Description of a piece.
#[derive(Default)]
pub struct Said {
    /// Kind: `variable`, `operation`, `value`, …
    pub kind: &'static str,
    /// Name or text, with the type: `z_hid : Real(8)`.
    pub signature: String,
    /// Meaning or origin, in a sentence or two.
    pub note: Option<String>,
    /// Value, if it is known now or will be.
    pub value: Option<Chip>,
    /// Origin in the source.
    pub origin: Origin,
}

struct Inspected<'c> {
    trace: &'c Trace,
    position: usize,
    /// The enclosing nodes, outermost first, each with the number of the child that encloses the piece.
    around: Vec<(Part<'c>, usize)>,
    scope: Scope<'c>,
    names: Names,
    chips: &'c Chips,
}

impl<'c> Inspected<'c> {
    /// Describes a variable where a handler binds it.
    fn bound(&self, here: Part<'c>, variable: &Variable) -> Said {
        let body = here.children().count() - 1;
        let ty = self.scope.inside(here, body).variable(variable);
        Said {
            kind: "variable",
            signature: typed(&self.names.get(variable), ty.as_ref()),
            note: self.variable(variable),
            value: self.future(variable),
            ..Said::default()
        }
    }

    fn command(&self, command: &'c Command) -> Said {
        let ty = self.scope.command(command);
        let whole = |text: String| typed(&text, ty.as_ref());
        match command.kind() {
            CommandKind::Pure(_) => Said {
                kind: "pure command",
                signature: whole(self.text(command)),
                note: Some("It computes a value and does nothing else.".to_owned()),
                ..Said::default()
            },
            CommandKind::Perform(operation, _) => Said {
                kind: "operation",
                signature: format!(
                    "{operation} : {} ▷ {}",
                    operation.domain, operation.codomain
                ),
                note: Some(self.performed(operation)),
                ..Said::default()
            },
            CommandKind::Let {
                variable,
                bound,
                role,
                ..
            } => self.binding(variable, bound, role),
            CommandKind::RevHandle { handler, .. } => Said {
                kind: "reverse handler",
                signature: whole(format!("rev handle … with {}", handler.name)),
                note: Some(format!(
                    "{} will run the command inside forward, then back; what comes out is the cotangent of the input.",
                    handler.name
                )),
                ..Said::default()
            },
            CommandKind::Handled(handled) => Said {
                kind: "handled command",
                signature: whole(format!("RH(…) … with {}", handled.handler.name)),
                note: Some(match self.continued() {
                    Some(call) => format!(
                        "The continuation of {}, handled by {}: it runs forward from there and comes back with the \
                         cotangents of its variables.",
                        callee(&call.called),
                        handled.handler.name
                    ),
                    None => format!(
                        "The command inside, handled by {}: it is written out one operation at a time, and comes back \
                         with the cotangents of its variables.",
                        handled.handler.name
                    ),
                }),
                ..Said::default()
            },
            CommandKind::Handle { handler, .. } => Said {
                kind: "handler",
                signature: whole(format!("handle … with {}", handler.name)),
                note: Some(format!(
                    "The clauses of {} say what the operations inside do.",
                    handler.name
                )),
                ..Said::default()
            },
            CommandKind::Feedback { feedback, .. } => Said {
                kind: "feedback",
                signature: whole(format!("feedback[{}](…)⟨…⟩. …", feedback.count)),
                note: Some(
                    "The command inside runs once a moment, with a row of the inputs and the state that the moment before gave."
                        .to_owned(),
                ),
                ..Said::default()
            },
            CommandKind::Resume(k, _) => Said {
                kind: "continuation",
                signature: whole(self.names.get(k).to_string()),
                note: Some("The rest of the handled command, run with this result.".to_owned()),
                ..Said::default()
            },
        }
    }

    fn binding(&self, variable: &'c Variable, bound: &'c Command, role: &Role) -> Said {
        let name = |call: &Call| callee(&call.called);
        let (kind, note) = match role {
            Role::Plain => ("let", self.bound_to(bound)),
            Role::Forward(call) => (
                "forward part",
                match call.called {
                    Called::Operation(_) => format!(
                        "The forward clause of {} runs here: it gives the result, and what the way back will need.",
                        name(call)
                    ),
                    _ => format!("{} is computed on the way forward.", at_start(&name(call))),
                },
            ),
            Role::Continuation(call) => (
                "continuation",
                format!(
                    "The rest of the command after {}, handled by {}; the backward part waits below until the cotangents \
                     come back.",
                    name(call),
                    call.handler
                ),
            ),
            Role::Backward(call) => (
                "backward part",
                format!(
                    "The backward clause of {} turns the cotangent of its result into one of its argument.",
                    name(call)
                ),
            ),
        };
        let ty = self.scope.command(bound);
        Said {
            kind,
            signature: typed(&self.names.get(variable), ty.as_ref()),
            note: Some(note),
            value: self.future(variable),
            ..Said::default()
        }
    }

    fn term(&self, term: &'c Term) -> Said {
        let ty = self.scope.ty(Part::Term(term));
        let text = || typed(&self.term_text(term), ty.as_ref());
        match term.kind() {
            TermKind::Variable(x) => Said {
                kind: "variable",
                signature: typed(&self.names.get(x), ty.as_ref()),
                note: self.variable(x),
                value: self.future(x),
                ..Said::default()
            },
            TermKind::Constant(tensor) => Said {
                kind: "value",
                signature: ty.map_or_else(String::new, |ty| ty.to_string()),
                note: tensor
                    .is_empty()
                    .then(|| "The value that carries nothing.".to_owned()),
                value: self.chip(term),
                ..Said::default()
            },
            TermKind::Apply(symbol, _) => self.application(symbol),
            TermKind::Add(..) => Said {
                kind: "sum",
                signature: text(),
                note: Some("Entry by entry; where gradients meet, they add up.".to_owned()),
                ..Said::default()
            },
            TermKind::Tuple(parts) => Said {
                kind: if term.is_closed_value() {
                    "value"
                } else {
                    "tuple"
                },
                signature: text(),
                note: Some(format!("{} components.", parts.len())),
                ..Said::default()
            },
            TermKind::Project(number, _) => Said {
                kind: "component",
                signature: text(),
                note: Some(format!("Component {} of a tuple.", number + 1)),
                ..Said::default()
            },
            TermKind::Let(x, bound, _) => Said {
                kind: "let",
                signature: typed(
                    &self.names.get(x),
                    self.scope.ty(Part::Term(bound)).as_ref(),
                ),
                note: Some("A name for a part of a term.".to_owned()),
                value: self.future(x),
                ..Said::default()
            },
            TermKind::ReverseDerivative { variable, .. } => Said {
                kind: "reverse derivative",
                signature: text(),
                note: Some(format!(
                    "How much the term matters along {}, given how much its result matters: the cotangent stands before \
                     the dot, the point at the end.",
                    self.names.get(variable)
                )),
                ..Said::default()
            },
        }
    }

    fn application(&self, symbol: &Symbol) -> Said {
        let signature = format!("{symbol} : {} → {}", symbol.domain(), symbol.codomain());
        match symbol.reverse_of() {
            Some(inner) => Said {
                kind: "reverse derivative",
                signature,
                note: Some(format!(
                    "The reverse derivative of {}: from the point and the cotangent of the result to the cotangent of the \
                     argument.",
                    callee(&Called::Function(inner.clone()))
                )),
                ..Said::default()
            },
            None => Said {
                kind: "function",
                signature,
                note: None,
                ..Said::default()
            },
        }
    }

    /// Describes the handler that will treat an operation.
    fn performed(&self, operation: &OperationRef) -> String {
        let commands = self.around.iter().rev().filter_map(|(part, _)| match part {
            Part::Command(command) => Some(command),
            Part::Term(_) => None,
        });
        for command in commands {
            if let Some(handler) = command.reverse_handler() {
                return match handler.clauses.get(operation) {
                    Some(clause) if !clause.default => {
                        format!(
                            "The clauses of {} say what it does, forward and backward.",
                            handler.name
                        )
                    }
                    _ => format!(
                        "{} has no clause for it: it is performed outside, and no gradient passes through it.",
                        handler.name
                    ),
                };
            }
            if let CommandKind::Handle { handler, .. } = command.kind()
                && handler.clauses.contains_key(operation)
            {
                return format!("The clause of {} says what it does.", handler.name);
            }
        }
        match operation.heap_access() {
            Some((Builtin::Get, location)) => format!("It reads {} from the heap.", location.name),
            Some((Builtin::Put, location)) => {
                format!("It writes {} to the heap.", location.name)
            }
            None => "No handler around it has a clause for it.".to_owned(),
        }
    }

    /// The call whose continuation this node is.
    fn continued(&self) -> Option<&'c Call> {
        match self.around.last() {
            Some((Part::Command(parent), 0)) => match parent.kind() {
                CommandKind::Let {
                    role: Role::Continuation(call),
                    ..
                } => Some(call),
                _ => None,
            },
            _ => None,
        }
    }

    /// Describes the meaning of a variable.
    fn variable(&self, variable: &Variable) -> Option<String> {
        if let Some(note) = self.calls().find_map(|call| self.of_call(call, variable)) {
            return Some(note);
        }
        for (part, number) in self.around.iter().rev() {
            if !part.bound_in(*number).contains(variable) {
                continue;
            }
            let bound = match part {
                Part::Command(command) => match command.kind() {
                    CommandKind::Let { bound, role, .. } => match role {
                        Role::Backward(call) => format!(
                            "What the backward clause of {} gives for its argument.",
                            callee(&call.called)
                        ),
                        _ => self.bound_to(bound),
                    },
                    CommandKind::RevHandle { handler, .. } => {
                        format!("The input of the command that {} handles.", handler.name)
                    }
                    CommandKind::Feedback { feedback, .. } => {
                        match feedback.variables.first() == Some(variable) {
                            true => "The state that the moment before gave.".to_owned(),
                            false => "The row of the inputs for this moment.".to_owned(),
                        }
                    }
                    _ => "Computed on the way forward; its value is kept for the way back."
                        .to_owned(),
                },
                Part::Term(term) => match term.kind() {
                    TermKind::ReverseDerivative { .. } => {
                        "The variable along which is differentiated.".to_owned()
                    }
                    _ => "A name for a part of a term.".to_owned(),
                },
            };
            return Some(cotangent(variable).unwrap_or(bound));
        }
        None
    }

    /// Describes the computation that a `let` binds.
    fn bound_to(&self, bound: &Command) -> String {
        match bound.kind() {
            CommandKind::Perform(operation, _) => format!("The result of {operation}."),
            CommandKind::Pure(m) => match m.kind() {
                TermKind::Apply(symbol, _) => {
                    format!(
                        "The result of {}.",
                        callee(&Called::Function(symbol.clone()))
                    )
                }
                TermKind::Project(number, _) => format!("Component {} of a tuple.", number + 1),
                _ => "The value of a pure term.".to_owned(),
            },
            CommandKind::RevHandle { handler, .. } => {
                format!(
                    "What comes back from the command that {} handles.",
                    handler.name
                )
            }
            CommandKind::Handled(handled) => {
                format!(
                    "The cotangents that come back from {}.",
                    handled.handler.name
                )
            }
            CommandKind::Handle { handler, .. } => {
                format!("What the command that {} handles comes to.", handler.name)
            }
            CommandKind::Feedback { .. } => {
                "The last state and the outputs of all moments.".to_owned()
            }
            CommandKind::Let { .. } | CommandKind::Resume(..) => {
                "What the command above comes to.".to_owned()
            }
        }
    }

    /// The calls that a name may belong to: the calls of the enclosing `let`s, then all calls that the run meets.
    fn calls(&self) -> impl Iterator<Item = &'c Call> {
        let around = self.around.iter().rev().filter_map(|(part, _)| match part {
            Part::Command(command) => match command.kind() {
                CommandKind::Let {
                    role: Role::Forward(call) | Role::Continuation(call) | Role::Backward(call),
                    ..
                } => Some(&**call),
                _ => None,
            },
            Part::Term(_) => None,
        });
        let met = self
            .trace
            .calls()
            .records
            .iter()
            .map(|record| &*record.call);
        around.chain(met)
    }

    /// Describes the meaning of a variable that a call introduced.
    fn of_call(&self, call: &Call, variable: &Variable) -> Option<String> {
        let name = callee(&call.called);
        if *variable == call.result {
            return Some(format!("The result of {name}."));
        }
        if *variable == call.cotangent {
            let calls = self.trace.calls();
            let record = match calls.known(&call.result) {
                Some(Known::Result(at)) => calls.records.get(at),
                _ => None,
            };
            let what = match record {
                Some(record) if !calls.gradient(record) => "What comes back for",
                _ => "The cotangent of",
            };
            return Some(format!(
                "{what} {}, the result of {name}.",
                call.result.name
            ));
        }
        (call.saved.as_ref() == Some(variable))
            .then(|| format!("What the forward clause of {name} saved for the way back."))
    }

    fn future(&self, variable: &Variable) -> Option<Chip> {
        let value = future::value(self.trace, self.position, &self.around, variable)?;
        self.chip(&value)
    }

    /// The chip of a value that is one tensor.
    fn chip(&self, value: &Term) -> Option<Chip> {
        match value.kind() {
            TermKind::Constant(tensor) if !tensor.is_empty() => Some(self.chips.chip(tensor)),
            _ => None,
        }
    }

    fn text(&self, command: &Command) -> String {
        let style = self.style(Folds::around(command, &[]));
        cut(&fletch_print::lines(command, style, ENDLESS))
    }

    fn term_text(&self, term: &Term) -> String {
        let style = self.style(Folds::inside(term));
        cut(&fletch_print::term_lines(term, style, ENDLESS))
    }

    fn style(&self, folds: Folds) -> Style<'_> {
        Style {
            names: self.names.clone(),
            folds,
            values: Values::Chips(self.chips),
            marks: Marks::default(),
        }
    }
}

/// The first [`LENGTH`] characters of a text.
fn cut(lines: &[Line]) -> String {
    let text = fletch_print::text(lines);
    if text.chars().count() > LENGTH {
        let cut: String = text.chars().take(LENGTH).collect();
        return format!("{} …", cut.trim_end());
    }
    text
}

fn typed(text: &str, ty: Option<&Type>) -> String {
    match ty {
        Some(ty) => format!("{text} : {ty}"),
        None => text.to_owned(),
    }
}

/// Describes a variable that an equation introduced: `z_hid′` is the cotangent of `z_hid`, `z_hid″` is added to that cotangent.
fn cotangent(variable: &Variable) -> Option<String> {
    let (ending, what) = match variable.kind {
        VariableKind::Plain => return None,
        VariableKind::Cotangent => ('′', "The cotangent of"),
        VariableKind::Share => ('″', "What is added to the cotangent of"),
    };
    let base = variable.name.strip_suffix(ending)?;
    Some(format!("{what} {base}."))
}

/// The name of a call at the start of a sentence. A single word is a function symbol, which keeps its name.
fn at_start(name: &str) -> String {
    match name.contains(' ') {
        true => capitalised(name),
        false => name.to_owned(),
    }
}
