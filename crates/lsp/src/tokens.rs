//! Semantic tokens: the classes of the highlighting, refined by the kind of a name if it is known.

use crate::program::Program;
use fletch_elaborate::{NameKind, Occurrence};
use fletch_syntax::{Span, TokenClass};
use lsp_types::{
    Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensLegend,
};

/// The token types that are used. All have a colour in every theme.
const TYPES: [SemanticTokenType; 13] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::METHOD,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::TYPE,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::COMMENT,
    SemanticTokenType::CLASS,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::STRUCT,
];

const MODIFIERS: [SemanticTokenModifier; 2] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];
const DECLARATION: u32 = 1;
const DEFAULT_LIBRARY: u32 = 2;

/// The names of token types and modifiers, in the order of their numbers.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: MODIFIERS.to_vec(),
    }
}

/// The tokens of a program, or of a range of it.
pub(crate) fn tokens(program: &mut Program<'_>, range: Option<Range>) -> SemanticTokens {
    let document = program.document;
    let places = &document.places;
    let span = range.map(|range| places.span(range));
    let survey = program.survey();
    let mut names = survey.names.iter().peekable();
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for token in survey.tokens {
        while names
            .next_if(|name| name.span.start < token.span.start)
            .is_some()
        {}
        let name = names.peek().filter(|name| name.span == token.span);
        let outside = |span: Span| token.span.end < span.start || span.end < token.span.start;
        if span.is_some_and(outside) {
            continue;
        }
        let Some(kind) = class(token.class, name.map(|name| name.kind)) else {
            continue;
        };
        let modifiers = name.map_or(0, |name| modifiers(name));
        // A token of several lines is sent as one token for each line.
        for part in places.lines(token.span) {
            let range = places.range(part);
            let length = range.end.character.saturating_sub(range.start.character);
            if length == 0 {
                continue;
            }
            let delta_line = range.start.line - line;
            if delta_line > 0 {
                column = 0;
            }
            data.push(SemanticToken {
                delta_line,
                delta_start: range.start.character - column,
                length,
                token_type: kind,
                token_modifiers_bitset: modifiers,
            });
            (line, column) = (range.start.line, range.start.character);
        }
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

fn modifiers(name: &Occurrence) -> u32 {
    match name.definition {
        None => DEFAULT_LIBRARY,
        Some(place) if place == name.span => DECLARATION,
        Some(_) => 0,
    }
}

/// The number of a token's type; `None` for brackets and invalid text.
fn class(class: TokenClass, name: Option<NameKind>) -> Option<u32> {
    let kind = match (name, class) {
        (_, TokenClass::Bracket | TokenClass::Invalid) => return None,
        (Some(NameKind::Operation), _) => SemanticTokenType::METHOD,
        (Some(NameKind::Location), _) => SemanticTokenType::PROPERTY,
        (Some(NameKind::Handler), _) => SemanticTokenType::CLASS,
        (Some(NameKind::Data), _) => SemanticTokenType::STRUCT,
        (Some(NameKind::Continuation), _) => SemanticTokenType::PARAMETER,
        (Some(NameKind::Dimension | NameKind::Index), _) => SemanticTokenType::TYPE,
        (Some(NameKind::Variable), _) => SemanticTokenType::VARIABLE,
        (Some(_), _) => SemanticTokenType::FUNCTION,
        (None, TokenClass::Keyword) => SemanticTokenType::KEYWORD,
        (None, TokenClass::Operation) => SemanticTokenType::METHOD,
        (None, TokenClass::Function | TokenClass::Definition) => SemanticTokenType::FUNCTION,
        (None, TokenClass::Operator) => SemanticTokenType::OPERATOR,
        (None, TokenClass::Location) => SemanticTokenType::PROPERTY,
        (None, TokenClass::Type) => SemanticTokenType::TYPE,
        (None, TokenClass::Number) => SemanticTokenType::NUMBER,
        (None, TokenClass::String) => SemanticTokenType::STRING,
        (None, TokenClass::Comment) => SemanticTokenType::COMMENT,
        (None, TokenClass::Variable) => SemanticTokenType::VARIABLE,
    };
    let number = TYPES.iter().position(|known| *known == kind)?;
    u32::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::{TYPES, class};
    use fletch_elaborate::NameKind;
    use fletch_syntax::TokenClass;

    #[test]
    fn a_known_name_says_more_than_its_letters() {
        let shown = |name| TYPES[class(TokenClass::Variable, name).unwrap() as usize].clone();
        assert_eq!(shown(None).as_str(), "variable");
        assert_eq!(shown(Some(NameKind::Location)).as_str(), "property");
        assert_eq!(class(TokenClass::Bracket, None), None);
    }
}
