//! The cursor of the formatter. It visits the tokens of a source in order, and the tree only to classify them. So every
//! token is printed once, as written or in its other spelling. A gap between two tokens (`gap`) is white space and all the
//! comments there.

use super::Spelling;
use super::comments::Gap;
use super::doc::{Doc, Docs};
use crate::outline::Outline;
use crate::span::Span;
use crate::spellings::spellings;
use crate::token::{Keyword, Token, TokenKind};

/// Input of the formatter: a source with its tokens, comments and pairs of brackets.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) source: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) comments: &'a [Span],
    pub(super) outline: &'a Outline,
    pub(super) spelling: Spelling,
}

/// Position of the printer in the source.
#[derive(Clone, Copy, Default)]
pub(super) struct Position {
    /// Index of the next token.
    pub(super) token: usize,
    /// Index of the first comment that is not printed yet.
    pub(super) comment: usize,
}

/// The printer of one declaration.
pub(super) struct Printer<'a> {
    pub(super) text: Text<'a>,
    pub(super) docs: Docs<'a>,
    pub(super) at: Position,
    /// Index of the first token of the declaration.
    pub(super) first: usize,
    /// True if the gap before the next token is already printed.
    pub(super) gap_done: bool,
    /// Width of the printed text if it is on one line, in columns; at least [`NO_LINE`] if it contains a line break.
    pub(super) columns: usize,
    /// Current depth of indentation.
    depth: usize,
    /// Number of clauses around the cursor, for the bound on tried layouts.
    pub(super) choices: usize,
}

/// Width that stands for text that cannot be on one line.
pub(super) const NO_LINE: usize = 1 << 20;

/// Maximum depth of indentation; deeper text is not indented further.
const MAX_INDENTED: usize = 24;

impl<'a> Printer<'a> {
    pub(super) fn new(text: Text<'a>, docs: Docs<'a>, at: Position) -> Self {
        Printer {
            text,
            docs,
            at,
            first: at.token,
            gap_done: false,
            columns: 0,
            depth: 0,
            choices: 0,
        }
    }

    /// True if line breaks of the source are kept: the source is already formatted, and only its spelling changes. So both
    /// spellings of a program break lines at the same tokens, although lines in ASCII may be too wide.
    pub(super) fn keeps_breaks(&self) -> bool {
        self.text.spelling == Spelling::Ascii
    }

    fn token_at(&self, ahead: usize) -> Option<Token> {
        self.text.tokens.get(self.at.token + ahead).copied()
    }

    /// Kind of the token `ahead` positions after the next one.
    pub(super) fn kind_at(&self, ahead: usize) -> Option<TokenKind> {
        self.token_at(ahead).map(|token| token.kind)
    }

    /// True if the next token is of this kind.
    pub(super) fn is(&self, kind: TokenKind) -> bool {
        self.kind_at(0) == Some(kind)
    }

    /// Start offset of the next token.
    pub(super) fn start(&self) -> u32 {
        let end = self.text.source.len();
        let span = self
            .token_at(0)
            .map_or(Span::new(end, end), |next| next.span);
        span.start
    }

