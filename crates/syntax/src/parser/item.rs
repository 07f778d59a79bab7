//! Parser of declarations, as in the grammar of the language page, one function per kind of item. A
//! declaration with a broken body keeps its name, so that uses of the name are not reported as errors
//! too.

use super::combinators::{expect, expected_with, list, recover_at, required, token, word};
use super::command::{command, starts_command};
use super::generator::{dataset, init};
use super::handler::{clauses, handler_call};
use super::input::{Parsed, Tokens};
use super::name::{name, pattern, required_name};
use super::size::{
    annotation, index_params, optional_annotation, params, shape, size, type_, typing,
};
use super::term::{starts_term, term};
use crate::span::Spanned;
use crate::token::{Keyword, TokenKind};
use crate::tree::{
    Command, CommandDecl, CommandKind, DataDecl, Dataset, FunDecl, HandlerDecl, Item, ItemKind,
    LocDecl, MeasureDecl, OpDecl, Param, Pattern, PatternKind, PredictDecl, Term, TermKind,
    TrainDecl, Type, TypeKind,
};
use nom::Parser;
use nom::combinator::{cond, map, opt};
use nom::sequence::{pair, preceded};

/// item ::= …; the first word decides the rule.
pub(super) fn item(i: Tokens<'_>) -> Parsed<'_, Item> {
    use Keyword::*;
    let Some(TokenKind::Word(first)) = i.kind() else {
        return i.mismatch();
    };
    let after = i.advance(1);
    let (rest, kind) = match first {
        Dim => dim(after),
        Loc => loc(after),
        Op => op(after),
        Fun => fun(after),
        Keyword::Command => command_item(after),
        Keyword::Handler => handler_item(after),
        Data => data(after),
        Train => train(after),
        Measure => measure(after),
        Predict => predict(after),
        Main => main(after),
        _ => i.mismatch(),
    }?;
    Ok((rest, Spanned::new(kind, rest.since(i))))
}

/// 'dim' NAME '=' size (',' NAME '=' size)*
fn dim(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let entry = |i| {
        let (i, name) = name(i)?;
        let (i, ()) = equals(i)?;
        let (i, size) = required("a size", size)(i)?;
        Ok((i, (name, size)))
    };
    let (i, dims) = list("the name of a dimension", entry)(i)?;
    Ok((i, ItemKind::Dim(dims)))
}

/// 'loc' NAME indexparams? '∷' '(' size (',' size)* ')' ('=' init)?
fn loc(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of a location")(i)?;
    let (i, params) = index_params(i)?;
    let (i, ()) = typing(i)?;
    let (i, shape) = required("a shape such as `(n, m)`", shape)(i)?;
    let (i, init) = match opt(preceded(
        token(TokenKind::Equals),
        required("a literal or a generator", init),
    ))
    .parse(i)
    {
        Ok(parsed) => parsed,
        Err(_) => (i.jump(usize::MAX), None),
    };
    Ok((
        i,
        ItemKind::Loc(LocDecl {
            name,
            params,
            shape,
            init,
        }),
    ))
}

/// 'op' NAME indexparams? ':' type '▷' type
fn op(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of an operation")(i)?;
    let (i, params) = index_params(i)?;
    let (i, domain) = annotation(i)?;
    let (i, ()) = match i.first() {
        Some(found) if found.kind == TokenKind::Yields => {
            expected_with(i, "`▷`", |error| error.fix("write `▷`", found.span, "▷"));
            (i.advance(1), ())
        }
        Some(_) if is_arrow(i) => {
            let arrow = i.advance(2).since(i);
            expected_with(i, "`▷`", |error| error.fix("write `▷`", arrow, "▷"));
            (i.advance(2), ())
        }
        found if found.is_none_or(|found| found.new_line && found.kind != TokenKind::Performs) => {
            expected_with(i, "`▷` and the type of the result", |error| {
                error
                    .hint("an operation that gives nothing has the result type `1`")
                    .fix("write `▷ 1`", i.gap(), " ▷ 1")
            });
            return i.failure();
        }
        _ => expect(TokenKind::Performs)(i)?,
    };
    let (i, codomain) = required("a type", type_)(i)?;
    Ok((
        i,
        ItemKind::Op(OpDecl {
            name,
            params,
            domain,
            codomain,
        }),
    ))
}

/// '(' params ')'; if the parameters are missing, this is reported.
fn required_params(i: Tokens<'_>) -> Parsed<'_, Vec<Param>> {
    if i.is(TokenKind::Equals) || i.is(TokenKind::Colon) {
        expected_with(i, "the parameters, in parentheses", |error| {
            error
                .hint("what takes nothing has empty ones, `()`")
                .fix("write `()`", i.gap(), "()")
        });
        return Ok((i, Vec::new()));
    }
    required("the parameters, in parentheses", params)(i)
}

/// True if `->`, an arrow of other languages, is here.
fn is_arrow(i: Tokens<'_>) -> bool {
    i.is(TokenKind::Minus) && i.kind_at(1) == Some(TokenKind::CloseAngle)
}

/// (':' type)? before the `=` of a body; a broken type is skipped.
fn result(i: Tokens<'_>) -> Parsed<'_, Option<Type>> {
    if is_arrow(i) {
        let arrow = i.advance(2).since(i);
        expected_with(i, "`:`", |error| error.fix("write `:`", arrow, ":"));
        let annotated = |i| map(required("a type", type_), Some).parse(i);
        return recover_at(&[TokenKind::Equals], annotated, || None)(i.advance(2));
    }
    recover_at(&[TokenKind::Equals], optional_annotation, || None)(i)
}

/// 'fun' NAME indexparams? '(' params ')' (':' type)? '=' term
fn fun(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of a function")(i)?;
    let (i, index_params) = index_params(i)?;
    let (i, params) = required_params(i)?;
    let (i, result) = result(i)?;
    let (i, body) = term_body(i)?;
    Ok((
        i,
        ItemKind::Fun(FunDecl {
            name,
            index_params,
            params,
            result,
            body,
        }),
    ))
}

/// 'command' NAME indexparams? '(' params ')' (':' type)? '=' command
fn command_item(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of a command")(i)?;
    let (i, index_params) = index_params(i)?;
    let (i, params) = required_params(i)?;
    let (i, result) = result(i)?;
    let (i, body) = body(i)?;
    Ok((
        i,
        ItemKind::Command(CommandDecl {
            name,
            index_params,
            params,
            result,
            body,
        }),
    ))
}

/// 'handler' NAME indexparams? ('(' params ')')? ':' type ('⇒' type)?
///           ('extends' hcall (',' hcall)*)? '{' clause* '}'
fn handler_item(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of a handler")(i)?;
    let (i, index_params) = index_params(i)?;
    let (i, params) = cond(i.is(TokenKind::OpenParen), params).parse(i)?;
    const HEAD_ENDS: &[TokenKind] = &[TokenKind::OpenBrace, TokenKind::Word(Keyword::Extends)];
    let here = i.here();
    let unknown = || (Spanned::new(TypeKind::Unit, here), None);
    let types = pair(
        annotation,
        opt(preceded(
            token(TokenKind::Yields),
            required("a type", type_),
        )),
    );
    let mut types = types;
    let (i, (handled, result)) = recover_at(HEAD_ENDS, |i| types.parse(i), unknown)(i)?;
    let parents = |i| {
        let parents = list("a handler such as `H(α)`", handler_call);
        opt(preceded(word(Keyword::Extends), parents)).parse(i)
    };
    let (i, extends) = recover_at(&[TokenKind::OpenBrace], parents, || None)(i)?;
    let (i, clauses) = required("`{` and the clauses", clauses)(i)?;
    let handler = HandlerDecl {
        name,
        index_params,
        params: params.unwrap_or_default(),
        handled,
        result,
        extends: extends.unwrap_or_default(),
        clauses: clauses.node,
    };
    Ok((i, ItemKind::Handler(handler)))
}

/// 'data' NAME (':' type)? '=' dataset
fn data(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of a data set")(i)?;
    let (i, ty) = result(i)?;
    let (i, ()) = equals(i)?;
    let (i, dataset) = match required("samples `[…]`, a generator or `csv(\"…\")`", dataset)(i)
    {
        Ok(parsed) => parsed,
        Err(_) => (i.jump(usize::MAX), Dataset::Samples(Vec::new())),
    };
    Ok((i, ItemKind::Data(DataDecl { name, ty, dataset })))
}

/// 'as' pattern, the name of a sample or the names of its components
fn sample(i: Tokens<'_>) -> Parsed<'_, Pattern> {
    let follows = matches!(
        i.kind(),
        Some(TokenKind::Word(Keyword::For) | TokenKind::Equals)
    );
    if follows {
        expected_with(i, "`as` and a name for a sample", |error| {
            error.fix("write `as x`", i.gap(), " as x")
        });
        return Ok((i, Spanned::new(PatternKind::Wildcard, i.gap())));
    }
    let (i, ()) = expect_word(Keyword::As)(i)?;
    required("a pattern for the samples", pattern)(i)
}

/// 'train' NAME ('by' size)? 'as' pattern 'for' size 'epochs' '=' command
fn train(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, data) = required_name("the name of a data set")(i)?;
    let (i, batch) = opt(preceded(
        word(Keyword::By),
        required("the size of a batch", size),
    ))
    .parse(i)?;
    let (i, pattern) = sample(i)?;
    let (i, ()) = expect_word(Keyword::For)(i)?;
    let (i, epochs) = required("the number of epochs", size)(i)?;
    let (i, ()) = expect_word(Keyword::Epochs)(i)?;
    let (i, body) = body(i)?;
    Ok((
        i,
        ItemKind::Train(TrainDecl {
            data,
            batch,
            pattern,
            epochs,
            body,
        }),
    ))
}

/// 'measure' NAME 'on' NAME 'as' pattern '=' command
fn measure(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of a measure")(i)?;
    let (i, ()) = expect_word(Keyword::On)(i)?;
    let (i, data) = required_name("the name of a data set")(i)?;
    let (i, pattern) = sample(i)?;
    let (i, body) = body(i)?;
    Ok((
        i,
        ItemKind::Measure(MeasureDecl {
            name,
            data,
            pattern,
            body,
        }),
    ))
}

/// 'predict' NAME '(' params ')' '=' command
fn predict(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, name) = required_name("the name of a prediction")(i)?;
    let (i, params) = required_params(i)?;
    let (i, body) = body(i)?;
    Ok((i, ItemKind::Predict(PredictDecl { name, params, body })))
}

/// 'main' '=' command
fn main(i: Tokens<'_>) -> Parsed<'_, ItemKind> {
    let (i, body) = body(i)?;
    Ok((i, ItemKind::Main(body)))
}

/// A reserved word inside a declaration; if the word is missing, this is reported.
fn expect_word<'a>(keyword: Keyword) -> impl Fn(Tokens<'a>) -> Parsed<'a, ()> {
    expect(TokenKind::Word(keyword))
}

/// '='; if the `=` is missing and a body follows, parsing continues.
fn equals(i: Tokens<'_>) -> Parsed<'_, ()> {
    if i.is(TokenKind::Colon) && i.kind_at(1) == Some(TokenKind::Equals) {
        let span = i.advance(2).since(i);
        expected_with(i, "`=`", |error| error.fix("write `=`", span, "="));
        return Ok((i.advance(2), ()));
    }
    // There is one word too many before the `=`.
    if i.is(TokenKind::Identifier) && i.kind_at(1) == Some(TokenKind::Equals) {
        let extra = i.advance(1).since(i);
        expected_with(i, "`=`", |error| error.fix("remove it", extra, ""));
        return Ok((i.advance(2), ()));
    }
    let goes_on = starts_command(i) || i.kind().is_some_and(starts_term);
    let (rest, ()) = expect(TokenKind::Equals)(i)?;
    if rest.at == i.at && !goes_on {
        i.failure()
    } else {
        Ok((rest, ()))
    }
}

/// '=' command; a broken command is an error node, and the declaration ends there.
fn body(i: Tokens<'_>) -> Parsed<'_, Command> {
    let parsed = preceded(equals, required("a command", command)).parse(i);
    Ok(parsed.unwrap_or_else(|_| {
        (
            i.jump(usize::MAX),
            Spanned::new(CommandKind::Error, i.here()),
        )
    }))
}

/// '=' term; a broken term is an error node, and the declaration ends there.
fn term_body(i: Tokens<'_>) -> Parsed<'_, Term> {
    let parsed = preceded(equals, required("a term", term)).parse(i);
    Ok(parsed.unwrap_or_else(|_| (i.jump(usize::MAX), Spanned::new(TermKind::Error, i.here()))))
}
