//! Laws of a strong promonad, and of copying, discarding and tuples in it (Fig. axioms-congruence-relation).

use super::*;

law!(
    /// (a ; b) ; c = a ; (b ; c) (P)
    composition_is_associative,
    true,
    |mut p: Pieces| {
        let declared = [p.arrow("F"), p.arrow("G"), p.arrow("H")].concat();
        law(
            &declared,
            "let v ⇐ (let u ⇐ F(x) in G(u)) in H(v)",
            "let u ⇐ F(x) in let v ⇐ G(u) in H(v)",
        )
    }
);

law!(
    /// η(id) ; a = a (P)
    the_unit_is_neutral_on_the_left,
    true,
    |mut p: Pieces| law(&p.arrow("F"), "let u ⇐ ⌊x⌋ in F(u)", "F(x)")
);

law!(
    /// a ; η(id) = a (P)
    the_unit_is_neutral_on_the_right,
    true,
    |mut p: Pieces| law(&p.arrow("F"), "let u ⇐ F(x) in ⌊u⌋", "F(x)")
);

law!(
    /// η(f ; g) = η(f) ; η(g) (P)
    the_unit_is_a_functor,
    false,
    |mut p: Pieces| {
        let declared = [p.map("f"), p.map("g")].concat();
        law(&declared, "⌊g(f(x))⌋", "let u ⇐ ⌊f(x)⌋ in ⌊g(u)⌋")
    }
);

law!(
    /// st(a) ; η(id × f) = η(id × f) ; st(a) (P)
    strength_is_natural_in_what_goes_by,
    true,
    |mut p: Pieces| {
        let declared = [p.arrow("F"), p.map("f")].concat();
        law(
            &declared,
            "let u ⇐ F(x) in ⌊⟨u, f(z)⟩⌋",
            "let v ⇐ ⌊f(z)⌋ in let u ⇐ F(x) in ⌊⟨u, v⟩⌋",
        )
    }
);

law!(
    /// st(a) ; η(π₁) = η(π₁) ; a (P, C)
    strength_forgets_what_goes_by,
    true,
    |mut p: Pieces| {
        law(
            &p.arrow("F"),
            "let q ⇐ (let u ⇐ F(x) in ⌊⟨u, z⟩⌋) in ⌊q.1⌋",
            "let q ⇐ ⌊⟨x, z⟩⌋ in F(q.1)",
        )
    }
);

law!(
    /// st(a) ; η(assoc) = η(assoc) ; st(st(a)) (P, C)
    strength_is_associative,
    true,
    |mut p: Pieces| {
        law(
            &p.arrow("F"),
            "let q ⇐ (let u ⇐ F(x) in ⌊⟨u, ⟨z, x⟩⟩⌋) in ⌊⟨⟨q.1, q.2.1⟩, q.2.2⟩⌋",
            "let q ⇐ ⌊⟨⟨x, z⟩, x⟩⌋ in
             let r ⇐ (let s ⇐ ⌊q.1⌋ in let u ⇐ F(s.1) in ⌊⟨u, s.2⟩⌋) in ⌊⟨r, q.2⟩⌋",
        )
    }
);

law!(
    /// st(η(f)) = η(f × id) (P)
    strength_of_pure_maps,
    false,
    |mut p: Pieces| law(&p.map("f"), "let u ⇐ ⌊f(x)⌋ in ⌊⟨u, z⟩⌋", "⌊⟨f(x), z⟩⌋")
);

law!(
    /// st(a ; b) = st(a) ; st(b) (P)
    strength_of_composites,
    true,
    |mut p: Pieces| {
        let declared = [p.arrow("F"), p.arrow("G")].concat();
        law(
            &declared,
            "let v ⇐ (let u ⇐ F(x) in G(u)) in ⌊⟨v, z⟩⌋",
            "let q ⇐ (let u ⇐ F(x) in ⌊⟨u, z⟩⌋) in let v ⇐ G(q.1) in ⌊⟨v, q.2⟩⌋",
        )
    }
);

