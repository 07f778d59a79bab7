//! The reductions of terms and commands (Def. small-step-reduction-commands), the heap rules of Example mlp-reduction
//! and those of ordinary handlers, rule by rule: source, redex, contractum.

use crate::common::{check, stuck};
use fletch_reduction::{Rule, Stuck};

#[test]
fn eval() {
    check(
        "main = ⌊hadamard(2, 3)⌋",
        Rule::Eval,
        "hadamard[1](⟨2, 3⟩)",
        "6",
    );
}

#[test]
fn add() {
    check(
        "main = ⌊⟨1, 2⟩ + ⟨3, 4⟩⌋",
        Rule::Add,
        "(⟨1, 2⟩ + ⟨3, 4⟩)",
        "⟨4, 6⟩",
    );
}

#[test]
fn proj() {
    check("main = ⌊⟨1, 2, 3⟩.2⌋", Rule::Proj, "⟨1, 2, 3⟩.2", "2");
}

#[test]
fn let_of_terms() {
    check(
        "main = ⌊let x ← 2 in x + x⌋",
        Rule::Let,
        "let #1 ← 2 in (#1 + #1)",
        "(2 + 2)",
    );
}

#[test]
fn rd() {
    check(
        "main = ⌊(1).rd(x. hadamard(x, 3))(2)⌋",
        Rule::Rd,
        "(1).rd(#1. hadamard[1](⟨#1, 3⟩))(2)",
        "let #1 ← 2 in let #2 ← rd[hadamard[1]](⟨⟨#1, 3⟩, 1⟩) in let #3 ← #2 in let #4 ← #3.1 in \
         let #5 ← #3.2 in (#4 + 0)",
    );
}

/// Terms are reduced from left to right, also in a tuple, and M before L in M.rd(x. N)(L).
#[test]
fn the_leftmost_term_is_reduced_first() {
    check("main = ⌊⟨1 + 1, 2 + 2⟩⌋", Rule::Add, "(1 + 1)", "2");
    check(
        "main = ⌊(1 + 1).rd(x. x)(2 + 2)⌋",
        Rule::Add,
        "(1 + 1)",
        "2",
    );
}

#[test]
fn bind() {
    check(
        "main = let x ⇐ ⌊2⌋ in ⌊x + x⌋",
        Rule::Bind,
        "let #1 ⇐ ⌊2⌋ in ⌊(#1 + #1)⌋",
        "⌊(2 + 2)⌋",
    );
    check(
        "main = let y ⇐ (let x ⇐ ⌊2⌋ in ⌊x + x⌋) in ⌊y⌋",
        Rule::Bind,
        "let #1 ⇐ ⌊2⌋ in ⌊(#1 + #1)⌋",
        "⌊(2 + 2)⌋",
    );
}

const NO_CLAUSE: &str = "handler H : Real(1) { x ↦ ⌊x⌋ }\n";

#[test]
fn rev_handle() {
    check(
        &format!("{NO_CLAUSE}main = rev handle(2)⟨x⟩. ⌊x⌋ with H"),
        Rule::RevHandle,
        "rev handle(2)⟨#1⟩. ⌊#1⌋ with H",
        "RH(⟨2⟩; ⟨#1⟩. ⌊#1⌋ with H)",
    );
    let two = format!("{NO_CLAUSE}main = rev handle(⟨2, 3⟩)⟨x, y⟩. ⌊x + y⌋ with H");
    check(
        &two,
        Rule::RevHandle,
        "rev handle(⟨2, 3⟩)⟨#1, #2⟩. ⌊(#1 + #2)⌋ with H",
        "RH(⟨2, 3⟩; ⟨#1, #2⟩. ⌊(#1 + #2)⌋ with H)",
    );
}

const ORDINARY: &str = "op O : Real(1) ▷ Real(1)
  op Q : Real(1) ▷ Real(1)
  handler H : Real(1) ⇒ Real(1) { x ↦ ⌊x + 1⌋  O, k; x ↦ k • (x + 2) }
  handler Outer : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  Q, k; x ↦ k • x }\n";

#[test]
fn handle_ret() {
    check(
        &format!("{ORDINARY}main = handle ⌊5⌋ with H"),
        Rule::HandleRet,
        "handle ⌊5⌋ with H",
        "⌊(5 + 1)⌋",
    );
}

#[test]
fn handle_op() {
    let source = format!("{ORDINARY}main = handle (let y ⇐ O(5) in ⌊y + y⌋) with H");
    check(
        &source,
        Rule::HandleOp,
        "handle let #1 ⇐ O(5) in ⌊(#1 + #1)⌋ with H",
        "let #1 ⇐ ⌊(5 + 2)⌋ in handle let #2 ⇐ ⌊#1⌋ in ⌊(#2 + #2)⌋ with H",
    );
}

#[test]
fn handle_op_without_a_clause_goes_outside() {
    let source =
        format!("{ORDINARY}main = handle (handle (let y ⇐ Q(5) in O(y)) with H) with Outer");
    check(
        &source,
        Rule::HandleOp,
        "handle let #1 ⇐ Q(5) in O(#1) with H",
        "let #1 ⇐ Q(5) in handle let #2 ⇐ ⌊#1⌋ in O(#2) with H",
    );
}

#[test]
fn get_and_put() {
    let source = "loc ℓ ∷ (1) = 5\nmain = let w ⇐ Get[ℓ]() in Put[ℓ](w + 1)";
    check(source, Rule::Get, "Get[ℓ](())", "⌊5⌋");
    check(source, Rule::Put, "Put[ℓ](6)", "⌊()⌋");
}

#[test]
fn an_operation_that_nothing_treats_is_stuck() {
    let found = stuck("op O : Real(1) ▷ Real(1)\nmain = O(1)");
    assert!(matches!(found, Stuck::Unhandled { .. }), "{found:?}");
}
