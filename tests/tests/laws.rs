//! The axioms of strong promonads (Fig. axioms-congruence-relation, with the products of PSmooth) and of the algebras over them
//! (Defs. algebra, reverse-algebra, alpha-from-q-opr-Y, q-opr-Y-from-reverse-handler), and RD.1 to RD.5 (Def. RDRC), as
//! equality of arrows that are made of random pure maps, operations and clauses; RD.6 and RD.7 as equality of values.
//!
//! Beside each law stand the equations that `equality` decides it by: (P) a strong promonad, (C) copying, discarding and
//! tuples, (S) + is a commutative monoid, (R) RD is additive in the cotangent, (K) what closed maps come to, (D) a partial map
//! is there for its domain, and the domain of RD f is that of f. A law that forgets a partial map is none.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

use fletch_arrows::{Arrow, Difference, Place, difference, evaluate};
use fletch_calculus::{Tensor, Value};
use fletch_playground::Partiality;
use fletch_playground::denotation::denotation;
use fletch_playground::report;
use fletch_smooth::Applied;
use fletch_tests::pieces::{Pieces, law};
use fletch_tests::random::{Case, for_all, programs};

/// What was found out about a law on one program.
struct Found {
    operations: usize,
    partial: usize,
}

fn sides(source: &str) -> Result<[Arrow; 2], String> {
    let checked = report::check(source);
    let mut errors = checked.diagnostics.iter();
    if let Some(error) = errors.find(|found| found.is_error()) {
        let text = error.span.text(source);
        return Err(format!(
            "rejected {}: {} at `{text}`",
            error.code, error.message
        ));
    }
    let arrow = |name| match denotation(&checked, name) {
        Ok(denotation) => Ok(denotation.arrow),
        Err(error) => Err(format!("no arrow: {error}")),
    };
    Ok([arrow("Left")?, arrow("Right")?])
}

/// The first difference of both sides.
fn compared(source: &str) -> Result<(Option<Difference>, Found), String> {
    let [left, right] = sides(source)?;
    let (_, operations) = left.counts();
    let statements = left.map.statements().iter();
    let partial = statements
        .filter(|statement| statement.applied.operation().is_none() && statement.applied.is_kept());
    let found = Found {
        operations,
        partial: partial.count(),
    };
    Ok((difference(&left, &right, Partiality::Paper), found))
}

/// Both sides are equal, on so many random programs; some of them perform operations if `effects`, and some are partial.
fn holds(name: &str, effects: bool, make: fn(&[u32]) -> String) {
    let found = for_all(programs() / 8, make, 400, 0, |source| {
        match compared(source)? {
            (None, found) => Ok(Case::Holds(found)),
            (Some(difference), _) => Err(format!("different: {difference}")),
        }
    });
    let performing = found.iter().filter(|found| found.operations > 0).count();
    let partial = found.iter().filter(|found| found.partial > 0).count();
    eprintln!(
        "{name}: {} programs, {performing} with operations, {partial} partial",
        found.len()
    );
    assert!(!effects || 4 * performing >= found.len(), "{performing}");
    assert!(partial > 10, "{partial}");
}

/// Both sides differ, on so many random programs, there.
fn fails(name: &str, there: fn(Place) -> bool, make: fn(&[u32]) -> String) {
    let found = for_all(programs() / 8, make, 400, 0, |source| {
        match compared(source)?.0 {
            Some(Difference { place, .. }) if there(place) => Ok(Case::Holds(())),
            Some(difference) => Err(format!("elsewhere: {difference}")),
            None => Err("equal: but are not".to_owned()),
        }
    });
    eprintln!("not {name}: {} programs", found.len());
}

