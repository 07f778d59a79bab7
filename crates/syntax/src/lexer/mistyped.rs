//! Comments, strings, numbers and words in the spellings of word processors, phones and other keyboards. Each is read as intended,
//! with an error whose fix repairs it completely.

use super::lookalike::{
    closing_marks, is_dash, is_long_dash, narrow, plain_number, resembles_digit, seen, told_apart,
};
use super::{Lexer, line_end, starts_name};
use crate::codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Span;
use crate::token::{Keyword, TokenKind};

impl Lexer<'_> {
    /// Length in bytes of the dashes here that start a comment, as in `— a comment`; `None` if they start none. A single dash may be
    /// a minus. It starts a comment before prose, or where a declaration can end and a term cannot continue.
    pub(super) fn starts_dashed_remark(&self) -> Option<usize> {
        let mut letters = self.source.get(self.at..)?.chars();
        let first = letters.next().filter(|first| is_dash(*first))?;
        if first == '−' && letters.next() != Some('−') {
            return None;
        }
        let line = self.line_ahead(self.at);
        let behind = line.trim_start_matches(is_dash);
        let sign = line.len() - behind.len();
        let dashes = line.get(..sign)?;
        let prose = is_prose(behind);
        let several = dashes.chars().nth(1).is_some();
        let long = dashes.contains(is_long_dash);
        let last = self.lexed.tokens.last().map(|token| token.kind);
        let complete = matches!(
            last,
            None | Some(TokenKind::CloseFloor | TokenKind::CloseBrace)
        );
        let is = match first {
            // One minus sign is a token, two are a double negation, and `−--` is a minus before a comment.
            '−' => several && prose && dashes.chars().all(|dash| dash == '−'),
            _ if self.depth > 0 => prose && (several || long || behind.starts_with(' ')),
            _ => several || long || complete || prose,
        };
        is.then_some(sign)
    }

    /// Remainder of this line, cut at 512 bytes: a whole text may be one line, and full scans from each such character would take
    /// quadratic time.
    fn line_ahead(&self, from: usize) -> &str {
        const MOST: usize = 512;
        let rest = self.source.get(from..).unwrap_or("");
        let end = rest.floor_char_boundary(MOST);
        let ahead = rest.get(..end).unwrap_or("");
        ahead.get(..line_end(ahead)).unwrap_or("")
    }

    /// Reads a line comment that starts with the first `sign` bytes here.
    pub(super) fn remark(&mut self, sign: usize) {
        let start = self.at;
        let rest = self.source.get(start..).unwrap_or("");
        let end = start + line_end(rest);
        let found = rest.get(..sign).unwrap_or("").to_owned();
        let place = Span::new(start, start + sign);
        self.report_other_comment("--", &found, place, (place, "--".to_owned()));
        self.hidden(start, end, Severity::Warning);
        self.lexed.comments.push(Span::new(start, end));
        self.at = end;
    }

    /// Reads a string in quotation marks other than `"`; false if none starts here or it does not end on its line.
    pub(super) fn other_string(&mut self) -> bool {
        let start = self.at;
        let Some(opening) = self.char_at(start) else {
            return false;
        };
        let Some(closing) = closing_marks(opening) else {
            return false;
        };
        let from = start + opening.len_utf8();
        let line = self.line_ahead(from);
        let mut marks = line.char_indices();
        let Some((length, close)) = marks.find(|(_, letter)| closing.contains(letter)) else {
            return false;
        };
        let inside = line.get(..length).unwrap_or("").to_owned();
        let end = from + length + close.len_utf8();
        let (sign, whole) = (Span::new(start, from), Span::new(start, end));
        let message = match opening.is_ascii() {
            true => format!("a string is written `\"…\"`, not with `{opening}`"),
            false => resembles(opening, '"'),
        };
        self.report_understood(|| {
            let error = Diagnostic::error(codes::LOOK_ALIKE, sign, message);
            error.fix("write `\"`", whole, format!("\"{inside}\""))
        });
        self.hidden(from, from + length, Severity::Warning);
        self.push(TokenKind::String, end);
        true
    }

    /// Reports a number with digits of another script or full-width digits, and returns its end offset. `None` if there is no such
    /// number.
    pub(super) fn other_number(&mut self) -> Option<usize> {
        let start = self.at;
        let digit = |at: usize| {
            let letter = self.char_at(at)?;
            let is = letter.is_ascii_digit() || resembles_digit(letter).is_some();
            is.then_some(at + letter.len_utf8())
        };
        let digits = |mut at: usize| {
            while let Some(next) = digit(at) {
                at = next;
            }
            at
        };
        let after = |at: usize, signs: &[char]| {
            let letter = self.char_at(at).filter(|letter| signs.contains(letter))?;
            Some(at + letter.len_utf8())
        };
        let mut end = digits(start);
        if let Some(point) = after(end, &['.', '．']) {
            end = match digits(point) {
                fraction if fraction > point => fraction,
                _ => end,
            };
        }
        if let Some(letter) = after(end, &['e', 'E', 'ｅ', 'Ｅ']) {
            let sign = after(letter, &['+', '-', '−', '＋', '－']).unwrap_or(letter);
            end = match digits(sign) {
                exponent if exponent > sign => exponent,
                _ => end,
            };
        }
        let span = Span::new(start, end);
        let written = span.text(self.source);
        // An ASCII number is left to the caller, which also checks the letters after it.
        if written.is_ascii() {
            return None;
        }
        let (written, plain) = (written.to_owned(), plain_number(written).into_owned());
        self.report_understood(|| {
            let message = format!("the digits of `{written}` are others than those of `{plain}`");
            let error = Diagnostic::error(codes::LOOK_ALIKE, span, message);
            error.fix(format!("write `{plain}`"), span, plain)
        });
        Some(end)
    }

    /// Reports a digit of another script inside a name.
    pub(super) fn look_alike_digit(&mut self, found: char, at: usize) {
        let Some(digit) = resembles_digit(found) else {
            return;
        };
        let span = Span::new(at, at + found.len_utf8());
        self.report_understood(|| {
            let error = Diagnostic::error(codes::LOOK_ALIKE, span, resembles(found, digit));
            error.fix(format!("write `{digit}`"), span, digit.to_string())
        });
    }

    /// Reserved word that the name up to `end` looks like, with an error. A name without any ASCII letter is a name of another
    /// script, unless it is full-width.
    pub(super) fn other_word(&mut self, text: &str, end: usize) -> Option<Keyword> {
        if text.is_ascii() {
            return None;
        }
        let plain = seen(text);
        let word = Keyword::from_text(&plain)?;
        let wide = text.chars().all(|letter| narrow(letter).is_some());
        let mixed = text.contains(|letter: char| letter.is_ascii());
        let message = match wide {
            true => format!("`{text}` is `{plain}` in letters of full width"),
            false if mixed => {
                let apart = told_apart(text, &plain).unwrap_or_default();
                format!("`{text}` looks like `{plain}` and is another word: {apart}")
            }
            false => return None,
        };
        let span = Span::new(self.at, end);
        self.report_understood(|| {
            let error = Diagnostic::error(codes::LOOK_ALIKE, span, message);
            error.fix(format!("write `{plain}`"), span, plain)
        });
        Some(word)
    }
}

fn resembles(found: char, meant: char) -> String {
    let code = u32::from(found);
    format!("`{found}` (U+{code:04X}) looks like `{meant}` and is another character")
}

/// True if a text begins with two words side by side, which no term does.
fn is_prose(text: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(starts_name)
            && word
                .chars()
                .all(|letter| starts_name(letter) || letter == '-')
            && Keyword::from_text(word).is_none()
    };
    let mut words = text.split_whitespace();
    // Punctuation after a word is removed. Arguments have a comma or a bracket after the first word, and are no prose.
    let first = words.next().map(|first| first.trim_end_matches(':'));
    let second = words.next();
    let second = second.map(|second| second.trim_end_matches([',', '.', ';', ':', '!', '?']));
    first.is_some_and(word) && second.is_some_and(word)
}
