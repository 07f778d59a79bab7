//! Printer of commands and terms in the concrete syntax. `pretty` lays the text out to a width. Each run of text
//! has its kind, and the marks of the steps before and after the position.
//!
//! The runtime command RH^V_H(⟨ȳ⟩. R), which no program contains, is printed like the `rev handle` that
//! it came from, with `RH` in front: `RH(V)⟨ȳ⟩. R with H`.

mod commands;
mod handlers;
mod subjects;
mod terms;

pub use subjects::Subject;

use crate::chips::Chips;
use crate::folds::{Folds, Shape};
use crate::labels::Labels;
use crate::names::Names;
use crate::numbers::{self, Digits};
use crate::pieces::{Chip, Fold, Mark, PieceKind};
use fletch_calculus::{Command, Origin, Tensor, Term, Value, Variable};
use pretty::{Arena, DocAllocator, DocBuilder};
use std::fmt::Display;
use std::rc::Rc;
use subjects::Subjects;

/// Annotation of a run of text.
#[derive(Clone)]
pub(crate) enum Annotation {
    Kind(PieceKind),
    Chip(Rc<Chip>),
    Mark(Mark),
    Node(u32),
    Fold(Fold),
    Group(Group),
}

/// Group of pieces that a renderer may typeset differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// `RH(V)`, without its binders; with the name of the handler.
    Rewriting(Rc<str>),
    /// V in `RH(V)`.
    Values,
    /// `with H` of an RH.
    Closing,
    /// The indices of an operation, with their brackets.
    Indices,
}

pub(crate) type Doc<'d> = DocBuilder<'d, Arena<'d, Annotation>, Annotation>;

/// Style of a printed command.
#[derive(Clone)]
pub struct Style<'c> {
    /// Names of variables.
    pub names: Names,
    /// Folds, printed as labels.
    pub folds: Folds,
    /// Notation of values.
    pub values: Values<'c>,
    /// Marks of nodes and values.
    pub marks: Marks,
}

