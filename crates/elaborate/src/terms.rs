//! Elaboration of pure terms.

use crate::advice::forgotten;
use crate::calls::builtin;
use crate::declarations::Callable;
use crate::elaborator::{Elaborator, Typed, place};
use crate::elsewhere;
use crate::faults::{Fault, Help, Wanted, Why};
use crate::names::{Fact, NameKind};
use crate::nearest::nearest;
use crate::repair::{broadcast, product};
use crate::scope::{Binding, Lookup, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Index, Origin, Tensor, Term, TermKind};
use fletch_smooth::{Shape, families, family, is_symbol};
use fletch_syntax::Span;
use fletch_syntax::tree::{self, BinaryOperator, Literal, Name};
use tree::TermKind as Surface;

/// Maximal number of tensors in a tuple: types grow with it, and `⟨x, x⟩` doubles it.
pub(crate) const LEAF_LIMIT: usize = 4096;

impl<'a> Elaborator<'a> {
    /// Elaborates a term. The type is unknown if a fault was reported.
    pub(crate) fn term(&mut self, scope: &mut Scope, term: &'a tree::Term) -> Typed {
        if !self.afford(term.span) {
            return self.rejected(term.span);
        }
        let at = self.origin(term.span);
        match &term.node {
            Surface::Error => self.rejected(term.span),
            Surface::Unit => (Term::unit(at), Shaped::unit()),
            Surface::Literal(literal) => literal_term(literal, at),
            Surface::Variable(name) => self.variable(scope, name),
            Surface::Tuple(parts) => {
                let (terms, types): (Vec<Term>, Vec<Shaped>) =
                    parts.iter().map(|part| self.term(scope, part)).unzip();
                let shaped = Shaped::product(types);
                if shaped.leaves() > LEAF_LIMIT {
                    self.report.add(term.span, Fault::LargeTuple);
                    return self.rejected(term.span);
                }
                (Term::tuple(terms, at), shaped)
            }
            Surface::Zero(size) => match self.size(scope, size) {
                Some(size) if self.budget.hold(size, term.span, &mut self.report) => (
                    Term::constant(Tensor::zeros(Shape::vector(size)), at),
                    Shaped::vector(size),
                ),
                _ => self.rejected(term.span),
            },
            Surface::Binary(operator, left, right) => {
                self.binary(scope, operator.node, left, right, term.span)
            }
            Surface::Negate(inner) => {
                let inner = self.term(scope, inner);
                self.apply_operator("−", inner, term.span)
            }
            Surface::Transpose(inner) => {
                let inner = self.term(scope, inner);
                self.apply_operator("ᵀ", inner, term.span)
            }
            Surface::Projection(inner, index) => {
                let (inner, shaped) = self.term(scope, inner);
                let position = (index.node as usize).checked_sub(1);
                let component = match &shaped {
                    Shaped::Unknown => return self.rejected(term.span),
                    Shaped::Product(parts) => position.and_then(|position| parts.get(position)),
                    Shaped::Real(_) => None,
                };
                match (component, position) {
                    (Some(component), Some(position)) => {
                        (Term::project(position, inner, at), component.clone())
                    }
                    _ => {
                        let missing = Fault::NoComponent(index.node, shaped);
                        self.report.add(index.span, missing);
                        self.rejected(term.span)
                    }
                }
            }
            Surface::Let(..) => self.let_term(scope, term),
            Surface::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                let (pulled, pulled_type) = self.term(scope, cotangent);
                let (at_point, point_type) = self.term(scope, point);
                let mark = scope.mark();
                let x = self.supply.fresh_like(&variable.text);
                self.facts
                    .note(variable.span, || Fact::Variable(point_type.clone()));
                scope.bind(
                    variable,
                    Binding::Local {
                        variable: x.clone(),
                        shaped: point_type.clone(),
                    },
                );
                let (along, along_type) = self.term(scope, body);
                scope.reset(&mark);
                let agrees = self.expect(&along_type, &pulled_type, cotangent.span, Why::Body);
                let kind = TermKind::ReverseDerivative {
                    cotangent: pulled,
                    variable: x,
                    body: along,
                    point: at_point,
                };
                let shaped = if agrees { point_type } else { Shaped::Unknown };
                (Term::new(kind, at), shaped)
            }
            Surface::Call(symbol, arguments) => self.call_term(scope, symbol, arguments, term.span),
        }
    }

    fn let_term(&mut self, scope: &mut Scope, term: &'a tree::Term) -> Typed {
        let mark = scope.mark();
        let mut bindings = Vec::new();
        let mut rest = term;
        let mut levels = 0;
        while let Surface::Let(pattern, bound, body) = &rest.node {
            levels += 1;
            if !self.descend(rest.span) {
                self.budget.ascend(levels);
                scope.reset(&mark);
                return self.rejected(term.span);
            }
            let (bound, shaped) = self.term(scope, bound);
            let destructuring = self.pattern(scope, pattern, &shaped);
            bindings.push((destructuring, bound, self.origin(rest.span)));
            rest = body;
        }
        let (body, shaped) = self.term(scope, rest);
        scope.reset(&mark);
        self.budget.ascend(levels);
        let term = bindings
            .into_iter()
            .rev()
            .fold(body, |body, (destructuring, bound, at)| {
                let (variable, body) = destructuring.around_term(body);
                Term::bind(variable, bound, body, at)
            });
        (term, shaped)
    }

    fn variable(&mut self, scope: &Scope, name: &Name) -> Typed {
        let at = self.origin(name.span);
        match self.lookup(scope, name) {
            Lookup::Found(Binding::Local { variable, shaped }) => {
                (Term::variable(variable, at), shaped.clone())
            }
            Lookup::Found(Binding::Constant { value, shaped }) => {
                (Term::from_value(value, at), shaped.clone())
            }
            Lookup::Found(Binding::Closed { term, shaped }) => (term.clone(), shaped.clone()),
            Lookup::Found(Binding::Continuation { .. }) => {
                let value = Fault::ContinuationAsValue(name.text.clone());
                self.report.add(name.span, value);
                self.rejected(name.span)
            }
            Lookup::Hidden(border) => {
                let hidden = Fault::Hidden(name.text.clone(), border);
                self.report.add(name.span, hidden);
                let admitted = || scope.entrance()?.admit(&name.text);
                self.report.repair(name.span, admitted);
                self.rejected(name.span)
            }
            Lookup::Unknown => {
                let declarations = self.declarations;
                let help = if declarations.locations.contains_key(&name.text)
                    || matches!(scope.index_named(&name.text), Some(Index::Location(_)))
                {
                    Help::Other(NameKind::Location)
                } else if let Some(callable) = declarations.callables.get(&name.text) {
                    Help::Other(callable.kind())
                } else if family(&name.text).is_some() {
                    Help::Other(NameKind::Function)
                } else if declarations.dims.contains_key(&name.text)
                    || scope.index_named(&name.text).is_some()
                {
                    Help::Other(NameKind::Dimension)
                } else {
                    forgotten(declarations, name)
                        .or_else(|| elsewhere::word(&name.text))
                        .unwrap_or_else(|| Help::near(nearest(&name.text, scope.variable_names())))
                };
                self.unknown(Wanted::Variable, name, help);
                self.rejected(name.span)
            }
        }
    }

    fn binary(
        &mut self,
        scope: &mut Scope,
        operator: BinaryOperator,
        left: &'a tree::Term,
        right: &'a tree::Term,
        span: Span,
    ) -> Typed {
        // Long sums nest to the left: a loop avoids deep recursion.
        let mut chain = vec![(operator, right, span)];
        let mut first = left;
        while let Surface::Binary(operator, left, right) = &first.node {
            chain.push((operator.node, right, first.span));
            first = left;
        }
        let mut rest = chain.into_iter().rev().peekable();
        // A `broadcast` on the left gets its size from the right operand, which is elaborated first.
        let following = rest
            .peek()
            .filter(|(operator, right, _)| {
                is_entrywise(*operator) && self.is_open(first) && !self.is_open(right)
            })
            .copied();
        let mut result = match following {
            Some((operator, right, span)) => {
                rest.next();
                let right = self.term(scope, right);
                let left = self.beside(scope, first, &right.1);
                self.combine(operator, left, right, span)
            }
            None => self.term(scope, first),
        };
        for (operator, right, span) in rest {
            let right = match is_entrywise(operator) {
                true => self.beside(scope, right, &result.1),
                false => self.term(scope, right),
            };
            result = self.combine(operator, result, right, span);
        }
        result
    }

    /// True for a `broadcast` whose size is not written.
    fn is_open(&self, term: &tree::Term) -> bool {
        let Surface::Call(symbol, _) = &term.node else {
            return false;
        };
        match &symbol.node {
            tree::SymbolKind::Named(name, indices) => {
                &*name.text == "broadcast"
                    && indices.is_empty()
                    && !self.declarations.callables.contains_key(&name.text)
            }
            tree::SymbolKind::Reverse(_) => false,
        }
    }

    /// Elaborates an operand that must have as many entries as the other operand. A `broadcast` without a size gets its size from that.
    fn beside(&mut self, scope: &mut Scope, term: &'a tree::Term, other: &Shaped) -> Typed {
        let (Surface::Call(symbol, arguments), true) = (&term.node, self.is_open(term)) else {
            return self.term(scope, term);
        };
        let shape = match other {
            Shaped::Real(shape) => shape,
            Shaped::Product(_) => return self.term(scope, term),
            // The other operand's fault has been reported, so its consequence is not.
            Shaped::Unknown => {
                for argument in arguments {
                    self.term(scope, argument);
                }
                return self.rejected(term.span);
            }
        };
        let tree::SymbolKind::Named(name, _) = &symbol.node else {
            return self.term(scope, term);
        };
        let size = tree::Size::new(tree::SizeKind::Number(shape.size() as u64), symbol.span);
        let index = tree::Index::new(tree::IndexKind::Size(size), symbol.span);
        let kind = tree::SymbolKind::Named(name.clone(), vec![index]);
        let sized = tree::SymbolRef::new(kind, symbol.span);
        self.call_term(scope, &sized, arguments, term.span)
    }

    fn combine(
        &mut self,
        operator: BinaryOperator,
        left: Typed,
        right: Typed,
        span: Span,
    ) -> Typed {
        let written = match operator {
            BinaryOperator::Add => {
                let ((left, left_type), (right, right_type)) = (left, right);
                let (one, other) = (place(left.origin()), place(right.origin()));
                if !self.expect(&left_type, &right_type, span, Why::Sum(one, other)) {
                    let broadcast = || broadcast((one, &left_type), (other, &right_type));
                    self.report.repair(span, broadcast);
                    return self.rejected(span);
                }
                if !left_type.is_known() || !right_type.is_known() {
                    return self.rejected(span);
                }
                return (
                    Term::add(left, right, self.origin(span)),
                    left_type.higher_rank(&right_type),
                );
            }
            BinaryOperator::Subtract => "−",
            BinaryOperator::Scale => "·",
            BinaryOperator::Multiply => "∗",
            BinaryOperator::Hadamard => "⊙",
            BinaryOperator::Divide => "/",
        };
        if matches!(
            operator,
            BinaryOperator::Subtract | BinaryOperator::Hadamard | BinaryOperator::Divide
        ) && let Some((l, r)) = left.1.clash(&right.1)
        {
            let (left, right) = (l.clone(), r.clone());
            self.report.add(span, Fault::Meeting(left, right));
        }
        let ((left, left_type), (right, right_type)) = (left, right);
        let (one, other) = (place(left.origin()), place(right.origin()));
        let argument = Term::tuple(vec![left, right], self.origin(span));
        let sides = Shaped::Product(vec![left_type, right_type]);
        match self.operator(written, &sides, span) {
            Some((symbol, result)) => (
                Term::new(TermKind::Apply(symbol, argument), self.origin(span)),
                result,
            ),
            None => {
                if let [left, right] = sides.components() {
                    let (left, right) = ((one, left), (other, right));
                    self.report.repair(span, || match operator {
                        BinaryOperator::Subtract | BinaryOperator::Divide => broadcast(left, right),
                        _ => product(written, left, right),
                    });
                }
                self.rejected(span)
            }
        }
    }

    fn apply_operator(&mut self, written: &str, (argument, shaped): Typed, span: Span) -> Typed {
        match self.operator(written, &shaped, span) {
            Some((symbol, result)) => (
                Term::new(TermKind::Apply(symbol, argument), self.origin(span)),
                result,
            ),
            None => self.rejected(span),
        }
    }

    fn call_term(
        &mut self,
        scope: &mut Scope,
        symbol: &tree::SymbolRef,
        arguments: &'a [tree::Term],
        span: Span,
    ) -> Typed {
        if let tree::SymbolKind::Named(name, indices) = &symbol.node {
            match self.declarations.callables.get(&name.text).copied() {
                Some(Callable::Function(decl)) => {
                    return self.call_function(scope, decl, indices, arguments, span);
                }
                // An operation or a command may share its name with a function symbol; a term means the symbol.
                Some(_) if family(&name.text).is_some() => {}
                Some(other) => {
                    let fault = Fault::NoTerm(name.text.clone(), other.kind());
                    self.report.add(name.span, fault);
                    return self.rejected(span);
                }
                None if builtin(&name.text).is_some() => {
                    let fault = Fault::HeapTerm(name.text.clone());
                    self.report.add(name.span, fault);
                    return self.rejected(span);
                }
                None if !is_symbol(&name.text) => {
                    self.no_function(scope, name);
                    for argument in arguments {
                        self.term(scope, argument);
                    }
                    return self.rejected(span);
                }
                None => {}
            }
        }
        let (argument, shaped) = self.arguments(scope, arguments, span);
        match self.symbol(scope, symbol, &shaped, span) {
            Some((symbol, result)) => (
                Term::new(TermKind::Apply(symbol, argument), self.origin(span)),
                result,
            ),
            None => {
                if let ([one, other], [left, right]) = (arguments, shaped.components()) {
                    let broadcast = || broadcast((one.span, left), (other.span, right));
                    self.report.repair(span, broadcast);
                }
                self.rejected(span)
            }
        }
    }

    fn no_function(&mut self, scope: &Scope, name: &Name) {
        if let Some(fault) = self.called(scope, name) {
            return self.report.add(name.span, fault);
        }
        let functions = [NameKind::Function];
        let declared = self.declarations.nearest(&name.text, &functions, &[]);
        let help = match (declared, elsewhere::function(&name.text)) {
            // A word such as `if` is no misspelling of a function `f`.
            (_, Some(word @ Help::Instead(_))) => word,
            (None, Some(help)) => help,
            _ => {
                let symbols: Vec<&str> = families().iter().map(|family| family.name).collect();
                Help::near(self.declarations.nearest(&name.text, &functions, &symbols))
            }
        };
        self.unknown(Wanted::Function, name, help);
    }

    /// The arguments of a call as one term: f(a, b) is f(⟨a, b⟩), f() is f(0).
    pub(crate) fn arguments(
        &mut self,
        scope: &mut Scope,
        arguments: &'a [tree::Term],
        span: Span,
    ) -> Typed {
        let (terms, types): (Vec<Term>, Vec<Shaped>) = arguments
            .iter()
            .map(|argument| self.term(scope, argument))
            .unzip();
        let at = arguments
            .iter()
            .map(|argument| argument.span)
            .reduce(Span::to)
            .unwrap_or(span);
        (Term::tuple(terms, self.origin(at)), Shaped::product(types))
    }
}

/// True if both operands of an operator have the same number of entries.
fn is_entrywise(operator: BinaryOperator) -> bool {
    use BinaryOperator::{Add, Divide, Hadamard, Subtract};
    matches!(operator, Add | Subtract | Hadamard | Divide)
}

/// A literal: `0.1` and `[0.1]` are the same constant.
fn literal_term(literal: &Literal, at: Origin) -> Typed {
    let (shape, entries) = match literal {
        Literal::Number(number) => (Shape::vector(1), vec![*number]),
        Literal::Vector(numbers) => (Shape::vector(numbers.len()), numbers.clone()),
        Literal::Matrix(rows) => (
            Shape::matrix(rows.len(), rows.first().map_or(0, Vec::len)),
            rows.concat(),
        ),
    };
    match Tensor::new(shape.clone(), entries) {
        Some(tensor) => (Term::constant(tensor, at), Shaped::Real(shape)),
        // The rows have unequal lengths, which the parser has reported.
        None => (Term::unit(at), Shaped::Unknown),
    }
}
