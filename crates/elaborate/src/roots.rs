//! Roots: the parts of a program that have a typing derivation of their own. They are `main`, the commands of its items, and its
//! definitions over their parameters. A definition or clause that a root uses is part of the root's derivation.

use crate::data::DataSets;
use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::open::variables;
use crate::report::Report;
use crate::scope::Scope;
use crate::table::Table;
use fletch_calculus::typing::{Assumption, Environment, Subject};
use fletch_calculus::{Tensor, Variable};
use fletch_syntax::tree::{self, ItemKind, Param};
use std::sync::Arc;

/// x₁ : A₁, …, xₙ : Aₙ ⊢ P or M, of a program that was checked without an error.
#[derive(Debug)]
pub struct Root {
    /// Index of its declaration in the program, from 0.
    pub item: usize,
    /// x₁ : A₁, …, xₙ : Aₙ
    pub environment: Environment,
    /// P or M.
    pub subject: Subject,
}

/// The roots of a program that was checked without an error: `main` and the items that run a command (`train` and `measure` on their
/// first sample), then declared commands and functions. A definition with index parameters is taken at its first call.
pub fn roots(program: &tree::Program) -> Vec<Root> {
    let mut report = Report::of(program);
    let table = Table::of(program, &mut report);
    let mut elaborator = Elaborator::new(&table, report);
    elaborator.declare_locations();
    let data = elaborator.data_sets();
    let mut roots = Vec::new();
    // Items that run come first: their calls determine the index parameters of definitions.
    for definitions in [false, true] {
        for (item, declared) in program.items.iter().enumerate() {
            let defines = matches!(declared.node, ItemKind::Command(_) | ItemKind::Fun(_));
            if defines != definitions {
                continue;
            }
            let (_, initial) = elaborator.cells.contents();
            let numbers = initial.iter().map(Tensor::len).sum();
            elaborator.budget.start_anew(numbers);
            if let Some((environment, subject)) = elaborator.root(&declared.node, &data) {
                roots.push(Root {
                    item,
                    environment,
                    subject,
                });
            }
        }
    }
    // `main` comes first.
    let (mut first, rest): (Vec<Root>, Vec<Root>) = roots.into_iter().partition(|root| {
        let item = program.items.get(root.item);
        item.is_some_and(|item| matches!(item.node, ItemKind::Main(_)))
    });
    first.extend(rest);
    first
}

impl<'a> Elaborator<'a> {
    fn root(&mut self, item: &'a ItemKind, data: &DataSets) -> Option<(Environment, Subject)> {
        let mut scope = Scope::default();
        let (params, body): (&[Param], _) = match item {
            ItemKind::Main(body) => (&[], body),
            ItemKind::Train(decl) => {
                let samples = data.get(&decl.data.text)?.as_ref()?;
                let batch = match &decl.batch {
                    Some(size) => Some(self.size(&scope, size)?),
                    None => None,
                };
                let (shaped, value) = (&samples.shaped, samples.first());
                let bound = self.bind_constant(&mut scope, &decl.pattern, shaped, &[&value], batch);
                bound.then_some((&[][..], &decl.body))?
            }
            ItemKind::Measure(decl) => {
                let samples = data.get(&decl.data.text)?.as_ref()?;
                let (shaped, value) = (&samples.shaped, samples.first());
                let bound = self.bind_constant(&mut scope, &decl.pattern, shaped, &[&value], None);
                bound.then_some((&[][..], &decl.body))?
            }
            ItemKind::Predict(decl) => (&decl.params, &decl.body),
            ItemKind::Command(decl) => {
                scope = self.first_scope(Callable::Command(decl))?;
                (&decl.params, &decl.body)
            }
            ItemKind::Fun(decl) => {
                let scope = self.first_scope(Callable::Function(decl))?;
                let mut scope = self.parameter_scope(scope, &decl.params);
                let taken = variables(&scope, &decl.params);
                let (term, shaped) = self.term(&mut scope, &decl.body);
                let known = shaped.is_known();
                return known.then(|| (environment(taken), Subject::Term(term)));
            }
            ItemKind::Dim(_)
            | ItemKind::Loc(_)
            | ItemKind::Op(_)
            | ItemKind::Handler(_)
            | ItemKind::Data(_) => return None,
        };
        let mut scope = self.parameter_scope(scope, params);
        let taken = variables(&scope, params);
        let ((command, shaped), _) =
            self.collecting(|elaborator| elaborator.whole_command(&mut scope, body));
        let known = shaped.is_known();
        known.then(|| (environment(taken), Subject::Command(command)))
    }

    /// The index parameters of a definition, bound as in its first call; `None` for an indexed definition that nothing calls.
    fn first_scope(&self, definition: Callable<'a>) -> Option<Scope> {
        let (name, params): (&Arc<str>, _) = match definition {
            Callable::Command(decl) => (&decl.name.text, &decl.index_params),
            Callable::Function(decl) => (&decl.name.text, &decl.index_params),
            Callable::Operation(_) | Callable::Handler(_) | Callable::Predict(_) => return None,
        };
        match self.expansion.first_instance(name) {
            Some(scope) => Some(scope.clone()),
            None => params.is_empty().then(Scope::default),
        }
    }
}

fn environment(variables: Vec<(Variable, fletch_calculus::Type)>) -> Environment {
    let empty = Environment::default();
    variables.into_iter().fold(empty, |environment, (x, ty)| {
        environment.with(&x, Assumption::Term(ty))
    })
}
