//! The algebras over the promonad: handlers, reverse and ordinary (Defs. algebra, reverse-algebra, alpha-from-q-opr-Y,
//! q-opr-Y-from-reverse-handler).

use super::*;

/// Returns rev handle(V)⟨x̄⟩. R with H, where H has these clauses and this return clause.
fn handled(values: &str, r: &str, returns: &str, clauses: &str) -> String {
    format!("rev handle({values})⟨{values}⟩. {r} with {{ v ↦ {returns} {clauses} }}")
}

law!(
    /// α(η_X, k) = k (Lemma ralg-is-promonad-algebra; P, C)
    the_action_of_the_unit,
    true,
    |mut p: Pieces| {
        let ((mut declared, clauses), k) = (p.clauses(), p.arrow("K"));
        declared += &k;
        law(&declared, &handled("x", "⌊x⌋", "K(v)", &clauses), "K(x)")
    }
);

law!(
    /// α(η(f), k) = η(Δ ; (f × id)) ; st(k) ; η(RD′[f]) (Def. reverse-algebra; P, C, S, R, D)
    the_action_of_pure_maps,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &[p.arrow("K"), p.map("f")].concat();
        law(
            &declared,
            &handled("x", "⌊f(x)⌋", "K(v)", &clauses),
            "let y ⇐ ⌊f(x)⌋ in let c ⇐ K(y) in ⌊c.rd(u. f(u))(x)⌋",
        )
    }
);

law!(
    /// R̂(f ; g)(k) = R̂(f)(R̂(g)(k)) (Lemma ralg-A-is-functor; P, C, S, R, D)
    the_reverse_algebra_is_a_functor,
    true,
    |mut p: Pieces| {
        let declared = [p.arrow("K"), p.map("f"), p.map("g")].concat();
        law(
            &declared,
            "let y ⇐ ⌊g(f(x))⌋ in let c ⇐ K(y) in ⌊c.rd(u. g(f(u)))(x)⌋",
            "let a ⇐ ⌊f(x)⌋ in
             let d ⇐ (let y ⇐ ⌊g(a)⌋ in let c ⇐ K(y) in ⌊c.rd(u. g(u))(a)⌋) in ⌊d.rd(u. f(u))(x)⌋",
        )
    }
);

law!(
    /// α(a ; b, k) = α(a, α(b, k)) (Def. alpha-from-q-opr-Y, Lemma ralg-is-promonad-algebra; P, C, S, R)
    the_action_of_composites,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &[p.arrow("K"), p.arrow("F"), p.arrow("G")].concat();
        let inner = handled("v", "G(v)", "K(v)", &clauses);
        law(
            &declared,
            &handled("x", "(let y ⇐ F(x) in G(y))", "K(v)", &clauses),
            &handled("x", "F(x)", &format!("({inner})"), &clauses),
        )
    }
);

law!(
    /// α(Op, k) = q_op(k) (Defs. alpha-from-q-opr-Y, q-opr-Y-from-reverse-handler; P, C)
    the_action_of_operations,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &p.arrow("K");
        law(
            &declared,
            &handled("x", "O(x)", "K(v)", &clauses),
            "let ⟨y, s⟩ ⇐ Of(x) in let c ⇐ K(y) in Ob(c, s)",
        )
    }
);

/// Declares a random command K : Real(2) × Real(2) ⇝ Real(2) × Real(2).
fn beside(p: &mut Pieces) -> String {
    let (a, b, c) = (p.command(&["x", "z"]), p.term(&["x", "z"]), p.term(&["z"]));
    format!(
        "command K(p : Real(2) × Real(2)) : Real(2) × Real(2) = let ⟨x, z⟩ ⇐ ⌊p⌋ in let a ⇐ ({a}) in ⌊⟨a + {b}, {c}⟩⌋\n"
    )
}

law!(
    /// α(st_Z(Op), k) = q_{op,Z}(k) (Defs. alpha-from-q-opr-Y, q-opr-Y-from-reverse-handler; P, C, S)
    the_action_of_operations_beside_wires,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &beside(&mut p);
        law(
            &declared,
            &handled("x, z", "(let y ⇐ O(x) in ⌊⟨y, z⟩⌋)", "K(v)", &clauses),
            "let ⟨y, s⟩ ⇐ Of(x) in let ⟨c, d⟩ ⇐ K(⟨y, z⟩) in let e ⇐ Ob(c, s) in ⌊⟨e, d⟩⌋",
        )
    }
);

law!(
    /// α(st_Z(a ; b), k) = α(st_Z(a), α(st_Z(b), k)) (Def. alpha-from-q-opr-Y; P, C, S, R)
    the_action_of_strength_on_composites,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &[beside(&mut p), p.arrow("F"), p.arrow("G")].concat();
        let inner = format!(
            "let ⟨y, z⟩ ⇐ ⌊v⌋ in {}",
            handled("y, z", "(let u ⇐ G(y) in ⌊⟨u, z⟩⌋)", "K(v)", &clauses)
        );
        law(
            &declared,
            &handled(
                "x, z",
                "(let y ⇐ F(x) in let u ⇐ G(y) in ⌊⟨u, z⟩⌋)",
                "K(v)",
                &clauses,
            ),
            &handled(
                "x, z",
                "(let y ⇐ F(x) in ⌊⟨y, z⟩⌋)",
                &format!("({inner})"),
                &clauses,
            ),
        )
    }
);

