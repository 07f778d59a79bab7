//! The index of names, tested as data: `«…»` marks a name in a program, and the expected entry of the index
//! is written next to the program. Further tests are about names that get no hint.

use fletch_elaborate::{Elaboration, NameKind, Occurrence, elaborate};
use fletch_syntax::{LineIndex, Severity, parse};
use fletch_tests::{examples, golden, programs};
use std::fmt::Write;

fn elaborated(source: &str) -> Elaboration {
    elaborate(&parse(source, fletch_smooth::symbols()).0, source)
}

/// Formats an entry: `Variable x : Real(2) (in FC[w] with n = 2) from 3:5`
fn shown(occurrence: &Occurrence, index: &LineIndex) -> String {
    let mut text = format!("{:?} {}", occurrence.kind, occurrence.signature);
    if let Some(note) = &occurrence.note {
        write!(text, " ({note})").unwrap();
    }
    match occurrence.definition {
        Some(place) if place == occurrence.span => text.push_str(" defined"),
        Some(place) => {
            let (line, column) = index.line_column(place.start);
            write!(text, " from {line}:{column}").unwrap();
        }
        None => text.push_str(" built in"),
    }
    text.replace('\n', "; ")
}

/// Compares the entries of the marked names of a program, in the order of their offsets.
fn check(marked: &str, expected: &[&str]) {
    let mut source = String::new();
    let mut starts = Vec::new();
    for c in marked.chars() {
        match c {
            '«' => starts.push(source.len()),
            '»' => {}
            c => source.push(c),
        }
    }
    let names = elaborated(&source).names;
    let index = LineIndex::new(&source);
    let found: Vec<String> = starts
        .iter()
        .map(|start| {
            names
                .iter()
                .find(|name| name.span.start as usize == *start)
                .map_or_else(|| "nothing".to_owned(), |name| shown(name, &index))
        })
        .collect();
    assert_eq!(found, expected, "\n{source}");
}

const PERCEPTRON: &str = "dim n_in = 2, n_out = 1
loc ℓ0 ∷ (n_in, 8) = glorot(seed: 1)
loc ℓ1 ∷ (8, n_out)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R(x_in : Real(n_in)) =
  let z ⇐ FC[ℓ0](x_in) in
  let x ⇐ ⌊swish(z)⌋ in
  FC[ℓ1](x)
handler H(α : Real(1), t : Real(n_out)) : Real(n_out) {
  x ↦ ⌊α · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x    ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in
                          let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in
                          ⌊wᵀ ∗ y⌋ )
}
main = rev handle([1, 0])⟨x⟩. R(x) with H(0.1, [1])
";

/// Returns the program above, with the first occurrence of `text` marked at its start.
fn perceptron(text: &str) -> String {
    PERCEPTRON.replacen(text, &format!("«{text}»"), 1)
}

#[test]
fn declarations_have_their_types_with_dimensions_as_numbers() {
    let cases = [
        ("n_out = 1", "Dimension dim n_out = 1 defined"),
        ("ℓ0 ∷", "Location ℓ0 ∷ (2, 8) defined"),
        (
            "FC[ℓ ∷",
            "Operation FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m) defined",
        ),
        (
            "R(x_in",
            "Command command R(x_in : Real(2)) : Real(1) defined",
        ),
        (
            "H(α",
            "Handler handler H(α : Real(1), t : Real(1)) : Real(1) defined",
        ),
        ("n_out)\nop", "Dimension dim n_out = 1 from 1:15"),
        (
            "H(0.1",
            "Handler handler H(α : Real(1), t : Real(1)) : Real(1) from 9:9",
        ),
    ];
    for (place, expected) in cases {
        check(&perceptron(place), &[expected]);
    }
}

#[test]
fn variables_have_the_types_that_they_are_bound_at() {
    let cases = [
        ("x_in : Real(n_in)", "Variable x_in : Real(2) defined"),
        ("x_in) in", "Variable x_in : Real(2) from 5:11"),
        ("z ⇐", "Variable z : Real(8) defined"),
        ("α · ", "Variable α : Real(1) from 9:11"),
        (
            "w ⇐ Get",
            "Variable w : Real(8 × 2) (in FC[ℓ0] with n = 2, m = 8) defined",
        ),
        (
            "z ↦",
            "Variable z : Real(8 × 2) × Real(2) (in FC[ℓ0] with n = 2, m = 8) defined",
        ),
        (
            "xᵀ",
            "Variable x : Real(2) (in FC[ℓ0] with n = 2, m = 8) from 12:35",
        ),
    ];
    for (place, expected) in cases {
        check(&perceptron(place), &[expected]);
    }
}

