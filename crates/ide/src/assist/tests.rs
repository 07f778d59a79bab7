//! Questions about texts. `‸` marks the cursor of a question.

use super::Assistant;
use crate::answers::{Answer, Completions, Question, TextEdit};
use fletch_syntax::{LineIndex, Severity, Spelling, TokenClass, format, highlight};

const NETWORK: &str = "\
dim n_in = 2, n_hid = 8
loc ℓ0 ∷ (n_in, n_hid) = glorot(seed: 1)
loc ℓ1 ∷ (n_hid, 1)
loc bias ∷ (n_hid)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Last[ℓ ∷ (n, 1)] : Real(n) ▷ Real(1)
fun twice(x : Real(2)) : Real(2) = x + x
command R(x_in : Real(n_in)) : Real(n_hid) =
  let z_hid ⇐ FC[ℓ0](x_in) in
  ⌊swish(z_hid)⌋
handler H : Real(n_hid) {
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
main = rev handle([1, 0])⟨x⟩. R(x) with H
";

/// The network with `part` replaced by a text that contains the cursor.
fn network(part: &str, replacement: &str) -> String {
    assert!(NETWORK.contains(part), "{part}");
    assert!(replacement.contains('‸'), "{replacement}");
    NETWORK.replacen(part, replacement, 1)
}

/// The text without the cursor mark, and the cursor's offset in UTF-16 code units.
fn cursor(source: &str) -> (String, u32) {
    let (before, after) = source.split_once('‸').unwrap();
    let offset = before.encode_utf16().count();
    (format!("{before}{after}"), u32::try_from(offset).unwrap())
}

/// `kind: signature (note)` of the name at the cursor.
fn hover(assistant: &mut Assistant, source: &str) -> String {
    let (text, offset) = cursor(source);
    match assistant.answer(&text, Question::Hover { offset }) {
        Answer::Hover(None) => "nothing".to_owned(),
        Answer::Hover(Some(found)) => {
            let units: Vec<u16> = text.encode_utf16().collect();
            let range = found.from as usize..found.to as usize;
            let name = String::from_utf16(units.get(range).unwrap()).unwrap();
            assert!(found.signature.contains(&name), "{name}: {found:?}");
            let note = found
                .note
                .map_or(String::new(), |note| format!(" ({note})"));
            format!("{}: {}{note}", found.kind, found.signature)
        }
        other => panic!("{other:?}"),
    }
}

/// The text at the definition of the name at the cursor, with a little of the text after it.
fn definition(assistant: &mut Assistant, source: &str) -> String {
    let (text, offset) = cursor(source);
    match assistant.answer(&text, Question::Definition { offset }) {
        Answer::Definition(None) => "nothing".to_owned(),
        Answer::Definition(Some(found)) => found.place.map_or_else(
            || format!("{} is built in", found.name),
            |(from, _)| {
                let units: Vec<u16> = text.encode_utf16().skip(from as usize).take(12).collect();
                String::from_utf16_lossy(&units)
            },
        ),
        other => panic!("{other:?}"),
    }
}

fn completions(assistant: &mut Assistant, source: &str) -> Completions {
    let (text, offset) = cursor(source);
    match assistant.answer(&text, Question::Complete { offset }) {
        Answer::Complete(found) => found,
        other => panic!("{other:?}"),
    }
}

/// The labels offered at the cursor, without function symbols and keywords.
fn names(source: &str) -> Vec<String> {
    let found = completions(&mut Assistant::default(), source);
    let own = |kind: &str| !["function symbol", "keyword"].contains(&kind);
    let options = found.options.into_iter().filter(|option| own(&option.kind));
    options.map(|option| option.label).collect()
}

#[test]
fn a_name_says_what_it_is() {
    let cases = [
        (
            "FC[ℓ0](x_in)",
            "F‸C[ℓ0](x_in)",
            "operation: FC[ℓ0] : Real(2) ▷ Real(8)\nFC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m) (handled by H)",
        ),
        ("FC[ℓ0](x_in)", "FC[‸ℓ0](x_in)", "location: ℓ0 ∷ (2, 8)"),
        ("FC[ℓ0](x_in)", "FC[ℓ0](x_in‸)", "variable: x_in : Real(2)"),
        ("(n_hid, 1)", "(n_‸hid, 1)", "dimension: dim n_hid = 8"),
        (
            "R(x) with",
            "R‸(x) with",
            "command: command R(x_in : Real(2)) : Real(8)",
        ),
        ("with H", "with ‸H", "handler: handler H : Real(8)"),
        (
            "let z_hid",
            "‸let z_hid",
            "keyword: let x ⇐ P in Q (Names what P returns and goes on with Q. With `←` it names the value of a term.)",
        ),
        ("x_in) in", "x_in)‸ in", "nothing"),
        (
            "fun twice",
            "fun twice‸",
            "function: fun twice(x : Real(2)) : Real(2)",
        ),
    ];
    for (part, replacement, expected) in cases {
        let found = hover(&mut Assistant::default(), &network(part, replacement));
        assert_eq!(found, expected, "{replacement}");
    }
    let symbol = hover(&mut Assistant::default(), &network("swish", "swi‸sh"));
    assert!(
        symbol.starts_with(
            "function symbol: swish : Real(8) → Real(8)\nswish : Real(n) → Real(n) (The activation"
        ),
        "{symbol}"
    );
}

#[test]
fn a_name_is_defined_somewhere() {
    let cases = [
        ("FC[ℓ0](x_in)", "F‸C[ℓ0](x_in)", "FC[ℓ ∷ (n, "),
        ("FC[ℓ0](x_in)", "FC[ℓ0](‸x_in)", "x_in : Real("),
        ("swish(z_hid)", "swish(z‸_hid)", "z_hid ⇐ FC[ℓ"),
        ("R(x) with", "‸R(x) with", "R(x_in : Rea"),
        ("Get[ℓ]", "‸Get[ℓ]", "Get is built in"),
        ("swish", "‸swish", "swish is built in"),
        ("let z_hid", "‸let z_hid", "nothing"),
    ];
    for (part, replacement, expected) in cases {
        let found = definition(&mut Assistant::default(), &network(part, replacement));
        // A definition may be shorter than twelve characters.
        assert!(
            found == expected || found.starts_with(expected),
            "{replacement}: {found:?}"
        );
    }
}

#[test]
fn what_is_offered_fits_the_place() {
    let cases: [(&str, &str, &[&str]); 19] = [
        ("FC[ℓ0](x_in)", "FC[‸](x_in)", &["ℓ0", "ℓ1"]),
        ("FC[ℓ0](x_in)", "Last[‸](x_in)", &["ℓ1"]),
        ("FC[ℓ0](x_in)", "FC[ℓ0](‸)", &["x_in", "twice"]),
        ("FC[ℓ0](x_in)", "F‸", &["FC", "Last", "R", "Get", "Put"]),
        ("swish(z_hid)", "swish(z‸)", &["z_hid", "x_in", "twice"]),
        ("let z_hid", "let z‸", &[]),
        ("with H", "with ‸", &["H"]),
        ("Get[ℓ]", "Get[‸]", &["ℓ", "ℓ0", "ℓ1", "bias"]),
        ("Put[ℓ](w − y", "Put[ℓ](‸ − y", &["w", "x", "y", "twice"]),
        ("loc bias ∷ (n_hid)", "loc bias ∷ (‸)", &["n_in", "n_hid"]),
        ("x_in : Real(n_in)", "x_in : Real(n‸)", &["n_in", "n_hid"]),
        ("x_in : Real(n_in)", "x‸ : Real(n_in)", &[]),
        (
            "= glorot(seed: 1)",
            "= g‸",
            &["zeros", "constant", "uniform", "normal", "glorot", "he"],
        ),
        ("= glorot(seed: 1)", "= glorot(seed: 1‸)", &[]),
        ("op FC", "op F‸C", &[]),
        ("main =", "-- ma‸in\nmain =", &[]),
        ("main =", "train ‸", &[]),
        (
            "main =",
            "data moon = ‸",
            &[
                "xor",
                "circles",
                "moons",
                "spirals",
                "quadrants",
                "blobs",
                "sine",
                "hills",
                "glyphs",
                "blips",
                "adding",
                "shuffle",
                "take",
                "drop",
                "join",
                "standardise",
                "noise",
            ],
        ),
        ("  x ↦ ⌊x⌋\n", "  F‸\n", &["FC", "Last", "Get", "Put"]),
    ];
    for (part, replacement, expected) in cases {
        let mut found = names(&network(part, replacement));
        if !expected
            .first()
            .is_some_and(|first| ["ℓ", "z_hid", "zeros", "xor"].contains(first))
        {
            // The order is not compared here: within a kind it is that of the file.
            found.sort_by_key(|name| expected.iter().position(|wanted| wanted == name));
        }
        assert_eq!(found, expected, "{replacement}");
    }
}

#[test]
fn circular_sizes_are_not_followed_for_ever() {
    let dims: String = (0..40)
        .map(|n| format!("dim d{n} = d{} + d{}\n", (n + 1) % 40, (n + 1) % 40))
        .collect();
    let source = format!("{dims}loc w ∷ (d0)\nop A[ℓ ∷ (3)] : Real(1) ▷ Real(1)\nmain = A[‸]()");
    assert_eq!(names(&source), ["w"]);
}

#[test]
fn words_of_the_language_are_offered_where_they_fit() {
    let words = |source: &str| -> Vec<String> {
        let found = completions(&mut Assistant::default(), source);
        let words = found
            .options
            .into_iter()
            .filter(|option| option.kind == "keyword");
        words.map(|option| option.label).collect()
    };
    let cases: [(&str, &[&str]); 6] = [
        (
            "d‸",
            &[
                "dim", "loc", "op", "fun", "command", "handler", "data", "train", "measure",
                "predict", "main",
            ],
        ),
        (
            "main = ‸",
            &["let", "rev handle", "handle", "iterate", "feedback", "pure"],
        ),
        ("main = ⌊‸⌋", &["let", "rd", "zero"]),
        (
            "main = let x ⇐ R() i‸",
            &[
                "let",
                "rev handle",
                "handle",
                "iterate",
                "feedback",
                "pure",
                "in",
            ],
        ),
        (
            "main = handle R() w‸",
            &[
                "let",
                "rev handle",
                "handle",
                "iterate",
                "feedback",
                "pure",
                "with",
            ],
        ),
        ("fun f(x : ‸", &["Real"]),
    ];
    for (source, expected) in cases {
        assert_eq!(words(source), expected, "{source}");
    }
}

#[test]
fn function_symbols_come_with_type_and_summary() {
    let found = completions(&mut Assistant::default(), "main = ⌊sw‸⌋");
    let swish = found
        .options
        .iter()
        .find(|option| option.label == "swish")
        .unwrap();
    assert_eq!(swish.detail, ": Real(n) → Real(n)");
    assert!(swish.info.as_ref().unwrap().contains("activation"));
    assert_eq!(found.from, 8, "the word that is replaced starts here");
}

#[test]
fn what_was_known_before_a_word_was_begun_still_holds() {
    let mut assistant = Assistant::default();
    let (whole, _) = cursor(&network("main", "‸main"));
    let _ = assistant.answer(&whole, Question::Hover { offset: 0 });
    // The `let` is incomplete, so its declaration does not parse and its variables are not read.
    let broken = network("⌊swish(z_hid)⌋", "let y ⇐ FC[ℓ1](z‸");
    let labels: Vec<String> = completions(&mut assistant, &broken)
        .options
        .into_iter()
        .map(|option| option.label)
        .take(2)
        .collect();
    assert_eq!(labels, ["z_hid", "x_in"]);
    let earlier = broken
        .replace('‸', "")
        .replacen("FC[ℓ0](x_in)", "FC[ℓ0](x_‸in)", 1);
    assert_eq!(hover(&mut assistant, &earlier), "variable: x_in : Real(2)");
    assert_eq!(definition(&mut assistant, &earlier), "x_in : Real(");
    let later = broken.replace('‸', "").replacen("with H", "with ‸H", 1);
    assert_eq!(definition(&mut assistant, &later), "H : Real(n_h");
}

#[test]
fn any_place_of_any_prefix_is_answered() {
    let mut assistant = Assistant::default();
    let ends = NETWORK.char_indices().map(|(at, _)| at).step_by(7);
    for end in ends {
        let text = NETWORK.get(..end).unwrap();
        let offset = u32::try_from(text.encode_utf16().count()).unwrap();
        for question in [
            Question::Hover { offset },
            Question::Definition { offset },
            Question::Complete { offset },
            Question::Complete { offset: offset / 2 },
            Question::Complete { offset: u32::MAX },
            Question::Format,
        ] {
            let _ = assistant.answer(text, question);
        }
    }
}

/// Applies edits, whose offsets are in UTF-16 code units.
fn apply(source: &str, edits: &[TextEdit]) -> String {
    let units: Vec<u16> = source.encode_utf16().collect();
    let mut result = Vec::new();
    let mut done = 0;
    for edit in edits {
        result.extend_from_slice(units.get(done..edit.from as usize).unwrap());
        result.extend(edit.insert.encode_utf16());
        done = edit.to as usize;
    }
    result.extend_from_slice(units.get(done..).unwrap());
    String::from_utf16(&result).unwrap()
}

#[test]
fn edits_make_one_text_of_another_and_leave_tokens_alone() {
    let cases = [
        ("main=⌊ 1 ⌋", "main = ⌊1⌋\n", 5),
        ("main = ⌊1⌋\n", "main = ⌊1⌋\n", 0),
        ("let x <= a in\n\n  b", "let x ⇐ a in\nb", 2),
        ("f ( (x) )", "f(x)", 3),
        ("-- 𝕏 note  \nmain = x", "-- 𝕏 note\nmain = x", 1),
        ("", "main", 1),
        ("a b c", "", 1),
    ];
    for (before, after, most) in cases {
        let index = fletch_syntax::LineIndex::new(before);
        let edits = super::edits::edits(before, after, &index);
        assert_eq!(apply(before, &edits), after);
        assert!(edits.len() <= most, "{before:?}: {edits:?}");
    }
}

#[test]
fn formatting_is_a_list_of_edits_or_the_first_error() {
    let mut assistant = Assistant::default();
    let untidy = "dim n=2\nmain   = ⌊zero[ n ]⌋\n";
    let Answer::Format(Ok(edits)) = assistant.answer(untidy, Question::Format) else {
        panic!("it parses")
    };
    assert_eq!(apply(untidy, &edits), "dim n = 2\nmain = ⌊zero[n]⌋\n");
    let Answer::Format(Err(error)) = assistant.answer("\nmain = (", Question::Format) else {
        panic!("it does not parse")
    };
    assert_eq!((error.severity, error.line), (Severity::Error, 2));
}

/// The texts of the examples.
fn examples() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let files = std::fs::read_dir(folder).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let programs = paths.filter(|path| path.extension().is_some_and(|end| end == "fletch"));
    let texts: Vec<String> = programs
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert!(texts.len() > 20);
    texts
}

