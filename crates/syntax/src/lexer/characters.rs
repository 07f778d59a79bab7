//! Characters that start or continue names, and tokens of a single character or of ASCII punctuation.

use crate::token::TokenKind;
use crate::unicode::is_combining_mark;

/// True if a name can start with `character`.
pub(crate) fn starts_name(character: char) -> bool {
    character.is_ascii_alphabetic()
        || character == '_'
        || (!character.is_ascii() && character.is_alphabetic() && character != 'ᵀ')
}

/// True if `character` can continue a name. Combining marks are included, because a letter may be written as a base letter
/// with marks; names are compared in NFC.
pub(crate) fn continues_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || matches!(character, '_' | '\'');
    }
    matches!(character, '′' | '\u{2080}'..='\u{208E}' | '\u{2090}'..='\u{209C}')
        || starts_name(character)
        || is_combining_mark(character)
}

/// Token that consists of this single non-ASCII character.
pub(super) fn unicode_symbol(character: char) -> Option<TokenKind> {
    use TokenKind::*;
    Some(match character {
        '⇐' => Bind,
        '←' => Gets,
        '↦' => MapsTo,
        '▷' => Performs,
        '⇒' => Yields,
        '∷' => Typing,
        '·' => Scale,
        '∗' => Star,
        '⊙' => Hadamard,
        '×' => Times,
        '−' => Minus,
        'ᵀ' => Transpose,
        '•' => Resume,
        '⟨' => OpenAngle,
        '⟩' => CloseAngle,
        '⌊' => OpenFloor,
        '⌋' => CloseFloor,
        '⌈' => OpenCeiling,
        '⌉' => CloseCeiling,
        _ => return None,
    })
}

/// Returns the token at the start of `bytes`, which start with ASCII punctuation, and its length in bytes. `<-` is the
/// arrow after a token that can end a pattern (`after_operand`), and `<` elsewhere. `--` always starts a comment, so no
/// token may swallow its first character.
pub(super) fn ascii_symbol(bytes: &[u8], after_operand: bool) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    let kind = |kind, length| Some((kind, length));
    match bytes {
        [b'|', b'-', b'>', ..] => kind(MapsTo, 3),
        [b'|', b'>', ..] => kind(Performs, 2),
        [b'<', b'=', ..] => kind(Bind, 2),
        [b'<', b'-', b'-', ..] => kind(OpenAngle, 1),
        [b'<', b'-', ..] if after_operand => kind(Gets, 2),
        [b'=', b'>', ..] => kind(Yields, 2),
        [b':', b':', ..] => kind(Typing, 2),
        [b'*', b'*', ..] => kind(Hadamard, 2),
        [b'.', b'*', ..] => kind(Scale, 2),
        [first, ..] => {
            let single = match first {
                b'|' => Bar,
                b'<' => OpenAngle,
                b'>' => CloseAngle,
                b'=' => Equals,
                b':' => Colon,
                b'*' => Star,
                b'.' => Dot,
                b'+' => Plus,
                b'-' => Minus,
                b'/' => Slash,
                b'@' => Resume,
                b'(' => OpenParen,
                b')' => CloseParen,
                b'[' => OpenBracket,
                b']' => CloseBracket,
                b'{' => OpenBrace,
                b'}' => CloseBrace,
                b',' => Comma,
                b';' => Semicolon,
                _ => return None,
            };
            kind(single, 1)
        }
        [] => None,
    }
}
