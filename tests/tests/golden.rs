//! Programs compared with results that were computed independently of this project.

use fletch_smooth::Partiality;
use fletch_tests::{difference, golden, must_check, programs, run_json};
use serde_json::{Value as Json, json};

#[test]
fn golden_programs_give_their_reference() {
    let programs = programs(&golden());
    assert!(programs.len() >= 10, "the golden programs are missing");
    for (name, source) in programs {
        let reference = std::fs::read_to_string(golden().join(format!("{name}.json"))).unwrap();
        let reference: Json = serde_json::from_str(&reference).unwrap();
        let result = run_json(&source);
        for key in ["value", "heap"] {
            let wrong = difference(&reference[key], &result[key], &format!("{name}.{key}"));
            assert_eq!(wrong, None);
        }
        let main = must_check(&source);
        assert_eq!(
            json!(main.program.ty.to_string()),
            reference["type"],
            "{name}"
        );
        assert_eq!(json!(main.depth), reference["depth"], "{name}");
    }
}

/// Returns the same program in the ASCII spelling.
fn ascii(source: &str) -> String {
    let spellings = [
        ("⇐", "<="),
        ("←", "<-"),
        ("⌊", "pure("),
        ("⌋", ")"),
        ("⟨", "<"),
        ("⟩", ">"),
        ("↦", "|->"),
        ("▷", "|>"),
        ("×", "*"),
        ("∷", "::"),
        ("·", ".*"),
        ("∗", "*"),
        ("⊙", "**"),
        ("−", "-"),
        ("ᵀ", "^T"),
        ("⇒", "=>"),
        ("•", "@"),
        ("⌈", "ceil("),
        ("⌉", ")"),
    ];
    spellings
        .iter()
        .fold(commas_between_sizes(source), |source, (unicode, ascii)| {
            source.replace(unicode, ascii)
        })
}

/// Spells `Real(m × n)` as `Real(m, n)`; only between types is × spelled as a star.
fn commas_between_sizes(source: &str) -> String {
    let mut parts = source.split("Real(");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut depth = 1;
        let end = part.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let (sizes, rest) = part.split_at(end.unwrap());
        result += &format!("Real({}{rest}", sizes.replace('×', ","));
    }
    result
}

#[test]
fn the_ascii_spelling_means_the_same() {
    let examples = programs(&fletch_tests::examples());
    for (name, source) in programs(&golden()).into_iter().chain(examples) {
        assert_eq!(run_json(&source), run_json(&ascii(&source)), "{name}");
    }
}

/// Returns a chain of L layers with swish between them, in the ASCII spelling.
fn chain(layers: usize) -> String {
    let mut source = String::new();
    for layer in 0..layers {
        source += &format!("loc w{layer} :: (3, 3) = glorot(seed: {})\n", layer + 1);
    }
    source += "op FC[l :: (n, m)] : Real(n) |> Real(m)\ncommand R(x_in : Real(3)) : Real(3) =\n";
    let mut input = "x_in".to_owned();
    for layer in 0..layers {
        source += &format!("  let z{layer} <= FC[w{layer}]({input}) in\n");
        source += &format!("  let x{layer} <= pure(swish(z{layer})) in\n");
        input = format!("x{layer}");
    }
    source += &format!("  pure({input})\n");
    source += "handler H(t : Real(3)) : Real(3) {\n  x |-> pure(0.1 .* (x - t))\n";
    source += "  FC[l :: (n, m)] ( x |-> let w <= Get[l]() in pure(<w * x, <w, x>>)\n";
    source += "    | y, z |-> let <w, x> <= pure(z) in let _ <= Put[l](w - y * x^T) in pure(w^T * y) )\n}\n";
    source += "main = rev handle([0.7, 0.2, -0.5])<x_in>. R(x_in) with H([0.1, 0.2, -0.3])\n";
    source
}

#[test]
fn a_chain_takes_the_number_of_reductions_that_theory_predicts() {
    for layers in [1, 2, 3, 5, 12, 24] {
        let main = must_check(&chain(layers));
        let run = fletch_runs::run(&main.program, Partiality::Paper, 1_000_000);
        assert!(matches!(run.outcome, fletch_runs::Outcome::Value(_)));
        assert_eq!(
            run.steps.as_ref().unwrap().reductions,
            9 * layers * layers + 37 * layers + 4,
            "{layers} layers"
        );
    }
}

/// Returns swish and its derivative, by their formulas.
fn swish(x: f64) -> (f64, f64) {
    let s = 1.0 / (1.0 + libm_exp(-x));
    (x * s, s + x * s * (1.0 - s))
}

#[allow(clippy::disallowed_methods)] // A reference may use the platform's own function.
fn libm_exp(x: f64) -> f64 {
    x.exp()
}

#[test]
fn a_chain_of_twelve_layers_is_gradient_descent() {
    let layers = 12;
    let source = chain(layers);
    let main = must_check(&source);
    let weights: Vec<Vec<f64>> = main
        .program
        .initial
        .iter()
        .map(|tensor| tensor.data().to_vec())
        .collect();
    // Forward and backward pass, written by hand.
    let mut inputs = vec![vec![0.7, 0.2, -0.5]];
    let mut slopes = Vec::new();
    for w in &weights {
        let x = inputs.last().unwrap();
        let z: Vec<f64> = w
            .chunks(3)
            .map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum())
            .collect();
        slopes.push(z.iter().map(|z| swish(*z).1).collect::<Vec<f64>>());
        inputs.push(z.iter().map(|z| swish(*z).0).collect());
    }
    let target = [0.1, 0.2, -0.3];
    let mut cotangent: Vec<f64> = inputs[layers]
        .iter()
        .zip(target)
        .map(|(x, t)| 0.1 * (x - t))
        .collect();
    let mut expected = weights.clone();
    for layer in (0..layers).rev() {
        let local: Vec<f64> = cotangent
            .iter()
            .zip(&slopes[layer])
            .map(|(y, slope)| y * slope)
            .collect();
        for row in 0..3 {
            for column in 0..3 {
                expected[layer][row * 3 + column] -= local[row] * inputs[layer][column];
            }
        }
        cotangent = (0..3)
            .map(|column| {
                (0..3)
                    .map(|row| weights[layer][row * 3 + column] * local[row])
                    .sum()
            })
            .collect();
    }
    let result = run_json(&source);
    assert_eq!(
        difference(&json!({ "real": cotangent }), &result["value"], "value"),
        None
    );
    for (layer, expected) in expected.iter().enumerate() {
        let place = format!("w{layer}");
        assert_eq!(
            difference(&json!(expected), &result["heap"][&place]["data"], &place),
            None
        );
    }
}
