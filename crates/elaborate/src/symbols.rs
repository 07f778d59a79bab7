//! Function symbols at the shapes of their arguments: index inference, `rd[f]`, `cols[b, f]`, `rows[b, f]`.

use crate::declarations::Callable;
use crate::elaborator::{Elaborator, counted};
use crate::names::Fact;
use crate::nearest::nearest;
use crate::scope::Scope;
use crate::shaped::Shaped;
use crate::sizes::suggest;
use fletch_calculus::{Index, Symbol, Type};
use fletch_smooth::{Axis, Shape, SignatureError, families, family};
use fletch_syntax::tree::{self, IndexKind, Name, SymbolKind, SymbolRef};
use fletch_syntax::{Diagnostic, Span};

impl<'a> Elaborator<'a> {
    /// The symbol that a name at indices stands for when applied to `argument`, and its result;
    /// `None` after a diagnostic, or where the argument is not known.
    pub(crate) fn symbol(
        &mut self,
        scope: &Scope,
        reference: &SymbolRef,
        argument: &Shaped,
        span: Span,
    ) -> Option<(Symbol, Shaped)> {
        if !argument.is_known() {
            return None;
        }
        match &reference.node {
            SymbolKind::Reverse(inner) => {
                if self.defined_function(inner, "rd") {
                    return None;
                }
                self.reverse(scope, inner, argument, span)
            }
            SymbolKind::Named(name, indices) => match Axis::named(&name.text) {
                Some(axis) => self.lifted(scope, name, indices, argument, span, axis),
                None => self.named_symbol(scope, name, indices, argument, span),
            },
        }
    }

    /// The symbol behind an operator, which is called `written` in diagnostics.
    pub(crate) fn operator(
        &mut self,
        written: &str,
        argument: &Shaped,
        span: Span,
    ) -> Option<(Symbol, Shaped)> {
        if !argument.is_known() {
            return None;
        }
        let arity = match argument {
            Shaped::Product(sides) => sides.len(),
            _ => 1,
        };
        let family = fletch_smooth::operator(written, arity)?;
        let shapes = self.argument_shapes(family.name, argument, span)?;
        let instance = family.instantiate(&[], &shapes);
        self.instance(written, instance, &shapes, span)
    }

    fn named_symbol(
        &mut self,
        scope: &Scope,
        name: &Name,
        indices: &[tree::Index],
        argument: &Shaped,
        span: Span,
    ) -> Option<(Symbol, Shaped)> {
        let Some(found) = family(&name.text) else {
            let near =
                nearest(&name.text, families().iter().map(|family| family.name)).map(str::to_owned);
            let message = format!("there is no function `{}`", name.text);
            self.report.add(suggest(
                Diagnostic::error("F0201", name.span, message),
                name.span,
                near,
            ));
            return None;
        };
        let mut sizes = Vec::with_capacity(indices.len());
        for index in indices {
            match self.index(scope, index)? {
                Index::Size(size) => sizes.push(size),
                Index::Location(location) => {
                    let message = format!(
                        "`{}` takes sizes as indices, and `{}` is a location",
                        name.text, location.name
                    );
                    self.report
                        .add(Diagnostic::error("F0301", index.span, message));
                    return None;
                }
            }
        }
        let shapes = self.argument_shapes(&name.text, argument, span)?;
        let instance = found.instantiate(&sizes, &shapes);
        let (symbol, result) = self.instance(&name.text, instance, &shapes, span)?;
        self.facts
            .note(name.span, || Fact::Symbol(argument.clone(), result.clone()));
        Some((symbol, result))
    }

    fn instance(
        &mut self,
        name: &str,
        instance: Result<Symbol, SignatureError>,
        shapes: &[Shape],
        span: Span,
    ) -> Option<(Symbol, Shaped)> {
        match instance {
            Ok(symbol) => {
                let result = match symbol.result_shape(shapes) {
                    Some(shape) => Shaped::Real(shape),
                    None => Shaped::of_type(&symbol.codomain()),
                };
                Some((symbol, result))
            }
            Err(error) => {
                match (name, shapes, &error) {
                    ("∗", [left, right], SignatureError::Shape { .. })
                        if left.rank() <= 2 && right.rank() <= 2 =>
                    {
                        self.report.add(sizes_do_not_meet(left, right, span));
                    }
                    _ => self.signature_error(name, &error, span),
                }
                None
            }
        }
    }