#[test]
fn indices_have_the_values_of_the_first_instance() {
    check(
        "loc w ∷ (1, 1)
op FC[«ℓ» ∷ («n», m)] : Real(«n») ▷ Real(m)
handler H : Real(1) ⇒ Real(1) {
  x ↦ ⌊x⌋
  FC[«ℓ» ∷ («n», m)], «k»; x ↦ let w ⇐ Get[«ℓ»]() in «k» • (w ∗ x)
}
main = iterate[«i» : 2](1)⟨x⟩. handle FC[«w»](x) with H
fun f[«n»](x : Real(«n»)) = x
fun twice[«n»](x : Real(n)) = «x» + x
command Use() = ⌊twice([1, 2, 3])⌋
",
        &[
            "Index ℓ ∷ (n, m) defined",
            "Index n defined",
            "Index n from 2:12",
            "Index ℓ = w ∷ (1, 1) (in FC[w] with n = 1, m = 1) defined",
            "Index n = 1 (in FC[w] with n = 1, m = 1) defined",
            "Continuation k : Real(1) ⇝ Real(1) (in FC[w] with n = 1, m = 1) defined",
            "Index ℓ = w ∷ (1, 1) (in FC[w] with n = 1, m = 1) from 5:6",
            "Continuation k : Real(1) ⇝ Real(1) (in FC[w] with n = 1, m = 1) from 5:19",
            "Index i = 0 (in the first of 2 rounds) defined",
            "Location w ∷ (1, 1) from 1:5",
            "Index n = 7 (in a made-up instance, f[7] with n = 7) defined",
            "Index n = 7 (in a made-up instance, f[7] with n = 7) from 8:7",
            "Index n = 3 (in twice[3] with n = 3) defined",
            "Variable x : Real(3) (in twice[3] with n = 3) from 9:14",
        ],
    );
}

#[test]
fn calls_have_their_instance_and_who_handles_them() {
    check(
        &perceptron("FC[ℓ0]"),
        &[
            "Operation FC[ℓ0] : Real(2) ▷ Real(8); FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m) (handled by H) from 4:4",
        ],
    );
    check(
        &perceptron("Put"),
        &[
            "Operation Put[ℓ0] : Real(8 × 2) ▷ 1 (performed at the top level; in FC[ℓ0] with n = 2, m = 8) built in",
        ],
    );
    check(
        "loc w ∷ (1, 1)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Layer[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Free : Real(1) ▷ Real(1)
handler H_MLP : Real(1) {
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ «Get»[ℓ]() in ⌊⟨w ∗ x, w⟩⌋ | y, w ↦ ⌊wᵀ ∗ y⌋ )
}
handler H_Layer : Real(1) {
  x ↦ ⌊x⌋
  Layer[ℓ ∷ (n, m)] ( x ↦ let y ⇐ «FC»[ℓ](x) in ⌊⟨y, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
}
command Alone() = «Free»(1)
main = rev handle(3)⟨x⟩. (rev handle(x)⟨x⟩. «Layer»[w](x) with H_Layer) with H_MLP
",
        &[
            "Operation Get[w] : 1 ▷ Real(1 × 1) (performed at the top level; in FC[w] with n = 1, m = 1) built in",
            "Operation FC[w] : Real(1) ▷ Real(1); FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m) (handled by H_MLP; in Layer[w] with n = 1, m = 1) from 2:4",
            "Operation Free : Real(1) ▷ Real(1) from 4:4",
            "Operation Layer[w] : Real(1) ▷ Real(1); Layer[ℓ ∷ (n, m)] : Real(n) ▷ Real(m) (handled by H_Layer, what that performs by H_MLP) from 3:4",
        ],
    );
}

