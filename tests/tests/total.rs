//! Total mode: reduction, denotation and the engine give the same value, or stop at the same symbol and origin. A map whose result is
//! unused under a reverse handler stops them too.

use fletch_reduction::Stuck;
use fletch_runs::{Engine, Outcome, Precision};
use fletch_smooth::Partiality;
use fletch_tests::generate::Tape;
use fletch_trace::Budget;

/// Runs a program. Returns the entries of its value, or the symbol and origin at which it stops; `None` if it takes too many steps.
fn end(source: &str, engine: Engine) -> Option<Result<Vec<f64>, String>> {
    let checked = fletch_ide::check(source);
    assert!(!checked.rejected(), "{:?}\n{source}", checked.diagnostics);
    let program = &checked.main.as_ref().unwrap().program;
    let run =
        fletch_runs::run_by(engine, program, Partiality::Total, Budget::steps(20_000)).unwrap();
    Some(match run.outcome {
        Outcome::Value(value) => {
            let tensors = value.tensors().into_iter();
            Ok(tensors.flat_map(|tensor| tensor.data()).copied().collect())
        }
        Outcome::Stuck(Stuck::Undefined { symbol, origin, .. }) => {
            Err(format!("{symbol} at {origin:?}"))
        }
        Outcome::Stuck(stuck) => panic!("{stuck:?}\n{source}"),
        Outcome::Exhausted(_) => return None,
    })
}

/// True if two ends are the same, up to the order of sums.
fn alike(one: &Result<Vec<f64>, String>, other: &Result<Vec<f64>, String>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => {
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
            one.len() == other.len() && one.iter().zip(other).all(near)
        }
        (one, other) => one == other,
    }
}

fn agree(source: &str) -> Result<Vec<f64>, String> {
    let denoted = end(source, Engine::Denotation).unwrap();
    for engine in [
        Engine::Compiled(Precision::Double),
        Engine::Step { shortcuts: false },
    ] {
        if let Some(found) = end(source, engine) {
            assert!(
                alike(&found, &denoted),
                "{engine:?}: {found:?}, {denoted:?}\n{source}"
            );
        }
    }
    denoted
}

#[test]
fn scores_that_lie_far_apart_have_a_cross_entropy() {
    let scores = "loc w ∷ (3) = [1e308, −1e308, 0]\nmain = let x ⇐ Get[w]() in ";
    let exactly = |term: &str, expected: &[f64]| {
        let source = format!("{scores}⌊{term}⌋");
        let engines = [
            Engine::Denotation,
            Engine::Compiled(Precision::Double),
            Engine::Step { shortcuts: false },
        ];
        for engine in engines {
            let found = end(&source, engine).unwrap();
            assert_eq!(found, Ok(expected.to_vec()), "{term}: {engine:?}");
        }
        let single = end(&source, Engine::Compiled(Precision::Single)).unwrap();
        let found = single.unwrap();
        assert!(found.iter().all(|x| !x.is_nan()), "{term}: {found:?}");
    };
    exactly("cross_entropy(x, [1, 0, 0])", &[0.0]);
    exactly("cross_entropy(−x, [0, 1, 0])", &[0.0]);
    exactly(
        "cross_entropy([−1e308, 0, 0], [0, 0.5, 0.5])",
        &[std::f64::consts::LN_2],
    );
    exactly("cross_entropy(x, [0, 1, 0])", &[f64::MAX]);
    exactly("softmax(x)", &[1.0, 0.0, 0.0]);
    exactly("log_softmax(x)", &[0.0, f64::MIN, -1e308]);
    exactly(
        "rows[log_softmax](reshape[1, 3](x))",
        &[0.0, f64::MIN, -1e308],
    );
    // Derivatives are p − t for the scores and −y · log p for the target, also at a cotangent of 0.
    let slope = |y: &str| format!("rd[cross_entropy](⟨⟨x, [0, 1, 0]⟩, {y}⟩)");
    exactly(&slope("1"), &[1.0, -1.0, 0.0, 0.0, f64::MAX, 1e308]);
    exactly(&slope("0"), &[0.0, -0.0, 0.0, 0.0, 0.0, 0.0]);
    exactly("rd[log_softmax](⟨x, [1, 2, 3]⟩)", &[-5.0, 2.0, 3.0]);
    exactly("rd[softmax](⟨x, [1, 2, 3]⟩)", &[0.0, 0.0, 0.0]);
    let twice = "rd[rd[cross_entropy]](⟨⟨⟨x, [0, 1, 0]⟩, 1⟩, ⟨[1, 1, 1], [0, 0, 0]⟩⟩)";
    exactly(twice, &[0.0; 7]);
    // Only an overflow can give infinity.
    let over = "let y ← 10 · x in cross_entropy(y, [1, 0, 0])";
    exactly(over, &[0.0]);
}

