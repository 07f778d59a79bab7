//! The declarations of a file by name, in their name spaces.

use crate::report::Report;
use fletch_syntax::tree::{
    CommandDecl, DataDecl, FunDecl, HandlerDecl, ItemKind, LocDecl, MeasureDecl, Name, OpDecl,
    PredictDecl, Program, Size, TrainDecl,
};
use fletch_syntax::{Diagnostic, Span, tree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A name before `(` or `[`.
#[derive(Clone, Copy)]
pub(crate) enum Callable<'a> {
    Operation(&'a OpDecl),
    Function(&'a FunDecl),
    Command(&'a CommandDecl),
    Handler(&'a HandlerDecl),
    /// A named command that draws outputs over inputs; not to be called.
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

    /// With its article.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Callable::Operation(_) => "an operation",
            Callable::Function(_) => "a function",
            Callable::Command(_) => "a command",
            Callable::Handler(_) => "a handler",
            Callable::Predict(_) => "a prediction",
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
        let mut places = Places::default();
        for item in &program.items {
            match &item.node {
                ItemKind::Dim(dims) => {
                    for (name, size) in dims {
                        if places.claim("index", name, report) {
                            declarations.dims.insert(name.text.clone(), (name, size));
                        }
                    }
                }
                ItemKind::Loc(decl) => {
                    if places.claim("index", &decl.name, report) {
                        declarations.locations.insert(decl.name.text.clone(), decl);
                        declarations.location_order.push(decl);
                    }
                }
                ItemKind::Op(decl) => {
                    declarations.callable(Callable::Operation(decl), &mut places, report)
                }
                ItemKind::Fun(decl) => {
                    declarations.callable(Callable::Function(decl), &mut places, report)
                }
                ItemKind::Command(decl) => {
                    declarations.callable(Callable::Command(decl), &mut places, report)
                }
                ItemKind::Handler(decl) => {
                    declarations.callable(Callable::Handler(decl), &mut places, report)
                }
                ItemKind::Predict(decl) => {
                    declarations.callable(Callable::Predict(decl), &mut places, report)
                }
                ItemKind::Data(decl) => {
                    if places.claim("data", &decl.name, report) {
                        declarations.data.insert(decl.name.text.clone(), decl);
                    }
                }
                ItemKind::Train(decl) => declarations.trains.push(decl),
                ItemKind::Measure(decl) => {
                    if places.claim("measure", &decl.name, report) {
                        declarations.measures.push(decl);
                    }
                }
                ItemKind::Main(command) => {
                    if let Some(first) = declarations.mains.first() {
                        let diagnostic =
                            Diagnostic::error("F0202", item.span, "`main` is declared twice")
                                .label(first.span, "it is declared here first")
                                .hint(
                                    "keep one `main`; give the other command a name with `command`",
                                );
                        report.add(diagnostic);
                    }
                    declarations.mains.push(command);
                }
            }
        }
        declarations
    }

    fn callable(&mut self, callable: Callable<'a>, places: &mut Places, report: &mut Report) {
        let name = callable.name();
        if matches!(&*name.text, "Get" | "Put") {
            report.add(
                Diagnostic::error(
                    "F0202",
                    name.span,
                    format!("`{}` exists for every location already", name.text),
                )
                .hint("choose another name"),
            );
        } else if places.claim("callable", name, report) {
            if matches!(callable, Callable::Function(_))
                && fletch_smooth::family(&name.text).is_some()
            {
                let message = format!("`{}` hides the function symbol of that name", name.text);
                report.add(Diagnostic::note("F0207", name.span, message).hint(format!(
                    "`{0}(…)` is this definition everywhere in the program, and `rd[{0}]` still the symbol's reverse derivative: give it another name",
                    name.text
                )));
            }
            self.callables.insert(name.text.clone(), callable);
            self.callable_order.push(callable);
        }
    }
}

#[derive(Default)]
struct Places(BTreeMap<(&'static str, Arc<str>), Span>);

impl Places {
    fn claim(&mut self, space: &'static str, name: &Name, report: &mut Report) -> bool {
        match self.0.get(&(space, name.text.clone())) {
            None => {
                self.0.insert((space, name.text.clone()), name.span);
                true
            }
            Some(first) => {
                let message = format!("`{}` is declared twice", name.text);
                report.add(
                    Diagnostic::error("F0202", name.span, message)
                        .label(*first, "it is declared here first")
                        .hint("rename one of the two"),
                );
                false
            }
        }
    }
}