#[test]
fn function_symbols_have_their_instance_and_their_documentation() {
    let documentation = |name: &str| {
        let family = fletch_smooth::family(name).unwrap();
        let partial = match &*family.domain() {
            "" => String::new(),
            partial => format!("; {partial}"),
        };
        format!(
            "{}; value: {}; reverse derivative: {}{partial}",
            family.summary, family.formula, family.derivative
        )
    };
    let sum = format!(
        "Symbol sum : Real(2) → Real(1); sum : Real(n) → Real(1) ({}) built in",
        documentation("sum")
    );
    check(
        "main = let y ⇐ ⌊«relu»([1, 2])⌋ in ⌊rd[«sum»](y, 1) + «cols»[«sum»]([[1, 2], [3, 4]])⌋",
        &[
            &format!(
                "Symbol relu : Real(2) → Real(2); relu : Real(n) → Real(n) ({}) built in",
                documentation("relu")
            ),
            &sum,
            "Symbol cols : Real(2 × 2) → Real(1 × 2); cols[b, f] (applies the function symbol f to each of the b columns of a matrix) built in",
            &sum,
        ],
    );
}

#[test]
fn data_and_the_items_that_use_them() {
    check(
        "data «d» = [⟨[1, 2], 3⟩, ⟨[4, 5], 6⟩]
data «file» : Real(2) = csv(\"points.csv\")
train «d» as ⟨«v», t⟩ for 1 epochs = ⌊⟨«v», t⟩⌋
measure «m» on d as p = ⌊«p».2⌋
predict «out»(v : Real(2)) = ⌊⟨v, 1⟩⌋
",
        &[
            "Data data d : Real(2) × Real(1) (2 samples) defined",
            "Data data file : Real(2) (read from a file) defined",
            "Data data d : Real(2) × Real(1) (2 samples) from 1:6",
            "Variable v : Real(2) defined",
            "Variable v : Real(2) from 3:13",
            "Measure measure m on d defined",
            "Variable p : Real(2) × Real(1) from 4:19",
            "Predict predict out(v : Real(2)) : Real(2) × Real(1) defined",
        ],
    );
}

#[test]
fn scopes_are_those_of_the_language() {
    // The body of `rev handle` and the clauses of a handler see no outer variable, except constants. A name
    // that is hidden by an inaccessible variable still refers to the constant.
    check(
        "handler H(c : Real(1)) : Real(1) {
  x ↦ let c ⇐ ⌊[1, 2]⌋ in rev handle(x)⟨y⟩. ⌊y + «c»⌋ with { x ↦ ⌊«x» + «c»⌋ }
}
main = let c ⇐ ⌊1⌋ in handle ⌊1⌋ with { x ↦ ⌊«x» + «c»⌋ }
fun f(x : Real(1)) = let x ← «x» in (let x ← «x» in «x») + «x»
",
        &[
            "Variable c : Real(1) from 1:11",
            "Variable x : Real(1) from 2:60",
            "Variable c : Real(1) from 1:11",
            "Variable x : Real(1) from 4:41",
            "Variable c : Real(1) from 4:12",
            "Variable x : Real(1) from 5:7",
            "Variable x : Real(1) from 5:26",
            "Variable x : Real(1) from 5:40",
            "Variable x : Real(1) from 5:26",
        ],
    );
    // In a clause, a declared location without `∷` refers to that location; with `∷` it is a new name.
    check(
        "loc w ∷ (1, 1)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H : Real(1) ⇒ Real(1) {
  x ↦ ⌊x⌋
  FC[«w»], k; x ↦ k • x
  FC[«w» ∷ (n, «n»)], k; x ↦ let v ⇐ Get[«w»]() in k • (v ∗ x)
}
main = handle FC[w](1) with H",
        &[
            "Location w ∷ (1, 1) from 1:5",
            "Index w = w ∷ (5, 5) (in a made-up instance, FC[w] with n = 5) defined",
            "Index n = 5 (in a made-up instance, FC[w] with n = 5) from 6:11",
            "Index w = w ∷ (5, 5) (in a made-up instance, FC[w] with n = 5) from 6:6",
        ],
    );
}

