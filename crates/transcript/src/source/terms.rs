//! Terms as source text. Symbols have all their indices, so that nothing is left to infer from shapes.

use super::{Unwritable, Writer, literal};
use fletch_calculus::notation::{POSTFIX, PRODUCT, SUM, infix};
use fletch_calculus::{Symbol, Term, TermKind};

impl Writer {
    /// A term where something of at least this binding strength is needed.
    pub(super) fn term(&mut self, term: &Term, strength: u8) -> Result<String, Unwritable> {
        let (text, own) = self.bare(term)?;
        self.wrote(if own < strength {
            format!("({text})")
        } else {
            text
        })
    }

    fn bare(&mut self, term: &Term) -> Result<(String, u8), Unwritable> {
        Ok(match term.kind() {
            TermKind::Variable(x) => (self.scope.get(x), POSTFIX),
            TermKind::Constant(tensor) => {
                let text = literal(tensor)?;
                // A minus belongs to a literal wherever one may stand, so it is kept apart.
                let strength = if text.starts_with('−') {
                    SUM
                } else {
                    POSTFIX
                };
                (text, strength)
            }
            TermKind::Tuple(parts) => (format!("⟨{}⟩", self.list(parts)?), POSTFIX),
            TermKind::Add(left, right) => {
                let (left, right) = (self.term(left, SUM)?, self.term(right, PRODUCT)?);
                (format!("{left} + {right}"), SUM)
            }
            TermKind::Project(index, m) => {
                (format!("{}.{}", self.term(m, POSTFIX)?, index + 1), POSTFIX)
            }
            TermKind::Apply(symbol, argument) => self.application(symbol, argument)?,
            TermKind::Let(x, bound, body) => {
                let bound = self.term(bound, 0)?;
                let binder = self.scope.enter(x, body.free().contains(x.id));
                let body = self.term(body, 0)?;
                self.scope.leave(1);
                (format!("let {binder} ← {bound} in {body}"), 0)
            }
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                let cotangent = self.term(cotangent, POSTFIX)?;
                // The grammar wants a name here, not `_`.
                let binder = self.scope.enter(variable, true);
                let body = self.term(body, 0)?;
                self.scope.leave(1);
                let point = self.term(point, 0)?;
                (
                    format!("{cotangent}.rd({binder}. {body})({point})"),
                    POSTFIX,
                )
            }
        })
    }

    fn application(
        &mut self,
        symbol: &Symbol,
        argument: &Term,
    ) -> Result<(String, u8), Unwritable> {
        let TermKind::Tuple(parts) = argument.kind() else {
            let argument = match argument.kind() {
                TermKind::Constant(tensor) if tensor.is_empty() => String::new(),
                _ => self.term(argument, 0)?,
            };
            return Ok((format!("{symbol}({argument})"), POSTFIX));
        };
        // A matrix product as `∗` would be inferred from shapes.
        if symbol.name() != "matmul"
            && let Some((operator, own)) = infix(symbol)
            && let [left, right] = parts.as_ref()
        {
            let (left, right) = (self.term(left, own)?, self.term(right, own + 1)?);
            return Ok((format!("{left} {operator} {right}"), own));
        }
        Ok((format!("{symbol}({})", self.list(parts)?), POSTFIX))
    }

    fn list(&mut self, parts: &[Term]) -> Result<String, Unwritable> {
        let parts: Result<Vec<String>, Unwritable> =
            parts.iter().map(|part| self.term(part, 0)).collect();
        Ok(parts?.join(", "))
    }
}