law!(
    /// η(f) ; copy = copy ; η(f × f): a pure map can be copied, partial or not (C)
    pure_maps_are_copied,
    false,
    |mut p: Pieces| law(&p.map("f"), "let u ⇐ ⌊f(x)⌋ in ⌊⟨u, u⟩⌋", "⌊⟨f(x), f(x)⟩⌋")
);

law!(
    /// copy ; (id × discard) = id, and copying is commutative and associative (C)
    copies_are_a_comonoid,
    true,
    |mut p: Pieces| {
        law(
            &p.arrow("F"),
            "let u ⇐ F(x) in let q ⇐ ⌊⟨u, ⟨u, u⟩⟩⌋ in ⌊⟨q.1, ⟨q.2.2, q.2.1⟩⟩⌋",
            "let u ⇐ F(x) in let q ⇐ ⌊⟨⟨u, u⟩, u⟩⌋ in ⌊⟨⟨u, u⟩.1, ⟨q.2, q.1.1⟩⟩⌋",
        )
    }
);

#[test]
fn total_maps_are_discarded() {
    // η(f) ; discard = discard (C). `holds` does not fit, because it requires partial maps in some programs.
    let found = for_all(
        programs() / 8,
        |choices| {
            let mut p = Pieces::new(choices);
            p.partial = false;
            let declared = [p.map("f"), p.arrow("F")].concat();
            law(&declared, "let _ ⇐ ⌊f(z)⌋ in F(x)", "F(x)")
        },
        400,
        0,
        |source| match compared(source)?.0 {
            None => Ok(Case::Holds(())),
            Some(difference) => Err(format!("different: {difference}")),
        },
    );
    eprintln!("total_maps_are_discarded: {} programs", found.len());
}

#[test]
fn partial_maps_are_not_discarded() {
    // The difference is decided by (D).
    fails(
        "discarding a partial map",
        |place| place == Place::Domain,
        |choices| {
            let mut p = Pieces::new(choices);
            let m = p.partial_term(&["z"]);
            p.partial = false;
            let declared = p.arrow("F");
            law(&declared, &format!("let _ ⇐ ⌊{m}⌋ in F(x)"), "F(x)")
        },
    );
}

#[test]
fn operations_are_neither_copied_nor_discarded() {
    let operation = |place| matches!(place, Place::Operation(_));
    fails("copying an operation", operation, |choices| {
        let declared = format!(
            "command F(x : Real(2)) : Real(2) = {}\n",
            Pieces::new(choices).effect(&["x"])
        );
        law(
            &declared,
            "let u ⇐ F(x) in ⌊⟨u, u⟩⌋",
            "let u ⇐ F(x) in let v ⇐ F(x) in ⌊⟨u, v⟩⌋",
        )
    });
    // An operation that is performed again on the same wire is performed twice.
    fails("sharing an operation", operation, |choices| {
        let declared = Pieces::new(choices).map("f");
        law(
            &declared,
            "let u ⇐ O(x) in let v ⇐ O(x) in ⌊f(u + v)⌋",
            "let u ⇐ O(x) in ⌊f(u + u)⌋",
        )
    });
    fails("discarding an operation", operation, |choices| {
        let mut p = Pieces::new(choices);
        let (m, declared) = (p.term(&["z"]), p.map("f"));
        law(&declared, &format!("let _ ⇐ O({m}) in ⌊f(x)⌋"), "⌊f(x)⌋")
    });
}

#[test]
fn operations_do_not_change_places() {
    fails(
        "interchange",
        |place| matches!(place, Place::Operation(_)),
        |choices| {
            let mut p = Pieces::new(choices);
            let (m, n) = (p.term(&["x"]), p.term(&["z"]));
            law(
                "",
                &format!("let u ⇐ O({m}) in let v ⇐ A({n}) in ⌊⟨u, v⟩⌋"),
                &format!("let v ⇐ A({n}) in let u ⇐ O({m}) in ⌊⟨u, v⟩⌋"),
            )
        },
    );
}
