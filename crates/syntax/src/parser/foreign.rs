//! Advice for words and signs of other languages that the Fletch grammar does not accept at their position.

use super::input::Tokens;
use crate::token::TokenKind;

const CONDITION: &str = "there is no conditional: `where(c, a, b)` has the entries of a where c is positive and those of b where it is negative; both are computed";
const LOOP: &str = "there are no loops that a value ends: `iterate[i : n](x)⟨x⟩. P` does P n times, for a size n, and `feedback[n](s, xs)⟨s, x⟩. P` goes through n rows of xs";
const COMPARISON: &str = "there are no truth values: `less(a, b)` is 1 where a < b and 0 where a > b, and `where(c, a, b)` chooses by the sign of c";
const VALUE: &str = "`⌊M⌋` is the command that returns the value of M";

/// Advice for a word of another language; `None` for other words.
pub fn foreign_word(text: &str) -> Option<&'static str> {
    match text {
        "if" | "then" | "else" | "elif" | "case" | "match" | "when" | "cond" | "select"
        | "switch" => Some(CONDITION),
        "while" | "for" | "repeat" | "loop" | "scan" => Some(LOOP),
        "return" => Some(VALUE),
        _ => None,
    }
}

/// Advice for the token here, or for the word right before it on the same line.
pub(super) fn advice(i: Tokens<'_>) -> Option<&'static str> {
    let found = i.first()?;
    match found.kind {
        TokenKind::OpenAngle | TokenKind::CloseAngle | TokenKind::Bind
            if matches!(i.text(found), "<" | ">" | "<=") =>
        {
            Some(COMPARISON)
        }
        TokenKind::Equals if i.kind_at(1) == Some(TokenKind::Equals) => Some(COMPARISON),
        _ => {
            let before = i.previous().filter(|_| !found.new_line);
            let before = before.map_or("", |before| i.text(before));
            foreign_word(i.text(found)).or_else(|| foreign_word(before))
        }
    }
}
