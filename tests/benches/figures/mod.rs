//! Table of costs that all benches print: median, 90th percentile and worst time, next to their bounds. The benches
//! of the page print the same table (`tests/e2e/bench/table.mjs`), and `cargo xtask bench` counts missed bounds.
#![allow(unreachable_pub)] // Each bench has its own copy.

use std::time::Instant;

/// Prints the header of the table.
pub fn heading() {
    println!("| figure | median | nine of ten | worst | bound | |");
    println!("|---|---|---|---|---|---|");
}

/// Prints one row of the table. `times` has at least one time in ms; the worst may be at most `most` ms.
pub fn row(what: &str, mut times: Vec<f64>, most: f64) {
    times.sort_by(f64::total_cmp);
    let part = |share: f64| times[((times.len() as f64 * share) as usize).min(times.len() - 1)];
    let (median, nine, worst) = (part(0.5), part(0.9), part(1.0));
    let held = if worst <= most { "held" } else { "**MISSED**" };
    println!(
        "| {what} | {median:.1} ms | {nine:.1} ms | {worst:.1} ms | worst {most} ms | {held} |"
    );
}

/// Runs some work several times. Returns the duration of each run in ms.
pub fn times<T>(runs: usize, mut work: impl FnMut() -> T) -> Vec<f64> {
    let time = |_| {
        let start = Instant::now();
        let result = work();
        let time = start.elapsed().as_secs_f64() * 1000.0;
        drop(result);
        time
    };
    (0..runs).map(time).collect()
}

/// Returns the median of some times.
pub fn median(taken: &[f64]) -> f64 {
    let mut sorted = taken.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Prints the row of a comparison that has no times of its own.
pub fn bound(what: &str, bound: &str, held: bool) {
    println!(
        "| {what} | | | | {bound} | {} |",
        if held { "held" } else { "**MISSED**" }
    );
}