law!(
    /// α(st_Z(η(f)), k) = α(η(f × id), k) (Def. alpha-from-q-opr-Y; P, C)
    the_action_of_strength_on_pure_maps,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &[beside(&mut p), p.map("f")].concat();
        law(
            &declared,
            &handled("x, z", "(let y ⇐ ⌊f(x)⌋ in ⌊⟨y, z⟩⌋)", "K(v)", &clauses),
            "let y ⇐ ⌊f(x)⌋ in let ⟨c, d⟩ ⇐ K(⟨y, z⟩) in ⌊⟨c.rd(u. f(u))(x), d⟩⌋",
        )
    }
);

law!(
    /// α(st_Z(st_Z′(a)), k) = α(st_{Z′⊗Z}(a), k), up to associativity (Def. alpha-from-q-opr-Y; P, C, S)
    the_action_of_strength_on_strength,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &[beside(&mut p), p.arrow("F")].concat();
        let k = |there: &str, back: &str| {
            format!("(let ⟨a, b⟩ ⇐ K(⟨{there}⟩) in ⌊{back}⌋)")
        };
        law(
            &declared,
            &handled(
                "x, z",
                "(let q ⇐ (let y ⇐ F(x) in ⌊⟨y, z⟩⌋) in ⌊⟨q, z⟩⌋)",
                &k("v.1.1 + v.2, v.1.2", "⟨⟨a, b⟩, a⟩"),
                &clauses,
            ),
            &handled(
                "x, z",
                "(let y ⇐ F(x) in ⌊⟨y, ⟨z, z⟩⟩⌋)",
                &k("v.1 + v.2.2, v.2.1", "⟨a, ⟨b, a⟩⟩"),
                &clauses,
            ),
        )
    }
);

law!(
    /// α respects st(a) ; η(id × f) = η(id × f) ; st(a): q_op is natural (Defs. alpha-from-q-opr-Y; P, C, S, R, D)
    the_action_is_natural_in_what_goes_by,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        p.partial = false;
        declared += &[beside(&mut p), p.arrow("F"), p.map("f")].concat();
        law(
            &declared,
            &handled("x, z", "(let y ⇐ F(x) in ⌊⟨y, f(z)⟩⌋)", "K(v)", &clauses),
            &handled(
                "x, z",
                "(let u ⇐ ⌊f(z)⌋ in let y ⇐ F(x) in ⌊⟨y, u⟩⌋)",
                "K(v)",
                &clauses,
            ),
        )
    }
);

law!(
    /// α respects st(a) ; η(π₁) = η(π₁) ; a: the cotangent of a forgotten wire is zero (RD.3; P, C, S)
    nothing_comes_back_for_what_is_forgotten,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &[p.arrow("K"), p.arrow("F")].concat();
        let one = handled("x", "F(x)", "K(v)", &clauses);
        law(
            &declared,
            &handled("x, z", "F(x)", "K(v)", &clauses),
            &format!("let c ⇐ ({one}) in ⌊⟨c, zero[2]⟩⌋"),
        )
    }
);

law!(
    /// A value that is copied gets the sum of the cotangents of its copies (RD.4; P, C, S)
    copies_become_sums,
    true,
    |mut p: Pieces| {
        let (mut declared, clauses) = p.clauses();
        declared += &beside(&mut p);
        law(
            &declared,
            &handled("x", "(let y ⇐ O(x) in ⌊⟨y, x⟩⌋)", "K(v)", &clauses),
            "let ⟨y, s⟩ ⇐ Of(x) in let ⟨c, d⟩ ⇐ K(⟨y, x⟩) in let e ⇐ Ob(c, s) in ⌊d + e⌋",
        )
    }
);

#[test]
fn a_backward_clause_runs_even_for_zero() {
    // The clause may `Put`: q^bwd is an arrow, and only pure maps give 0 at 0.
    fails(
        "dropping a backward clause",
        |place| matches!(place, Place::Operation(_)),
        |choices| {
            let mut p = Pieces::new(choices);
            let declared = p.arrow("K");
            let clauses = "O ( x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ let _ ⇐ Put[w](y + z) in ⌊zero[2]⌋ )";
            let dropped = "O ( x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ ⌊zero[2]⌋ )";
            law(
                &declared,
                &handled("x", "(let _ ⇐ O(x) in ⌊x⌋)", "K(v)", clauses),
                &handled("x", "(let _ ⇐ O(x) in ⌊x⌋)", "K(v)", dropped),
            )
        },
    );
}
