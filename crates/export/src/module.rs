//! The Python module as a whole: its head, the heap, the data sets, a function for each item, and the code that runs them.

use crate::Fault;
use crate::code::{Code, nested, string, tuple};
use crate::families::Helpers;
use crate::function::{Body, Shared, Unwritten, Wanted, body};
use crate::generators;
use crate::helpers;
use crate::names::{Local, Names};
use fletch_arrows::Arrow;
use fletch_calculus::{Origin, Program, Tensor, Value};
use fletch_elaborate::{DataSet, Items, Measure, Prediction, Recipe, Train, named_parts};
use fletch_smooth::family;
use fletch_syntax::LineIndex;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Writes the module of a program that was checked without an error; `source` is the program's text.
///
/// # Errors
/// If the program has nothing to run, if the file of a data set is missing, or if a command has no arrow.
pub fn python(items: &mut Items<'_, '_>, source: &str) -> Result<String, Fault> {
    if let Some((file, span, _)) = items.unread() {
        return Err(Fault::Missing(file.to_owned(), span));
    }
    let index = LineIndex::new(source);
    let line = |origin: Origin| index.line_column(origin.start).0;
    let sets = items.data_sets().into_iter();
    let data = sets.map(|set| {
        let recipe = items.data_recipe(&set);
        (set, recipe)
    });
    let data = data.collect();
    let mut module = Module {
        shared: Shared {
            names: Names::besides(helpers::names()),
            helpers: Helpers::new(),
            partial: BTreeSet::new(),
            line: &line,
        },
        functions: Vec::new(),
        data,
    };
    let (trains, measures, predictions) = (items.trains(), items.measures(), items.predictions());
    // Items choose their identifiers before all other names.
    for measure in &measures {
        module.identifier("measure", measure.name());
    }
    for prediction in &predictions {
        module.identifier("predict", prediction.name());
    }
    let mut trainings = Vec::new();
    for (number, train) in trains.iter().enumerate() {
        let name = match trains.len() {
            1 => "step".to_owned(),
            _ => format!("step_{}", number + 1),
        };
        trainings.extend(module.train(items, *train, name)?);
    }
    let mut measured = Vec::new();
    for measure in &measures {
        measured.extend(module.measure(items, *measure)?);
    }
    let mut predicted = Vec::new();
    for prediction in &predictions {
        predicted.push(module.predict(items, *prediction)?);
    }
    let main = items.main().transpose().map_err(Fault::Item)?;
    if let Some(program) = &main {
        module.main(program)?;
    }
    if trains.is_empty() && measures.is_empty() && predictions.is_empty() && main.is_none() {
        return Err(Fault::Nothing);
    }
    let has = Has {
        trainings,
        measured,
        predicted,
        main: main.is_some(),
    };
    Ok(module.text(items, &has))
}

/// Entry points of a module.
struct Has {
    /// For each `train` item: its function and its samples, both as text, and its number of epochs.
    trainings: Vec<(String, String, usize)>,
    /// For each `measure` item: its name in the program, and its function.
    measured: Vec<(String, String)>,
    /// For each `predict` item: its name in the program, and its function.
    predicted: Vec<(String, String)>,
    main: bool,
}

struct Module<'a, 'l> {
    shared: Shared<'l>,
    functions: Vec<String>,
    /// The data sets, each with the call of its generator, if it has one.
    data: Vec<(DataSet<'a>, Option<Recipe>)>,
}

impl<'a> Module<'a, '_> {
    fn identifier(&mut self, kind: &str, name: &str) -> String {
        self.shared.names.like(&format!("{kind} {name}"), name)
    }

    fn arrow(program: &Program) -> Result<Arrow, Fault> {
        Arrow::of(&[], &program.main, &program.ty).map_err(Fault::Arrow)
    }

    fn body(
        &mut self,
        program: &Program,
        sample: &[Code],
        local: Local,
        wanted: Wanted,
    ) -> Result<Body, Fault> {
        let arrow = Self::arrow(program)?;
        body(&arrow, sample, local, wanted, &mut self.shared).map_err(|unwritten| match unwritten {
            Unwritten::Unhandled(operation, origin) => Fault::Unhandled(operation, origin),
            Unwritten::Unknown(origin) => Fault::Unknown(origin),
        })
    }

