//! Texts that no author would write: nested deeply, very long, a megabyte in size, or in need of more memory
//! than there is. The tests require an answer to each text; the bench `answers` measures the response time.

use crate::{golden, programs};

/// Required outcome of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The text is accepted.
    Accepted,
    /// The text is rejected.
    Rejected,
    /// The only error of the text is the one for too much memory.
    TooLarge,
    /// The text is answered, with or without errors.
    Answer,
}

/// A hostile text with its required outcome.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// Description of the text.
    pub what: &'static str,
    /// The text.
    pub source: String,
    /// Outcome that the text must have.
    pub wanted: Wanted,
}

/// Returns all hostile texts.
pub fn texts() -> Vec<Hostile> {
    let kinds = [
        (Wanted::Rejected, deep()),
        (Wanted::Rejected, refused()),
        (Wanted::Accepted, vec![("500 lets", lets(500))]),
        (Wanted::TooLarge, too_large()),
        (Wanted::Answer, long()),
    ];
    let texts = kinds.into_iter().flat_map(|(wanted, texts)| {
        let hostile = move |(what, source)| Hostile {
            what,
            source,
            wanted,
        };
        texts.into_iter().map(hostile)
    });
    texts.collect()
}

type Texts = Vec<(&'static str, String)>;

/// Texts nested ten thousand levels deep.
fn deep() -> Texts {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(10_000), close.repeat(10_000));
        format!("main = ⌊{open}1{close}⌋")
    };
    let open = |before: &str, opening: &str| format!("{before}{}", opening.repeat(10_000));
    let (opening, closing) = ("(".repeat(10_000), ")".repeat(10_000));
    vec![
        ("parentheses", deep("(", ")")),
        ("tuples", deep("⟨1, ", "⟩")),
        ("negations", open("main = ⌊", "−") + "x⌋"),
        ("brackets", open("main = ", "[")),
        ("open parentheses", open("main = ", "(")),
        ("handlers", open("main = ", "handle ")),
        ("comments", open("", "{-")),
        ("indices", open("main = f", "[a")),
        ("commands", format!("main = {opening}⌊1⌋{closing}")),
    ]
}

fn lets(count: usize) -> String {
    let lets: String = (0..count)
        .map(|i| format!("let x{} ⇐ ⌊x{}⌋ in\n", i + 1, i))
        .collect();
    format!("main = let x0 ⇐ ⌊1⌋ in\n{lets}⌊x{count}⌋")
}

/// Texts longer than allowed, as written or after expansion.
fn refused() -> Texts {
    let doubling: String = (1..60)
        .map(|i| format!("command R{i}() = let x ⇐ R{}() in R{0}()\n", i - 1))
        .collect();
    let doubling = format!("command R0() = ⌊1⌋\n{doubling}main = R59()");
    vec![
        ("100 000 lets", lets(100_000)),
        ("exponential expansion", doubling),
    ]
}

/// Texts that need more memory than there is.
fn too_large() -> Texts {
    let hundred = |each: fn(usize) -> String| (0..100).map(each).collect::<String>();
    let locations = hundred(|k| format!("loc w{k} ∷ (4096, 4096)\n"));
    let gets = hundred(|k| format!("let x{k} ⇐ Get[w{k}]() in "));
    let zeros = hundred(|k| format!("let x{k} ⇐ ⌊zero[16777216]⌋ in "));
    vec![
        ("locations", format!("{locations}main = {gets}⌊()⌋")),
        ("zeros", format!("main = {zeros}⌊x0⌋")),
        ("a size", "main = ⌊zero[16777217]⌋".to_owned()),
    ]
}

/// Texts that are long, of a megabyte, or mention large sizes.
fn long() -> Texts {
    const MEGABYTE: usize = 1 << 20;
    let golden = programs(&golden());
    let mlp = golden.iter().find(|(name, _)| name == "mlp");
    let mlp = mlp.map_or("", |(_, source)| source);
    let sum = format!("main = ⌊1{}⌋", " + 1".repeat(100_000));
    let iterations = "main = iterate[i : 1000000](1)⟨x⟩. ⌊x⌋";
    let size = "loc w ∷ (99999999999, 99999999999)\nmain = Get[w]()";
    let declarations = mlp.repeat(MEGABYTE / mlp.len().max(1));
    vec![
        ("a long sum", sum),
        ("many iterations", iterations.to_owned()),
        ("a large size", size.to_owned()),
        (
            "a large zero",
            "main = ⌊zero[16777216 * 16777216]⌋".to_owned(),
        ),
        ("a megabyte of declarations", declarations),
        ("a megabyte of letters", "x".repeat(MEGABYTE)),
        ("a megabyte of brackets", "⟨".repeat(MEGABYTE / 4)),
        (
            "a megabyte of comments",
            "-- comment\n".repeat(MEGABYTE / 8),
        ),
        ("a megabyte of random bytes", random(MEGABYTE)),
        ("a megabyte of dashes", "– x ".repeat(MEGABYTE / 6)),
        ("a megabyte of minuses", "−1 ".repeat(MEGABYTE / 5)),
        (
            "a megabyte of quotations",
            "„ ‚ \"\" ".repeat(MEGABYTE / 11),
        ),
        (
            "a megabyte of closed quotations",
            "‘x’ ".repeat(MEGABYTE / 8),
        ),
        ("a megabyte of wide digits", "１ ".repeat(MEGABYTE / 4)),
        (
            "a megabyte of what is unseen",
            "\u{200b}x".repeat(MEGABYTE / 4),
        ),
        (
            "a megabyte of entries without commas",
            format!("main = ⌊[{}]⌋", "1 ".repeat(MEGABYTE / 2 - 20)),
        ),
        (
            "a megabyte of rows without commas",
            format!("main = ⌊[{}]⌋", "[1 2] ".repeat(MEGABYTE / 6 - 20)),
        ),
    ]
}

fn random(length: usize) -> String {
    let mut seed = 1_u64;
    let bytes: Vec<u8> = (0..length)
        .map(|_| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as u8
        })
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
