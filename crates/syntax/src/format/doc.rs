//! The documents that a program is laid out with: Wadler's, from the library `pretty`, with the few
//! combinators that the house layout needs. Columns are counted in characters.

use pretty::{Arena, Doc as Node, DocAllocator, DocBuilder, RefDoc, Render, RenderAnnotated};
use std::fmt;

/// A document; a reference into an arena, so it is copied freely.
pub(super) type Doc<'a> = RefDoc<'a>;

/// Maximum width of a line, in columns.
const WIDTH: usize = 100;

/// Nothing is aligned right of this column, so that a long name does not move what follows it away.
const ALIGN_LIMIT: usize = 80;

/// The documents of one arena.
#[derive(Clone, Copy)]
pub(super) struct Docs<'a> {
    arena: &'a Arena<'a>,
    /// Nothing.
    pub(super) nil: Doc<'a>,
    /// A space that is no place for a line break.
    pub(super) space: Doc<'a>,
    /// A space, or a line break if the group does not fit.
    pub(super) line: Doc<'a>,
    /// Nothing, or a line break if the group does not fit.
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

    /// One text after the other.
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

    /// A text that counts for so many columns.
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

    /// So many spaces, at most `ALIGN_LIMIT`.
    pub(super) fn spaces(self, count: usize) -> Doc<'a> {
        const SPACES: &str =
            "                                                                                ";
        self.text(SPACES.get(..count).unwrap_or(SPACES))
    }

    /// All of it on one line if it fits, else with all line breaks that are not in inner groups.
    pub(super) fn group(self, doc: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::Group(doc))
    }

    /// `broken` where the group has line breaks, `flat` where it is on one line.
    pub(super) fn either(self, broken: Doc<'a>, flat: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::FlatAlt(broken, flat))
    }

    /// Lines after the first are indented by so much more.
    pub(super) fn nest(self, by: isize, doc: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::Nest(by, doc))
    }

    /// Lines after the first are not indented at all.
    pub(super) fn flush_left(self, doc: Doc<'a>) -> Doc<'a> {
        self.nest(isize::MIN, doc)
    }

    /// Lines after the first start in the column of the first.
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

    /// `first` if all of its lines fit, else `second`.
    pub(super) fn prefer(self, first: Doc<'a>, second: Doc<'a>) -> Doc<'a> {
        self.arena.alloc(Node::Union(first, second))
    }
}

/// The document as text, without spaces at the ends of lines.
pub(super) fn render(doc: Doc<'_>) -> String {
    let mut lines = Lines(String::new());
    // Writing to memory does not fail, and no document here does.
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