    /// Prints the next token in the output spelling, after its gap unless `gap` has printed that already.
    pub(super) fn token(&mut self) -> Doc<'a> {
        let text = match self.token_at(0) {
            Some(token) => self.spelled(token),
            None => "",
        };
        self.token_as(text)
    }

    /// Prints the next token as this text.
    pub(super) fn token_as(&mut self, text: &'a str) -> Doc<'a> {
        let docs = self.docs;
        let before = self.gap(Gap::None);
        self.at.token += 1;
        self.gap_done = false;
        self.columns += text.chars().count();
        docs.cat([before, docs.text(text)])
    }

    fn spelled(&self, token: Token) -> &'a str {
        use TokenKind::*;
        let ascii = self.text.spelling == Spelling::Ascii;
        match token.kind {
            Identifier | Number | String | Underscore | Projection => {
                token.span.text(self.text.source)
            }
            Times if ascii => "*",
            OpenFloor if ascii => "pure(",
            OpenCeiling if ascii => "ceil(",
            CloseFloor | CloseCeiling if ascii => ")",
            kind if ascii => {
                let unicode = kind.spelling();
                let spelling = spellings().iter().find(|(_, other)| *other == unicode);
                spelling.map_or(unicode, |(ascii, _)| ascii)
            }
            kind => kind.spelling(),
        }
    }

    /// Prints the next token with these gaps on both sides.
    pub(super) fn spaced(&mut self, before: Gap, after: Gap) -> Doc<'a> {
        let docs = self.docs;
        docs.cat([self.gap(before), self.token(), self.gap(after)])
    }

    /// True if the source has a line break before the token at `at`.
    pub(super) fn breaks_before(&self, at: usize) -> bool {
        let end = |token: &Token| token.span.end as usize;
        let before = at.checked_sub(1).and_then(|at| self.text.tokens.get(at));
        let (Some(before), Some(token)) = (before, self.text.tokens.get(at)) else {
            return false;
        };
        let between = end(before)..token.span.start as usize;
        let between = self.text.source.get(between).unwrap_or("");
        between.contains('\n')
    }

    /// Index of the first token that starts at `offset` or later.
    pub(super) fn token_from(&self, offset: u32) -> usize {
        self.text
            .tokens
            .partition_point(|token| token.span.start < offset)
    }

    /// Index of the token that closes the next one.
    pub(super) fn partner(&self) -> Option<usize> {
        self.text.outline.partner(self.at.token)
    }

    /// Number of bracket pairs around a node that starts here, without its `own` pairs. The tree does not record redundant
    /// brackets.
    pub(super) fn brackets_around(&self, span: Span, own: usize) -> usize {
        let mut count = 0;
        let mut end = span.end;
        while let Some(TokenKind::OpenParen | TokenKind::OpenAngle) = self.kind_at(count) {
            let closer = self.text.outline.partner(self.at.token + count);
            let closes_at = |at: usize| self.text.tokens.get(at).map(|token| token.span.end);
            let Some(closer) = closer.filter(|&at| closes_at(at) == Some(end)) else {
                break;
            };
            count += 1;
            end = closes_at(closer - 1).unwrap_or(0);
        }
        count.saturating_sub(own)
    }

    /// Prints `content` inside `count` bracket pairs.
    pub(super) fn inside_brackets(
        &mut self,
        count: usize,
        content: impl FnOnce(&mut Self) -> Doc<'a>,
    ) -> Doc<'a> {
        let docs = self.docs;
        let openers: Vec<Doc<'a>> = (0..count).map(|_| self.token()).collect();
        let before = self.gap(Gap::None);
        let content = content(self);
        let closers: Vec<Doc<'a>> = (0..count).map(|_| self.token()).collect();
        let openers = docs.cat(openers);
        if count > 0 {
            docs.cat([
                openers,
                docs.align(docs.cat([before, content, docs.cat(closers)])),
            ])
        } else {
            docs.cat([before, content])
        }
    }

    /// Prints `content`, with the lines after its first indented.
    pub(super) fn indented(&mut self, content: impl FnOnce(&mut Self) -> Doc<'a>) -> Doc<'a> {
        self.depth += 1;
        let by = if self.depth <= MAX_INDENTED { 2 } else { 0 };
        let content = content(self);
        self.depth -= 1;
        self.docs.nest(by, content)
    }

    /// Prints `entries` in brackets; if they do not fit on the line, they start below the opening bracket, indented.
    pub(super) fn bracketed(&mut self, entries: impl FnOnce(&mut Self) -> Doc<'a>) -> Doc<'a> {
        let docs = self.docs;
        let open = self.token();
        let mut comments = docs.nil;
        let mut last = docs.nil;
        let content = self.indented(|p| {
            let entries = docs.cat([p.gap(Gap::Soft), entries(p)]);
            (comments, last) = p.gap_parts(Gap::None);
            docs.cat([entries, comments])
        });
        docs.group(docs.cat([open, content, last, self.token()]))
    }

    /// Prints `entries` in brackets, with all their lines in the column of the first.
    pub(super) fn bracketed_aligned(
        &mut self,
        entries: impl FnOnce(&mut Self) -> Doc<'a>,
    ) -> Doc<'a> {
        let docs = self.docs;
        let open = self.token();
        let content = docs.cat([self.gap(Gap::None), entries(self), self.token()]);
        docs.group(docs.cat([open, docs.align(content)]))
    }

    /// Prints an empty pair of brackets; `None` if the next tokens are no such pair.
    pub(super) fn empty_brackets(&mut self) -> Option<Doc<'a>> {
        let closer = self.partner()?;
        let docs = self.docs;
        (closer == self.at.token + 1).then(|| docs.cat([self.token(), self.token()]))
    }

    /// Prints entries separated by commas: all on one line if they fit, else one per line.
    pub(super) fn list<T>(
        &mut self,
        entries: &[T],
        mut entry: impl FnMut(&mut Self, &T) -> Doc<'a>,
    ) -> Doc<'a> {
        let mut parts = Vec::with_capacity(entries.len() * 3);
        for (at, each) in entries.iter().enumerate() {
            if at > 0 {
                parts.push(self.token());
                parts.push(self.gap(Gap::Line));
            }
            parts.push(entry(self, each));
        }
        self.docs.cat(parts)
    }

    /// Prints entries separated by commas, as many per line as fit.
    pub(super) fn fill<T>(
        &mut self,
        entries: &[T],
        mut entry: impl FnMut(&mut Self, &T) -> Doc<'a>,
    ) -> Doc<'a> {
        let docs = self.docs;
        let mut parts = Vec::with_capacity(entries.len() * 3);
        for (at, each) in entries.iter().enumerate() {
            if at > 0 {
                parts.push(self.token());
                parts.push(docs.group(self.gap(Gap::Line)));
            }
            parts.push(entry(self, each));
        }
        docs.cat(parts)
    }

    /// True if the next token would start a declaration if it were the first of its line.
    pub(super) fn must_stay_on_its_line(&self) -> bool {
        matches!(self.kind_at(0), Some(TokenKind::Word(word)) if Keyword::starts_item(word))
    }
}
