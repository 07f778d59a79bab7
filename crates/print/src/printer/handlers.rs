//! Printing of the clauses of a handler, for a reader who opens its name.

use super::{Doc, Printer};
use crate::pieces::PieceKind;
use fletch_calculus::{Clause, Handler, OperationRef, OrdinaryHandler, ReverseClause, Variable};
use pretty::DocAllocator;

impl<'d> Printer<'d> {
    /// Prints `{ x ↦ P  Op (x ↦ Qᶠ | y, z ↦ Qᵇ) … }`, each clause on a line of its own.
    pub(super) fn reverse_clauses(&mut self, handler: &Handler<ReverseClause>) -> Doc<'d> {
        let before = self.subjects.elsewhere(true);
        let mut clauses = vec![self.return_clause(handler)];
        for (operation, clause) in &handler.clauses {
            let name = self.operation_name(operation);
            clauses.push(if clause.default && self.source().is_none() {
                name.append(self.text(PieceKind::Folded, "no clause: performed outside"))
            } else {
                let forward = self.clause(&[&clause.argument], &clause.forward);
                let backward = self.clause(&[&clause.cotangent, &clause.saved], &clause.backward);
                let halves = self
                    .plain("( ")
                    .append(forward)
                    .append(self.arena.hardline())
                    .append("| ")
                    .append(backward)
                    .append(" )");
                name.append(" ").append(halves.align())
            });
        }
        self.subjects.elsewhere(before);
        self.block(clauses)
    }

    /// Prints `{ x ↦ P  Op, k; x ↦ Q … }`, each clause on a line of its own.
    pub(super) fn ordinary_clauses(&mut self, handler: &OrdinaryHandler) -> Doc<'d> {
        let before = self.subjects.elsewhere(true);
        let mut clauses = vec![self.return_clause(handler)];
        for (operation, clause) in &handler.clauses {
            clauses.push(self.ordinary_clause(operation, clause));
        }
        self.subjects.elsewhere(before);
        self.block(clauses)
    }

    fn ordinary_clause(&mut self, operation: &OperationRef, clause: &Clause) -> Doc<'d> {
        let name = self.operation_name(operation).append(", ");
        let k = self.binder(&clause.continuation, true);
        let body = self.clause(&[&clause.argument], &clause.body);
        self.names.leave(1);
        name.append(k).append("; ").append(body)
    }

    fn return_clause<C>(&mut self, handler: &Handler<C>) -> Doc<'d> {
        let returns = &handler.return_clause;
        self.clause(&[&returns.variable], &returns.body)
    }

    /// Prints a clause `y, z ↦ Q`. Its nodes have no path in the command, so none of them is marked.
    fn clause(&mut self, variables: &[&Variable], body: &fletch_calculus::Command) -> Doc<'d> {
        let path = std::mem::take(&mut self.path);
        let marks = std::mem::take(&mut self.marks);
        let binders: Vec<Doc<'d>> = variables
            .iter()
            .map(|x| self.binder(x, body.free().contains(x.id)))
            .collect();
        let head = self.arena.intersperse(binders, self.plain(", "));
        let body = self.command(body);
        self.names.leave(variables.len());
        self.path = path;
        self.marks = marks;
        head.append(" ↦ ").append(body.align())
    }

    fn block(&self, clauses: Vec<Doc<'d>>) -> Doc<'d> {
        let lines = clauses
            .into_iter()
            .map(|clause| self.arena.hardline().append(clause));
        self.plain(" {")
            .append(self.arena.concat(lines).nest(2))
            .append(self.arena.hardline())
            .append("}")
    }
}
