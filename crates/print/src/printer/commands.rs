//! Printing of commands. The lets that a tuple pattern abbreviates are printed as the pattern.

use super::{Annotation, Doc, Group, Printer};
use crate::folds::{Shape, backward_label, moment_label};
use crate::pieces::PieceKind;
use fletch_calculus::notation::pattern;
use fletch_calculus::{
    Command, CommandKind, FreeVariables, Index, OperationRef, Origin, Part, ReverseHandler, Role,
    TermKind, Variable,
};
use pretty::DocAllocator;

impl<'d> Printer<'d> {
    pub(super) fn command(&mut self, command: &Command) -> Doc<'d> {
        if self.hole.as_ref() == Some(&self.path) {
            return self.plain("[ ]");
        }
        if self.folds.contains(Part::Command(command)) {
            let fold = self.folds.part(command.origin());
            return self.fold(fold);
        }
        let doc = match command.kind() {
            CommandKind::Pure(m) => {
                let inner = self.child(0, |p| p.term(m, 0));
                self.plain("⌊").append(inner.nest(1)).append("⌋")
            }
            CommandKind::Perform(operation, m) => {
                let name = self.operation_name(operation);
                let argument = self.child(0, |p| p.term(m, 0));
                match m.kind() {
                    // The parentheses of `Get[ℓ]()` are its argument, and marked as such.
                    TermKind::Constant(tensor) if tensor.is_empty() => name.append(argument),
                    _ => name.append("(").append(argument).append(")"),
                }
            }
            CommandKind::Resume(k, m) => {
                let argument = self.child(0, |p| p.term(m, 4));
                self.text(PieceKind::Variable, self.names.get(k))
                    .append(" • ")
                    .append(argument)
            }
            CommandKind::Let { .. } => self.let_command(command),
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => {
                let argument = self.child(0, |p| p.term(argument, 0));
                let opening = self
                    .keyword("rev handle")
                    .append("(")
                    .append(argument)
                    .append(")");
                self.handling(opening, variables, body, 1, handler, None)
            }
            CommandKind::Handled(handled) => {
                let position = handled.values.len();
                let values = match handled.values.as_ref() {
                    [only] => self.child(0, |p| p.term(only, 0)),
                    several => {
                        let parts = self.parts(command.origin(), several);
                        self.tuple_of(parts)
                    }
                };
                let values = values.annotate(Annotation::Group(Group::Values));
                let opening = self.keyword("RH").append("(").append(values).append(")");
                let rewriting = Group::Rewriting((&*handled.handler.name).into());
                self.handling(
                    opening.annotate(Annotation::Group(rewriting)),
                    &handled.variables,
                    &handled.body,
                    position,
                    &handled.handler,
                    Some(Group::Closing),
                )
            }
            CommandKind::Feedback { argument, feedback } => {
                let argument = self.child(0, |p| p.term(argument, 0));
                let count = format!("[{}](", feedback.count);
                let head = self.keyword("feedback").append(count);
                let head = head.append(argument).append(")");
                let body = &feedback.body;
                let binders = self.binders(body.origin(), &feedback.variables, body.free(), false);
                let binders = self.arena.intersperse(binders, self.plain(", "));
                let head = self.head(head.append("⟨").append(binders).append("⟩."));
                let (shape, label) = (self.folds.moment(feedback), moment_label(feedback));
                let body = self.child(1, |p| p.foldable(shape, label, |p| p.command(body)));
                self.names.leave(feedback.variables.len());
                head.append(self.arena.line().append(body).nest(2)).group()
            }
            CommandKind::Handle { body, handler } => {
                let head = self.keyword("handle");
                let body = self.child(0, |p| p.command(body));
                let with = self.with(&handler.name, handler.origin, |p| {
                    p.ordinary_clauses(handler)
                });
                let inside = self.arena.line().append(body).nest(2);
                self.head(head)
                    .append(inside)
                    .append(self.arena.line())
                    .append(with)
                    .group()
            }
        };
        self.marked(doc)
    }

    /// Prints a handling command after its opening: `… ⟨x̄⟩. R with H`.
    fn handling(
        &mut self,
        opening: Doc<'d>,
        variables: &[Variable],
        body: &Command,
        position: usize,
        handler: &ReverseHandler,
        closing: Option<Group>,
    ) -> Doc<'d> {
        let binders = self.binders(body.origin(), variables, body.free(), false);
        let binders = self.arena.intersperse(binders, self.plain(", "));
        let head = opening.append("⟨").append(binders).append("⟩.");
        let head = self.head(head);
        let body = self.child(position, |p| p.command(body));
        self.names.leave(variables.len());
        let with = self.with(&handler.name, handler.origin, |p| {
            p.reverse_clauses(handler)
        });
        let with = match closing {
            Some(group) => with.annotate(Annotation::Group(group)),
            None => with,
        };
        let inside = self.arena.line().append(body).nest(2);
        head.append(inside)
            .append(self.arena.line())
            .append(with)
            .group()
    }

    /// Prints `with H`, and the clauses of H if a reader has opened them. In program text the clauses replace the name.
    fn with(
        &mut self,
        name: &str,
        origin: Origin,
        clauses: impl FnOnce(&mut Self) -> Doc<'d>,
    ) -> Doc<'d> {
        let with = self.keyword("with ");
        if self.source().is_some() {
            return with.append(clauses(self));
        }
        let shape = self.folds.handler(origin);
        let with = with.append(self.handler_name(name, &shape));
        let with = self.head(with);
        match shape {
            Shape::Open(_) => with.append(clauses(self)),
            _ => with,
        }
    }

    /// Prints variables that are bound together. All of them are in scope, even where a folded list hides their
    /// names. With `chain` they are the variables of a pattern, bound by a chain of lets.
    fn binders(
        &mut self,
        origin: Origin,
        variables: &[Variable],
        used: &FreeVariables,
        chain: bool,
    ) -> Vec<Doc<'d>> {
        let depth = self.path.len();
        let mut docs = Vec::with_capacity(variables.len());
        let mut rest = variables;
        while let Some((variable, later)) = rest.split_first() {
            if chain {
                self.path.push(1);
            }
            let used = used.contains(variable.id) && !later.contains(variable);
            docs.push(self.binder(variable, used));
            rest = later;
        }
        self.path.truncate(depth);
        let length = docs.len();
        let mut docs = docs.into_iter();
        self.list(
            origin,
            length,
            |p, _| docs.next().unwrap_or_else(|| p.arena.nil()),
            |_, _| false,
        )
    }

    /// Prints the name of a handler, on which a reader clicks to open the clauses.
    fn handler_name(&self, name: &str, shape: &Shape) -> Doc<'d> {
        let name = self.text(PieceKind::Handler, name);
        match shape {
            Shape::Open(fold) | Shape::Folded(Some(fold)) => name.annotate(Annotation::Fold(*fold)),
            _ => name,
        }
    }

    /// Prints `FC[ℓ0]`, with its name and its locations as separate pieces.
    pub(super) fn operation_name(&self, operation: &OperationRef) -> Doc<'d> {
        if let Some(labels) = self.source() {
            return self.text(PieceKind::Operation, labels.operation(operation));
        }
        let name = self.text(PieceKind::Operation, &*operation.name);
        if operation.indices.is_empty() {
            return name;
        }
        let indices: Vec<Doc<'d>> = operation
            .indices
            .iter()
            .map(|index| match index {
                Index::Location(location) => self.text(PieceKind::Location, &*location.name),
                Index::Size(size) => self.arena.text(size.to_string()),
            })
            .collect();
        let indices = self.arena.intersperse(indices, self.plain(", "));
        let indices = self.plain("[").append(indices).append("]");
        name.append(indices.annotate(Annotation::Group(Group::Indices)))
    }

    /// Prints a chain of lets, each on a line of its own.
    fn let_command(&mut self, command: &Command) -> Doc<'d> {
        let mut doc = self.arena.nil();
        let mut current = command.clone();
        let mut levels = 0;
        let mut entered = 0;
        while let CommandKind::Let {
            variable,
            bound,
            body,
            role,
        } = current.kind()
            && !self.folds.contains(Part::Command(&current))
        {
            let nested = matches!(
                bound.kind(),
                CommandKind::Let { .. }
                    | CommandKind::Handled(_)
                    | CommandKind::RevHandle { .. }
                    | CommandKind::Handle { .. }
                    | CommandKind::Feedback { .. }
            );
            let works = self.marks_below(0);
            let (shape, label) = match role {
                Role::Backward(call) if !works => {
                    (self.folds.backward(call, bound), backward_label(call))
                }
                Role::Continuation(call) if !works => (
                    self.folds.continuation(call, bound),
                    "the rest, handled".to_owned(),
                ),
                _ => (Shape::Bare, String::new()),
            };
            let nested = nested && !matches!(shape, Shape::Folded(_));
            let opened = matches!(shape, Shape::Open(_));
            let bound = self.child(0, |p| p.foldable(shape, label, |p| p.command(bound)));
            let sugar = pattern(variable, body);
            let (binder, rest, depth) = match sugar {
                Some((components, rest)) => {
                    let parts = self.binders(current.origin(), &components, rest.free(), true);
                    entered += components.len();
                    let depth = components.len();
                    (self.tuple_of(parts), rest, depth)
                }
                None => {
                    entered += 1;
                    let used = body.free().contains(variable.id);
                    (self.binder(variable, used), body.clone(), 0)
                }
            };
            let bound = match self.source() {
                Some(_) if nested => self.plain("(").append(bound).append(")"),
                _ => bound,
            };
            let head = self.keyword("let ").append(binder).append(" ⇐");
            let head = if nested {
                let head = match self.folds.note(role) {
                    Some(note) => head.append(self.note(format!("  {note}"))),
                    None => head,
                };
                head.append(self.arena.hardline().append(bound).nest(2))
                    .append(self.arena.hardline())
            } else if opened {
                // The components of a tuple are below one another, so the tuple begins as far left as possible.
                head.append(self.arena.line().append(bound).nest(2).group())
                    .append(" ")
            } else {
                head.append(self.arena.softline().append(bound).nest(2))
                    .append(" ")
            };
            let head = self.head(head).append(self.keyword("in"));
            doc = doc.append(head).append(self.arena.hardline());
            for _ in 0..=depth {
                self.path.push(1);
            }
            levels += depth + 1;
            current = rest;
        }
        doc = doc.append(self.command(&current));
        self.path.truncate(self.path.len().saturating_sub(levels));
        self.names.leave(entered);
        doc
    }
}
