//! Compares the tree-sitter grammar with the parser. Both find the same declarations and clauses in every valid program. In a
//! wrong program the grammar finds at least what the parser finds. The colours agree with those of the page.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)] // A failed test is a panic.

mod outline;
mod texts;

use fletch_syntax::TokenClass;
use outline::{of_parser, of_tree, parser, tree};
use std::collections::BTreeMap;
use tree_sitter::{InputEdit, Point, Query, QueryCursor, StreamingIterator};

#[test]
fn programs_have_the_same_declarations_and_clauses() {
    let (mut seen, mut parts) = (0, 0);
    for (name, text) in texts::programs().into_iter().chain(texts::wrong()) {
        let (parser, rejected) = of_parser(&text);
        if rejected {
            continue;
        }
        let tree = tree(&text);
        assert!(
            !tree.root_node().has_error(),
            "{name}: {}",
            tree.root_node()
        );
        assert_eq!(parser, of_tree(&tree), "{name}");
        seen += 1;
        parts += parser.len();
    }
    println!("{seen} programs, {parts} declarations and clauses");
    assert!(seen > 700 && parts > 4500, "{seen} programs, {parts} parts");
}

/// The tree may have more parts than the parser: those of a declaration that the parser cannot read to its end.
#[test]
fn wrong_programs_have_all_that_the_parser_finds() {
    let (mut seen, mut parts, mut ends) = (0, 0, 0);
    for (name, text) in texts::programs().into_iter().chain(texts::wrong()) {
        let (parser, rejected) = of_parser(&text);
        if !rejected {
            continue;
        }
        let tree = tree(&text);
        let found: BTreeMap<_, _> = of_tree(&tree)
            .into_iter()
            .map(|part| ((part.start, part.kind), part.end))
            .collect();
        for part in &parser {
            let end = found.get(&(part.start, part.kind));
            let end = end.unwrap_or_else(|| panic!("{name}: no {part:?} in {}", tree.root_node()));
            let whole = tree
                .root_node()
                .descendant_for_byte_range(part.start, part.end.max(*end));
            assert!(
                *end == part.end || whole.unwrap().has_error(),
                "{name}: {part:?} ends at {end}"
            );
            ends += usize::from(*end == part.end);
        }
        seen += 1;
        parts += parser.len();
    }
    println!(
        "{seen} wrong programs, {parts} declarations and clauses, {ends} of them with the same end"
    );
    assert!(
        seen > 300 && parts > 500 && ends > parts * 9 / 10,
        "{seen} wrong programs, {parts} parts, {ends} ends"
    );
}

#[test]
fn texts_of_any_kind_have_a_tree() {
    let corpus = texts::corpus();
    assert!(corpus.len() > 50);
    for (name, text) in corpus {
        let tree = tree(&text);
        assert_eq!(tree.root_node().end_byte(), text.len(), "{name}");
    }
}

/// An editor reports what has changed, and the parser reuses most of the old tree.
#[test]
fn a_tree_after_an_edit_is_the_tree_of_the_new_text() {
    let inserted = ["⌊", ")", "\n\n", "main = ", "x ", "{- ", "-- ", " in\n"];
    let mut seen = 0;
    for (name, text) in texts::programs().into_iter().step_by(8) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for (number, &at) in places.iter().enumerate().step_by(41) {
            let until = places.get(number + number % 7).copied().unwrap_or(at);
            let new = inserted[number % inserted.len()];
            let changed = [&text[..at], new, &text[until..]].concat();
            let mut old = tree(&text);
            old.edit(&InputEdit {
                start_byte: at,
                old_end_byte: until,
                new_end_byte: at + new.len(),
                start_position: point(&text, at),
                old_end_position: point(&text, until),
                new_end_position: point(&changed, at + new.len()),
            });
            let edited = parser().parse(&changed, Some(&old)).unwrap();
            let fresh = tree(&changed);
            assert_eq!(
                edited.root_node().to_sexp(),
                fresh.root_node().to_sexp(),
                "{name}: {new:?} for {at}..{until}"
            );
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen} edits");
}

