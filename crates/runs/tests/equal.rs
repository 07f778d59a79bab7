//! Comparisons behind `fletch equal`. Constants are equal if their bits are; a difference that rounding explains is a verdict of its own.

use fletch_runs::denotation::{Comparison, compare, denotation};
use fletch_smooth::Partiality;

/// The verdict on two terms over x : Real(2) in one word, with the largest difference if the verdict is rounding.
fn verdict(left: &str, right: &str) -> (&'static str, f64) {
    let source = format!(
        "command A(x : Real(2)) : Real(2) = ⌊{left}⌋\ncommand B(x : Real(2)) : Real(2) = ⌊{right}⌋\n"
    );
    let checked = fletch_ide::check(&source);
    assert!(!checked.rejected(), "{:?}", checked.diagnostics);
    let Ok(a) = denotation(&checked, &source, "A") else {
        panic!("{left}");
    };
    let Ok(b) = denotation(&checked, &source, "B") else {
        panic!("{right}");
    };
    match compare(&a, &b, Partiality::Paper) {
        Comparison::Equal { .. } => ("equal", 0.0),
        Comparison::Rounding(rounding) => ("rounding", rounding.difference),
        Comparison::Different(_) => ("different", 0.0),
        Comparison::TooLong | Comparison::Incomparable => panic!("{left}, {right}"),
    }
}

#[test]
fn constants_that_are_near_are_not_equal() {
    let cases = [
        ("[1, 1e-13] ⊙ x", "[1, 0] ⊙ x"),
        ("([1, 1e-13] + [0, 0]) ⊙ x", "[1, 0] ⊙ x"),
        ("([1, 1e-13] ⊙ [1, 1]) ⊙ x", "[1, 0] ⊙ x"),
        ("x + [0, 1e-300]", "x"),
        ("1.0000000000000002 · x", "1 · x"),
        ("(1 + 0) · x", "1.0000000000000002 · x"),
        ("[1e13, 1] ⊙ x", "[1e13, 1.001] ⊙ x"),
        ("tanh(x + [1, 1e-17])", "tanh(x + [1, 0])"),
        ("exp([0, 1e-14]) ⊙ x", "exp([0, 2e-14]) ⊙ x"),
    ];
    for (left, right) in cases {
        assert_eq!(verdict(left, right).0, "different", "{left}, {right}");
        assert_eq!(verdict(right, left).0, "different", "{right}, {left}");
        assert_eq!(verdict(left, left).0, "equal", "{left}");
    }
}

#[test]
fn what_comes_to_the_same_bits_is_equal() {
    let cases = [
        ("(1 + 2) · x", "3 · x"),
        ("x + [0.25, 1] + [0.5, 2]", "x + [0.75, 3]"),
        ("[-0, 1] ⊙ x", "[0, 1] ⊙ x"),
        ("x + [0, 0]", "x"),
        ("tanh([0.5, 1]) + x", "x + tanh([0.5, 1])"),
    ];
    for (left, right) in cases {
        assert_eq!(verdict(left, right).0, "equal", "{left}, {right}");
    }
}

#[test]
fn rounding_explains_what_is_computed() {
    let cases = [
        ("(0.1 + 0.2) · x", "0.3 · x", 5.551115123125783e-17),
        (
            "x + [0.1, 0] + [0.2, 0] + [0.3, 0]",
            "x + ([0.6, 0])",
            1.1102230246251565e-16,
        ),
        (
            "x + ([0.1, 0] + [0.2, 0] − [0.3, 0])",
            "x",
            5.551115123125783e-17,
        ),
        ("(sqrt(2) ⊙ sqrt(2)) · x", "2 · x", 4.440892098500626e-16),
    ];
    for (left, right, difference) in cases {
        assert_eq!(
            verdict(left, right),
            ("rounding", difference),
            "{left}, {right}"
        );
        assert_eq!(
            verdict(right, left),
            ("rounding", difference),
            "{right}, {left}"
        );
    }
}

