//! The TextMate grammar of the extension for VS Code. It is generated from the tables behind the highlighting of the page:
//! the reserved words, the spellings, and the class of each token. `UPDATE=1 cargo test` rewrites it.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use fletch_syntax::{COMBINATORS, TokenClass, highlight, names, spellings, words, wrappers};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../editors/vscode/syntaxes/fletch.tmLanguage.json"
);

/// Characters of a name after its first one, in the regular expressions of editors.
const LATER: &str = r"[\p{Alphabetic}\p{M}0-9_'′₀-₎ₐ-ₜ&&[^ᵀ]]";

/// TextMate scope of a class, the name by which themes colour it.
fn scope(class: TokenClass) -> String {
    let scope = match class {
        TokenClass::Keyword => "keyword.control",
        TokenClass::Operation => "entity.name.function.operation",
        TokenClass::Function => "support.function",
        TokenClass::Operator => "keyword.operator",
        TokenClass::Location => "variable.other.constant.location",
        TokenClass::Type => "support.type",
        TokenClass::Number => "constant.numeric",
        TokenClass::String => "string.quoted.double",
        TokenClass::Comment => "comment",
        TokenClass::Bracket => "punctuation.bracket",
        TokenClass::Definition => "entity.name.function.definition",
        TokenClass::Variable => "variable.other",
        TokenClass::Invalid => "invalid.illegal",
    };
    format!("{scope}.fletch")
}

/// Class of a text that is a single token.
fn class(text: &str) -> TokenClass {
    let found = highlight(text, &[]);
    assert_eq!(found.len(), 1, "{text} is no token");
    found.first().unwrap().class
}

/// Regular expression of these texts as alternatives; longer texts precede their prefixes.
fn any_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut texts: Vec<&str> = texts.into_iter().collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.chars().count()));
    let escaped: Vec<String> = texts
        .into_iter()
        .map(|text| {
            let signs = text.chars().map(|sign| match sign {
                sign if sign.is_alphanumeric() || !sign.is_ascii() => sign.to_string(),
                sign => format!("\\{sign}"),
            });
            signs.collect()
        })
        .collect();
    escaped.join("|")
}

/// Regular expression that matches `inner` as a whole name.
fn whole(inner: &str) -> String {
    format!("(?<!{LATER})(?:{inner})(?!{LATER})")
}

fn rule(pattern: impl Into<String>, name: impl Into<String>) -> Json {
    json!({ "match": pattern.into(), "name": name.into() })
}

/// Rule for the reserved word of a declaration and the name that it declares.
fn declaration(word: &str, name: &str, class: TokenClass) -> Json {
    json!({
        "match": format!("(?<!{LATER})({word})\\s+({name})"),
        "captures": { "1": { "name": "storage.type.fletch" }, "2": { "name": scope(class) } },
    })
}

