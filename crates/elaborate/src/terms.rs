//! Pure terms.

use crate::advice::forgotten;
use crate::declarations::Callable;
use crate::elaborator::{Elaborator, Typed, origin};
use crate::miscalled::called_variable;
use crate::names::Fact;
use crate::nearest::nearest;
use crate::scope::{Binding, Border, Lookup, Scope};
use crate::shaped::Shaped;
use crate::sizes::suggest;
use fletch_calculus::{Tensor, Term, TermKind};
use fletch_smooth::Shape;
use fletch_syntax::tree::{self, BinaryOperator, Literal, Name};
use fletch_syntax::{Diagnostic, Span};
use tree::TermKind as Surface;

/// No tuple holds more tensors than this: types grow with them, and `⟨x, x⟩` doubles.
const LEAF_LIMIT: usize = 4096;

impl<'a> Elaborator<'a> {
    /// A term with its type; of unknown type after a diagnostic.
    pub(crate) fn term(&mut self, scope: &mut Scope, term: &'a tree::Term) -> Typed {
        if !self.afford(term.span) {
            return self.rejected(term.span);
        }
        let at = origin(term.span);
        match &term.node {
            Surface::Error => self.rejected(term.span),
            Surface::Unit => (Term::unit(at), Shaped::unit()),
            Surface::Literal(literal) => literal_term(literal, term.span),
            Surface::Variable(name) => self.variable(scope, name),
            Surface::Tuple(parts) => {
                let (terms, types): (Vec<Term>, Vec<Shaped>) =
                    parts.iter().map(|part| self.term(scope, part)).unzip();
                let shaped = Shaped::product(types);
                if shaped.leaves() > LEAF_LIMIT {
                    let message = format!("a tuple of more than {LEAF_LIMIT} tensors is too large");
                    self.report
                        .add(Diagnostic::error("F0911", term.span, message));
                    return self.rejected(term.span);
                }
                (Term::tuple(terms, at), shaped)
            }
            Surface::Zero(size) => match self.size(scope, size) {
                Some(size) if self.hold(size, term.span) => (
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
                        let message = format!("there is no component {} in {shaped}", index.node);
                        let hint = match &shaped {
                            Shaped::Product(parts) => format!("components are counted from 1 to {}", parts.len()),
                            _ => "only a tuple has components; `slice[i, m](x)` takes entries of a vector".to_owned(),
                        };
                        self.report
                            .add(Diagnostic::error("F0403", index.span, message).hint(hint));
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
                    &variable.text,
                    Binding::Local {
                        variable: x.clone(),
                        shaped: point_type.clone(),
                    },
                );
                let (along, along_type) = self.term(scope, body);
                scope.reset(&mark);
                self.expect(&along_type, &pulled_type, cotangent.span, || {
                    format!("the cotangent has the type of the body of `rd`, {along_type}")
                });
                let kind = TermKind::ReverseDerivative {
                    cotangent: pulled,
                    variable: x,
                    body: along,
                    point: at_point,
                };
                let shaped = if along_type.agrees(&pulled_type) {
                    point_type
                } else {
                    Shaped::Unknown
                };
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
                self.ascend(levels);
                scope.reset(&mark);
                return self.rejected(term.span);
            }
            let (bound, shaped) = self.term(scope, bound);
            let destructuring = self.pattern(scope, pattern, &shaped);
            bindings.push((destructuring, bound, origin(rest.span)));
            rest = body;
        }
        let (body, shaped) = self.term(scope, rest);
        scope.reset(&mark);
        self.ascend(levels);
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
        let at = origin(name.span);
        match scope.variable(&name.text) {
            Lookup::Found(Binding::Local { variable, shaped }) => {
                (Term::variable(variable, at), shaped.clone())
            }
            Lookup::Found(Binding::Constant { value, shaped }) => {
                (Term::from_value(value, at), shaped.clone())
            }
            Lookup::Found(Binding::Continuation { .. }) => {
                let message = format!(
                    "`{}` is a continuation: it is resumed, `{0} • M`, not used as a value",
                    name.text
                );
                self.report
                    .add(Diagnostic::error("F0205", name.span, message));
                self.rejected(name.span)
            }
            Lookup::Hidden(border) => {
                let name_text = &name.text;
                let (message, hint) = match border {
                    Border::RevHandle => (
                        format!("`{name_text}` is bound outside this `rev handle`, whose body sees only its own variables"),
                        format!("pass it in: `rev handle(⟨…, {name_text}⟩)⟨…, {name_text}⟩. …`"),
                    ),
                    Border::Handler => (
                        format!("`{name_text}` is bound outside this handler, whose clauses see only their own variables"),
                        "a handler is fixed before the run: pass the value as an argument of an operation, which its clause receives".to_owned(),
                    ),
                };
                self.report
                    .add(Diagnostic::error("F0204", name.span, message).hint(hint));
                self.rejected(name.span)
            }
            Lookup::Unknown => {
                let diagnostic = Diagnostic::error(
                    "F0201",
                    name.span,
                    format!("there is no variable `{}`", name.text),
                );
                let diagnostic = if self.declarations.locations.contains_key(&name.text)
                    || scope.location(&name.text).is_some()
                {
                    diagnostic.hint(format!(
                        "`{}` is a location: read it with `let w ⇐ Get[{0}]() in …`",
                        name.text
                    ))
                } else if let Some(callable) = self.declarations.callables.get(&name.text) {
                    diagnostic.hint(format!(
                        "`{}` is {}: apply it, `{0}(…)`",
                        name.text,
                        callable.describe()
                    ))
                } else if fletch_smooth::family(&name.text).is_some() {
                    diagnostic.hint(format!("`{}` is a function: apply it, `{0}(…)`", name.text))
                } else if self.declarations.dims.contains_key(&name.text)
                    || scope.index(&name.text).is_some()
                {
                    diagnostic.hint(format!(
                        "`{}` is a size: as a number it is `count[{0}]()`",
                        name.text
                    ))
                } else if let Some(advice) = forgotten(self.declarations, name) {
                    diagnostic.hint(advice)
                } else {
                    match nearest(&name.text, scope.variable_names()).map(str::to_owned) {
                        None => diagnostic.hint(format!(
                            "bind it before it is used: `let {} ⇐ … in …`",
                            name.text
                        )),
                        near => suggest(diagnostic, name.span, near),
                    }
                };
                self.report.add(diagnostic);
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
        // Long sums nest to the left; take them apart in a loop.
        let mut chain = vec![(operator, right, span)];
        let mut first = left;
        while let Surface::Binary(operator, left, right) = &first.node {
            chain.push((operator.node, right, first.span));
            first = left;
        }
        let mut result = self.term(scope, first);
        for (operator, right, span) in chain.into_iter().rev() {
            let right = self.term(scope, right);
            result = self.combine(operator, result, right, span);
        }
        result
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
                if left_type.agrees(&right_type) {
                    // Says where the shapes differ.
                    self.expect(&left_type, &right_type, span, || {
                        "`+` adds entry by entry".to_owned()
                    });
                } else {
                    let message =
                        format!("`+` adds values of one type, not {left_type} and {right_type}");
                    self.report.add(
                        Diagnostic::error("F0401", span, message)
                            .label(place(&left), format!("this is {left_type}"))
                            .label(place(&right), format!("this is {right_type}")),
                    );
                }
                if !left_type.agrees(&right_type) || !left_type.is_known() || !right_type.is_known()
                {
                    return self.rejected(span);
                }
                return (
                    Term::add(left, right, origin(span)),
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
            let message =
                format!("matrices of {l} and of {r} meet: the sizes agree, the shapes differ");
            self.report
                .add(Diagnostic::warning("F0305", span, message).hint(
                "transpose one, or write `reshape[m, n](…)` if the entries are meant as they stand",
            ));
        }
        let ((left, left_type), (right, right_type)) = (left, right);
        let argument = Term::tuple(vec![left, right], origin(span));
        self.apply_operator(
            written,
            (argument, Shaped::Product(vec![left_type, right_type])),
            span,
        )
    }

    fn apply_operator(&mut self, written: &str, (argument, shaped): Typed, span: Span) -> Typed {
        match self.operator(written, &shaped, span) {
            Some((symbol, result)) => (
                Term::new(TermKind::Apply(symbol, argument), origin(span)),
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
                // An operation or a command may share its name with a function symbol, which is meant here.
                Some(_) if fletch_smooth::family(&name.text).is_some() => {}
                Some(other) => {
                    let message = format!(
                        "`{}` is {}, and a term is needed here",
                        name.text,
                        other.describe()
                    );
                    self.report
                        .add(Diagnostic::error("F0205", name.span, message).hint(format!(
                            "bind its result before: `let x ⇐ {}(…) in …`, then use `x`",
                            name.text
                        )));
                    return self.rejected(span);
                }
                None if matches!(&*name.text, "Get" | "Put") => {
                    let message =
                        format!("`{}` is an operation, and a term is needed here", name.text);
                    self.report
                        .add(Diagnostic::error("F0205", name.span, message).hint(format!(
                            "bind its result before: `let x ⇐ {}[…](…) in …`, then use `x`",
                            name.text
                        )));
                    return self.rejected(span);
                }
                None => {
                    if !fletch_smooth::is_symbol(&name.text) {
                        let known = fletch_smooth::families()
                            .iter()
                            .map(|family| family.name)
                            .chain(self.declarations.callables.iter().filter_map(
                                |(name, callable)| {
                                    matches!(callable, Callable::Function(_)).then_some(&**name)
                                },
                            ));
                        let near = nearest(&name.text, known).map(str::to_owned);
                        let message = format!("there is no function `{}`", name.text);
                        let diagnostic = Diagnostic::error("F0201", name.span, message);
                        self.report.add(match called_variable(scope, name) {
                            Some(called) => called,
                            None if near.is_some() => suggest(diagnostic, name.span, near),
                            None => diagnostic
                                .hint(format!("declare it: `fun {}(x : A) = …`", name.text)),
                        });
                        for argument in arguments {
                            self.term(scope, argument);
                        }
                        return self.rejected(span);
                    }
                }
            }
        }
        let (argument, shaped) = self.arguments(scope, arguments, span);
        match self.symbol(scope, symbol, &shaped, span) {
            Some((symbol, result)) => (
                Term::new(TermKind::Apply(symbol, argument), origin(span)),
                result,
            ),
            None => self.rejected(span),
        }
    }

    /// f(a, b) is f(⟨a, b⟩), f() is f(0).
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
        (Term::tuple(terms, origin(at)), Shaped::product(types))
    }
}

/// Where a term was written.
fn place(term: &Term) -> Span {
    let at = term.origin();
    Span {
        start: at.start,
        end: at.end,
    }
}

/// A literal: `0.1` and `[0.1]` are the same constant.
fn literal_term(literal: &Literal, span: Span) -> Typed {
    let (shape, entries) = match literal {
        Literal::Number(number) => (Shape::vector(1), vec![*number]),
        Literal::Vector(numbers) => (Shape::vector(numbers.len()), numbers.clone()),
        Literal::Matrix(rows) => (
            Shape::matrix(rows.len(), rows.first().map_or(0, Vec::len)),
            rows.concat(),
        ),
    };
    match Tensor::new(shape.clone(), entries) {
        Some(tensor) => (Term::constant(tensor, origin(span)), Shaped::Real(shape)),
        // Rows of unequal length; the parser has reported them.
        None => (Term::unit(origin(span)), Shaped::Unknown),
    }
}
