//! The axioms of a reverse differential category (Def. RDRC), RD.1 to RD.5, on random straight-line maps (RD.6 and RD.7 are in
//! `derivatives.rs`, for every symbol).

use std::sync::Arc;

use fletch_smooth::{Builder, Map, Partiality, Primitive, Shape, Wire, family};
use proptest::prelude::*;

/// All wires of the random maps are vectors of 2 entries, so that any maps compose.
const N: usize = 2;

fn primitive(name: &str) -> Primitive {
    let family = family(name).unwrap();
    let f = family
        .instantiate(&[], &vec![Shape::vector(N); family.arity])
        .unwrap();
    f.as_primitive().unwrap().clone()
}

const UNARY: [&str; 6] = ["sin", "tanh", "swish", "softmax", "square", "neg"];
const BINARY: [&str; 2] = ["hadamard", "minus"];

/// A map Real(2)^inputs → Real(2)^outputs: each step applies a symbol to existing wires.
fn maps(inputs: usize, outputs: usize) -> impl Strategy<Value = Map> {
    let step = (
        0..UNARY.len() + BINARY.len() + 1,
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    );
    (
        prop::collection::vec(step, 1..6),
        prop::collection::vec(any::<prop::sample::Index>(), outputs),
    )
        .prop_map(move |(steps, ends)| {
            let mut b = Builder::new(vec![N; inputs]);
            let mut wires = b.inputs();
            for (what, u, v) in steps {
                let (u, v) = (*u.get(&wires), *v.get(&wires));
                wires.push(match what.checked_sub(UNARY.len()) {
                    None => b.push(primitive(UNARY[what]), &[u]),
                    Some(binary) if binary < BINARY.len() => {
                        b.push(primitive(BINARY[binary]), &[u, v])
                    }
                    Some(_) => b.add(u, v),
                });
            }
            b.finish(ends.iter().map(|end| *end.get(&wires)).collect())
        })
}

fn points(wires: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.5..1.5f64, wires * N)
}

fn run(map: &Map, x: &[f64]) -> Vec<f64> {
    let inputs: Vec<Arc<[f64]>> = x.chunks(N).map(Arc::from).collect();
    map.eval(&inputs, Partiality::Paper)
        .unwrap()
        .iter()
        .flat_map(|data| data.to_vec())
        .collect()
}

fn compose(f: &Map, g: &Map) -> Map {
    let mut b = Builder::new(f.inputs().to_vec());
    let middle = b.inline(f, &b.inputs());
    let outputs = b.inline(g, &middle);
    b.finish(outputs)
}

fn close(a: &[f64], b: &[f64]) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        prop_assert!(
            (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())),
            "{} against {}",
            a,
            b
        );
    }
    Ok(())
}

fn plus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// RD.1: R[f + g] = R[f] + R[g] and R[0] = 0.
    #[test]
    fn rd_1_sums(f in maps(2, 1), g in maps(2, 1), x in points(2), y in points(1)) {
        let mut b = Builder::new(vec![N; 2]);
        let inputs = b.inputs();
        let (u, v) = (b.inline(&f, &inputs), b.inline(&g, &inputs));
        let sum = b.add(u[0], v[0]);
        let sum = b.finish(vec![sum]);
        let at = [x, y].concat();
        close(&run(&sum.reverse(), &at), &plus(&run(&f.reverse(), &at), &run(&g.reverse(), &at)))?;
        let mut b = Builder::new(vec![N; 2]);
        let zero = b.zero(N);
        let zero = b.finish(vec![zero]);
        prop_assert_eq!(run(&zero.reverse(), &at), vec![0.0; 2 * N]);
    }

    /// RD.2: R[f](x, y + z) = R[f](x, y) + R[f](x, z) and R[f](x, 0) = 0.
    #[test]
    fn rd_2_linear(f in maps(2, 2), x in points(2), y in points(2), z in points(2)) {
        let rd = f.reverse();
        let at = |y: &[f64]| run(&rd, &[x.as_slice(), y].concat());
        close(&at(&plus(&y, &z)), &plus(&at(&y), &at(&z)))?;
        prop_assert!(at(&[0.0; 2 * N]).iter().all(|x| *x == 0.0));
    }

    /// RD.3: R[id] = π₁, R[πᵢ] = π₁ ; ιᵢ.
    #[test]
    fn rd_3_projections(x in points(2), y in points(2)) {
        let at = [x.as_slice(), &y].concat();
        let identity = Builder::new(vec![N; 2]).finish(vec![Wire(0), Wire(1)]);
        prop_assert_eq!(&run(&identity.reverse(), &at), &y);
        let second = Builder::new(vec![N; 2]).finish(vec![Wire(1)]);
        prop_assert_eq!(run(&second.reverse(), &at[..3 * N]), [vec![0.0; N], y[..N].to_vec()].concat());
    }

    /// RD.4: R[⟨f, g⟩](x, ⟨y, z⟩) = R[f](x, y) + R[g](x, z).
    #[test]
    fn rd_4_pairs(f in maps(2, 1), g in maps(2, 2), x in points(2), y in points(1), z in points(2)) {
        let mut b = Builder::new(vec![N; 2]);
        let inputs = b.inputs();
        let outputs = [b.inline(&f, &inputs), b.inline(&g, &inputs)].concat();
        let pair = b.finish(outputs);
        let expected = plus(&run(&f.reverse(), &[x.as_slice(), &y].concat()), &run(&g.reverse(), &[x.as_slice(), &z].concat()));
        close(&run(&pair.reverse(), &[x, y, z].concat()), &expected)?;
    }

    /// RD.5: R[f ; g](x, z) = R[f](x, R[g](f(x), z)), and again for R[f ; g] itself.
    #[test]
    fn rd_5_chains(f in maps(2, 2), g in maps(2, 1), x in points(2), z in points(1), w in points(2)) {
        let both = compose(&f, &g);
        let inner = run(&g.reverse(), &[run(&f, &x), z.clone()].concat());
        let rd = both.reverse();
        close(&run(&rd, &[x.as_slice(), &z].concat()), &run(&f.reverse(), &[x.as_slice(), &inner].concat()))?;

        // The right side as one map (x, z) ↦ R[f](x, R[g](f(x), z)).
        let mut b = Builder::new(vec![N; 3]);
        let inputs = b.inputs();
        let mut at_g = b.inline(&f, &inputs[..2]);
        at_g.push(inputs[2]);
        let mut at_f = inputs[..2].to_vec();
        at_f.extend(b.inline(&g.reverse(), &at_g));
        let outputs = b.inline(&f.reverse(), &at_f);
        let chained = b.finish(outputs);
        let at = [x, z, w].concat();
        close(&run(&rd.reverse(), &at), &run(&chained.reverse(), &at))?;
    }
}
