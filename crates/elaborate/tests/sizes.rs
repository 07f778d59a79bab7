//! Resolution of indices: dimensions, locations and their families, and the indices that a call omits.

use crate::common::{check, complains, program};

#[test]
fn dimensions() {
    check("dim n = 2\nmain = ⌊zero[n]⌋", "⌊[0.0, 0.0]⌋");
    // Declarations may be in any order, and use + - * and ⌈/⌉.
    check(
        "dim m = n * n - 1, n = 2\nmain = ⌊zero[m + ⌈n/3⌉]⌋",
        "⌊[0.0, 0.0, 0.0, 0.0]⌋",
    );
    complains("dim n = m, m = n\nmain = ⌊zero[n]⌋", &["F0203 n"]);
    complains("main = ⌊zero[n]⌋", &["F0201 n"]);
    complains("dim n = 1 - 2\nmain = ⌊zero[n]⌋", &["F0302 1 - 2"]);
}

/// Checks the locations: name, sizes as declared, and initial contents of each.
#[track_caller]
fn check_heap(source: &str, expect: &[(&str, &[usize], &[f64])]) {
    let program = program(source);
    for (number, location) in program.locations.iter().enumerate() {
        assert_eq!(location.number, number, "{source}");
    }
    let cells = program.locations.iter().zip(&program.initial);
    let found: Vec<_> = cells
        .map(|(location, cell)| (&*location.name, location.sizes.as_slice(), cell.data()))
        .collect();
    assert_eq!(found, expect, "{source}");
}

#[test]
fn locations() {
    check_heap(
        "dim n = 2
         loc w ∷ (n, 1) = [[1, 2]]
         loc b ∷ (2)
         loc c ∷ (2) = constant(0.5)
         main = ⌊1⌋",
        &[
            ("w", &[2, 1], &[1.0, 2.0]),
            ("b", &[2], &[0.0, 0.0]),
            ("c", &[2], &[0.5, 0.5]),
        ],
    );
    complains("loc w ∷ (2) = [1, 2, 3]\nmain = ⌊1⌋", &["F0306 [1, 2, 3]"]);
    complains("main = Get[w]()", &["F0201 w"]);
}

#[test]
fn families_of_locations_have_a_cell_for_each_instance_that_occurs() {
    check_heap(
        "loc w ∷ (1, 2)
         loc a[i] ∷ (1) = constant(i)
         loc v[ℓ ∷ (n, m)] ∷ (m)
         main = let _ ⇐ Get[a[2]]() in let _ ⇐ Get[v[w]]() in let _ ⇐ Get[a[1]]() in Get[a[2]]()",
        &[
            ("w", &[1, 2], &[0.0, 0.0]),
            ("a[2]", &[1], &[2.0]),
            ("v[w]", &[2], &[0.0, 0.0]),
            ("a[1]", &[1], &[1.0]),
        ],
    );
}

const OPERATIONS: &str = "
  loc w ∷ (2, 3)
  op Q[n] : Real(n) ▷ Real(n)
  op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
  op FB[b, ℓ ∷ (n, m)] : Real(n × b) ▷ Real(m × b)
  op P[n, m] : Real(n * m) ▷ Real(n)
  handler Drop : Real(1) ⇒ Real(1) {
    x ↦ ⌊x⌋  Q[n], k; x ↦ ⌊0⌋  FC[ℓ], k; x ↦ ⌊0⌋  FB[b, ℓ], k; x ↦ ⌊0⌋  P[n, m], k; x ↦ ⌊0⌋
  }\n";

/// Checks the call P of `handle (let _ ⇐ P in ⌊0⌋) with Drop`.
#[track_caller]
fn check_call(call: &str, expect: &str) {
    let source = format!("{OPERATIONS} main = handle (let _ ⇐ {call} in ⌊0⌋) with Drop");
    let expect = format!("handle let #1 ⇐ {expect} in ⌊0⌋ with Drop");
    check(&source, &expect);
}

#[test]
fn indices_of_an_operation_are_inferred_from_its_argument() {
    check_call("Q([1, 2])", "Q[2]([1.0, 2.0])");
    check_call("Q[2]([1, 2])", "Q[2]([1.0, 2.0])");
    check_call("FC[w]([1, 2])", "FC[w]([1.0, 2.0])");
    check_call("FB[w]([[1], [2]])", "FB[1, w]([1.0, 2.0])");
    check_call("FB[1, w]([1, 2])", "FB[1, w]([1.0, 2.0])");
    check_call("P[2, 1]([1, 2])", "P[2, 1]([1.0, 2.0])");
    let complain = |call: &str, expect: &str| {
        let source = format!("{OPERATIONS} main = handle (let _ ⇐ {call} in ⌊0⌋) with Drop");
        complains(&source, &[expect]);
    };
    complain("Q[3]([1, 2])", "F0401 [1, 2]");
    complain("FC[w]([1, 2, 3])", "F0401 [1, 2, 3]");
    // n * m = 2 has no unique solution.
    complain("P([1, 2])", "F0304 P([1, 2])");
    complain("FC([1, 2])", "F0301 FC([1, 2])");
}

const MATRICES: &str = "fun f(a : Real(2 × 3), b : Real(3 × 1), v : Real(3)) =";

/// Checks a term over a 2 × 3 matrix `a`, a 3 × 1 matrix `b` and a vector `v`, as the body of a function.
#[track_caller]
fn check_term(term: &str, expect: &str) {
    let source = format!("{MATRICES} {term}\nmain = ⌊f(zero[6], zero[3], zero[3])⌋");
    let zeros = |n: usize| format!("{:?}", vec![0.0; n]);
    let expect = format!(
        "⌊let #1 ← {} in let #2 ← {} in let #3 ← {} in {expect}⌋",
        zeros(6),
        zeros(3),
        zeros(3)
    );
    check(&source, &expect);
}

#[test]
fn indices_of_function_symbols_are_inferred_from_shapes() {
    check_term("a ∗ v", "matmul[2, 3, 1](⟨#1, #3⟩)");
    check_term("a ∗ b", "matmul[2, 3, 1](⟨#1, #2⟩)");
    check_term("aᵀ", "transpose[2, 3](#1)");
    // A vector is a column also as the left operand, and its transpose is a row.
    check_term("v ∗ vᵀ", "matmul[3, 1, 3](⟨#3, transpose[3, 1](#3)⟩)");
    check_term("2 · a", "scale[6](⟨2, #1⟩)");
    check_term("sum(a)", "sum[6](#1)");
    // Lets and sums preserve the shape.
    check_term(
        "let c ← a + a in cᵀ",
        "let #4 ← (#1 + #1) in transpose[2, 3](#4)",
    );
    check_term("rows[sum](a)", "rows[2, sum](#1)");
}

#[test]
fn shapes_that_do_not_fit() {
    let complain = |term: &str, expect: &[&str]| {
        complains(
            &format!("{MATRICES} {term}\nmain = ⌊f(zero[6], zero[3], zero[3])⌋"),
            expect,
        );
    };
    complain("b ∗ a", &["F0302 b ∗ a"]);
    complain("a + b", &["F0401 a + b"]);
    // Equal sizes with different shapes get a warning.
    complain("a + reshape[3, 2](a)", &["F0305 a + reshape[3, 2](a)"]);
}
