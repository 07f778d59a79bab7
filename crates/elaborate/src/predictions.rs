//! `predict` items as commands to run, one for each input. The parameters are constants, as the names of a sample in `train` are.

use crate::csv::{self, FileFault, Wrong};
use crate::items::Items;
use crate::sample;
use crate::scope::{Binding, Scope};
use crate::shaped::Shaped;
use fletch_calculus::{Program, Value};
use fletch_syntax::Diagnostic;
use fletch_syntax::tree::{ItemKind, PredictDecl};

/// A `predict` item.
#[derive(Clone, Copy)]
pub struct Prediction<'a> {
    decl: &'a PredictDecl,
}

impl<'a> Prediction<'a> {
    /// Name of the prediction.
    pub fn name(&self) -> &'a str {
        &self.decl.name.text
    }

    /// Declaration of the prediction.
    pub fn decl(&self) -> &'a PredictDecl {
        self.decl
    }
}

impl<'a> Items<'_, 'a> {
    /// The `predict` items in file order.
    pub fn predictions(&self) -> Vec<Prediction<'a>> {
        let items = self.tree.items.iter();
        items
            .filter_map(|item| match &item.node {
                ItemKind::Predict(decl) => Some(Prediction { decl }),
                _ => None,
            })
            .collect()
    }

    /// The command of a prediction at an input: a tuple with a value for each parameter.
    ///
    /// # Errors
    /// If the command would be too large.
    pub fn on_input(
        &mut self,
        prediction: Prediction<'a>,
        input: &Value,
    ) -> Result<Program, Box<Diagnostic>> {
        let inputs = self.inputs_of(prediction);
        let mut scope = Scope::default();
        self.start_anew();
        for ((param, shaped), value) in prediction.decl.params.iter().zip(inputs).zip(parts(input))
        {
            let value = value.clone();
            scope.bind(&param.name, Binding::Constant { value, shaped });
        }
        self.elaborated(&mut scope, &prediction.decl.body)
    }

    /// The command of a prediction at an open input of the same sizes as this one.
    ///
    /// # Errors
    /// As [`Items::on_input`].
    pub fn on_any_input(
        &mut self,
        prediction: Prediction<'a>,
        input: &Value,
    ) -> Result<Program, Box<Diagnostic>> {
        self.on_input(prediction, &sample::open(input))
    }

    /// An input of zeros.
    pub fn zero_input(&mut self, prediction: Prediction<'a>) -> Value {
        let inputs = self.inputs_of(prediction);
        Value::Tuple(
            inputs
                .iter()
                .map(|input| Value::zero(&input.ty()))
                .collect(),
        )
    }

    /// Reads an input from a line, in the format of a line of `csv("name")`, and counts the empty fields at the end of the line, which
    /// are left out. The line is never taken as a header.
    ///
    /// # Errors
    /// The fault of the line, in words, after the line's number and the column.
    pub fn input(
        &mut self,
        prediction: Prediction<'a>,
        number: usize,
        line: &str,
    ) -> Result<(Value, usize), String> {
        let inputs = Shaped::Product(self.inputs_of(prediction));
        let read = csv::read_line(line)
            .and_then(|table| Ok((table.samples(&inputs)?, table.left_out.empty)));
        let said = |fault: FileFault| {
            let (_, column) = fault.place.unwrap_or((1, 1));
            let hint = match fault.wrong {
                Wrong::Columns(..) | Wrong::Mixed(..) | Wrong::Either(_) => fault.wrong.hint(),
                // The other hints are about files.
                _ => None,
            };
            let hint = hint.map(|hint| format!(": {hint}")).unwrap_or_default();
            format!("{number}:{column}: {}{hint}", fault.wrong)
        };
        let (mut read, empty) = read.map_err(said)?;
        // A successfully read line has exactly one sample.
        let input = read.pop();
        let input = input.ok_or_else(|| format!("{number}:1: {}", Wrong::Empty))?;
        Ok((input, empty))
    }

    /// The inputs in the first data set whose samples begin with the inputs of a prediction; `None` if there is no such data set.
    pub fn inputs_in_data(&mut self, prediction: Prediction<'a>) -> Option<Vec<Value>> {
        let inputs = self.inputs_of(prediction);
        let items = self.tree.items.iter();
        let mut sets = items.filter_map(|item| match &item.node {
            ItemKind::Data(decl) => self.data.get(&decl.name.text)?.as_ref(),
            _ => None,
        });
        let samples = sets.find(|samples| samples.begins_with(&inputs))?;
        let begin =
            |value: &Value| Value::Tuple(parts(value).iter().take(inputs.len()).cloned().collect());
        Some(samples.values.iter().map(begin).collect())
    }

    /// The types of a prediction's parameters.
    pub(crate) fn inputs_of(&mut self, prediction: Prediction<'a>) -> Vec<Shaped> {
        let params = prediction.decl.params.iter();
        params
            .map(|param| self.elaborator.shaped_type(&Scope::default(), &param.ty))
            .collect()
    }
}

/// The components of a tuple, or any other value as its only component.
pub(crate) fn parts(value: &Value) -> &[Value] {
    match value {
        Value::Tuple(parts) => parts,
        Value::Real(_) => std::slice::from_ref(value),
    }
}
