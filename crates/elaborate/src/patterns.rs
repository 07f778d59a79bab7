//! Patterns. A tuple pattern is the paper's abbreviation for a fresh variable and a `let` for each component.

use crate::elaborator::Elaborator;
use crate::faults::Fault;
use crate::names::Fact;
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Command, Origin, Term, Variable};
use fletch_syntax::Span;
use fletch_syntax::tree::{Pattern, PatternKind};

/// The `let`s that a pattern abbreviates, outermost first: the bound variable, the tuple's variable, the component's index from 0, and
/// the origin.
pub(crate) struct Destructuring {
    pub(crate) variable: Variable,
    components: Vec<(Variable, Variable, usize, Origin)>,
}

impl Destructuring {
    /// let x₁ ← proj₁(x) in … M
    pub(crate) fn around_term(self, body: Term) -> (Variable, Term) {
        let body = self.components.into_iter().rev().fold(
            body,
            |body, (variable, whole, index, origin)| {
                let projection = Term::project(index, Term::variable(&whole, origin), origin);
                Term::bind(variable, projection, body, origin)
            },
        );
        (self.variable, body)
    }

    /// let x₁ ⇐ ⌊proj₁(x)⌋ in … P
    pub(crate) fn around_command(self, body: Command) -> (Variable, Command) {
        let body = self.components.into_iter().rev().fold(
            body,
            |body, (variable, whole, index, origin)| {
                let projection = Term::project(index, Term::variable(&whole, origin), origin);
                Command::bind(variable, Command::pure(projection, origin), body, origin)
            },
        );
        (self.variable, body)
    }

    /// For syntax that cannot destructure (a clause, a binder list): the variable of the whole, and the command let ⟨…⟩ ⇐ ⌊x⌋ in P.
    pub(crate) fn around_clause(
        self,
        elaborator: &mut Elaborator<'_>,
        body: Command,
        place: Span,
    ) -> (Variable, Command) {
        if self.components.is_empty() {
            return (self.variable, body);
        }
        let at = elaborator.origin(place);
        let outer = elaborator.supply.fresh_like(&self.variable.name);
        let bound = Command::pure(Term::variable(&outer, at), at);
        let (tuple, body) = self.around_command(body);
        (outer, Command::bind(tuple, bound, body, at))
    }
}

impl<'a> Elaborator<'a> {
    /// Binds the names of a pattern in `scope`, for a value of this type.
    pub(crate) fn pattern(
        &mut self,
        scope: &mut Scope,
        pattern: &Pattern,
        shaped: &Shaped,
    ) -> Destructuring {
        let mut components = Vec::new();
        let variable = self.pattern_part(scope, pattern, shaped, &mut components);
        Destructuring {
            variable,
            components,
        }
    }

    fn pattern_part(
        &mut self,
        scope: &mut Scope,
        pattern: &Pattern,
        shaped: &Shaped,
        components: &mut Vec<(Variable, Variable, usize, Origin)>,
    ) -> Variable {
        match &pattern.node {
            PatternKind::Name(name) => {
                let variable = self.supply.fresh_like(&name.text);
                self.facts
                    .note(name.span, || Fact::Variable(shaped.clone()));
                scope.bind(
                    name,
                    Binding::Local {
                        variable: variable.clone(),
                        shaped: shaped.clone(),
                    },
                );
                variable
            }
            PatternKind::Wildcard => self.supply.fresh("_"),
            PatternKind::Tuple(parts) => {
                let whole = self.supply.fresh("p");
                let types: Vec<Shaped> = match shaped {
                    Shaped::Product(types) if types.len() == parts.len() => types.clone(),
                    Shaped::Unknown => vec![Shaped::Unknown; parts.len()],
                    other => {
                        let apart = Fault::TupleApart(parts.len(), other.clone());
                        self.report.add(pattern.span, apart);
                        vec![Shaped::Unknown; parts.len()]
                    }
                };
                for (index, (part, ty)) in parts.iter().zip(&types).enumerate() {
                    // This component comes before the components inside it.
                    let position = components.len();
                    let variable = self.pattern_part(scope, part, ty, components);
                    components.insert(
                        position,
                        (variable, whole.clone(), index, self.origin(part.span)),
                    );
                }
                whole
            }
        }
    }
}
