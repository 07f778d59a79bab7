//! Measures the costs of stepping: `cargo xtask bench --only steps` prints the table of `docs/dev/cost.md`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed measurement is a panic.

use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Digits, Reply, Show};
use fletch_smooth::Partiality;
use fletch_tests::{examples, must_check};
use fletch_trace::{Budget, Trace};
use peak_alloc::PeakAlloc;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Number of runs of each measurement. The fastest run is reported, because it was disturbed least.
const RUNS: usize = 5;

fn main() {
    println!(
        "| program | steps | check | trace, all states kept | memory | text of all steps | a view, median and worst |"
    );
    println!("|---|---|---|---|---|---|---|");
    for name in [
        "mlp",
        "autoencoder",
        "deep_autoencoder",
        "recurrent",
        "unet_training",
    ] {
        let file = examples().join(format!("{name}.fletch"));
        measure(name, &fs::read_to_string(file).unwrap());
    }
    measure("chain of 24 layers", &chain(24));
    measure("chain of 31 layers", &chain(31));
    measure("chain of 100 layers", &chain(100));
    measure("chain of 330 layers", &chain(330));
}

fn measure(name: &str, source: &str) {
    let (check, main) = fastest(|| must_check(source));
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let trace = || {
        let mut trace = Trace::new(&main.program, Partiality::Paper);
        trace.run(usize::MAX, &Budget::steps(usize::MAX));
        trace
    };
    let (run, trace) = fastest(trace);
    let memory = (MEMORY.current_usage() - before) as f64 / 1e6;
    // The text of more steps would only take longer to measure.
    let steps = trace.len().min(10_000);
    let (text, ()) = fastest(|| {
        fletch_transcript::steps::steps(&trace, 1, steps, Digits::Exact).for_each(|step| {
            black_box(step.json().to_string());
        });
    });
    let (median, worst) = views(source, trace.len());
    println!(
        "| {name} | {} | {check:.1} ms | {run:.1} ms | {memory:.1} MB | {text:.0} ms{} | {median:.1} ms, {worst:.1} ms |",
        trace.len(),
        if steps < trace.len() { " (10 000)" } else { "" }
    );
}

/// Measures the views that the page waits for, at 200 positions spread over the trace. Returns median and worst time in ms.
fn views(source: &str, steps: usize) -> (f64, f64) {
    let mut session = Session::new(Budget::steps(usize::MAX));
    session.ask(1, Ask::load(source));
    let milliseconds = 60_000;
    session.ask(1, Ask::Advance { milliseconds });
    let mut times: Vec<f64> = (0..200)
        .map(|part| {
            let show = Show {
                position: u32::try_from(steps * part / 200).unwrap(),
                width: 72,
                ..Show::default()
            };
            let (time, reply) = fastest(|| session.ask(1, Ask::Show(show.clone())));
            assert!(matches!(reply, Reply::Shown(_)));
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[100], times[199])
}

fn fastest<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut time = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed().as_secs_f64() * 1000.0, result)
    };
    let (mut best, mut last) = time();
    for _ in 1..RUNS {
        drop(last);
        let next = time();
        best = best.min(next.0);
        last = next.1;
    }
    (best, last)
}

/// Returns a perceptron with many layers, whose run takes 9L² + 37L + 4 reductions.
fn chain(layers: usize) -> String {
    let mut source = String::from("op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\n");
    let mut body = String::new();
    for layer in 0..layers {
        writeln!(source, "loc w{layer} ∷ (2, 2) = glorot(seed: {layer})").unwrap();
        writeln!(body, "  let z ⇐ FC[w{layer}](x) in let x ⇐ ⌊swish(z)⌋ in").unwrap();
    }
    write!(
        source,
        "command R(x : Real(2)) : Real(2) =\n{body}  ⌊x⌋
handler H(t : Real(2)) : Real(2) {{
  x ↦ ⌊0.1 · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}}
main = rev handle([1, −1])⟨x⟩. R(x) with H([0, 0])\n"
    )
    .unwrap();
    source
}
