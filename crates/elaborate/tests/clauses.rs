//! Clauses of handlers: which operation each clause handles, and what its names refer to.

use crate::common::{check_handler, complains};

const OPERATIONS: &str = "
  loc w ∷ (1, 1)
  loc v ∷ (1, 1)
  op O : Real(1) ▷ Real(1)
  op U : Real(1) ▷ Real(1)
  op Q[n] : Real(n) ▷ Real(n)
  op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\n";

/// Checks the handler H of `rev handle(0)⟨x⟩. P with H`, where P is `performs`.
#[track_caller]
fn check(handlers: &str, performs: &str, expect: &str) {
    let source = format!("{OPERATIONS}{handlers}\nmain = rev handle(0)⟨x⟩. {performs} with H");
    check_handler(&source, &format!("H : Real(1) {{ {expect} }}"));
}

#[test]
fn a_clause_for_every_operation_that_reaches_it_and_no_other() {
    let handler = "handler H : Real(1) { x ↦ ⌊x⌋  O (x ↦ ⌊⟨x, 1⟩⌋ | y, z ↦ ⌊y⌋) }";
    check(
        handler,
        "O(x)",
        "#1 ↦ ⌊#1⌋; O (#2 ↦ ⌊⟨#2, 1⟩⌋ | #3, #4 ↦ ⌊#3⌋)",
    );
    check(handler, "⌊x⌋", "#1 ↦ ⌊#1⌋");
}

#[test]
fn a_schematic_clause_is_instantiated_where_it_is_needed() {
    let handler = "handler H : Real(1) { x ↦ ⌊x⌋  Q[n] (x ↦ ⌊⟨x, zero[n]⟩⌋ | y, z ↦ ⌊z⌋) }";
    check(
        handler,
        "let _ ⇐ Q([1, 2]) in Q(x)",
        "#1 ↦ ⌊#1⌋; Q[1] (#2 ↦ ⌊⟨#2, 0⟩⌋ | #3, #4 ↦ ⌊#4⌋); \
         Q[2] (#5 ↦ ⌊⟨#5, [0.0, 0.0]⟩⌋ | #6, #7 ↦ ⌊#7⌋)",
    );
}

#[test]
fn the_first_clause_that_matches_is_taken() {
    let clause = |head: &str, kept: u32| format!("{head} (x ↦ ⌊⟨x, {kept}⟩⌋ | y, z ↦ ⌊y⌋)");
    let handler =
        |clauses: &[String]| format!("handler H : Real(1) {{ x ↦ ⌊x⌋  {} }}", clauses.join(" "));
    let taken = |kept: u32| format!("#1 ↦ ⌊#1⌋; FC[w] (#2 ↦ ⌊⟨#2, {kept}⟩⌋ | #3, #4 ↦ ⌊#3⌋)");
    // The name of a declared location matches that location, a bound name every location.
    let (one, other, all) = (clause("FC[w]", 1), clause("FC[v]", 2), clause("FC[ℓ]", 3));
    for (clauses, kept) in [
        (vec![&one, &other, &all], 1),
        (vec![&other, &one], 1),
        (vec![&other, &all], 3),
    ] {
        let clauses: Vec<String> = clauses.into_iter().cloned().collect();
        check(&handler(&clauses), "FC[w](x)", &taken(kept));
    }
    // An unreachable clause gets a warning.
    complains(
        &format!(
            "{OPERATIONS}{}\nmain = rev handle(0)⟨x⟩. FC[w](x) with H",
            handler(&[all, one])
        ),
        &["F0507 FC[w"],
    );
}

