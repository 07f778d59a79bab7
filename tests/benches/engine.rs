//! Measures the cost of a training before its first step and at each step, and the growth of this cost with the depth of a network.
#![allow(
    dead_code, // Of what the benches share, a part.
    missing_docs,
    unsafe_code, // The limit takes places in memory.
    clippy::unwrap_used, // A failed measurement is a panic.
    clippy::indexing_slicing
)]

mod figures;
// Hand-written training steps, the limit that modules are compared with. The bench in the browser uses the same file.
#[allow(
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    clippy::all,
    clippy::restriction,
    unreachable_pub
)]
#[path = "../peers/limit/src/lanes.rs"]
#[rustfmt::skip]
mod lanes;

use figures::{bound, median, row, times};
use fletch_arrows::Arrow;
use fletch_calculus::{Program, Tensor};
use fletch_codegen::generate;
use fletch_elaborate::{component, with_items};
use fletch_engine::{Plan, Precision, Wanted, lower, plan};
use fletch_ide::check;
use fletch_smooth::Partiality;
use fletch_tests::module::Running;
use fletch_tests::nested::nested;
use fletch_tests::time::{Time, recurrent};
use fletch_tests::{examples, must_check};
use lanes::f64n;
use std::fs;
use std::hint::black_box;

const RUNS: usize = 9;

/// A hand-written training step. Its arguments are weights, sample, target, scratch space and learning rate; it returns the loss.
type Limit = unsafe fn(*mut f64, *const f64, *const f64, *mut f64, f64) -> f64;

/// Cases of the benches: name, number of steps that are timed at once, and hand-written limit.
const LIMITS: [(&str, usize, Limit); 7] = [
    ("xor", 200_000, f64n::mlp1::<2, 8, 1>),
    ("dig1", 20_000, f64n::mlp1::<64, 32, 10>),
    ("dig32", 1000, f64n::mlpb::<64, 32, 10, 32>),
    ("mn1", 1000, f64n::mlp1::<784, 128, 10>),
    ("mn32", 50, f64n::mlpb::<784, 128, 10, 32>),
    ("cnn", 5000, f64n::cnn),
    ("unet", 1000, f64n::unet),
];

/// Returns the first `train` item of a program with its sample left open as an input, and the first sample.
fn open(source: &str) -> (Program, Vec<Tensor>) {
    let program = check(source).program;
    with_items(&program, &Default::default(), |items| {
        let train = items.trains()[0];
        let sample = items.sample(train, 0).unwrap();
        (items.on_any(train).unwrap(), sample)
    })
}

fn planned(program: &Program, sample: &[Tensor]) -> Plan {
    let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
    let sizes: Vec<usize> = sample.iter().map(Tensor::len).collect();
    let line = lower(&arrow, &sizes, component, Wanted::Heap).unwrap();
    plan(&line, Partiality::Total)
}

fn main() {
    figures::heading();
    // Time from an edited text to a module that can run, without the compilation in the browser.
    for (name, most) in [
        ("xor", 20.0),
        ("dig1", 20.0),
        ("dig32", 20.0),
        ("mn1", 60.0),
        ("mn32", 60.0),
        ("cnn", 60.0),
        ("unet", 60.0),
    ] {
        let path = examples().join("bench").join(format!("{name}.fletch"));
        let source = fs::read_to_string(path).unwrap();
        let begin = || {
            let (program, sample) = open(&source);
            generate(&planned(&program, &sample), Precision::Double).unwrap()
        };
        let bytes = begin().bytes.len();
        let what = format!("{name}: from the text to a module of {bytes} bytes");
        row(&what, times(RUNS, begin), most);
    }
    for (name, steps, limit) in LIMITS {
        let path = examples().join("bench").join(format!("{name}.fletch"));
        let (program, sample) = open(&fs::read_to_string(path).unwrap());
        let plan = planned(&program, &sample);
        let mut running = Running::new(&plan, &program, &sample).unwrap();
        let numbers = |count: usize| -> Vec<f64> {
            let number = |at: usize| ((at * 7919 % 1009) as f64 / 1009.0 - 0.5) / 8.0;
            (0..count).map(number).collect()
        };
        let (mut weights, data) = (numbers(1 << 17), numbers(1 << 16));
        let mut scratch = vec![0.0; 1 << 17];
        let mut by_hand = || {
            for _ in 0..steps {
                // SAFETY: the slices are longer than what the largest case needs of each.
                let step = unsafe {
                    limit(
                        weights.as_mut_ptr(),
                        data.as_ptr(),
                        data.as_ptr(),
                        scratch.as_mut_ptr(),
                        1e-6,
                    )
                };
                black_box(step);
            }
        };
        // The two are timed alternately, so that changes in the machine's speed cancel out in the ratio.
        let (mut own, mut other) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            own.extend(times(1, || assert!(running.steps(steps))));
            other.extend(times(1, &mut by_hand));
        }
        let per_second = |taken: &[f64]| 1000.0 * steps as f64 / median(taken);
        let ratio = per_second(&own) / per_second(&other);
        bound(
            &format!(
                "{name}: steps a second natively, {:.0} of the module, {:.0} of the limit: {ratio:.2}",
                per_second(&own),
                per_second(&other)
            ),
            "at least 0.9 of the limit",
            ratio >= 0.9,
        );
    }
    // A plan grows with the depth of its network, and its planning time must grow linearly.
    let per_layer: Vec<f64> = [8, 64, 480]
        .map(|layers| {
            let program = must_check(&nested(1, layers)).program;
            let make = || {
                let made = planned(&program, &[]);
                let module = generate(&made, Precision::Double).unwrap();
                (made.items.len(), module.bytes.len())
            };
            let (loops, bytes) = make();
            let what =
                format!("a plan and its module: {layers} layers ({loops} loops, {bytes} bytes)");
            let taken = times(RUNS, || black_box(make()));
            let each = median(&taken) / layers as f64;
            row(&what, taken, 2.0 * layers as f64);
            each
        })
        .to_vec();
    bound(
        &format!("milliseconds a layer at 8, 64 and 480 layers: {per_layer:.2?}"),
        "at most twice those at 8",
        per_layer.iter().all(|each| *each <= 2.0 * per_layer[0]),
    );
    // A loop may cost little more than its moments written out, and planning a thousand moments must not take long.
    let source = recurrent(Time::Feedback, 1000, 32, false);
    let begin = || {
        let (program, sample) = open(&source);
        generate(&planned(&program, &sample), Precision::Double).unwrap()
    };
    let bytes = begin().bytes.len();
    let what = format!("a thousand moments of 32: from the text to a module of {bytes} bytes");
    row(&what, times(RUNS, begin), 200.0);
    let moment = |time: Time, moments: usize, steps: usize| {
        let (program, sample) = open(&recurrent(time, moments, 32, false));
        let plan = planned(&program, &sample);
        let mut running = Running::new(&plan, &program, &sample).unwrap();
        let taken = times(RUNS, || assert!(running.steps(steps)));
        1000.0 * median(&taken) / (moments * steps) as f64
    };
    let (written, looped) = (
        moment(Time::Iterate, 64, 16),
        moment(Time::Feedback, 1000, 1),
    );
    bound(
        &format!(
            "microseconds a moment: {written:.2} of 64 written out, {looped:.2} of 1000 in a loop"
        ),
        "a loop at 0.8 of the speed",
        0.8 * looped <= written,
    );
}
