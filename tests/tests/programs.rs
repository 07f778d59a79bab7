//! Programs of many kinds, compared with values that are computed here by other means: closed forms, finite
//! differences of a forward pass, or another program that must mean the same.

use fletch_tests::{difference, run_json};
use serde_json::{Value as Json, json};

/// Declares gradient descent for fully connected layers, with the loss ½|x − t|² at rate 1.
const LAYERS: &str = "
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler SGD(t : Real(2)) : Real(2) {
  x ↦ ⌊x − t⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
loc w ∷ (2, 2) = [[0.5, −1], [0.25, 2]]
loc v ∷ (2, 2) = [[1, 0.5], [−0.75, 0.3]]
";

const W: [f64; 4] = [0.5, -1.0, 0.25, 2.0];
const V: [f64; 4] = [1.0, 0.5, -0.75, 0.3];

fn program(rest: &str) -> Json {
    run_json(&format!("{LAYERS}\n{rest}"))
}

fn apply(w: &[f64], x: &[f64]) -> Vec<f64> {
    w.chunks(x.len())
        .map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum())
        .collect()
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap())
        .collect()
}

/// Computes yᵀ·J, where J is the Jacobian of f at x, by central differences.
fn pullback(f: impl Fn(&[f64]) -> Vec<f64>, x: &[f64], y: &[f64]) -> Vec<f64> {
    let h = 1e-6;
    let at = |i: usize, step: f64| {
        let mut x = x.to_vec();
        x[i] += step;
        f(&x)
    };
    (0..x.len())
        .map(|i| {
            at(i, h)
                .iter()
                .zip(at(i, -h))
                .zip(y)
                .map(|((up, down), y)| y * (up - down) / (2.0 * h))
                .sum()
        })
        .collect()
}

fn assert_close(expected: &[f64], found: &[f64], tolerance: f64) {
    assert_eq!(expected.len(), found.len());
    for (expected, found) in expected.iter().zip(found) {
        assert!(
            (expected - found).abs() < tolerance,
            "{found}, not {expected}"
        );
    }
}

#[allow(clippy::disallowed_methods)] // A reference may use the platform's own function.
fn swish(x: f64) -> f64 {
    x / (1.0 + (-x).exp())
}

#[test]
fn two_inputs_each_get_their_cotangent() {
    let result = program(
        "main = rev handle(⟨[1, 2], [3, −1]⟩)⟨a, b⟩. let u ⇐ FC[w](a) in ⌊swish(u) + b⌋ with SGD([0.1, 0.2])",
    );
    let f = |x: &[f64]| -> Vec<f64> {
        apply(&W, &x[..2])
            .iter()
            .zip(&x[2..])
            .map(|(u, b)| swish(*u) + b)
            .collect()
    };
    let x = [1.0, 2.0, 3.0, -1.0];
    let y: Vec<f64> = f(&x)
        .iter()
        .zip([0.1, 0.2])
        .map(|(out, t)| out - t)
        .collect();
    let expected = pullback(f, &x, &y);
    assert_close(
        &expected[..2],
        &numbers(&result["value"]["tuple"][0]["real"]),
        1e-7,
    );
    assert_close(
        &expected[2..],
        &numbers(&result["value"]["tuple"][1]["real"]),
        1e-7,
    );
}

#[test]
fn a_location_used_twice_keeps_the_last_put_only() {
    let result =
        program("main = rev handle([1, 2])⟨x⟩. let h ⇐ FC[w](x) in FC[w](h) with SGD([0, 0])");
    let x = [1.0, 2.0];
    let y = apply(&W, &apply(&W, &x));
    let through = [W[0] * y[0] + W[2] * y[1], W[1] * y[0] + W[3] * y[1]];
    // The first call runs backward last, and writes from the w that it saved: the gradient of the second call is lost.
    let expected: Vec<f64> = (0..4)
        .map(|at| W[at] - through[at / 2] * x[at % 2])
        .collect();
    assert_close(&expected, &numbers(&result["heap"]["w"]["data"]), 1e-12);
}