/// Signs that only group others and have no meaning of their own.
const PUNCTUATION: &str = "()[]{},";

#[test]
fn every_word_and_sign_of_the_examples_says_what_it_is() {
    let mut silent = std::collections::BTreeSet::new();
    for unicode in examples() {
        let ascii = format(&unicode, Spelling::Ascii, fletch_smooth::symbols()).unwrap();
        for text in [unicode, ascii] {
            let mut assistant = Assistant::default();
            let index = LineIndex::new(&text);
            for token in highlight(&text, fletch_smooth::symbols()) {
                let word = token.span.text(&text);
                let said = matches!(
                    token.class,
                    TokenClass::Comment | TokenClass::Number | TokenClass::String
                );
                let number = word.starts_with(|first: char| first.is_ascii_digit());
                if said || number || PUNCTUATION.contains(word) {
                    continue;
                }
                let offset = index.to_utf16(token.span.start);
                let end = index.to_utf16(token.span.end);
                match assistant.answer(&text, Question::Point { offset }) {
                    Answer::Hover(Some(found)) => {
                        assert!(found.from <= offset && end <= found.to, "{word}: {found:?}");
                        let note = found.note.as_deref().unwrap_or("");
                        assert!(!found.signature.is_empty() || !note.is_empty(), "{word}");
                    }
                    _ => {
                        silent.insert(word.to_owned());
                    }
                }
            }
        }
    }
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn words_signs_and_generators_are_explained_with_their_form() {
    let cases = [
        (
            "glorot(seed: 1)",
            "glo‸rot(seed: 1)",
            "generator: glorot(seed)",
        ),
        ("glorot(seed: 1)", "glorot(se‸ed: 1)", "argument: seed: 1"),
        ("Real(n_in)", "Re‸al(n_in)", "keyword: Real(n)"),
        ("z_hid ⇐", "z_hid ‸⇐", "sign: let x ⇐ P in Q"),
        ("w ∗ x", "w ‸∗ x", "sign: M ∗ N\nmatmul[m, k, n] : "),
        (
            "rev handle",
            "r‸ev handle",
            "keyword: rev handle(M)⟨x⟩. P with H",
        ),
        (
            "rev handle",
            "rev han‸dle",
            "keyword: rev handle(M)⟨x⟩. P with H",
        ),
        ("xᵀ", "x‸ᵀ", "sign: Mᵀ\ntranspose[m, n] : "),
    ];
    for (part, replacement, expected) in cases {
        let (text, offset) = cursor(&network(part, replacement));
        let mut assistant = Assistant::default();
        let Answer::Hover(Some(found)) = assistant.answer(&text, Question::Point { offset }) else {
            panic!("{replacement}");
        };
        let said = format!("{}: {}", found.kind, found.signature);
        assert!(said.starts_with(expected), "{said}");
    }
}

/// The text with the name at the cursor renamed, or the reason for which it cannot be.
fn renamed(source: &str, to: &str) -> Result<String, String> {
    let (text, offset) = cursor(source);
    let question = Question::Rename {
        offset,
        to: to.to_owned(),
    };
    match Assistant::default().answer(&text, question) {
        Answer::Rename(edits) => edits.map(|edits| edited(&text, &edits)),
        other => panic!("{other:?}"),
    }
}

fn edited(text: &str, edits: &[TextEdit]) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for edit in edits.iter().rev() {
        let range = edit.from as usize..edit.to as usize;
        units.splice(range, edit.insert.encode_utf16());
    }
    String::from_utf16(&units).unwrap()
}

