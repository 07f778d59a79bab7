//! Input of the parser: a window on the tokens of one declaration, as a nom [`Input`], with the context that all windows
//! share. A window is two indices and a reference, so it is `Copy`.

use crate::diagnostic::Diagnostic;
use crate::limits::MAX_DIAGNOSTICS;
use crate::outline::Outline;
use crate::span::Span;
use crate::token::{Token, TokenKind};
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Input, Needed};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::iter::{Copied, Enumerate};
use std::slice::Iter;

/// State shared by all parsers of one source.
pub(super) struct Context<'a> {
    pub(super) source: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) outline: &'a Outline,
    /// Function symbols whose names no operation or command of the source has.
    pub(super) symbols: BTreeSet<&'a str>,
    /// True if the source ends in unknown characters.
    pub(super) ends_invalid: bool,
    pub(super) diagnostics: RefCell<Vec<Diagnostic>>,
    /// Spans at which the tree may not be the intended one.
    pub(super) misread: RefCell<Vec<Span>>,
    /// Index of the token at which an expectation was last reported; a second report there would repeat the mistake.
    pub(super) last_expected: Cell<Option<usize>>,
    /// True if a limit has been reported for this declaration; it is reported once.
    pub(super) limit_reported: Cell<bool>,
    /// Number of open groups.
    pub(super) nesting: Cell<u32>,
    /// Height of the tallest tree parsed so far in the innermost scope.
    pub(super) height: Cell<u32>,
}

/// A window on the tokens: from index `at` up to, not including, `end`.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) at: usize,
    end: usize,
}

/// Position at which a parser stopped. As nom's `Error`: the construct does not start here. As `Failure`: the construct
/// starts here but is broken, and the error has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) at: usize,
}

/// Result of a parser.
pub(super) type Parsed<'a, T> = IResult<Tokens<'a>, T, Stop>;

impl<'a> Tokens<'a> {
    /// Makes the window from `at` to `end`.
    pub(super) fn new(context: &'a Context<'a>, at: usize, end: usize) -> Self {
        Tokens {
            context,
            at,
            end: end.min(context.tokens.len()),
        }
    }

