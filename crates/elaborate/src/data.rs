//! Data sets, and the items that use them. `train` and `measure` are checked on an open sample, whose components are placeholder
//! constants (see `sample`); `predict` is checked over its parameters.

use crate::csv::Wrong;
use crate::elaborator::Elaborator;
use crate::faults::{Fault, Help, Wanted, Why};
use crate::locations::borrowed;
use crate::names::{Fact, NameKind};
use crate::nearest::nearest;
use crate::sample;
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Command, Tensor, Value};
use fletch_smooth::combinators::combine;
use fletch_smooth::datasets::DATASETS;
use fletch_smooth::{GeneratorError, Shape, dataset as generated};
use fletch_syntax::Spanned;
use fletch_syntax::tree::{
    Combination, DataDecl, Dataset, MeasureDecl, Name, Pattern, PatternKind, PredictDecl, TrainDecl,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The samples of a data set, with the type of one sample; no samples if they are in a file that is missing.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    pub(crate) shaped: Shaped,
    pub(crate) values: Vec<Value>,
}

impl Samples {
    /// The first sample; a sample of zeros if there is none.
    pub(crate) fn first(&self) -> Value {
        let first = self.values.first().cloned();
        first.unwrap_or_else(|| Value::zero(&self.shaped.ty()))
    }

    /// True if the samples begin with components of these types, as the input of a prediction does.
    pub(crate) fn begins_with(&self, inputs: &[Shaped]) -> bool {
        let components = self.shaped.components();
        let mut pairs = inputs.iter().zip(components);
        components.len() >= inputs.len() && pairs.all(|(input, component)| input.agrees(component))
    }
}

/// The samples of the declared data sets by name; `None` for a rejected data set.
pub(crate) type DataSets = BTreeMap<Arc<str>, Option<Samples>>;

/// Data sets in construction; one may be made of others.
#[derive(Default)]
struct Sets<'a> {
    known: DataSets,
    /// Names of the data sets under construction, outermost first.
    open: Vec<&'a Name>,
}

impl<'a> Elaborator<'a> {
    /// Makes the declared data sets. Each is made when it, or a data set made of it, is first met.
    pub(crate) fn data_sets(&mut self) -> DataSets {
        let mut sets = Sets::default();
        for decl in self.declarations.data.values() {
            self.data_set(decl, &mut sets);
        }
        sets.known
    }

    fn data_set(&mut self, decl: &'a DataDecl, sets: &mut Sets<'a>) -> Option<Samples> {
        if let Some(known) = sets.known.get(&decl.name.text) {
            return known.clone();
        }
        sets.open.push(&decl.name);
        let samples = self.check_data(decl, sets);
        sets.open.pop();
        sets.known.insert(decl.name.text.clone(), samples.clone());
        samples
    }

    fn check_data(&mut self, decl: &'a DataDecl, sets: &mut Sets<'a>) -> Option<Samples> {
        let scope = Scope::default();
        let declared = decl.ty.as_ref().map(|ty| self.shaped_type(&scope, ty));
        let found = self.dataset(decl, &decl.dataset, declared.as_ref(), sets)?;
        let shaped = match declared {
            Some(declared) => {
                let place = match &decl.dataset {
                    Dataset::Samples(terms) => terms.first().map(|term| term.span),
                    _ => None,
                };
                let place = place.unwrap_or(decl.name.span);
                let why = Why::Data(decl.name.text.clone());
                if !self.expect(&declared, &found.shaped, place, why) {
                    return None;
                }
                declared
            }
            None => found.shaped,
        };
        let values = found.values;
        shaped.is_known().then_some(Samples { shaped, values })
    }

