//! Heap cells: instances of declared locations, their shapes and initial contents.

use crate::elaborator::Elaborator;
use crate::faults::{Fault, Given};
use crate::indices::Mismatch;
use crate::nearest::nearest;
use crate::recipes::Recipe;
use crate::scope::Scope;
use crate::sizes::SIZE_LIMIT;
use fletch_calculus::{Index, Location, LocationRef, Tensor};
use fletch_smooth::{Argument, GeneratorError, Shape};
use fletch_syntax::tree::{ArgumentValue, GeneratorCall, Init, Literal, LocDecl, SizeKind};
use fletch_syntax::{Span, Spanned};
use std::sync::Arc;

impl<'a> Elaborator<'a> {
    /// Creates the cells of all declared locations that are no families, in file order.
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
            let (expected, given) = (decl.params.len(), indices.len());
            let count = Fault::LocationIndices(decl.name.clone(), expected, given);
            self.report.add(span, count);
            return None;
        }
        let name = instance_name(&decl.name.text, indices);
        if let Some(location) = self.cells.find(&name) {
            return Some(location);
        }
        let mut scope = Scope::default();
        match self.bind_indices(&mut scope, &decl.params, indices, false) {
            Ok(()) => {}
            Err(Mismatch::Reported) => return None,
            Err(Mismatch::At(position, why)) => {
                let declared = Some(decl.name.span);
                let misfit = Fault::Misfit(decl.name.text.clone(), position, why, declared);
                self.report.add(span, misfit);
                return None;
            }
        }
        let sizes = decl.shape.iter().map(|size| self.size(&scope, size));
        let sizes: Vec<usize> = sizes
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<Option<_>>()?;
        let shape = Shape::new(sizes.iter().rev().copied().collect());
        if shape.size() > SIZE_LIMIT {
            self.report.add(decl.name.span, Fault::LargeLocation(name));
            return None;
        }
        let report = &mut self.report;
        if !self.budget.hold(shape.size(), decl.name.span, report) {
            return None;
        }
        let contents = match &decl.init {
            None => (Tensor::zeros(shape.clone()), None),
            Some(Init::Literal(literal)) => (self.literal_contents(decl, literal, &shape)?, None),
            Some(Init::Generator(call)) => {
                let (contents, recipe) = self.generated_contents(&scope, call, &shape)?;
                (contents, Some(recipe))
            }
        };
        Some(self.cells.add(name, sizes, contents))
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
        // A flat list fills any shape; a matrix literal must have the rows of the location's matrix.
        let fits = written.as_ref().is_none_or(|written| written == shape);
        match Tensor::new(shape.clone(), entries).filter(|_| fits) {
            Some(tensor) => Some(tensor),
            None => {
                let given = match (&literal.node, written) {
                    (_, Some(written)) => Given::Matrix(written),
                    (Literal::Vector(numbers), _) => Given::Numbers(numbers.len()),
                    _ => Given::Numbers(1),
                };
                let contents = Fault::Contents(decl.name.clone(), shape.clone(), given);
                self.report.add(literal.span, contents);
                None
            }
        }
    }

    fn generated_contents(
        &mut self,
        scope: &Scope,
        call: &GeneratorCall,
        shape: &Shape,
    ) -> Option<(Tensor, Recipe)> {
        let recipe = self.recipe(scope, call)?;
        let arguments = borrowed(&recipe.arguments);
        let result = fletch_smooth::initialiser(&recipe.generator, &arguments, shape);
        match result {
            Ok(tensor) => Some((tensor, recipe)),
            Err(error) => {
                self.generator_error(call, error);
                None
            }
        }
    }

    pub(crate) fn generator_arguments(
        &mut self,
        scope: &Scope,
        call: &GeneratorCall,
    ) -> Option<Vec<(Option<Arc<str>>, Argument)>> {
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let value = match &argument.value.node {
                ArgumentValue::Number(number) => Some(Argument::Real(*number)),
                ArgumentValue::Size(size) => match size.node {
                    // A seed may be larger than any size.
                    SizeKind::Number(number) => Some(Argument::Whole(number)),
                    _ => self
                        .size(scope, size)
                        .map(|size| Argument::Whole(size as u64)),
                },
            };
            arguments.push((argument.key.as_ref().map(|key| key.text.clone()), value));
        }
        arguments
            .into_iter()
            .map(|(key, value)| value.map(|value| (key, value)))
            .collect()
    }

    pub(crate) fn generator_error(&mut self, call: &GeneratorCall, error: GeneratorError) {
        let (span, near) = match &error {
            GeneratorError::Unknown { name, known } => {
                (call.name.span, nearest(name, known.iter().copied()))
            }
            _ => (call.span, None),
        };
        let near = near.map(str::to_owned);
        self.report.add(span, Fault::Generator(error, near));
    }
}

pub(crate) fn borrowed(
    arguments: &[(Option<Arc<str>>, Argument)],
) -> Vec<(Option<&str>, Argument)> {
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