/// The verdict on two commands over a state and n rows of Real(2). The commands can call `Moment`, `Swapped` and `Pure`.
fn of_loops(n: usize, left: &str, right: &str) -> Comparison {
    let source = format!(
        "dim n = {n}
op O : Real(2) ▷ Real(2)
command Moment(s : Real(2), x : Real(2)) : Real(2) × Real(2) = let y ⇐ O(s + x) in ⌊⟨tanh(y), x⟩⌋
command Swapped(s : Real(2), x : Real(2)) : Real(2) × Real(2) = let y ⇐ O(x + s) in ⌊⟨tanh(y), x + zero[2]⟩⌋
command Pure(s : Real(2), x : Real(2)) : Real(2) × Real(2) = ⌊⟨log(s) + x, s⟩⌋
command A(s : Real(2), xs : Real(n × 2)) : Real(2) × Real(n × 2) = {left}
command B(s : Real(2), xs : Real(n × 2)) : Real(2) × Real(n × 2) = {right}
"
    );
    let checked = fletch_ide::check(&source);
    assert!(!checked.rejected(), "{:?}", checked.diagnostics);
    let [Ok(a), Ok(b)] = ["A", "B"].map(|name| denotation(&checked, &source, name)) else {
        panic!("{left}, {right}");
    };
    compare(&a, &b, Partiality::Paper)
}

#[test]
fn loops_with_equal_bodies_are_equal_for_any_number_of_moments() {
    let of = |name: &str| format!("feedback[n](s, xs)⟨s, x⟩. {name}(s, x)");
    let pairs = [
        (of("Moment"), of("Swapped")),
        (of("Pure"), of("Pure")),
        // A pure loop and a loop that performs an operation, in either order.
        (
            format!(
                "let a ⇐ {} in let b ⇐ {} in ⌊a + b⌋",
                of("Pure"),
                of("Moment")
            ),
            format!(
                "let b ⇐ {} in let a ⇐ {} in ⌊a + b⌋",
                of("Swapped"),
                of("Pure")
            ),
        ),
    ];
    for (left, right) in pairs {
        // The second number of moments is too large to compare them one by one.
        for n in [3, 1_000_000] {
            let compared = of_loops(n, &left, &right);
            assert!(
                matches!(compared, Comparison::Equal { any_length: true }),
                "{left}"
            );
        }
    }
}

#[test]
fn loops_with_other_bodies_are_compared_moment_by_moment() {
    let looped = |name: &str| format!("feedback[n](s, xs)⟨s, x⟩. {name}(s, x)");
    let by_hand = "let ⟨s, a⟩ ⇐ Moment(s, slice[0, 2](xs)) in let ⟨s, b⟩ ⇐ Moment(s, slice[2, 2](xs)) in ⌊⟨s, concat[1, 1, 2](a, b)⟩⌋";
    let compared = of_loops(2, &looped("Moment"), by_hand);
    assert!(matches!(compared, Comparison::Equal { any_length: false }));
    // The pairs differ in the order of the performed operations, in the body, and in the domain of definition.
    let twice = |first: &str, second: &str| {
        format!(
            "let a ⇐ {} in let b ⇐ {} in ⌊a + b⌋",
            looped(first),
            looped(second)
        )
    };
    for (left, right) in [
        (looped("Moment"), looped("Pure")),
        (twice("Moment", "Pure"), twice("Moment", "Moment")),
        (looped("Pure"), "⌊⟨s, xs⟩⌋".to_owned()),
    ] {
        let compared = of_loops(3, &left, &right);
        assert!(
            matches!(compared, Comparison::Different(_)),
            "{left}, {right}"
        );
    }
    let long = of_loops(1_000_000, &looped("Moment"), &looped("Pure"));
    assert!(matches!(long, Comparison::TooLong));
}
