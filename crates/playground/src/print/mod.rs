//! Commands and terms as text in the concrete syntax, laid out to a width by `pretty`, each run of text
//! with its kind and with the marks of the steps around it.
//!
//! The runtime command RH_V^H(⟨ȳ⟩. R), which no program contains, is printed like the `rev handle` that
//! it came from, with `RH` in front: `RH(V)⟨ȳ⟩. R with H`.

mod commands;
mod folds;
mod render;
mod terms;

pub(crate) use commands::pattern;
pub(crate) use folds::Folds;
pub(crate) use render::lines;
pub(crate) use terms::infix;

use crate::chips;
use crate::names::Names;
use crate::numbers;
use crate::protocol::{Chip, Mark, PieceKind};
use fletch_calculus::{Command, Tensor, Term, Variable};
use pretty::{Arena, DocAllocator, DocBuilder};
use std::fmt::Display;
use std::rc::Rc;

/// What the printer says about a part of the text.
#[derive(Clone)]
pub(crate) enum Annotation {
    Kind(PieceKind),
    Chip(Rc<Chip>),
    Mark(Mark),
}

pub(crate) type Doc<'d> = DocBuilder<'d, Arena<'d, Annotation>, Annotation>;

/// How values are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// As text: full precision, but of a large tensor only the first entries and the shape.
    Text,
    /// Scalars as short numbers, everything larger as a chip.
    Chips,
}

/// A place to mark.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    /// Child numbers from the whole command.
    pub(crate) path: Vec<usize>,
    pub(crate) mark: Mark,
    /// Whether of a `let` or a handler only the head is marked, not what follows or stands inside.
    pub(crate) head: bool,
}

/// What to mark besides places.
#[derive(Clone, Default)]
pub(crate) struct Marks {
    pub(crate) places: Vec<Marked>,
    /// A value that the last step substituted: its occurrences are what the step made.
    pub(crate) substituted: Option<Term>,
}

pub(crate) struct Printer<'d> {
    arena: &'d Arena<'d, Annotation>,
    names: Names,
    folds: Folds,
    values: Values,
    marks: Marks,
    path: Vec<usize>,
}

impl<'d> Printer<'d> {
    pub(crate) fn new(
        arena: &'d Arena<'d, Annotation>,
        names: Names,
        folds: Folds,
        values: Values,
        marks: Marks,
    ) -> Self {
        Printer {
            arena,
            names,
            folds,
            values,
            marks,
            path: Vec::new(),
        }
    }

    pub(crate) fn print(mut self, command: &Command) -> Doc<'d> {
        let (shown, outer) = self.folds.shown(command);
        self.path.resize(outer, 0);
        let doc = self.command(shown);
        if outer == 0 {
            return doc;
        }
        self.fold().append(self.arena.hardline()).append(doc)
    }

    fn text(&self, kind: PieceKind, text: impl Display) -> Doc<'d> {
        self.arena.as_string(text).annotate(Annotation::Kind(kind))
    }

    fn keyword(&self, text: &'static str) -> Doc<'d> {
        self.arena
            .text(text)
            .annotate(Annotation::Kind(PieceKind::Keyword))
    }

    fn plain(&self, text: &'static str) -> Doc<'d> {
        self.arena.text(text)
    }

    /// What stands for a part that is left out.
    fn fold(&self) -> Doc<'d> {
        self.text(PieceKind::Folded, "…")
    }

    /// Goes into child `index`.
    fn child<T>(&mut self, index: usize, visit: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(index);
        let result = visit(self);
        self.path.pop();
        result
    }

    /// The mark of the node at the current path, and whether only its head is meant.
    fn mark_here(&self) -> Option<(Mark, bool)> {
        self.marks
            .places
            .iter()
            .find(|place| place.path == self.path)
            .map(|place| (place.mark, place.head))
    }

    /// The text with the mark of its node, if that has one that covers it all.
    fn marked(&self, doc: Doc<'d>) -> Doc<'d> {
        match self.mark_here() {
            Some((mark, false)) => doc.annotate(Annotation::Mark(mark)),
            _ => doc,
        }
    }

    /// The text with the mark of its node, if only the head of the node is marked and this is it.
    fn head(&self, doc: Doc<'d>) -> Doc<'d> {
        match self.mark_here() {
            Some((mark, true)) => doc.annotate(Annotation::Mark(mark)),
            _ => doc,
        }
    }

    fn binder(&mut self, variable: &Variable) -> Doc<'d> {
        let name = self.names.enter(variable);
        self.text(PieceKind::Variable, name)
    }

    fn tuple_of(&self, parts: Vec<Doc<'d>>) -> Doc<'d> {
        let separator = self.plain(",").append(self.arena.softline());
        self.plain("⟨")
            .append(self.arena.intersperse(parts, separator).nest(1))
            .append(self.plain("⟩"))
            .group()
    }

    /// A constant.
    fn tensor(&self, tensor: &Tensor) -> Doc<'d> {
        match (self.values, tensor.data()) {
            (_, []) => self.plain("()"),
            (Values::Text, data) => self.text(PieceKind::Value, literal(tensor, data)),
            (Values::Chips, [number]) => self.text(PieceKind::Value, numbers::short(*number)),
            (Values::Chips, _) => {
                let chip = chips::chip(tensor);
                let text = chips::stand_in(&chip);
                self.arena
                    .text(text)
                    .annotate(Annotation::Kind(PieceKind::Value))
                    .annotate(Annotation::Chip(Rc::new(chip)))
            }
        }
    }
}

/// A tensor with more entries than this is abridged in text: a state of a convolutional network holds
/// hundreds of thousands of numbers, and nobody reads them there.
const ENTRIES_IN_TEXT: usize = 32;

/// `[[1, 2], [3, 4]]`, `[1, 2]` or `1`; `[1, 2, 3, … 8 × 16]` where it is large.
pub(crate) fn literal(tensor: &Tensor, data: &[f64]) -> String {
    match (tensor.shape().dims(), data) {
        (_, [number]) => numbers::full(*number),
        (shape, data) if data.len() > ENTRIES_IN_TEXT && data.iter().all(|entry| *entry == 0.0) => {
            let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("zero[{}]", sizes.join(" * "))
        }
        (_, [first, second, third, ..]) if data.len() > ENTRIES_IN_TEXT => {
            let first = [*first, *second, *third].map(numbers::short).join(", ");
            format!("[{first}, … {}]", tensor.shape())
        }
        ([_, columns], data) => numbers::rows(data, *columns),
        (_, data) => numbers::list(data),
    }
}
