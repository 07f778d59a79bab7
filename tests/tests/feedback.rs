//! Tests of programs with a feedback. Variants of the Elman network of `tests/golden` are compared with hand-written backpropagation
//! through time (`tests/feedback/variants.json`). Programs are checked in constant size and step at a constant cost for each moment; an
//! endless run stops within its budget.
#![allow(clippy::disallowed_methods)] // A reference may use the platform's own functions.

use fletch_elaborate::Files;
use fletch_runs::check::{Check, Settings, Verdict};
use fletch_runs::generated::Host;
use fletch_runs::training::{Course, train};
use fletch_runs::{Engine, Outcome, Precision};
use fletch_smooth::Partiality;
use fletch_tests::{golden, must_check};
use fletch_trace::Budget;
use serde_json::Value as Json;
use std::fmt::Write;

/// Pieces of the Elman network of `tests/golden`: its declarations, without its commands and handlers, and its data.
struct Elman {
    declared: String,
    /// First state and rows of inputs, as written in its `main`.
    inputs: [String; 2],
    /// Targets, as written in its `main`.
    targets: String,
}

fn elman() -> Elman {
    let source = std::fs::read_to_string(golden().join("feedback_elman.fletch")).unwrap();
    let declared = source.split("command Moment").next().unwrap().to_owned();
    let main = source.split("main = rev handle(").nth(1).unwrap();
    let (inputs, rest) = main.split_once(")⟨").unwrap();
    let (state, rows) = inputs.split_once("], [[").unwrap();
    let targets = rest.split_once("with H(").unwrap().1;
    Elman {
        declared,
        inputs: [format!("{state}]"), format!("[[{rows}")],
        targets: targets.trim_end().trim_end_matches(')').to_owned(),
    }
}

const OF_GET: &str = "Get[ℓ] ( _ ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
    | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ )";

/// Returns a whole program from its operations, the network over h_in and x_in, and the clauses of its handler.
fn program(operations: &str, network: &str, clauses: &str) -> String {
    let Elman {
        declared,
        inputs: [state, rows],
        targets,
    } = elman();
    format!(
        "{declared}{operations}
command R(h_in : Real(n_hid), x_in : Real(time × n)) : Real(n_hid) × Real(time × n_out) =
  {network}
handler H(t : Real(time × n_out)) : Real(n_hid) × Real(time × n_out) {{
  x ↦ ⌊⟨zero[n_hid], x.2 − t⟩⌋
  {OF_GET}
  {clauses}
}}
main = rev handle({state}, {rows})⟨h_in, x_in⟩. R(h_in, x_in) with H({targets})\n"
    )
}

/// Returns the program of each variant, by its name in `variants.json`.
fn variants() -> Vec<(&'static str, String)> {
    let layer = "op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)";
    let layered = "feedback[time](h_in, x_in)⟨h, x⟩. let a ⇐ FC[w](h) in let c ⇐ FC[u](x) in let b ⇐ Get[b]() in
    let h' ⇐ ⌊tanh(a + c + b)⌋ in let y ⇐ FC[v](h') in ⌊⟨h', y⟩⌋";
    let moment = "let u ⇐ Get[u]() in let w ⇐ Get[w]() in let b ⇐ Get[b]() in
    let h' ⇐ ⌊tanh(w ∗ h + u ∗ x + b)⌋ in let v ⇐ Get[v]() in ⌊⟨h', v ∗ h'⟩⌋";
    let forward = "FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦";
    let again = format!("{forward} let w' ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w' − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )");
    let last = format!("{forward} let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )");
    let outside = "let u ⇐ Get[u]() in let w ⇐ Get[w]() in let b ⇐ Get[b]() in let v ⇐ Get[v]() in
    feedback[time](h_in, x_in)⟨h, x⟩. let h' ⇐ ⌊tanh(w ∗ h + u ∗ x + b)⌋ in ⌊⟨h', v ∗ h'⟩⌋";
    let cut = format!(
        "feedback[4](h_in, reshape[4, 4](x_in))⟨s, xs⟩. let s ⇐ Carry(s) in feedback[2](s, xs)⟨h, x⟩. {moment}"
    );
    let carry = "op Carry : Real(3) ▷ Real(3)";
    vec![
        ("fc", program(layer, layered, &again)),
        ("last-put", program(layer, layered, &last)),
        ("outside", program("", outside, "")),
        (
            "truncated",
            program(carry, &cut, "Carry ( x ↦ ⌊⟨x, ()⟩⌋ | y, _ ↦ ⌊zero[3]⌋ )"),
        ),
    ]
}

