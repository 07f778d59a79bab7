//! Function symbols at the shapes of their arguments: index inference, `rd[f]`, `cols[b, f]`, `rows[b, f]`, and declared functions used
//! as symbols.

use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::elsewhere;
use crate::faults::{Fault, Help, Wanted, Why, Written};
use crate::locations::instance_name;
use crate::names::Fact;
use crate::nearest::nearest;
use crate::scope::Scope;
use crate::shaped::Shaped;
use fletch_calculus::{Index, Symbol, Term, Type, straight_line};
use fletch_smooth::{Axis, Shape, SignatureError, families, family, operator};
use fletch_syntax::Span;
use fletch_syntax::tree::{self, IndexKind, Name, SymbolKind, SymbolRef};
use std::sync::Arc;

/// A symbol with its result; or the fault that is still to be reported, `None` if it was reported.
type Applied = Result<(Symbol, Shaped), Option<Fault>>;

impl<'a> Elaborator<'a> {
    /// The symbol that a name with indices denotes when applied to `argument`, and its result; `None` after a fault, or if the argument's
    /// type is unknown.
    pub(crate) fn symbol(
        &mut self,
        scope: &Scope,
        reference: &SymbolRef,
        argument: &Shaped,
        span: Span,
    ) -> Option<(Symbol, Shaped)> {
        let applied = self.applied(scope, reference, argument, span);
        self.reported(applied, span)
    }

