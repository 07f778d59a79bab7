//! RD.1 to RD.7 (Def. RDRC), and the domains of derivatives.

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
    /// RD.1: RD[0] = 0, also next to a partial map that is kept for its domain (S, D)
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
    /// The partial derivative: RD[f] ; π₁ is the derivative of f with the other variable held fixed (C, S)
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

/// Returns the value of `Left` at these vectors for x and z, or `None` where it is undefined.
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

/// A matrix as a bilinear form, or `None` where it is undefined.
type Bilinear<'a> = &'a dyn Fn([f64; 2], [f64; 2]) -> Option<Vec<f64>>;

/// Checks a law at numbers. RD.6 and RD.7 take derivatives of derivatives, and equality of arrows does not decide
/// them. `law` compares two values of the bilinear form that `source` computes, at the two directions.
fn numbers(name: &str, make: fn(&[u32]) -> String, law: fn(Bilinear<'_>) -> Option<(f64, f64)>) {
    let held = for_all(programs() / 8, make, 200, 30, |source| {
        sides(source)?;
        let run = |x, z| at(source, x, z).ok().flatten();
        match law(&run) {
            None => Ok(Case::Skipped("undefined")),
            Some((a, _)) if !a.is_finite() || a.abs() > 1e8 => Ok(Case::Skipped("large")),
            Some((a, b)) if (a - b).abs() <= 1e-8 * (1.0 + a.abs()) => Ok(Case::Holds(a != 0.0)),
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
    // The derivative of w ↦ RD[f](p, w) is the same at every w, here at 0 and at [2, −1]; p is fixed, the direction is z.
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
    // RD[f] is defined where f is, so RD[f](x, 0) differs from 0 where f is partial. (D)
    fails(
        "RD[f](x, 0) = 0 for a partial f",
        |place| place == Place::Domain,
        |choices| {
            let m = Pieces::new(choices).partial_term(&["u"]);
            law("", &format!("⌊zero[2].rd(u. {m})(x)⌋"), "⌊zero[2]⌋")
        },
    );
}
