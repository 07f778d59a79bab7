//! Concrete syntax → calculus, without elaboration: symbols and types are written with all their sizes (`swish[2]`,
//! `Real(2) × Real(3)`), operations are declared without indices, and every handler is declared by name.

use fletch_calculus::typing::{Assumption, Environment};
use fletch_calculus::{
    Clause, Command, CommandKind, Handler, Location, LocationRef, Operation, OperationRef,
    OrdinaryHandler, Origin, ReturnClause, ReverseClause, ReverseHandler, Supply, Symbol, Tensor,
    Term, TermKind, Type, Variable,
};
use fletch_smooth::{Shape, family};
use fletch_syntax::{parse, tree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A judgement Γ ⊢ M or Γ; Δ ⊢ P, whose types are not checked.
pub struct Judgement<S> {
    /// Assumptions of the context, as written.
    pub assumptions: Vec<(Variable, Assumption)>,
    /// Subject of the judgement: M or P.
    pub subject: S,
    /// Supply of variables that do not occur in the judgement.
    pub supply: Supply,
}

impl<S> Judgement<S> {
    /// Environment of the assumptions: Γ.
    pub fn environment(&self) -> Environment {
        let all = self.assumptions.iter();
        all.fold(Environment::default(), |environment, (x, assumption)| {
            environment.with(x, assumption.clone())
        })
    }

    /// Returns the variable of Γ with this name.
    ///
    /// # Panics
    /// If Γ has no such variable.
    pub fn variable(&self, name: &str) -> Variable {
        let mut all = self.assumptions.iter();
        let found = all.find(|(x, _)| &*x.name == name);
        found.unwrap_or_else(|| panic!("no {name}")).0.clone()
    }

    /// Returns the type of the variable of Γ with this name.
    ///
    /// # Panics
    /// If Γ has no such variable, or the name stands for a continuation.
    pub fn ty(&self, name: &str) -> Type {
        match self.environment().get(&self.variable(name)) {
            Some(Assumption::Term(ty)) => ty.clone(),
            other => panic!("{name}: {other:?}"),
        }
    }

    /// Returns the variables of Γ with their types, in order. They are the inputs of an arrow.
    ///
    /// # Panics
    /// If a name of Γ stands for a continuation.
    pub fn inputs(&self) -> Vec<(&Variable, &Type)> {
        let all = self.assumptions.iter();
        let inputs = all.map(|(x, assumption)| match assumption {
            Assumption::Term(ty) => (x, ty),
            other => panic!("{}: {other:?}", x.name),
        });
        inputs.collect()
    }
}

/// Declarations that judgements may mention: `op`, `loc` and `handler` items.
#[derive(Default)]
pub struct Notation {
    operations: BTreeMap<String, OperationRef>,
    handlers: BTreeMap<String, tree::HandlerDecl>,
}

/// Variables in scope, innermost last.
type Scope = Vec<Variable>;

struct Reader<'a> {
    notation: &'a Notation,
    supply: Supply,
}

fn items(source: &str) -> Vec<tree::ItemKind> {
    let (program, diagnostics) = parse(source, fletch_smooth::symbols());
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    assert!(error.is_none(), "{error:?} in\n{source}");
    program.items.into_iter().map(|item| item.node).collect()
}

impl Notation {
    /// Reads declarations from source text.
    ///
    /// # Panics
    /// If the text cannot be read.
    pub fn new(declarations: &str) -> Notation {
        let mut notation = Notation::default();
        for item in items(declarations) {
            match item {
                tree::ItemKind::Op(decl) => {
                    let operation = Operation {
                        name: decl.name.text.clone(),
                        indices: Vec::new(),
                        domain: ty(&decl.domain),
                        codomain: ty(&decl.codomain),
                        builtin: None,
                    };
                    notation.declare(operation.into());
                }
                tree::ItemKind::Loc(decl) => {
                    let location: LocationRef = Arc::new(Location {
                        name: decl.name.text.clone(),
                        number: notation.operations.len(),
                        sizes: decl.shape.iter().map(size).collect(),
                    });
                    notation.declare(Operation::get(&location));
                    notation.declare(Operation::put(&location));
                }
                tree::ItemKind::Handler(decl) => {
                    notation.handlers.insert(decl.name.text.to_string(), decl);
                }
                other => panic!("no declaration: {other:?}"),
            }
        }
        notation
    }

    fn declare(&mut self, operation: OperationRef) {
        self.operations.insert(operation.to_string(), operation);
    }