    /// The samples of a declaration, or of an operand in it. A file is read as samples of the type `wanted`.
    fn dataset(
        &mut self,
        decl: &'a DataDecl,
        dataset: &'a Dataset,
        wanted: Option<&Shaped>,
        sets: &mut Sets<'a>,
    ) -> Option<Samples> {
        let mut scope = Scope::default();
        let (shaped, values) = match dataset {
            Dataset::Csv(file) => {
                let Some(shaped) = wanted else {
                    let untyped = Fault::Untyped(decl.name.text.clone());
                    self.report.add(file.span, untyped);
                    return None;
                };
                let shaped = shaped.clone();
                let values = shaped.is_known().then(|| self.read_from(file, &shaped));
                return values.map(|values| Samples { shaped, values });
            }
            Dataset::Combined(combination) => {
                return self.combined(decl, combination, wanted, sets);
            }
            Dataset::Generator(call) if self.declarations.names_data(call, decl) => {
                let other = self.declarations.data.get(&call.name.text).copied()?;
                if let Some(first) = sets
                    .open
                    .iter()
                    .position(|name| *name.text == *call.name.text)
                {
                    let open = sets.open.iter().skip(first).copied();
                    let circle = open.chain([&other.name]).map(|name| name.text.clone());
                    let circle = Fault::Circular(circle.collect(), other.name.span, NameKind::Data);
                    self.report.add(call.name.span, circle);
                    return None;
                }
                return self.data_set(other, sets);
            }
            Dataset::Generator(call) => {
                let arguments = self.generator_arguments(&scope, call)?;
                match generated(&call.name.text, &borrowed(&arguments)) {
                    Ok(values) => (
                        values.first().map_or(Shaped::Unknown, Shaped::of_value),
                        values,
                    ),
                    Err(error) => {
                        self.generator_error(call, error);
                        return None;
                    }
                }
            }
            Dataset::Samples(terms) => {
                let mut shaped: Option<Shaped> = None;
                let mut values = Vec::with_capacity(terms.len());
                for term in terms {
                    let (sample, found) = self.term(&mut scope, term);
                    let first = shaped.get_or_insert_with(|| found.clone()).clone();
                    let first_place = terms.first().map_or(term.span, |first| first.span);
                    let why = Why::Sample(first_place);
                    if !self.expect(&first, &found, term.span, why) {
                        // Either of the two types may be the intended one, so uses of the data set are not reported.
                        return None;
                    }
                    if !found.is_known() {
                        continue;
                    }
                    values.extend(self.evaluated(&sample, term.span));
                }
                (shaped.unwrap_or(Shaped::Unknown), values)
            }
        };
        shaped.is_known().then_some(Samples { shaped, values })
    }

    /// The samples that a combinator makes of the samples of other data sets; none if a file of one of them is missing.
    fn combined(
        &mut self,
        decl: &'a DataDecl,
        combination: &'a Combination,
        wanted: Option<&Shaped>,
        sets: &mut Sets<'a>,
    ) -> Option<Samples> {
        let Combination { of, call } = combination;
        let adds = &*call.name.text == "noise";
        // `noise` adds the last component of the type `wanted`; its operand has the others.
        let without = |shaped: &Shaped| match shaped {
            Shaped::Product(parts) if adds => {
                let parts = parts.split_last().map_or(&[][..], |(_, parts)| parts);
                Shaped::product(parts.to_vec())
            }
            other => other.clone(),
        };
        let wanted = wanted.map(without);
        let mut made: Vec<Samples> = Vec::with_capacity(of.len());
        for part in of {
            if let Dataset::Generator(call) = &part.node
                && call.arguments.is_empty()
                && !self.declarations.names_data(call, decl)
                && !DATASETS.contains(&&*call.name.text)
            {
                let declared = self.declarations.data.keys().map(|name| &**name);
                let near = nearest(&call.name.text, declared.chain(DATASETS));
                self.unknown(Wanted::Data, &call.name, Help::near(near));
                return None;
            }
            made.push(self.dataset(decl, &part.node, wanted.as_ref(), sets)?);
        }
        if let ([first, second], [place, other]) = (made.as_slice(), of.as_slice()) {
            let why = Why::Sample(place.span);
            if !self.expect(&first.shaped, &second.shaped, other.span, why) {
                return None;
            }
        }
        let arguments = self.generator_arguments(&Scope::default(), call)?;
        let parts: Vec<&[Value]> = made.iter().map(|samples| &*samples.values).collect();
        // A missing file leaves the number of samples unknown.
        let absent = self.files.is_none() && parts.iter().all(|part| part.is_empty());
        let values = match combine(&call.name.text, &parts, &borrowed(&arguments)) {
            Ok(values) => values,
            Err(GeneratorError::BadValue { argument: "n", .. }) if absent => Vec::new(),
            Err(error) => {
                self.generator_error(call, error);
                return None;
            }
        };
        let shaped = made.first()?.shaped.clone();
        let shaped = match arguments.first() {
            Some((_, size)) if adds => {
                let mut parts = shaped.components().to_vec();
                parts.push(match values.first() {
                    Some(Value::Tuple(whole)) => Shaped::of_value(whole.last()?),
                    _ => Shaped::vector(usize::try_from(size.whole()?).ok()?),
                });
                Shaped::product(parts)
            }
            _ => shaped,
        };
        Some(Samples { shaped, values })
    }

