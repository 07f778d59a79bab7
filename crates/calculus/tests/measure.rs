//! Equations of depth and size, one by one (Figs. depth-of-reverse-handlers and size-of-derivation-trees).

use fletch_calculus::{depth, handler_depth, handler_size, size};
use fletch_notation::Notation;

/// H has depth 0 and size 1 + |⌊x⌋| + |Qᶠ| + |Qᵇ| = 1 + 1 + 3 + 1; `Deep` has depth 2 in its backward clause,
/// `Returns` depth 1 in its return clause.
const DECLARED: &str = "
  op O : Real(1) ▷ Real(1)
  handler H : Real(1) { x ↦ ⌊x⌋  O (x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ ⌊y⌋) }
  handler Returns : Real(1) { x ↦ rev handle(x)⟨y⟩. ⌊y⌋ with H }
  handler Deep : Real(1) { x ↦ ⌊x⌋  O (x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ rev handle(y)⟨u⟩. ⌊u⌋ with Returns) }
  handler K : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O, k; x ↦ k • x }
  handler Nested : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O, k; x ↦ rev handle(x)⟨u⟩. ⌊u⌋ with H }";

#[track_caller]
fn check(command: &str, expect: (usize, usize)) {
    let read = Notation::new(DECLARED).command(command).subject;
    assert_eq!((depth(&read), size(&read)), expect, "{command}");
}

#[track_caller]
fn check_handler(name: &str, expect: (usize, usize)) {
    let handler = Notation::new(DECLARED).reverse_handler(name);
    assert_eq!(
        (handler_depth(&handler), handler_size(&handler)),
        expect,
        "{name}"
    );
}

#[test]
fn terms() {
    check("⌊x⌋", (0, 1));
    check("⌊2⌋", (0, 1));
    check("⌊swish[1](x)⌋", (0, 2));
    check("⌊x.1⌋", (0, 2));
    check("⌊x + 1⌋", (0, 3));
    check("⌊⟨x, 1, y⟩⌋", (0, 4));
    check("⌊let y ← swish[1](x) in y⌋", (0, 4));
    check("⌊(1 + x).rd(y. swish[1](y))(2)⌋", (0, 1 + 3 + 2 + 1));
}

#[test]
fn commands() {
    check("O(x)", (0, 3));
    check("O(swish[1](x))", (0, 4));
    check("let y ⇐ O(x) in ⌊y⌋", (0, 5));
    check("k • x", (0, 3));
    check("rev handle(1)⟨x⟩. O(x) with H", (1, 1 + 1 + 3 + 6));
    check(
        "let y ⇐ ⌊1⌋ in rev handle(1)⟨x⟩. O(x) with H",
        (1, 1 + 1 + 11),
    );
    check(
        "let y ⇐ rev handle(1)⟨x⟩. O(x) with H in ⌊1⌋",
        (1, 1 + 11 + 1),
    );
    check(
        "rev handle(1)⟨x⟩. rev handle(x)⟨y⟩. ⌊y⌋ with H with H",
        (2, 1 + 1 + (1 + 1 + 1 + 6) + 6),
    );
}

#[test]
fn handlers() {
    check_handler("H", (0, 6));
    check_handler("Returns", (1, 1 + (1 + 1 + 1 + 6)));
    check_handler("Deep", (2, 1 + 1 + 3 + (1 + 1 + 1 + 10)));
    // The handler counts too: 1 + max{depth(R), depth(H)}.
    check("rev handle(1)⟨x⟩. ⌊x⌋ with Deep", (3, 1 + 1 + 1 + 18));
}

/// Ordinary handlers are not in the paper's figures; they count like reverse handlers.
#[test]
fn ordinary_handlers() {
    check("handle O(x) with K", (1, 1 + 3 + (1 + 1 + 3)));
    check("handle O(x) with Nested", (2, 1 + 3 + (1 + 1 + 9)));
}