#[test]
fn a_program_with_errors_has_its_names() {
    check(
        "dim n = m
loc w ∷ (2, «n»)
op FC[ℓ ∷ (a, b)] : Real(a) ▷ Real(b)
command «R»(x : Real(2)) = let «y» ⇐ FC[«nowhere»](x) in let «z» ⇐ ⌊y + «q»⌋ in ⌊⟨«x», «z»⟩⌋
handler H(t : Real(2)) : Real(2) { x ↦ ⌊x − «t»⌋ }
main = rev handle([1])⟨x⟩. «R»(x) with «H»(1, 2",
        &[
            "Dimension dim n = m from 1:5",
            "Command command R(x : Real(2)) defined",
            "Variable y : ? defined",
            "nothing",
            "Variable z : ? defined",
            "nothing",
            "Variable x : Real(2) from 4:11",
            "Variable z : ? from 4:56",
            "Variable t : Real(2) from 5:11",
            "Command command R(x : Real(2)) from 4:9",
            "Handler handler H(t : Real(2)) : Real(2) from 5:9",
        ],
    );
}

/// A variable that is called by mistake, or is out of reach inside a `rev handle`, still has its binder.
#[test]
fn a_variable_in_the_wrong_place_has_its_binder() {
    check(
        "op O : Real(1) ▷ Real(1)
handler H : Real(1) { x ↦ ⌊x⌋ O(x ↦ ⌊⟨x, x⟩⌋ | y, _ ↦ ⌊y⌋) }
command C(x : Real(1)) : Real(1) = let z ⇐ «x»(1) in rev handle(x)⟨y⟩. O(«x») with H",
        &[
            "Variable x : Real(1) from 3:11",
            "Variable x : Real(1) from 3:11",
        ],
    );
}

#[test]
fn variables_say_where_they_are_visible() {
    let source = "command R(x : Real(1)) = let y ⇐ ⌊x⌋ in let z ⇐ ⌊y⌋ in ⌊z⌋\n\
                  op O[n] : Real(n) ▷ Real(n)\n\
                  handler H : Real(1) ⇒ Real(1) { r ↦ ⌊r⌋  O[m], k; v ↦ k • v }\n";
    let visible: Vec<(String, &str)> = elaborated(source)
        .names
        .into_iter()
        .filter(|name| name.definition == Some(name.span))
        .filter_map(|name| Some((name.name, name.visible?.text(source))))
        .collect();
    let expected = [
        ("x", "let y ⇐ ⌊x⌋ in let z ⇐ ⌊y⌋ in ⌊z⌋"),
        ("y", "let z ⇐ ⌊y⌋ in ⌊z⌋"),
        ("z", "⌊z⌋"),
        ("n", "[n] : Real(n) ▷ Real(n)"),
        ("r", "⌊r⌋"),
        ("m", "[m], k; v ↦ k • v"),
        ("k", "k • v"),
        ("v", "k • v"),
    ];
    assert_eq!(
        visible,
        expected.map(|(name, text)| (name.to_owned(), text))
    );
}

/// Checks that every name of every program is in the index once, in order, and that the definition of every
/// name that is not built in is in the index too.
#[test]
fn the_index_of_every_program_is_closed() {
    for (title, source) in programs(&examples()).into_iter().chain(programs(&golden())) {
        let names = elaborated(&source).names;
        assert!(!names.is_empty(), "{title}");
        assert!(
            names
                .windows(2)
                .all(|pair| pair[0].span.end <= pair[1].span.start),
            "{title}: names overlap or are out of order"
        );
        for name in &names {
            assert_eq!(name.span.text(&source), name.name, "{title}");
            let Some(place) = name.definition else {
                assert!(
                    matches!(name.kind, NameKind::Symbol | NameKind::Operation),
                    "{title}: {name:?}"
                );
                continue;
            };
            let definition = names.iter().find(|other| other.span == place);
            let definition = definition.unwrap_or_else(|| panic!("{title}: {name:?}"));
            assert_eq!(definition.name, name.name, "{title}");
            assert!(!name.signature.contains('?'), "{title}: {name:?}");
        }
    }
}

/// Checks that definitions that are expanded repeatedly add no entries to the index.
#[test]
fn the_index_is_linear_in_the_source() {
    let doubling: String = (1..14)
        .map(|i| {
            format!(
                "command R{i}(x : Real(1)) = let y ⇐ R{}(x) in R{0}(y)\n",
                i - 1
            )
        })
        .collect();
    let source = format!("command R0(x : Real(1)) = ⌊x⌋\n{doubling}main = R13(1)");
    assert_eq!(elaborated(&source).names.len(), 3 + 13 * 7 + 1);
}

/// Returns the codes and texts of the hints that a program gets.
fn hints(source: &str) -> Vec<String> {
    elaborated(source)
        .findings
        .into_iter()
        .map(|found| found.diagnostic)
        .filter(|diagnostic| diagnostic.severity == Severity::Hint)
        .map(|diagnostic| format!("{} {}", diagnostic.code, diagnostic.span.text(source)))
        .collect()
}

#[test]
fn what_is_used_or_meant_or_exempt_gets_no_hint() {
    let none: [&str; 0] = [];
    let cases = [
        // A name that begins with `_` is unused on purpose.
        "main = let _x ⇐ ⌊1⌋ in let _ ⇐ ⌊2⌋ in ⌊3⌋",
        // Indices describe shapes, used or not.
        "op O[n, m] : Real(1) ▷ Real(1)
         handler H[k] : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O[a, b], k; x ↦ k • x }
         main = iterate[i : 2](1)⟨x⟩. handle O[1, 2](x) with H[3]",
        // An unknown name may be a misspelling of these names.
        "main = let value ⇐ ⌊1⌋ in ⌊valeu⌋",
        "main = let value ⇐ ⌊1⌋ in value(2)",
        "handler H : Real(1) { x ↦ ⌊x⌋ }
         data d = [1]
         loc w ∷ (1)
         dim n = 2
         train dd as x for 1 epochs = ⌊x⌋
         main = rev handle(1)⟨x⟩. let _ ⇐ Get[ww]() in ⌊x⌋ with HH",
        "loc w ∷ (1)\nmain = ⌊w⌋",
        // The variable is used at a point where the program is rejected.
        "command R(x : Real(1), y : Real(2)) = ⌊x + y⌋
         main = let a ⇐ ⌊1⌋ in R(a)",
        // A function that is declared twice is reported once.
        "fun f(x : Real(1)) = x
         fun f(x : Real(1)) = x
         main = ⌊f(1)⌋",
        // A declared location in a clause refers to that location, and hides nothing.
        "loc w ∷ (1, 1)
         op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
         handler H : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  FC[w], k; x ↦ let v ⇐ Get[w]() in k • (v ∗ x) }
         main = handle FC[w](1) with H",
        // Variables and indices have separate name spaces, and one variable may hide another.
        "dim n = 1
         loc w ∷ (n)
         main = let w ⇐ Get[w]() in let n ⇐ ⌊w⌋ in let n ⇐ ⌊n⌋ in ⌊n⌋",
        // Items use names too: the data set, the dimension and the handler of `train`, and the handler that is extended.
        "dim k = 2
         data d = [1]
         handler H(t : Real(1)) : Real(1) { x ↦ ⌊x − t⌋ }
         handler K(t : Real(1)) : Real(1) extends H(t) { }
         train d as v for k epochs = rev handle(v)⟨x⟩. ⌊x⌋ with K(v)
         main = ⌊1⌋",
    ];
    for source in cases {
        assert_eq!(hints(source), none, "\n{source}");
    }
}

