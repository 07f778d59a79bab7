//! What the checker says, as data: `«…»` marks the place, the line before the program says what is
//! expected there. A program may have several mistakes; each is said once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_playground::report;
use fletch_playground::{Partiality, Severity};

/// Checks a program whose marked places carry the diagnostics listed, in order of place, and no others
/// of that severity or above. Hints are not compared.
fn check(expected: &[&str], marked: &str) {
    let mut source = String::new();
    let mut starts = Vec::new();
    let mut places = Vec::new();
    for c in marked.chars() {
        match c {
            '«' => starts.push(source.len()),
            '»' => places.push((starts.pop().unwrap(), source.len())),
            c => source.push(c),
        }
    }
    places.sort_unstable();
    let checked = report::check(&source);
    let found: Vec<String> = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity != Severity::Hint)
        .map(|diagnostic| {
            let severity = if diagnostic.severity == Severity::Error {
                "error"
            } else {
                "warning"
            };
            let span = (diagnostic.span.start as usize, diagnostic.span.end as usize);
            let place = if places.contains(&span) {
                String::new()
            } else {
                format!(" at {:?}", diagnostic.span.text(&source))
            };
            format!(
                "{severity}[{}]: {}{place}",
                diagnostic.code, diagnostic.message
            )
        })
        .collect();
    assert_eq!(found, expected, "\n{source}");
    for diagnostic in &checked.diagnostics {
        if let Some(fix) = &diagnostic.fix {
            let mut fixed = source.clone();
            fixed.replace_range(
                fix.span.start as usize..fix.span.end as usize,
                &fix.replacement,
            );
            let left = report::check(&fixed).diagnostics;
            let again = left
                .iter()
                .any(|other| other.code == diagnostic.code && other.span == diagnostic.span);
            assert!(
                !again,
                "the fix of {} does not help:\n{fixed}",
                diagnostic.code
            );
        }
    }
}

const OPS: &str = "op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\nloc w ∷ (2, 3)\n";
const HANDLER: &str = "handler H(t : Real(3)) : Real(3) {\n  x ↦ ⌊x − t⌋\n  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ ⌊wᵀ ∗ y⌋ )\n}\n";

fn check_with_handler(expected: &[&str], rest: &str) {
    check(expected, &format!("{OPS}{HANDLER}{rest}"));
}

#[test]
fn names() {
    check(
        &["error[F0201]: there is no variable `y`"],
        "main = let x ⇐ ⌊1⌋ in ⌊x + «y»⌋",
    );
    check(
        &["error[F0201]: there is no function `swich`"],
        "main = ⌊«swich»(1)⌋",
    );
    check(
        &["error[F0201]: there is no operation or command `R`"],
        "main = «R»(1)",
    );
    check(
        &["error[F0201]: there is no size or location `n`"],
        "main = ⌊zero[«n»]⌋",
    );
    check(
        &["error[F0201]: there is no size or location `v`"],
        "loc w ∷ (2)\nmain = Get[«v»]()",
    );
    check(
        &["error[F0202]: `n` is declared twice"],
        "dim n = 1, «n» = 2\nmain = ⌊1⌋",
    );
    check(
        &["error[F0202]: `swish` is a function symbol of the language"],
        "fun «swish»(x : Real(1)) = x\nmain = ⌊1⌋",
    );
    check(
        &["error[F0201]: there is no variable `w`"],
        "loc w ∷ (2)\nmain = ⌊«w»⌋",
    );
    check_with_handler(
        &["error[F0201]: there is no handler `HH`"],
        "main = rev handle([1, 2])⟨x⟩. FC[w](x) with «HH»([1, 2, 3])",
    );
}

#[test]
fn kinds() {
    check(
        &["error[F0205]: `swish` is a function, and a command is needed here"],
        "main = let x ⇐ «swish(1)» in ⌊x⌋",
    );
    check(
        &["error[F0205]: `R` is a command, and a term is needed here"],
        "command R(x : Real(1)) = ⌊x⌋\nmain = ⌊«R»(1)⌋",
    );
    check(
        &["error[F0205]: `Get` is an operation, and a term is needed here"],
        "loc w ∷ (1)\nmain = ⌊«Get»(w)⌋",
    );
}

#[test]
fn circles() {
    check(
        &["error[F0203]: the definition of `n` is circular: n → m → n"],
        "dim n = m, m = «n»\nmain = ⌊zero[n]⌋",
    );
    check(
        &["error[F0203]: the definition of `P` is circular: P → Q → P"],
        "command P(x : Real(1)) = Q(x)\ncommand Q(x : Real(1)) = «P(x)»\nmain = P(1)",
    );
}

