//! Printing of terms.

use super::{Annotation, Doc, Printer};
use crate::pieces::{Mark, PieceKind};
use fletch_calculus::notation::{Fixity, POSTFIX, PRODUCT, SUM, UNARY, infix};
use fletch_calculus::{Origin, Part, Symbol, Term, TermKind};

use pretty::DocAllocator;

impl<'d> Printer<'d> {
    /// Prints a term, in parentheses if it binds less strongly than `strength`.
    pub(super) fn term(&mut self, term: &Term, strength: u8) -> Doc<'d> {
        if self.folds.contains(Part::Term(term)) {
            let fold = self.folds.part(term.origin());
            return self.fold(fold);
        }
        let (doc, own) = self.bare_term(term);
        let doc = if own < strength {
            self.plain("(").append(doc).append(self.plain(")"))
        } else {
            doc
        };
        let doc = self.marked(doc);
        if self.marks.is_substituted(term) {
            doc.annotate(Annotation::Mark(Mark::Contractum))
        } else {
            doc
        }
    }

    fn bare_term(&mut self, term: &Term) -> (Doc<'d>, u8) {
        match term.kind() {
            TermKind::Variable(x) => (self.text(PieceKind::of(x), self.names.get(x)), POSTFIX),
            TermKind::Constant(tensor) => {
                // Program text distinguishes −0 from 0.
                let minus = |number: f64| self.source().is_some() && number.is_sign_negative();
                let negative = matches!(tensor.data(), [number] if *number < 0.0 || minus(*number));
                // `w − (−0.06) ∗ x`, not `w − −0.06 ∗ x`.
                (self.tensor(tensor), if negative { SUM } else { POSTFIX })
            }
            TermKind::Tuple(parts) => {
                let docs = self.parts(term.origin(), &parts.to_vec());
                (self.tuple_of(docs), POSTFIX)
            }
            TermKind::Add(left, right) => {
                let left = self.child(0, |p| p.term(left, SUM));
                let right = self.child(1, |p| p.term(right, PRODUCT));
                (self.operator(left, "+", right), SUM)
            }
            TermKind::Project(index, inner) => {
                let inner = self.child(0, |p| p.term(inner, POSTFIX));
                (
                    inner.append(self.arena.text(format!(".{}", index + 1))),
                    POSTFIX,
                )
            }
            TermKind::Apply(symbol, argument) => self.application(symbol, argument),
            TermKind::Let(x, bound, body) => {
                let bound = self.child(0, |p| p.term(bound, 0));
                let binder = self.binder(x, body.free().contains(x.id));
                let head = self
                    .keyword("let ")
                    .append(binder)
                    .append(" ← ")
                    .append(bound);
                let head = self.head(head);
                let body = self.child(1, |p| p.term(body, 0));
                self.names.leave(1);
                (
                    head.append(self.keyword(" in"))
                        .append(self.arena.line())
                        .append(body)
                        .group(),
                    0,
                )
            }
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                let cotangent = self.child(0, |p| p.term(cotangent, POSTFIX));
                let binder = self.binder(variable, true);
                let body = self.child(1, |p| p.term(body, 0));
                self.names.leave(1);
                let point = self.child(2, |p| p.term(point, 0));
                let doc = cotangent
                    .append(self.plain("."))
                    .append(self.keyword("rd"))
                    .append("(")
                    .append(binder)
                    .append(". ")
                    .append(body)
                    .append(")(")
                    .append(point)
                    .append(")");
                (doc, POSTFIX)
            }
        }
    }

    /// Prints the components of a tuple.
    pub(super) fn parts(&mut self, origin: Origin, parts: &[Term]) -> Vec<Doc<'d>> {
        // One `…` replaces adjacent components that are left out.
        let left_out: Vec<bool> = parts
            .iter()
            .map(|part| self.folds.contains(Part::Term(part)))
            .collect();
        let kept: Vec<usize> = (0..parts.len())
            .filter(|index| {
                !(left_out.get(*index) == Some(&true)
                    && index
                        .checked_sub(1)
                        .is_some_and(|before| left_out.get(before) == Some(&true)))
            })
            .collect();
        let at = |place: usize| kept.get(place).copied().unwrap_or_default();
        self.list(
            origin,
            kept.len(),
            |p, place| {
                let index = at(place);
                match parts.get(index) {
                    Some(part) => p.child(index, |p| p.term(part, 0)),
                    None => p.arena.nil(),
                }
            },
            |p, place| p.marks_below(at(place)),
        )
    }

    fn operator(&self, left: Doc<'d>, operator: &'static str, right: Doc<'d>) -> Doc<'d> {
        left.append(self.text(PieceKind::Function, format_args!(" {operator} ")))
            .append(right)
    }

    fn application(&mut self, symbol: &Symbol, argument: &Term) -> (Doc<'d>, u8) {
        let parts = match argument.kind() {
            TermKind::Tuple(parts) => Some(parts.clone()),
            _ => None,
        };
        // Program text writes `matmul` with its sizes: with `∗` they would be inferred from shapes.
        let source = self.source().is_some();
        let operator = infix(symbol).filter(|_| !source || symbol.name() != "matmul");
        if let (Some((operator, own)), Some(parts)) = (operator, &parts)
            && let Some((left, right)) = parts.pair()
            && self.marks_nothing_at_argument()
        {
            let left = self.child(0, |p| p.child(0, |p| p.term(left, own)));
            let right = self.child(0, |p| p.child(1, |p| p.term(right, own + 1)));
            return (self.operator(left, operator, right), own);
        }
        let unary = symbol
            .operator()
            .filter(|_| !source)
            .map(|operator| (operator.fixity, operator.text));
        if let Some((fixity @ (Fixity::Prefix | Fixity::Postfix), text)) = unary {
            let inner = self.child(0, |p| p.term(argument, POSTFIX));
            let text = self.text(PieceKind::Function, text);
            return match fixity {
                Fixity::Prefix => (text.append(inner), UNARY),
                _ => (inner.append(text), POSTFIX),
            };
        }
        let name = self.text(PieceKind::Function, symbol);
        let arguments = match parts {
            Some(parts) if self.marks_nothing_at_argument() => {
                let parts: Vec<Doc<'d>> = parts
                    .iter()
                    .enumerate()
                    .map(|(index, part)| self.child(0, |p| p.child(index, |p| p.term(part, 0))))
                    .collect();
                let separator = self.plain(",").append(self.arena.softline());
                self.arena.intersperse(parts, separator).nest(1).group()
            }
            _ => match argument.kind() {
                TermKind::Constant(unit) if source && unit.is_empty() => self.arena.nil(),
                _ => self.child(0, |p| p.term(argument, 0)),
            },
        };
        (name.append("(").append(arguments).append(")"), POSTFIX)
    }

    /// True if the argument tuple itself has no mark: f(a, b) and a ∗ b would not show the mark.
    fn marks_nothing_at_argument(&mut self) -> bool {
        self.child(0, |p| p.mark_here().is_none())
    }
}
