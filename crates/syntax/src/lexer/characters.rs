//! Character classes: those of names, and the characters that are tokens by themselves.

use crate::token::TokenKind;
use crate::unicode::is_combining_mark;

/// True if a name can start with `character`.
pub(crate) fn starts_name(character: char) -> bool {
    character.is_ascii_alphabetic()
        || character == '_'
        || (!character.is_ascii() && character.is_alphabetic() && character != 'ᵀ')
}

/// True if a name can go on with `character`. Combining marks are included, since a letter may be written as a base letter
/// and marks; names are compared in NFC.
pub(crate) fn continues_name(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || matches!(character, '_' | '\'');
    }
    matches!(character, '′' | '\u{2080}'..='\u{208E}' | '\u{2090}'..='\u{209C}')
        || starts_name(character)
        || is_combining_mark(character)
}

/// The token that a single non-ASCII character is.
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

/// The token at the start of `bytes`, which starts with ASCII punctuation, and its length. A `<-` is
/// the arrow after something that can be bound (`after_operand`) and `<` elsewhere; `--` always
/// starts a comment, so no token ends in its first character.
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