    /// The samples of a file; none if the file is missing or has a fault.
    fn read_from(&mut self, file: &Spanned<String>, shaped: &Shaped) -> Vec<Value> {
        let Some(files) = self.files else {
            return Vec::new();
        };
        let name = file.node.as_str();
        let samples = match files.table(name) {
            None => {
                self.report.add(file.span, Fault::NoFile(name.into()));
                return Vec::new();
            }
            Some(Ok(table)) => {
                let samples = table.samples(shaped);
                let mut left_out = table.left_out.clone();
                // An empty column that a sample needs is not left out: its numbers are missing.
                if let Err(fault) = &samples
                    && matches!(fault.wrong, Wrong::Missing(..))
                {
                    left_out.empty = 0;
                }
                let empty = left_out.blank + left_out.empty;
                if left_out.header.is_some() || left_out.thousands.is_some() || empty > 0 {
                    let columns = table.columns;
                    let left_out = Fault::LeftOut(name.into(), Box::new(left_out), columns);
                    self.report.add(file.span, left_out);
                }
                samples
            }
            Some(Err(fault)) => Err(fault.clone()),
        };
        samples.unwrap_or_else(|fault| {
            self.report.add(file.span, Fault::File(name.into(), fault));
            Vec::new()
        })
    }

    fn samples(&mut self, name: &Name, data: &DataSets) -> Option<Samples> {
        match data.get(&name.text) {
            Some(samples) => samples.clone(),
            None => {
                let near = nearest(&name.text, data.keys().map(|name| &**name));
                self.unknown(Wanted::Data, name, Help::near(near));
                None
            }
        }
    }

    /// The command of a `train` item; `None` if it has no type.
    pub(crate) fn check_train(&mut self, decl: &'a TrainDecl, data: &DataSets) -> Option<Command> {
        let scope = Scope::default();
        let samples = self.samples(&decl.data, data);
        self.size(&scope, &decl.epochs);
        let batch = match &decl.batch {
            None => None,
            Some(size) => match self.size(&scope, size) {
                Some(0) => {
                    self.report.add(size.span, Fault::EmptyBatch);
                    return None;
                }
                Some(batch) => Some(batch),
                None => return None,
            },
        };
        let samples = samples?;
        if let (Some(batch), Some(size)) = (batch, &decl.batch) {
            let count = samples.values.len();
            if (1..batch).contains(&count) {
                let large = Fault::LargeBatch(batch, decl.data.text.clone(), count);
                self.report.add(size.span, large);
            }
        }
        let mut scope = Scope::default();
        if !self.bind_open(&mut scope, &decl.pattern, &samples, batch) {
            return None;
        }
        let (command, shaped) = self.command(&mut scope, &decl.body);
        shaped.is_known().then_some(command)
    }

