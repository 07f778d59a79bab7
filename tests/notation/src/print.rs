//! Calculus → text up to α-equivalence: bound variables are numbered in the order of their binders, free
//! variables keep their names.

use fletch_calculus::{
    Command, CommandKind, OrdinaryHandler, ReverseHandler, Symbol, Tensor, Term, TermKind, Variable,
};

/// Syntax that can be printed.
pub trait Print {
    /// Returns the text. `printer` has the enclosing binders and the number of binders so far.
    fn write(&self, printer: &mut Printer) -> String;
}

/// Returns the text of a term or command.
pub fn print(subject: &impl Print) -> String {
    subject.write(&mut Printer::default())
}

/// Enclosing binders with their numbers, and the count of all binders so far.
#[derive(Default)]
pub struct Printer {
    scope: Vec<(u32, usize)>,
    bound: usize,
}

impl Printer {
    fn below<T>(&mut self, binders: &[Variable], write: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.scope.len();
        for binder in binders {
            self.bound += 1;
            self.scope.push((binder.id, self.bound));
        }
        let written = write(self);
        self.scope.truncate(depth);
        written
    }

    fn name(&self, x: &Variable) -> String {
        let found = self.scope.iter().rev().find(|(id, _)| *id == x.id);
        found.map_or_else(|| x.name.to_string(), |(_, number)| format!("#{number}"))
    }
}

/// Symbol with its size made explicit, in the form that [`Notation`](crate::Notation) reads: `swish[2]`.
fn sized(symbol: &Symbol) -> String {
    match symbol.reverse_of() {
        Some(symbol) => format!("rd[{}]", sized(symbol)),
        None if symbol.to_string().contains('[') => symbol.to_string(),
        None => format!("{symbol}[{}]", symbol.domain().sizes().last().unwrap_or(&0)),
    }
}

fn entries(tensor: &Tensor) -> String {
    match tensor.data() {
        [] => "()".to_owned(),
        [only] => only.to_string(),
        _ => format!("{:?}", tensor.data()),
    }
}

impl Print for Term {
    fn write(&self, printer: &mut Printer) -> String {
        match self.kind() {
            TermKind::Variable(x) => printer.name(x),
            TermKind::Constant(tensor) => entries(tensor),
            TermKind::Apply(symbol, m) => format!("{}({})", sized(symbol), m.write(printer)),
            TermKind::Add(m, n) => format!("({} + {})", m.write(printer), n.write(printer)),
            TermKind::Tuple(parts) => format!("⟨{}⟩", join(&parts.to_vec(), printer)),
            TermKind::Project(index, m) => format!("{}.{}", m.write(printer), index + 1),
            TermKind::Let(x, m, n) => {
                let bound = m.write(printer);
                printer.below(std::slice::from_ref(x), |printer| {
                    let name = printer.name(x);
                    format!("let {name} ← {bound} in {}", n.write(printer))
                })
            }
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                let (cotangent, point) = (cotangent.write(printer), point.write(printer));
                printer.below(std::slice::from_ref(variable), |printer| {
                    let name = printer.name(variable);
                    format!("({cotangent}).rd({name}. {})({point})", body.write(printer))
                })
            }
        }
    }
}

impl Print for Command {
    fn write(&self, printer: &mut Printer) -> String {
        match self.kind() {
            CommandKind::Pure(m) => format!("⌊{}⌋", m.write(printer)),
            CommandKind::Perform(operation, m) => format!("{operation}({})", m.write(printer)),
            CommandKind::Let {
                variable,
                bound,
                body,
                ..
            } => {
                let bound = bound.write(printer);
                printer.below(std::slice::from_ref(variable), |printer| {
                    let name = printer.name(variable);
                    format!("let {name} ⇐ {bound} in {}", body.write(printer))
                })
            }
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => {
                let argument = argument.write(printer);
                let body = binding(variables, body, printer);
                format!("rev handle({argument}){body} with {}", handler.name)
            }
            CommandKind::Handled(handled) => {
                let values = join(&handled.values, printer);
                let body = binding(&handled.variables, &handled.body, printer);
                format!("RH(⟨{values}⟩; {body} with {})", handled.handler.name)
            }
            CommandKind::Handle { body, handler } => {
                format!("handle {} with {}", body.write(printer), handler.name)
            }
            CommandKind::Resume(k, m) => format!("{} • {}", printer.name(k), m.write(printer)),
            CommandKind::Feedback { argument, feedback } => {
                let argument = argument.write(printer);
                let body = binding(&feedback.variables, &feedback.body, printer);
                format!("feedback[{}]({argument}){body}", feedback.count)
            }
        }
    }
}

impl Print for ReverseHandler {
    fn write(&self, printer: &mut Printer) -> String {
        let returns = &self.return_clause;
        let mut text = arrow(
            std::slice::from_ref(&returns.variable),
            &returns.body,
            printer,
        );
        for (operation, clause) in &self.clauses {
            let forward = arrow(
                std::slice::from_ref(&clause.argument),
                &clause.forward,
                printer,
            );
            let outer = [clause.cotangent.clone(), clause.saved.clone()];
            let backward = arrow(&outer, &clause.backward, printer);
            text += &format!("; {operation} ({forward} | {backward})");
        }
        format!("{} : {} {{ {text} }}", self.name, self.handled)
    }
}

impl Print for OrdinaryHandler {
    fn write(&self, printer: &mut Printer) -> String {
        let returns = &self.return_clause;
        let mut text = arrow(
            std::slice::from_ref(&returns.variable),
            &returns.body,
            printer,
        );
        for (operation, clause) in &self.clauses {
            let binders = [clause.continuation.clone(), clause.argument.clone()];
            let body = arrow(&binders, &clause.body, printer);
            text += &format!("; {operation}, {body}");
        }
        let (handled, result) = (&self.handled, &self.result);
        format!("{} : {handled} ⇒ {result} {{ {text} }}", self.name)
    }
}

/// Text of an abstraction: x, … ↦ P
fn arrow(variables: &[Variable], body: &Command, printer: &mut Printer) -> String {
    printer.below(variables, |printer| {
        let names: Vec<String> = variables.iter().map(|x| printer.name(x)).collect();
        format!("{} ↦ {}", names.join(", "), body.write(printer))
    })
}

fn binding(variables: &[Variable], body: &Command, printer: &mut Printer) -> String {
    printer.below(variables, |printer| {
        let names: Vec<String> = variables.iter().map(|x| printer.name(x)).collect();
        format!("⟨{}⟩. {}", names.join(", "), body.write(printer))
    })
}

fn join(terms: &[Term], printer: &mut Printer) -> String {
    let terms: Vec<String> = terms.iter().map(|term| term.write(printer)).collect();
    terms.join(", ")
}