/// Notation of values.
#[derive(Clone, Copy)]
pub enum Values<'c> {
    /// Text; of a large tensor only the first entries and the shape.
    Text(Digits),
    /// Scalars as numbers in the notation of the chips, larger tensors as chips.
    Chips(&'c Chips),
    /// Sentence style: scalars as short numbers; larger values by their first entries, with the whole as a chip.
    Told(&'c Chips),
    /// Program text: every value in full, handlers with their clauses, symbols with their sizes.
    Source(&'c Labels),
}

/// A node to mark.
#[derive(Clone, Debug)]
pub struct Marked {
    /// Path to the node: child numbers from the whole command.
    pub path: Vec<usize>,
    /// The mark.
    pub mark: Mark,
    /// True if only the head of a `let` or a handler is marked, without the commands inside and after it.
    pub head: bool,
}

/// Marks of a printed state.
#[derive(Clone, Default)]
pub struct Marks {
    /// Marked nodes.
    pub places: Vec<Marked>,
    /// Value made since the previous stop; all of its occurrences are marked.
    pub substituted: Option<Term>,
    /// The same value, if every term of equal value counts as an occurrence: in recomputed steps, one value may have several terms.
    pub equal: Option<Value>,
}

impl Marks {
    fn is_substituted(&self, term: &Term) -> bool {
        self.substituted.as_ref().is_some_and(|value| {
            value.same(term) || self.equal.is_some() && term.to_value() == self.equal
        })
    }
}

pub(crate) struct Printer<'d> {
    arena: &'d Arena<'d, Annotation>,
    names: Names,
    folds: Folds,
    values: Values<'d>,
    marks: Marks,
    path: Vec<usize>,
    subjects: Subjects,
    /// Path of the command that `[ ]` replaces.
    hole: Option<Vec<usize>>,
}

impl<'d> Printer<'d> {
    pub(crate) fn new(arena: &'d Arena<'d, Annotation>, style: Style<'d>) -> Self {
        Printer {
            arena,
            names: style.names,
            folds: style.folds,
            values: style.values,
            marks: style.marks,
            path: Vec::new(),
            subjects: Subjects::default(),
            hole: None,
        }
    }

    pub(crate) fn print(mut self, command: &Command) -> Doc<'d> {
        self.whole(command)
    }

    /// Prints a term alone. It belongs to no command, so readers cannot ask about its pieces.
    pub(crate) fn print_term(mut self, term: &Term) -> Doc<'d> {
        self.subjects.elsewhere(true);
        self.term(term, 0)
    }

    /// Prints a command with a hole at this path.
    pub(crate) fn print_context(mut self, command: &Command, hole: &[usize]) -> Doc<'d> {
        self.subjects.elsewhere(true);
        self.hole = Some(hole.to_vec());
        self.command(command)
    }

    /// Subject of the piece of this number.
    pub(crate) fn subject(mut self, command: &Command, number: u32) -> Option<Subject> {
        self.subjects = Subjects::wanting(number);
        self.whole(command);
        self.subjects.found()
    }

    fn whole(&mut self, command: &Command) -> Doc<'d> {
        let (shown, outer) = self.folds.shown(command);
        self.path.resize(outer, 0);
        let doc = self.command(shown);
        if outer == 0 {
            return doc;
        }
        let label = format!("… {outer} around");
        let label = match self.folds.context() {
            Some(fold) => self.handle(label, fold),
            None => self.fold(None),
        };
        label.append(self.arena.hardline()).append(doc)
    }

    /// The names of locations and operations, if program text is printed.
    fn source(&self) -> Option<&'d Labels> {
        match self.values {
            Values::Source(labels) => Some(labels),
            Values::Text(_) | Values::Chips(_) | Values::Told(_) => None,
        }
    }

    fn text(&self, kind: PieceKind, text: impl Display) -> Doc<'d> {
        let node = self.subjects.next(&self.path, None);
        self.arena
            .as_string(text)
            .annotate(Annotation::Kind(kind))
            .annotate(Annotation::Node(node))
    }

    fn keyword(&self, text: &'static str) -> Doc<'d> {
        self.text(PieceKind::Keyword, text)
    }

    fn plain(&self, text: &'static str) -> Doc<'d> {
        self.arena.text(text)
    }

    /// Placeholder `…` of a folded part.
    fn fold(&self, fold: Option<Fold>) -> Doc<'d> {
        self.label("…".to_owned(), fold)
    }

    /// Label that replaces a folded part.
    fn label(&self, text: String, fold: Option<Fold>) -> Doc<'d> {
        match fold {
            Some(fold) => self.handle(text, fold),
            None => self
                .arena
                .text(text)
                .annotate(Annotation::Kind(PieceKind::Folded)),
        }
    }

    /// Handle that opens or folds a part.
    fn handle(&self, text: String, fold: Fold) -> Doc<'d> {
        self.arena
            .text(text)
            .annotate(Annotation::Kind(PieceKind::Folded))
            .annotate(Annotation::Fold(fold))
    }

    /// A remark for a reader.
    fn note(&self, text: String) -> Doc<'d> {
        // A remark counts as zero columns wide, so the layout is that of the command alone.
        let text = DocBuilder(self.arena, pretty::Doc::OwnedText(text.into()).into()).into_doc();
        DocBuilder(self.arena, pretty::Doc::RenderLen(0, text).into())
            .annotate(Annotation::Kind(PieceKind::Note))
    }

    /// Prints a part that can be folded: in full with its handle, or as its label.
    fn foldable(
        &mut self,
        shape: Shape,
        label: String,
        open: impl FnOnce(&mut Self) -> Doc<'d>,
    ) -> Doc<'d> {
        match shape {
            Shape::Bare => open(self),
            Shape::Open(fold) => self
                .handle("▾".to_owned(), fold)
                .append(" ")
                .append(open(self).align()),
            Shape::Folded(fold) => self.label(label, fold),
        }
    }

    /// Visits child `index`.
    fn child<T>(&mut self, index: usize, visit: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(index);
        let result = visit(self);
        self.path.pop();
        result
    }

    /// The mark of the node at the current path; true if only the head of the node is marked.
    fn mark_here(&self) -> Option<(Mark, bool)> {
        self.marks
            .places
            .iter()
            .find(|place| place.path == self.path)
            .map(|place| (place.mark, place.head))
    }

    /// Adds the mark of the current node to its text, if the mark covers the whole node.
    fn marked(&self, doc: Doc<'d>) -> Doc<'d> {
        match self.mark_here() {
            Some((mark, false)) => doc.annotate(Annotation::Mark(mark)),
            _ => doc,
        }
    }

    /// Adds the mark of the current node to the text of its head, if only the head is marked.
    fn head(&self, doc: Doc<'d>) -> Doc<'d> {
        match self.mark_here() {
            Some((mark, true)) => doc.annotate(Annotation::Mark(mark)),
            _ => doc,
        }
    }

    /// Prints a variable where it is bound. In program text an unused variable is `_`.
    fn binder(&mut self, variable: &Variable, used: bool) -> Doc<'d> {
        let name = match (self.names.enter(variable), self.source()) {
            (_, Some(_)) if !used => "_".into(),
            (name, _) => name,
        };
        let node = self.subjects.next(&self.path, Some(variable));
        self.arena
            .text(name.to_string())
            .annotate(Annotation::Kind(PieceKind::of(variable)))
            .annotate(Annotation::Node(node))
    }

    /// Prints the elements of a list, by their indices. A folded list has its first elements and those for which
    /// `works` is true, then a label for the others.
    fn list(
        &mut self,
        origin: Origin,
        length: usize,
        mut part: impl FnMut(&mut Self, usize) -> Doc<'d>,
        works: impl Fn(&Self, usize) -> bool,
    ) -> Vec<Doc<'d>> {
        let (shape, first) = self.folds.list(origin, length);
        let mut docs = Vec::new();
        let mut left = 0;
        for index in 0..length {
            if matches!(shape, Shape::Folded(_)) && index >= first && !works(self, index) {
                left += 1;
            } else {
                docs.push(part(self, index));
            }
        }
        match shape {
            Shape::Bare => {}
            Shape::Open(fold) => docs.push(self.handle("▴ fewer".to_owned(), fold)),
            Shape::Folded(fold) => docs.push(self.label(format!("… {left} more"), fold)),
        }
        docs
    }

    /// True if a node at or below child `index` is marked.
    fn marks_below(&self, index: usize) -> bool {
        let depth = self.path.len();
        self.marks.places.iter().any(|place| {
            place.path.starts_with(&self.path) && place.path.get(depth) == Some(&index)
        })
    }

    fn tuple_of(&self, parts: Vec<Doc<'d>>) -> Doc<'d> {
        let separator = self.plain(",").append(self.arena.softline());
        self.plain("⟨")
            .append(self.arena.intersperse(parts, separator).nest(1))
            .append(self.plain("⟩"))
            .group()
    }

    /// Prints a constant.
    fn tensor(&self, tensor: &Tensor) -> Doc<'d> {
        match (self.values, tensor.data()) {
            (_, []) => self.plain("()"),
            (Values::Text(digits), data) => {
                self.text(PieceKind::Value, literal(tensor, data, digits))
            }
            (Values::Source(_), data) => self.text(PieceKind::Value, whole(tensor, data)),
            (Values::Chips(chips), [number]) => {
                self.text(PieceKind::Value, chips.digits().number(*number))
            }
            (Values::Told(_), [number]) => self.text(PieceKind::Value, numbers::short(*number)),
            (Values::Told(chips), data) => self
                .text(PieceKind::Value, numbers::first(data))
                .annotate(Annotation::Chip(Rc::new(chips.chip(tensor)))),
            (Values::Chips(chips), _) => {
                let chip = chips.chip(tensor);
                self.text(PieceKind::Value, chip.stand_in())
                    .annotate(Annotation::Chip(Rc::new(chip)))
            }
        }
    }
}

