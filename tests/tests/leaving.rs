//! Trainings that leave the domain of a function at some sample, in every engine, compared with a hand-written evaluator. A run stops
//! there with the heap before that step, and reports the position. No sample is skipped.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)] // A failed test is a panic; the evaluator uses functions of its own.

use fletch_elaborate::Files;
use fletch_runs::check::{Check, NotChecked, Settings};
use fletch_runs::generated::Host;
use fletch_runs::live::Live;
use fletch_runs::training::{Course, train};
use fletch_runs::{Engine, Precision};
use fletch_smooth::Tensor;
use fletch_syntax::Diagnostic;
use fletch_tests::generate::Tape;
use fletch_trace::Budget;
use std::cell::Cell;
use std::fmt::Write;

/// A function of the target of a sample: its text in the program, and its value. The value is `None` outside of the domain in total mode.
type Function = (&'static str, fn(f64) -> Option<f64>);

const FUNCTIONS: [Function; 9] = [
    ("log(t)", |t| (t > 0.0).then(|| f64::ln(t))),
    ("0 · log(t)", |t| (t > 0.0).then(|| 0.0 * f64::ln(t))),
    ("sqrt(t)", |t| (t >= 0.0).then(|| f64::sqrt(t))),
    ("recip(t)", |t| (t != 0.0).then(|| 1.0 / t)),
    ("relu(t)", |t| Some(t.max(0.0))),
    ("abs(t) − t", |t| Some(t.abs() - t)),
    ("sign(t)", |t| Some(if t == 0.0 { 0.0 } else { t.signum() })),
    ("log(relu(t))", |t| (t > 0.0).then(|| f64::ln(t))),
    ("pow(t, 3) + sqrt(relu(t))", |t| {
        Some(t * t * t + f64::sqrt(t.max(0.0)))
    }),
];

/// Targets of samples, the second numbers: some are at the border of a domain, and some outside.
const TARGETS: [f64; 8] = [1.0, 2.0, 0.5, 4.0, 3.0, 0.25, 0.0, -1.0];

/// A random training.
struct Case {
    source: String,
    /// Input and target of each sample.
    data: Vec<(f64, f64)>,
    batch: usize,
    epochs: usize,
    function: Function,
    /// True if the handler uses its argument.
    used: bool,
    rate: f64,
}

impl Case {
    fn random(tape: &mut Tape) -> Case {
        let function = FUNCTIONS[tape.below(FUNCTIONS.len())];
        let batch = 1 + tape.below(3);
        let count = batch * (1 + tape.below(3)) + tape.below(batch);
        let number = |tape: &mut Tape| (tape.below(40) as f64 - 20.0) / 8.0;
        let data: Vec<(f64, f64)> = (0..count)
            .map(|_| (number(tape), TARGETS[tape.below(TARGETS.len())]))
            .collect();
        let epochs = 1 + tape.below(3);
        let (used, extended) = (!tape.chance(30), tape.chance(40));
        let rate = 0.125;
        let mut source = format!("dim n = {batch}\n");
        source.push_str("loc c ∷ (1)\nloc w ∷ (n) = constant(0.5)\nop Scale : Real(n) ▷ Real(n)\n");
        let returned = if used { "x − t" } else { "x" };
        write!(
            source,
            "handler H(t : Real(n)) : Real(n) {{
  x ↦ let s ⇐ Get[c]() in let _ ⇐ Put[c](s + 1) in ⌊{returned}⌋
  Scale ( x ↦ let w ⇐ Get[w]() in ⌊⟨w ⊙ x, ⟨w, x⟩⟩⌋
        | y, ⟨w, x⟩ ↦ let _ ⇐ Put[w](w − {rate} · (y ⊙ x)) in ⌊w ⊙ y⌋ )
}}\n"
        )
        .unwrap();
        if extended {
            source.push_str("handler K(u : Real(n)) : Real(n) extends H(u) { }\n");
        }
        let samples: Vec<String> = data.iter().map(|(v, t)| format!("⟨{v}, {t}⟩")).collect();
        let by = if batch > 1 {
            format!(" by {batch}")
        } else {
            String::new()
        };
        let handler = if extended { "K" } else { "H" };
        writeln!(source, "data d = [{}]", samples.join(", ")).unwrap();
        writeln!(
            source,
            "train d{by} as ⟨v, t⟩ for {epochs} epochs = rev handle(v)⟨x⟩. Scale(x) with {handler}({})",
            function.0
        )
        .unwrap();
        // The measure is defined everywhere, so it does not stop the training.
        source.push_str("measure m on d as ⟨v, t⟩ = let w ⇐ Get[w]() in ⌊sum(w) ⊙ v⌋\n");
        Case {
            source,
            data,
            batch,
            epochs,
            function,
            used,
            rate,
        }
    }

    /// Returns the final heap, c and then w, and the step and epoch at which the training stops, from 1, or `None` if it does not stop.
    fn by_hand(&self) -> (Vec<f64>, Option<(usize, usize)>) {
        let mut heap = vec![0.5; self.batch + 1];
        heap[0] = 0.0;
        for epoch in 1..=self.epochs {
            for (step, samples) in self.data.chunks_exact(self.batch).enumerate() {
                let arguments: Option<Vec<f64>> =
                    samples.iter().map(|(_, t)| (self.function.1)(*t)).collect();
                let Some(arguments) = arguments else {
                    return (heap, Some((step + 1, epoch)));
                };
                heap[0] += 1.0;
                for (j, ((v, _), t)) in samples.iter().zip(arguments).enumerate() {
                    let out = heap[j + 1] * v;
                    let cotangent = if self.used { out - t } else { out };
                    heap[j + 1] -= self.rate * (cotangent * v);
                }
            }
        }
        (heap, None)
    }
}

