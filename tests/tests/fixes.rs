//! Every offered fix, when applied, removes its diagnostic and adds no error. The programs are those of `tests/diagnostics`,
//! of the pages of codes and of the errata, and examples with one token left out, doubled or written as in another language.

use fletch_ide::codes;
use fletch_syntax::{Diagnostic, Fix, Severity, TokenClass};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Returns programs with mistakes, by name: those of the tests of diagnostics, of the pages of codes and of the errata.
fn corpus() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs = Vec::new();
    for (folder, mark) in [
        ("tests/diagnostics", "\n--- "),
        ("crates/syntax/tests", "\n-- ====\n"),
    ] {
        for file in fs::read_dir(root.join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|end| end != "fletch") {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).unwrap();
            // Expectations are comments, so they change nothing.
            let cases = text.split(mark).skip(usize::from(mark.len() == 5));
            programs.extend(cases.enumerate().map(|(number, case)| {
                let rest = case.split_once('\n').filter(|_| mark.len() == 5);
                let (title, source) = rest.unwrap_or(("", case));
                (format!("{name} {number} {title}"), source.to_owned())
            }));
        }
    }
    for page in codes::pages() {
        for fence in page.body().split("```fletch").skip(1) {
            let (_, rest) = fence.split_once('\n').unwrap();
            let source = rest.split("```").next().unwrap();
            programs.push((page.code.to_owned(), source.to_owned()));
        }
    }
    let errata = fletch_tests::programs(&root.join("examples/errata"));
    programs.extend(errata);
    programs
}

/// Returns spellings that users of other languages write for a token.
fn slips(token: &str) -> &'static [&'static str] {
    match token {
        "⇐" => &["=", "←"],
        "←" => &["=", "⇐"],
        "·" => &["∗", "⊙"],
        "∗" => &["·", "@"],
        "⊙" => &["·"],
        "⟨" => &["("],
        "⟩" => &[")"],
        "⌊" => &["("],
        "⌋" => &[")"],
        "▷" | "↦" => &["->"],
        "∷" => &[":"],
        "in" => &[";"],
        "=" => &[":="],
        "with" | "rev" => &["(", ","],
        _ => &[],
    }
}

/// Returns the variants of a program that have one mistake at one token.
fn mutants(name: &str, source: &str) -> Vec<(String, String)> {
    let tokens = fletch_syntax::highlight(source, fletch_smooth::symbols());
    let mut mutants = Vec::new();
    for token in tokens {
        if token.class == TokenClass::Comment {
            continue;
        }
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let text = &source[start..end];
        let doubled = format!("{text} {text}");
        let mut written = vec!["", &doubled];
        written.extend(slips(text));
        mutants.extend(written.into_iter().map(|slip| {
            let mutant = format!("{}{slip}{}", &source[..start], &source[end..]);
            (format!("{name}, `{text}` at {start} as `{slip}`"), mutant)
        }));
    }
    mutants
}

/// Returns the offset in the fixed text of an offset in the original text.
fn moved(place: u32, fix: &Fix) -> u32 {
    let length = fix.replacement.len() as u32;
    match place {
        before if before <= fix.span.start => before,
        after if after >= fix.span.end => after - fix.span.end + fix.span.start + length,
        _ => fix.span.start,
    }
}

/// True if `now` was reported for the text before the fix, with the same code: at the corresponding offset, or at a label
/// of an error. Inside the text that the fix replaces, an error with the same message anywhere in the replacement counts.
fn was_said(before: &[&Diagnostic], now: &Diagnostic, fix: &Fix) -> bool {
    let written = fix.span.start..fix.span.start + fix.replacement.len() as u32;
    before.iter().any(|error| {
        let mut places = error.labels.iter().map(|label| label.span.start);
        let here = places.any(|place| moved(place, fix) == now.span.start)
            || moved(error.span.start, fix) == now.span.start;
        let within = fix.span.start <= error.span.start
            && error.span.start < fix.span.end
            && written.contains(&now.span.start)
            && error.message == now.message;
        error.code == now.code && (here || within)
    })
}

/// Tries the fixes of a program. Returns their number, and a description of faulty fixes. `alone` means that the
/// program has one mistake only, so that no mistake was hidden by another.
fn faults(name: &str, source: &str, alone: bool) -> (usize, String) {
    let mut wrong = String::new();
    let said = fletch_ide::check(source).diagnostics;
    let fixes = said
        .iter()
        .filter_map(|found| Some((found, found.fix.as_ref()?)));
    let mut count = 0;
    for (found, fix) in fixes {
        count += 1;
        let mut fixed = source.to_owned();
        fixed.replace_range(
            fix.span.start as usize..fix.span.end as usize,
            &fix.replacement,
        );
        let mut after = fletch_ide::check(&fixed).diagnostics;
        // A diagnostic before the fix was not caused by the fix: another mistake had hidden it.
        after.retain(|now| {
            alone
                || now.span.end > fix.span.start
                || said.iter().any(|error| error.span == now.span)
        });
        let again = after
            .iter()
            .any(|now| now.code == found.code && now.span.start == moved(found.span.start, fix));
        let errors: Vec<&Diagnostic> = said.iter().filter(|error| error.is_error()).collect();
        let new: Vec<&Diagnostic> = after
            .iter()
            .filter(|now| now.is_error() && !was_said(&errors, now, fix))
            .collect();
        let revealed = !alone && errors.len() > 1;
        if again || (!new.is_empty() && !revealed) || after_is_worse(&errors, &after) {
            let messages: Vec<&String> = new.iter().map(|now| &now.message).collect();
            writeln!(
                wrong,
                "{name}: {} `{}`, fix {:?}: again {again}, new {messages:?}\n{fixed}\n",
                found.code, found.message, fix.title
            )
            .unwrap();
        }
    }
    (count, wrong)
}

