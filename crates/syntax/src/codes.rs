//! The codes of this phase. What each means, with a program that gives it and how to repair it, is in
//! `docs/errors`.

macro_rules! codes {
    ($($(#[doc = $meaning:literal])* $name:ident $code:literal,)*) => {
        $($(#[doc = $meaning])* pub(crate) const $name: &str = $code;)*

        /// Every code that the parser gives.
        pub const CODES: &[&str] = &[$($code,)*];
    };
}

codes! {
    /// Characters that belong to no token of the language.
    UNKNOWN_CHARACTER "F0001",
    /// A character that looks like a token and is another one, such as `⋅` for `·`; it is read as the token meant.
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
    /// A number that does not start with a digit, such as `.5`; it is read as `0.5`.
    NO_DIGIT "F0009",
    /// Something else was expected here; the message says what.
    EXPECTED "F0101",
    /// A term stands where a command is expected; `⌊M⌋` makes a command of it.
    BARE_TERM "F0102",
    /// A `let` with the wrong arrow: `⇐` binds the result of a command, `←` that of a term.
    LET_ARROW "F0103",
    /// A command, such as `⌊M⌋` or `handle`, stands where a term is expected.
    COMMAND_IN_TERM "F0104",
    /// A `let` without its `in`.
    MISSING_IN "F0105",
    /// A `handle` or `rev handle` without its `with`.
    MISSING_WITH "F0106",
    /// A bracket that is never closed.
    UNCLOSED "F0107",
    /// A reserved word is used as a name.
    RESERVED "F0108",
    /// The rows of a matrix have unequal length.
    UNEQUAL_ROWS "F0109",
    /// A comma with nothing after it.
    STRAY_COMMA "F0110",
    /// A `rev handle(M)` or `iterate` without the binder `⟨x⟩.` that names its input.
    MISSING_BINDER "F0111",
    /// Something stands after the end of a declaration.
    LEFT_OVER "F0112",
    /// A declaration starts with `dim`, `loc`, `op`, `fun`, `command`, `handler`, `data`, `train`, `measure`, `predict` or `main`.
    NO_ITEM "F0113",
    /// Brackets in a literal hold numbers, all alone or all in rows.
    NOT_A_NUMBER "F0114",
    /// A size, an index or a projection is a whole number.
    WHOLE_NUMBER "F0115",
    /// A `let` that is an operand needs parentheses.
    LET_OPERAND "F0116",
    /// A list that needs at least one entry has none.
    EMPTY "F0117",
    /// The program nests more deeply than the parser allows.
    TOO_DEEP "F0901",
    /// A chain of `let`s, operators or postfixes is longer than the parser allows.
    TOO_LONG "F0902",
    /// The program has more diagnostics than are shown.
    TOO_MANY "F0903",
    /// The source is larger than the parser allows.
    TOO_LARGE "F0904",
}
