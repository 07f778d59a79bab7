//! Services for an editor: highlighting, and conversion of offsets to the units of editors.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use fletch_syntax::{LineIndex, highlight, line_column};
use proptest::prelude::*;

/// Highlights a source, and compares the classes of these words, in order of appearance.
fn check(source: &str, expected: &[(&str, &str)]) {
    let tokens = highlight(source, crate::common::SYMBOLS);
    let mut from = 0;
    for &(word, class) in expected {
        let at = tokens[from..]
            .iter()
            .position(|token| token.span.text(source) == word);
        let at = from + at.unwrap_or_else(|| panic!("no {word} after token {from} in {source}"));
        assert_eq!(tokens[at].class.name(), class, "{word} in {source}");
        from = at + 1;
    }
}

#[test]
fn classes() {
    check(
        "dim n = 2, m = 3 -- sizes\nloc ℓ0 ∷ (n, m) = glorot(seed: 1)\nop FC[ℓ ∷ (n, m)] : Real(n) |> 1",
        &[
            ("dim", "keyword"),
            ("n", "definition"),
            ("=", "operator"),
            ("2", "number"),
            ("m", "definition"),
            ("-- sizes", "comment"),
            ("loc", "keyword"),
            ("ℓ0", "location"),
            ("(", "bracket"),
            ("glorot", "variable"),
            ("FC", "operation"),
            ("ℓ", "location"),
            ("Real", "type"),
            ("n", "type"),
            ("|>", "operator"),
        ],
    );
    check(
        "op FC[ℓ ∷ (n)] : 1 ▷ 1 fun g(x : 1) = g(swish(x)) + cols[2, swish](x).1
         command R(x : Real((n + 1) × 2)) = let y ⇐ FC[ℓ](x) in ⌊rd[g](x, y)⌋
         handler H : 1 { FC[ℓ], k; x ↦ k • x } data d = csv(\"f\") $$ 2x",
        &[
            ("g", "definition"),
            ("g", "function"),
            ("swish", "function"),
            ("cols", "function"),
            ("2", "number"),
            ("swish", "function"),
            ("1", "number"),
            ("R", "definition"),
            ("n", "type"),
            ("2", "type"),
            ("y", "variable"),
            ("FC", "operation"),
            ("ℓ", "location"),
            ("rd", "keyword"),
            ("g", "function"),
            ("H", "definition"),
            ("FC", "operation"),
            ("k", "variable"),
            ("\"f\"", "string"),
            ("$$", "invalid"),
            ("2", "number"),
            ("x", "invalid"),
        ],
    );
    check(
        "main = let w ⇐ Get[ℓ]() in {- a\nb -} Put[ℓ](w)",
        &[
            ("Get", "operation"),
            ("ℓ", "variable"),
            ("{- a\nb -}", "comment"),
            ("Put", "operation"),
        ],
    );
}

#[test]
fn lines_and_columns() {
    let source = "aℓ\n\n𝔸b\r\nc";
    let index = LineIndex::new(source);
    assert_eq!(index.line_count(), 4);
    let at = |text: &str| source.find(text).unwrap() as u32;
    assert_eq!(index.line_column(0), (1, 1));
    assert_eq!(index.line_column(at("ℓ")), (1, 2));
    assert_eq!(index.line_column(at("ℓ") + 1), (1, 2));
    assert_eq!(index.line_column(at("\n")), (1, 3));
    assert_eq!(index.line_column(at("b")), (3, 2));
    assert_eq!(index.line_column(at("c")), (4, 1));
    assert_eq!(index.line_column(1000), (4, 2));
    assert_eq!(line_column(source, at("b")), (3, 2));
    assert_eq!(index.to_utf16(at("b")), 6);
    assert_eq!(index.from_utf16(6), at("b"));
    assert_eq!(index.from_utf16(5), at("𝔸"));
    assert_eq!(index.offset(3, 2), at("b"));
    assert_eq!(index.offset(1, 99), at("\n"));
    assert_eq!(index.offset(99, 1), source.len() as u32);
    assert_eq!(LineIndex::new("").line_column(0), (1, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn offsets_agree_with_counting(source in "[aℓ𝔸\n]{0,40}") {
        let index = LineIndex::new(&source);
        for (at, _) in source.char_indices().chain([(source.len(), ' ')]) {
            let before = &source[..at];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            prop_assert_eq!(index.line_column(at as u32), (line as u32, column as u32));
            prop_assert_eq!(index.offset(line as u32, column as u32), at as u32);
            let units = before.encode_utf16().count() as u32;
            prop_assert_eq!(index.to_utf16(at as u32), units);
            prop_assert_eq!(index.from_utf16(units), at as u32);
        }
    }
}