fn close(name: &str, expected: &Json, found: &[f64]) {
    let expected: Vec<f64> = serde_json::from_value(expected.clone()).unwrap();
    assert_eq!(expected.len(), found.len(), "{name}");
    let scale = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    for (a, b) in expected.iter().zip(found) {
        assert!((a - b).abs() <= 1e-12 * scale, "{name}: {b}, not {a}");
    }
}

#[test]
fn variants_come_to_what_is_computed_by_hand() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/feedback/variants.json");
    let expected: Json = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let engines = [
        Engine::Step { shortcuts: false },
        Engine::Step { shortcuts: true },
        Engine::Denotation,
        Engine::Compiled(Precision::Double),
    ];
    for (name, source) in variants() {
        let program = must_check(&source).program;
        let expected = &expected[name];
        for engine in engines {
            let title = format!("{name}, {engine:?}");
            let run = fletch_runs::run_by(engine, &program, Partiality::Total, 200_000).unwrap();
            let Outcome::Value(value) = &run.outcome else {
                panic!("{title}: no value");
            };
            for location in &program.locations {
                let contents = &run.heap.contents()[location.number];
                let of = &expected["heap_after"][&*location.name];
                close(&format!("{title}, {}", location.name), of, contents.data());
            }
            if expected["value"].is_array() {
                let tensors = value.tensors();
                let found: Vec<f64> = tensors.iter().flat_map(|t| t.data()).copied().collect();
                close(&title, &expected["value"], &found);
            }
        }
    }
}

/// Checks that the variants are among the programs that `jax.rs` compares. `UPDATE=1` writes the files again.
#[test]
fn variants_are_compared_in_jax_too() {
    for (name, source) in variants() {
        let file = format!("feedback_{}.fletch", name.replace('-', "_"));
        let path = format!("{}/jax/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = format!(
            "-- Elman network, {name}: `tests/tests/feedback.rs` writes this file.\n{source}"
        );
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap();
        assert!(found == text, "{file} is not the variant");
    }
}

/// Returns the number of reuse warnings (F0508) of a program.
fn reused(source: &str) -> usize {
    let found = fletch_ide::check(source).diagnostics.into_iter();
    found.filter(|found| found.code == "F0508").count()
}

#[test]
fn a_call_in_a_feedback_is_one_of_every_moment() {
    for (name, source) in variants() {
        assert_eq!(reused(&source) > 0, name == "last-put", "{name}");
        // With one moment, each location is used once.
        let once = source.replace("feedback[time]", "feedback[1]");
        assert_eq!(reused(&once), 0, "{name}");
    }
}

/// Networks in a loop, with the end of a backward clause for `FC`, and true if they learn by gradient descent. The first clause puts a
/// value computed from the saved weights, the second reads the weights again before it puts, and the third network reads its weights
/// once.
const STYLES: [(&str, &str, bool); 3] = [
    (
        "feedback[3](zero[2], xs)⟨h, x⟩. let a ⇐ FC[w](h) in ⌊tanh(a + x)⌋",
        "let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋",
        false,
    ),
    (
        "feedback[3](zero[2], xs)⟨h, x⟩. let a ⇐ FC[w](h) in ⌊tanh(a + x)⌋",
        "let v ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](v − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋",
        true,
    ),
    (
        "let w ⇐ Get[w]() in feedback[3](zero[2], xs)⟨h, x⟩. ⌊tanh(w ∗ h + x)⌋",
        "⌊wᵀ ∗ y⌋",
        true,
    ),
];