/// Maximum number of entries of a tensor that is written in full. A state of a convolutional network holds
/// hundreds of thousands of numbers.
const ENTRIES_IN_TEXT: usize = 32;

/// Text of a tensor: `[[1, 2], [3, 4]]`, `[1, 2]` or `1`; `[1, 2, 3, … 8 × 16]` or `zero[8 * 16]` if it is large.
pub fn literal(tensor: &Tensor, data: &[f64], digits: Digits) -> String {
    match data {
        data if data.len() > ENTRIES_IN_TEXT && data.iter().all(|entry| *entry == 0.0) => {
            let sizes: Vec<String> = tensor.shape().dims().iter().map(usize::to_string).collect();
            format!("zero[{}]", sizes.join(" * "))
        }
        [first, second, third, ..] if data.len() > ENTRIES_IN_TEXT => {
            let first = [*first, *second, *third].map(numbers::short).join(", ");
            format!("[{first}, … {}]", tensor.shape())
        }
        data => all(tensor, data, digits),
    }
}

/// Text of a tensor with all its entries.
pub fn whole(tensor: &Tensor, data: &[f64]) -> String {
    all(tensor, data, Digits::Exact)
}

fn all(tensor: &Tensor, data: &[f64], digits: Digits) -> String {
    match (tensor.shape().dims(), data) {
        (_, [number]) => digits.number(*number),
        ([_, columns], data) => digits.rows(data, *columns),
        (_, data) => digits.list(data),
    }
}