#[test]
fn handled_gets_are_gradient_descent_even_for_shared_locations() {
    let result = program(
        "handler Shared(t : Real(2)) : Real(2) {
           x ↦ ⌊x − t⌋
           Get[ℓ] ( u ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
                  | g, z ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )
         }
         main = rev handle([1, 2])⟨x⟩.
           let a ⇐ Get[w]() in let h ⇐ ⌊a ∗ x⌋ in let b ⇐ Get[w]() in ⌊b ∗ h⌋ with Shared([0, 0])",
    );
    let x = [1.0, 2.0];
    let y = apply(&W, &apply(&W, &x));
    let gradient = pullback(|w| apply(w, &apply(w, &x)), &W, &y);
    let expected: Vec<f64> = W.iter().zip(gradient).map(|(w, g)| w - g).collect();
    assert_close(&expected, &numbers(&result["heap"]["w"]["data"]), 1e-7);
}

/// Runs a program in which the inner handler runs `w` forward and `v` backward on a pair, and the outer
/// handler trains both.
fn nested(inner: &str) -> Json {
    program(&format!(
        "op Pair : Real(2) × Real(2) ▷ Real(2)
         handler Inner : Real(2) {{
           x ↦ ⌊swish(x)⌋
           Pair ( ⟨a, b⟩ ↦ let u ⇐ FC[w](a) in ⌊⟨u ⊙ b, ⟨a, b⟩⟩⌋
                | y, ⟨a, b⟩ ↦ let u ⇐ FC[v](y) in ⌊⟨u + a, u ⊙ b⟩⌋ )
         }}
         handler Outer : Real(2) × Real(2) extends SGD([0, 0]) {{ ⟨a, b⟩ ↦ ⌊⟨a, b⟩⌋ }}
         main = rev handle(⟨[1, 2], [0.5, −0.3]⟩)⟨a, b⟩. {inner} with Outer"
    ))
}

#[test]
fn an_inner_handler_over_a_product_is_differentiated() {
    let f = |x: &[f64]| -> Vec<f64> {
        let (a, b) = x.split_at(2);
        let y: Vec<f64> = apply(&W, a)
            .iter()
            .zip(b)
            .map(|(u, b)| swish(u * b))
            .collect();
        let u = apply(&V, &y);
        vec![u[0] + a[0], u[1] + a[1], u[0] * b[0], u[1] * b[1]]
    };
    let x = [1.0, 2.0, 0.5, -0.3];
    let expected = pullback(f, &x, &f(&x));
    let one = nested("(rev handle(⟨a, b⟩)⟨p⟩. Pair(p) with Inner)");
    let two = nested("(rev handle(⟨a, b⟩)⟨a, b⟩. Pair(a, b) with Inner)");
    let named = nested("(let q ⇐ ⌊⟨a, b⟩⌋ in rev handle(q)⟨a, b⟩. Pair(a, b) with Inner)");
    let pattern = nested("(rev handle(⟨a, b⟩)⟨⟨a, b⟩⟩. Pair(a, b) with Inner)");
    for result in [&one, &two, &named, &pattern] {
        assert_close(
            &expected[..2],
            &numbers(&result["value"]["tuple"][0]["real"]),
            1e-6,
        );
        assert_close(
            &expected[2..],
            &numbers(&result["value"]["tuple"][1]["real"]),
            1e-6,
        );
        assert_eq!(difference(&one["heap"], &result["heap"], "heap"), None);
    }
}

#[test]
fn a_swish_between_operations_is_differentiated_twice_by_nested_handlers() {
    // The outer handler differentiates the inner handler's own derivative rd[swish] too.
    let result = program(
        "op Id : Real(2) ▷ Real(2)
         handler Inner : Real(2) { x ↦ ⌊x⌋  Id ( x ↦ ⌊⟨x, ()⟩⌋ | y, _ ↦ ⌊y⌋ ) }
         main = rev handle([0.7, −0.4])⟨x⟩.
           (rev handle(x)⟨x⟩. let a ⇐ Id(x) in let b ⇐ ⌊swish(a)⌋ in Id(b) with Inner) with SGD([0, 0])",
    );
    let slope = |x: f64| {
        let h = 1e-5;
        (swish(x + h) - swish(x - h)) / (2.0 * h)
    };
    // The inner handler computes x ↦ swish(x)·swish′(x).
    let f = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| swish(*x) * slope(*x)).collect() };
    let x = [0.7, -0.4];
    let h = 1e-3;
    let at = |i: usize, step: f64| {
        let mut x = x.to_vec();
        x[i] += step;
        f(&x)[i]
    };
    let y = f(&x);
    let expected: Vec<f64> = (0..2)
        .map(|i| y[i] * (at(i, h) - at(i, -h)) / (2.0 * h))
        .collect();
    assert_close(&expected, &numbers(&result["value"]["real"]), 1e-5);
}

