//! One sentence for every rule and equation, with the actual names and values.

use super::words::{Sentence, Telling, is_unit};
use fletch_calculus::{Called, Command, Symbol, Term, TermKind, Variable, notation};
use fletch_print::Piece;
use fletch_reduction::{Action, Frame, State, Step};
use fletch_trace::{called as called_name, is_zero};

/// What the step does, in words.
pub fn sentence(step: &Step, before: &State, telling: Telling<'_>) -> Vec<Piece> {
    let mut say = Sentence::new(telling);
    match &step.action {
        Action::Eval {
            symbol,
            argument,
            result,
        } => evaluation(&mut say, symbol, argument, result),
        Action::Add {
            left,
            right,
            result,
        } => {
            if is_zero(left) || is_zero(right) {
                say.text("Adding zero leaves ").value(result).text(".");
            } else {
                say.value(left).text(" + ").value(right);
                say.text(" is ").value(result).text(".");
            }
        }
        Action::Proj { index, result, .. } => {
            say.text(&format!("Component {} of the tuple is ", index + 1))
                .value(result)
                .text(".");
        }
        Action::Let {
            variable, value, ..
        } => {
            say.value(value)
                .text(" takes the place of ")
                .variable(variable)
                .text(" in the rest of the term.");
        }
        Action::Rd {
            cotangent,
            variable,
            body,
            point,
        } => {
            if body.free().contains(variable.id) {
                say.text("The reverse derivative along ").variable(variable);
                say.text(" at ").value(point);
                say.text(" is written out by the chain rule, to carry the cotangent ");
                say.value(cotangent).text(" back.");
            } else {
                say.text("The term does not depend on ").variable(variable);
                say.text(", so its reverse derivative along ")
                    .variable(variable);
                say.text(" will come to zero.");
            }
        }
        Action::Bind {
            variable, value, ..
        } => {
            if let Some(components) = pattern_of(before) {
                let components: Vec<Sentence<'_>> = components
                    .iter()
                    .map(|component| say.apart(|say| say.variable(component)))
                    .collect();
                say.value(value)
                    .text(" is taken apart into ")
                    .list(components)
                    .text(".");
            } else if &*variable.name == "_" {
                say.text("The result is not needed; the rest goes on.");
            } else {
                say.value(value)
                    .text(" takes the place of ")
                    .variable(variable)
                    .text(" in the rest.");
            }
        }
        Action::RevHandle(handled) => {
            say.handler(&handled.handler.name)
                .text(" starts to handle the network on the input ")
                .values(&handled.values);
            say.text(": first forward, then back.");
        }
        Action::HandleRet { handler, value } => {
            say.text("The handled command returns ");
            known(&mut say, step, value, 0).text("; the return clause of ");
            say.handler(&handler.name).text(" takes it.");
        }
        Action::HandleOp {
            handler,
            operation,
            argument,
            outside,
            ..
        } => {
            if *outside {
                say.handler(&handler.name)
                    .text(" has no clause for ")
                    .operation(operation);
                say.text(", so it is performed outside.");
            } else {
                say.operation(operation)
                    .text(" is handled by ")
                    .handler(&handler.name)
                    .text(": its clause runs on ");
                known(&mut say, step, argument, 0)
                    .text(". The rest of the command waits as its continuation.");
            }
        }
        Action::Get { location, contents } => {
            say.text("The heap is read: ")
                .location(&location.name)
                .text(" holds ")
                .tensor(contents)
                .text(".");
        }
        Action::Put { location, .. } => {
            say.text("The heap is written: ")
                .location(&location.name)
                .text(" gets ");
            match &step.write {
                Some(write) => say
                    .tensor(&write.after)
                    .text(" in place of ")
                    .tensor(&write.before)
                    .text("."),
                None => say.text("its new contents."),
            };
        }
        Action::RhRet { value, .. } => {
            say.text("The network has come to ");
            known(&mut say, step, value, 1).text(". The return clause of ");
            say.handler(unfolded(step))
                .text(" turns it into the first cotangent")
                // What an inner handler gives back need be no gradient.
                .text(if step.contractum.path.is_empty() {
                    " (in training: how the loss changes with it), and the way back begins."
                } else {
                    ", and its way back begins."
                });
        }
        Action::RhLet { replacement, .. } => {
            say.text("This let only gives ")
                .variable(replacement)
                .text(" a second name, so it goes.");
        }
        Action::RhOp {
            operation,
            value,
            default,
            ..
        } => {
            say.operation(operation)
                .text(" is handled by ")
                .handler(unfolded(step));
            if *default {
                say.text(", which has no clause for it: it is performed outside, and no gradient comes back through it.");
            } else if let Some(outer) = outer(step) {
                say.text(", on ");
                known(&mut say, step, value, 1).text(". As ");
                say.handler(unfolded(step))
                    .text(" runs inside ")
                    .handler(outer);
                say.text(", its clauses do not run yet: ")
                    .operation(operation);
                say.text(" is unfolded into its forward clause, the rest of the network (its continuation) and its backward clause, and ");
                say.handler(outer).text(" handles what is in them in turn.");
            } else {
                say.text(" in three parts: its forward clause runs now, on ");
                known(&mut say, step, value, 1);
                say.text("; then its continuation, the rest of the network, goes on with the result; its backward clause waits for the cotangent that comes back.");
            }
        }
        Action::RhHandle { inner, .. } => {
            let inner = &inner.handler.name;
            let outer = unfolded(step);
            say.handler(inner)
                .text(" starts to handle the network, inside ")
                .handler(outer);
            say.text(". What the clauses of ").handler(inner);
            say.text(" do, ").handler(outer);
            say.text(" handles in turn: so ").handler(inner);
            say.text(" only unfolds the network, and ").handler(outer);
            say.text(" runs what comes of it.");
        }
        Action::RhTerm { term, .. } => {
            let called = step
                .action
                .call()
                .map_or(&Called::Term, |call| &call.called);
            match called {
                Called::Function(symbol) => say.symbol(symbol),
                Called::Operation(_) | Called::Term => say
                    .text("A term without operations (")
                    .function(&called_name(called, term))
                    .text(")"),
            };
            if let Some(outer) = outer(step) {
                say.text(" needs no clause. As ")
                    .handler(unfolded(step))
                    .text(" runs inside ")
                    .handler(outer);
                say.text(", it is not computed yet: it is unfolded into its computation, the rest of the network and its reverse derivative, and ");
                say.handler(outer).text(" handles these in turn.");
            } else {
                say.text(" needs no clause: it is computed on the way forward, and its reverse derivative waits for the cotangent that comes back.");
            }
        }
    }
    say.pieces
}