    /// The command of a `measure` item; `None` if it has no type.
    pub(crate) fn check_measure(
        &mut self,
        decl: &'a MeasureDecl,
        data: &DataSets,
    ) -> Option<Command> {
        let samples = self.samples(&decl.data, data)?;
        let mut scope = Scope::default();
        if !self.bind_open(&mut scope, &decl.pattern, &samples, None) {
            return None;
        }
        let (command, shaped) = self.command(&mut scope, &decl.body);
        let expected = Shaped::vector(1);
        self.expect(&expected, &shaped, decl.body.span, Why::Measure);
        shaped.is_known().then_some(command)
    }

    /// The command of a `predict` item over its parameters; `None` if it has no type.
    pub(crate) fn check_predict(&mut self, decl: &'a PredictDecl) -> Option<Command> {
        let mut scope = self.parameter_scope(Scope::default(), &decl.params);
        let (command, shaped) = self.command(&mut scope, &decl.body);
        let known = shaped.is_known();
        self.facts.note(decl.name.span, || Fact::Result(shaped));
        known.then_some(command)
    }

    /// Binds the names of a sample pattern to an open sample (or batch).
    pub(crate) fn bind_open(
        &mut self,
        scope: &mut Scope,
        pattern: &Pattern,
        samples: &Samples,
        batch: Option<usize>,
    ) -> bool {
        let open = sample::open(&Value::zero(&samples.shaped.ty()));
        self.bind_constant(scope, pattern, &samples.shaped, &[&open], batch)
    }

    /// Binds the names of a sample pattern to the components of a value. With a batch, binds them to matrices whose columns are the
    /// components of `values`, repeated cyclically.
    pub(crate) fn bind_constant(
        &mut self,
        scope: &mut Scope,
        pattern: &Pattern,
        shaped: &Shaped,
        values: &[&Value],
        batch: Option<usize>,
    ) -> bool {
        match &pattern.node {
            PatternKind::Wildcard => true,
            PatternKind::Name(name) => {
                let bound = match batch {
                    None => values
                        .first()
                        .map(|value| ((*value).clone(), shaped.clone())),
                    Some(batch) => columns(values, batch),
                };
                let Some((value, shaped)) = bound else {
                    let apart = Fault::BatchApart(name.text.clone());
                    self.report.add(name.span, apart);
                    return false;
                };
                self.facts
                    .note(name.span, || Fact::Variable(shaped.clone()));
                scope.bind(name, Binding::Constant { value, shaped });
                true
            }
            PatternKind::Tuple(parts) => match shaped {
                Shaped::Product(types) if types.len() == parts.len() => parts
                    .iter()
                    .zip(types)
                    .enumerate()
                    .all(|(index, (part, ty))| {
                        let component = |value: &&'_ Value| match value {
                            Value::Tuple(components) => components.get(index).cloned(),
                            Value::Real(_) => None,
                        };
                        let components: Vec<Value> = values.iter().filter_map(component).collect();
                        let components: Vec<&Value> = components.iter().collect();
                        self.bind_constant(scope, part, ty, &components, batch)
                    }),
                _ => {
                    let apart = Fault::SampleApart(parts.len(), shaped.clone());
                    self.report.add(pattern.span, apart);
                    false
                }
            },
        }
    }
}

/// The matrix of a batch: column j is `values[j]`; the values repeat cyclically if there are fewer than `batch`.
pub(crate) fn columns(values: &[&Value], batch: usize) -> Option<(Value, Shaped)> {
    let tensors: Option<Vec<&Tensor>> = values
        .iter()
        .map(|value| match value {
            Value::Real(tensor) => Some(tensor),
            Value::Tuple(_) => None,
        })
        .collect();
    let tensors = tensors?;
    let rows = tensors.first()?.len();
    let shape = Shape::matrix(rows, batch);
    let entries = (0..rows)
        .flat_map(|row| {
            let columns = tensors.iter().cycle().take(batch);
            columns.filter_map(move |tensor| tensor.data().get(row).copied())
        })
        .collect();
    let tensor = Tensor::new(shape.clone(), entries)?;
    Some((Value::Real(tensor), Shaped::Real(shape)))
}