fn now() -> f64 {
    thread_local!(static TIME: Cell<f64> = const { Cell::new(0.0) });
    TIME.replace(TIME.get() + 1.0)
}

fn numbers(heap: &[(String, Tensor)]) -> Vec<f64> {
    let cells = heap.iter().flat_map(|(_, contents)| contents.data());
    cells.copied().collect()
}

/// Trains with engine `who`. Returns the numbers of the final heap, and the diagnostic that stops the training, if any.
fn ends(source: &str, who: usize) -> (Vec<f64>, Option<Diagnostic>) {
    let program = fletch_ide::check(source).program;
    let files = Files::default();
    let engine = match who {
        0 => Engine::Step { shortcuts: false },
        1 => Engine::Denotation,
        2 => Engine::Compiled(Precision::Double),
        // The page trains with the reference (3) or with a module (4).
        _ => {
            let host = (who == 4).then_some(fletch_native::host as Host);
            let mut live =
                Live::new(&program, &files, None, &[], Precision::Double, host, now).unwrap();
            while live.stopped().is_none() && !live.at().ended {
                live.advance(3.0, None);
            }
            return (numbers(live.current()), live.stopped().cloned());
        }
    };
    let course = Course {
        engine,
        epochs: None,
        budget: Budget::steps(100_000),
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    let (training, stopped) = train(&program, &files, course, |_, _| {});
    (numbers(&training.heap), stopped)
}

#[test]
fn random_trainings_stop_where_they_leave_a_domain() {
    let mut stopped = 0;
    for seed in 0..1000 {
        let case = Case::random(&mut Tape::new(Tape::random(seed, 60)));
        let checked = fletch_ide::check(&case.source);
        assert!(
            !checked.rejected(),
            "{:?}\n{}",
            checked.diagnostics,
            case.source
        );
        let (heap, place) = case.by_hand();
        stopped += usize::from(place.is_some());
        for who in 0..5 {
            // The step engine is slow, and behaves as the denotation does.
            if who == 0 && seed % 5 != 0 {
                continue;
            }
            let (found, error) = ends(&case.source, who);
            let about = || format!("seed {seed}, engine {who}: {error:?}\n{}", case.source);
            assert_eq!(found.len(), heap.len());
            for (one, other) in found.iter().zip(&heap) {
                assert!(
                    (one - other).abs() <= 1e-12 * other.abs().max(1.0),
                    "{found:?} {heap:?} {}",
                    about()
                );
            }
            match (&error, place) {
                (None, None) => {}
                (Some(error), Some((step, epoch))) => {
                    let one = if case.batch > 1 { "batch" } else { "sample" };
                    let place = format!("({one} {step} of epoch {epoch} of `train d`)");
                    assert_eq!(error.code, "F0601");
                    assert!(error.message.ends_with(&place), "{}", about());
                    let span = error.span.start as usize..error.span.end as usize;
                    assert!(case.function.0.contains(&case.source[span]), "{}", about());
                }
                _ => panic!("{place:?} {}", about()),
            }
        }
    }
    assert!(stopped > 200, "{stopped}");
}

const UNUSED: &str = "
loc c ∷ (1)
handler H(_t : Real(1)) : Real(1) { x ↦ let s ⇐ Get[c]() in let _ ⇐ Put[c](s + 1) in ⌊x⌋ }
data d = [⟨1, 2⟩, ⟨2, −1⟩, ⟨3, 4⟩]
";

#[test]
fn measures_stop_too_and_name_the_sample() {
    let source = format!(
        "{UNUSED}train d as ⟨v, t⟩ for 1 epochs = rev handle(v)⟨x⟩. ⌊x⌋ with H(0)
measure m on d as ⟨v, t⟩ = rev handle(v)⟨x⟩. ⌊x⌋ with H(0 · log(t))\n"
    );
    for who in 0..5 {
        let (heap, error) = ends(&source, who);
        assert_eq!(heap, [0.0]);
        let message = error.unwrap().message;
        let place = "(sample 2 of `d` in `measure m`, before training)";
        assert!(message.ends_with(place), "{message}");
    }
}

#[test]
fn a_gradient_check_stops_where_the_training_or_the_measure_does() {
    let checked = |train: &str, measure: &str| {
        let source = format!(
            "{UNUSED}loc w ∷ (1) = 1
train d as ⟨v, t⟩ for 1 epochs = rev handle(v)⟨x⟩. ⌊x⌋ with H({train})
measure m on d as ⟨v, t⟩ = let w ⇐ Get[w]() in let _ ⇐ ⌊{measure}⌋ in ⌊w ⊙ v⌋\n"
        );
        let program = fletch_ide::check(&source).program;
        let settings = Settings::default();
        match Check::new(&program, &Files::default(), &[], 0, settings, None) {
            Err(NotChecked::Stopped(error)) => error.message,
            Err(NotChecked::Asked(message)) => panic!("{message}"),
            Ok(_) => "nothing stops it".to_owned(),
        }
    };
    assert_eq!(checked("0", "t"), "nothing stops it");
    let training = checked("log(t)", "t");
    assert!(
        training.ends_with("(sample 2 of epoch 1 of `train d`)"),
        "{training}"
    );
    let measure = checked("0", "log(t)");
    assert!(
        measure.contains("(sample 2 of `d` in `measure m`"),
        "{measure}"
    );
}

#[test]
fn total_mode_reaches_what_is_computed_before_a_run() {
    let source = "
loc c ∷ (2)
handler H(t : Real(2)) : Real(2) { x ↦ let _ ⇐ Put[c](t) in ⌊x − t⌋ }
data d = [relu([0, 1])]
train d as v for 1 epochs = rev handle(v)⟨x⟩. ⌊x⌋ with H(relu([0, 3]))
main = rev handle([1, 1])⟨x⟩. ⌊x⌋ with H(relu([0, 2]))
";
    for who in 0..5 {
        assert_eq!(ends(source, who), (vec![0.0, 3.0], None));
    }
    let checked = fletch_ide::check(source);
    let errors: Vec<_> = checked
        .diagnostics
        .iter()
        .map(|found| found.is_error())
        .collect();
    assert_eq!(errors, [false], "{:?}", checked.diagnostics);
    let program = &checked.main.unwrap().program;
    for mode in [
        fletch_runs::Engine::Denotation,
        fletch_runs::Engine::Compiled(Precision::Double),
        fletch_runs::Engine::Step { shortcuts: false },
    ] {
        use fletch_smooth::Partiality::{Paper, Total};
        let paper = fletch_runs::run_by(mode, program, Paper, Budget::steps(1000)).unwrap();
        assert_eq!(paper.error(program).unwrap().code, "F0601");
        let total = fletch_runs::run_by(mode, program, Total, Budget::steps(1000)).unwrap();
        assert!(total.error(program).is_none());
        assert_eq!(total.heap.contents()[0].data(), [0.0, 2.0]);
    }
}

#[test]
fn a_data_set_that_has_no_value_in_any_reading_is_rejected() {
    let checked = fletch_ide::check("data d = [log(−1)]\ntrain d as v for 1 epochs = ⌊v⌋\n");
    let codes = checked.diagnostics.iter().map(|found| &*found.code);
    let codes: Vec<&str> = codes.collect();
    assert_eq!(codes, ["F0601"]);
}
