//! `train` and `measure` by reduction, by denotation and compiled, compared with the same training in plain arithmetic.

use fletch_elaborate::Files;
use fletch_runs::training::{Course, Training, train};
use fletch_runs::{Engine, Precision};
use fletch_syntax::Diagnostic;
use fletch_trace::Budget;

fn trained(source: &str, epochs: Option<usize>) -> Result<Training, Box<Diagnostic>> {
    let checked = fletch_ide::check(source);
    assert!(!checked.rejected(), "{:#?}", checked.diagnostics);
    let budget = Budget::steps(100_000);
    let by = |engine| match train(
        &checked.program,
        &Files::default(),
        Course {
            engine,
            epochs,
            budget,
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        },
        |_, _| {},
    ) {
        (training, None) => Ok(training),
        (_, Some(error)) => Err(Box::new(error)),
    };
    let (reduced, denoted) = (
        by(Engine::Step { shortcuts: false }),
        by(Engine::Denotation),
    );
    match (&reduced, &denoted) {
        (Ok(reduced), Ok(denoted)) => assert_eq!(format!("{reduced:?}"), format!("{denoted:?}")),
        (Err(reduced), Err(denoted)) => assert_eq!(reduced, denoted),
        _ => panic!("{reduced:?} by reduction, {denoted:?} by denotation"),
    }
    match (&reduced, by(Engine::Compiled(Precision::Double))) {
        (Ok(reduced), Ok(compiled)) => {
            let numbers = |training: &Training| -> Vec<f64> {
                let heap = training.heap.iter().flat_map(|(_, cell)| cell.data());
                let measures = training.measures.iter().flat_map(|(_, series)| series);
                heap.chain(measures).copied().collect()
            };
            close(&numbers(&compiled), &numbers(reduced));
            let names = |training: &Training| -> Vec<String> {
                training.heap.iter().map(|(name, _)| name.clone()).collect()
            };
            assert_eq!(names(&compiled), names(reduced));
        }
        (Err(reduced), Err(compiled)) => assert_eq!(*reduced, compiled),
        (reduced, compiled) => panic!("{reduced:?} by reduction, {compiled:?} compiled"),
    }
    reduced
}

/// A line fitted to points by gradient descent on each point: w ← w − 0.1 · (w x − t) x.
const LINE: &str = "
loc w ∷ (1, 1) = 0.5
op Layer[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H(t : Real(1)) : Real(1) {
  y ↦ ⌊0.1 · (y − t)⌋
  Layer[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                    | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
handler H_infer : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  Layer[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x) }
data points = [⟨1, 2⟩, ⟨2, 4.5⟩, ⟨−1, −1.5⟩]
train points as ⟨v, t⟩ for 4 epochs = rev handle(v)⟨x⟩. Layer[w](x) with H(t)
measure loss on points as ⟨v, t⟩ = let y ⇐ handle Layer[w](v) with H_infer in ⌊half_sq(y − t)⌋
";

const POINTS: [(f64, f64); 3] = [(1.0, 2.0), (2.0, 4.5), (-1.0, -1.5)];

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    let same = found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() <= 1e-12 || a.is_nan() && b.is_nan());
    assert!(same, "{found:?} is not {expected:?}");
}

#[test]
fn every_sample_is_a_step_and_measures_leave_the_heap_alone() {
    let loss = |w: f64| {
        let sum: f64 = POINTS.iter().map(|(x, t)| 0.5 * (w * x - t).powi(2)).sum();
        sum / 3.0
    };
    for (epochs, expected_epochs) in [(None, 4), (Some(2), 2), (Some(0), 0)] {
        let mut w = 0.5;
        let mut losses = vec![loss(w)];
        for _ in 0..expected_epochs {
            for (x, t) in POINTS {
                w -= 0.1 * (w * x - t) * x;
            }
            losses.push(loss(w));
        }
        let training = trained(LINE, epochs).unwrap();
        assert_eq!(training.epochs, expected_epochs);
        assert_eq!(training.measures.len(), 1);
        close(&training.measures[0].1, &losses);
        assert_eq!(training.heap[0].0, "w");
        close(training.heap[0].1.data(), &[w]);
    }
}

#[test]
fn a_batch_is_a_matrix_of_consecutive_samples_and_an_incomplete_one_is_skipped() {
    let source = "
loc sum ∷ (2)
data numbers = [⟨[1, 2], 1⟩, ⟨[3, 4], 10⟩, ⟨[5, 6], 100⟩, ⟨[7, 8], 1000⟩, ⟨[9, 9], 9⟩]
train numbers by 2 as ⟨a, b⟩ for 1 epochs = let s ⇐ Get[sum]() in Put[sum](2 · s + a ∗ bᵀ)";
    // Twice the sum so far, plus the columns weighted by b: [31, 42], then [7500, 8600].
    let expected = [2.0 * 31.0 + 7500.0, 2.0 * 42.0 + 8600.0];
    close(trained(source, None).unwrap().heap[0].1.data(), &expected);
}

