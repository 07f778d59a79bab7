//! Sources of a megabyte, each mostly the repetition of one text: a pass that is not linear would
//! hang on them.

use super::deep::{NESTS, chains, nest};

const MEGABYTE: usize = 1 << 20;

/// Name of a text, and the text.
pub type Named = (String, String);

fn fill(text: &str) -> String {
    text.repeat(MEGABYTE / text.len() + 1)
}

fn named<const N: usize>(texts: [(&str, String); N]) -> Vec<Named> {
    let texts = texts.into_iter();
    texts.map(|(name, text)| (name.to_owned(), text)).collect()
}

/// Texts to parse and highlight, with and without mistakes; one of them repeats `programs`.
pub fn parsed(programs: &str) -> Vec<Named> {
    let handler = |clauses: &str| format!("handler H : 1 {{ {} }}", fill(clauses));
    let data = |entries: &str, last: &str| format!("data d = [{}{last}]", fill(entries));
    let mut texts = named([
        ("valid", fill(programs)),
        ("10 000 parentheses", nest(10_000, NESTS[0])),
        ("990 lets", chains(990)[0].clone()),
        ("50 000 lets", chains(50_000)[0].clone()),
        ("one data set", data("⟨[0.5, -1], [1]⟩, ", "⟨[1], [2]⟩")),
        (
            "one literal",
            format!("loc l ∷ (9) = [{}1]", fill("0.12345, ")),
        ),
        (
            "clauses",
            handler("x ↦ ⌊x⌋ FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ ⌊y⌋ )\n"),
        ),
        (
            "broken clauses",
            handler("x ↦ ⌊x + ⌋ FC[ℓ] ( x ↦ ⌊x⌋ | y, ↦ )\n"),
        ),
        (
            "unclosed clauses",
            handler("FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ let\n"),
        ),
        (
            "openers, closers",
            format!("main = {}{}", fill("("), fill("]")),
        ),
        (
            "uneven rows",
            format!("loc l ∷ (1) = [[{}1], {}[1]]", fill("1, "), fill("[1], ")),
        ),
        ("comments", fill("{- ")),
        (
            "deep data",
            data(&format!("{}1{}, ", "(".repeat(200), ")".repeat(200)), "1"),
        ),
        ("token soup", soup()),
        (
            "random bytes",
            String::from_utf8_lossy(&bytes()).into_owned(),
        ),
    ]);
    let tokens = [
        "(",
        ")",
        "⟨",
        "[",
        "{",
        "let x ⇐ ",
        "handle ",
        "⌊",
        "x ",
        "1 ",
        ", ",
        "$ ",
        "=",
        "let ",
    ];
    texts
        .extend(tokens.map(|token| (format!("only `{token}`"), format!("main = {}", fill(token)))));
    texts
}

/// Texts to format, without mistakes; one of them repeats `programs`.
pub fn formatted(programs: &str) -> Vec<Named> {
    let nested = "handle R() with { x ↦ ".repeat(60);
    let deep = fill("FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ let x ⇐ R() in\n⌊y⌋ )\n");
    let comments = "-- a comment\n{- another -} loc l ∷ (2) -- and one more\n";
    let clauses = "FC[ℓ] ( x ↦ ⌊x⌋ | y, z ↦ ⌊y⌋ )\n";
    named([
        ("programs", fill(programs)),
        ("comments", fill(comments)),
        ("locations", fill("loc l ∷ (n, m) = glorot(seed: 1)\n")),
        ("chains", fill(&format!("{}\n", chains(900)[0]))),
        (
            "a data set",
            format!("data d = [{}⟨[1], [2]⟩]", fill("⟨[0.5, -1], [1]⟩, ")),
        ),
        (
            "a literal",
            format!("loc l ∷ (9) = [{}1]", fill("0.12345, ")),
        ),
        (
            "rows",
            format!("loc l ∷ (9) = [{}[1, 2]]", fill("[1, 2], ")),
        ),
        ("clauses", format!("handler H : 1 {{ {} }}", fill(clauses))),
        (
            "deep clauses",
            format!(
                "main = {nested} handle R() with {{ {deep} }} {}",
                "}".repeat(60)
            ),
        ),
        ("arguments", format!("main = ⌊f({}x)⌋", fill("g(x, y), "))),
        ("a long name", format!("fun {}(x : 1) = x", fill("name"))),
        (
            "a long comment",
            format!("main = {{- {} -}} ⌊x⌋", fill("word word\n")),
        ),
    ])
}

/// Next number of a small pseudorandom generator, so that the large inputs are the same in every
/// run.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn soup() -> String {
    let mut state = 1;
    let mut soup = String::new();
    while soup.len() < MEGABYTE {
        soup += WORDS[next(&mut state) as usize % (WORDS.len() - 6)];
        let ends = next(&mut state).is_multiple_of(9);
        soup += if ends { "\n" } else { " " };
    }
    soup
}

fn bytes() -> Vec<u8> {
    let mut state = 2;
    (0..MEGABYTE).map(|_| next(&mut state) as u8).collect()
}

/// Tokens of every kind. `soup` leaves the last six out: an invalid character, a quotation mark,
/// comment signs and a line break.
pub const WORDS: &[&str] = &[
    "dim", "loc", "op", "fun", "command", "handler", "data", "train", "measure", "predict", "main",
    "let", "in", "rev", "handle", "with", "as", "for", "on", "epochs", "extends", "by", "iterate",
    "Real", "rd", "zero", "pure", "ceil", "x", "FC", "ℓ", "proj_1", "_", "1", "0.5", "\"s\"", "⇐",
    "<-", "↦", "|>", "=>", "∷", ":", ".", "·", "*", "**", "×", "+", "-", "/", "ᵀ", "@", "⟨", ">",
    "<", "⟩", "⌊", "⌋", "⌈", "⌉", "(", ")", "[", "]", "{", "}", ",", ";", "|", "=", "$", "’", "{-",
    "-}", "\n", "--",
];
