//! The codes of this phase, and what each means in a sentence: the table behind `fletch explain`.

macro_rules! codes {
    ($($name:ident $code:literal $meaning:literal,)*) => {
        $(pub(crate) const $name: &str = $code;)*

        /// Every code that the parser gives, with its meaning in one sentence.
        pub const CODES: &[(&str, &str)] = &[$(($code, $meaning),)*];
    };
}

codes! {
    UNKNOWN_CHARACTER "F0001" "Characters that belong to no token of the language.",
    LOOK_ALIKE "F0002" "A character that looks like a token and is another one, such as `⋅` for `·`; it is read as the token meant.",
    OPEN_COMMENT "F0003" "A block comment `{- … -}` that is never closed.",
    OPEN_STRING "F0004" "A string that does not end on its line.",
    NUMBER_IN_NAME "F0005" "A number that runs into a name, such as `2x`.",
    NUMBER_RANGE "F0006" "A number that is too large to represent, or a projection that is not counted from 1.",
    EXPECTED "F0101" "Something else was expected here; the message says what.",
    BARE_TERM "F0102" "A term stands where a command is expected; `⌊M⌋` makes a command of it.",
    LET_ARROW "F0103" "A `let` with the wrong arrow: `⇐` binds the result of a command, `←` that of a term.",
    COMMAND_IN_TERM "F0104" "A command, such as `⌊M⌋` or `handle`, stands where a term is expected.",
    MISSING_IN "F0105" "A `let` without its `in`.",
    MISSING_WITH "F0106" "A `handle` or `rev handle` without its `with`.",
    UNCLOSED "F0107" "A bracket that is never closed.",
    RESERVED "F0108" "A reserved word is used as a name.",
    UNEQUAL_ROWS "F0109" "The rows of a matrix have unequal length.",
    STRAY_COMMA "F0110" "A comma with nothing after it.",
    MISSING_BINDER "F0111" "A `rev handle(M)` or `iterate` without the binder `⟨x⟩.` that names its input.",
    LEFT_OVER "F0112" "Something stands after the end of a declaration.",
    NO_ITEM "F0113" "A declaration starts with `dim`, `loc`, `op`, `fun`, `command`, `handler`, `data`, `train`, `measure`, `predict` or `main`.",
    NOT_A_NUMBER "F0114" "Brackets in a literal hold numbers, all alone or all in rows.",
    WHOLE_NUMBER "F0115" "A size, an index or a projection is a whole number.",
    LET_OPERAND "F0116" "A `let` that is an operand needs parentheses.",
    EMPTY "F0117" "A list that needs at least one entry has none.",
    TOO_DEEP "F0901" "The program nests more deeply than the parser allows.",
    TOO_LONG "F0902" "A chain of `let`s, operators or postfixes is longer than the parser allows.",
    TOO_MANY "F0903" "There are more diagnostics than are shown.",
    TOO_LARGE "F0904" "The source is larger than the parser allows.",
}