    /// Names and shapes of the components of a sample like this one, or of a batch of such samples.
    fn components(
        &mut self,
        local: &mut Local,
        named: &[Option<Arc<str>>],
        sample: &Value,
        batch: Option<usize>,
    ) -> Vec<Code> {
        let tensors = sample.tensors().into_iter();
        let component = |(number, tensor): (usize, &Tensor)| {
            let name = named.get(number).cloned().flatten();
            let name = name.unwrap_or_else(|| Arc::from(format!("part{}", number + 1)));
            let name = local.fresh(&mut self.shared.names, &name);
            match batch {
                Some(batch) => Code::atom(name, &[tensor.len(), batch]),
                None => Code::atom(name, tensor.shape().dims()),
            }
        };
        tensors.enumerate().map(component).collect()
    }

    /// The first sample of a data set; `None` if the set is empty, and then items on the set are left out.
    fn sample(&self, data: &str) -> Option<Value> {
        let (set, _) = self.data.iter().find(|(set, _)| set.name() == data)?;
        set.samples.first().cloned()
    }

    fn train(
        &mut self,
        items: &mut Items<'_, 'a>,
        train: Train<'a>,
        name: String,
    ) -> Result<Option<(String, String, usize)>, Fault> {
        let decl = train.decl();
        let (data, batch) = (&*decl.data.text, train.batch());
        let Some(sample) = self.sample(data) else {
            return Ok(None);
        };
        let program = items.on_any(train).map_err(Fault::Item)?;
        let mut local = Local::default();
        let parts = named_parts(&decl.pattern, &sample);
        let parts = self.components(&mut local, &parts, &sample, batch);
        let done = self.body(&program, &parts, local, Wanted::Heap)?;
        let line = self.line(decl.data.span.start);
        let by = batch.map_or(String::new(), |batch| format!(" by {batch}"));
        let mut lines = vec![format!(
            "\"\"\"The heap after one run of `train {data}{by}`, line {line}, on a {}.\"\"\"",
            if batch.is_some() { "batch" } else { "sample" }
        )];
        let sample = match batch {
            Some(_) => {
                self.shared.helpers.extend(["over_devices", "batches"]);
                "over_devices(sample)"
            }
            None => "(jnp.asarray(part, float) for part in sample)",
        };
        lines.push(format!("{} = {sample}", target(&parts)));
        lines.push("heap = dict(heap)".to_owned());
        let returned = done.returned("heap", &mut self.shared);
        lines.extend(done.lines);
        lines.push(returned);
        self.define(&format!("{name}(heap, sample)"), lines);
        let samples = match batch {
            Some(batch) => format!(
                "over_devices(batches(DATA[{}], {batch}), axis=2)",
                string(data)
            ),
            None => format!("DATA[{}]", string(data)),
        };
        Ok(Some((name, samples, train.epochs)))
    }

    fn measure(
        &mut self,
        items: &mut Items<'_, 'a>,
        measure: Measure<'a>,
    ) -> Result<Option<(String, String)>, Fault> {
        let decl = measure.decl();
        let data = &*decl.data.text;
        let Some(sample) = self.sample(data) else {
            return Ok(None);
        };
        let program = items.on_any(measure).map_err(Fault::Item)?;
        let called = self.identifier("measure", measure.name());
        let one = format!("{}_at", measure.name());
        let one = self
            .shared
            .names
            .like(&format!("measure {} at", measure.name()), &one);
        let mut local = Local::default();
        let parts = named_parts(&decl.pattern, &sample);
        let parts = self.components(&mut local, &parts, &sample, None);
        let done = self.body(&program, &parts, local, Wanted::Value)?;
        let (name, line) = (measure.name(), self.line(decl.name.span.start));
        let mut lines = vec![format!(
            "\"\"\"`measure {name}`, line {line}, on one sample.\"\"\""
        )];
        lines.push(format!(
            "{} = (jnp.asarray(part, float) for part in sample)",
            target(&parts)
        ));
        if done.writes {
            lines.push("heap = dict(heap)".to_owned());
        }
        let returned = done.returned(&done.value, &mut self.shared);
        lines.extend(done.lines);
        lines.push(returned);
        self.define(&format!("{one}(heap, sample)"), lines);
        self.shared.helpers.insert("mean");
        let lines = [
            format!("def {called}(heap):"),
            format!(
                "    \"\"\"`measure {name}`: its mean over `{data}`; the heap stays as it is.\"\"\""
            ),
            format!("    return mean({one}, heap, DATA[{}])", string(data)),
        ];
        self.functions.push(lines.join("\n"));
        Ok(Some((name.to_owned(), called)))
    }