#[test]
fn types() {
    check(
        &["error[F0401]: expected Real(2), found Real(3)"],
        "main = ⌊[1, 2] + [1, 2, 3]⌋"
            .replace("[1, 2] + [1, 2, 3]", "«[1, 2] + [1, 2, 3]»")
            .as_str(),
    );
    check(
        &["error[F0403]: there is no component 3 in Real(1) × Real(1)"],
        "main = ⌊⟨1, 2⟩.«3»⌋",
    );
    check(
        &["error[F0403]: there is no component 1 in Real(2)"],
        "main = ⌊[1, 2].«1»⌋",
    );
    check(
        &["error[F0404]: a pattern of 2 components cannot take Real(3) apart"],
        "main = let «⟨a, b⟩» ⇐ ⌊[1, 2, 3]⌋ in ⌊a⌋",
    );
    check(
        &["error[F0402]: `P` takes 1 argument, 2 given"],
        "command P(x : Real(1)) = ⌊x⌋\nmain = «P(1, 2)»",
    );
    check(
        &["error[F0401]: expected Real(2), found Real(1)"],
        "command P(x : Real(1)) : Real(2) = «⌊x⌋»\nmain = P(1)",
    );
    check_with_handler(
        &["error[F0401]: expected Real(2), found Real(3)"],
        "main = rev handle([1, 2, 3])⟨x⟩. FC[w](«x») with H([1, 2, 3])",
    );
    check_with_handler(
        &["error[F0406]: `H` handles a Real(3), and the command returns a Real(2)"],
        "main = rev handle([1, 2])⟨x⟩. «⌊x⌋» with H([1, 2, 3])",
    );
}

#[test]
fn shapes() {
    check(
        &["warning[F0305]: a 2 × 3 and a 3 × 2 matrix meet: the sizes agree, the shapes differ"],
        "main = ⌊«[[1, 2, 3], [4, 5, 6]] − [[1, 2], [3, 4], [5, 6]]»⌋",
    );
    check(
        &[
            "warning[F0305]: a 2 × 3 matrix is used as a 3 × 2 matrix: the sizes agree, the shapes differ",
        ],
        "loc w ∷ (2, 3)\nmain = Put[w](«[[1, 2, 3], [4, 5, 6]]»)",
    );
    check(
        &["error[F0306]: `w` holds 2 × 2 numbers, and 3 numbers are given"],
        "loc w ∷ (2, 2) = «[1, 2, 3]»\nmain = ⌊1⌋",
    );
    check(
        &["error[F0306]: `w` holds 3 × 2 numbers, and a 2 × 3 matrix is given"],
        "loc w ∷ (2, 3) = «[[1, 2, 3], [4, 5, 6]]»\nmain = ⌊1⌋",
    );
    check(
        &["error[F0306]: there is no generator `glorott`"],
        "loc w ∷ (2, 2) = «glorott»(seed: 1)\nmain = ⌊1⌋",
    );
    check(
        &["error[F0302]: this size is negative: 2 − 3"],
        "main = ⌊zero[«2 - 3»]⌋",
    );
}

#[test]
fn indices() {
    check(
        &["error[F0301]: `Get` takes one location, 0 given"],
        "loc w ∷ (1)\nmain = «Get»()",
    );
    check(
        &["error[F0303]: `Get` takes a location, and this is the size 3"],
        "main = Get[«3»]()",
    );
    check(
        &["error[F0303]: index 1 of `FC` does not fit: `b` has 1 dimension, and 2 are needed"],
        &format!("{OPS}loc b ∷ (3)\ncommand P(x : Real(3)) = «FC[b](x)»\nmain = ⌊1⌋"),
    );
    check(
        &["error[F0301]: `a` is a family of locations: it takes 1 index, 0 given"],
        "loc a[i] ∷ (i)\nmain = Get[«a»]()",
    );
    check(
        &["error[F0304]: the arguments of `F` do not determine the index `k`"],
        "op F[k] : Real(1) ▷ Real(k)\ncommand P() = «F(1)»\nmain = ⌊1⌋",
    );
}