#[test]
fn several_items_run_in_file_order_on_one_heap() {
    let source = "
loc w ∷ (1) = 1
data one = [1]
train one as v for 2 epochs = let w ⇐ Get[w]() in Put[w](w + v)
train one as _ for 3 epochs = let w ⇐ Get[w]() in Put[w](w + w)
measure content on one as _ = Get[w]()";
    let training = trained(source, None).unwrap();
    assert_eq!(training.epochs, 5);
    close(&training.measures[0].1, &[1.0, 2.0, 3.0, 6.0, 12.0, 24.0]);
}

#[test]
fn what_cannot_be_trained_says_why() {
    let cases = [
        ("main = ⌊1⌋", "F0604"),
        (
            "data d : Real(1) = csv(\"d.csv\")\ntrain d as v for 1 epochs = ⌊v⌋",
            "F0606",
        ),
        (
            "data d = [1]\ntrain d as v for 1 epochs = ⌊log(−1 · v)⌋",
            "F0601",
        ),
    ];
    for (source, code) in cases {
        assert_eq!(trained(source, None).unwrap_err().code, code, "{source}");
    }
}

#[test]
fn a_handler_may_be_given_what_is_computed_from_a_sample() {
    let source = LINE
        .replace("with H(t)", "with H(2 · t − v)")
        .replace("⟨v, t⟩ for 4 epochs", "s for 4 epochs")
        .replace("rev handle(v)⟨x⟩", "rev handle(s.1)⟨x⟩")
        .replace("H(2 · t − v)", "H(2 · s.2 − s.1)");
    let mut w = 0.5;
    for _ in 0..4 {
        for (x, t) in POINTS {
            w -= 0.1 * (w * x - (2.0 * t - x)) * x;
        }
    }
    close(trained(&source, None).unwrap().heap[0].1.data(), &[w]);
}

#[test]
fn a_sample_at_which_a_partial_map_is_not_defined_stops_the_training_there() {
    let source = "
loc w ∷ (1) = 1
data numbers = [1, 2, 0, 3]
train numbers as v for 2 epochs = let w ⇐ Get[w]() in let _ ⇐ Put[w](w + w) in let l ⇐ ⌊log(v)⌋ in Put[w](w + l)";
    let error = trained(source, None).unwrap_err();
    assert_eq!(error.code, "F0601");
    assert!(error.message.contains("log"), "{error:?}");
}

#[test]
fn a_measure_that_writes_leaves_the_heap_alone() {
    let source = "
loc w ∷ (1) = 1
data numbers = [1, 2, 3]
train numbers as v for 1 epochs = let w ⇐ Get[w]() in Put[w](w + v)
measure m on numbers as v = let w ⇐ Get[w]() in let _ ⇐ Put[w](10 · v) in ⌊w⌋";
    let training = trained(source, None).unwrap();
    close(&training.measures[0].1, &[1.0, 7.0]);
    close(training.heap[0].1.data(), &[7.0]);
}

#[test]
fn a_measure_has_a_value_for_each_epoch_and_nan_is_one() {
    let source = "
loc w ∷ (1) = 1
data signs = [1, −1]
train signs as _ for 2 epochs = Put[w](0)
measure m on signs as v = let w ⇐ Get[w]() in ⌊v · exp(1000 · w)⌋";
    let training = trained(source, None).unwrap();
    close(&training.measures[0].1, &[f64::NAN, 0.0, 0.0]);
}

#[test]
fn a_training_that_diverges_stops_before_the_first_nan_and_says_what_makes_it() {
    let source = LINE
        .replace("⌊0.1 · (y − t)⌋", "⌊100 · (y − t)⌋")
        .replace("for 4 epochs", "for 100 epochs");
    let error = trained(&source, None).unwrap_err();
    assert_eq!(error.code, "F0608");
    let said = error.message.as_str();
    assert!(
        said.starts_with("this gives NaN at sample 1 of epoch ") && said.contains("`train "),
        "{said}"
    );
    let span = error.span;
    let place = &source[span.start as usize..span.end as usize];
    assert_eq!(place, "w − y ∗ xᵀ");
}