fn grammar() -> String {
    let name = format!("(?!ᵀ)[\\p{{Alphabetic}}_]{LATER}*");
    let items: BTreeSet<&str> = words().filter(|word| word.1).map(|word| word.0).collect();
    let others = || words().filter(|word| !word.1).map(|word| word.0);
    let of = |wanted: TokenClass| others().filter(move |word| class(word) == wanted);

    // Signs that the highlighting accepts as tokens: ASCII punctuation, spellings, and characters of the input method.
    let ascii = (' '..='~').filter(|sign| sign.is_ascii_punctuation());
    let mut signs: BTreeSet<String> = ascii.map(String::from).collect();
    signs.extend(
        spellings()
            .iter()
            .flat_map(|(one, other)| [one.to_string(), other.to_string()]),
    );
    signs.extend(names().iter().map(|(_, sign)| (*sign).to_owned()));
    signs.extend(
        wrappers()
            .iter()
            .flat_map(|(_, open, close)| [open.to_string(), close.to_string()]),
    );
    let of_class = |wanted: TokenClass| {
        let alone =
            |sign: &String| matches!(&highlight(sign, &[])[..], [only] if only.class == wanted);
        let found: Vec<&str> = signs
            .iter()
            .filter(|sign| alone(sign))
            .map(String::as_str)
            .collect();
        any_of(found)
    };
    let (brackets, operators) = (
        of_class(TokenClass::Bracket),
        of_class(TokenClass::Operator),
    );

    let symbols = fletch_smooth::symbols().iter().copied();
    let made_of_data = COMBINATORS.iter().map(|(name, _)| *name);
    let number = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?";
    let number = format!("(?<!{LATER}){number}");
    let item_words = any_of(items.iter().copied());

    let patterns = json!([
        { "include": "#comments" },
        { "name": scope(TokenClass::String), "match": "\"[^\"]*\"" },
        declaration("op", &name, TokenClass::Operation),
        declaration("loc", &name, TokenClass::Location),
        declaration("train", &name, TokenClass::Variable),
        declaration(&any_of(items.iter().copied().filter(|word| !["op", "loc", "train", "main"].contains(word))), &name, TokenClass::Definition),
        rule(whole(&item_words), "storage.type.fletch"),
        rule(whole(&any_of(of(TokenClass::Keyword))), scope(TokenClass::Keyword)),
        rule(format!("{}(?=\\s*\\[)", whole("feedback")), scope(TokenClass::Keyword)),
        {
            "begin": format!("{}\\s*(\\()", whole(&any_of(of(TokenClass::Type)))),
            "beginCaptures": { "0": { "name": scope(TokenClass::Type) }, "1": { "name": scope(TokenClass::Bracket) } },
            "end": "\\)",
            "endCaptures": { "0": { "name": scope(TokenClass::Bracket) } },
            "patterns": [{ "include": "#sizes" }],
        },
        rule(whole(&any_of(of(TokenClass::Type))), scope(TokenClass::Type)),
        rule(number.clone(), scope(TokenClass::Number)),
        rule(whole("proj_[0-9]+"), scope(TokenClass::Function)),
        rule(format!("{}(?=\\s*[\\[(])", whole("Get|Put")), scope(TokenClass::Operation)),
        rule(format!("{}(?=\\s*[\\[(])", whole(&any_of(symbols.chain(made_of_data)))), scope(TokenClass::Function)),
        rule(format!("{name}(?=\\s*(?:∷|::))"), scope(TokenClass::Location)),
        rule(format!("{name}(?=\\s*[\\[(])"), "entity.name.function.fletch"),
        rule(name.clone(), scope(TokenClass::Variable)),
        rule(operators.clone(), scope(TokenClass::Operator)),
        rule(brackets.clone(), scope(TokenClass::Bracket)),
    ]);
    let grammar = json!({
        "comment": "Written by crates/syntax/tests/textmate.rs.",
        "name": "Fletch",
        "scopeName": "source.fletch",
        "patterns": patterns,
        "repository": {
            "comments": { "patterns": [
                { "name": "comment.line.double-dash.fletch", "match": "--.*$" },
                { "include": "#block" },
            ] },
            "block": {
                "name": "comment.block.fletch",
                "begin": "\\{-",
                "end": "-\\}",
                "patterns": [{ "include": "#block" }],
            },
            "sizes": { "patterns": [
                { "include": "#comments" },
                {
                    "begin": "\\(",
                    "beginCaptures": { "0": { "name": scope(TokenClass::Bracket) } },
                    "end": "\\)",
                    "endCaptures": { "0": { "name": scope(TokenClass::Bracket) } },
                    "patterns": [{ "include": "#sizes" }],
                },
                rule(whole(&any_of(of(TokenClass::Keyword))), scope(TokenClass::Keyword)),
                rule(format!("{name}|{number}"), scope(TokenClass::Type)),
                rule(operators, scope(TokenClass::Operator)),
                rule(brackets, scope(TokenClass::Bracket)),
            ] },
        },
    });
    serde_json::to_string_pretty(&grammar).unwrap() + "\n"
}

#[test]
fn the_grammar_is_made_of_the_tables_of_the_page() {
    let grammar = grammar();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &grammar).unwrap();
    }
    let written = std::fs::read_to_string(FILE).unwrap();
    assert!(
        written == grammar,
        "the grammar is of other tables: UPDATE=1 cargo test -p fletch-syntax textmate"
    );
}