#[test]
fn handlers() {
    check(
        &["error[F0501]: the handler `K` has no return clause"],
        "handler «K» : Real(1) { }\nmain = rev handle(1)⟨x⟩. ⌊x⌋ with K",
    );
    check_with_handler(
        &[
            "error[F0204]: `c` is bound outside this `rev handle`, whose body sees only its own variables",
        ],
        "main = let c ⇐ ⌊[1, 2, 3]⌋ in rev handle([1, 2])⟨x⟩. let y ⇐ FC[w](x) in ⌊y + «c»⌋ with H([1, 2, 3])",
    );
    check_with_handler(
        &["error[F0503]: the argument `t` of a handler must be closed"],
        "command P(t : Real(3)) = rev handle([1, 2])⟨x⟩. FC[w](x) with H(«t»)\nmain = ⌊1⌋",
    );
    check_with_handler(
        &["error[F0506]: `FC[w]` reaches the top level, and no handler treats it there"],
        "main = let x ⇐ ⌊[1, 2]⌋ in «FC[w](x)»",
    );
    check(
        &[
            "error[F0506]: `FC[w]` reaches the top level, and no handler treats it there",
            "warning[F0505]: `K` has no clause for `FC[w]`: the default cuts the gradient",
        ],
        &format!(
            "{OPS}handler K : Real(3) {{ x ↦ ⌊x⌋ }}\nmain = «rev handle([1, 2])⟨x⟩. FC[w](x) with «K»»"
        ),
    );
    check(
        &[
            "error[F0504]: a forward clause gives a pair of result and saved value, and this is a Real(1)",
        ],
        "op O : Real(1) ▷ Real(1)\nhandler K : Real(1) { x ↦ ⌊x⌋ O ( x ↦ «⌊x⌋» | y, z ↦ ⌊y⌋ ) }\nmain = rev handle(1)⟨x⟩. O(x) with K",
    );
    check(
        &["warning[F0401]: expected Real(1), found Real(2)"],
        "op O : Real(1) ▷ Real(1)\nhandler K : Real(1) { x ↦ ⌊x⌋ O ( x ↦ ⌊⟨x, ()⟩⌋ | y, z ↦ «⌊[1, 2]⌋» ) }\nmain = ⌊1⌋",
    );
    check(
        &["error[F0502]: `K` is an ordinary handler, and `rev handle` needs a reverse one"],
        "handler K : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ }\nmain = rev handle(1)⟨x⟩. ⌊x⌋ with «K»",
    );
}

#[test]
fn what_would_be_enormous_is_refused() {
    let doubling: String = (0..40)
        .map(|i| format!("let x{} ⇐ ⌊⟨x{i}, x{i}⟩⌋ in ", i + 1))
        .collect();
    let checked = report::check(&format!("main = let x0 ⇐ ⌊1⌋ in {doubling} ⌊1⌋"));
    assert_eq!(
        checked.diagnostics.first().map(|found| found.code.as_str()),
        Some("F0911")
    );
    let nested = "main = ⌊1.rd(x. 1.rd(y. 1.rd(z. z ⊙ z)(y))(x))(2)⌋";
    let main = report::check(nested).main.unwrap();
    let run = report::run(&main.program, Partiality::Paper, 1_000_000);
    assert_eq!(
        run.error(&main.program).map(|error| error.code).as_deref(),
        Some("F0605")
    );
}

#[test]
fn places_of_errors_are_where_the_mistake_is() {
    check(
        &[
            "error[F0204]: `y` is bound outside this handler, whose clauses see only their own variables",
        ],
        "main = let y ⇐ ⌊[1, 2]⌋ in handle ⌊y⌋ with { x ↦ ⌊x + «y»⌋ }",
    );
    check(
        &["error[F0301]: `O` has 1 index, and this clause 0"],
        "op O[n] : Real(n) ▷ Real(n)\nhandler H : Real(1) { x ↦ ⌊x⌋ «O» ( x ↦ ⌊⟨x, ()⟩⌋ | y, z ↦ ⌊y⌋ ) }\nmain = rev handle(1)⟨x⟩. O(x) with H",
    );
    check(
        &["error[F0506]: `O` reaches the top level, and no handler treats it there"],
        "op O : Real(1) ▷ Real(1)\ndata d = [1, 2]\ntrain d as v for 1 epochs = «O(v)»\nmain = ⌊1⌋",
    );
    check(
        &["error[F0201]: there is no size or location `k`"],
        "dim m = «k»\nmain = ⌊1⌋",
    );
}

#[test]
fn errors_in_a_schematic_clause_name_clause_and_instance() {
    let source = format!(
        "{OPS}handler K : Real(3) {{\n x ↦ ⌊x⌋\n FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, w⟩⌋ | y, w ↦ ⌊w ∗ y⌋ ) }}\nmain = rev handle([1, 2])⟨x⟩. FC[w](x) with K"
    );
    let checked = report::check(&source);
    let errors: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let labels: Vec<&str> = errors[0]
        .labels
        .iter()
        .map(|label| label.text.as_str())
        .collect();
    assert!(labels.contains(&"in FC[w] with n = 2, m = 3"), "{labels:?}");
}

#[test]
fn every_mistake_is_said_once_however_often_it_is_expanded() {
    check(
        &[
            "error[F0201]: there is no variable `y`",
            "error[F0201]: there is no function `nope`",
        ],
        "command P(x : Real(1)) = ⌊x + «y»⌋\nmain = let a ⇐ P(1) in let b ⇐ P(2) in ⌊«nope»(a + b)⌋",
    );
}

#[test]
fn a_continuation_is_not_seen_in_the_clauses_of_a_handler_inside() {
    check(
        &[
            "error[F0204]: `k` is bound outside this handler, whose clauses see only their own variables",
        ],
        "op O : Real(1) ▷ Real(1)
         op Q : Real(1) ▷ Real(1)
         main = handle O(1) with {
           x ↦ ⌊x⌋
           O, k; x ↦ handle Q(x) with { y ↦ ⌊y⌋  Q, j; y ↦ «k» • y }
         }",
    );
}
