//! Commands and handlers as source text, a `let` on a line.

use super::{Unwritable, Writer};
use fletch_calculus::notation::pattern;
use fletch_calculus::{
    Command, CommandKind, FreeVariables, OrdinaryHandler, ReverseHandler, Term, TermKind, Variable,
};

impl Writer {
    /// A command; its lines after the first are `indent` levels in.
    pub(super) fn command(
        &mut self,
        command: &Command,
        indent: usize,
    ) -> Result<String, Unwritable> {
        let text = match command.kind() {
            CommandKind::Pure(m) => format!("⌊{}⌋", self.term(m, 0)?),
            CommandKind::Perform(operation, m) => {
                let argument = match m.kind() {
                    TermKind::Constant(tensor) if tensor.is_empty() => String::new(),
                    _ => self.term(m, 0)?,
                };
                format!("{}({argument})", self.operation(operation))
            }
            CommandKind::Resume(k, m) => {
                let argument = self.term(m, 0)?;
                format!("{} • ({argument})", self.scope.get(k))
            }
            CommandKind::Let { .. } => self.lets(command, indent)?,
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => self.rev_handle(argument, variables, body, handler, indent)?,
            CommandKind::Handle { body, handler } => {
                let body = self.command(body, indent + 1)?;
                let handler = self.ordinary_handler(handler, indent)?;
                format!(
                    "handle\n{}{body}\n{}with {handler}",
                    pad(indent + 1),
                    pad(indent)
                )
            }
            // `source` has unfolded it.
            CommandKind::Handled(_) => return Err(Unwritable::TooLong),
        };
        self.wrote(text)
    }

    /// let p ⇐ P in …, in a loop: a run's chains of lets are long.
    fn lets(&mut self, command: &Command, indent: usize) -> Result<String, Unwritable> {
        let mut text = String::new();
        let mut entered = 0;
        let mut current = command.clone();
        while let CommandKind::Let {
            variable,
            bound,
            body,
            ..
        } = current.kind()
        {
            let nested = !matches!(
                bound.kind(),
                CommandKind::Pure(_) | CommandKind::Perform(..) | CommandKind::Resume(..)
            );
            let bound = self.command(bound, indent + 1)?;
            let (binder, rest) = match pattern(variable, body) {
                Some((components, rest)) => {
                    let mut names = Vec::new();
                    for (position, component) in components.iter().enumerate() {
                        let hidden = components
                            .iter()
                            .skip(position + 1)
                            .any(|later| later.id == component.id);
                        let used = !hidden && rest.free().contains(component.id);
                        names.push(self.scope.enter(component, used));
                        entered += 1;
                    }
                    (format!("⟨{}⟩", names.join(", ")), rest)
                }
                None => {
                    entered += 1;
                    let used = body.free().contains(variable.id);
                    (self.scope.enter(variable, used), body.clone())
                }
            };
            let bound = if nested {
                format!("\n{}({bound})\n{}", pad(indent + 1), pad(indent))
            } else {
                format!(" {bound} ")
            };
            let line = format!("let {binder} ⇐{bound}in\n{}", pad(indent));
            text.push_str(&self.wrote(line)?);
            current = rest;
        }
        text.push_str(&self.command(&current, indent)?);
        self.scope.leave(entered);
        Ok(text)
    }

    fn rev_handle(
        &mut self,
        argument: &Term,
        variables: &[Variable],
        body: &Command,
        handler: &ReverseHandler,
        indent: usize,
    ) -> Result<String, Unwritable> {
        let argument = self.term(argument, 0)?;
        let binders = self.binders(variables, body.free());
        let body = self.command(body, indent + 1)?;
        self.scope.leave(variables.len());
        let handler = self.reverse_handler(handler, indent)?;
        Ok(format!(
            "rev handle({argument})⟨{}⟩.\n{}{body}\n{}with {handler}",
            binders.join(", "),
            pad(indent + 1),
            pad(indent)
        ))
    }

    fn binders(&mut self, variables: &[Variable], free: &FreeVariables) -> Vec<String> {
        variables
            .iter()
            .map(|variable| self.scope.enter(variable, free.contains(variable.id)))
            .collect()
    }

    /// `p, … ↦ P`
    fn maps(
        &mut self,
        variables: &[&Variable],
        body: &Command,
        indent: usize,
    ) -> Result<String, Unwritable> {
        let binders: Vec<String> = variables
            .iter()
            .map(|variable| {
                self.scope
                    .enter(variable, body.free().contains(variable.id))
            })
            .collect();
        let body = self.command(body, indent + 1)?;
        self.scope.leave(variables.len());
        Ok(format!(
            "{} ↦\n{}{body}",
            binders.join(", "),
            pad(indent + 1)
        ))
    }

    fn reverse_handler(
        &mut self,
        handler: &ReverseHandler,
        indent: usize,
    ) -> Result<String, Unwritable> {
        let inner = indent + 1;
        let returns = &handler.return_clause;
        let mut lines = vec![self.maps(&[&returns.variable], &returns.body, inner)?];
        for (operation, clause) in &handler.clauses {
            let forward = self.maps(&[&clause.argument], &clause.forward, inner)?;
            let backward =
                self.maps(&[&clause.cotangent, &clause.saved], &clause.backward, inner)?;
            let name = self.operation(operation);
            let pad = pad(inner);
            lines.push(format!("{name} ( {forward}\n{pad}| {backward} )"));
        }
        self.wrote(braces(&lines, indent))
    }

    fn ordinary_handler(
        &mut self,
        handler: &OrdinaryHandler,
        indent: usize,
    ) -> Result<String, Unwritable> {
        let inner = indent + 1;
        let returns = &handler.return_clause;
        let mut lines = vec![self.maps(&[&returns.variable], &returns.body, inner)?];
        for (operation, clause) in &handler.clauses {
            let k = self.scope.enter(&clause.continuation, true);
            let body = self.maps(&[&clause.argument], &clause.body, inner)?;
            self.scope.leave(1);
            lines.push(format!("{}, {k}; {body}", self.operation(operation)));
        }
        self.wrote(braces(&lines, indent))
    }
}

fn braces(clauses: &[String], indent: usize) -> String {
    let separator = format!("\n{}", pad(indent + 1));
    format!(
        "{{{separator}{}\n{}}}",
        clauses.join(&separator),
        pad(indent)
    )
}

fn pad(indent: usize) -> String {
    "  ".repeat(indent.min(40))
}
