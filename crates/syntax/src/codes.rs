//! Diagnostic codes of this phase. `docs/errors` has a page for each: its meaning, a program that gives it, and a repair.

macro_rules! codes {
    ($($(#[doc = $meaning:literal])* $name:ident $code:literal,)*) => {
        $($(#[doc = $meaning])* pub(crate) const $name: &str = $code;)*

        /// All codes that the parser can report.
        pub const CODES: &[&str] = &[$($code,)*];
    };
}

codes! {
    /// Characters that are part of no token.
    UNKNOWN_CHARACTER "F0001",
    /// A character that resembles a token but is another character, such as `⋅` for `·`; read as that token.
    LOOK_ALIKE "F0002",
    /// A block comment `{- … -}` that is never closed.
    OPEN_COMMENT "F0003",
    /// A string that does not end on its line.
    OPEN_STRING "F0004",
    /// A number that runs into a name, such as `2x`.
    NUMBER_IN_NAME "F0005",
    /// A number that is too large to represent, or a projection that is not counted from 1.
    NUMBER_RANGE "F0006",
    /// A comment of another language, such as `// …`; it is read as a comment.
    OTHER_COMMENT "F0008",
    /// A number that does not start with a digit, such as `.5`, or does not end with one, such as `5.`; read as `0.5` or `5`.
    NO_DIGIT "F0009",
    /// A different token was expected here; the message says which.
    EXPECTED "F0101",
    /// A term in place of a command; `⌊M⌋` makes a command of it.
    BARE_TERM "F0102",
    /// A `let` with the wrong arrow: `⇐` binds the result of a command, `←` that of a term.
    LET_ARROW "F0103",
    /// A command, such as `⌊M⌋` or `handle`, in place of a term.
    COMMAND_IN_TERM "F0104",
    /// A `let` without its `in`.
    MISSING_IN "F0105",
    /// A `handle` or `rev handle` without its `with`.
    MISSING_WITH "F0106",
    /// A bracket that is never closed.
    UNCLOSED "F0107",
    /// A reserved word in place of a name.
    RESERVED "F0108",
    /// The rows of a matrix have unequal length.
    UNEQUAL_ROWS "F0109",
    /// A comma with no entry after it.
    STRAY_COMMA "F0110",
    /// A `rev handle(M)` or `iterate` without the binder `⟨x⟩.` that names its input.
    MISSING_BINDER "F0111",
    /// Text after the end of a declaration.
    LEFT_OVER "F0112",
    /// Text in place of a declaration, which starts with `dim`, `loc`, `op`, `fun`, `command`, `handler`, `data`, `train`,
    /// `measure`, `predict` or `main`.
    NO_ITEM "F0113",
    /// An entry of a literal that is not a number, or numbers mixed with rows.
    NOT_A_NUMBER "F0114",
    /// A size, an index or a projection that is not a whole number.
    WHOLE_NUMBER "F0115",
    /// A `let` as an operand without parentheses.
    LET_OPERAND "F0116",
    /// An empty list where at least one entry is required.
    EMPTY "F0117",
    /// A program that nests more deeply than the parser allows.
    TOO_DEEP "F0901",
    /// A chain of `let`s, operators or postfixes that is longer than the parser allows.
    TOO_LONG "F0902",
    /// A program with more diagnostics than are shown.
    TOO_MANY "F0903",
    /// A source larger than the parser allows.
    TOO_LARGE "F0904",
}
