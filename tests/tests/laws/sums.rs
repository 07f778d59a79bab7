//! Laws of sums: + is a commutative monoid.

use super::*;

law!(
    /// (f + g) + h = h + (g + f), and f + 0 = f (S)
    sums_are_a_commutative_monoid,
    false,
    |mut p: Pieces| {
        let declared = [p.map("f"), p.map("g"), p.map("h")].concat();
        law(
            &declared,
            "⌊(f(x) + g(z)) + (h(x) + zero[2])⌋",
            "⌊h(x) + (zero[2] + (g(z) + f(x)))⌋",
        )
    }
);

law!(
    /// a ; (f + g) = (a ; f) + (a ; g), for pure a; at products component by component (S, C)
    composition_is_additive_on_the_left,
    false,
    |mut p: Pieces| {
        let declared = [p.map("a"), p.map("f"), p.map("g")].concat();
        law(
            &declared,
            "let u ⇐ ⌊a(x)⌋ in ⌊⟨f(u), z⟩ + ⟨g(u), x⟩⌋",
            "⌊⟨f(a(x)) + g(a(x)), x + z⟩⌋",
        )
    }
);

#[test]
fn what_is_partial_is_not_zero() {
    // f ; 0 ≤ 0 (Def. RDRC): less where f is partial. (D)
    fails(
        "f ; 0 = 0",
        |place| place == Place::Domain,
        |choices| {
            let mut p = Pieces::new(choices);
            let m = p.partial_term(&["x"]);
            law(
                "",
                &format!("let u ⇐ ⌊{m}⌋ in ⌊⟨zero[2], u⟩.1⌋"),
                "⌊zero[2]⌋",
            )
        },
    );
}