    /// The symbol that an operator denotes, and its result; diagnostics call the operator `written`.
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
        let family = operator(written, arity)?;
        let applied = argument_shapes(family.name, argument).and_then(|shapes| {
            let instance = family.instantiate(&[], &shapes);
            match (instance, shapes.as_slice()) {
                (Ok(symbol), shapes) => Ok(with_result(symbol, shapes)),
                (Err(SignatureError::Shape { .. }), [left, right])
                    if written == "∗" && left.rank() <= 2 && right.rank() <= 2 =>
                {
                    let (left, right) = (left.clone(), right.clone());
                    Err(Some(Fault::Product(left, right)))
                }
                (Err(error), _) => Err(misapplied(written, Written::Operator, error)),
            }
        });
        self.reported(applied, span)
    }

    fn reported<T>(&mut self, applied: Result<T, Option<Fault>>, span: Span) -> Option<T> {
        match applied {
            Ok(applied) => Some(applied),
            Err(fault) => {
                if let Some(fault) = fault {
                    self.report.add(span, fault);
                }
                None
            }
        }
    }

    fn applied(
        &mut self,
        scope: &Scope,
        reference: &SymbolRef,
        argument: &Shaped,
        span: Span,
    ) -> Applied {
        if !argument.is_known() {
            return Err(None);
        }
        match &reference.node {
            SymbolKind::Reverse(inner) => {
                self.no_definition(inner, "rd")?;
                self.reverse(scope, inner, argument, span)
            }
            SymbolKind::Named(name, indices) => match Axis::named(&name.text) {
                Some(axis) => self.lifted(scope, name, indices, argument, span, axis),
                None => match self.declarations.callables.get(&name.text) {
                    Some(Callable::Function(decl)) => {
                        self.function_symbol(scope, decl, name, indices, argument)
                    }
                    _ => self.named_symbol(scope, name, indices, argument),
                },
            },
        }
    }

    fn named_symbol(
        &mut self,
        scope: &Scope,
        name: &Name,
        indices: &[tree::Index],
        argument: &Shaped,
    ) -> Applied {
        let Some(found) = family(&name.text) else {
            let near = nearest(&name.text, families().iter().map(|family| family.name));
            let help = elsewhere::function(&name.text).unwrap_or_else(|| Help::near(near));
            self.unknown(Wanted::Symbol, name, help);
            return Err(None);
        };
        let mut sizes = Vec::with_capacity(indices.len());
        for index in indices {
            match self.index(scope, index).ok_or(None)? {
                Index::Size(size) => sizes.push(size),
                Index::Location(location) => {
                    let (symbol, location) = (name.text.clone(), location.name.clone());
                    let fault = Fault::LocationIndex(symbol, location);
                    self.report.add(index.span, fault);
                    return Err(None);
                }
            }
        }
        let shapes = argument_shapes(&name.text, argument)?;
        let instance = found.instantiate(&sizes, &shapes);
        let symbol = instance.map_err(|error| misapplied(&name.text, Written::Name, error))?;
        if let Some(shape) = shapes
            .first()
            .filter(|shape| is_of_one_vector(&name.text) && is_matrix(shape))
        {
            let whole = Fault::WholeMatrix(name.text.clone(), shape.clone());
            self.report.add(name.span, whole);
        }
        let primitive = symbol.as_primitive().filter(|_| sizes.is_empty());
        if let Some(primitive) = primitive.filter(|_| !found.indices.is_empty()) {
            let all = || primitive.indices().into_iter().map(Index::Size).collect();
            self.facts.complete(name.span, all);
        }
        let (symbol, result) = with_result(symbol, &shapes);
        self.facts
            .note(name.span, || Fact::Symbol(argument.clone(), result.clone()));
        Ok((symbol, result))
    }

    /// A declared function as a function symbol: the map that its body computes.
    fn function_symbol(
        &mut self,
        scope: &Scope,
        decl: &'a tree::FunDecl,
        name: &Name,
        indices: &[tree::Index],
        argument: &Shaped,
    ) -> Applied {
        let parts = match decl.params.as_slice() {
            [_] => std::slice::from_ref(argument),
            _ => argument.components(),
        };
        let at = self.origin(name.span);
        let variables = parts.iter().map(|part| (self.supply.fresh("x"), part.ty()));
        let variables: Vec<_> = variables.collect();
        let given = variables.iter().zip(parts);
        let given = given.map(|((variable, _), part)| (Term::variable(variable, at), part.clone()));
        let given = given.collect();
        let values = self.indices(scope, indices).ok_or(None)?;
        let (index_params, params) = (&decl.index_params, &decl.params);
        let instance = self.instance_at(
            &decl.name,
            index_params,
            params,
            values,
            given,
            None,
            name.span,
        );
        let instance = instance.ok_or(None)?;
        let shown = instance_name(&name.text, &instance.indices);
        let places = std::iter::repeat(name.span);
        let (body, result) = self.function(decl, instance, places, name.span);
        if !result.is_known() {
            return Err(None);
        }
        let shape = match &result {
            Shaped::Real(shape) => Some(shape.clone()),
            _ => None,
        };
        let map = straight_line(&variables, &body);
        let symbol = map.and_then(|map| {
            Symbol::defined(Arc::from(shown), map, argument.ty(), result.ty(), shape)
        });
        Ok((symbol.ok_or(None)?, result))
    }

    /// Refuses a declared name that is no function where a function symbol is required.
    fn no_definition(
        &mut self,
        reference: &SymbolRef,
        around: &'static str,
    ) -> Result<(), Option<Fault>> {
        let SymbolKind::Named(name, _) = &reference.node else {
            return Ok(());
        };
        let Some(callable) = self.declarations.callables.get(&name.text) else {
            return Ok(());
        };
        if matches!(callable, Callable::Function(_)) {
            return Ok(());
        }
        let (kind, declared) = (callable.kind(), callable.name().span);
        let fault = Fault::NoSymbol(name.text.clone(), kind, declared, around);
        self.report.add(name.span, fault);
        Err(None)
    }

    fn reverse(
        &mut self,
        scope: &Scope,
        inner: &SymbolRef,
        argument: &Shaped,
        span: Span,
    ) -> Applied {
        let [point, cotangent] = argument.components() else {
            return Err(Some(Fault::ReverseArguments(argument.clone())));
        };
        let applied = self.applied(scope, inner, point, span);
        let (symbol, result) = applied.map_err(|fault| match &inner.node {
            SymbolKind::Named(name, _) => Some(fault?.at_the_point(&name.text, point)),
            SymbolKind::Reverse(_) => fault,
        })?;
        let why = Why::Cotangent(symbol.clone());
        if !self.expect(&result, cotangent, span, why) {
            return Err(None);
        }
        Ok((symbol.reverse(), point.clone()))
    }

    fn lifted(
        &mut self,
        scope: &Scope,
        name: &Name,
        indices: &[tree::Index],
        argument: &Shaped,
        span: Span,
        axis: Axis,
    ) -> Applied {
        let (batch, inner) = match indices {
            [inner] => (None, inner),
            [batch, inner] => match self.index(scope, batch).ok_or(None)? {
                Index::Size(size) => (Some(size), inner),
                Index::Location(_) => (None, inner),
            },
            _ => {
                let fault = Fault::LiftedIndices(name.text.clone());
                self.report.add(name.span, fault);
                return Err(None);
            }
        };
        let reference = match &inner.node {
            IndexKind::Symbol(symbol) => symbol.clone(),
            IndexKind::Name(symbol, indices) => SymbolRef::new(
                SymbolKind::Named(symbol.clone(), indices.clone()),
                inner.span,
            ),
            IndexKind::Size(_) => {
                let fault = Fault::LiftedSize(name.text.clone());
                self.report.add(inner.span, fault);
                return Err(None);
            }
        };
        self.no_definition(&reference, axis.name())?;
        // All leaves of a nested product (the point and the cotangent of a derivative) are matrices.
        let shapes = leaves(argument);
        let refused = |error| misapplied(&name.text, Written::Name, error);
        let (batch, parts) = axis.split(batch, &shapes).map_err(refused)?;
        let one = rebuild(argument, &mut parts.into_iter());
        let (symbol, _) = self.applied(scope, &reference, &one, span)?;
        let lifted = axis.lift(Some(batch), &symbol, &shapes).map_err(refused)?;
        let result = match (lifted.codomain(), lifted.result_shape(&shapes)) {
            (Type::Real(_), Some(shape)) => Shaped::Real(shape),
            (ty, _) => Shaped::of_type(&ty),
        };
        self.facts
            .note(name.span, || Fact::Symbol(argument.clone(), result.clone()));
        Ok((lifted, result))
    }
}