/// A law of two commands; `a`, `b`, … are made first.
macro_rules! law {
    ($(#[$about:meta])* $name:ident, $effects:literal, $make:expr) => {
        $(#[$about])*
        #[test]
        fn $name() {
            holds(stringify!($name), $effects, |choices| ($make)(Pieces::new(choices)));
        }
    };
}

mod promonads {
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
        /// η(f) ; copy = copy ; η(f × f): what is pure is copied, partial or not (C)
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
        // η(f) ; discard = discard (C). No map here is partial, so `holds` would ask for too much.
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
        // (D)
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
        // Performed again on the very same wire, it is still performed twice.
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
}

mod sums {
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
        /// a ; (f + g) = (a ; f) + (a ; g), for pure a; and at products, component by component (S, C)
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
}

mod derivatives {
    use super::*;

    law!(
        /// RD.1: RD[f + g] = RD[f] + RD[g] (S)
        rd_1_sums,
        false,
        |mut p: Pieces| {
            let declared = [p.map("f"), p.map("g")].concat();
            law(
                &declared,
                "⌊z.rd(u. f(u) + g(u))(x)⌋",
                "⌊z.rd(u. f(u))(x) + z.rd(u. g(u))(x)⌋",
            )
        }
    );

    law!(
        /// RD.1: RD[0] = 0, also where 0 is written with a partial map that stays (S, D)
        rd_1_zero,
        false,
        |mut p: Pieces| {
            law(
                &p.map("f"),
                "let _ ⇐ ⌊f(x)⌋ in ⌊z.rd(u. zero[2])(x)⌋",
                "let _ ⇐ ⌊f(x)⌋ in ⌊zero[2]⌋",
            )
        }
    );

    law!(
        /// RD.2: RD[f](x, v + w) = RD[f](x, v) + RD[f](x, w) (R, S)
        rd_2_additive,
        false,
        |mut p: Pieces| {
            let declared = [p.map("f"), p.map("g")].concat();
            law(
                &declared,
                "⌊(z + g(x)).rd(u. f(u))(x)⌋",
                "⌊z.rd(u. f(u))(x) + g(x).rd(u. f(u))(x)⌋",
            )
        }
    );

    law!(
        /// RD.2: RD[f](x, 0) = 0 where f is defined (R, D)
        rd_2_zero,
        false,
        |mut p: Pieces| {
            law(
                &p.map("f"),
                "⌊zero[2].rd(u. f(u))(x)⌋",
                "let _ ⇐ ⌊f(x)⌋ in ⌊zero[2]⌋",
            )
        }
    );

    law!(
        /// RD.3: RD[id] = π₁, RD[π_i] = π₁ ; ι_i (C, S)
        rd_3_projections,
        false,
        |mut p: Pieces| {
            law(
                &p.map("f"),
                "⌊⟨f(z).rd(u. u)(x), f(z).rd(u. u.2)(⟨x, z⟩), f(z).rd(u. u.1)(⟨x, z⟩)⟩⌋",
                "⌊⟨f(z), ⟨zero[2], f(z)⟩, ⟨f(z), zero[2]⟩⟩⌋",
            )
        }
    );

    law!(
        /// RD.4: RD[⟨f, g⟩](x, ⟨v, w⟩) = RD[f](x, v) + RD[g](x, w) (C, S)
        rd_4_pairs,
        false,
        |mut p: Pieces| {
            let declared = [p.map("f"), p.map("g")].concat();
            law(
                &declared,
                "⌊⟨z, x⟩.rd(u. ⟨f(u), g(u)⟩)(x)⌋",
                "⌊x.rd(u. g(u))(x) + z.rd(u. f(u))(x)⌋",
            )
        }
    );

    law!(
        /// RD.5: RD[f ; g](x, w) = RD[f](x, RD[g](f(x), w)) (C, S, R, D)
        rd_5_chains,
        false,
        |mut p: Pieces| {
            let declared = [p.map("f"), p.map("g")].concat();
            law(
                &declared,
                "⌊z.rd(u. g(f(u)))(x)⌋",
                "⌊let y ← f(x) in (z.rd(v. g(v))(y)).rd(u. f(u))(x)⌋",
            )
        }
    );

    law!(
        /// The partial derivative: RD[f] ; π₁ is that of f with the other variable held (C, S)
        rd_of_one_of_two_variables,
        false,
        |mut p: Pieces| {
            let m = p.term(&["x", "z"]);
            let declared = format!("fun f(x : Real(2), z : Real(2)) : Real(2) = {m}\n");
            law(
                &declared,
                "⌊z.rd(u. f(u.1, u.2))(⟨x, z⟩)⌋",
                "⌊⟨z.rd(u. f(u, z))(x), z.rd(u. f(x, u))(z)⟩⌋",
            )
        }
    );

    /// What `Left` gives at these vectors for x and z, or nothing where it is undefined.
    fn at(source: &str, x: [f64; 2], z: [f64; 2]) -> Result<Option<Vec<f64>>, String> {
        let [arrow, _] = sides(source)?;
        let argument = [x, z].map(|entries| Tensor::vector(entries.to_vec()));
        match evaluate(&arrow, &argument, &mut [], Partiality::Paper) {
            Ok(Value::Real(tensor)) => Ok(Some(tensor.data().to_vec())),
            Ok(value) => Err(format!("type: {}", value.ty())),
            Err(_) => Ok(None),
        }
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    const POINT: [f64; 2] = [0.7, 1.2];
    const DIRECTIONS: [[f64; 2]; 2] = [[0.3, -0.8], [1.4, 0.5]];

    /// A matrix as a bilinear form, where it has a value.
    type Bilinear<'a> = &'a dyn Fn([f64; 2], [f64; 2]) -> Option<Vec<f64>>;

    /// RD.6 and RD.7 take derivatives of derivatives, and are not decided as equality of arrows: values at points. The
    /// bilinear form of the matrix that `source` stands for, at both directions, is what these laws are about.
    fn numbers(
        name: &str,
        make: fn(&[u32]) -> String,
        law: fn(Bilinear<'_>) -> Option<(f64, f64)>,
    ) {
        let held = for_all(programs() / 8, make, 200, 30, |source| {
            sides(source)?;
            let run = |x, z| at(source, x, z).ok().flatten();
            match law(&run) {
                None => Ok(Case::Skipped("undefined")),
                Some((a, _)) if !a.is_finite() || a.abs() > 1e8 => Ok(Case::Skipped("large")),
                Some((a, b)) if (a - b).abs() <= 1e-8 * (1.0 + a.abs()) => {
                    Ok(Case::Holds(a != 0.0))
                }
                Some((a, b)) => Err(format!("different: {a} against {b}")),
            }
        });
        let nonzero = held.iter().filter(|nonzero| **nonzero).count();
        eprintln!("{name}: {} programs, {nonzero} not 0", held.len());
        assert!(4 * nonzero > held.len(), "{nonzero}");
    }

    fn composite(choices: &[u32], command: &str) -> String {
        law(&Pieces::new(choices).map("f"), command, "⌊zero[2]⌋")
    }

    #[test]
    fn rd_6_the_derivative_is_linear_in_the_cotangent() {
        // RD of w ↦ RD[f](p, w) is the same at every w, here at 0 and at [2, −1]; p is fixed, the direction is z.
        numbers(
            "rd_6",
            |choices| composite(choices, "⌊z.rd(w. w.rd(u. f(u))([0.7, 1.2]))(x)⌋"),
            |run| {
                let [v, u] = DIRECTIONS;
                let (here, there) = (run([0.0, 0.0], v)?, run([2.0, -1.0], v)?);
                Some((dot(&here, &u), dot(&there, &u)))
            },
        );
    }

    #[test]
    fn rd_7_mixed_derivatives_commute() {
        // The Hessian of ⟨[1, −2], f⟩ is symmetric.
        numbers(
            "rd_7",
            |choices| composite(choices, "⌊z.rd(p. [1, −2].rd(u. f(u))(p))(x)⌋"),
            |run| {
                let ([v, u], p) = (DIRECTIONS, POINT);
                let (of_v, of_u) = (run(p, v)?, run(p, u)?);
                Some((dot(&of_v, &u), dot(&of_u, &v)))
            },
        );
    }

    #[test]
    fn derivatives_keep_the_domain() {
        // RD[f] is defined where f is: RD[f](x, 0) is not 0 where f is partial. (D)
        fails(
            "RD[f](x, 0) = 0 for a partial f",
            |place| place == Place::Domain,
            |choices| {
                let m = Pieces::new(choices).partial_term(&["u"]);
                law("", &format!("⌊zero[2].rd(u. {m})(x)⌋"), "⌊zero[2]⌋")
            },
        );
    }
}

mod algebras {
    use super::*;

    /// rev handle(V)⟨x̄⟩. R with H, where H has the clauses and this return clause.
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

    /// K : Real(2) × Real(2) ⇝ Real(2) × Real(2)
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
        /// α respects st(a) ; η(π₁) = η(π₁) ; a: nothing comes back for what is forgotten (RD.3; P, C, S)
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
        /// What is copied gets the sum of what comes back to the copies (RD.4; P, C, S)
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
        // It may `Put`: q^bwd is an arrow, and only pure maps give 0 at 0.
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
}