#[test]
fn own_clauses_come_before_those_of_extends_from_left_to_right() {
    let handlers = "
      handler A : Real(1) { x ↦ ⌊x + 1⌋  O (x ↦ ⌊⟨x, 1⟩⌋ | y, z ↦ ⌊y⌋)  U (x ↦ ⌊⟨x, 1⟩⌋ | y, z ↦ ⌊y⌋) }
      handler B : Real(1) { x ↦ ⌊x + 2⌋  O (x ↦ ⌊⟨x, 2⟩⌋ | y, z ↦ ⌊y⌋)  U (x ↦ ⌊⟨x, 2⟩⌋ | y, z ↦ ⌊y⌋)
                              Q[n] (x ↦ ⌊⟨x, 2⟩⌋ | y, z ↦ ⌊y⌋) }
      handler H : Real(1) extends A, B { O (x ↦ ⌊⟨x, 3⟩⌋ | y, z ↦ ⌊y⌋) }";
    check(
        handlers,
        "let a ⇐ O(x) in let b ⇐ U(a) in Q(b)",
        "#1 ↦ ⌊(#1 + 1)⌋; O (#2 ↦ ⌊⟨#2, 3⟩⌋ | #3, #4 ↦ ⌊#3⌋); \
         Q[1] (#5 ↦ ⌊⟨#5, 2⟩⌋ | #6, #7 ↦ ⌊#6⌋); U (#8 ↦ ⌊⟨#8, 1⟩⌋ | #9, #10 ↦ ⌊#9⌋)",
    );
}

#[test]
fn an_operation_without_a_clause_gets_the_default() {
    let source = format!(
        "{OPERATIONS} handler H : Real(1) {{ x ↦ ⌊x⌋ }}
         handler K : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋  U, k; x ↦ k • x }}
         main = handle (rev handle(0)⟨x⟩. U(x) with H) with K"
    );
    // The default cuts the gradient, so it gets a warning, except for `Get` and `Put`.
    complains(&source, &["F0505 H"]);
    complains(
        "loc w ∷ (1)
         handler H : Real(1) { x ↦ ⌊x⌋ }
         main = rev handle(0)⟨x⟩. Get[w]() with H",
        &[],
    );
    check_handler(
        "loc w ∷ (1)
         handler H : Real(1) { x ↦ ⌊x⌋ }
         main = rev handle(0)⟨x⟩. Get[w]() with H",
        // The forward half performs the operation outside and saves 0; the backward half returns 0.
        "H : Real(1) { #1 ↦ ⌊#1⌋; Get[w] (#2 ↦ let #3 ⇐ Get[w](#2) in ⌊⟨#3, ()⟩⌋ | #4, #5 ↦ ⌊()⌋) }",
    );
}

#[test]
fn an_ordinary_handler_has_only_what_is_written() {
    check_handler(
        &format!(
            "{OPERATIONS} main = handle (let a ⇐ Get[v]() in O(a)) with {{ x ↦ ⌊x⌋  O, k; x ↦ k • x }}"
        ),
        "{…} : Real(1) ⇒ Real(1) { #1 ↦ ⌊#1⌋; O, #2, #3 ↦ #2 • #3 }",
    );
}

#[test]
fn handler_arguments_are_computed_and_put_in() {
    let handlers = "handler H(a : Real(1), b : Real(1) × Real(2)) : Real(1) {
        x ↦ ⌊x + a⌋
        O (x ↦ ⌊⟨x, b⟩⌋ | y, z ↦ ⌊z.1⌋)
      }";
    let source = format!(
        "{OPERATIONS}{handlers}
         main = rev handle(0)⟨x⟩. O(x) with H(1 + 2, ⟨3, square([2, 3])⟩)"
    );
    check_handler(
        &source,
        "H : Real(1) { #1 ↦ ⌊(#1 + 3)⌋; O (#2 ↦ ⌊⟨#2, ⟨3, [4.0, 9.0]⟩⟩⌋ | #3, #4 ↦ ⌊#4.1⌋) }",
    );
    complains(
        &format!(
            "{OPERATIONS}{handlers}
             main = let v ⇐ ⌊1⌋ in rev handle(0)⟨x⟩. O(x) with H(v, ⟨3, [4, 5]⟩)"
        ),
        &["F0503 v"],
    );
    // An argument outside the domain of a symbol is reported before the run.
    complains(
        &format!(
            "{OPERATIONS}{handlers}
             main = rev handle(0)⟨x⟩. O(x) with H(log(−1), ⟨3, [4, 5]⟩)"
        ),
        &["F0601 log(−1)"],
    );
}

#[test]
fn a_handler_has_a_return_clause() {
    complains(
        "handler H : Real(1) { }\nmain = rev handle(0)⟨x⟩. ⌊x⌋ with H",
        &["F0501 H"],
    );
}
