//! Heap cells: instances of declared locations, their shapes and initial contents.

use crate::elaborator::{Elaborator, counted};
use crate::indices::Misfit;
use crate::scope::Scope;
use crate::sizes::{SIZE_LIMIT, suggest};
use fletch_calculus::{Index, Location, LocationRef, Tensor};
use fletch_smooth::{GeneratorError, Shape};
use fletch_syntax::tree::{ArgumentValue, GeneratorCall, Init, Literal, LocDecl};
use fletch_syntax::{Diagnostic, Span, Spanned};
use std::sync::Arc;

impl<'a> Elaborator<'a> {
    /// Creates the cells of all locations that are not families, in file order.
    pub(crate) fn declare_locations(&mut self) {
        for decl in &self.declarations.location_order {
            if decl.params.is_empty() {
                let _ = self.location_instance(decl, &[], decl.name.span);
            }
        }
    }

    /// The cell of a declared location at these indices, created when it first occurs.
    pub(crate) fn location_instance(
        &mut self,
        decl: &'a LocDecl,
        indices: &[Index],
        span: Span,
    ) -> Option<LocationRef> {
        if indices.len() != decl.params.len() {
            let message = if decl.params.is_empty() {
                format!(
                    "`{}` is one location, not a family: it takes no indices",
                    decl.name.text
                )
            } else {
                format!(
                    "`{}` is a family of locations: it takes {}, {} given",
                    decl.name.text,
                    counted(decl.params.len(), "index").replace("indexs", "indices"),
                    indices.len()
                )
            };
            let diagnostic = Diagnostic::error("F0301", span, message)
                .label(decl.name.span, "it is declared here");
            self.report.add(diagnostic);
            return None;
        }
        let name = instance_name(&decl.name.text, indices);
        if let Some(number) = self.location_numbers.get(&name) {
            return self.locations.get(*number).cloned();
        }
        let mut scope = Scope::default();
        match self.bind_indices(&mut scope, &decl.params, indices, false) {
            Ok(()) => {}
            Err(Misfit::Reported) => return None,
            Err(Misfit::At(position, message)) => {
                let message = format!(
                    "index {} of `{}` does not fit: {message}",
                    position + 1,
                    decl.name.text
                );
                self.report.add(
                    Diagnostic::error("F0303", span, message)
                        .label(decl.name.span, "it is declared here"),
                );
                return None;
            }
        }
        let sizes: Vec<Option<usize>> = decl
            .shape
            .iter()
            .map(|size| self.size(&scope, size))
            .collect();
        let sizes = sizes.into_iter().collect::<Option<Vec<usize>>>()?;
        let shape = Shape::new(sizes.iter().rev().copied().collect());
        if shape.size() > SIZE_LIMIT {
            let message = format!("`{name}` would hold more than {SIZE_LIMIT} numbers");
            self.report
                .add(Diagnostic::error("F0911", decl.name.span, message));
            return None;
        }
        if !self.hold(shape.size(), decl.name.span) {
            return None;
        }
        let contents = match &decl.init {
            None => Tensor::zeros(shape.clone()),
            Some(Init::Literal(literal)) => self.literal_contents(decl, literal, &shape)?,
            Some(Init::Generator(call)) => self.generated_contents(&scope, call, &shape)?,
        };
        let number = self.locations.len();
        let location = Arc::new(Location {
            name: Arc::from(name.as_str()),
            number,
            sizes,
        });
        self.locations.push(location.clone());
        self.initial.push(contents);
        self.location_numbers.insert(name, number);
        Some(location)
    }