    /// The shapes of the components of an argument A₁ × … × A_k of base types.
    fn argument_shapes(&mut self, name: &str, argument: &Shaped, span: Span) -> Option<Vec<Shape>> {
        let shapes: Option<Vec<Shape>> = match argument {
            // A symbol without arguments, such as `count[n]`, takes the unit value.
            Shaped::Real(shape)
                if shape.size() == 0 && family(name).is_some_and(|family| family.arity == 0) =>
            {
                Some(Vec::new())
            }
            argument => argument
                .components()
                .iter()
                .map(|component| match component {
                    Shaped::Real(shape) => Some(shape.clone()),
                    _ => None,
                })
                .collect(),
        };
        if shapes.is_none() {
            let message = format!("`{name}` takes tensors, and its argument is {argument}");
            self.report.add(Diagnostic::error("F0401", span, message));
        }
        shapes
    }

    /// Reports a function of the program where only a function symbol of the language can stand.
    fn defined_function(&mut self, reference: &SymbolRef, around: &str) -> bool {
        let SymbolKind::Named(name, _) = &reference.node else {
            return false;
        };
        let Some(callable) = self.declarations.callables.get(&name.text) else {
            return false;
        };
        let message = format!(
            "`{}` is {} of this program, and `{around}[…]` takes function symbols of the language",
            name.text,
            callable.describe()
        );
        let diagnostic = Diagnostic::error("F0205", name.span, message)
            .label(callable.name().span, "it is declared here");
        let diagnostic = match (callable, around) {
            (Callable::Function(_), "rd") => diagnostic.hint(format!(
                "the derivative of any term is `M.rd(x. {}(x))(L)`: the cotangent M, pulled back at the point L",
                name.text
            )),
            (Callable::Function(_), _) => diagnostic.hint(format!(
                "apply the function symbols that `{}` is made of one after the other: `{around}[f]({around}[g](M))`",
                name.text
            )),
            _ => diagnostic,
        };
        self.report.add(diagnostic);
        true
    }

    fn reverse(
        &mut self,
        scope: &Scope,
        inner: &SymbolRef,
        argument: &Shaped,
        span: Span,
    ) -> Option<(Symbol, Shaped)> {
        let [point, cotangent] = argument.components() else {
            let message =
                format!("`rd[f]` takes a point and a cotangent, and its argument is {argument}");
            self.report.add(
                Diagnostic::error("F0402", span, message).hint("write `rd[f](point, cotangent)`"),
            );
            return None;
        };
        let said = self.report.length();
        let Some((symbol, result)) = self.symbol(scope, inner, point, span) else {
            self.report.reword(said, |diagnostic| {
                name_the_point(diagnostic, inner, point, span)
            });
            return None;
        };
        self.expect(&result, cotangent, span, || {
            format!("the cotangent has the type of the result of `{symbol}`, here {result}; the point comes first")
        });
        result
            .agrees(cotangent)
            .then(|| (symbol.reverse(), point.clone()))
    }

    fn lifted(
        &mut self,
        scope: &Scope,
        name: &Name,
        indices: &[tree::Index],
        argument: &Shaped,
        span: Span,
        axis: Axis,
    ) -> Option<(Symbol, Shaped)> {
        let (batch, inner) = match indices {
            [inner] => (None, inner),
            [batch, inner] => match self.index(scope, batch)? {
                Index::Size(size) => (Some(size), inner),
                Index::Location(_) => (None, inner),
            },
            _ => {
                let message = format!(
                    "`{}` takes a size and a function symbol: `{0}[b, f]`",
                    name.text
                );
                self.report
                    .add(Diagnostic::error("F0301", name.span, message));
                return None;
            }
        };
        let reference = match &inner.node {
            IndexKind::Symbol(symbol) => symbol.clone(),
            IndexKind::Name(symbol, indices) => SymbolRef::new(
                SymbolKind::Named(symbol.clone(), indices.clone()),
                inner.span,
            ),
            IndexKind::Size(_) => {
                let message = format!("`{}` takes a function symbol here", name.text);
                self.report
                    .add(Diagnostic::error("F0301", inner.span, message));
                return None;
            }
        };
        if self.defined_function(&reference, &name.text) {
            return None;
        }
        // Nested products (the point and the cotangent of a derivative) are matrices throughout.
        let shapes = leaves(argument);
        let (batch, parts) = match axis.split(batch, &shapes) {
            Ok(parts) => parts,
            Err(error) => {
                self.signature_error(&name.text, &error, span);
                return None;
            }
        };
        let one = rebuild(argument, &mut parts.into_iter());
        let (symbol, _) = self.symbol(scope, &reference, &one, span)?;
        match axis.lift(Some(batch), &symbol, &shapes) {
            Ok(lifted) => {
                let result = match (lifted.codomain(), lifted.result_shape(&shapes)) {
                    (Type::Real(_), Some(shape)) => Shaped::Real(shape),
                    (ty, _) => Shaped::of_type(&ty),
                };
                self.facts
                    .note(name.span, || Fact::Symbol(argument.clone(), result.clone()));
                Some((lifted, result))
            }
            Err(error) => {
                self.signature_error(&name.text, &error, span);
                None
            }
        }
    }

