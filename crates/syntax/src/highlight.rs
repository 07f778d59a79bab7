//! Syntax highlighting: a class for every token. It reads the tokens and the declared names, without a parse, so it
//! works on a half-typed program and is fast enough for every key stroke.

use crate::lexer::lex;
use crate::parser::FEEDBACK;
use crate::sorting::sort_by;
use crate::span::Span;
use crate::token::{Keyword, Token, TokenKind};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A token of the source with its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HighlightToken {
    /// Span of the token.
    pub span: Span,
    /// Class of the token.
    pub class: TokenClass,
}

/// Class of a token; a style sheet gives each class a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenClass {
    /// A reserved word.
    Keyword,
    /// Name of a declared operation, or `Get` or `Put`.
    Operation,
    /// A function symbol, a `fun`, a projection.
    Function,
    /// An arrow, an operator, a separator.
    Operator,
    /// Name of a location, declared or bound.
    Location,
    /// `Real` and the sizes in its parentheses.
    Type,
    /// A number.
    Number,
    /// A string.
    String,
    /// A comment.
    Comment,
    /// A bracket of any kind.
    Bracket,
    /// A name at its declaration.
    Definition,
    /// Any other name.
    Variable,
    /// Characters that are part of no token.
    Invalid,
}

impl TokenClass {
    /// Name of the class in style sheets, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            TokenClass::Keyword => "keyword",
            TokenClass::Operation => "operation",
            TokenClass::Function => "function",
            TokenClass::Operator => "operator",
            TokenClass::Location => "location",
            TokenClass::Type => "type",
            TokenClass::Number => "number",
            TokenClass::String => "string",
            TokenClass::Comment => "comment",
            TokenClass::Bracket => "bracket",
            TokenClass::Definition => "definition",
            TokenClass::Variable => "variable",
            TokenClass::Invalid => "invalid",
        }
    }
}

/// Classifies all tokens and comments of a source, in source order, without overlaps. White space has no class.
/// `symbols` are the names of the function symbols.
pub fn highlight<'a>(source: &'a str, symbols: &[&'a str]) -> Vec<HighlightToken> {
    let lexed = lex(source);
    let scan = Scan {
        source,
        tokens: &lexed.tokens,
        declared: declared(source, &lexed.tokens, symbols),
    };
    let mut highlighted = scan.classify();
    let others = [
        (lexed.comments, TokenClass::Comment),
        (lexed.invalid, TokenClass::Invalid),
    ];
    for (spans, class) in others {
        highlighted.extend(spans.into_iter().map(|span| HighlightToken { span, class }));
    }
    // The list is three sorted runs, which this sort merges in linear time.
    sort_by(&mut highlighted, |first, second| {
        first.span.start.cmp(&second.span.start)
    });
    highlighted
}

/// Name spaces in which a name is declared; a name may be in several.
#[derive(Clone, Copy, Default)]
struct Declared {
    operation: bool,
    function: bool,
    location: bool,
}

/// Text of a token as written, not in NFC: highlighting treats two spellings of one letter as different, so that the
/// page needs no composition tables to colour a text.
fn text<'a>(source: &'a str, token: &Token) -> &'a str {
    let span = token.span;
    source
        .get(span.start as usize..span.end as usize)
        .unwrap_or("")
}

/// First pass: collects the names that the file declares and the names of the language.
fn declared<'a>(
    source: &'a str,
    tokens: &[Token],
    symbols: &[&'a str],
) -> HashMap<&'a str, Declared> {
    let mut names: HashMap<&'a str, Declared> = HashMap::new();
    for symbol in symbols {
        names.entry(symbol).or_default().function = true;
    }
    for operation in ["Get", "Put"] {
        names.entry(operation).or_default().operation = true;
    }
    for (token, next) in tokens.iter().zip(tokens.iter().skip(1)) {
        match (token.kind, next.kind) {
            (TokenKind::Word(Keyword::Op), TokenKind::Identifier) => {
                names.entry(text(source, next)).or_default().operation = true;
            }
            (TokenKind::Word(Keyword::Fun), TokenKind::Identifier) => {
                names.entry(text(source, next)).or_default().function = true;
            }
            (TokenKind::Word(Keyword::Loc), TokenKind::Identifier) => {
                names.entry(text(source, next)).or_default().location = true;
            }
            (TokenKind::Identifier, TokenKind::Typing) => {
                names.entry(text(source, token)).or_default().location = true;
            }
            _ => {}
        }
    }
    names
}

