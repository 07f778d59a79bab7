//! Number literals, and those of other languages. The longest valid prefix is read; the error for the remainder advises on the spelling.

use super::invisible::invisible;
use super::{Lexer, continues_name, is_digits, starts_name};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::TokenKind;

impl Lexer<'_> {
    fn digits(&self, from: usize) -> usize {
        let rest = self.source.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    pub(super) fn number(&mut self) {
        if let Some(end) = self.other_number() {
            self.push(TokenKind::Number, end);
            return;
        }
        let start = self.at;
        let mut end = self.digits(start);
        if self.byte(end) == Some(b'.') && self.digits(end + 1) > end + 1 {
            end = self.digits(end + 1);
        }
        end = self.exponent(end).unwrap_or(end);
        let mut run = end;
        let goes_on = |c: &char| continues_name(*c) && invisible(*c).is_none();
        while let Some(c) = self.char_at(run).filter(goes_on) {
            run += c.len_utf8();
        }
        if run > end {
            run = self.without_digits(end, run).unwrap_or(run);
            let span = Span::new(start, run);
            let error = run_on(span, self.source, end - start);
            self.report(|| error);
            self.lexed.invalid.push(Span::new(end, run));
        }
        let bare = (run == end).then(|| self.bare_point(end)).flatten();
        // The token covers the valid prefix only, so that its value can be read from its span.
        self.push(TokenKind::Number, end);
        self.at = match bare {
            Some(behind) => self.report_bare_point(start, end, behind),
            None => run,
        };
    }

    /// End of the exponent that starts here, if there is one.
    fn exponent(&self, from: usize) -> Option<usize> {
        if !matches!(self.byte(from), Some(b'e' | b'E')) {
            return None;
        }
        let sign = usize::from(matches!(self.byte(from + 1), Some(b'+' | b'-')));
        let digits = from + 1 + sign;
        Some(self.digits(digits)).filter(|end| *end > digits)
    }

    /// End of an exponent with a sign but without digits, as in `1e+`. `end` is the end of the digits, `run` the end of the name
    /// characters after them.
    fn without_digits(&self, end: usize, run: usize) -> Option<usize> {
        let exponent = matches!(self.source.get(end..run), Some("e" | "E"));
        let signed = matches!(self.byte(run), Some(b'+' | b'-'));
        let behind = self.char_at(run + 1);
        let lone = behind.is_none_or(|c| c.is_whitespace() || ",;)]⟩⌋".contains(c));
        (exponent && signed && lone).then_some(run + 1)
    }

    /// End of a point, or of a point with an exponent, that should have digits after it: `5.`, `5.e3`. `None` after a component, as in
    /// `x.1.`, and before a word or a sign, where the point is a token of its own.
    fn bare_point(&self, end: usize) -> Option<usize> {
        let component = self.lexed.tokens.last().map(|last| last.kind) == Some(TokenKind::Dot);
        if self.byte(end) != Some(b'.') || component {
            return None;
        }
        let point = end + 1;
        if let Some(exponent) = self.exponent(point) {
            let whole = !self.char_at(exponent).is_some_and(continues_name);
            return whole.then_some(exponent);
        }
        let rest = self.source.get(point..).unwrap_or("");
        let next = rest.trim_start();
        let taken = |c: char| starts_name(c) || c.is_ascii_digit() || ".*⋅·".contains(c);
        // A comment may stand between the point and its continuation.
        let taken = next.starts_with(taken) || next.starts_with("--") || next.starts_with("{-");
        (!taken).then_some(point)
    }

    fn report_bare_point(&mut self, start: usize, end: usize, behind: usize) -> usize {
        let span = Span::new(start, behind);
        let written = span.text(self.source).to_owned();
        let place = Span::new(end, end + 1);
        let plain = written.replacen('.', "", 1);
        let error = || {
            let message = format!("a number ends with a digit: `{plain}`, not `{written}`");
            let error = Diagnostic::error(codes::NO_DIGIT, span, message);
            error.fix(format!("write `{plain}`"), place, "")
        };
        // With an exponent, the digits alone are another number, so the span is marked as misread.
        match behind > end + 1 {
            true => self.report(error),
            false => {
                self.report_understood(error);
            }
        }
        behind
    }

    /// True if a number without its first digit starts here, rather than a projection.
    pub(super) fn starts_decimal(&self) -> bool {
        let operand = self.lexed.tokens.last();
        self.byte(self.at + 1)
            .is_some_and(|byte| byte.is_ascii_digit())
            && !operand.is_some_and(|token| token.kind.ends_operand())
    }

    pub(super) fn report_decimal(&mut self) {
        let (start, end) = (self.at, self.digits(self.at + 1));
        let span = Span::new(start, end);
        let written = span.text(self.source).to_owned();
        let place = Span::new(start, start);
        self.report_understood(|| {
            Diagnostic::error(
                codes::NO_DIGIT,
                span,
                format!("a number starts with a digit: `0{written}`, not `{written}`"),
            )
            .fix(format!("write `0{written}`"), place, "0")
        });
    }
}

