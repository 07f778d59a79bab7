//! `train` and `measure` items as commands to run, one for each sample. The names of a sample are constants, so the command is elaborated
//! again for every sample. Locations keep their numbers, so one heap serves all commands.

use crate::check::Main;
use crate::data::{DataSets, columns};
use crate::elaborator::Elaborator;
use crate::faults::Fault;
use crate::files::Files;
use crate::report::Report;
use crate::sample;
use crate::scope::Scope;
use crate::shaped::Shaped;
use crate::table::Table;
use fletch_calculus::{Program, Tensor, Value, depth, size};
use fletch_syntax::tree::{self, MeasureDecl, Pattern, TrainDecl};
use fletch_syntax::{Diagnostic, Span};

/// The items of a program that was checked without an error.
pub struct Items<'e, 'a> {
    pub(crate) elaborator: &'e mut Elaborator<'a>,
    pub(crate) data: DataSets,
    pub(crate) tree: &'a tree::Program,
}

/// A `train` item.
#[derive(Clone, Copy)]
pub struct Train<'a> {
    pub(crate) decl: &'a TrainDecl,
    pub(crate) batch: Option<usize>,
    /// Number of the item among the `train` items, from 1, and their count.
    pub number: (usize, usize),
    /// Number of epochs.
    pub epochs: usize,
    /// Number of commands that an epoch runs: one for each sample, or for each complete batch.
    pub steps: usize,
    /// Number of samples in its data set.
    pub samples: usize,
}

/// A `measure` item.
#[derive(Clone, Copy)]
pub struct Measure<'a> {
    pub(crate) decl: &'a MeasureDecl,
    /// Number of samples in its data set.
    pub samples: usize,
}

/// Item that runs once per sample: `train` or `measure`.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    data: &'a str,
    pattern: &'a Pattern,
    batch: Option<usize>,
    body: &'a tree::Command,
}

impl<'a> From<Train<'a>> for Item<'a> {
    fn from(train: Train<'a>) -> Item<'a> {
        Item {
            data: &train.decl.data.text,
            pattern: &train.decl.pattern,
            batch: train.batch,
            body: &train.decl.body,
        }
    }
}

impl<'a> From<Measure<'a>> for Item<'a> {
    fn from(measure: Measure<'a>) -> Item<'a> {
        Item {
            data: &measure.decl.data.text,
            pattern: &measure.decl.pattern,
            batch: None,
            body: &measure.decl.body,
        }
    }
}

impl Train<'_> {
    /// The name of its data set.
    pub fn data(&self) -> &str {
        &self.decl.data.text
    }

    /// True if a step takes several samples.
    pub fn is_by_batch(&self) -> bool {
        self.batch.is_some()
    }

    /// The last samples, which fill no complete batch: their number, and the size of a batch. `None` if every sample is in a batch, or if
    /// the item has no batches.
    pub fn unseen(&self) -> Option<(usize, usize)> {
        let batch = self.batch?;
        let rest = self.samples.checked_rem(batch)?;
        (rest > 0 && self.steps > 0).then_some((rest, batch))
    }
}

impl Measure<'_> {
    /// Span of its name.
    pub fn span(&self) -> Span {
        self.decl.name.span
    }

    /// Name of the measure.
    pub fn name(&self) -> &str {
        &self.decl.name.text
    }

    /// The name of its data set.
    pub fn data(&self) -> &str {
        &self.decl.data.text
    }
}

/// Calls `look` with the items of a program that was checked without an error.
pub fn with_items<T>(
    program: &tree::Program,
    files: &Files,
    look: impl FnOnce(&mut Items<'_, '_>) -> T,
) -> T {
    let mut report = Report::of(program);
    let table = Table::of(program, &mut report);
    let mut elaborator = Elaborator::new(&table, report);
    elaborator.files = Some(files);
    let (_, data) = elaborator.everything();
    look(&mut Items {
        elaborator: &mut elaborator,
        data,
        tree: program,
    })
}

/// Program of the `train` item number `item`, from 0, on sample (or batch) number `step`, from 0; `None` if there is no such item or
/// step.
pub fn on_sample(program: &tree::Program, files: &Files, item: usize, step: usize) -> Option<Main> {
    with_items(program, files, |items| {
        let train = items.trains().get(item).copied()?;
        let program = items.on(train, step).ok()?;
        Some(Main {
            depth: depth(&program.main),
            size: size(&program.main),
            program,
        })
    })
}