    fn literal_contents(
        &mut self,
        decl: &LocDecl,
        literal: &Spanned<Literal>,
        shape: &Shape,
    ) -> Option<Tensor> {
        let (written, entries) = match &literal.node {
            Literal::Number(number) => (None, vec![*number]),
            Literal::Vector(numbers) => (None, numbers.clone()),
            Literal::Matrix(rows) => {
                let columns = rows.first().map_or(0, Vec::len);
                (Some(Shape::matrix(rows.len(), columns)), rows.concat())
            }
        };
        // A flat list fills any shape; rows must be the rows of the matrix.
        let fits = written.as_ref().is_none_or(|written| written == shape);
        match Tensor::new(shape.clone(), entries).filter(|_| fits) {
            Some(tensor) => Some(tensor),
            None => {
                let found = match (&literal.node, written) {
                    (_, Some(written)) => format!("a {written} matrix"),
                    (Literal::Vector(numbers), _) => counted(numbers.len(), "number"),
                    _ => "1 number".to_owned(),
                };
                let message = format!(
                    "`{}` holds {shape} numbers, and {found} given",
                    decl.name.text
                );
                let message = message
                    .replace("number given", "number is given")
                    .replace("numbers given", "numbers are given");
                let hint = "`∷ (n, m)` is an m × n matrix: m rows of n entries";
                self.report.add(
                    Diagnostic::error(
                        "F0306",
                        literal.span,
                        message.replace("matrix given", "matrix is given"),
                    )
                    .label(decl.name.span, "its shape is declared here")
                    .hint(hint),
                );
                None
            }
        }
    }

    fn generated_contents(
        &mut self,
        scope: &Scope,
        call: &GeneratorCall,
        shape: &Shape,
    ) -> Option<Tensor> {
        let arguments = self.generator_arguments(scope, call)?;
        let result = fletch_smooth::initialiser(&call.name.text, &borrowed(&arguments), shape);
        match result {
            Ok(tensor) => Some(tensor),
            Err(error) => {
                self.generator_error(call, &error);
                None
            }
        }
    }

    pub(crate) fn generator_arguments(
        &mut self,
        scope: &Scope,
        call: &GeneratorCall,
    ) -> Option<Vec<(Option<Arc<str>>, f64)>> {
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let value = match &argument.value.node {
                ArgumentValue::Number(number) => Some(*number),
                // Sizes are below 2²⁴, so the conversion is exact.
                ArgumentValue::Size(size) => self.size(scope, size).map(|size| size as f64),
            };
            arguments.push((argument.key.as_ref().map(|key| key.text.clone()), value));
        }
        arguments
            .into_iter()
            .map(|(key, value)| value.map(|value| (key, value)))
            .collect()
    }

    pub(crate) fn generator_error(&mut self, call: &GeneratorCall, error: &GeneratorError) {
        let diagnostic = match error {
            GeneratorError::Unknown { name, known } => {
                let near = crate::nearest::nearest(name, known.iter().copied()).map(str::to_owned);
                let message = format!("there is no generator `{name}`");
                let diagnostic = Diagnostic::error("F0306", call.name.span, message);
                if near.is_none() {
                    diagnostic.hint(format!("there are {}", known.join(", ")))
                } else {
                    suggest(diagnostic, call.name.span, near)
                }
            }
            error => {
                let diagnostic = Diagnostic::error("F0306", call.span, error.to_string());
                match error {
                    GeneratorError::MissingArgument {
                        generator,
                        argument,
                    } => diagnostic.hint(format!("write `{generator}({argument}: …)`")),
                    _ => diagnostic,
                }
            }
        };
        self.report.add(diagnostic);
    }
}

pub(crate) fn borrowed(arguments: &[(Option<Arc<str>>, f64)]) -> Vec<(Option<&str>, f64)> {
    arguments
        .iter()
        .map(|(key, value)| (key.as_deref(), *value))
        .collect()
}

/// `2, 8`: n₁, …, n_t as declared.
pub(crate) fn sizes_text(location: &Location) -> String {
    let sizes: Vec<String> = location.sizes.iter().map(usize::to_string).collect();
    sizes.join(", ")
}

/// `velocity[ℓ0]`
pub(crate) fn instance_name(name: &str, indices: &[Index]) -> String {
    if indices.is_empty() {
        return name.to_owned();
    }
    let indices: Vec<String> = indices.iter().map(Index::to_string).collect();
    format!("{name}[{}]", indices.join(", "))
}