    fn window(self) -> &'a [Token] {
        self.context
            .tokens
            .get(self.at..self.end)
            .unwrap_or_default()
    }

    /// Token `ahead` positions after the first one.
    pub(super) fn peek(self, ahead: usize) -> Option<Token> {
        self.window().get(ahead).copied()
    }

    /// First token of the window.
    pub(super) fn first(self) -> Option<Token> {
        self.peek(0)
    }

    /// Kind of the first token.
    pub(super) fn kind(self) -> Option<TokenKind> {
        self.kind_at(0)
    }

    /// Kind of the token `ahead` positions after the first one.
    pub(super) fn kind_at(self, ahead: usize) -> Option<TokenKind> {
        self.peek(ahead).map(|token| token.kind)
    }

    /// True if the first token is of this kind.
    pub(super) fn is(self, kind: TokenKind) -> bool {
        self.kind() == Some(kind)
    }

    /// Window without its first `count` tokens.
    pub(super) fn advance(self, count: usize) -> Self {
        self.jump(self.at + count)
    }

    /// Window from the token at index `at` on.
    pub(super) fn jump(self, at: usize) -> Self {
        Tokens {
            at: at.min(self.end),
            ..self
        }
    }

    /// Index of the closer for the first token.
    pub(super) fn partner(self) -> Option<usize> {
        self.context
            .outline
            .partner(self.at)
            .filter(|&partner| partner < self.end)
    }

    /// Window after the closer for the first token.
    pub(super) fn after_partner(self) -> Option<Self> {
        self.partner().map(|partner| self.jump(partner + 1))
    }

    /// Token before the window.
    pub(super) fn previous(self) -> Option<Token> {
        self.context.tokens.get(self.at.checked_sub(1)?).copied()
    }

    /// Empty span right after the token before the window.
    pub(super) fn gap(self) -> Span {
        let end = self.previous().map_or(0, |token| token.span.end);
        Span { start: end, end }
    }

    /// Span of the first token; at the end of the window, the empty span there.
    pub(super) fn here(self) -> Span {
        self.first().map_or_else(|| self.gap(), |token| token.span)
    }

    /// Span of the text parsed from `start` to here.
    pub(super) fn since(self, start: Self) -> Span {
        match (start.first(), self.previous()) {
            (Some(first), Some(last)) if self.at > start.at => first.span.to(last.span),
            _ => start.gap(),
        }
    }

    /// Text of a token.
    pub(super) fn text(self, token: Token) -> &'a str {
        self.text_of(token.span)
    }

    /// Text of a span.
    pub(super) fn text_of(self, span: Span) -> &'a str {
        self.context
            .source
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// True if unknown characters, which have been reported, directly precede the first token.
    pub(super) fn after_invalid(self) -> bool {
        let token = self.context.tokens.get(self.at);
        token.map_or(self.context.ends_invalid, |token| token.after_invalid)
    }

    /// Keeps a diagnostic, and marks its span as misread.
    pub(super) fn report(self, diagnostic: Diagnostic) {
        let misread = diagnostic.span;
        if self.report_understood(diagnostic) {
            self.context.misread.borrow_mut().push(misread);
        }
    }

    /// Keeps a diagnostic of text whose intended reading is clear, so that the tree is the intended one. Returns true if
    /// there was room for the diagnostic.
    pub(super) fn report_understood(self, diagnostic: Diagnostic) -> bool {
        let mut diagnostics = self.context.diagnostics.borrow_mut();
        // One diagnostic more than is shown is kept, so that `in_order` can report that there are more.
        let room = diagnostics.len() <= MAX_DIAGNOSTICS;
        if room {
            diagnostics.push(diagnostic);
        }
        room
    }

    /// Runs a parser ahead and discards its reports.
    pub(super) fn quietly<T>(
        self,
        parser: impl FnOnce(Tokens<'a>) -> Parsed<'a, T>,
    ) -> Parsed<'a, T> {
        let context = self.context;
        let (said, misread) = (
            context.diagnostics.borrow().len(),
            context.misread.borrow().len(),
        );
        let (last, limit) = (context.last_expected.get(), context.limit_reported.get());
        let height = context.height.get();
        let result = parser(self);
        context.diagnostics.borrow_mut().truncate(said);
        context.misread.borrow_mut().truncate(misread);
        context.last_expected.set(last);
        context.limit_reported.set(limit);
        context.height.set(height);
        result
    }

    /// Fails with nom's `Error`: the construct does not start here.
    pub(super) fn mismatch<T>(self) -> Parsed<'a, T> {
        Err(nom::Err::Error(Stop { at: self.at }))
    }

    /// Fails with nom's `Failure`: the construct is broken. The caller must have reported it.
    pub(super) fn failure<T>(self) -> Parsed<'a, T> {
        Err(nom::Err::Failure(Stop { at: self.at }))
    }
}

impl<'a> ParseError<Tokens<'a>> for Stop {
    fn from_error_kind(input: Tokens<'a>, _: ErrorKind) -> Self {
        Stop { at: input.at }
    }

    fn append(_: Tokens<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> Input for Tokens<'a> {
    type Item = Token;
    type Iter = Copied<Iter<'a, Token>>;
    type IterIndices = Enumerate<Copied<Iter<'a, Token>>>;

    fn input_len(&self) -> usize {
        self.window().len()
    }

    fn take(&self, index: usize) -> Self {
        Tokens {
            end: self.end.min(self.at + index),
            ..*self
        }
    }

    fn take_from(&self, index: usize) -> Self {
        self.advance(index)
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        (self.take_from(index), self.take(index))
    }

    fn position<P>(&self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool,
    {
        self.window().iter().copied().position(predicate)
    }

    fn iter_elements(&self) -> Self::Iter {
        self.window().iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.window().iter().copied().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        let length = self.input_len();
        if count <= length {
            Ok(count)
        } else {
            Err(Needed::new(count - length))
        }
    }
}
