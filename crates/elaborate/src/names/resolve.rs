//! Finds the definition of every name in a surface tree, by the scoping rules of the language page. One walk does this, and no error
//! stops it. Types play no role here.

use super::NameKind;
use super::scope::{Border, Mark, Space};
use crate::calls::builtin;
use crate::declarations::{Callable, Declarations};
use fletch_smooth::Axis;
use fletch_syntax::Span;
use fletch_syntax::tree::{
    ArgumentValue, Clause, ClauseKind, Command, CommandKind, DataDecl, Dataset, GeneratorCall,
    Handler, HandlerCall, HandlerKind, Index, IndexKind, IndexParam, IndexParamKind, Init,
    ItemKind, LocDecl, MeasureDecl, Name, OpDecl, Param, Pattern, PatternKind, Program, Size,
    SizeKind, SymbolKind, SymbolRef, Term, TermKind, Type, TypeKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Form of a declaration or binder.
#[derive(Clone, Copy)]
pub(crate) enum Bound<'a> {
    Dimension(&'a Size),
    Location(&'a LocDecl),
    Callable(Callable<'a>),
    Data(&'a DataDecl),
    Measure(&'a MeasureDecl),
    /// Bound by a pattern, which could also be `_`.
    Pattern,
    Parameter(&'a Param),
    /// `x` of `M.rd(x. N)(L)`.
    ReverseDerivative,
    Continuation,
    /// Bound by a list of index parameters, or by `iterate`.
    Index(Option<&'a IndexParam>),
}

impl Bound<'_> {
    pub(super) fn kind(self) -> NameKind {
        match self {
            Bound::Dimension(_) => NameKind::Dimension,
            Bound::Location(_) => NameKind::Location,
            Bound::Callable(callable) => callable.kind(),
            Bound::Data(_) => NameKind::Data,
            Bound::Measure(_) => NameKind::Measure,
            Bound::Pattern | Bound::Parameter(_) | Bound::ReverseDerivative => NameKind::Variable,
            Bound::Continuation => NameKind::Continuation,
            Bound::Index(_) => NameKind::Index,
        }
    }
}

/// Declaration or binder of a name.
pub(crate) struct Definition<'a> {
    pub(crate) name: &'a Name,
    pub(crate) bound: Bound<'a>,
    pub(crate) visible: Option<Span>,
}

/// Use of a name.
pub(crate) struct Use<'a> {
    pub(crate) name: &'a Name,
    pub(crate) kind: NameKind,
    pub(crate) definition: Option<Span>,
    /// Syntax between definition and use that hides the variable.
    pub(crate) hidden: Option<Border>,
}

/// The names of a program.
#[derive(Default)]
pub(crate) struct Resolution<'a> {
    pub(crate) definitions: BTreeMap<Span, Definition<'a>>,
    pub(crate) uses: BTreeMap<Span, Use<'a>>,
    /// Spans of the definitions that are used.
    pub(crate) used: BTreeSet<Span>,
    /// Indices that hide a declared dimension or location, each with the span of that declaration.
    pub(crate) hiding: Vec<(&'a Name, Span)>,
}

impl Resolution<'_> {
    /// Binder of the variable used here, and the border that hides the binder, if there is one.
    pub(crate) fn variable(&self, name: &Name) -> Option<(Span, Option<Border>)> {
        let used = self.uses.get(&name.span)?;
        Some((used.definition?, used.hidden)).filter(|_| !used.kind.is_declared())
    }

    /// Binder of a name in the name space of indices; the name itself, if it is a binder or has none.
    pub(crate) fn index(&self, name: &Name) -> Span {
        let used = self.uses.get(&name.span);
        let used = used.filter(|used| used.kind == NameKind::Index);
        used.and_then(|used| used.definition).unwrap_or(name.span)
    }
}

/// Resolves the names of `program`.
pub(crate) fn resolve<'a>(program: &'a Program, declarations: &Declarations<'a>) -> Resolution<'a> {
    let mut resolver = Resolver {
        declarations,
        variables: Space::default(),
        indices: Space::default(),
        found: Resolution::default(),
    };
    for item in &program.items {
        let marks = resolver.marks();
        resolver.item(&item.node, item.span);
        resolver.reset(marks);
    }
    resolver.found
}

struct Resolver<'r, 'a> {
    declarations: &'r Declarations<'a>,
    variables: Space,
    indices: Space,
    found: Resolution<'a>,
}

impl<'a> Resolver<'_, 'a> {
    fn marks(&self) -> (Mark, Mark) {
        (self.variables.mark(), self.indices.mark())
    }

    fn reset(&mut self, (variables, indices): (Mark, Mark)) {
        self.variables.reset(variables);
        self.indices.reset(indices);
    }

    fn define(&mut self, name: &'a Name, bound: Bound<'a>, visible: Option<Span>) {
        self.found.definitions.insert(
            name.span,
            Definition {
                name,
                bound,
                visible,
            },
        );
    }

    fn use_(&mut self, name: &'a Name, kind: NameKind, definition: Option<Span>) {
        self.note(Use {
            name,
            kind,
            definition,
            hidden: None,
        });
    }

    fn note(&mut self, used: Use<'a>) {
        self.found.used.extend(used.definition);
        self.found.uses.insert(used.name.span, used);
    }

    fn item(&mut self, item: &'a ItemKind, span: Span) {
        // Parameters are visible in the rest of their item.
        let rest = |name: &Name| Span {
            start: name.span.end,
            end: span.end,
        };
        match item {
            ItemKind::Dim(dims) => {
                for (name, size) in dims {
                    self.define(name, Bound::Dimension(size), None);
                    self.size(size);
                }
            }
            ItemKind::Loc(decl) => {
                self.define(&decl.name, Bound::Location(decl), None);
                self.index_params(&decl.params, None, rest(&decl.name));
                decl.shape.iter().for_each(|size| self.size(size));
                if let Some(Init::Generator(call)) = &decl.init {
                    self.generator(call);
                }
            }
            ItemKind::Op(decl) => {
                self.define(&decl.name, Bound::Callable(Callable::Operation(decl)), None);
                let before = self.found.hiding.len();
                self.index_params(&decl.params, None, rest(&decl.name));
                let own = self.found.hiding.split_off(before);
                let told = own.into_iter();
                let told: Vec<_> = told
                    .filter(|(name, _)| !self.is_own_size(decl, name))
                    .collect();
                self.found.hiding.extend(told);
                self.type_(&decl.domain);
                self.type_(&decl.codomain);
            }
            ItemKind::Fun(decl) => {
                self.define(&decl.name, Bound::Callable(Callable::Function(decl)), None);
                self.index_params(&decl.index_params, None, rest(&decl.name));
                self.params(&decl.params, decl.body.span, false);
                decl.result.iter().for_each(|ty| self.type_(ty));
                self.term(&decl.body);
            }
            ItemKind::Command(decl) => {
                self.define(&decl.name, Bound::Callable(Callable::Command(decl)), None);
                self.index_params(&decl.index_params, None, rest(&decl.name));
                self.params(&decl.params, decl.body.span, false);
                decl.result.iter().for_each(|ty| self.type_(ty));
                self.command(&decl.body);
            }
            ItemKind::Handler(decl) => {
                self.define(&decl.name, Bound::Callable(Callable::Handler(decl)), None);
                self.index_params(&decl.index_params, None, rest(&decl.name));
                let inside = Span {
                    start: decl.handled.span.end,
                    end: span.end,
                };
                self.params(&decl.params, inside, true);
                self.type_(&decl.handled);
                decl.result.iter().for_each(|ty| self.type_(ty));
                decl.extends.iter().for_each(|call| self.handler_call(call));
                decl.clauses.iter().for_each(|clause| self.clause(clause));
            }
            ItemKind::Data(decl) => {
                self.define(&decl.name, Bound::Data(decl), None);
                decl.ty.iter().for_each(|ty| self.type_(ty));
                self.dataset(&decl.dataset, decl);
            }
            ItemKind::Train(decl) => {
                self.data(&decl.data);
                decl.batch.iter().for_each(|size| self.size(size));
                self.size(&decl.epochs);
                self.pattern(&decl.pattern, decl.body.span, true);
                self.command(&decl.body);
            }
            ItemKind::Measure(decl) => {
                self.define(&decl.name, Bound::Measure(decl), None);
                self.data(&decl.data);
                self.pattern(&decl.pattern, decl.body.span, true);
                self.command(&decl.body);
            }
            ItemKind::Predict(decl) => {
                self.define(&decl.name, Bound::Callable(Callable::Predict(decl)), None);
                self.params(&decl.params, decl.body.span, false);
                self.command(&decl.body);
            }
            ItemKind::Main(command) => self.command(command),
        }
    }

    /// True if an index parameter of an operation is a size with the same name as a dimension. No hint is given of that: most operations
    /// are declared over their own `n` and `m`.
    fn is_own_size(&self, decl: &OpDecl, index: &Name) -> bool {
        let is_location = |param: &IndexParam| match &param.node {
            IndexParamKind::Location { name, .. } => name.span == index.span,
            _ => false,
        };
        self.declarations.dims.contains_key(&index.text) && !decl.params.iter().any(is_location)
    }

    fn dataset(&mut self, dataset: &'a Dataset, within: &'a DataDecl) {
        match dataset {
            Dataset::Samples(terms) => terms.iter().for_each(|term| self.term(term)),
            Dataset::Generator(call) if self.declarations.names_data(call, within) => {
                self.data(&call.name);
            }
            Dataset::Generator(call) => self.generator(call),
            Dataset::Csv(_) => {}
            Dataset::Combined(combination) => {
                let of = combination.of.iter();
                of.for_each(|dataset| self.dataset(&dataset.node, within));
                self.generator(&combination.call);
            }
        }
    }

    fn data(&mut self, name: &'a Name) {
        if let Some(decl) = self.declarations.data.get(&name.text) {
            self.use_(name, NameKind::Data, Some(decl.name.span));
        }
    }

    fn generator(&mut self, call: &'a GeneratorCall) {
        for argument in &call.arguments {
            if let ArgumentValue::Size(size) = &argument.value.node {
                self.size(size);
            }
        }
    }

    fn params(&mut self, params: &'a [Param], visible: Span, constant: bool) {
        for param in params {
            self.type_(&param.ty);
            self.define(&param.name, Bound::Parameter(param), Some(visible));
            self.variables.bind(&param.name, constant);
        }
    }

    /// Resolves a list of index parameters. In a clause of an operation, the name of a declared location without `∷` refers to that
    /// location.
    fn index_params(
        &mut self,
        params: &'a [IndexParam],
        operation: Option<&'a Name>,
        visible: Span,
    ) {
        let mut bound: BTreeSet<&'a str> = BTreeSet::new();
        let mut compound = Vec::new();
        for (position, param) in params.iter().enumerate() {
            match &param.node {
                IndexParamKind::Name(name) => {
                    let single = self.declarations.locations.get(&name.text).copied();
                    let single = single
                        .filter(|decl| decl.params.is_empty() && !bound.contains(&*name.text));
                    match (operation, single) {
                        (Some(operation), Some(decl))
                            if self.takes_location(operation, position) =>
                        {
                            self.use_(name, NameKind::Location, Some(decl.name.span));
                        }
                        _ => self.bind_index(&mut bound, name, param, visible),
                    }
                }
                IndexParamKind::Location { name, shape } => {
                    for size in shape {
                        match &size.node {
                            SizeKind::Name(name) => {
                                self.bind_index(&mut bound, name, param, visible);
                            }
                            _ => compound.push(size),
                        }
                    }
                    self.bind_index(&mut bound, name, param, visible);
                }
                IndexParamKind::Size(size) => compound.push(size),
            }
        }
        compound.into_iter().for_each(|size| self.size(size));
    }

    /// True if an operation has a location at this position, or if its declaration is unknown.
    fn takes_location(&self, operation: &Name, position: usize) -> bool {
        if builtin(&operation.text).is_some() {
            return true;
        }
        match self.declarations.callables.get(&operation.text) {
            Some(Callable::Operation(decl)) => decl
                .params
                .get(position)
                .is_some_and(|param| matches!(param.node, IndexParamKind::Location { .. })),
            _ => true,
        }
    }

    fn bind_index(
        &mut self,
        bound: &mut BTreeSet<&'a str>,
        name: &'a Name,
        param: &'a IndexParam,
        visible: Span,
    ) {
        if bound.insert(&name.text) {
            self.new_index(name, Some(param), visible);
        } else {
            self.index_name(name);
        }
    }

    fn new_index(&mut self, name: &'a Name, param: Option<&'a IndexParam>, visible: Span) {
        let dim = self.declarations.dims.get(&name.text);
        let loc = self.declarations.locations.get(&name.text);
        let hidden = dim
            .map(|(name, _)| name.span)
            .or(loc.map(|decl| decl.name.span));
        if let Some(hidden) = hidden {
            self.found.hiding.push((name, hidden));
        }
        self.define(name, Bound::Index(param), Some(visible));
        self.indices.bind(name, true);
    }

    /// Resolves a name in the name space of indices.
    fn index_name(&mut self, name: &'a Name) {
        if let Some((definition, _)) = self.indices.find(&name.text) {
            self.use_(name, NameKind::Index, Some(definition));
        } else if let Some((declared, _)) = self.declarations.dims.get(&name.text) {
            self.use_(name, NameKind::Dimension, Some(declared.span));
        } else if let Some(decl) = self.declarations.locations.get(&name.text) {
            self.use_(name, NameKind::Location, Some(decl.name.span));
        }
    }

    fn index(&mut self, index: &'a Index) {
        match &index.node {
            IndexKind::Size(size) => self.size(size),
            IndexKind::Symbol(symbol) => self.symbol(symbol),
            IndexKind::Name(name, arguments) => {
                self.index_name(name);
                arguments.iter().for_each(|argument| self.index(argument));
            }
        }
    }

    fn size(&mut self, size: &'a Size) {
        let names = size.node.names();
        names.into_iter().for_each(|name| self.index_name(name));
    }

    fn type_(&mut self, ty: &'a Type) {
        match &ty.node {
            TypeKind::Unit => {}
            TypeKind::Real(sizes) => sizes.iter().for_each(|size| self.size(size)),
            TypeKind::Product(parts) => parts.iter().for_each(|part| self.type_(part)),
        }
    }

    fn pattern(&mut self, pattern: &'a Pattern, visible: Span, constant: bool) {
        match &pattern.node {
            PatternKind::Wildcard => {}
            PatternKind::Name(name) => {
                self.define(name, Bound::Pattern, Some(visible));
                self.variables.bind(name, constant);
            }
            PatternKind::Tuple(parts) => {
                for part in parts {
                    self.pattern(part, visible, constant);
                }
            }
        }
    }

    fn variable(&mut self, name: &'a Name) {
        if let Some((place, hidden)) = self.variables.find(&name.text)
            && let Some(definition) = self.found.definitions.get(&place)
        {
            let kind = definition.bound.kind();
            self.note(Use {
                name,
                kind,
                definition: Some(place),
                hidden,
            });
        }
    }

    /// Resolves a name before `(` or `[`. A variable there is a mistake, but is resolved too.
    fn callable(&mut self, name: &'a Name) {
        if let Some(callable) = self.declarations.callables.get(&name.text) {
            let kind = Bound::Callable(*callable).kind();
            self.use_(name, kind, Some(callable.name().span));
        } else if builtin(&name.text).is_some() {
            self.use_(name, NameKind::Operation, None);
        } else if fletch_smooth::is_symbol(&name.text) {
            self.use_(name, NameKind::Symbol, None);
        } else {
            self.variable(name);
        }
    }

    fn symbol(&mut self, symbol: &'a SymbolRef) {
        match &symbol.node {
            SymbolKind::Reverse(inner) => self.symbol(inner),
            SymbolKind::Named(name, indices) => {
                self.callable(name);
                let lifts = Axis::named(&name.text).is_some();
                for (position, index) in indices.iter().enumerate() {
                    match &index.node {
                        IndexKind::Name(inner, arguments)
                            if lifts && position + 1 == indices.len() =>
                        {
                            self.callable(inner);
                            arguments.iter().for_each(|argument| self.index(argument));
                        }
                        _ => self.index(index),
                    }
                }
            }
        }
    }

    fn term(&mut self, term: &'a Term) {
        match &term.node {
            TermKind::Error | TermKind::Unit | TermKind::Literal(_) => {}
            TermKind::Variable(name) => self.variable(name),
            TermKind::Tuple(parts) => parts.iter().for_each(|part| self.term(part)),
            TermKind::Zero(size) => self.size(size),
            TermKind::Binary(_, left, right) => {
                // Long sums nest to the left: a loop avoids deep recursion.
                let mut rights = vec![&**right];
                let mut first = &**left;
                while let TermKind::Binary(_, left, right) = &first.node {
                    rights.push(right);
                    first = left;
                }
                self.term(first);
                rights.into_iter().rev().for_each(|right| self.term(right));
            }
            TermKind::Negate(inner)
            | TermKind::Transpose(inner)
            | TermKind::Projection(inner, _) => self.term(inner),
            TermKind::Let(..) => {
                let marks = self.marks();
                let mut rest = term;
                while let TermKind::Let(pattern, bound, body) = &rest.node {
                    self.term(bound);
                    self.pattern(pattern, body.span, false);
                    rest = body;
                }
                self.term(rest);
                self.reset(marks);
            }
            TermKind::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                self.term(cotangent);
                self.term(point);
                let marks = self.marks();
                self.define(variable, Bound::ReverseDerivative, Some(body.span));
                self.variables.bind(variable, false);
                self.term(body);
                self.reset(marks);
            }
            TermKind::Call(symbol, arguments) => {
                self.symbol(symbol);
                arguments.iter().for_each(|argument| self.term(argument));
            }
        }
    }

    fn command(&mut self, command: &'a Command) {
        let marks = self.marks();
        match &command.node {
            CommandKind::Error => {}
            CommandKind::Pure(term) => self.term(term),
            CommandKind::Let(..) => {
                let mut rest = command;
                while let CommandKind::Let(pattern, bound, body) = &rest.node {
                    self.command(bound);
                    self.pattern(pattern, body.span, false);
                    rest = body;
                }
                self.command(rest);
            }
            CommandKind::RevHandle {
                argument,
                patterns,
                body,
                handler,
            } => {
                self.term(argument);
                self.variables.hide_locals(Border::RevHandle);
                for pattern in patterns {
                    self.pattern(pattern, body.span, false);
                }
                self.command(body);
                self.reset(marks);
                self.handler(handler);
            }
            CommandKind::Handle { body, handler } => {
                self.command(body);
                self.handler(handler);
            }
            CommandKind::Iterate {
                variable,
                count,
                argument,
                patterns,
                body,
            } => {
                self.term(argument);
                self.size(count);
                self.new_index(variable, None, body.span);
                for pattern in patterns {
                    self.pattern(pattern, body.span, false);
                }
                self.command(body);
            }
            CommandKind::Feedback {
                count,
                argument,
                patterns,
                body,
            } => {
                self.size(count);
                self.term(argument);
                for pattern in patterns {
                    self.pattern(pattern, body.span, false);
                }
                self.command(body);
            }
            CommandKind::Call {
                name,
                indices,
                arguments,
            } => {
                self.callable(name);
                indices.iter().for_each(|index| self.index(index));
                arguments.iter().for_each(|argument| self.term(argument));
            }
            CommandKind::Resume(k, term) => {
                self.variable(k);
                self.term(term);
            }
        }
        self.reset(marks);
    }

    fn handler(&mut self, handler: &'a Handler) {
        match &handler.node {
            HandlerKind::Call(call) => self.handler_call(call),
            HandlerKind::Literal(clauses) => {
                let marks = self.marks();
                self.variables.hide_locals(Border::Handler);
                clauses.iter().for_each(|clause| self.clause(clause));
                self.reset(marks);
            }
        }
    }

    fn handler_call(&mut self, call: &'a HandlerCall) {
        self.callable(&call.name);
        call.indices.iter().for_each(|index| self.index(index));
        call.arguments.iter().for_each(|term| self.term(term));
    }

    fn clause(&mut self, clause: &'a Clause) {
        let marks = self.marks();
        let rest = |name: &Name| Span {
            start: name.span.end,
            end: clause.span.end,
        };
        match &clause.node {
            ClauseKind::Return(pattern, body) => {
                self.pattern(pattern, body.span, false);
                self.command(body);
            }
            ClauseKind::Reverse {
                operation,
                params,
                forward_pattern,
                forward,
                cotangent,
                saved,
                backward,
            } => {
                self.callable(operation);
                self.index_params(params, Some(operation), rest(operation));
                let inner = self.marks();
                self.pattern(forward_pattern, forward.span, false);
                self.command(forward);
                self.reset(inner);
                self.pattern(cotangent, backward.span, false);
                self.pattern(saved, backward.span, false);
                self.command(backward);
            }
            ClauseKind::Ordinary {
                operation,
                params,
                continuation,
                pattern,
                body,
            } => {
                self.callable(operation);
                self.index_params(params, Some(operation), rest(operation));
                self.define(continuation, Bound::Continuation, Some(body.span));
                self.variables.bind(continuation, false);
                self.pattern(pattern, body.span, false);
                self.command(body);
            }
        }
        self.reset(marks);
    }
}
