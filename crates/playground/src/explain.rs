//! One sentence for every rule, with the actual names and values: the only place that says in words
//! what a step does.

use crate::chips;
use crate::moves;
use crate::names::Names;
use crate::numbers;
use crate::print;
use crate::protocol::{Mark, Piece, PieceKind, RuleView};
use fletch_calculus::{Called, OperationRef, Symbol, Tensor, Term, TermKind, Variable};
use fletch_reduction::{Action, Frame, Rule, State, Step};

/// The rule of a step, for its badge.
pub(crate) fn rule_view(step: &Step) -> RuleView {
    let rule = step.action.rule();
    let (title, family) = title(rule);
    RuleView {
        name: rule.name().to_owned(),
        title: title.to_owned(),
        equation: !step.reduction,
        family: family.to_owned(),
    }
}

/// A rule in plain words, and the part of backpropagation that it belongs to.
pub(crate) fn title(rule: Rule) -> (&'static str, &'static str) {
    match rule {
        Rule::Eval => ("apply a function", "plain"),
        Rule::Add => ("add", "plain"),
        Rule::Proj => ("take a component", "plain"),
        Rule::Let => ("substitute in a term", "plain"),
        Rule::Rd => ("differentiate", "backward"),
        Rule::Bind => ("substitute", "plain"),
        Rule::RevHandle => ("start handling", "forward"),
        Rule::HandleRet => ("return from a handler", "return"),
        Rule::HandleOp => ("handle an operation", "forward"),
        Rule::Get => ("read the heap", "heap"),
        Rule::Put => ("write the heap", "heap"),
        Rule::RhRet => ("the return clause", "return"),
        Rule::RhLet => ("rename", "plain"),
        Rule::RhOp => ("handle an operation", "forward"),
        Rule::RhHandle => ("unfold an inner handler", "forward"),
        Rule::RhTerm => ("handle a pure term", "forward"),
    }
}

/// What the step does, in words.
pub(crate) fn sentence(step: &Step, before: &State, names: &Names) -> Vec<Piece> {
    let mut say = Sentence {
        pieces: Vec::new(),
        names,
    };
    match &step.action {
        Action::Eval {
            symbol,
            argument,
            result,
        } => say.evaluation(symbol, argument, result),
        Action::Add {
            left,
            right,
            result,
        } => {
            if moves::is_zero(left) {
                say.text("Adding to zero: the gradient so far is ")
                    .value(result)
                    .text(".");
            } else {
                say.text("Both contributions add up: ")
                    .value(left)
                    .text(" + ")
                    .value(right);
                say.text(" = ").value(result).text(".");
            }
        }
        Action::Proj { index, result } => {
            say.text(&format!("Component {} of the tuple is ", index + 1))
                .value(result)
                .text(".");
        }
        Action::Let { variable, value } => {
            say.value(value)
                .text(" takes the place of ")
                .variable(variable)
                .text(" in the rest of the term.");
        }
        Action::Rd { variable, body, .. } => {
            if body.free().contains(variable.id) {
                say.text("The reverse derivative along ").variable(variable);
                say.text(" is written out: the chain rule, one function after the other.");
            } else {
                say.text("The term does not depend on ").variable(variable);
                say.text(", so its reverse derivative will come to zero.");
            }
        }
        Action::Bind { variable, value } => {
            if let Some(components) = pattern_of(before) {
                say.value(value)
                    .text(" is taken apart: its components will be ");
                for (position, component) in components.iter().enumerate() {
                    let last = position + 1 == components.len();
                    say.text(match position {
                        0 => "",
                        _ if last => " and ",
                        _ => ", ",
                    });
                    say.variable(component);
                }
                say.text(".");
            } else if &*variable.name == "_" {
                say.text("The result is not needed; the rest goes on.");
            } else {
                say.value(value)
                    .text(" takes the place of ")
                    .variable(variable)
                    .text(" in the rest.");
            }
        }
        Action::RevHandle {
            handler, values, ..
        } => {
            say.text("The input is a value, ")
                .values(values)
                .text(", so ")
                .handler(handler);
            say.text(" starts to handle the network: what follows runs it forward, then back.");
        }
        Action::HandleRet { handler, value } => {
            say.text("The handled command returns ")
                .value(value)
                .text("; the return clause of ");
            say.handler(handler).text(" takes it.");
        }
        Action::HandleOp {
            handler,
            operation,
            argument,
            outside,
        } => {
            if *outside {
                say.handler(handler)
                    .text(" has no clause for ")
                    .operation(operation);
                say.text(", so it is performed outside.");
            } else {
                say.operation(operation)
                    .text(" is handled by ")
                    .handler(handler)
                    .text(": its clause runs on ");
                say.value(argument)
                    .text(", and the rest of the command becomes the continuation.");
            }
        }
        Action::Get { location, contents } => {
            say.text("The heap is read: ")
                .location(&location.name)
                .text(" holds ")
                .tensor(contents)
                .text(".");
        }
        Action::Put { location } => {
            say.text("The heap is written: ")
                .location(&location.name)
                .text(" now holds ");
            match &step.write {
                Some(write) => say
                    .tensor(&write.after)
                    .text(" instead of ")
                    .tensor(&write.before)
                    .text("."),
                None => say.text("its new contents."),
            };
        }
        Action::RhRet { handler, value, .. } => {
            say.text("The network is through with ")
                .value(value)
                .text(". The return clause of ");
            say.handler(handler)
                .text(" turns it into the first cotangent, and the way back begins.");
        }
        Action::RhLet { replacement, .. } => {
            say.text("This let only gives a variable a second name: ")
                .variable(replacement)
                .text(" takes its place.");
        }
        Action::RhOp {
            handler,
            operation,
            value,
            default,
            ..
        } => {
            say.operation(operation)
                .text(" is handled by ")
                .handler(handler);
            if *default {
                say.text(", which has no clause for it: it is performed outside, and nothing comes back through it.");
            } else {
                say.text(": its forward clause runs on ").value(value);
                say.text(". The rest of the network becomes its continuation; its backward clause waits.");
            }
        }
        Action::RhHandle { outer, inner } => {
            say.handler(outer)
                .text(" looks into the command that ")
                .handler(inner)
                .text(" handles.");
        }
        Action::RhTerm { called, .. } => {
            match called {
                Called::Function(symbol) => say.symbol(symbol),
                Called::Operation(_) | Called::Term => say.text("A pure term"),
            };
            say.text(" needs no clause: it is computed on the way forward, and its reverse derivative waits.");
        }
    }
    say.pieces
}

