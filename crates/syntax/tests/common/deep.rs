//! Sources as deep and as long as can be, and a stack as small as can be.

/// Runs on a thread with a small stack: parsing and dropping must fit.
pub fn on_small_stack(kib: usize, run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(kib << 10)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// What the parser needs at its nesting limit.
pub const PARSER_KIB: usize = if cfg!(debug_assertions) { 2048 } else { 512 };

/// Every construct that nests: what comes before, the opening and closing part, what is inside.
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

/// A source that nests a construct this deeply.
pub fn nest(depth: usize, (before, open, close, inside): (&str, &str, &str, &str)) -> String {
    format!(
        "{before}{}{inside}{}",
        open.repeat(depth),
        close.repeat(depth)
    )
}

/// Every construct that is read in a loop.
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