const INFER: &str = "
command Net(x : Real(2)) : Real(2) = let h ⇐ FC[w](x) in let a ⇐ ⌊swish(h)⌋ in FC[v](a)
handler Infer : Real(2) ⇒ Real(2) {
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)
}
";

#[test]
fn an_ordinary_handler_infers() {
    let result = program(&format!("{INFER} main = handle Net([1, 2]) with Infer"));
    let hidden: Vec<f64> = apply(&W, &[1.0, 2.0]).into_iter().map(swish).collect();
    assert_close(
        &apply(&V, &hidden),
        &numbers(&result["value"]["real"]),
        1e-12,
    );
    assert_eq!(
        difference(&json!(W), &result["heap"]["w"]["data"], "w"),
        None
    );
}

#[test]
fn an_ordinary_handler_resumes_twice_and_outer_variables_are_seen() {
    let result = program(
        "op Flip : Real(1) ▷ Real(1)
         handler Both : Real(1) ⇒ Real(1) {
           x ↦ ⌊x⌋
           Flip, k; x ↦ let a ⇐ k • x in let b ⇐ k • (−x) in ⌊a − b⌋
         }
         main = let c ⇐ ⌊10⌋ in handle (let a ⇐ Flip(3) in let b ⇐ Flip(4) in ⌊c · (a + (2 · b))⌋) with Both",
    );
    // The result is (f(3, 4) − f(3, −4)) − (f(−3, 4) − f(−3, −4)) for f(a, b) = 10 · (a + 2 · b), which is 0.
    assert_eq!(
        difference(&json!([0.0]), &result["value"]["real"], "value"),
        None
    );
}

#[test]
fn an_ordinary_handler_inside_a_reverse_one_is_eliminated_first() {
    let direct = program(
        "main = rev handle([1, 2])⟨x⟩.
           let h ⇐ FC[w](x) in let g ⇐ ⌊swish(h)⌋ in let u ⇐ FC[v](g) in ⌊swish(u) + x⌋ with SGD([0.1, 0.2])",
    );
    let handled = program(
        "op Dense[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
         handler Layer : Real(2) ⇒ Real(2) {
           x ↦ ⌊x⌋
           Dense[ℓ ∷ (n, m)], k; x ↦ let y ⇐ FC[ℓ](x) in k • swish(y)
         }
         main = rev handle([1, 2])⟨x⟩.
           handle (let h ⇐ Dense[w](x) in let g ⇐ Dense[v](h) in ⌊g + x⌋) with Layer with SGD([0.1, 0.2])",
    );
    assert_eq!(
        difference(&direct["value"], &handled["value"], "value"),
        None
    );
    assert_eq!(difference(&direct["heap"], &handled["heap"], "heap"), None);
}

#[test]
fn iteration_is_the_unrolled_program() {
    let families = "loc a[i] ∷ (2, 2) = he(seed: 1 + i)
        command Block[i](x : Real(2)) : Real(2) = let u ⇐ FC[a[i]](x) in ⌊x + swish(u)⌋";
    let iterated = program(&format!(
        "{families} main = rev handle([1, 2])⟨x⟩. iterate[i : 3](x)⟨h⟩. Block[i](h) with SGD([0, 0])"
    ));
    let unrolled = program(&format!(
        "{families} main = rev handle([1, 2])⟨x⟩.
           let h ⇐ Block[0](x) in let h ⇐ Block[1](h) in Block[2](h) with SGD([0, 0])"
    ));
    assert_eq!(
        difference(&unrolled["value"], &iterated["value"], "value"),
        None
    );
    assert_eq!(
        difference(&unrolled["heap"], &iterated["heap"], "heap"),
        None
    );
    assert!(iterated["heap"]["a[2]"].is_object());
}