    /// Reads a judgement `x : A, … ⊢ M`, or M alone.
    ///
    /// # Panics
    /// If the text cannot be read.
    pub fn term(&self, judgement: &str) -> Judgement<Term> {
        self.judgement(judgement, |reader, scope, source| {
            match items(&format!("fun subject() = {source}")).as_slice() {
                [tree::ItemKind::Fun(decl)] => reader.term(scope, &decl.body),
                other => panic!("no term: {other:?}"),
            }
        })
    }

    /// Reads a judgement `x : A, k : B ⇝ D, … ⊢ P`, or P alone.
    ///
    /// # Panics
    /// If the text cannot be read.
    pub fn command(&self, judgement: &str) -> Judgement<Command> {
        self.judgement(judgement, |reader, scope, source| {
            match items(&format!("main = {source}")).as_slice() {
                [tree::ItemKind::Main(command)] => reader.command(scope, command),
                other => panic!("no command: {other:?}"),
            }
        })
    }

    /// Returns the declared reverse handler.
    ///
    /// # Panics
    /// If no reverse handler with this name is declared.
    pub fn reverse_handler(&self, name: &str) -> Arc<ReverseHandler> {
        self.reader().reverse_handler(name)
    }

    /// Returns the declared ordinary handler.
    ///
    /// # Panics
    /// If no ordinary handler with this name is declared.
    pub fn ordinary_handler(&self, name: &str) -> Arc<OrdinaryHandler> {
        self.reader().ordinary_handler(name)
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            notation: self,
            supply: Supply::default(),
        }
    }

    fn judgement<S>(
        &self,
        judgement: &str,
        read: impl FnOnce(&mut Reader<'_>, &mut Scope, &str) -> S,
    ) -> Judgement<S> {
        let (left, right) = judgement.split_once('⊢').unwrap_or(("", judgement));
        let mut reader = self.reader();
        let assumptions: Vec<(Variable, Assumption)> = left
            .split(',')
            .filter(|assumption| !assumption.trim().is_empty())
            .map(|assumption| {
                let (name, of) = assumption.split_once(':').unwrap();
                let assumption = match of.split_once('⇝') {
                    Some((b, d)) => Assumption::Continuation(type_of(b), type_of(d)),
                    None => Assumption::Term(type_of(of)),
                };
                (reader.supply.fresh(name.trim()), assumption)
            })
            .collect();
        let mut scope: Scope = assumptions.iter().map(|(x, _)| x.clone()).collect();
        let subject = read(&mut reader, &mut scope, right);
        Judgement {
            assumptions,
            subject,
            supply: reader.supply,
        }
    }
}

fn type_of(source: &str) -> Type {
    match items(&format!("op T : {source} ▷ 1")).as_slice() {
        [tree::ItemKind::Op(decl)] => ty(&decl.domain),
        other => panic!("no type: {other:?}"),
    }
}

fn ty(written: &tree::Type) -> Type {
    match &written.node {
        tree::TypeKind::Real(sizes) => Type::real(sizes.iter().map(size).product()),
        tree::TypeKind::Unit => Type::unit(),
        tree::TypeKind::Product(parts) => Type::product(parts.iter().map(ty).collect()),
    }
}

fn size(written: &tree::Size) -> usize {
    match &written.node {
        tree::SizeKind::Number(number) => usize::try_from(*number).unwrap(),
        other => panic!("a size is a number here, not {other:?}"),
    }
}

fn tensor(literal: &tree::Literal) -> Tensor {
    match literal {
        tree::Literal::Number(number) => Tensor::vector(vec![*number]),
        tree::Literal::Vector(entries) => Tensor::vector(entries.clone()),
        tree::Literal::Matrix(rows) => Tensor::vector(rows.concat()),
    }
}

/// Symbol with all its sizes: `matmul[m, k, n]`, or `swish[n]` for a family that elaboration sizes by its argument.
fn symbol(written: &tree::SymbolRef) -> Symbol {
    match &written.node {
        tree::SymbolKind::Reverse(symbol_ref) => symbol(symbol_ref).reverse(),
        tree::SymbolKind::Named(name, indices) => {
            let sizes: Vec<usize> = indices
                .iter()
                .map(|index| match &index.node {
                    tree::IndexKind::Size(written) => size(written),
                    other => panic!("no size: {other:?}"),
                })
                .collect();
            let family = family(&name.text).unwrap_or_else(|| panic!("no symbol {}", name.text));
            let (indices, shapes) = match (family.indices.is_empty(), sizes.as_slice()) {
                (true, [n]) => (Vec::new(), vec![Shape::vector(*n); family.arity]),
                _ => (sizes, Vec::new()),
            };
            family.instantiate(&indices, &shapes).unwrap()
        }
    }
}

