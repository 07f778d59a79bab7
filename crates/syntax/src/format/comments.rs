//! Gaps between two tokens: the white space of the layout and the comments of the source. A comment that ends its line
//! in the source also ends a line in the layout. A comment on a line of its own keeps a line of its own. A block comment
//! before a token stays before the token.

use super::doc::Doc;
use super::printer::{NO_LINE, Printer};
use crate::span::Span;
use crate::token::{Token, TokenKind};

/// White space that the layout has between two tokens without comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// No white space.
    None,
    /// A space.
    Space,
    /// No white space, or a line break if the group does not fit.
    Soft,
    /// A space, or a line break if the group does not fit.
    Line,
    /// A line break; a blank line in the source is kept.
    Hard,
}

/// Number of line breaks in the source between two byte offsets.
pub(super) fn breaks(source: &str, start: u32, end: u32) -> usize {
    let between = source.get(start as usize..end as usize).unwrap_or("");
    between.bytes().filter(|&byte| byte == b'\n').count()
}

/// Number of comments before the token at `next` that end their line. The remaining comments precede the token on its
/// line.
pub(super) fn ending_lines(source: &str, comments: &[Span], next: u32) -> usize {
    let mut count = comments.len();
    let mut next = next;
    while let Some(comment) = count.checked_sub(1).and_then(|at| comments.get(at)) {
        if breaks(source, comment.end, next) > 0 || is_line(source, *comment) {
            break;
        }
        next = comment.start;
        count -= 1;
    }
    count
}

fn is_line(source: &str, comment: Span) -> bool {
    comment.text(source).starts_with("--")
}

/// Lines of a comment, without trailing white space.
pub(super) fn lines(source: &str, comment: Span) -> impl Iterator<Item = &str> {
    comment.text(source).split('\n').map(str::trim_end)
}

impl<'a> Printer<'a> {
    /// Prints the gap before the next token.
    pub(super) fn gap(&mut self, gap: Gap) -> Doc<'a> {
        let (comments, last) = self.gap_parts(gap);
        self.docs.cat([comments, last])
    }

    /// Comments before the next token that are not printed yet.
    fn comments_here(&self) -> &'a [Span] {
        let rest = self
            .text
            .comments
            .get(self.at.comment..)
            .unwrap_or_default();
        let start = self.start();
        let count = rest
            .iter()
            .take_while(|comment| comment.start < start)
            .count();
        rest.get(..count).unwrap_or_default()
    }

    /// True if an unprinted comment precedes the next token.
    pub(super) fn has_comment(&self) -> bool {
        !self.gap_done && !self.comments_here().is_empty()
    }

    /// True if an unprinted comment here ends its line, so that the next token starts a line.
    pub(super) fn comment_breaks(&self) -> bool {
        let comments = self.comments_here();
        !self.gap_done && ending_lines(self.text.source, comments, self.start()) > 0
    }

    /// Prints the gap before the next token in two documents: the comments that end their line; then the line break or
    /// white space after them, with the comments on the line of the token.
    pub(super) fn gap_parts(&mut self, gap: Gap) -> (Doc<'a>, Doc<'a>) {
        let docs = self.docs;
        if std::mem::replace(&mut self.gap_done, true) {
            return (docs.nil, docs.nil);
        }
        let previous = self.at.token.checked_sub(1);
        let previous = previous.and_then(|at| self.text.tokens.get(at));
        let opens = |token: &Token| token.kind.closer().is_some();
        let after_opener = self.at.token == self.first || previous.is_some_and(opens);
        let start = self.start();
        let mut end = previous.map_or(0, |token| token.span.end);
        let comments = self.comments_here();
        if comments.is_empty() {
            return (docs.nil, self.white_space(gap, end, start, after_opener));
        }
        self.at.comment += comments.len();
        let source = self.text.source;
        let (above, before) = comments.split_at(ending_lines(source, comments, start));
        let mut parts = Vec::new();
        for (at, comment) in above.iter().enumerate() {
            parts.push(match breaks(source, end, comment.start) {
                0 => docs.space,
                1 => docs.hard,
                _ if at == 0 && after_opener => docs.hard,
                _ => docs.cat([docs.hard, docs.hard]),
            });
            parts.push(self.comment(*comment, true));
            end = comment.end;
        }
        let comments_above = docs.cat(parts);
        let next = before.first().map_or(start, |comment| comment.start);
        let mut parts = vec![match gap {
            _ if !above.is_empty() => {
                self.columns += NO_LINE;
                self.white_space(Gap::Hard, end, next, false)
            }
            Gap::None if !after_opener => self.white_space(Gap::Space, end, next, false),
            Gap::Soft if !after_opener => self.white_space(Gap::Line, end, next, false),
            gap => self.white_space(gap, end, next, after_opener),
        }];
        for (at, comment) in before.iter().enumerate() {
            if at > 0 {
                parts.push(docs.space);
                self.columns += 1;
            }
            parts.push(self.comment(*comment, false));
        }
        // `×` is printed as a comma in ASCII, without a gap before it.
        let close = match self.kind_at(0) {
            Some(TokenKind::Comma | TokenKind::Times) => gap == Gap::None,
            Some(TokenKind::Semicolon | TokenKind::Dot) | None => true,
            Some(kind) => kind.is_closer(),
        };
        if !before.is_empty() && !close {
            parts.push(self.white_space(Gap::Space, end, next, false));
        }
        (comments_above, docs.cat(parts))
    }

    fn white_space(&mut self, gap: Gap, end: u32, start: u32, after_opener: bool) -> Doc<'a> {
        let docs = self.docs;
        let at_closer = self.kind_at(0).is_none_or(TokenKind::is_closer);
        match gap {
            Gap::None => docs.nil,
            Gap::Soft | Gap::Line
                if self.keeps_breaks() && breaks(self.text.source, end, start) > 0 =>
            {
                self.columns += NO_LINE;
                docs.hard
            }
            Gap::Soft if self.keeps_breaks() => docs.nil,
            Gap::Soft => docs.soft,
            Gap::Line if !self.keeps_breaks() => {
                self.columns += 1;
                docs.line
            }
            Gap::Space | Gap::Line => {
                self.columns += 1;
                docs.space
            }
            Gap::Hard => {
                self.columns += NO_LINE;
                let blank = breaks(self.text.source, end, start) > 1;
                if blank && !after_opener && !at_closer {
                    docs.cat([docs.hard, docs.hard])
                } else {
                    docs.hard
                }
            }
        }
    }

    /// Prints a comment as written. A comment that ends its line counts as zero columns wide: it is never broken, and
    /// nothing follows it.
    fn comment(&mut self, comment: Span, ends_line: bool) -> Doc<'a> {
        let docs = self.docs;
        let mut parts = Vec::new();
        for (at, line) in lines(self.text.source, comment).enumerate() {
            if at > 0 {
                parts.push(docs.hard);
                self.columns += NO_LINE;
            }
            let width = if ends_line { 0 } else { line.chars().count() };
            self.columns += width;
            parts.push(docs.wide(line, width));
        }
        docs.flush_left(docs.cat(parts))
    }
}
