//! The handlers that a run uses, each at its `with`, and calls of other handlers that could replace them: another optimiser, or the same
//! one with a layer frozen. A program with a replacement need not check: the caller tries it before it is offered.

use crate::declarations::{Callable, Declarations};
use crate::elaborator::Elaborator;
use crate::mains::{Variant, call};
use crate::report::Report;
use crate::scope::Scope;
use crate::table::Table;
use fletch_syntax::tree::{
    self, CommandKind, HandlerCall, HandlerDecl, HandlerKind, Literal, TermKind,
};
use fletch_syntax::{Span, tree::Handler};
use std::collections::BTreeSet;

/// A use of a handler in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Span of the use.
    pub span: Span,
    /// Calls of other handlers that could replace it, in order of declaration.
    pub instead: Vec<String>,
}

/// The handlers that `main` uses, directly or through the commands that it calls, in order. In a replacement, a parameter that both
/// handlers have keeps its written argument, and any other parameter gets a value of its type.
pub fn handler_uses(program: &tree::Program, source: &str) -> Vec<Use> {
    let mut report = Report::of(program);
    let table = Table::of(program, &mut report);
    let mut found = Vec::new();
    if let Some(main) = table.declarations.mains.first() {
        collect(main, &table.declarations, &mut BTreeSet::new(), &mut found);
    }
    let mut elaborator = Elaborator::new(&table, report);
    let uses = found.into_iter().map(|handler| Use {
        span: handler.span,
        instead: match &handler.node {
            HandlerKind::Call(call) => elaborator.instead(call, source),
            HandlerKind::Literal(_) => Vec::new(),
        },
    });
    uses.collect()
}

/// A numeral that is an argument of a handler in a `train` item: most often a learning rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperparameter {
    /// The handler.
    pub handler: String,
    /// Name of the parameter.
    pub name: String,
    /// The number.
    pub value: f64,
    /// Span of the numeral.
    pub span: Span,
}

/// The numerals that handlers of `train` items get as arguments, in the order in which they are found.
pub fn hyperparameters(program: &tree::Program) -> Vec<Hyperparameter> {
    let mut report = Report::of(program);
    let declarations = Declarations::collect(program, &mut report);
    let mut used = Vec::new();
    let mut called = BTreeSet::new();
    for train in &declarations.trains {
        collect(&train.body, &declarations, &mut called, &mut used);
    }
    let mut found: Vec<Hyperparameter> = Vec::new();
    for handler in used {
        let HandlerKind::Call(call) = &handler.node else {
            continue;
        };
        let Some(Callable::Handler(decl)) = declarations.callables.get(&call.name.text) else {
            continue;
        };
        for (param, argument) in decl.params.iter().zip(&call.arguments) {
            if let TermKind::Literal(Literal::Number(value)) = argument.node
                && !found.iter().any(|known| known.span == argument.span)
            {
                found.push(Hyperparameter {
                    handler: decl.name.text.to_string(),
                    name: param.name.text.to_string(),
                    value,
                    span: argument.span,
                });
            }
        }
    }
    found
}

/// Spans of the handlers that each `train` item uses, directly or through the commands that it calls.
pub fn train_handlers(program: &tree::Program) -> Vec<Vec<Span>> {
    let mut report = Report::of(program);
    let declarations = Declarations::collect(program, &mut report);
    let trains = declarations.trains.iter();
    let used = trains.map(|train| {
        let mut found = Vec::new();
        collect(&train.body, &declarations, &mut BTreeSet::new(), &mut found);
        found.iter().map(|handler| handler.span).collect()
    });
    used.collect()
}

fn collect<'a>(
    command: &'a tree::Command,
    declarations: &Declarations<'a>,
    called: &mut BTreeSet<&'a str>,
    found: &mut Vec<&'a Handler>,
) {
    let mut inside = |command| collect(command, declarations, called, found);
    match &command.node {
        CommandKind::Let(_, bound, body) => {
            inside(bound);
            inside(body);
        }
        CommandKind::RevHandle { body, handler, .. } | CommandKind::Handle { body, handler } => {
            inside(body);
            found.push(handler);
        }
        CommandKind::Iterate { body, .. } | CommandKind::Feedback { body, .. } => inside(body),
        CommandKind::Call { name, .. } => {
            if let Some(Callable::Command(decl)) = declarations.callables.get(&name.text)
                && called.insert(&name.text)
            {
                collect(&decl.body, declarations, called, found);
            }
        }
        CommandKind::Pure(_) | CommandKind::Resume(..) | CommandKind::Error => {}
    }
}

impl<'a> Elaborator<'a> {
    /// Calls of other handlers that could replace this call.
    fn instead(&mut self, written: &HandlerCall, source: &str) -> Vec<String> {
        let declarations = self.declarations;
        let Some(Callable::Handler(used)) = declarations.callables.get(&written.name.text) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for callable in &declarations.callable_order {
            if let Callable::Handler(other) = callable
                && other.name.text != used.name.text
                && other.index_params.is_empty()
                && self.fits(used, other)
            {
                found.extend(self.call_like(used, written, other, source));
            }
        }
        found
    }

    /// True if the other handler may replace the used one: its kind, its handled type and its result type are the same. The operations of
    /// its clauses are not compared.
    fn fits(&mut self, used: &'a HandlerDecl, other: &'a HandlerDecl) -> bool {
        let scope = Scope::default();
        let mut agree = |one, other| {
            let one = self.shaped_type(&scope, one);
            one.agrees(&self.shaped_type(&scope, other))
        };
        Variant::of(used) == Variant::of(other)
            && agree(&used.handled, &other.handled)
            && match (&used.result, &other.result) {
                (Some(one), Some(other)) => agree(one, other),
                _ => true,
            }
    }

    fn call_like(
        &mut self,
        used: &'a HandlerDecl,
        written: &HandlerCall,
        other: &'a HandlerDecl,
        source: &str,
    ) -> Option<String> {
        // A numeric parameter of a handler is most often a step size.
        let made_up = self.values_for(&other.params, 10)?;
        let arguments = other.params.iter().zip(made_up);
        let arguments = arguments.map(|(param, made_up)| {
            let mut known = used.params.iter().zip(&written.arguments);
            let same = known.find(|(known, _)| known.name.text == param.name.text);
            let span = same.map(|(_, argument)| argument.span);
            let text = span.and_then(|span| source.get(span.start as usize..span.end as usize));
            text.map_or(made_up, str::to_owned)
        });
        let arguments: Vec<String> = arguments.collect();
        Some(match arguments.as_slice() {
            [] => other.name.text.to_string(),
            arguments => call(&other.name.text, arguments),
        })
    }
}
