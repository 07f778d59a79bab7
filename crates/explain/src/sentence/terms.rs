//! Sentences for every rule of terms, and for reads and writes of the heap.

use super::shortcuts;
use super::words::{Sentence, is_unit};
use fletch_calculus::{Symbol, Term, TermKind, notation};
use fletch_reduction::{Action, Step};
use fletch_trace::is_zero;

/// Phrase for the rule by which a reverse derivative is written out.
pub(super) fn written_out(body: &Term) -> &'static str {
    match body.kind() {
        TermKind::Add(..) => "is written out by the sum rule",
        TermKind::Tuple(_) => "is written out component by component",
        TermKind::Project(..) => "is written out for the one component that is used",
        TermKind::ReverseDerivative { .. } => {
            "is that of a derivative, which is written out itself first"
        }
        TermKind::Variable(_) | TermKind::Constant(_) => "is written out",
        TermKind::Apply(..) | TermKind::Let(..) => "is written out by the chain rule",
    }
}

/// Adds the sentence for a step of a term.
pub(super) fn sentence(say: &mut Sentence<'_>, step: &Step) {
    match &step.action {
        Action::Eval {
            symbol,
            argument,
            result,
        } if is_unit(argument) => {
            say.written(symbol, step.origin)
                .text(" is ")
                .value(result)
                .text(".");
        }
        Action::Eval {
            symbol,
            argument,
            result,
        } => evaluation(say, symbol, argument, result),
        Action::Add { result, .. } if is_unit(result) => {
            say.text("There is nothing to add: () + () is ().");
        }
        Action::Add {
            left,
            right,
            result,
        } => {
            if is_zero(left) || is_zero(right) {
                say.text("Adding zero leaves ").value(result).text(".");
            } else {
                say.value(left).text(" + ").right(right);
                say.text(" is ").value(result).text(".");
            }
        }
        Action::Proj { index, result, .. } => {
            say.text(&format!("Component {} of the tuple is ", index + 1))
                .value(result)
                .text(".");
        }
        Action::Rd {
            cotangent,
            variable,
            body,
            point,
            short,
        } => {
            if *short && !body.free().contains(variable.id) {
                shortcuts::derivative(say, step, variable);
            } else if !body.free().contains(variable.id) {
                say.text("The term does not depend on ").variable(variable);
                say.text(", so its reverse derivative along ")
                    .variable(variable);
                say.text(" will come to zero.");
            } else if body.as_variable().is_some() {
                say.text("The term is ").variable(variable);
                say.text(" itself, so the cotangent ")
                    .value(cotangent)
                    .text(" goes back as it is.");
            } else {
                say.text("The reverse derivative of the term along ")
                    .variable(variable);
                say.text(" at ").value(point);
                say.text(" ").text(written_out(body));
                say.text(", to carry the cotangent ");
                say.value(cotangent).text(" back.");
                if *short {
                    say.text(" ");
                    shortcuts::derivative(say, step, variable);
                }
            }
        }
        _ => {}
    }
}

fn evaluation(say: &mut Sentence<'_>, symbol: &Symbol, argument: &Term, result: &Term) {
    let parts = match argument.kind() {
        TermKind::Tuple(parts) => parts.to_vec(),
        _ => vec![argument.clone()],
    };
    match (symbol.reverse_of(), notation::infix(symbol), &*parts) {
        (Some(inner), _, [point, _]) if is_unit(point) => {
            say.symbol(inner)
                .text(" has no argument, so nothing goes back through it.");
        }
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
                .right(right);
            say.text(" is ").value(result).text(".");
        }
        _ => {
            let reading = symbol.reading();
            let plain = reading.value == symbol.name();
            match &*parts {
                // The written form shows the order of the arguments.
                [_, _, ..] if plain => say.symbol(symbol).text("(").row(&parts).text(")"),
                parts => say.applied(&reading).text(" of ").values(parts),
            };
            say.text(if reading.several { " are " } else { " is " })
                .value(result)
                .text(".");
        }
    }
}

/// Adds the sentence for a read or a write of the heap.
pub(super) fn heap(say: &mut Sentence<'_>, step: &Step) {
    match &step.action {
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
            let Some(write) = &step.write else {
                say.text("its new contents.");
                return;
            };
            say.tensor(&write.after);
            if write.after.data() == write.before.data() {
                say.text(", which it had already.");
                return;
            }
            let after = say.apart(|say| say.tensor(&write.after));
            let before = say.apart(|say| say.tensor(&write.before));
            let alike = after.pieces == before.pieces;
            say.text(" in place of ").pieces.extend(before.pieces);
            say.text(if alike {
                "; the change is too small to be seen here."
            } else {
                "."
            });
        }
        _ => {}
    }
}