#[test]
fn momentum_is_a_handler_and_velocities_are_a_family() {
    let result = program(
        "loc velocity[ℓ ∷ (n, m)] ∷ (n, m)
         handler Momentum(μ : Real(1), t : Real(2)) : Real(2) extends SGD(t) {
           FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                          | y, ⟨w, x⟩ ↦ let v ⇐ Get[velocity[ℓ]]() in
                                        let v' ⇐ ⌊μ · v + y ∗ xᵀ⌋ in
                                        let _ ⇐ Put[velocity[ℓ]](v') in
                                        let _ ⇐ Put[ℓ](w − v') in
                                        ⌊wᵀ ∗ y⌋ )
         }
         command Step() = rev handle([1, 2])⟨x⟩. FC[w](x) with Momentum(0.5, [0, 0])
         main = let _ ⇐ Step() in Step()",
    );
    let x = [1.0, 2.0];
    let (mut w, mut velocity) = (W, [0.0; 4]);
    for _ in 0..2 {
        let y = apply(&w, &x);
        for at in 0..4 {
            velocity[at] = 0.5 * velocity[at] + y[at / 2] * x[at % 2];
            w[at] -= velocity[at];
        }
    }
    assert_close(&w, &numbers(&result["heap"]["w"]["data"]), 1e-9);
    assert_close(
        &velocity,
        &numbers(&result["heap"]["velocity[w]"]["data"]),
        1e-9,
    );
}

#[test]
fn one_clause_freezes_one_layer() {
    let result = program(
        "handler Frozen(t : Real(2)) : Real(2) extends SGD(t) {
           FC[w] ( x ↦ let w ⇐ Get[w]() in ⌊⟨w ∗ x, w⟩⌋ | y, w ↦ ⌊wᵀ ∗ y⌋ )
         }
         main = rev handle([1, 2])⟨x⟩. let h ⇐ FC[w](x) in FC[v](h) with Frozen([0, 0])",
    );
    assert_eq!(
        difference(&json!(W), &result["heap"]["w"]["data"], "w"),
        None
    );
    assert!(difference(&json!(V), &result["heap"]["v"]["data"], "v").is_some());
}

#[test]
fn reverse_derivatives_of_terms() {
    let value = |term: &str| numbers(&run_json(&format!("main = ⌊{term}⌋"))["value"]["real"]);
    assert_close(&[6.0], &value("1.rd(x. x ⊙ x)(3)"), 1e-12);
    // The derivative of y²x by y at y = x is 2x², whose derivative at 2 is 8.
    assert_close(&[8.0], &value("1.rd(x. 1.rd(y. y ⊙ y ⊙ x)(x))(2)"), 1e-12);
    assert_close(&[5.0], &value("1.rd(x. let y ← x ⊙ x in y + x)(2)"), 1e-12);
    assert_close(&[3.0], &value("(⟨1, 0⟩.rd(x. ⟨3 · x, x⟩)(2))"), 1e-12);
    assert_close(&[4.0], &value("(1.rd(p. p.1 ⊙ p.2)(⟨3, 4⟩)).1"), 1e-12);
    let f = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| swish(*x) * x).collect() };
    let found = value("[1, 2].rd(x. swish(x) ⊙ x)([0.3, −0.2])");
    assert_close(&pullback(f, &[0.3, -0.2], &[1.0, 2.0]), &found, 1e-8);
}

#[test]
fn definitions_are_expanded_with_their_parameters_bound_once() {
    let result = run_json(
        "fun twice(x : Real(2)) : Real(2) = let y ← x in y + y
         fun scaled[n](a : Real(1), x : Real(n)) = a · x
         command Pair(x : Real(2)) = ⌊⟨x, twice(x)⟩⌋
         main = let ⟨a, b⟩ ⇐ Pair([1, 2]) in ⌊scaled(3, a + b)⌋",
    );
    assert_eq!(
        difference(&json!([9.0, 18.0]), &result["value"]["real"], "value"),
        None
    );
}

#[test]
fn names_never_capture() {
    // Every name is x; only the unique numbers of variables distinguish them.
    let result = run_json(
        "op O : Real(1) ▷ Real(1)
         command P(x : Real(1)) = let x ⇐ O(x) in let x ⇐ O(x) in ⌊let x ← x + x in x ⊙ x⌋
         handler H : Real(1) { x ↦ ⌊x⌋  O ( x ↦ ⌊⟨x + x, x⟩⌋ | x, x′ ↦ ⌊x + x⌋ ) }
         main = rev handle(1)⟨x⟩. P(x) with H",
    );
    // The output is (2·4x)² = 64x². The cotangent of the output is the output itself, 64, so the input gets 64·128.
    assert_eq!(
        difference(&json!([8192.0]), &result["value"]["real"], "value"),
        None
    );
}