    fn predict(
        &mut self,
        items: &mut Items<'_, 'a>,
        prediction: Prediction<'a>,
    ) -> Result<(String, String), Fault> {
        let input = items.zero_input(prediction);
        let program = items.on_any_input(prediction, &input);
        let program = program.map_err(Fault::Item)?;
        let decl = prediction.decl();
        let called = self.identifier("predict", prediction.name());
        let inputs = match &input {
            Value::Tuple(inputs) => inputs.to_vec(),
            Value::Real(_) => vec![input.clone()],
        };
        let mut local = Local::default();
        let mut parts = Vec::new();
        for (param, input) in decl.params.iter().zip(&inputs) {
            let named = match input {
                Value::Real(_) => vec![Some(param.name.text.clone())],
                Value::Tuple(_) => (1..=input.tensors().len())
                    .map(|number| Some(Arc::from(format!("{}_{number}", param.name.text))))
                    .collect(),
            };
            parts.extend(self.components(&mut local, &named, input, None));
        }
        let done = self.body(&program, &parts, local, Wanted::Value)?;
        let line = self.line(decl.name.span.start);
        let name = prediction.name();
        let mut lines = vec![format!("\"\"\"`predict {name}`, line {line}.\"\"\"")];
        for part in &parts {
            lines.push(format!(
                "{0} = jnp.asarray({0}, float).reshape({1})",
                part.text(),
                tuple(&part.shape)
            ));
        }
        if done.writes {
            lines.push("heap = dict(heap)".to_owned());
        }
        let returned = done.returned(&done.value, &mut self.shared);
        lines.extend(done.lines);
        lines.push(returned);
        let heads: Vec<&str> = ["heap"]
            .into_iter()
            .chain(parts.iter().map(Code::text))
            .collect();
        self.define(&format!("{called}({})", heads.join(", ")), lines);
        Ok((name.to_owned(), called))
    }

    fn main(&mut self, program: &Program) -> Result<(), Fault> {
        let done = self.body(program, &[], Local::default(), Wanted::Value)?;
        let line = (self.shared.line)(program.main.origin());
        let mut lines = vec![format!(
            "\"\"\"The value of `main`, line {line}, and the heap after it.\"\"\""
        )];
        lines.push("heap = dict(heap)".to_owned());
        let returned = done.returned(&format!("({}, heap)", done.value), &mut self.shared);
        lines.extend(done.lines);
        lines.push(returned);
        self.define("main(heap)", lines);
        Ok(())
    }

    fn line(&self, start: u32) -> u32 {
        (self.shared.line)(Origin {
            start,
            end: start,
            occurrence: 0,
        })
    }

    /// Adds a function that JAX compiles.
    fn define(&mut self, head: &str, lines: Vec<String>) {
        let mut text = format!("@jax.jit\ndef {head}:");
        for line in lines {
            text.push_str("\n    ");
            text.push_str(&line);
        }
        self.functions.push(text);
    }

    fn heap(&mut self, items: &Items<'_, '_>) -> String {
        let mut text = "def initial_heap():\n    \"\"\"What locations hold at first, by their names in the program.\"\"\"\n    return {".to_owned();
        for cell in items.cells() {
            let shape = cell.location.shape();
            let dims = shape.dims();
            let generated = cell
                .recipe
                .and_then(|recipe| generators::call(recipe, Some(dims), &mut self.shared.helpers));
            let zeros = cell
                .contents
                .data()
                .iter()
                .all(|entry| entry.to_bits() == 0);
            let contents = match generated {
                Some(generated) => generated,
                None if zeros => format!("np.zeros({})", tuple(dims)),
                None => format!("np.array({})", nested(cell.contents.data(), dims)),
            };
            text.push_str(&format!(
                "\n        {}: {contents},",
                string(&cell.location.name)
            ));
        }
        text.push_str("\n    }");
        text
    }

