//! Documents of the layout: Wadler's pretty-printing documents from the library `pretty`, with the
//! combinators that this formatter needs. Widths are counted in characters.

use pretty::{Arena, Doc as Node, DocAllocator, DocBuilder, RefDoc, Render, RenderAnnotated};
use std::fmt;

/// A document: a reference into an arena, so it is `Copy`.
pub(super) type Doc<'a> = RefDoc<'a>;

/// Maximum width of a line, in columns.
const WIDTH: usize = 100;

/// Rightmost column to which lines are aligned; after a longer prefix they are indented instead.
const ALIGN_LIMIT: usize = 80;

/// Constructors of documents in one arena.
#[derive(Clone, Copy)]
pub(super) struct Docs<'a> {
    arena: &'a Arena<'a>,
    /// The empty document.
    pub(super) nil: Doc<'a>,
    /// A space that never becomes a line break.
    pub(super) space: Doc<'a>,
    /// A space, or a line break if the group does not fit on a line.
    pub(super) line: Doc<'a>,
    /// The empty document, or a line break if the group does not fit on a line.
    pub(super) soft: Doc<'a>,
    /// A line break.
    pub(super) hard: Doc<'a>,
}

impl<'a> Docs<'a> {
    pub(super) fn new(arena: &'a Arena<'a>) -> Self {
        let nil = arena.alloc(Node::Nil);
        let space = arena.alloc(Node::BorrowedText(" "));
        let hard = arena.alloc(Node::Hardline);
        Docs {
            arena,
            nil,
            space,
            line: arena.alloc(Node::FlatAlt(hard, space)),
            soft: arena.alloc(Node::FlatAlt(hard, nil)),
            hard,
        }
    }

    /// Concatenates documents.
    pub(super) fn cat(self, docs: impl IntoIterator<Item = Doc<'a>>) -> Doc<'a> {
        let join = |left: Doc<'a>, right: Doc<'a>| match (left.0, right.0) {
            (Node::Nil, _) => right,
            (_, Node::Nil) => left,
            _ => self.arena.alloc(Node::Append(left, right)),
        };
        docs.into_iter().reduce(join).unwrap_or(self.nil)
    }

    /// A text without line breaks.
    pub(super) fn text(self, text: &'a str) -> Doc<'a> {
        self.wide(text, text.chars().count())
    }

    /// A text that counts as `width` columns.
    pub(super) fn wide(self, text: &'a str, width: usize) -> Doc<'a> {
        if text.is_empty() {
            return self.nil;
        }
        let words = self.arena.alloc(Node::BorrowedText(text));
        if width == text.len() {
            words
        } else {
            self.arena.alloc(Node::RenderLen(width, words))
        }
    }

    /// This number of spaces, at most `ALIGN_LIMIT`.
    pub(super) fn spaces(self, count: usize) -> Doc<'a> {
        const SPACES: &str =
            "                                                                                ";
        self.text(SPACES.get(..count).unwrap_or(SPACES))
    }

    /// A group: on one line if it fits, else with all its line breaks outside of inner groups.
    pub(super) fn group(self, doc: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::Group(doc))
    }

    /// `broken` if the enclosing group has line breaks, `flat` if it is on one line.
    pub(super) fn either(self, broken: Doc<'a>, flat: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::FlatAlt(broken, flat))
    }

    /// Indents the lines after the first by `by` more columns.
    pub(super) fn nest(self, by: isize, doc: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::Nest(by, doc))
    }

    /// Starts the lines after the first in the first column.
    pub(super) fn flush_left(self, doc: Doc<'a>) -> Doc<'a> {
        self.nest(isize::MIN, doc)
    }

    /// Starts the lines after the first in the column of the first; past [`ALIGN_LIMIT`], indents
    /// them instead.
    pub(super) fn align(self, doc: Doc<'a>) -> Doc<'a> {
        let aligned = DocBuilder(self.arena, doc.into()).align().into_doc();
        let nested = self.nest(2, doc);
        let choose = move |column| {
            if column <= ALIGN_LIMIT {
                aligned
            } else {
                nested
            }
        };
        self.arena.column(choose).into_doc()
    }

    /// `first` if all its lines fit, else `second`.
    pub(super) fn prefer(self, first: Doc<'a>, second: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::Union(first, second))
    }
}

/// Renders a document as text, without trailing spaces.
pub(super) fn render(doc: Doc<'_>) -> String {
    let mut lines = Lines(String::new());
    // Writing to memory cannot fail, and no document contains a failing node.
    let _ = doc.0.render_raw(WIDTH, &mut lines);
    lines.0
}

struct Lines(String);

impl Lines {
    fn end_line(&mut self) {
        let length = self.0.trim_end_matches(' ').len();
        self.0.truncate(length);
        self.0.push('\n');
    }
}

impl Render for Lines {
    type Error = fmt::Error;

    fn write_str(&mut self, text: &str) -> Result<usize, fmt::Error> {
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            self.0.push_str(line);
            self.end_line();
            rest = after;
        }
        self.0.push_str(rest);
        Ok(text.len())
    }

    fn fail_doc(&self) -> fmt::Error {
        fmt::Error
    }
}

impl RenderAnnotated<'_, ()> for Lines {
    fn push_annotation(&mut self, (): &()) -> Result<(), fmt::Error> {
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), fmt::Error> {
        Ok(())
    }
}
