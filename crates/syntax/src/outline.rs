//! Structure of a file before parsing: the starts of its declarations, and the pairs of brackets, `let … in` and
//! `handle … with`. The parser recovers by jumping along these pairs, so recovery is linear and needs no backtracking.

use crate::token::{Keyword, Token, TokenKind};

/// Marks a token without a partner.
const NONE: u32 = u32::MAX;

/// Starts of declarations and pairs of tokens in a token sequence.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Indices of the first tokens of all declarations; tokens before the first of these belong to no declaration.
    pub(crate) starts: Vec<usize>,
    partners: Vec<u32>,
}

impl Outline {
    /// Computes the outline of a file.
    pub(crate) fn new(tokens: &[Token]) -> Outline {
        let starts = (0..tokens.len())
            .filter(|&at| starts_item(tokens, at))
            .collect::<Vec<_>>();
        let mut partners = vec![NONE; tokens.len()];
        let mut from = 0;
        for to in starts.iter().copied().chain([tokens.len()]) {
            pair_up(tokens, from, to, &mut partners);
            from = to;
        }
        Outline { starts, partners }
    }

    /// Index of the token that closes the opener at `at`.
    pub(crate) fn partner(&self, at: usize) -> Option<usize> {
        self.partners
            .get(at)
            .filter(|&&partner| partner != NONE)
            .map(|&partner| partner as usize)
    }
}

/// True if the token at `at` is the first of a declaration. The words are reserved, so a correct program uses them for
/// nothing else; an incorrect program may use one as a name, so the context is checked.
fn starts_item(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else {
        return false;
    };
    let TokenKind::Word(word) = token.kind else {
        return false;
    };
    if !word.starts_item() {
        return false;
    }
    let next = tokens.get(at + 1).map(|next| next.kind);
    match next {
        _ if token.new_line => true,
        Some(TokenKind::Equals) => word == Keyword::Main,
        Some(TokenKind::Identifier | TokenKind::Word(_)) => word != Keyword::Main,
        _ => false,
    }
}

/// Closing token for an opener of this kind.
fn closes_with(kind: TokenKind) -> Option<TokenKind> {
    match kind {
        TokenKind::Word(Keyword::Let) => Some(TokenKind::Word(Keyword::In)),
        TokenKind::Word(Keyword::Handle) => Some(TokenKind::Word(Keyword::With)),
        other => other.closer(),
    }
}

/// Pairs the openers and closers of one declaration. A closer skips openers inside it that are still open; a closer
/// without an open opener is skipped itself.
fn pair_up(tokens: &[Token], from: usize, to: usize, partners: &mut [u32]) {
    let mut open: Vec<(TokenKind, usize)> = Vec::new();
    let mut waiting = [0_usize; CLOSERS.len()];
    let slot = |closer| CLOSERS.iter().position(|&known| known == closer);
    for (at, token) in tokens.iter().enumerate().take(to).skip(from) {
        if let Some(closer) = closes_with(token.kind) {
            open.push((closer, at));
            if let Some(count) = slot(closer).and_then(|slot| waiting.get_mut(slot)) {
                *count += 1;
            }
        } else if let Some(count) = slot(token.kind).and_then(|slot| waiting.get(slot))
            && *count > 0
        {
            while let Some((closer, opener)) = open.pop() {
                if let Some(count) = slot(closer).and_then(|slot| waiting.get_mut(slot)) {
                    *count -= 1;
                }
                if closer == token.kind {
                    if let (Some(entry), Ok(at)) = (partners.get_mut(opener), u32::try_from(at)) {
                        *entry = at;
                    }
                    break;
                }
            }
        }
    }
}

const CLOSERS: [TokenKind; 8] = [
    TokenKind::CloseParen,
    TokenKind::CloseBracket,
    TokenKind::CloseBrace,
    TokenKind::CloseAngle,
    TokenKind::CloseFloor,
    TokenKind::CloseCeiling,
    TokenKind::Word(Keyword::In),
    TokenKind::Word(Keyword::With),
];