#[test]
fn only_the_last_put_is_warned_of_and_is_no_gradient_descent() {
    for (network, back, right) in STYLES {
        let source = format!(
            "loc w ∷ (2, 2) = glorot(seed: 1)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R(xs : Real(3 × 2)) : Real(2) = {network}
handler H(t : Real(2)) : Real(2) {{
  x ↦ ⌊0.1 · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ {back} )
  {OF_GET}
}}
data d = [⟨[[0.5, −1], [0.2, 0.7], [1, 0.1]], [0.3, −0.6]⟩, ⟨[[−0.4, 0.3], [0.9, 0.2], [−0.5, 0.8]], [0.1, 0.2]⟩]
train d as ⟨v, t⟩ for 2 epochs = rev handle(v)⟨xs⟩. R(xs) with H(t)
handler Out : Real(2) ⇒ Real(2) {{ x ↦ ⌊x⌋ FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x) }}
measure loss on d as ⟨v, t⟩ = let y ⇐ (handle R(v) with Out) in ⌊half_sq(y − t)⌋\n"
        );
        assert_eq!(reused(&source) > 0, !right, "{network}");
        let program = fletch_ide::check(&source).program;
        let settings = Settings::default();
        let host = Some(fletch_native::host as Host);
        let check = Check::new(&program, &Files::default(), &[], 0, settings, host);
        let mut check = check.unwrap_or_else(|_| panic!("{network}: it does not begin"));
        while !check.advance(&|| true) {}
        let against = check.checked().against;
        let descends =
            matches!(&against[0].verdict, Verdict::Descent(factor) if (factor - 0.1).abs() < 1e-6);
        assert_eq!(descends, right, "{network}: {against:?}");
    }
}

/// Returns the network in which every moment reads its weights, with this number of moments and constant inputs.
fn long(moments: usize) -> String {
    let mut rows = String::new();
    for _ in 0..moments {
        let _ = write!(rows, "[1, 0],");
    }
    let rows = rows.trim_end_matches(',');
    format!(
        "loc u ∷ (2, 3) = glorot(seed: 1)
loc w ∷ (3, 3) = glorot(seed: 2)
handler H : Real(3) {{ x ↦ ⌊x⌋ {OF_GET} }}
main = rev handle([{rows}])⟨xs⟩. feedback[{moments}](zero[3], xs)⟨h, x⟩.
  let u ⇐ Get[u]() in let w ⇐ Get[w]() in ⌊tanh(w ∗ h + u ∗ x)⌋ with H\n"
    )
}

#[test]
fn size_does_not_depend_on_time_and_steps_are_as_many_for_each_moment() {
    let sizes = [8, 1000].map(|moments| must_check(&long(moments)).size);
    assert_eq!(sizes[0], sizes[1]);
    let steps = [4, 8, 16, 32, 64].map(|moments| {
        let program = must_check(&long(moments)).program;
        let run = fletch_runs::run(&program, Partiality::Paper, 100_000);
        assert!(matches!(run.outcome, Outcome::Value(_)));
        run.steps.unwrap().reductions
    });
    let each = (steps[1] - steps[0]) / 4;
    assert!(each <= 600, "{steps:?}");
    for (steps, moments) in steps.windows(2).zip([4, 8, 16, 32]) {
        assert_eq!(steps[1] - steps[0], moments * each);
    }
}

#[test]
fn an_endless_feedback_checks_at_once_and_stops_within_its_budget() {
    let source = "handler H : Real(1) { x ↦ ⌊x⌋ }
main = feedback[1000000000](0.5, ())⟨s, _⟩. ⌊sin(s)⌋\n";
    let program = must_check(source).program;
    let run = fletch_runs::run(&program, Partiality::Paper, 10_000);
    assert!(matches!(run.outcome, Outcome::Exhausted(_)));
    let code = |source: &str, engine| {
        let program = must_check(source).program;
        let run = fletch_runs::run_by(engine, &program, Partiality::Total, 10_000);
        match run {
            Ok(run) => run.error(&program).unwrap().code,
            Err(fault) => fletch_runs::ending::no_arrow(&fault).code,
        }
    };
    let compiled = Engine::Compiled(Precision::Double);
    assert_eq!(code(source, Engine::Denotation), "F0603");
    assert_eq!(code(source, compiled), "F0603");
    let handled = source
        .replace("main = ", "main = rev handle(0.5)⟨a⟩. ")
        .replace("0.5, ()", "a, ()");
    let handled = handled.trim_end().to_owned() + " with H\n";
    for engine in [
        Engine::Step { shortcuts: false },
        Engine::Denotation,
        compiled,
    ] {
        assert_eq!(code(&handled, engine), "F0611", "{engine:?}");
    }
}