/// Error for a number with name characters right after it; the first `length` bytes are read as the number.
fn run_on(span: Span, source: &str, length: usize) -> Diagnostic {
    let written = span.text(source);
    let (number, rest) = written.split_at_checked(length).unwrap_or((written, ""));
    let message = format!("`{written}` is neither a number nor a name");
    let error = Diagnostic::error(codes::NUMBER_IN_NAME, span, message);
    let write = |error: Diagnostic, text: String| error.fix(format!("write `{text}`"), span, text);
    if let Some(plain) = ungrouped(written) {
        return write(
            error.hint("the digits of a number stand side by side"),
            plain,
        );
    }
    if let Some((base, value)) = in_other_base(number, rest) {
        let hint = format!("numbers are decimal, and this is one to the base {base}");
        return write(error.hint(hint), value);
    }
    if matches!(rest, "e" | "E" | "e+" | "e-" | "E+" | "E-") {
        let mut hint = format!("an exponent has digits, as in `{number}e3`");
        if rest.len() == 1 {
            hint.push_str(&format!("; a product is `{number} · {rest}`"));
        }
        return error.hint(hint);
    }
    let suffix = |rest: &str| {
        let word = rest.to_ascii_lowercase();
        matches!(
            word.as_str(),
            "f" | "d" | "l" | "u" | "f16" | "f32" | "f64" | "i32" | "i64" | "u8" | "u32"
        )
    };
    if suffix(rest) {
        let hint = format!(
            "a number says nothing of its type: `{number}`; a product is `{number} · {rest}`"
        );
        return error.hint(hint);
    }
    if let Some(exponent) = rest.strip_prefix(['d', 'D'])
        && is_digits(exponent)
    {
        let plain = format!("{number}e{exponent}");
        return write(error.hint("an exponent begins with `e`"), plain);
    }
    error.hint(format!(
        "write a space or an operator between `{number}` and `{rest}`"
    ))
}

/// The number without its digit separators, `_` or `'`, if that is a number.
fn ungrouped(written: &str) -> Option<String> {
    let grouped = written.contains(['_', '\'']);
    let plain: String = written.replace(['_', '\''], "");
    let digits = plain
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    // A prime at the end is no separator.
    let ends = written.ends_with(|last: char| last.is_ascii_digit());
    (grouped && digits && ends).then_some(plain)
}

/// Base and decimal text of a number such as `0x10`.
fn in_other_base(number: &str, rest: &str) -> Option<(u32, String)> {
    if number != "0" {
        return None;
    }
    let base = match rest.chars().next()? {
        'x' | 'X' => 16,
        'o' | 'O' => 8,
        'b' | 'B' => 2,
        _ => return None,
    };
    let digits = rest.get(1..)?.replace('_', "");
    let value = u64::from_str_radix(&digits, base).ok()?;
    Some((base, value.to_string()))
}