    fn data(&mut self) -> String {
        let mut text =
            "DATA = {  # each component of all samples, one sample after the other".to_owned();
        for (set, recipe) in &self.data {
            let generated = recipe.as_ref();
            let generated = generated
                .and_then(|recipe| generators::call(recipe, None, &mut self.shared.helpers));
            let samples = generated.unwrap_or_else(|| stacked(&set.samples));
            text.push_str(&format!("\n    {}: {samples},", string(set.name())));
        }
        text.push_str("\n}");
        text
    }

    fn text(mut self, items: &Items<'_, '_>, has: &Has) -> String {
        let heap = self.heap(items);
        let data = (!self.data.is_empty()).then(|| self.data());
        if !has.trainings.is_empty() {
            self.shared.helpers.insert("train");
        }
        let mut parts = vec![self.head(has)];
        parts.extend(
            helpers::texts(&self.shared.helpers)
                .into_iter()
                .map(str::to_owned),
        );
        parts.push(heap);
        parts.extend(data);
        parts.append(&mut self.functions);
        let mut tables = Vec::new();
        for (table, entries) in [("MEASURES", &has.measured), ("PREDICTIONS", &has.predicted)] {
            let entries: Vec<String> = entries
                .iter()
                .map(|(name, called)| format!("{}: {called}", string(name)))
                .collect();
            tables.push(format!("{table} = {{{}}}", entries.join(", ")));
        }
        if !has.trainings.is_empty() {
            if let [(first, ..), _, ..] = has.trainings.as_slice() {
                tables.push(format!("step = {first}"));
            }
            let mut text = "def trainings():\n    \"\"\"For each `train` item its step, its samples or batches, and its epochs.\"\"\"\n    return [".to_owned();
            for (step, samples, epochs) in &has.trainings {
                text.push_str(&format!("\n        ({step}, {samples}, {epochs}),"));
            }
            text.push_str("\n    ]");
            parts.push(text);
        }
        parts.push(tables.join("\n"));
        parts.push(ending(has));
        let mut text = parts.join("\n\n\n");
        text.push('\n');
        text
    }

    fn head(&self, has: &Has) -> String {
        let mut doc = vec![
            "\"\"\"A Fletch program in JAX, written by `fletch export --to jax`. It needs jax and numpy alone.".to_owned(),
            String::new(),
            "A heap is a dictionary from the names of locations, as the program has them, to arrays.".to_owned(),
            "* initial_heap(): what locations hold at first.".to_owned(),
        ];
        if !has.trainings.is_empty() {
            doc.push("* step(heap, sample): the heap after one sample, a tuple of its components; of a batch, matrices of columns.".to_owned());
            doc.push("* train(heap=None, epochs=None, watch=None): the heap after all epochs of all `train` items.".to_owned());
        }
        if !has.measured.is_empty() {
            doc.push("* MEASURES: each `measure` item by its name; takes a heap.".to_owned());
        }
        if !has.predicted.is_empty() {
            doc.push(
                "* PREDICTIONS: each `predict` item by its name; takes a heap and its inputs."
                    .to_owned(),
            );
        }
        if has.main {
            doc.push("* main(heap): the value of `main`, and the heap after it.".to_owned());
        }
        doc.push(String::new());
        doc.push("The remark behind a line is the statement of the arrow that it is: its number, what it applies, the handlers it went".to_owned());
        doc.push(
            "through, and the line of the program. What the result does not need is left out."
                .to_owned(),
        );
        doc.push(String::new());
        doc.push("Partial functions are as in Fletch's total mode: relu'(0) = 0, the first of two equal maxima, a half is rounded away".to_owned());
        doc.push("from 0. Where Fletch stops with F0601, JAX goes on with what floating-point numbers give, mostly nan or inf:".to_owned());
        match self.shared.partial.is_empty() {
            true => doc.push("this program has no function for which it does.".to_owned()),
            false => doc.extend(self.shared.partial.iter().map(|name| {
                let why = family(name).map_or("", |family| family.partial);
                format!("* {name}: {why}.")
            })),
        }
        let respelled: Vec<(&str, &str)> = self.shared.names.respelled().collect();
        if !respelled.is_empty() {
            doc.push(String::new());
            doc.push(
                "Names that are spelled otherwise here; x__2 is x where it is bound again:"
                    .to_owned(),
            );
            doc.extend(
                respelled
                    .iter()
                    .map(|(name, identifier)| format!("    {identifier} = {name}")),
            );
        }
        doc.push("\"\"\"".to_owned());
        doc.push(String::new());
        let imports = [
            "import math",
            "import os",
            "from functools import partial",
            "",
            "import jax",
            "import jax.numpy as jnp",
            "import numpy as np",
            "from jax.sharding import Mesh, NamedSharding",
            "from jax.sharding import PartitionSpec as P",
            "",
            "jax.config.update(\"jax_enable_x64\", True)  # Fletch computes with 64 bits",
            "jax.config.update(\"jax_default_matmul_precision\", \"highest\")",
        ];
        doc.extend(imports.into_iter().map(str::to_owned));
        doc.join("\n")
    }
}