#[test]
fn an_endless_training_is_refused_with_an_error() {
    let source = "loc w ∷ (1) = 1
handler H : Real(1) { x ↦ ⌊x⌋ Get[ℓ] ( _ ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
  | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ ) }
data d = [0.5]
train d as v for 1 epochs = rev handle(v)⟨a⟩. let w ⇐ Get[w]() in feedback[1000000000](a, ())⟨s, _⟩. ⌊sin(w ⊙ s)⌋ with H\n";
    let program = fletch_ide::check(source).program;
    for engine in [
        Engine::Step { shortcuts: false },
        Engine::Denotation,
        Engine::Compiled(Precision::Double),
    ] {
        let course = Course {
            engine,
            epochs: None,
            budget: Budget::steps(10_000),
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        };
        let (_, stopped) = train(&program, &Files::default(), course, |_, _| {});
        let code = stopped.unwrap().code;
        assert_eq!(code, "F0611", "{engine:?}");
    }
}

#[test]
fn an_lstm_learns_what_comes_next_in_the_lines_of_its_file() {
    let folder = fletch_tests::examples().join("series");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let checked = fletch_ide::check(&read("lstm.fletch"));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let mut files = Files::default();
    files.insert("lstm.csv", read("lstm.csv"));
    let course = Course {
        engine: Engine::Denotation,
        epochs: Some(5),
        budget: Budget::steps(10_000_000),
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    let (training, stopped) = train(&checked.program, &files, course, |_, _| {});
    assert!(stopped.is_none(), "{stopped:?}");
    let (_, losses) = &training.measures[0];
    assert!(losses[0] > 0.09 && losses[5] < 0.015, "{losses:?}");
    // The few moments of its `main`, computed by each engine.
    let program = checked.main.unwrap().program;
    let engines = [
        Engine::Step { shortcuts: true },
        Engine::Denotation,
        Engine::Compiled(Precision::Double),
    ];
    let heaps = engines.map(|engine| {
        let run = fletch_runs::run_by(engine, &program, Partiality::Paper, 200_000).unwrap();
        assert!(matches!(run.outcome, Outcome::Value(_)), "{engine:?}");
        let cells = run.heap.contents().iter();
        cells
            .flat_map(|cell| cell.data().to_vec())
            .collect::<Vec<f64>>()
    });
    let expected = serde_json::json!(heaps[0]);
    for (engine, heap) in engines.iter().zip(&heaps) {
        close(&format!("{engine:?}"), &expected, heap);
    }
}

/// Checks the numbers of `examples/series/lstm.csv` by the formula that the program states.
#[test]
fn the_file_of_the_lstm_is_what_its_formula_gives() {
    let path = fletch_tests::examples().join("series/lstm.csv");
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 4);
    for (p, line) in text.lines().enumerate() {
        let mut r = 7 + p;
        let fields: Vec<f64> = line
            .split(',')
            .map(|field| field.parse().unwrap())
            .collect();
        assert_eq!(fields.len(), 201);
        for (t, field) in fields.iter().enumerate() {
            let (t, p, noise) = (t as f64, p as f64, r as f64 / 65536.0 - 0.5);
            let expected = 0.6 * (0.2 * t + 1.5 * p).sin() + 0.004 * t - 0.4 + 0.1 * noise;
            assert!((field - expected).abs() < 5.1e-4, "{field}, not {expected}");
            r = (25173 * r + 13849) % 65536;
        }
    }
}

#[test]
fn the_name_is_free_where_no_feedback_begins() {
    for source in [
        "command feedback(x : Real(1)) = ⌊x⌋\nmain = feedback(1)\n",
        "command feedback[n](x : Real(n)) = ⌊x⌋\nmain = feedback[2]([1, 2])\n",
        "main = let feedback ⇐ ⌊1⌋ in ⌊feedback⌋\n",
        "dim feedback = 2\nmain = feedback[feedback](0, [1, 2])⟨s, x⟩. ⌊s + x⌋\n",
    ] {
        must_check(source);
    }
}
