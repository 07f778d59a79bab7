//! What the editor needs of the language at every key: the classes of its tokens, from the language's own
//! lexer, and the spellings that turn into Unicode.

/// Flat triples of start, end and class, in UTF-16 code units.
pub(crate) fn tokens(_text: &str) -> Vec<u32> {
    Vec::new()
}

/// Pairs of an ASCII spelling and its Unicode one.
pub(crate) fn spellings() -> Vec<(String, String)> {
    Vec::new()
}

/// Pairs of a name, to be typed after a backslash, and what it stands for.
pub(crate) fn names() -> Vec<(String, String)> {
    Vec::new()
}