fn here() -> Origin {
    Origin::default()
}

impl Reader<'_> {
    fn bind(&mut self, scope: &mut Scope, pattern: &tree::Pattern) -> Variable {
        let name = match &pattern.node {
            tree::PatternKind::Name(name) => &*name.text,
            tree::PatternKind::Wildcard => "_",
            tree::PatternKind::Tuple(_) => panic!("patterns are names here"),
        };
        let variable = self.supply.fresh(name);
        scope.push(variable.clone());
        variable
    }

    /// Returns the innermost variable with this name, or a fresh free variable if no binder has it.
    fn lookup(&mut self, scope: &Scope, name: &str) -> Variable {
        let found = scope.iter().rev().find(|x| &*x.name == name);
        found.cloned().unwrap_or_else(|| self.supply.fresh(name))
    }

    fn term(&mut self, scope: &mut Scope, written: &tree::Term) -> Term {
        use tree::TermKind as Written;
        let kind = match &written.node {
            Written::Variable(name) => TermKind::Variable(self.lookup(scope, &name.text)),
            Written::Literal(literal) => TermKind::Constant(tensor(literal)),
            Written::Unit => return Term::unit(here()),
            Written::Zero(n) => return Term::zero(&Type::real(size(n)), here()),
            Written::Tuple(parts) => return Term::tuple(self.terms(scope, parts), here()),
            Written::Let(pattern, bound, body) => {
                let bound = self.term(scope, bound);
                let x = self.bind(scope, pattern);
                let body = self.term(scope, body);
                scope.pop();
                TermKind::Let(x, bound, body)
            }
            Written::Binary(operator, left, right)
                if operator.node == tree::BinaryOperator::Add =>
            {
                TermKind::Add(self.term(scope, left), self.term(scope, right))
            }
            Written::Projection(of, index) => {
                let index = usize::try_from(index.node).unwrap();
                TermKind::Project(index - 1, self.term(scope, of))
            }
            Written::ReverseDerivative {
                cotangent,
                variable,
                body,
                point,
            } => {
                let cotangent = self.term(scope, cotangent);
                let point = self.term(scope, point);
                let variable = self.supply.fresh(&variable.text);
                scope.push(variable.clone());
                let body = self.term(scope, body);
                scope.pop();
                TermKind::ReverseDerivative {
                    cotangent,
                    variable,
                    body,
                    point,
                }
            }
            Written::Call(called, arguments) => {
                let argument = Term::tuple(self.terms(scope, arguments), here());
                TermKind::Apply(symbol(called), argument)
            }
            other => panic!("not in the notation: {other:?}"),
        };
        Term::new(kind, here())
    }

    fn terms(&mut self, scope: &mut Scope, written: &[tree::Term]) -> Vec<Term> {
        written.iter().map(|term| self.term(scope, term)).collect()
    }

    fn command(&mut self, scope: &mut Scope, written: &tree::Command) -> Command {
        use tree::CommandKind as Written;
        let kind = match &written.node {
            Written::Pure(term) => return Command::pure(self.term(scope, term), here()),
            Written::Call {
                name,
                indices,
                arguments,
            } => {
                let location = indices.first().map(|index| match &index.node {
                    tree::IndexKind::Name(location, _) => format!("[{}]", location.text),
                    other => panic!("no location: {other:?}"),
                });
                let operation = self.operation(&name.text, &location.unwrap_or_default());
                let argument = Term::tuple(self.terms(scope, arguments), here());
                return Command::perform(operation, argument, here());
            }
            Written::Let(pattern, bound, body) => {
                let bound = self.command(scope, bound);
                let x = self.bind(scope, pattern);
                let body = self.command(scope, body);
                scope.pop();
                return Command::bind(x, bound, body, here());
            }
            Written::RevHandle {
                argument,
                patterns,
                body,
                handler,
            } => {
                let argument = self.term(scope, argument);
                let depth = scope.len();
                let binders = patterns.iter().map(|pattern| self.bind(scope, pattern));
                let variables = binders.collect();
                let body = self.command(scope, body);
                scope.truncate(depth);
                CommandKind::RevHandle {
                    argument,
                    variables,
                    body,
                    handler: self.reverse_handler(named(handler)),
                }
            }
            Written::Handle { body, handler } => CommandKind::Handle {
                body: self.command(scope, body),
                handler: self.ordinary_handler(named(handler)),
            },
            Written::Resume(k, term) => {
                CommandKind::Resume(self.lookup(scope, &k.text), self.term(scope, term))
            }
            other => panic!("not in the notation: {other:?}"),
        };
        Command::new(kind, here())
    }

    fn operation(&self, name: &str, location: &str) -> OperationRef {
        let key = format!("{name}{location}");
        let found = self.notation.operations.get(&key);
        Arc::clone(found.unwrap_or_else(|| panic!("no operation {key}")))
    }

    /// Returns the operation of a clause, at the location that its index parameter names.
    fn handled(&self, name: &tree::Name, params: &[tree::IndexParam]) -> OperationRef {
        let location = params.first().map(|param| match &param.node {
            tree::IndexParamKind::Name(location) => format!("[{}]", location.text),
            other => panic!("no location: {other:?}"),
        });
        self.operation(&name.text, &location.unwrap_or_default())
    }

    fn scoped(
        &mut self,
        patterns: &[&tree::Pattern],
        body: &tree::Command,
    ) -> (Vec<Variable>, Command) {
        let mut scope = Scope::new();
        let variables = patterns
            .iter()
            .map(|pattern| self.bind(&mut scope, pattern));
        let variables = variables.collect();
        let body = self.command(&mut scope, body);
        (variables, body)
    }

    fn handler<C>(
        &mut self,
        name: &str,
        mut clause: impl FnMut(&mut Self, &tree::ClauseKind) -> Option<(OperationRef, C)>,
    ) -> Handler<C> {
        let decl = self.notation.handlers.get(name);
        let decl = decl.unwrap_or_else(|| panic!("no handler {name}"));
        let mut return_clause = None;
        let mut clauses = BTreeMap::new();
        for written in &decl.clauses {
            if let tree::ClauseKind::Return(pattern, body) = &written.node {
                let (variables, body) = self.scoped(&[pattern], body);
                let variable = variables[0].clone();
                return_clause = Some(ReturnClause { variable, body });
            } else {
                let read = clause(self, &written.node);
                clauses.extend([read.unwrap_or_else(|| panic!("a clause of another sort"))]);
            }
        }
        let handled = ty(&decl.handled);
        Handler {
            name: decl.name.text.clone(),
            result: decl.result.as_ref().map_or(handled.clone(), ty),
            handled,
            return_clause: return_clause.unwrap(),
            clauses,
            origin: here(),
        }
    }

    fn reverse_handler(&mut self, name: &str) -> Arc<ReverseHandler> {
        Arc::new(self.handler(name, |reader, clause| match clause {
            tree::ClauseKind::Reverse {
                operation,
                params,
                forward_pattern,
                forward,
                cotangent,
                saved,
                backward,
            } => {
                let (argument, forward) = reader.scoped(&[forward_pattern], forward);
                let (outer, backward) = reader.scoped(&[cotangent, saved], backward);
                let clause = ReverseClause {
                    argument: argument[0].clone(),
                    forward,
                    cotangent: outer[0].clone(),
                    saved: outer[1].clone(),
                    backward,
                    default: false,
                    origin: here(),
                };
                Some((reader.handled(operation, params), clause))
            }
            _ => None,
        }))
    }

    fn ordinary_handler(&mut self, name: &str) -> Arc<OrdinaryHandler> {
        Arc::new(self.handler(name, |reader, clause| match clause {
            tree::ClauseKind::Ordinary {
                operation,
                params,
                continuation,
                pattern,
                body,
            } => {
                let continuation = reader.supply.fresh(&continuation.text);
                let mut scope = vec![continuation.clone()];
                let argument = reader.bind(&mut scope, pattern);
                let body = reader.command(&mut scope, body);
                let clause = Clause {
                    continuation,
                    argument,
                    body,
                    origin: here(),
                };
                Some((reader.handled(operation, params), clause))
            }
            _ => None,
        }))
    }
}

fn named(handler: &tree::Handler) -> &str {
    match &handler.node {
        tree::HandlerKind::Call(call) => &call.name.text,
        tree::HandlerKind::Literal(_) => {
            panic!("handlers are named here, so that their types are declared")
        }
    }
}