fn point(text: &str, at: usize) -> Point {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    Point::new(before.matches('\n').count(), at - line)
}

/// Returns the capture names of the highlighting query by the start of their nodes. For several captures the last pattern wins.
fn colours(text: &str) -> BTreeMap<usize, String> {
    let query = Query::new(
        &tree_sitter_fletch::LANGUAGE.into(),
        tree_sitter_fletch::HIGHLIGHTS,
    )
    .unwrap();
    let tree = tree(text);
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
    let mut found: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    while let Some((found_here, at)) = captures.next() {
        let capture = found_here.captures[*at];
        let name = query.capture_names()[capture.index as usize].to_owned();
        let place = found.entry(capture.node.start_byte()).or_default();
        if place.1.is_empty() || found_here.pattern_index >= place.0 {
            *place = (found_here.pattern_index, name);
        }
    }
    found
        .into_iter()
        .map(|(start, (_, name))| (start, name))
        .collect()
}

#[test]
fn colours_are_those_of_the_page() {
    let mut seen = 0;
    for (name, text) in texts::programs() {
        if of_parser(&text).1 {
            continue;
        }
        let colours = colours(&text);
        for token in fletch_syntax::highlight(&text, fletch_smooth::symbols()) {
            let expected = match token.class {
                TokenClass::Keyword => "keyword",
                TokenClass::Comment => "comment",
                TokenClass::String => "string",
                TokenClass::Type => "type",
                TokenClass::Number => "number",
                TokenClass::Bracket => "punctuation.bracket",
                _ => continue,
            };
            let start = token.span.start as usize;
            let found = colours.get(&start).map_or("", String::as_str);
            // The page colours everything in the parentheses of `Real` as a type, the query only direct children. Conversely,
            // only the query recognises a `1` that is a type.
            let known = match token.class {
                TokenClass::Type => ["variable", "number"].contains(&found),
                TokenClass::Number => found == "type.builtin",
                _ => false,
            };
            assert!(
                found.starts_with(expected) || known,
                "{name}:{start}: {} is {found:?}, not {expected}",
                token.span.text(&text)
            );
            seen += 1;
        }
    }
    assert!(seen > 50_000, "{seen} tokens");
}

#[test]
fn queries_are_of_this_grammar() {
    let queries = [
        tree_sitter_fletch::HIGHLIGHTS,
        tree_sitter_fletch::FOLDS,
        tree_sitter_fletch::INJECTIONS,
        tree_sitter_fletch::LOCALS,
    ];
    for query in queries {
        let query = Query::new(&tree_sitter_fletch::LANGUAGE.into(), query);
        query.unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[test]
fn reserved_words_are_those_of_the_parser() {
    for (word, begins) in fletch_syntax::words() {
        // A word that begins a declaration is read as a name in the middle of a line. The grammar accepts this mistake.
        let inside = tree(&format!("main = ⌊{word}⌋\n"));
        assert_eq!(inside.root_node().has_error(), !begins, "{word}");
        let alone = tree(&format!("{word}\n"));
        let item = alone.root_node().child(0).unwrap().kind().to_owned();
        assert_eq!(item == format!("{word}_item"), begins, "{word}: {item}");
    }
}

/// The cases of `test/corpus`, which `tree-sitter test` checks too. The expected trees leave out the names of fields.
#[test]
fn trees_are_those_of_the_corpus() {
    let plain = |tree: &str| {
        let words = tree.split_whitespace().filter(|word| !word.ends_with(':'));
        words.collect::<Vec<_>>().join(" ")
    };
    let cases = texts::trees();
    assert!(cases.len() > 10);
    for (title, text, expected) in cases {
        let found = tree(&text).root_node().to_sexp();
        assert_eq!(plain(&found), plain(&expected), "{title}");
    }
}