#[test]
fn gradients_of_zero_can_be_clipped() {
    for (name, source) in fletch_tests::programs(&fletch_tests::examples()) {
        if !name.starts_with("clip_") {
            continue;
        }
        // The network with weights 0 gives 0, which is the target.
        let mut zero = source.replace("[1, −1]", "[0, 0]");
        for seed in ["glorot(seed: 1)", "glorot(seed: 2)"] {
            zero = zero.replace(seed, "zeros");
        }
        for mode in [Partiality::Paper, Partiality::Total] {
            let checked = fletch_ide::check(&zero);
            let program = &checked.main.as_ref().unwrap().program;
            for engine in [
                Engine::Denotation,
                Engine::Compiled(Precision::Double),
                Engine::Compiled(Precision::Single),
                Engine::Step { shortcuts: false },
                Engine::Step { shortcuts: true },
            ] {
                let run =
                    fletch_runs::run_by(engine, program, mode, Budget::steps(20_000)).unwrap();
                assert!(
                    matches!(run.outcome, Outcome::Value(_)),
                    "{name}: {engine:?}"
                );
                for contents in run.heap.contents() {
                    assert!(
                        contents.data().iter().all(|x| *x == 0.0),
                        "{name}: {engine:?}"
                    );
                }
            }
        }
        let mut data = zero;
        data.push_str("\ndata d = [[0.8, 0.2, −0.5]]\n");
        let main = data.lines().find(|line| line.starts_with("main")).unwrap();
        let body = main.trim_start_matches("main = ");
        let train = format!(
            "train d as v for 2 epochs = {}\n",
            body.replace("[0.8, 0.2, −0.5]", "v")
        );
        data.push_str(&train);
        let checked = fletch_ide::check(&data);
        assert!(!checked.rejected(), "{:?}", checked.diagnostics);
        let course = fletch_runs::training::Course {
            engine: Engine::Compiled(Precision::Double),
            epochs: None,
            budget: Budget::steps(20_000),
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        };
        let files = fletch_elaborate::Files::default();
        let (_, stopped) =
            fletch_runs::training::train(&checked.program, &files, course, |_, _| {});
        assert_eq!(stopped, None, "{name}");
    }
}

#[test]
fn a_derivative_that_nothing_uses_stops_every_engine() {
    let handlers = "handler G : Real(1) { x ↦ ⌊3 · x⌋ }\nhandler H : Real(1) { x ↦ ⌊2 · x⌋ }\n";
    let programs = [
        "rev handle(0)⟨x⟩. let _ ⇐ ⌊sqrt(x)⌋ in ⌊x + 3⌋ with H",
        "rev handle(0)⟨x⟩. ⌊let _ ← sqrt(x) in x + 3⌋ with H",
        "⌊[1].rd(x. let _ ← sqrt(x) in x + 3)([0])⌋",
        "rev handle(0)⟨x⟩. rev handle(x)⟨y⟩. let _ ⇐ ⌊sqrt(y)⌋ in ⌊y + 3⌋ with G with H",
        "rev handle(⟨0, 0.5⟩)⟨x, p⟩. let _ ⇐ ⌊pow(x, p)⌋ in ⌊x + 3⌋ with H",
    ];
    for program in programs {
        let source = format!("{handlers}main = {program}\n");
        let end = agree(&source).unwrap_err();
        assert!(end.starts_with("rd["), "{end}\n{source}");
    }
    let defined =
        format!("{handlers}main = rev handle(0)⟨x⟩. let _ ⇐ ⌊relu(x)⌋ in ⌊x + 3⌋ with H\n");
    assert_eq!(agree(&defined), Ok(vec![6.0]));
}

/// Returns a term over these variables, mostly of symbols that are undefined or not smooth at some point.
fn term(tape: &mut Tape, variables: &[String], depth: usize) -> String {
    let variable = |tape: &mut Tape| variables[tape.below(variables.len())].clone();
    if depth == 0 {
        return variable(tape);
    }
    let inner = |tape: &mut Tape| term(tape, variables, depth - 1);
    match tape.below(7) {
        0 => variable(tape),
        1 => format!("({} + {})", inner(tape), inner(tape)),
        2 => format!("({} ⊙ {})", inner(tape), inner(tape)),
        3 => {
            let bound = inner(tape);
            let name = format!("t{depth}{}", variables.len());
            let more: Vec<String> = variables.iter().cloned().chain([name.clone()]).collect();
            let body = term(tape, &more, depth - 1);
            format!("(let {name} ← {bound} in {body})")
        }
        _ => {
            let symbol = ["sqrt", "relu", "abs", "sqrt", "tanh"][tape.below(5)];
            format!("{symbol}({})", inner(tape))
        }
    }
}

#[test]
fn random_programs_at_the_borders_end_alike() {
    let (mut stops, mut values) = (0, 0);
    for seed in 0..600 {
        let mut tape = Tape::new(Tape::random(seed, 120));
        let point = ["0", "1", "−1", "0.25"][tape.below(4)];
        let mut body = String::new();
        let mut variables = vec!["x".to_owned()];
        for number in 0..1 + tape.below(3) {
            let bound = term(&mut tape, &variables, 2);
            let name = format!("y{number}");
            body.push_str(&format!("let {name} ⇐ ⌊{bound}⌋ in "));
            variables.push(name);
        }
        body.push_str(&format!("⌊{}⌋", term(&mut tape, &variables, 1)));
        let command = match tape.below(3) {
            0 => format!("let x ⇐ ⌊{point}⌋ in {body}"),
            1 => format!("rev handle({point})⟨x⟩. {body} with H"),
            _ => format!("rev handle({point})⟨x⟩. (rev handle(x)⟨x⟩. {body} with G) with H"),
        };
        let source = format!(
            "handler G : Real(1) {{ x ↦ ⌊3 · x⌋ }}\nhandler H : Real(1) {{ x ↦ ⌊2 · x⌋ }}\nmain = {command}\n"
        );
        match agree(&source) {
            Err(_) => stops += 1,
            Ok(_) => values += 1,
        }
    }
    assert!(stops > 60 && values > 60, "{stops} {values}");
}
