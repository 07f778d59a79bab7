//! Expansion of calls: parameters bound by `let`, no capture of names, loops unrolled.

use crate::common::{check, complains};

#[test]
fn a_function_is_its_body_with_parameters_bound() {
    check(
        "fun f(x : Real(1), y : Real(1)) = x + y\nmain = ⌊f(1, 2)⌋",
        "⌊let #1 ← 1 in let #2 ← 2 in (#1 + #2)⌋",
    );
    // An indexed function is expanded at the sizes of the call.
    check(
        "fun g[n](x : Real(n)) : Real(n) = x + zero[n]\nmain = ⌊g([1, 2])⌋",
        "⌊let #1 ← [1.0, 2.0] in (#1 + [0.0, 0.0])⌋",
    );
    complains(
        "fun f(x : Real(1)) = x\nmain = ⌊f(1, 2)⌋",
        &["F0402 f(1, 2)"],
    );
    complains(
        "fun f(x : Real(1)) = g(x)\nfun g(x : Real(1)) = f(x)\nmain = ⌊f(1)⌋",
        &["F0203 f(x)"],
    );
}

#[test]
fn expansion_captures_nothing() {
    // The arguments refer to the outer x and y, although f binds the same names.
    check(
        "fun f(x : Real(1), y : Real(1)) = x + y
         main = ⌊let x ← 1 in let y ← 2 in f(y, x)⌋",
        "⌊let #1 ← 1 in let #2 ← 2 in let #3 ← #2 in let #4 ← #1 in (#3 + #4)⌋",
    );
    check(
        "command c(x : Real(1)) = let y ⇐ ⌊x⌋ in ⌊x + y⌋
         main = let y ⇐ ⌊1⌋ in c(y + y)",
        "let #1 ⇐ ⌊1⌋ in let #2 ⇐ ⌊(#1 + #1)⌋ in let #3 ⇐ ⌊#2⌋ in ⌊(#2 + #3)⌋",
    );
}

#[test]
fn patterns_are_projections() {
    check(
        "main = let ⟨x, ⟨y, z⟩⟩ ⇐ ⌊⟨1, ⟨2, 3⟩⟩⌋ in ⌊x + z⌋",
        "let #1 ⇐ ⌊⟨1, ⟨2, 3⟩⟩⌋ in let #2 ⇐ ⌊#1.1⌋ in let #3 ⇐ ⌊#1.2⌋ in \
         let #4 ⇐ ⌊#3.1⌋ in let #5 ⇐ ⌊#3.2⌋ in ⌊(#2 + #5)⌋",
    );
}

#[test]
fn iterate_is_as_many_lets() {
    check(
        "main = iterate[i : 3](5)⟨x⟩. ⌊x + count[i]()⌋",
        "let #1 ⇐ ⌊5⌋ in let #2 ⇐ ⌊(#1 + count[0](()))⌋ in \
         let #3 ⇐ ⌊(#2 + count[1](()))⌋ in ⌊(#3 + count[2](()))⌋",
    );
    check("main = iterate[i : 0](5)⟨x⟩. ⌊x + 1⌋", "⌊5⌋");
    complains("main = iterate[i : 2](5)⟨x⟩. ⌊⟨x, x⟩⌋", &["F0401 ⌊⟨x, x⟩⌋"]);
}

#[test]
fn a_feedback_has_outputs_and_carries_what_its_body_uses() {
    check(
        "main = feedback[2](1, [3, 4])⟨s, x⟩. ⌊⟨s + x, s⟩⌋",
        "feedback[2](⟨1, [3.0, 4.0]⟩)⟨#1, #2⟩. ⌊⟨(#1 + #2), #1⟩⌋",
    );
    // The result of a feedback without outputs is the last state.
    check(
        "main = feedback[2](1, [3, 4])⟨s, x⟩. ⌊s + x⌋",
        "let #4 ⇐ feedback[2](⟨1, [3.0, 4.0]⟩)⟨#1, #2⟩. let #3 ⇐ ⌊(#1 + #2)⌋ in ⌊⟨#3, ()⟩⌋ in ⌊#4.1⌋",
    );
    check(
        "main = let a ⇐ ⌊5⌋ in feedback[2](1, ())⟨s, _⟩. ⌊⟨a + s, a⟩⌋",
        "let #1 ⇐ ⌊5⌋ in let #10 ⇐ feedback[2](⟨⟨1, #1⟩, ()⟩)⟨#2, #3⟩. \
         let #4 ⇐ ⌊#2⌋ in let #5 ⇐ ⌊#4.1⌋ in let #6 ⇐ ⌊#4.2⌋ in \
         let #7 ⇐ ⌊⟨(#6 + #5), #6⟩⌋ in let #8 ⇐ ⌊#7.1⌋ in let #9 ⇐ ⌊#7.2⌋ in ⌊⟨⟨#8, #6⟩, #9⟩⌋ in \
         let #11 ⇐ ⌊#10.1⌋ in let #12 ⇐ ⌊#10.2⌋ in ⌊⟨#11.1, #12⟩⌋",
    );
}

#[test]
fn the_body_of_rev_handle_sees_its_own_variables_only() {
    let handler = "handler H : Real(1) { x ↦ ⌊x⌋ }\n";
    check(
        &format!("{handler} main = let v ⇐ ⌊1⌋ in rev handle(v)⟨x⟩. ⌊x⌋ with H"),
        "let #1 ⇐ ⌊1⌋ in rev handle(#1)⟨#2⟩. ⌊#2⌋ with H",
    );
    complains(
        &format!("{handler} main = let v ⇐ ⌊1⌋ in rev handle(v)⟨x⟩. ⌊x + v⌋ with H"),
        &["F0204 v"],
    );
    complains(
        &format!(
            "{handler} op O : Real(1) ▷ Real(1)
             main = handle O(1) with {{ x ↦ ⌊x⌋  O, k; x ↦ rev handle(x)⟨y⟩. k • y with H }}"
        ),
        &["F0204 k"],
    );
    // The body of an ordinary handler sees outer variables.
    check(
        "handler K : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ }
         main = let v ⇐ ⌊1⌋ in handle ⌊v⌋ with K",
        "let #1 ⇐ ⌊1⌋ in handle ⌊#1⌋ with K",
    );
}
