//! Recipes: the generators of the contents of locations and data sets, for code that exports them to another language.

use crate::elaborator::Elaborator;
use crate::items::{Items, Measure, Train};
use crate::scope::Scope;
use crate::sets::DataSet;
use fletch_calculus::{LocationRef, Program, Tensor, Value};
use fletch_smooth::Argument;
use fletch_syntax::tree::{GeneratorCall, ItemKind, MeasureDecl, Pattern, TrainDecl};
use fletch_syntax::{Diagnostic, tree};
use std::sync::Arc;

/// A generator with its arguments. An argument without a name belongs to the parameter at its position.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The generator's name.
    pub generator: Arc<str>,
    /// Arguments in the written order, with computed values.
    pub arguments: Vec<(Option<Arc<str>>, Argument)>,
}

/// Location with its initial contents.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The location.
    pub location: &'a LocationRef,
    /// Initial contents.
    pub contents: &'a Tensor,
    /// Generator of the contents; `None` if the contents are written out, or zeros.
    pub recipe: Option<&'a Recipe>,
}

impl<'a> Train<'a> {
    /// Declaration of the item.
    pub fn decl(&self) -> &'a TrainDecl {
        self.decl
    }

    /// Number of samples per batch, if the item has batches.
    pub fn batch(&self) -> Option<usize> {
        self.batch
    }
}

impl<'a> Measure<'a> {
    /// Declaration of the measure.
    pub fn decl(&self) -> &'a MeasureDecl {
        self.decl
    }
}

impl<'a> Items<'_, 'a> {
    /// The locations met so far, with their initial contents.
    pub fn cells(&self) -> Vec<Cell<'_>> {
        let cells = &self.elaborator.cells;
        let (locations, initial) = cells.contents();
        let both = locations.iter().zip(initial).zip(cells.recipes());
        both.map(|((location, contents), recipe)| Cell {
            location,
            contents,
            recipe: recipe.as_ref(),
        })
        .collect()
    }

    /// Generator of a data set; `None` if the data set is written out, or read from a file.
    pub fn data_recipe(&mut self, set: &DataSet<'_>) -> Option<Recipe> {
        let call = set.generator()?;
        self.elaborator.recipe(&Scope::default(), call)
    }

    /// The program of `main`; `None` if there is no `main`.
    pub fn main(&mut self) -> Option<Result<Program, Box<Diagnostic>>> {
        let tree = self.tree;
        let mut items = tree.items.iter();
        let main: &'a tree::Command = items.find_map(|item| match &item.node {
            ItemKind::Main(command) => Some(command),
            _ => None,
        })?;
        self.start_anew();
        Some(self.elaborated(&mut Scope::default(), main))
    }
}

impl<'a> Elaborator<'a> {
    pub(crate) fn recipe(&mut self, scope: &Scope, call: &GeneratorCall) -> Option<Recipe> {
        Some(Recipe {
            generator: call.name.text.clone(),
            arguments: self.generator_arguments(scope, call)?,
        })
    }
}

/// The names that a pattern gives to the tensors of a value, from left to right; `None` for a tensor that the pattern does not name by
/// itself.
pub fn named_parts(pattern: &Pattern, value: &Value) -> Vec<Option<Arc<str>>> {
    match (&pattern.node, value) {
        (tree::PatternKind::Name(name), Value::Real(_)) => vec![Some(name.text.clone())],
        (tree::PatternKind::Tuple(patterns), Value::Tuple(values))
            if patterns.len() == values.len() =>
        {
            let parts = patterns.iter().zip(values.iter());
            parts
                .flat_map(|(pattern, value)| named_parts(pattern, value))
                .collect()
        }
        (tree::PatternKind::Tuple(patterns), _) if patterns.len() == 1 => patterns
            .first()
            .map_or_else(Vec::new, |pattern| named_parts(pattern, value)),
        _ => vec![None; value.tensors().len()],
    }
}