/// A value; if it is a variable of a handled command, also what it stands for. It is a value of the handler around
/// the step, `out` handlers out.
fn known<'s, 'n>(
    say: &'s mut Sentence<'n>,
    step: &Step,
    value: &Term,
    out: usize,
) -> &'s mut Sentence<'n> {
    // A clause may get a term that is computed only where it is used.
    let (TermKind::Constant(_) | TermKind::Tuple(_) | TermKind::Variable(_)) = value.kind() else {
        return say.text("its argument");
    };
    say.value(value);
    if value.as_variable().is_some() {
        let meant = step.resolved(value, out);
        if meant.is_closed_value() {
            say.text(" = ").value(&meant);
        }
    }
    say
}

/// The handler whose RH a step unfolds.
fn unfolded(step: &Step) -> &str {
    step.handled().map_or("", |handled| &handled.handler.name)
}

/// The handler that what an equation makes is code of, if there is one around.
fn outer(step: &Step) -> Option<&str> {
    let outermost = step.levels.first().filter(|_| step.within());
    outermost.map(|handled| &*handled.handler.name)
}

fn evaluation(say: &mut Sentence<'_>, symbol: &Symbol, argument: &Term, result: &Term) {
    let parts: &[Term] = match argument.kind() {
        TermKind::Tuple(parts) => parts,
        _ => std::slice::from_ref(argument),
    };
    match (symbol.reverse_of(), notation::infix(symbol), parts) {
        (Some(inner), _, [point, cotangent]) => {
            say.text("Back through ")
                .symbol(inner)
                .text(" at ")
                .value(point);
            say.text(": the cotangent ")
                .value(cotangent)
                .text(" becomes ")
                .value(result)
                .text(".");
        }
        (None, Some((operator, _)), [left, right]) => {
            say.value(left)
                .function(&format!(" {operator} "))
                .value(right);
            say.text(" is ").value(result).text(".");
        }
        (None, None, [only]) if symbol.name() == "transpose" => {
            say.text("The transpose of ")
                .value(only)
                .text(" is ")
                .value(result)
                .text(".");
        }
        (None, None, [only]) if is_unit(only) => {
            say.symbol(symbol).text(" is ").value(result).text(".");
        }
        _ => {
            say.symbol(symbol)
                .text(" of ")
                .value(argument)
                .text(" is ")
                .value(result)
                .text(".");
        }
    }
}

/// The components of the tuple pattern that the innermost frame abbreviates, if it is one.
fn pattern_of(state: &State) -> Option<Vec<Variable>> {
    let pattern = |variable: &Variable, body: &Command| {
        notation::pattern(variable, body).map(|(components, _)| components)
    };
    match state.frames().pop() {
        Some((Frame::Let { variable, body, .. }, _)) => pattern(variable, body),
        _ => None,
    }
}