#[test]
fn a_declaration_that_is_hidden_often_is_told_at_every_place_but_operations() {
    assert_eq!(
        hints(
            "dim n = 1
             op O[n] : Real(n) ▷ Real(n)
             op P[n] : Real(n) ▷ Real(n)
             handler H : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O[n], k; x ↦ k • x  P[n], k; x ↦ k • x }
             main = handle (let x ⇐ O(zero[n]) in P(x)) with H"
        ),
        ["F0207 n", "F0207 n"]
    );
}

#[test]
fn golden_programs_have_no_warnings() {
    for (title, source) in programs(&golden()) {
        let warnings: Vec<_> = elaborated(&source)
            .findings
            .into_iter()
            .map(|found| found.diagnostic)
            .filter(|diagnostic| diagnostic.severity != Severity::Hint)
            .collect();
        assert!(warnings.is_empty(), "{title}: {warnings:#?}");
    }
}

/// Checks that one misspelt name gives one diagnostic: errors and hints that follow from it are not reported.
#[test]
fn a_misspelt_name_is_one_diagnostic() {
    for (title, source) in programs(&examples()).into_iter().chain(programs(&golden())) {
        let before = fletch_ide::check(&source).diagnostics.len();
        for name in elaborated(&source).names {
            let mut misspelt = source.clone();
            let place = name.span.start as usize..name.span.end as usize;
            misspelt.replace_range(place, "qqqqqqqq");
            let said = fletch_ide::check(&misspelt).diagnostics;
            // A clause for another location than the intended one may have two errors at its instances.
            let clause =
                name.kind == NameKind::Location && said.iter().all(|one| one.code == "F0302");
            assert!(
                said.len() <= before + 1 || clause,
                "{title}, {} at {:?}: {said:#?}",
                name.name,
                name.span
            );
        }
    }
}