fn after_is_worse(before: &[&Diagnostic], after: &[Diagnostic]) -> bool {
    after.iter().filter(|now| now.is_error()).count() > before.len()
}

fn hold(programs: &[(String, String)], alone: bool, at_least: usize) {
    let mut wrong = String::new();
    let mut fixes = 0;
    for (name, source) in programs {
        let (count, faults) = faults(name, source, alone);
        fixes += count;
        wrong.push_str(&faults);
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(fixes >= at_least, "only {fixes} fixes were tried");
}

#[test]
fn a_fix_of_a_known_mistake_helps() {
    hold(&corpus(), false, 150);
}

#[test]
fn a_fix_of_one_slip_in_an_example_helps() {
    let programs = fletch_tests::programs(&fletch_tests::examples());
    let names = ["mlp", "autoencoder", "clip_norm", "ste", "recurrent"];
    let chosen = programs.iter().filter(|(name, _)| names.contains(&&**name));
    let mutants: Vec<(String, String)> = chosen
        .flat_map(|(name, source)| mutants(name, source))
        .collect();
    hold(&mutants, true, 1000);
}

/// Frequent slips of users who come from other languages: each gives one error, and its fix leaves no error.
#[test]
fn a_frequent_slip_has_a_fix_that_leaves_no_error() {
    let op = "op O : Real(1) ▷ Real(1)\n";
    let vector = "main = let x ⇐ ⌊[1, 2]⌋ in ";
    let matrix = "loc w ∷ (2, 3)\nmain = let m ⇐ Get[w]() in ";
    let handler = "handler H : Real(2) { x ↦ ⌊x⌋ }\nmain = let b ⇐ ⌊[1, 2]⌋ in ";
    let cases = [
        ("F0008", format!("// a remark\n{vector}⌊x⌋")),
        ("F0008", format!("{vector}⌊x⌋ // a remark")),
        ("F0008", format!("# a remark\n{vector}⌊x⌋")),
        ("F0008", format!("{vector}/* a\nremark */ ⌊x⌋")),
        ("F0009", format!("{vector}⌊.1 · x⌋")),
        ("F0401", format!("{vector}⌊x + 1⌋")),
        ("F0401", format!("{vector}⌊0.5 + x⌋")),
        ("F0302", format!("{vector}⌊x − 1⌋")),
        ("F0302", format!("{vector}⌊1 / x⌋")),
        ("F0302", format!("{vector}⌊max(x, 0)⌋")),
        ("F0302", format!("{vector}⌊x · 2⌋")),
        ("F0302", format!("{vector}⌊2 ⊙ x⌋")),
        ("F0302", format!("{vector}⌊2 ∗ x⌋")),
        ("F0302", format!("{vector}⌊x · x⌋")),
        ("F0101", format!("{vector}⌊x[0]⌋")),
        ("F0101", format!("{vector}⌊x[0:2]⌋")),
        ("F0101", format!("{vector}let y ⇐ x[0] in ⌊y⌋")),
        ("F0101", format!("{vector}x[0]")),
        ("F0101", format!("{matrix}⌊m @ [1, 2]⌋")),
        ("F0205", format!("{matrix}m @ [1, 2]")),
        ("F0302", format!("{matrix}⌊m · [1, 2]⌋")),
        (
            "F0204",
            format!("{handler}rev handle([1, 0])⟨x⟩. ⌊x + b⌋ with H"),
        ),
        (
            "F0204",
            format!("{handler}rev handle(⟨[1, 0], 1⟩)⟨x, y⟩. ⌊x + y · b⌋ with H"),
        ),
        (
            "F0204",
            format!("{handler}rev handle([1, 0], 1)⟨x, y⟩. ⌊x + y · b⌋ with H"),
        ),
        (
            "F0501",
            format!(
                "{op}handler H : Real(1) {{\n  O ( x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ ⌊y⌋ )\n}}\nmain = rev handle(1)⟨x⟩. O(x) with H"
            ),
        ),
        (
            "F0501",
            format!(
                "{op}handler H : Real(1) ⇒ Real(1) {{ O, k; x ↦ k • x }}\nmain = handle O(1) with H"
            ),
        ),
        (
            "F0101",
            format!(
                "{op}handler H : Real(1) {{ x ↦ ⌊x⌋ O ( x ↦ ⌊⟨x, x⟩⌋ | y ↦ ⌊y⌋ ) }}\nmain = rev handle(1)⟨x⟩. O(x) with H"
            ),
        ),
        (
            "F0106",
            format!(
                "{op}handler H : Real(1) {{ x ↦ ⌊x⌋ O ( x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ ⌊y⌋ ) }}\nmain = rev handle(1)⟨x⟩. O(x)"
            ),
        ),
        ("F0105", "main = let x ⇐ ⌊1⌋".to_owned()),
        ("F0101", format!("{vector}\n  z = swish(x)\n  ⌊z⌋")),
    ];
    for (code, source) in cases {
        let said = fletch_ide::check(&source).diagnostics;
        let errors: Vec<&Diagnostic> = said.iter().filter(|error| error.is_error()).collect();
        let [error] = errors.as_slice() else {
            panic!("{errors:?}\n{source}");
        };
        assert_eq!(error.code, code, "{source}");
        let Some(fix) = &error.fix else {
            panic!("no fix for {error:?}\n{source}");
        };
        let mut fixed = source.clone();
        fixed.replace_range(
            fix.span.start as usize..fix.span.end as usize,
            &fix.replacement,
        );
        let left = fletch_ide::check(&fixed).diagnostics;
        let wrong = left.iter().any(|left| left.severity == Severity::Error);
        assert!(!wrong, "{left:?}\n{fixed}");
    }
}
