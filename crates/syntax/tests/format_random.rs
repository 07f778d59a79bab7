//! Laws of the formatter on random programs: it keeps the program and its comments, and formatting a formatted text changes
//! nothing, in both spellings.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use crate::common::{render, tree};
use crate::generator::Between;
use fletch_syntax::{Spelling, TokenClass, format, highlight, parse};
use proptest::prelude::*;

/// Lines of all comments.
fn comments(source: &str) -> Vec<&str> {
    highlight(source, crate::common::SYMBOLS)
        .into_iter()
        .filter(|token| token.class == TokenClass::Comment)
        .flat_map(|token| token.span.text(source).lines().map(str::trim_end))
        .collect()
}

/// Names and numbers as written, without points: the point of a projection may be a token or inside a number.
fn words(source: &str) -> String {
    let text = |span: fletch_syntax::Span| span.text(source);
    let tokens = highlight(source, crate::common::SYMBOLS).into_iter();
    tokens
        .filter(|token| token.class != TokenClass::Comment)
        .map(|token| text(token.span))
        .filter(|text| {
            text.starts_with(|c: char| (c.is_alphanumeric() && c != 'ᵀ') || c == '"' || c == '_')
        })
        .filter(|text| !["pure", "ceil"].contains(text))
        .collect::<String>()
        .replace('.', "")
}

fn formatted(source: &str, spelling: Spelling) -> String {
    format(source, spelling, crate::common::SYMBOLS)
        .unwrap_or_else(|errors| panic!("{source}\n{errors:#?}"))
}

fn obeys_the_laws(source: &str) {
    let (_, diagnostics) = parse(source, crate::common::SYMBOLS);
    assert!(
        diagnostics.is_empty(),
        "{source}\n{}",
        render(source, &diagnostics)
    );
    let unicode = formatted(source, Spelling::Unicode);
    let ascii = formatted(source, Spelling::Ascii);
    for (result, spelling) in [(&unicode, Spelling::Unicode), (&ascii, Spelling::Ascii)] {
        assert_eq!(tree(result), tree(source), "{source}\nbecomes\n{result}");
        assert_eq!(
            comments(result),
            comments(source),
            "{source}\nbecomes\n{result}"
        );
        assert_eq!(words(result), words(source), "{source}\nbecomes\n{result}");
        let again = formatted(result, spelling);
        assert_eq!(
            &again, result,
            "{source}\nbecomes\n{result}\nand then\n{again}"
        );
        for line in result.lines() {
            assert_eq!(line.trim_end(), line, "{result}");
        }
        assert!(result.is_empty() || result.ends_with('\n'), "{result}");
        assert!(
            !result.starts_with('\n') && !result.ends_with("\n\n"),
            "{result}"
        );
    }
    let back = formatted(&ascii, Spelling::Unicode);
    assert_eq!(
        back, unicode,
        "{source}\nis in ASCII\n{ascii}\nand from there\n{back}"
    );
    for token in highlight(&ascii, crate::common::SYMBOLS) {
        let text = token.span.text(&ascii);
        let is_symbol = matches!(token.class, TokenClass::Operator | TokenClass::Bracket);
        assert!(!is_symbol || text.is_ascii(), "{text} in\n{ascii}");
    }
}

/// Checks that white space does not matter if there are no line breaks to keep: all white space gives one layout.
fn forgets_white_space(source: &str) {
    let one_line: String = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let spread = one_line.replace(' ', "   ");
    assert_eq!(
        formatted(&one_line, Spelling::Unicode),
        formatted(&spread, Spelling::Unicode)
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_white_space_and_comments(seed in any::<u64>(), fuel in 1u32..6) {
        obeys_the_laws(&crate::generator::program(seed, fuel, Between::Comments));
    }

    #[test]
    fn any_white_space(seed in any::<u64>(), fuel in 1u32..7) {
        obeys_the_laws(&crate::generator::program(seed, fuel, Between::Space));
    }

    #[test]
    fn little_white_space(seed in any::<u64>(), fuel in 1u32..7) {
        let source = crate::generator::program(seed, fuel, Between::Little);
        obeys_the_laws(&source);
        forgets_white_space(&source);
    }
}