/// True if a symbol treats its argument as one vector: applied to a matrix, it is more often meant row by row.
fn is_of_one_vector(name: &str) -> bool {
    let names = [
        "softmax",
        "log_softmax",
        "cross_entropy",
        "mean",
        "logsumexp",
        "argmax",
        "cumsum",
    ];
    names.contains(&name)
}

/// True for a shape of several rows and several columns.
fn is_matrix(shape: &Shape) -> bool {
    matches!(*shape.dims(), [rows, columns] if rows > 1 && columns > 1)
}

/// A symbol with its result for arguments of these shapes.
fn with_result(symbol: Symbol, shapes: &[Shape]) -> (Symbol, Shaped) {
    let result = match symbol.result_shape(shapes) {
        Some(shape) => Shaped::Real(shape),
        None => Shaped::of_type(&symbol.codomain()),
    };
    (symbol, result)
}

/// The shapes of the components of an argument A₁ × … × A_k of base types.
fn argument_shapes(name: &str, argument: &Shaped) -> Result<Vec<Shape>, Option<Fault>> {
    match argument {
        // A symbol of no arguments, such as `count[n]`, is applied to the unit value.
        Shaped::Real(shape)
            if shape.size() == 0 && family(name).is_some_and(|family| family.arity == 0) =>
        {
            return Ok(Vec::new());
        }
        _ => {}
    }
    let shapes = argument.components().iter().map(|part| match part {
        Shaped::Real(shape) => Some(shape.clone()),
        _ => None,
    });
    shapes
        .collect::<Option<_>>()
        .ok_or_else(|| Some(Fault::NoTensors(Arc::from(name), argument.clone())))
}

fn misapplied(symbol: &str, written: Written, error: SignatureError) -> Option<Fault> {
    Some(Fault::Misapplied(Arc::from(symbol), written, error))
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