#[test]
fn a_nan_that_comes_into_a_partial_symbol_is_called_a_divergence_by_every_engine() {
    let source = "
loc w ∷ (1) = 2
data d = [1, 2]
train d as v for 20 epochs = let a ⇐ Get[w]() in Put[w](a ⊙ a + sqrt(a − a))";
    let error = trained(source, None).unwrap_err();
    let message = "this gives NaN at sample 1 of epoch 6 of `train d`: the training diverges";
    assert_eq!((error.code.as_str(), &*error.message), ("F0608", message));
    let place = &source[error.span.start as usize..error.span.end as usize];
    assert_eq!(place, "a − a");
    // A NaN in a measure is a divergence too, but only after the first step.
    let measured = "
loc w ∷ (1) = 2
data d = [1, 2]
train d as v for 20 epochs = let a ⇐ Get[w]() in Put[w](a ⊙ a)
measure m on d as v = let a ⇐ Get[w]() in ⌊sqrt(a − a)⌋";
    let error = trained(measured, None).unwrap_err();
    let message =
        "this gives NaN at sample 1 of `d` in `measure m`, after epoch 5: the training diverges";
    assert_eq!((error.code.as_str(), &*error.message), ("F0608", message));
    let at_first = measured.replace("sqrt(a − a)", "sqrt(a · (exp(1000) − exp(1000)))");
    let error = trained(&at_first, None).unwrap_err();
    assert_eq!(error.code, "F0601");
    assert!(error.message.contains("before training"), "{error:?}");
    // An argument outside the domain without a NaN is no divergence.
    let negative = source.replace("sqrt(a − a)", "sqrt(v − a)");
    let error = trained(&negative, None).unwrap_err();
    assert_eq!(error.code, "F0601");
}

#[test]
fn samples_that_fill_no_batch_are_told() {
    let unseen = |source: &str| -> Vec<String> {
        let training = trained(source, None).unwrap();
        training.unseen.iter().map(ToString::to_string).collect()
    };
    let data = "data d = [1, 2, 3, 4, 5]\ndata e = [1, 2, 3, 4]\n";
    assert_eq!(
        unseen(&format!("{data}train d by 3 as v for 1 epochs = ⌊v⌋")),
        ["the last 2 of the 5 samples of `d` fill no batch of 3, so `train d` never sees them"]
    );
    let two = "train d by 2 as v for 1 epochs = ⌊v⌋\ntrain e by 2 as v for 1 epochs = ⌊v⌋";
    assert_eq!(
        unseen(&format!("{data}{two}")),
        [
            "the last of the 5 samples of `d` fills no batch of 2, so `train d`, item 1, never sees it"
        ]
    );
    let none = "train d as v for 1 epochs = ⌊v⌋\ntrain e by 8 as v for 1 epochs = ⌊v⌋";
    assert!(unseen(&format!("{data}{none}")).is_empty());
}

#[test]
fn a_step_that_is_too_long_offers_the_compiled_engine_and_shortcuts() {
    let source = "data d = [1]\ntrain d as v for 1 epochs = ⌊v + v + v + v⌋";
    let checked = fletch_ide::check(source);
    for shortcuts in [false, true] {
        let course = Course {
            engine: Engine::Step { shortcuts },
            epochs: None,
            budget: Budget::steps(1),
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        };
        let (_, stopped) = train(&checked.program, &Files::default(), course, |_, _| {});
        let error = stopped.unwrap();
        let hint = error.hint.unwrap();
        assert_eq!(error.code, "F0603");
        assert!(hint.contains("compiled engine"), "{hint}");
        assert_eq!(hint.contains("`--shortcuts`"), !shortcuts, "{hint}");
    }
}

/// A weight that loses a twentieth of itself with each step, and another that is small from the beginning and is not changed.
const DECAYING: &str = "
loc w ∷ (2) = [1e-280, 1]
loc small ∷ (1) = [1e-299]
data d = [1]
train d as t for 16384 epochs =
  let w ⇐ Get[w]() in
  let s ⇐ Get[small]() in
  let _ ⇐ Put[small](s) in
  Put[w](w − [0.05, 0] ⊙ w)
";

#[test]
fn what_decays_becomes_zero_and_never_stays_subnormal() {
    let by = |engine, epochs| {
        let checked = fletch_ide::check(DECAYING);
        let course = Course {
            engine,
            epochs: Some(epochs),
            budget: Budget::steps(100_000),
            heap: &[],
            host: Some(fletch_native::host),
            halt: &|| false,
        };
        let (training, fault) = train(&checked.program, &Files::default(), course, |_, _| {});
        assert_eq!(fault, None);
        let entries = training
            .heap
            .iter()
            .flat_map(|(_, cell)| cell.data().to_vec());
        entries.collect::<Vec<f64>>()
    };
    let double = Engine::Compiled(Precision::Double);
    // One step before the heap is searched for small numbers, the entry is one of the smallest numbers that there are.
    let before = by(double, 16383)[0];
    assert!(
        before != 0.0 && before.abs() < f64::MIN_POSITIVE,
        "{before}"
    );
    for engine in [
        double,
        Engine::Denotation,
        Engine::Step { shortcuts: false },
    ] {
        assert_eq!(by(engine, 16384), [0.0, 1.0, 1e-299], "{engine:?}");
    }
    // In 32 bits the small weight is 0 from the start.
    assert_eq!(
        by(Engine::Compiled(Precision::Single), 16384),
        [0.0, 1.0, 0.0]
    );
}
