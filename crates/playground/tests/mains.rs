//! Programs without a `main`: the `main` that they are offered checks, runs, and does not get stuck.

use fletch_playground::protocol::{Ask, Checked, Offer, Reply, Severity};
use fletch_playground::{Budget, Session};
use std::fs;
use std::path::Path;

/// Result of checking a text, and the `main` that is offered for it.
fn check(source: &str) -> (Checked, Option<Offer>) {
    let mut session = Session::new(Budget::steps(10_000));
    let Reply::Checked(checked) = session.ask(1, Ask::load(source)) else {
        panic!("not checked")
    };
    match session.ask(1, Ask::Offer) {
        Reply::Offered(offer) => (checked, offer),
        Reply::Outdated => (checked, None),
        other => panic!("{other:?}"),
    }
}

/// The `main` that is offered for a program. The program with this `main` is checked again here.
fn offer(source: &str) -> Option<String> {
    let Offer { text, edit } = check(source).1?;
    let length = source.encode_utf16().count();
    assert_eq!((edit.from as usize, edit.to as usize), (length, length));
    let whole = format!("{source}{}", edit.insert);
    assert!(whole.ends_with(&format!("\n\n{text}\n")), "{whole}");
    let (checked, again) = check(&whole);
    let errors = checked.diagnostics.iter();
    let errors = errors.filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 0, "{whole}");
    assert!(checked.main.is_some() && again.is_none(), "{whole}");
    Some(text)
}

const LAYER: &str = "\
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
loc w ∷ (2, 3) = glorot(seed: 1)
command R(x : Real(2)) : Real(3) = FC[w](x)
handler H(α : Real(1), t : Real(3)) : Real(3) {
  x ↦ ⌊α · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
";

#[test]
fn a_command_is_run_under_a_handler_that_fits_it() {
    let found = offer(LAYER);
    let under = "main = rev handle([0.1, 0.2])⟨x⟩. R(x) with H(0.1, [0.1, 0.2, 0.3])";
    assert_eq!(found.as_deref(), Some(under));
    // A handler of another type does not fit.
    let other = LAYER.replace("t : Real(3)) : Real(3)", "t : Real(2)) : Real(2)");
    assert_eq!(offer(&other), None);
}

#[test]
fn a_command_is_run_as_it_is_where_that_reduces() {
    for (program, main) in [
        ("command R(x : Real(1)) = ⌊x + x⌋", "main = R(1)"),
        (
            "command R(x : Real(2 × 2), y : Real(1) × Real(2)) = ⌊⟨x, y⟩⌋",
            "main = R([[0.1, 0.2], [0.3, 0.4]], ⟨1, [0.1, 0.2]⟩)",
        ),
        ("command R() = ⌊1⌋", "main = R()"),
        (
            "op O : Real(1) ▷ Real(1)\n\
             command R(x : Real(1)) = O(x)\n\
             handler H : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋  O, k; x ↦ k • (x + 1) }",
            "main = handle R(1) with H",
        ),
        (
            "dim n = 20\ncommand R(x : Real(n)) = ⌊sum(x)⌋",
            "main = R(broadcast[20](0.5))",
        ),
        // A command that another one calls comes after its caller.
        (
            "command A(x : Real(1)) = ⌊x⌋\ncommand B(x : Real(1)) = A(x)",
            "main = B(1)",
        ),
    ] {
        assert_eq!(offer(program).as_deref(), Some(main), "{program}");
    }
}

#[test]
fn nothing_is_offered_where_nothing_would_run() {
    for program in [
        "",
        "\n",
        "-- only a comment",
        "dim n = 2",
        // The candidate is rejected as a `main`: its operation would reach the top level.
        "op O : Real(1) ▷ Real(1)\ncommand R(x : Real(1)) = O(x)",
        // The candidate is rejected as a `main`: the run would be stuck.
        "command R(x : Real(1)) = ⌊log(0 − x)⌋",
        // A program with errors must be repaired first. A program with a `main` needs no other.
        "command R(x : Real(1)) = ⌊x + y⌋",
        "command R(x : Real(1)) = ⌊x⌋\nmain = ⌊2⌋",
    ] {
        assert_eq!(offer(program), None, "{program}");
    }
}

#[test]
fn the_examples_without_their_main_are_offered_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut offered = 0;
    let mut all = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "fletch") {
            let source = fs::read_to_string(&path).unwrap();
            let without = &source[..source.find("\nmain =").unwrap() + 1];
            all += 1;
            offered += usize::from(offer(without).is_some());
        }
    }
    // The remaining examples destructure the result of their network, or need two handlers at once.
    assert!(2 * offered > all, "{offered} of {all}");
}