/// The components of the tuple pattern that the innermost frame abbreviates, if it is one.
fn pattern_of(state: &State) -> Option<Vec<Variable>> {
    match state.frames().pop() {
        Some((Frame::Let { variable, body, .. }, _)) => {
            print::pattern(variable, body).map(|(components, _)| components)
        }
        _ => None,
    }
}

/// The sentence as plain text.
pub(crate) fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

/// A sentence under construction.
pub(crate) struct Sentence<'n> {
    pub(crate) pieces: Vec<Piece>,
    names: &'n Names,
}

impl<'n> Sentence<'n> {
    pub(crate) fn new(names: &'n Names) -> Self {
        Sentence {
            pieces: Vec::new(),
            names,
        }
    }

    fn piece(&mut self, kind: PieceKind, text: String) -> &mut Self {
        self.pieces.push(Piece {
            kind,
            text,
            mark: Mark::None,
            chip: None,
            node: 0,
            fold: None,
        });
        self
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.piece(PieceKind::Plain, text.to_owned())
    }

    fn symbol(&mut self, symbol: &Symbol) -> &mut Self {
        let name = match symbol.reverse_of() {
            Some(_) => symbol.to_string(),
            None => symbol.name(),
        };
        self.piece(PieceKind::Function, name)
    }

    fn evaluation(&mut self, symbol: &Symbol, argument: &Term, result: &Term) {
        let parts: &[Term] = match argument.kind() {
            TermKind::Tuple(parts) => parts,
            _ => std::slice::from_ref(argument),
        };
        match (symbol.reverse_of(), print::infix(symbol), parts) {
            (Some(inner), _, [point, cotangent]) => {
                self.text("The reverse derivative of ")
                    .symbol(inner)
                    .text(" at the point ")
                    .value(point);
                self.text(" pulls the cotangent ")
                    .value(cotangent)
                    .text(" back to ")
                    .value(result)
                    .text(".");
            }
            (None, Some((operator, _)), [left, right]) => {
                self.value(left)
                    .piece(PieceKind::Function, operator.to_owned())
                    .value(right);
                self.text(" is ").value(result).text(".");
            }
            (None, None, [only]) if symbol.name() == "transpose" => {
                self.text("The transpose of ")
                    .value(only)
                    .text(" is ")
                    .value(result)
                    .text(".");
            }
            _ => {
                self.symbol(symbol)
                    .text(" of ")
                    .value(argument)
                    .text(" is ")
                    .value(result)
                    .text(".");
            }
        }
    }

    fn operation(&mut self, operation: &OperationRef) -> &mut Self {
        self.piece(PieceKind::Operation, operation.to_string())
    }

    fn handler(&mut self, name: &str) -> &mut Self {
        self.piece(PieceKind::Handler, name.to_owned())
    }

    fn location(&mut self, name: &str) -> &mut Self {
        self.piece(PieceKind::Location, name.to_owned())
    }

    fn variable(&mut self, variable: &Variable) -> &mut Self {
        let name = self.names.get(variable);
        self.piece(PieceKind::Variable, name.to_string())
    }

    pub(crate) fn tensor(&mut self, tensor: &Tensor) -> &mut Self {
        match tensor.data() {
            [] => self.piece(PieceKind::Value, "()".to_owned()),
            [number] => self.piece(PieceKind::Value, numbers::short(*number)),
            data => {
                let shown: Vec<String> = data
                    .iter()
                    .take(3)
                    .map(|entry| numbers::short(*entry))
                    .collect();
                let more = if data.len() > 3 { ", …" } else { "" };
                let text = format!("[{}{more}]", shown.join(", "));
                let chip = Some(chips::chip(tensor));
                self.pieces.push(Piece {
                    kind: PieceKind::Value,
                    text,
                    mark: Mark::None,
                    chip,
                    node: 0,
                    fold: None,
                });
                self
            }
        }
    }

    pub(crate) fn value(&mut self, value: &Term) -> &mut Self {
        match value.kind() {
            TermKind::Constant(tensor) => self.tensor(tensor),
            TermKind::Tuple(parts) => {
                self.text("⟨");
                for (position, part) in parts.iter().enumerate() {
                    if position > 0 {
                        self.text(", ");
                    }
                    self.value(part);
                }
                self.text("⟩")
            }
            TermKind::Variable(x) => self.variable(x),
            _ => self.text("…"),
        }
    }

    fn values(&mut self, values: &[Term]) -> &mut Self {
        for (position, value) in values.iter().enumerate() {
            if position > 0 {
                self.text(", ");
            }
            self.value(value);
        }
        self
    }
}
