//! Layout of a whole program: its declarations below one another, with the blank lines and the comments
//! between them.

use super::comments::{breaks, ending_lines, lines};
use super::doc::{Docs, render};
use super::printer::{Position, Printer, Text};
use crate::span::Span;
use crate::tree::{Item, ItemKind, LocDecl, Program};
use pretty::Arena;

/// Maximum width before the `=` of a location that is aligned with the `=` of its neighbours.
const MAX_EQUALS: usize = 60;

/// Lays a program out as text.
pub(super) fn layout(text: Text<'_>, program: &Program) -> String {
    let mut page = Page {
        text,
        output: String::new(),
        at: Position::default(),
        end: 0,
        tall: false,
    };
    let columns = columns_of_equals(text, &program.items);
    let mut before: Option<&Item> = None;
    for (item, columns) in program.items.iter().zip(columns) {
        let arena = Arena::new();
        let mut printer = Printer::new(text, Docs::new(&arena), page.at);
        // The page writes the comments above the declaration; the printer writes the comments before it on
        // its line.
        let (above, next) = page.comments_before(item.span.start);
        printer.at.comment += above.len();
        let shown = render(printer.item(item, columns));
        let tall = shown.contains('\n');
        let both = |kind: fn(&ItemKind) -> bool| {
            before.is_some_and(|before| kind(&before.node)) && kind(&item.node)
        };
        let apart = tall && page.tall && !both(|kind| matches!(kind, ItemKind::Loc(_)));
        page.write(above, next, apart);
        page.output.push_str(shown.trim_end());
        page.at = printer.at;
        page.end = item.span.end;
        page.tall = tall;
        before = Some(item);
    }
    let rest = text.comments.get(page.at.comment..).unwrap_or_default();
    let end = Span::new(text.source.len(), text.source.len()).start;
    page.write(rest, end, false);
    let length = page.output.trim_end().len();
    page.output.truncate(length);
    if length > 0 {
        page.output.push('\n');
    }
    page.output
}

struct Page<'a> {
    text: Text<'a>,
    output: String,
    at: Position,
    /// End offset, in the source, of the last declaration written.
    end: u32,
    /// True if the last declaration written has several lines.
    tall: bool,
}

impl<'a> Page<'a> {
    /// Splits the unprinted comments before `start`: returns those that end their line, and the start offset
    /// of the line of the text at `start`, which may begin with a comment.
    fn comments_before(&self, start: u32) -> (&'a [Span], u32) {
        let comments = self.text.comments.get(self.at.comment..);
        let comments = comments.unwrap_or_default();
        let here = comments.partition_point(|comment| comment.start < start);
        let here = comments.get(..here).unwrap_or_default();
        let (above, before) = here.split_at(ending_lines(self.text.source, here, start));
        (above, before.first().map_or(start, |comment| comment.start))
    }

    /// Writes these comments and starts a line for the text at `next`. `apart` requests a blank line before
    /// the text, unless there already is a blank line among the comments.
    fn write(&mut self, comments: &[Span], next: u32, apart: bool) {
        let source = self.text.source;
        let gaps = breaks_around(source, self.end, comments, next);
        let mut missing = apart && gaps.iter().all(|&gap| gap < 2);
        for (at, gap) in gaps.into_iter().enumerate() {
            let comment = comments.get(at);
            // A comment on the line of the last declaration stays there; a declaration always starts a line.
            if comment.is_some() && gap == 0 {
                let space = if self.output.is_empty() { "" } else { " " };
                self.output.push_str(space);
            } else if !self.output.is_empty() {
                let blank = gap > 1 || std::mem::take(&mut missing);
                self.output.push_str(if blank { "\n\n" } else { "\n" });
            }
            for (at, line) in comment
                .into_iter()
                .flat_map(|comment| lines(source, *comment))
                .enumerate()
            {
                self.output.push_str(if at > 0 { "\n" } else { "" });
                self.output.push_str(line);
            }
        }
    }
}

/// Numbers of line breaks from `end` to `next`: before, between and after these comments.
fn breaks_around(source: &str, end: u32, comments: &[Span], next: u32) -> Vec<usize> {
    let starts = comments.iter().map(|comment| comment.start).chain([next]);
    let ends = comments.iter().map(|comment| comment.end);
    let ends = [end].into_iter().chain(ends);
    let gaps = ends.zip(starts);
    gaps.map(|(end, start)| breaks(source, end, start))
        .collect()
}

/// Column of the `=` of every declaration; locations on consecutive lines share one column.
fn columns_of_equals(text: Text<'_>, items: &[Item]) -> Vec<usize> {
    let mut columns = Vec::with_capacity(items.len());
    let mut at = Position::default();
    let mut widest = 0;
    let mut run = 0;
    let mut end = None;
    for item in items {
        let start = item.span.start;
        let tokens = text.tokens.get(at.token..).unwrap_or_default();
        at.token += tokens.partition_point(|token| token.span.start < start);
        let comments = text.comments.get(at.comment..).unwrap_or_default();
        let comments = comments.partition_point(|comment| comment.start < start);
        let between = text.comments.get(at.comment..at.comment + comments);
        at.comment += comments;
        let head = match &item.node {
            ItemKind::Loc(loc) => head_columns(text, at, loc),
            _ => None,
        };
        let below = end.is_some_and(|end| {
            // Comments inside the previous item are not between the two items.
            let between = between.unwrap_or_default();
            let after = between.partition_point(|comment| comment.start < end);
            let between = between.get(after..).unwrap_or_default();
            let breaks = breaks_around(text.source, end, between, start);
            breaks.iter().sum::<usize>() < 2
        });
        if !(below && head.is_some()) {
            columns.extend(std::iter::repeat_n(widest, run));
            (widest, run) = (0, 0);
        }
        run += 1;
        widest = widest.max(head.unwrap_or(0));
        end = head.map(|_| item.span.end);
    }
    columns.extend(std::iter::repeat_n(widest, run));
    columns
}

/// Width of a location's declaration before its `=`, in columns; 0 without an `=`, `None` if too wide to
/// align.
fn head_columns(text: Text<'_>, at: Position, loc: &LocDecl) -> Option<usize> {
    let arena = Arena::new();
    let mut printer = Printer::new(text, Docs::new(&arena), at);
    printer.loc_head(loc);
    let columns = if loc.init.is_some() {
        printer.columns
    } else {
        0
    };
    (columns <= MAX_EQUALS).then_some(columns)
}
