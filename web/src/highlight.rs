//! Token classes for the editor, which needs them at every key press, computed by the language's own lexer.

use fletch_syntax::{LineIndex, TokenClass};

/// Tokens as flat triples of start, end and class; offsets in UTF-16 code units. The style sheet `tokens.css` colours
/// the classes by their numbers.
pub(crate) fn tokens(text: &str) -> Vec<u32> {
    let index = LineIndex::new(text);
    let tokens = fletch_syntax::highlight(text, fletch_playground::symbols());
    let triple = |token: &fletch_syntax::HighlightToken| {
        [
            index.to_utf16(token.span.start),
            index.to_utf16(token.span.end),
            number(token.class),
        ]
    };
    tokens.iter().flat_map(triple).collect()
}

/// Number of a token class in the style sheet.
pub(crate) fn number(class: TokenClass) -> u32 {
    match class {
        TokenClass::Keyword => 1,
        TokenClass::Operation => 2,
        TokenClass::Function => 3,
        TokenClass::Operator => 4,
        TokenClass::Location => 5,
        TokenClass::Type => 6,
        TokenClass::Number => 7,
        TokenClass::String => 8,
        TokenClass::Comment => 9,
        TokenClass::Bracket => 10,
        TokenClass::Definition => 11,
        TokenClass::Variable => 12,
        TokenClass::Invalid => 13,
    }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn places_are_counted_as_the_editor_counts() {
        // Each of the two wide characters makes the comment shorter in code units than in bytes.
        let found = tokens("-- 𝕏⇐\nmain");
        assert_eq!(found, [0, 6, 9, 7, 11, 1]);
    }
}
