//! `train` and `measure` as commands to run, one for each sample: the names of a sample are schematic constants, so
//! every sample is elaborated anew. Locations keep their numbers, so one heap goes through all of it.

use crate::data::DataSets;
use crate::declarations::Declarations;
use crate::elaborator::Elaborator;
use crate::files::Files;
use crate::report::Report;
use crate::scope::Scope;
use fletch_calculus::{Program, Tensor, Value};
use fletch_syntax::Span;
use fletch_syntax::tree::{self, Dataset, MeasureDecl, Pattern, TrainDecl};

/// The items of a program that was checked without an error.
pub struct Items<'e, 'a> {
    elaborator: &'e mut Elaborator<'a>,
    data: DataSets,
}

/// A `train` item.
#[derive(Clone, Copy)]
pub struct Train<'a> {
    decl: &'a TrainDecl,
    batch: Option<usize>,
    /// How often it goes through its data set.
    pub epochs: usize,
    /// How many commands an epoch runs: the samples, or the complete batches.
    pub steps: usize,
}

/// A `measure` item.
#[derive(Clone, Copy)]
pub struct Measure<'a> {
    decl: &'a MeasureDecl,
    /// The samples of its data set.
    pub samples: usize,
}

impl Measure<'_> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.decl.name.text
    }
}

/// Looks at the items of a program that was checked without an error.
pub fn with_items<T>(
    program: &tree::Program,
    files: &Files,
    look: impl FnOnce(&mut Items<'_, '_>) -> T,
) -> T {
    let mut report = Report::of(program);
    let declarations = Declarations::collect(program, &mut report);
    let mut elaborator = Elaborator::new(&declarations, report);
    elaborator.files = Some(files);
    elaborator.declare_locations();
    let data = declarations
        .data
        .iter()
        .map(|(name, decl)| (name.clone(), elaborator.check_data(decl)))
        .collect();
    look(&mut Items {
        elaborator: &mut elaborator,
        data,
    })
}

impl<'a> Items<'_, 'a> {
    /// The file of the data set of some item, if it is not there.
    pub fn missing(&self) -> Option<(&'a str, Span)> {
        let declarations = self.elaborator.declarations;
        let files = self.elaborator.files?;
        let trained = declarations.trains.iter().map(|decl| &decl.data);
        let measured = declarations.measures.iter().map(|decl| &decl.data);
        let mut used = trained.chain(measured);
        used.find_map(|name| match &declarations.data.get(&name.text)?.dataset {
            Dataset::Csv(file) if files.table(&file.node).is_none() => {
                Some((&*file.node, file.span))
            }
            _ => None,
        })
    }

    /// The locations met so far, by name, as they are at first.
    pub fn heap(&self) -> Vec<(String, Tensor)> {
        let (locations, initial) = self.elaborator.cells.contents();
        let names = locations.iter().map(|location| location.name.to_string());
        names.zip(initial.iter().cloned()).collect()
    }

    /// The `train` items in file order.
    pub fn trains(&mut self) -> Vec<Train<'a>> {
        let declarations = self.elaborator.declarations;
        let scope = Scope::default();
        let mut trains = Vec::new();
        for decl in declarations.trains.iter().copied() {
            let batch = decl
                .batch
                .as_ref()
                .and_then(|size| self.elaborator.size(&scope, size));
            let epochs = self.elaborator.size(&scope, &decl.epochs).unwrap_or(0);
            let samples = self.count(&decl.data.text);
            let steps = samples / batch.unwrap_or(1).max(1);
            trains.push(Train {
                decl,
                batch,
                epochs,
                steps,
            });
        }
        trains
    }

    /// The `measure` items in file order.
    pub fn measures(&self) -> Vec<Measure<'a>> {
        let declarations = self.elaborator.declarations;
        let measures = declarations.measures.iter().copied();
        measures
            .map(|decl| Measure {
                decl,
                samples: self.count(&decl.data.text),
            })
            .collect()
    }

    /// The command of a `train` item on sample or batch `step`.
    pub fn training(&mut self, train: Train<'a>, step: usize) -> Option<Program> {
        let width = train.batch.unwrap_or(1);
        let (data, pattern) = (&train.decl.data.text, &train.decl.pattern);
        self.on(data, pattern, step * width, train.batch, &train.decl.body)
    }

    /// The command of a `measure` item on sample `sample`.
    pub fn measuring(&mut self, measure: Measure<'a>, sample: usize) -> Option<Program> {
        let (data, pattern) = (&measure.decl.data.text, &measure.decl.pattern);
        self.on(data, pattern, sample, None, &measure.decl.body)
    }

    fn count(&self, data: &str) -> usize {
        match self.data.get(data) {
            Some(Some(samples)) => samples.values.len(),
            _ => 0,
        }
    }

    fn on(
        &mut self,
        data: &str,
        pattern: &Pattern,
        first: usize,
        batch: Option<usize>,
        body: &'a tree::Command,
    ) -> Option<Program> {
        let samples = self.data.get(data)?.as_ref()?;
        let last = first + batch.unwrap_or(1);
        let values: Vec<&Value> = samples.values.get(first..last)?.iter().collect();
        let mut scope = Scope::default();
        let elaborator = &mut *self.elaborator;
        let (_, initial) = elaborator.cells.contents();
        let numbers = initial.iter().map(Tensor::len).sum();
        elaborator.budget.start_anew(numbers);
        if !elaborator.bind_constant(&mut scope, pattern, &samples.shaped, &values, batch) {
            return None;
        }
        let ((main, shaped), _) =
            elaborator.collecting(|elaborator| elaborator.command(&mut scope, body));
        shaped
            .is_known()
            .then(|| elaborator.program(main, shaped.ty()))
    }
}