#[test]
fn every_name_of_an_example_can_be_renamed_and_back() {
    let mut count = 0;
    for text in examples() {
        let index = LineIndex::new(&text);
        let mut assistant = Assistant::default();
        assistant.answer(&text, Question::Hover { offset: 0 });
        let names = assistant.current.names.clone();
        let defined = names
            .iter()
            .filter(|name| name.definition == Some(name.span));
        // Each renaming examines the program twice, so only every fifth name is tried.
        for name in defined.step_by(5) {
            let offset = index.to_utf16(name.span.start);
            let rename = |text: &str, offset, to: &str| {
                let to = to.to_owned();
                match Assistant::default().answer(text, Question::Rename { offset, to }) {
                    Answer::Rename(Ok(edits)) => edited(text, &edits),
                    other => panic!("{name:?}: {other:?}"),
                }
            };
            let other = rename(&text, offset, "another_name");
            let uses = names
                .iter()
                .filter(|other| other.definition == name.definition);
            assert_eq!(
                other.matches("another_name").count(),
                uses.count(),
                "{name:?}"
            );
            // Uses before the definition shift its position.
            let earlier = names.iter().filter(|other| {
                other.definition == name.definition && other.span.start < name.span.start
            });
            let earlier = u32::try_from(earlier.count()).unwrap();
            let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap();
            let moved = offset + earlier * units("another_name") - earlier * units(&name.name);
            assert_eq!(rename(&other, moved, &name.name), text, "{name:?}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_name_that_would_mean_another_thing_is_refused_with_the_reason() {
    let cases = [
        (
            "z_hid ⇐",
            "z_‸hid ⇐",
            "x_in",
            Ok("let x_in ⇐ FC[ℓ0](x_in) in\n  ⌊swish(x_in)⌋"),
        ),
        (
            "w ∗ x, ⟨w",
            "‸w ∗ x, ⟨w",
            "x",
            Err("In line 13, `x` would mean the variable of line 13."),
        ),
        (
            "R(x_in",
            "‸R(x_in",
            "H",
            Err("In line 16, `H` would mean the command of line 8."),
        ),
        ("n_in = 2", "‸n_in = 2", "n", Ok("dim n = 2")),
        ("x_in : ", "‸x_in : ", "let", Err("`let` is no name")),
        ("x_in : ", "‸x_in : ", "2x", Err("`2x` is no name")),
        ("x_in : ", "‸x_in : ", "a b", Err("`a b` is no name")),
        ("x_in : ", "‸x_in : ", "", Err("A name has")),
        (
            "swish",
            "swi‸sh",
            "s",
            Err("`swish` is part of the language."),
        ),
        ("⌊swish", "‸⌊swish", "s", Err("There is no name here.")),
        (
            "fun twice",
            "fun twi‸ce",
            "swish",
            Err("In line 10, `swish` would"),
        ),
        ("main = rev", "main = (rev ‸", "s", Err("")),
    ];
    for (part, replacement, to, expected) in cases {
        let found = renamed(&network(part, replacement), to);
        match (found, expected) {
            (Ok(text), Ok(part)) => assert!(text.contains(part), "{text}"),
            (Err(why), Err(reason)) => assert!(why.starts_with(reason), "{to}: {why}"),
            (found, _) => panic!("{replacement} to {to}: {found:?}"),
        }
    }
}