/// The samples of a data set as a tuple of arrays, one for each component.
fn stacked(samples: &[Value]) -> String {
    let Some(first) = samples.first() else {
        return "()".to_owned();
    };
    let components = first.tensors().len();
    let component = |number: usize| {
        let rows = samples.iter().filter_map(|sample| {
            let tensor = *sample.tensors().get(number)?;
            Some(format!(
                "            {},",
                nested(tensor.data(), tensor.shape().dims())
            ))
        });
        let rows: Vec<String> = rows.collect();
        format!("        np.array([\n{}\n        ]),", rows.join("\n"))
    };
    let components: Vec<String> = (0..components).map(component).collect();
    format!("(\n{}\n    )", components.join("\n"))
}

/// The assignment target for a tuple: `a, b` or `(a,)`.
fn target(parts: &[Code]) -> String {
    match parts {
        [only] => format!("({},)", only.text()),
        parts => {
            let parts: Vec<&str> = parts.iter().map(Code::text).collect();
            parts.join(", ")
        }
    }
}

/// Code that runs when the module is run as a program.
fn ending(has: &Has) -> String {
    let mut lines = vec!["if __name__ == \"__main__\":"];
    if !has.trainings.is_empty() {
        lines.extend([
            "    if \"JAX_COORDINATOR_ADDRESS\" in os.environ:  # one process on each of several machines",
            "        COUNT, NUMBER = (os.environ.get(name) for name in (\"JAX_NUM_PROCESSES\", \"JAX_PROCESS_ID\"))",
            "        jax.distributed.initialize(num_processes=COUNT and int(COUNT), process_id=NUMBER and int(NUMBER))",
        ]);
    }
    lines.push("    HEAP = initial_heap()");
    if !has.measured.is_empty() && !has.trainings.is_empty() {
        lines.extend([
            "    BEFORE = {name: float(measure(HEAP)) for name, measure in MEASURES.items()}",
            "    HEAP = train(HEAP)",
            "    for name, measure in MEASURES.items():",
            "        print(f\"{name}: {BEFORE[name]:.6g} -> {float(measure(HEAP)):.6g}\")",
        ]);
    } else if !has.trainings.is_empty() {
        lines.extend([
            "    HEAP = train(HEAP)",
            "    for name, contents in HEAP.items():",
            "        print(name, contents)",
        ]);
    } else if has.main {
        lines.extend([
            "    VALUE, HEAP = main(HEAP)",
            "    print(VALUE)",
            "    for name, contents in HEAP.items():",
            "        print(name, contents)",
        ]);
    } else {
        lines.extend([
            "    for name, measure in MEASURES.items():",
            "        print(f\"{name}: {float(measure(HEAP)):.6g}\")",
        ]);
    }
    lines.join("\n")
}
