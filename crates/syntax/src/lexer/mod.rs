//! Conversion of text to tokens, as in section "Tokens" of the language page. The lexer makes one pass, takes the
//! longest match, and accepts every input: characters of no token are reported and skipped, and a look-alike is read as
//! the token it resembles.

mod characters;
mod invisible;
mod lookalike;
mod mistyped;
mod number;

use crate::codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::MAX_DIAGNOSTICS;
use crate::span::Span;
use crate::token::{Keyword, Token, TokenKind};
use characters::{ascii_symbol, unicode_symbol};
pub(crate) use characters::{continues_name, starts_name};
use invisible::{breaks_elsewhere, broken, invisible, turns, unseen};
pub(crate) use lookalike::{plain_number, resembles_digit, resembles_prime, unquoted};
pub use lookalike::{seen, told_apart};

/// Tokens of a source, with the comments and invalid characters between them.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// Tokens, in source order.
    pub(crate) tokens: Vec<Token>,
    /// Line and block comments.
    pub(crate) comments: Vec<Span>,
    /// Runs of characters that are part of no token. Unterminated strings and comments are not included.
    pub(crate) invalid: Vec<Span>,
    /// True if the source ends in a run of invalid characters.
    pub(crate) ends_invalid: bool,
    /// Diagnostics, at most `MAX_DIAGNOSTICS` + 1.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Spans at which the tokens may not be the intended ones.
    pub(crate) misread: Vec<Span>,
}

/// Splits `source` into tokens.
pub(crate) fn lex(source: &str) -> Lexed {
    let mut lexer = Lexer {
        source,
        at: 0,
        new_line: true,
        after_invalid: false,
        depth: 0,
        lexed: Lexed::default(),
    };
    lexer.lexed.tokens.reserve(source.len() / 4);
    if source.starts_with('\u{FEFF}') {
        lexer.at = '\u{FEFF}'.len_utf8();
    }
    while lexer.at < source.len() {
        lexer.step();
    }
    lexer.lexed.ends_invalid = lexer.after_invalid;
    lexer.lexed
}

/// True if a text is a name: one identifier that is no reserved word.
pub fn is_name(text: &str) -> bool {
    let lexed = lex(text);
    let whole =
        |token: &Token| token.kind == TokenKind::Identifier && token.span.text(text) == text;
    matches!(lexed.tokens.as_slice(), [only] if whole(only))
        && lexed.diagnostics.is_empty()
        && lexed.comments.is_empty()
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    new_line: bool,
    after_invalid: bool,
    /// Number of open brackets that contain terms: parentheses, square brackets and floors.
    depth: usize,
    lexed: Lexed,
}

