//! Table of costs that all benches print: median, nine of ten and worst beside their bounds. The
//! benches of the page print the same (`tests/e2e/bench/table.mjs`), and `cargo xtask bench` counts what is missed.
#![allow(unreachable_pub)] // Each bench has its own copy.

use std::time::Instant;

/// The lines above the rows.
pub fn heading() {
    println!("| figure | median | nine of ten | worst | bound | |");
    println!("|---|---|---|---|---|---|");
}

/// One row of the table, of at least one time; the worst may be so many milliseconds.
pub fn row(what: &str, mut times: Vec<f64>, most: f64) {
    times.sort_by(f64::total_cmp);
    let part = |share: f64| times[((times.len() as f64 * share) as usize).min(times.len() - 1)];
    let (median, nine, worst) = (part(0.5), part(0.9), part(1.0));
    let held = if worst <= most { "held" } else { "**MISSED**" };
    println!(
        "| {what} | {median:.1} ms | {nine:.1} ms | {worst:.1} ms | worst {most} ms | {held} |"
    );
}

/// How many milliseconds some work takes, each time it is done.
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

/// The median of some times.
pub fn median(taken: &[f64]) -> f64 {
    let mut sorted = taken.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// A row of what is compared.
pub fn bound(what: &str, bound: &str, held: bool) {
    println!(
        "| {what} | | | | {bound} | {} |",
        if held { "held" } else { "**MISSED**" }
    );
}
