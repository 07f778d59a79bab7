//! Trainings over many moments. Plans and modules do not grow with the number of moments, a loop trains as its moments written out do,
//! and a step that stops in a moment leaves the heap as before the step.

use fletch_arrows::Arrow;
use fletch_calculus::Tensor;
use fletch_codegen::generate;
use fletch_elaborate::{Files, component, with_items};
use fletch_engine::{Plan, Precision, Wanted, lower, plan};
use fletch_runs::Engine;
use fletch_runs::training::{Course, Training, train};
use fletch_smooth::Partiality;
use fletch_syntax::Diagnostic;
use fletch_tests::time::{Time, recurrent};
use fletch_trace::Budget;

/// Returns the plan of the first training of a program.
fn planned(source: &str) -> Plan {
    let program = fletch_ide::check(source).program;
    with_items(&program, &Files::default(), |items| {
        let item = items.trains()[0];
        let sample = items.sample(item, 0).unwrap();
        let sizes: Vec<usize> = sample.iter().map(Tensor::len).collect();
        let program = items.on_any(item).unwrap();
        let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
        let line = lower(&arrow, &sizes, component, Wanted::Heap).unwrap();
        plan(&line, Partiality::Total)
    })
}

fn trained(source: &str, engine: Engine) -> (Training, Option<Diagnostic>) {
    let program = fletch_ide::check(source).program;
    let course = Course {
        engine,
        epochs: None,
        budget: Budget::steps(0),
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    train(&program, &Files::default(), course, |_, _| {})
}

#[test]
fn a_plan_is_as_large_for_a_thousand_moments_as_for_a_hundred() {
    for each_reads in [true, false] {
        let [hundred, thousand] = [100, 1000].map(|moments| {
            let plan = planned(&recurrent(Time::Feedback, moments, 32, each_reads));
            let module = generate(&plan, Precision::Double).unwrap();
            let lines = plan.listing(&|cell| format!("l{cell}")).len();
            (lines, module.bytes.len())
        });
        assert_eq!(hundred.0, thousand.0);
        // Only addresses and counts take more bytes.
        assert!(thousand.1 < hundred.1 + 1000, "{hundred:?} {thousand:?}");
        assert!(thousand.1 < 100_000, "{thousand:?}");
    }
}

#[test]
fn a_loop_trains_as_its_moments_written_out_do() {
    for each_reads in [true, false] {
        for precision in [Precision::Double, Precision::Single] {
            let [looped, written] = [Time::Feedback, Time::Iterate].map(|time| {
                let source = recurrent(time, 40, 5, each_reads);
                let (training, stopped) = trained(&source, Engine::Compiled(precision));
                assert!(stopped.is_none(), "{stopped:?}");
                training
            });
            let bound = match precision {
                Precision::Double => 1e-12,
                Precision::Single => 1e-5,
            };
            for ((name, looped), (_, written)) in looped.heap.iter().zip(&written.heap) {
                for (x, y) in looped.data().iter().zip(written.data()) {
                    assert!((x - y).abs() <= bound, "{name}: {x} and {y}");
                }
            }
        }
    }
}

/// Returns a training on a sum of logarithms over ten moments, one of them of `third`. Each moment writes the location that it reads.
fn logarithms(third: &str) -> String {
    format!(
        "loc w ∷ (1, 1) = [2]
handler H(t : Real(1)) : Real(1) {{
  x ↦ ⌊x − t⌋
  Get[ℓ] ( _ ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
         | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − 0.01 · g) in ⌊()⌋ )
  Put[ℓ] ( w ↦ let _ ⇐ Put[ℓ](w) in ⌊⟨(), ()⟩⌋ | _, _ ↦ ⌊zero[1]⌋ )
}}
command R(v : Real(10)) : Real(1) =
  feedback[10]([1], v)⟨s, x⟩. let w ⇐ Get[w]() in let _ ⇐ Put[w](w + x) in ⌊w ⊙ log(x) + s⌋
data d = [⟨[1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1]⟩, ⟨[1, 1, {third}, 1, 1, 1, 1, 1, 1, 1], [1]⟩]
train d as ⟨v, t⟩ for 1 epochs = rev handle(v)⟨v⟩. R(v) with H(t)
"
    )
}

#[test]
fn a_step_that_stops_in_a_moment_has_not_begun() {
    let (defined, stopped) = trained(&logarithms("2"), Engine::Compiled(Precision::Double));
    assert!(stopped.is_none(), "{stopped:?}");
    let (training, stopped) = trained(&logarithms("−2"), Engine::Compiled(Precision::Double));
    let error = stopped.unwrap();
    assert_eq!(error.code, "F0601");
    assert!(
        error.message.contains("in moment 3 of 10"),
        "{}",
        error.message
    );
    // The heap is that after the first sample, which wrote the location in each of its ten moments.
    let [(_, contents)] = training.heap.as_slice() else {
        panic!("{:?}", training.heap);
    };
    let first = &logarithms("2").replace(", ⟨[1, 1, 2, 1, 1, 1, 1, 1, 1, 1], [1]⟩", "");
    let (alone, _) = trained(first, Engine::Compiled(Precision::Double));
    assert_eq!(contents, &alone.heap[0].1);
    assert_ne!(contents, &defined.heap[0].1);
}

#[test]
fn loops_that_would_take_too_long_are_refused() {
    let endless = "loc w ∷ (1, 1) = [2]
data d = [[1]]
train d as v for 1 epochs = feedback[1000000000](v, ())⟨s, _⟩. ⌊sin(s)⌋
measure last on d as v = feedback[1000000000](v, ())⟨s, _⟩. ⌊sin(s)⌋
";
    for engine in [
        Engine::Compiled(Precision::Double),
        Engine::Compiled(Precision::Single),
        Engine::Denotation,
    ] {
        let (_, stopped) = trained(endless, engine);
        let error = stopped.unwrap();
        assert_eq!(error.code, "F0603", "{}", error.message);
    }
}