impl<'a> Items<'_, 'a> {
    /// Name and span of the first data file of an item that is missing or has a fault, with the fault in words; the fault is `None` for a
    /// missing file.
    pub fn unread(&self) -> Option<(&'a str, Span, Option<String>)> {
        let declarations = self.elaborator.declarations;
        let files = self.elaborator.files?;
        let trained = declarations.trains.iter().map(|decl| &decl.data);
        let measured = declarations.measures.iter().map(|decl| &decl.data);
        let used = trained.chain(measured);
        let mut used = used.flat_map(|name| declarations.files_behind(&name.text));
        used.find_map(|file| {
            let wrong = match files.table(&file.node) {
                None => None,
                Some(Ok(_)) => return None,
                Some(Err(fault)) => Some(fault.to_string()),
            };
            Some((&*file.node, file.span, wrong))
        })
    }

    /// Names and initial contents of all locations of the program.
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
        let count = declarations.trains.len();
        for (number, decl) in (1..).zip(declarations.trains.iter().copied()) {
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
                number: (number, count),
                epochs,
                steps,
                samples,
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

    /// The program of an item on sample (or batch) number `step`, from 0.
    ///
    /// # Errors
    /// If the program would be too large, or if there is no such step.
    pub fn on(
        &mut self,
        item: impl Into<Item<'a>>,
        step: usize,
    ) -> Result<Program, Box<Diagnostic>> {
        let item = item.into();
        let values = self.values(item, step);
        self.command(item, &values.ok_or_else(|| not_elaborated(item.body.span))?)
    }

    /// The program of an item on an open sample or batch.
    ///
    /// # Errors
    /// If the program would be too large.
    pub fn on_any(&mut self, item: impl Into<Item<'a>>) -> Result<Program, Box<Diagnostic>> {
        let item = item.into();
        let samples = self.data.get(item.data).and_then(Option::as_ref);
        let samples = samples.ok_or_else(|| not_elaborated(item.body.span))?;
        let open = sample::open(&Value::zero(&samples.shaped.ty()));
        self.command(item, &[open])
    }

    /// The components of sample (or batch) number `step` of an item, in the order of [`component`](crate::component).
    pub fn sample(&self, item: impl Into<Item<'a>>, step: usize) -> Option<Vec<Tensor>> {
        let item = item.into();
        components(&self.values(item, step)?, item.batch)
    }

    /// The components of each sample of batch number `step`, from 0, of an item with batches.
    pub fn parts(&self, item: impl Into<Item<'a>>, step: usize) -> Option<Vec<Vec<Tensor>>> {
        let values = self.values(item.into(), step)?;
        let parts = values.chunks(1).map(|value| components(value, None));
        parts.collect()
    }

    /// The value of a sample, or the values of the samples of a batch.
    fn values(&self, item: Item<'a>, step: usize) -> Option<Vec<Value>> {
        let samples = self.data.get(item.data)?.as_ref()?;
        let width = item.batch.unwrap_or(1);
        let values = samples.values.get(step * width..(step + 1) * width)?;
        Some(values.to_vec())
    }

    fn count(&self, data: &str) -> usize {
        match self.data.get(data) {
            Some(Some(samples)) => samples.values.len(),
            _ => 0,
        }
    }

    fn command(&mut self, item: Item<'a>, values: &[Value]) -> Result<Program, Box<Diagnostic>> {
        let samples = self.data.get(item.data).and_then(Option::as_ref);
        let shaped = samples.map_or(Shaped::Unknown, |samples| samples.shaped.clone());
        let values: Vec<&Value> = values.iter().collect();
        let mut scope = Scope::default();
        self.start_anew();
        let elaborator = &mut *self.elaborator;
        elaborator.bind_constant(&mut scope, item.pattern, &shaped, &values, item.batch);
        self.elaborated(&mut scope, item.body)
    }

    /// Resets report and budget for the next command: each may be as large as a program, and has faults of its own.
    pub(crate) fn start_anew(&mut self) {
        self.elaborator.report = Report::of(self.tree);
        let (_, initial) = self.elaborator.cells.contents();
        let numbers = initial.iter().map(Tensor::len).sum();
        self.elaborator.budget.start_anew(numbers);
    }

    /// Elaborates the command of an item, whose names are bound in `scope`.
    pub(crate) fn elaborated(
        &mut self,
        scope: &mut Scope,
        body: &'a tree::Command,
    ) -> Result<Program, Box<Diagnostic>> {
        let elaborator = &mut *self.elaborator;
        let ((main, shaped), _) =
            elaborator.collecting(|elaborator| elaborator.whole_command(scope, body));
        if shaped.is_known() {
            return Ok(elaborator.program(main, shaped.ty()));
        }
        let error = elaborator.report.first_error();
        Err(error.map_or_else(|| not_elaborated(body.span), Box::new))
    }
}

/// Internal error: an item of a checked program has no command on a sample.
fn not_elaborated(span: Span) -> Box<Diagnostic> {
    let message = "this was checked, but has no command on this sample".to_owned();
    let error = Fault::Internal(message).diagnostic(span);
    Box::new(error)
}

/// The components of a sample, or of a batch: then each component is a matrix with a column per sample.
fn components(values: &[Value], batch: Option<usize>) -> Option<Vec<Tensor>> {
    let tensors: Vec<Vec<Tensor>> = values
        .iter()
        .map(|value| value.tensors().into_iter().cloned().collect())
        .collect();
    let Some(batch) = batch else {
        return tensors.into_iter().next();
    };
    let count = tensors.first()?.len();
    let component = |index: usize| {
        let column = |tensors: &Vec<Tensor>| Some(Value::Real(tensors.get(index)?.clone()));
        let values: Vec<Value> = tensors.iter().map(column).collect::<Option<_>>()?;
        match columns(&values.iter().collect::<Vec<_>>(), batch)?.0 {
            Value::Real(matrix) => Some(matrix),
            Value::Tuple(_) => None,
        }
    };
    (0..count).map(component).collect()
}