impl Lexer<'_> {
    /// Reads one token, comment or run of white space.
    fn step(&mut self) {
        let start = self.at;
        let Some(first) = self.byte(start) else {
            self.at = self.source.len();
            return;
        };
        match first {
            b'\n' => {
                self.new_line = true;
                self.at += 1;
            }
            b'\r' => {
                self.new_line = true;
                self.at += 1;
            }
            b' ' | b'\t' => self.at += 1,
            0x0B | 0x0C => self.break_elsewhere(char::from(first)),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.name(),
            b'0'..=b'9' => self.number(),
            b'"' => self.string(start + 1),
            b'\'' | b'`' if self.other_string() => {}
            b'-' if self.byte(start + 1) == Some(b'-') => self.line_comment(),
            b'{' if self.byte(start + 1) == Some(b'-') => self.block_comment(),
            b'/' if matches!(self.byte(start + 1), Some(b'/' | b'*')) => self.other_comment(),
            b'#' if self.starts_remark() => self.other_comment(),
            b'.' if self.starts_decimal() => {
                self.report_decimal();
                self.number();
            }
            b'^' if self.transposes() => self.push(TokenKind::Transpose, start + 2),
            b'^' if self.transposes_small() => {
                let span = Span::new(start, start + 2);
                self.report_understood(|| {
                    Diagnostic::error(
                        codes::LOOK_ALIKE,
                        span,
                        "transpose is written `^T` or `ᵀ`, with a capital",
                    )
                    .fix("write `ᵀ`", span, "ᵀ")
                });
                self.push(TokenKind::Transpose, start + 2);
            }
            0x80.. => self.beyond_ascii(),
            _ => {
                let last = self.lexed.tokens.last();
                let after_operand = last.is_some_and(|token| token.kind.ends_operand());
                let rest = self.source.as_bytes().get(start..).unwrap_or_default();
                match ascii_symbol(rest, after_operand) {
                    Some((kind, length)) => self.push(kind, start + length),
                    None => self.unknown(),
                }
            }
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.as_bytes().get(at).copied()
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.source.get(at..)?.chars().next()
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        match kind {
            TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::OpenFloor => self.depth += 1,
            TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::CloseFloor => {
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
        self.lexed.tokens.push(Token {
            kind,
            span: Span::new(self.at, end),
            new_line: std::mem::take(&mut self.new_line),
            after_invalid: std::mem::take(&mut self.after_invalid),
        });
        self.at = end;
    }

    fn report(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        let misread = self.report_understood(diagnostic);
        self.lexed.misread.extend(misread);
    }

    /// Keeps a diagnostic of text whose intended reading is clear; returns its span if it was kept.
    fn report_understood(&mut self, diagnostic: impl FnOnce() -> Diagnostic) -> Option<Span> {
        // The lexer keeps one diagnostic more than is shown, so that the parser can report that there are more.
        if self.lexed.diagnostics.len() > MAX_DIAGNOSTICS {
            return None;
        }
        self.lexed.diagnostics.push(diagnostic());
        self.lexed.diagnostics.last().map(|last| last.span)
    }

    /// True if `^T` is here and no name character follows.
    fn transposes(&self) -> bool {
        self.byte(self.at + 1) == Some(b'T')
            && !self.char_at(self.at + 2).is_some_and(continues_name)
    }

    /// True if `^t` is here, after an operand, and no name character follows.
    fn transposes_small(&self) -> bool {
        let operand = self.lexed.tokens.last();
        operand.is_some_and(|token| token.kind.ends_operand())
            && self.byte(self.at + 1) == Some(b't')
            && !self.char_at(self.at + 2).is_some_and(continues_name)
    }

    fn beyond_ascii(&mut self) {
        let start = self.at;
        let Some(character) = self.char_at(start) else {
            // Unreachable: `at` is on a character boundary. The step forward guarantees termination.
            self.at += 1;
            return;
        };
        let end = start + character.len_utf8();
        if let Some(sign) = self.starts_dashed_remark() {
            self.remark(sign);
        } else if let Some(kind) = unicode_symbol(character) {
            self.push(kind, end);
        } else if self.other_string() {
            // `other_string` has read the string.
        } else if matches!(character, '“' | '„' | '‟') {
            self.look_alike(character, start, "\"");
            self.string(end);
        } else if resembles_digit(character).is_some() {
            self.number();
        } else if invisible(character).is_some() {
            self.unknown();
        } else if let Some(text) = lookalike::resembles(character) {
            self.look_alike(character, start, text);
            let kind = match text.chars().next() {
                Some(token) if !token.is_ascii() => unicode_symbol(token),
                _ => ascii_symbol(text.as_bytes(), true).map(|(kind, _)| kind),
            };
            match kind {
                Some(kind) => self.push(kind, end),
                None => self.at = end,
            }
        } else if starts_name(character) {
            self.name();
        } else if breaks_elsewhere(character).is_some() {
            self.break_elsewhere(character);
        } else if character.is_whitespace() {
            self.at = end;
        } else {
            self.unknown();
        }
    }

    /// Skips a character that other programs show as a line end, and reports it.
    fn break_elsewhere(&mut self, found: char) {
        let end = self.at + found.len_utf8();
        let span = Span::new(self.at, end);
        self.report_broken(found, Severity::Hint, span);
        self.new_line |= !found.is_ascii();
        self.at = end;
    }

    /// Reports a line end of other programs, once per severity: every line of a text may end in such a character.
    fn report_broken(&mut self, found: char, severity: Severity, span: Span) {
        let told = |known: &Diagnostic| known.severity == severity;
        if !self.lexed.diagnostics.iter().any(told) {
            self.report_understood(|| broken(found, severity, span));
        }
    }

    fn look_alike(&mut self, found: char, at: usize, meant: &'static str) {
        let span = Span::new(at, at + found.len_utf8());
        self.report_understood(|| {
            Diagnostic::error(
                codes::LOOK_ALIKE,
                span,
                format!(
                    "`{found}` (U+{:04X}) looks like `{meant}` and is another character",
                    found as u32
                ),
            )
            .fix(format!("write `{meant}`"), span, meant)
        });
    }

    fn name(&mut self) {
        let start = self.at;
        let mut end = start;
        loop {
            match self.byte(end) {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'\'') => end += 1,
                Some(0x80..) => match self.char_at(end) {
                    Some(c) => match lookalike::resembles_prime(c) {
                        Some(prime) if end > start => {
                            self.look_alike(c, end, prime);
                            end += c.len_utf8();
                        }
                        _ if invisible(c).is_some() => break,
                        _ if resembles_digit(c).is_some() => {
                            self.look_alike_digit(c, end);
                            end += c.len_utf8();
                        }
                        _ if continues_name(c) => end += c.len_utf8(),
                        _ => break,
                    },
                    None => break,
                },
                _ => break,
            }
        }
        let text = self.source.get(start..end).unwrap_or("");
        let kind = if text == "_" {
            TokenKind::Underscore
        } else if let Some(word) = Keyword::from_text(text) {
            TokenKind::Word(word)
        } else if let Some(word) = self.other_word(text, end) {
            TokenKind::Word(word)
        } else if text.strip_prefix("proj_").is_some_and(is_digits) {
            TokenKind::Projection
        } else {
            TokenKind::Identifier
        };
        self.push(kind, end);
    }

    /// Reads a string from its opening quote at `self.at`, whose text starts at `from`. A string ends at the end of its
    /// line at the latest.
    fn string(&mut self, from: usize) {
        let rest = self.source.get(from..).unwrap_or("");
        // A `"` closes the string; other closing marks are searched for only if the line has no `"`.
        let close = rest.find(['"', '\n', '\r']);
        if let Some(length) = close.filter(|at| rest.as_bytes().get(*at) == Some(&b'"')) {
            self.hidden(from, from + length, Severity::Warning);
            self.push(TokenKind::String, from + length + 1);
            return;
        }
        let line = rest.get(..close.unwrap_or(rest.len())).unwrap_or("");
        if let Some((length, close)) = line
            .char_indices()
            .find(|(_, c)| lookalike::DOUBLE.contains(c))
        {
            self.look_alike(close, from + length, "\"");
            self.push(TokenKind::String, from + length + close.len_utf8());
            return;
        }
        let written = line.trim_end();
        let end = from + written.len();
        // The fix for `csv("points.csv)` closes the string before the parenthesis.
        let close = from + written.trim_end_matches([')', ',']).len();
        let span = Span::new(self.at, end.max(self.at + 1));
        self.report(|| {
            Diagnostic::error(codes::OPEN_STRING, span, "this string has no closing `\"`")
                .hint("a string ends on the line it starts on")
                .fix("close the string", Span::new(close, close), "\"")
        });
        self.push(TokenKind::String, end);
        // The string contains the closing bracket, so the error for the missing bracket is suppressed.
        self.after_invalid = true;
    }

    fn line_comment(&mut self) {
        let rest = self.source.get(self.at..).unwrap_or("");
        let end = self.at + line_end(rest);
        self.hidden(self.at, end, Severity::Warning);
        self.lexed.comments.push(Span::new(self.at, end));
        self.at = end;
    }

    /// True if the `#` here is the first character on its line, or has white space on both sides.
    fn starts_remark(&self) -> bool {
        let before = self.source.get(..self.at).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let first = before
            .get(line..)
            .is_some_and(|line| line.trim().is_empty());
        let apart = |byte: Option<u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace());
        let spaced = apart(self.at.checked_sub(1).and_then(|at| self.byte(at)));
        first || (spaced && apart(self.byte(self.at + 1)))
    }

    /// Reads `// …`, `# …` and `/* … */`, comments of other languages, with an error.
    fn other_comment(&mut self) {
        let start = self.at;
        let rest = self.source.get(start..).unwrap_or("");
        let line = line_end(rest);
        let closed = rest.find("*/").filter(|_| rest.starts_with("/*"));
        let sign = rest.len() - rest.trim_start_matches(['/', '*', '#']).len();
        let (end, written, fix) = match closed {
            Some(closed) => {
                let inner = rest.get(2..closed).unwrap_or("").trim_matches('*').trim();
                let span = Span::new(start, start + closed + 2);
                (
                    start + closed + 2,
                    "{- … -}",
                    (span, format!("{{- {inner} -}}")),
                )
            }
            None => {
                let span = Span::new(start, start + sign.min(line));
                (start + line, "--", (span, "--".to_owned()))
            }
        };
        let found = rest.get(..sign.min(2)).unwrap_or("").to_owned();
        let place = Span::new(start, start + found.len());
        self.report_other_comment(written, &found, place, fix);
        let severity = match closed {
            Some(_) => Severity::Hint,
            None => Severity::Warning,
        };
        self.hidden(start, end, severity);
        let comment = Span::new(start, end);
        self.new_line |= comment.text(self.source).contains('\n');
        self.lexed.comments.push(comment);
        self.at = end;
    }

    fn report_other_comment(
        &mut self,
        written: &str,
        found: &str,
        place: Span,
        (span, text): (Span, String),
    ) {
        self.report_understood(|| {
            Diagnostic::error(
                codes::OTHER_COMMENT,
                place,
                format!("a comment is written `{written}`, not with `{found}`"),
            )
            .fix(format!("write `{written}`"), span, text)
        });
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let bytes = self.source.as_bytes();
        let (mut depth, mut end) = (0_usize, start);
        loop {
            match bytes.get(end..).unwrap_or_default() {
                [b'{', b'-', ..] => (depth, end) = (depth + 1, end + 2),
                [b'-', b'}', ..] => (depth, end) = (depth.saturating_sub(1), end + 2),
                [b'\n', ..] => (self.new_line, end) = (true, end + 1),
                [_, ..] => end += 1,
                [] => break,
            }
            if depth == 0 {
                break;
            }
        }
        if depth > 0 {
            let opener = Span::new(start, start + 2);
            let close = " -}".repeat(depth.min(8));
            self.report(|| {
                let end = Span::new(end, end);
                Diagnostic::error(codes::OPEN_COMMENT, opener, "this comment is never closed")
                    .hint("block comments nest: every `{-` needs its own `-}`")
                    .fix("close the comment at the end of the file", end, close)
            });
        }
        // A block comment continues after the end of a line, so hidden line ends do not change the tokens.
        self.hidden(start, end, Severity::Hint);
        self.lexed.comments.push(Span::new(start, end));
        self.at = end;
    }

    /// Reports hidden characters in a comment or a string. A change of text direction is an error; a line end of other
    /// programs has the given severity.
    fn hidden(&mut self, start: usize, end: usize, severity: Severity) {
        let text = self.source.get(start..end).unwrap_or("");
        if text.is_ascii() && !text.contains(['\u{b}', '\u{c}']) {
            return;
        }
        for (at, character) in text.char_indices() {
            let span = Span::new(start + at, start + at + character.len_utf8());
            if turns(character) {
                self.report_understood(|| unseen(character, 0, span));
            } else if breaks_elsewhere(character).is_some() {
                self.report_broken(character, severity, span);
            }
        }
    }

    /// Skips the longest run of characters that start no token, and reports it.
    fn unknown(&mut self) {
        let start = self.at;
        let mut end = start;
        let first = self.char_at(start);
        let hidden = first.is_some_and(|first| invisible(first).is_some());
        while let Some(character) = self.char_at(end) {
            let known = invisible(character).is_none() && self.is_known(end, character);
            if end > start && (known || invisible(character).is_some() != hidden) {
                break;
            }
            end += character.len_utf8();
        }
        let span = Span::new(start, end);
        let run = self.source.get(start..end).unwrap_or("").to_owned();
        match first.filter(|_| hidden) {
            Some(first) => self.report(|| unseen(first, run.chars().count() - 1, span)),
            None => self.report(|| unknown_characters(&run, span)),
        }
        self.lexed.invalid.push(span);
        self.after_invalid = true;
        self.at = end;
    }

    fn is_known(&self, at: usize, character: char) -> bool {
        if !character.is_ascii() {
            return character.is_whitespace()
                || starts_name(character)
                || unicode_symbol(character).is_some()
                || lookalike::closing_marks(character).is_some()
                || resembles_digit(character).is_some()
                || lookalike::resembles(character).is_some();
        }
        let rest = self.source.as_bytes().get(at..).unwrap_or_default();
        character.is_ascii_whitespace()
            || character == '\u{0B}'
            || character.is_ascii_alphanumeric()
            || matches!(character, '_' | '"')
            || ascii_symbol(rest, true).is_some()
            || rest.starts_with(b"^T")
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Offset of the end of the first line.
fn line_end(rest: &str) -> usize {
    rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// Form of a character for messages: control characters are escaped.
fn visible(character: char) -> String {
    match character {
        _ if character.is_control() => character.escape_default().to_string(),
        _ => character.to_string(),
    }
}

fn unknown_characters(run: &str, span: Span) -> Diagnostic {
    let mut shown: String = run.chars().take(12).map(visible).collect();
    if run.chars().nth(12).is_some() {
        shown.push('…');
    }
    let message = format!("`{shown}` means nothing in the language");
    let error = Diagnostic::error(codes::UNKNOWN_CHARACTER, span, message);
    match run.chars().next() {
        Some('^') => error.hint("transpose is `^T`; for powers use `square(x)` or `pow(x, p)`"),
        Some('²' | '³' | '¹' | '⁰' | '⁴'..='⁹') => {
            error.hint("for powers use `square(x)` or `pow(x, p)`")
        }
        Some('#' | '%') => error.hint("a comment starts with `--`"),
        Some('\\') => {
            error.hint("the editor turns names such as `\\alpha` into `α` as they are typed")
        }
        Some('&' | '~' | '!' | '?') => {
            error.hint("there are no truth values: `less(a, b)` is 1 where a < b and 0 where a > b, and `where(c, a, b)` chooses by the sign of c")
        }
        Some('→') => error
            .hint("a clause has `↦`, an operation's type has `▷`")
            .fix("write `↦`", span, "↦"),
        Some('\u{FFFD}') => error.hint("the file is not valid UTF-8 here"),
        _ => error,
    }
}
