//! Tokens, the output of the lexer and input of the grammar. A Unicode token and its ASCII spelling have the same kind,
//! so the grammar does not distinguish them; the span gives access to the text.

use crate::span::Span;

/// A token with its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// True for the first token of its line. An error for a missing token before it is placed at the end of an earlier
    /// line.
    pub(crate) new_line: bool,
    /// True if unknown characters directly precede the token; they have been reported, so another error here is left
    /// out.
    pub(crate) after_invalid: bool,
}

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Identifier,
    Number,
    String,
    Underscore,
    /// `proj_3`
    Projection,
    Word(Keyword),
    /// `⇐`
    Bind,
    /// `←`
    Gets,
    /// `↦`
    MapsTo,
    /// `▷`
    Performs,
    /// `⇒`
    Yields,
    /// `∷`
    Typing,
    Colon,
    Dot,
    /// `·`
    Scale,
    /// `∗`
    Star,
    /// `⊙`
    Hadamard,
    /// `×`
    Times,
    Plus,
    Minus,
    Slash,
    /// `ᵀ`
    Transpose,
    /// `•`
    Resume,
    OpenAngle,
    CloseAngle,
    OpenFloor,
    CloseFloor,
    OpenCeiling,
    CloseCeiling,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semicolon,
    Bar,
    Equals,
}

impl TokenKind {
    /// The Unicode spelling of a kind with one spelling, else its description; for messages.
    pub(crate) fn spelling(self) -> &'static str {
        use TokenKind::*;
        match self {
            Identifier => "a name",
            Number => "a number",
            String => "a string",
            Underscore => "_",
            Projection => "proj_",
            Word(keyword) => keyword.text(),
            Bind => "⇐",
            Gets => "←",
            MapsTo => "↦",
            Performs => "▷",
            Yields => "⇒",
            Typing => "∷",
            Colon => ":",
            Dot => ".",
            Scale => "·",
            Star => "∗",
            Hadamard => "⊙",
            Times => "×",
            Plus => "+",
            Minus => "−",
            Slash => "/",
            Transpose => "ᵀ",
            Resume => "•",
            OpenAngle => "⟨",
            CloseAngle => "⟩",
            OpenFloor => "⌊",
            CloseFloor => "⌋",
            OpenCeiling => "⌈",
            CloseCeiling => "⌉",
            OpenParen => "(",
            CloseParen => ")",
            OpenBracket => "[",
            CloseBracket => "]",
            OpenBrace => "{",
            CloseBrace => "}",
            Comma => ",",
            Semicolon => ";",
            Bar => "|",
            Equals => "=",
        }
    }

    /// Closing bracket for this opening bracket.
    pub(crate) fn closer(self) -> Option<TokenKind> {
        use TokenKind::*;
        match self {
            OpenParen => Some(CloseParen),
            OpenBracket => Some(CloseBracket),
            OpenBrace => Some(CloseBrace),
            OpenAngle => Some(CloseAngle),
            OpenFloor => Some(CloseFloor),
            OpenCeiling => Some(CloseCeiling),
            _ => None,
        }
    }

    /// True for a closing bracket.
    pub(crate) fn is_closer(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            CloseParen | CloseBracket | CloseBrace | CloseAngle | CloseFloor | CloseCeiling
        )
    }

    /// True if a term, pattern or name can end with this token, so that no atom follows. After such a token `<-` is the
    /// arrow; after any other token it is `<` and a minus.
    pub(crate) fn ends_operand(self) -> bool {
        use TokenKind::*;
        match self {
            Identifier | Number | String | Underscore | Projection | Transpose => true,
            Word(word) => word.starts_item() || !matches!(word, Keyword::In | Keyword::Let),
            other => other.is_closer(),
        }
    }
}

macro_rules! keywords {
    ($($name:ident $text:literal,)*) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Keyword {
            $($name,)*
        }

        impl Keyword {
            /// All reserved words, in the order of the language page.
            pub(crate) const ALL: &'static [Keyword] = &[$(Keyword::$name,)*];

            /// The word as written.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Keyword::$name => $text,)*
                }
            }

            /// Finds the reserved word with this text.
            pub(crate) fn from_text(text: &str) -> Option<Keyword> {
                match text {
                    $($text => Some(Keyword::$name),)*
                    _ => None,
                }
            }
        }
    };
}

keywords! {
    Dim "dim",
    Loc "loc",
    Op "op",
    Fun "fun",
    Command "command",
    Handler "handler",
    Data "data",
    Train "train",
    Measure "measure",
    Predict "predict",
    Main "main",
    Let "let",
    In "in",
    Rev "rev",
    Handle "handle",
    With "with",
    As "as",
    For "for",
    On "on",
    Epochs "epochs",
    Extends "extends",
    By "by",
    Iterate "iterate",
    Real "Real",
    Rd "rd",
    Zero "zero",
    Pure "pure",
    Ceil "ceil",
}

impl Keyword {
    /// True if a declaration starts with this word.
    pub(crate) fn starts_item(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Dim | Loc | Op | Fun | Command | Handler | Data | Train | Measure | Predict | Main
        )
    }
}

/// All reserved words, in the order of the language page; the flag is true if a declaration starts with the word.
pub fn words() -> impl Iterator<Item = (&'static str, bool)> {
    Keyword::ALL
        .iter()
        .map(|word| (word.text(), word.starts_item()))
}
