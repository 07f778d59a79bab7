//! Words and signs of other languages where the grammar has no place for them: what Fletch has in their stead.

use super::input::Tokens;
use crate::token::TokenKind;

const CONDITION: &str = "there is no conditional: `where(c, a, b)` has the entries of a where c is positive and those of b where it is negative; both are computed";
const LOOP: &str = "there are no loops that a value ends: `iterate[i : n](x)⟨x⟩. P` does P n times, for a size n, and `feedback[n](s, xs)⟨s, x⟩. P` goes through n rows of xs";
const COMPARISON: &str = "there are no truth values: `less(a, b)` is 1 where a < b and 0 where a > b, and `where(c, a, b)` chooses by the sign of c";
const VALUE: &str = "`⌊M⌋` is the command that returns the value of M";

/// The advice for a word of another language.
pub fn foreign_word(text: &str) -> Option<&'static str> {
    match text {
        "if" | "then" | "else" | "elif" | "case" | "match" | "when" | "cond" | "select"
        | "switch" => Some(CONDITION),
        "while" | "for" | "repeat" | "loop" | "scan" => Some(LOOP),
        "return" => Some(VALUE),
        _ => None,
    }
}

/// The advice for the token here, or for a word right before it.
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
