//! Candidates for the `main` of a program that has none: calls of its commands with values of their parameters' types, under each handler
//! that fits. A candidate need not check or run to an end: the caller tries it before it is offered.

use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::report::Report;
use crate::scope::Scope;
use crate::shaped::Shaped;
use crate::table::Table;
use fletch_smooth::Shape;
use fletch_syntax::tree::{self, CommandDecl, HandlerDecl, ItemKind, Param};

/// Maximum number of candidates.
const MOST: usize = 24;
/// Maximal number of entries of a vector or matrix that is written out entry by entry.
const WRITTEN: usize = 16;

/// The items `main = …` that would run a command of the program, best candidates first: under reverse handlers, under ordinary handlers,
/// then without a handler. Empty if the program has a `main`.
pub fn mains(program: &tree::Program) -> Vec<String> {
    let is_main = |item: &tree::Item| matches!(item.node, ItemKind::Main(_));
    if program.items.iter().any(is_main) {
        return Vec::new();
    }
    let mut report = Report::of(program);
    let table = Table::of(program, &mut report);
    let mut elaborator = Elaborator::new(&table, report);
    let (mut commands, mut handlers) = (Vec::new(), Vec::new());
    for callable in &table.declarations.callable_order {
        match callable {
            Callable::Command(decl) if decl.index_params.is_empty() => commands.push(*decl),
            Callable::Handler(decl) if decl.index_params.is_empty() => handlers.push(*decl),
            _ => {}
        }
    }
    // A command declared later may call earlier ones, so commands are taken last to first.
    commands.reverse();
    let mut found = Vec::new();
    for variant in [Variant::Reverse, Variant::Ordinary] {
        for command in &commands {
            let fitting = handlers
                .iter()
                .filter(|handler| Variant::of(handler) == variant);
            for handler in fitting {
                found.extend(elaborator.run_under(command, handler, variant));
            }
        }
    }
    found.extend(commands.iter().filter_map(|command| {
        let arguments = elaborator.values_for(&command.params, 1)?;
        Some(format!("main = {}", call(&command.name.text, &arguments)))
    }));
    found.truncate(MOST);
    found
}

/// Kind of handler: reverse or ordinary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    Reverse,
    Ordinary,
}

impl Variant {
    pub(crate) fn of(handler: &HandlerDecl) -> Variant {
        match handler.result {
            None => Variant::Reverse,
            Some(_) => Variant::Ordinary,
        }
    }
}

impl<'a> Elaborator<'a> {
    /// A command under a handler; `None` if the declared types do not fit.
    fn run_under(
        &mut self,
        command: &'a CommandDecl,
        handler: &'a HandlerDecl,
        variant: Variant,
    ) -> Option<String> {
        let scope = Scope::default();
        let handled = self.shaped_type(&scope, &handler.handled);
        if let Some(result) = &command.result
            && !self.shaped_type(&scope, result).agrees(&handled)
        {
            return None;
        }
        let values = self.values_for(&command.params, 1)?;
        // A numeric parameter of a handler is most often a step size.
        let settings = self.values_for(&handler.params, 10)?;
        let handler = match settings.as_slice() {
            [] => handler.name.text.to_string(),
            settings => call(&handler.name.text, settings),
        };
        Some(match variant {
            Variant::Ordinary => {
                let body = call(&command.name.text, &values);
                format!("main = handle {body} with {handler}")
            }
            Variant::Reverse => {
                let names = command.params.iter();
                let names: Vec<String> = names.map(|param| param.name.text.to_string()).collect();
                let body = call(&command.name.text, &names);
                let (input, names) = match values.as_slice() {
                    [] => ("()".to_owned(), "_".to_owned()),
                    [value] => (value.clone(), names.join(", ")),
                    values => (format!("⟨{}⟩", values.join(", ")), names.join(", ")),
                };
                format!("main = rev handle({input})⟨{names}⟩. {body} with {handler}")
            }
        })
    }

    /// A value of the type of each parameter; `None` if a type is unknown. A parameter that is a single number gets the value 1 /
    /// `parts`.
    pub(crate) fn values_for(&mut self, params: &'a [Param], parts: usize) -> Option<Vec<String>> {
        let types = params.iter();
        types
            .map(|param| written(&self.shaped_type(&Scope::default(), &param.ty), parts))
            .collect()
    }
}

pub(crate) fn call(name: &str, arguments: &[String]) -> String {
    format!("{name}({})", arguments.join(", "))
}

/// A value of a type as text. Its entries are small, positive and distinct, so that no maximum is tied and no argument is outside a
/// domain.
fn written(ty: &Shaped, parts: usize) -> Option<String> {
    match ty {
        Shaped::Unknown => None,
        Shaped::Product(components) => {
            let components = components.iter().map(|component| written(component, 1));
            let components: Option<Vec<String>> = components.collect();
            Some(format!("⟨{}⟩", components?.join(", ")))
        }
        Shaped::Real(shape) => Some(tensor(shape, parts)),
    }
}

fn tensor(shape: &Shape, parts: usize) -> String {
    let entry = |number: usize| tenths(number + 1);
    let row = |from: usize, size: usize| {
        let entries: Vec<String> = (from..from + size).map(entry).collect();
        format!("[{}]", entries.join(", "))
    };
    match (shape.dims(), shape.size()) {
        (_, 0) => "()".to_owned(),
        ([_], 1) if parts > 1 => tenths(10 / parts),
        ([_], 1) => "1".to_owned(),
        ([size], 1..=WRITTEN) => row(0, *size),
        ([rows, columns], 1..=WRITTEN) => {
            let rows: Vec<String> = (0..*rows)
                .map(|number| row(number * columns, *columns))
                .collect();
            format!("[{}]", rows.join(", "))
        }
        ([rows, columns], size) => format!("reshape[{rows}, {columns}](broadcast[{size}](0.5))"),
        (_, size) => format!("broadcast[{size}](0.5)"),
    }
}

/// Numeral of `number` tenths: `0.3`, `1`, `1.2`.
fn tenths(number: usize) -> String {
    match (number / 10, number % 10) {
        (whole, 0) => whole.to_string(),
        (whole, part) => format!("{whole}.{part}"),
    }
}