    fn signature_error(&mut self, name: &str, error: &SignatureError, span: Span) {
        let code = match error {
            SignatureError::IndexCount { .. } | SignatureError::Invalid { .. } => "F0301",
            SignatureError::CannotInfer { .. } => "F0304",
            SignatureError::ArgumentCount { .. } => "F0402",
            SignatureError::Size { .. } | SignatureError::Shape { .. } => "F0302",
        };
        let mut diagnostic = Diagnostic::error(code, span, explained(name, error));
        if let SignatureError::Size { expected: 1, .. } | SignatureError::Size { found: 1, .. } =
            error
            && !name.starts_with(|first: char| first.is_alphabetic())
        {
            diagnostic = diagnostic.hint(
                "a number times a vector is `·`, with the number on the left; `⊙` multiplies two vectors entry by entry",
            );
        }
        if let Some(family) = family(name) {
            let indices = if family.indices.is_empty() {
                String::new()
            } else {
                format!("[{}]", family.indices.join(", "))
            };
            diagnostic = diagnostic.hint(format!("`{name}{indices}` : {}", family.signature));
        }
        self.report.add(diagnostic);
    }
}

/// Says of what keeps a symbol from its arguments that they are the point of its reverse derivative.
fn name_the_point(diagnostic: &mut Diagnostic, inner: &SymbolRef, point: &Shaped, span: Span) {
    let SymbolKind::Named(name, _) = &inner.node else {
        return;
    };
    let misfits = ["F0302", "F0402"].contains(&diagnostic.code.as_str());
    if !misfits || diagnostic.span != span {
        return;
    }
    diagnostic.message = format!(
        "`rd[{0}]` takes a point and then a cotangent, and the point here, {point}, is not what `{0}` takes",
        name.text
    );
    let types = family(&name.text).and_then(|family| family.signature.split_once(" → "));
    diagnostic.hint = Some(match types {
        Some((domain, codomain)) => format!(
            "write `rd[{}](point, cotangent)`: the point is an argument of the function, {domain}; the cotangent is like its result, {codomain}",
            name.text
        ),
        None => format!(
            "write `rd[{}](point, cotangent)`: the point is an argument of the function, the cotangent is like its result",
            name.text
        ),
    });
}

/// A product of matrices with other columns on the left than rows on the right.
fn sizes_do_not_meet(left: &Shape, right: &Shape, span: Span) -> Diagnostic {
    let described = |shape: &Shape| match shape.dims() {
        [size] => format!("vector of {size}"),
        _ => format!("matrix of {shape}"),
    };
    // A vector is a column on either side.
    let columns = left.dims().get(1).copied().unwrap_or(1);
    let rows = right.dims().first().copied().unwrap_or(1);
    let message = format!(
        "a {} times a {}: the left side has {}, the right side {}",
        described(left),
        described(right),
        counted(columns, "column"),
        counted(rows, "row")
    );
    Diagnostic::error("F0302", span, message).hint(
        "as many columns on the left as rows on the right: a location `∷ (n, m)` holds m rows of n columns, a vector is a column, and `ᵀ` swaps rows and columns",
    )
}

/// What keeps a symbol from its arguments. Those of an operator are the sides it stands between.
fn explained(name: &str, error: &SignatureError) -> String {
    let operator = !name.starts_with(|first: char| first.is_alphabetic());
    let side = |argument: usize| {
        if argument == 0 {
            "the left side"
        } else {
            "the right side"
        }
    };
    let entries = |count: usize| {
        if count == 1 {
            "1 entry".to_owned()
        } else {
            format!("{count} entries")
        }
    };
    match error {
        SignatureError::Size {
            argument,
            expected,
            found,
        } if operator => format!(
            "{} of `{name}` must have {}, and has {found}",
            side(*argument),
            entries(*expected)
        ),
        SignatureError::Size {
            argument,
            expected,
            found,
        } => format!(
            "argument {} of `{name}` must have {}, and has {found}",
            argument + 1,
            entries(*expected)
        ),
        SignatureError::Shape { message, .. } if operator => format!("`{name}`: {message}"),
        error => format!("`{name}`: {error}"),
    }
}

fn leaves(shaped: &Shaped) -> Vec<Shape> {
    match shaped {
        Shaped::Unknown => Vec::new(),
        Shaped::Real(shape) => vec![shape.clone()],
        Shaped::Product(parts) => parts.iter().flat_map(leaves).collect(),
    }
}

fn rebuild(shaped: &Shaped, shapes: &mut impl Iterator<Item = Shape>) -> Shaped {
    match shaped {
        Shaped::Unknown => Shaped::Unknown,
        Shaped::Real(_) => shapes.next().map_or(Shaped::Unknown, Shaped::Real),
        Shaped::Product(parts) => {
            Shaped::Product(parts.iter().map(|part| rebuild(part, shapes)).collect())
        }
    }
}
