//! Sources of maximum depth and length, and threads with a small stack.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time limit after which a test counts as hung, even on the slowest machine.
const HANGS: Duration = Duration::from_secs(180);

/// Runs a closure on a thread with a stack of `kib` KiB; fails if it panics or does not end within
/// `HANGS`.
pub fn on_small_stack(kib: usize, run: impl FnOnce() + Send + 'static) {
    let (over, wait) = channel();
    let builder = thread::Builder::new().stack_size(kib << 10);
    let thread = builder.spawn(move || {
        run();
        drop(over);
    });
    // The channel is closed when the closure returns or panics.
    let ended: Result<(), _> = wait.recv_timeout(HANGS);
    assert_eq!(ended, Err(RecvTimeoutError::Disconnected), "it hangs");
    thread.unwrap().join().unwrap();
}

/// Stack size in KiB that suffices for anything here.
pub const ANY_KIB: usize = 16 << 10;

/// Stack size that the parser needs at its nesting limit, in KiB.
pub const PARSER_KIB: usize = if cfg!(debug_assertions) { 2048 } else { 512 };

/// Every construct that nests: the text before, the opening text, the closing text, and the
/// innermost text.
pub const NESTS: &[(&str, &str, &str, &str)] = &[
    ("fun f(x : 1) = ", "(", ")", "x"),
    ("fun f(x : 1) = ", "⟨", ", y⟩", "x"),
    ("fun f(x : 1) = ", "f(", ")", "x"),
    ("fun f(x : 1) = ", "1 + 2 · −f[n](", ")ᵀ", "x"),
    ("fun f(x : 1) = ", "let y ← ", " in y", "x"),
    ("fun f(x : 1) = ", "y.rd(x. ", ")(L)", "x"),
    ("fun f(x : 1) = ", "x + let y ← z in ", "", "x"),
    ("fun f(x : 1) = g[", "rd[", "]", "f"),
    ("fun f(x : 1) = g[", "h[", "]", "f"),
    ("dim n = ", "(", ")", "1"),
    ("dim n = ", "⌈", "/2⌉", "1"),
    ("op O : ", "(", ")", "1"),
    ("main = ", "(", ")", "⌊x⌋"),
    ("main = ", "handle ", " with H", "R()"),
    ("main = ", "handle R() with { x ↦ ", "}", "R()"),
    ("main = ", "rev handle(x)⟨x⟩. ", " with H", "R()"),
    ("main = ", "iterate[i : 3](x)⟨h⟩. ", "", "R()"),
    ("main = ", "let x ⇐ ", " in ⌊x⌋", "R()"),
    ("main = let ", "⟨", ", y⟩", "x"),
    (
        "main = ",
        "handle R() with { O ( x ↦ P() | y, z ↦ ",
        ")}",
        "R()",
    ),
];

/// Source that nests a construct to this depth.
pub fn nest(depth: usize, (before, open, close, inside): (&str, &str, &str, &str)) -> String {
    format!(
        "{before}{}{inside}{}",
        open.repeat(depth),
        close.repeat(depth)
    )
}

/// Sources with chains of this length, one for every construct that the parser reads in a loop.
pub fn chains(length: usize) -> Vec<String> {
    vec![
        format!("main = {}⌊x⌋", "let x ⇐ FC(x) in\n".repeat(length)),
        format!("fun f(x : 1) = {}x", "let ⟨x, y⟩ ← f(x) in ".repeat(length)),
        format!("fun f(x : 1) = x{}", " + x".repeat(length)),
        format!("fun f(x : 1) = x{}", " · x".repeat(length)),
        format!("fun f(x : 1) = x{}", "ᵀ".repeat(length)),
        format!("fun f(x : 1) = x{}", ".1".repeat(length)),
        format!("fun f(x : 1) = {}x", "−".repeat(length)),
        format!("dim n = 1{}", " + 1".repeat(length)),
        format!("dim n = 1{}", " * n".repeat(length)),
    ]
}