/// Meaning of the innermost open bracket.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Index,
    Real,
    Other,
}

struct Scan<'a> {
    source: &'a str,
    tokens: &'a [Token],
    declared: HashMap<&'a str, Declared>,
}

impl Scan<'_> {
    fn kind(&self, at: Option<usize>) -> Option<TokenKind> {
        at.and_then(|at| self.tokens.get(at))
            .map(|token| token.kind)
    }

    /// Second pass: finds a class for every token.
    fn classify(&self) -> Vec<HighlightToken> {
        let mut inside: Vec<Inside> = Vec::new();
        let mut in_dim = false;
        let mut classes = Vec::with_capacity(self.tokens.len());
        for (at, token) in self.tokens.iter().enumerate() {
            use TokenKind::*;
            let here = inside.last().copied().unwrap_or(Inside::Other);
            let before = self.kind(at.checked_sub(1));
            let class = match token.kind {
                Identifier => self.name(at, token, here, in_dim),
                Word(Keyword::Real) => TokenClass::Type,
                Word(word) => {
                    if word.starts_item() {
                        in_dim = word == Keyword::Dim;
                        inside.clear();
                    }
                    TokenClass::Keyword
                }
                Number if here == Inside::Real => TokenClass::Type,
                Number => TokenClass::Number,
                String => TokenClass::String,
                Underscore => TokenClass::Variable,
                Projection => TokenClass::Function,
                OpenBracket => {
                    let index =
                        matches!(before, Some(Identifier | Word(Keyword::Rd | Keyword::Zero)));
                    inside.push(if index { Inside::Index } else { Inside::Other });
                    TokenClass::Bracket
                }
                OpenParen => {
                    inside.push(match before {
                        Some(Word(Keyword::Real)) => Inside::Real,
                        Some(Identifier) => Inside::Other,
                        _ => here,
                    });
                    TokenClass::Bracket
                }
                OpenAngle | OpenFloor | OpenBrace => {
                    inside.push(Inside::Other);
                    TokenClass::Bracket
                }
                OpenCeiling => {
                    inside.push(here);
                    TokenClass::Bracket
                }
                kind if kind.is_closer() => {
                    inside.pop();
                    TokenClass::Bracket
                }
                _ => TokenClass::Operator,
            };
            classes.push(HighlightToken {
                span: token.span,
                class,
            });
        }
        classes
    }

    fn name(&self, at: usize, token: &Token, inside: Inside, in_dim: bool) -> TokenClass {
        use TokenKind::*;
        let before = self.kind(at.checked_sub(1));
        let after = self.kind(Some(at + 1));
        match before {
            Some(Word(Keyword::Op)) => return TokenClass::Operation,
            Some(Word(Keyword::Loc)) => return TokenClass::Location,
            Some(Word(Keyword::Train)) => return TokenClass::Variable,
            Some(Word(word)) if word.starts_item() => return TokenClass::Definition,
            Some(Comma) if in_dim && after == Some(Equals) => return TokenClass::Definition,
            _ => {}
        }
        if inside == Inside::Real {
            return TokenClass::Type;
        }
        if after == Some(Typing) {
            return TokenClass::Location;
        }
        let declared = self
            .declared
            .get(text(self.source, token))
            .copied()
            .unwrap_or_default();
        // `feedback` is no reserved word; before a bracket it is a keyword, unless the file declares the name.
        let begins = text(self.source, token) == FEEDBACK && after == Some(OpenBracket);
        if begins && !declared.operation && !declared.function {
            return TokenClass::Keyword;
        }
        let called = match after {
            Some(OpenParen | OpenBracket) => true,
            Some(Comma) => self.kind(Some(at + 3)) == Some(Semicolon),
            _ => false,
        };
        if inside == Inside::Index && declared.location {
            TokenClass::Location
        } else if called && declared.operation {
            TokenClass::Operation
        } else if declared.function
            && (inside == Inside::Index || matches!(after, Some(OpenParen | OpenBracket)))
        {
            TokenClass::Function
        } else {
            TokenClass::Variable
        }
    }
}
