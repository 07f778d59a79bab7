//! The declarations of a file by name, in their name spaces.

use crate::faults::Fault;
use crate::files::files_of;
use crate::names::NameKind;
use crate::nearest::nearest;
use crate::report::Report;
use fletch_syntax::tree::{
    CommandDecl, DataDecl, FunDecl, HandlerDecl, ItemKind, LocDecl, MeasureDecl, Name, OpDecl,
    PredictDecl, Program, Size, TrainDecl,
};
use fletch_syntax::{Span, Spanned, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Declaration of a name that is written before `(` or `[`.
#[derive(Clone, Copy)]
pub(crate) enum Callable<'a> {
    Operation(&'a OpDecl),
    Function(&'a FunDecl),
    Command(&'a CommandDecl),
    Handler(&'a HandlerDecl),
    /// A prediction: a named command that draws outputs over inputs; it cannot be called.
    Predict(&'a PredictDecl),
}

impl Callable<'_> {
    pub(crate) fn name(&self) -> &Name {
        match self {
            Callable::Operation(decl) => &decl.name,
            Callable::Function(decl) => &decl.name,
            Callable::Command(decl) => &decl.name,
            Callable::Handler(decl) => &decl.name,
            Callable::Predict(decl) => &decl.name,
        }
    }

    pub(crate) fn kind(&self) -> NameKind {
        match self {
            Callable::Operation(_) => NameKind::Operation,
            Callable::Function(_) => NameKind::Function,
            Callable::Command(_) => NameKind::Command,
            Callable::Handler(_) => NameKind::Handler,
            Callable::Predict(_) => NameKind::Predict,
        }
    }
}

#[derive(Default)]
pub(crate) struct Declarations<'a> {
    pub(crate) dims: BTreeMap<Arc<str>, (&'a Name, &'a Size)>,
    pub(crate) locations: BTreeMap<Arc<str>, &'a LocDecl>,
    /// Location declarations in file order.
    pub(crate) location_order: Vec<&'a LocDecl>,
    pub(crate) callables: BTreeMap<Arc<str>, Callable<'a>>,
    pub(crate) callable_order: Vec<Callable<'a>>,
    pub(crate) data: BTreeMap<Arc<str>, &'a DataDecl>,
    pub(crate) trains: Vec<&'a TrainDecl>,
    pub(crate) measures: Vec<&'a MeasureDecl>,
    pub(crate) mains: Vec<&'a tree::Command>,
}

impl<'a> Declarations<'a> {
    pub(crate) fn collect(program: &'a Program, report: &mut Report) -> Self {
        let mut declarations = Declarations::default();
        let mut claims = Claims::default();
        for item in &program.items {
            let mut callable = |callable| declarations.callable(callable, &mut claims, report);
            match &item.node {
                ItemKind::Dim(dims) => {
                    for (name, size) in dims {
                        if claims.claim("index", name, report) {
                            declarations.dims.insert(name.text.clone(), (name, size));
                        }
                    }
                }
                ItemKind::Loc(decl) => {
                    if claims.claim("index", &decl.name, report) {
                        declarations.locations.insert(decl.name.text.clone(), decl);
                        declarations.location_order.push(decl);
                    }
                }
                ItemKind::Op(decl) => callable(Callable::Operation(decl)),
                ItemKind::Fun(decl) => callable(Callable::Function(decl)),
                ItemKind::Command(decl) => callable(Callable::Command(decl)),
                ItemKind::Handler(decl) => callable(Callable::Handler(decl)),
                ItemKind::Predict(decl) => callable(Callable::Predict(decl)),
                ItemKind::Data(decl) => {
                    if claims.claim("data", &decl.name, report) {
                        declarations.data.insert(decl.name.text.clone(), decl);
                    }
                }
                ItemKind::Train(decl) => declarations.trains.push(decl),
                ItemKind::Measure(decl) => {
                    if claims.claim("measure", &decl.name, report) {
                        declarations.measures.push(decl);
                    }
                }
                ItemKind::Main(command) => {
                    if let Some(first) = declarations.mains.first() {
                        report.add(item.span, Fault::TwoMains(first.span));
                    }
                    declarations.mains.push(command);
                }
            }
        }
        declarations
    }

    /// True if the call of a generator, in the declaration `within`, is in fact the name of another data set.
    pub(crate) fn names_data(&self, call: &tree::GeneratorCall, within: &tree::DataDecl) -> bool {
        let name = &call.name.text;
        call.arguments.is_empty() && *name != within.name.text && self.data.contains_key(name)
    }

    /// The files that the samples of a data set come from, directly or through the data sets that it is made of.
    pub(crate) fn files_behind(&self, data: &str) -> Vec<&'a Spanned<String>> {
        let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
        let mut names = vec![data];
        while let Some(name) = names.pop() {
            let Some(decl) = self.data.get(name).copied().filter(|_| seen.insert(name)) else {
                continue;
            };
            files.extend(files_of(&decl.dataset));
            names.extend(sets_of(&decl.dataset));
        }
        files
    }

    /// The known name nearest to `name`: a callable of one of these kinds, or one of `more`.
    pub(crate) fn nearest(
        &self,
        name: &str,
        kinds: &[NameKind],
        more: &[&'static str],
    ) -> Option<&str> {
        let callables = self.callables.iter();
        let known = callables.filter(|(_, callable)| kinds.contains(&callable.kind()));
        nearest(
            name,
            known.map(|(name, _)| &**name).chain(more.iter().copied()),
        )
    }

    fn callable(&mut self, callable: Callable<'a>, claims: &mut Claims, report: &mut Report) {
        let name = callable.name();
        if matches!(&*name.text, "Get" | "Put") {
            report.add(name.span, Fault::HeapDeclared(name.text.clone()));
        } else if claims.claim("callable", name, report) {
            if matches!(callable, Callable::Function(_))
                && fletch_smooth::family(&name.text).is_some()
            {
                report.add(name.span, Fault::HidesSymbol(name.text.clone()));
            }
            self.callables.insert(name.text.clone(), callable);
            self.callable_order.push(callable);
        }
    }
}

/// Names in a data set that may refer to other data sets.
fn sets_of(dataset: &tree::Dataset) -> Vec<&str> {
    match dataset {
        tree::Dataset::Generator(call) => vec![&*call.name.text],
        tree::Dataset::Combined(combination) => {
            let of = combination.of.iter();
            of.flat_map(|dataset| sets_of(&dataset.node)).collect()
        }
        tree::Dataset::Samples(_) | tree::Dataset::Csv(_) => Vec::new(),
    }
}

/// Spans of declarations, by name space and name.
#[derive(Default)]
struct Claims(BTreeMap<(&'static str, Arc<str>), Span>);

impl Claims {
    fn claim(&mut self, space: &'static str, name: &Name, report: &mut Report) -> bool {
        match self.0.get(&(space, name.text.clone())) {
            None => {
                self.0.insert((space, name.text.clone()), name.span);
                true
            }
            Some(first) => {
                report.add(name.span, Fault::Twice(name.text.clone(), *first));
                false
            }
        }
    }
}
