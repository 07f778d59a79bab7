//! Equations of W.R_V(x. N), one test each (Fig. rewriting-rule-term), with the equation for + that the
//! figure lacks (`errata.md`, gap 1) and the zeros at the types of x and of the component (gap 2).

use fletch_calculus::typing;
use fletch_calculus::{DerivativeError, Term, TermKind, rewrite_derivative};
use fletch_notation::{Judgement, Notation, print};

/// Rewrites W.R_V(x. N), for a judgement `… ⊢ W.rd(x. N)(V)`.
fn rewritten(read: &mut Judgement<Term>) -> Result<Term, DerivativeError> {
    let TermKind::ReverseDerivative {
        cotangent,
        variable,
        body,
        point,
    } = read.subject.kind()
    else {
        panic!("no derivative");
    };
    let ty = typing::term(&read.environment(), point)?.ty;
    rewrite_derivative(cotangent, point, &ty, variable, body, &mut read.supply)
}

/// Checks the result of an equation, up to renaming, and that it preserves the type (Prop. 3.3 of Abadi
/// and Plotkin).
#[track_caller]
fn check(judgement: &str, expect: &str) {
    let mut read = Notation::default().term(judgement);
    let found = match rewritten(&mut read) {
        Ok(found) => found,
        Err(error) => panic!("{judgement}: {error:?}"),
    };
    let expected = print(&Notation::default().term(expect).subject);
    assert_eq!(print(&found), expected, "{judgement}");
    let ty = |term: &Term| typing::term(&read.environment(), term).map(|derivation| derivation.ty);
    assert_eq!(ty(&found), ty(&read.subject), "{judgement}");
}

const REAL: &str = "v : Real(1), w : Real(1)";

#[test]
fn variable() {
    check(&format!("{REAL} ⊢ w.rd(x. x)(v)"), "w");
    check("w : Real(1) ⊢ w.rd(x. x)(2)", "w");
}

#[test]
fn another_variable() {
    check(
        "v : Real(2), w : Real(1), y : Real(1) ⊢ w.rd(x. y)(v)",
        "[0, 0]",
    );
    check(
        "v : Real(2) × Real(1), w : Real(1), y : Real(1) ⊢ w.rd(x. y)(v)",
        "⟨[0, 0], 0⟩",
    );
}

#[test]
fn constant() {
    check("v : Real(2), w : Real(1) ⊢ w.rd(x. 3)(v)", "[0, 0]");
    check(
        "v : Real(2) × 1, w : Real(1) ⊢ w.rd(x. 3)(v)",
        "⟨[0, 0], ()⟩",
    );
}

#[test]
fn function() {
    check(
        &format!("{REAL} ⊢ w.rd(x. swish[1](x))(v)"),
        "let x ← v in let y ← rd[swish[1]](x, w) in y",
    );
    check(
        &format!("{REAL} ⊢ w.rd(x. swish[1](sin[1](x)))(v)"),
        "let x ← v in let y ← rd[swish[1]](sin[1](x), w) in
         let x ← v in let z ← rd[sin[1]](x, y) in z",
    );
}

#[test]
fn sum() {
    check(
        &format!("{REAL} ⊢ w.rd(x. x + swish[1](x))(v)"),
        "w + (let x ← v in let y ← rd[swish[1]](x, w) in y)",
    );
}

#[test]
fn tuple() {
    check(
        "v : Real(1), w : Real(1) × Real(1) × Real(1) ⊢ w.rd(x. ⟨x, 2, x⟩)(v)",
        "let t ← w in let a ← t.1 in let b ← t.2 in let c ← t.3 in (a + 0) + c",
    );
}

#[test]
fn projection() {
    check(
        "v : Real(1) × Real(2) × 1, w : Real(2) ⊢ w.rd(x. x.2)(v)",
        "let x ← v in let y ← x in ⟨0, w, ()⟩",
    );
}

#[test]
fn binding() {
    // The body of the `let` is also differentiated at y; this cotangent continues into the bound term.
    check(
        &format!("{REAL} ⊢ w.rd(x. let y ← sin[1](x) in y + x)(v)"),
        "let x ← v in let y ← sin[1](x) in
         (0 + w) + (let z ← w + 0 in let x ← v in let u ← rd[sin[1]](x, z) in u)",
    );
    // A variable bound by N hides x of the same name.
    check(
        &format!("{REAL} ⊢ w.rd(x. let x ← sin[1](x) in x)(v)"),
        "let x ← v in let y ← sin[1](x) in
         0 + (let z ← w in let x ← v in let u ← rd[sin[1]](x, z) in u)",
    );
}

/// A derivative inside N is rewritten as `let z ← M in let w ← L in z.R_w(y. N)`.
#[test]
fn derivative() {
    for (derivative, instead) in [
        (
            "3.rd(y. swish[1](y))(x)",
            "let z ← 3 in let u ← x in let y ← u in let c ← rd[swish[1]](y, z) in c",
        ),
        ("x.rd(y. x + y)(2)", "let z ← x in let u ← 2 in 0 + z"),
    ] {
        let mut read = Notation::default().term(&format!("{REAL} ⊢ w.rd(x. {derivative})(v)"));
        let mut other = Notation::default().term(&format!("{REAL} ⊢ w.rd(x. {instead})(v)"));
        let (found, expected) = (rewritten(&mut read), rewritten(&mut other));
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(print(&found), print(&expected)),
            other => panic!("{derivative}: {other:?}"),
        }
    }
}

/// Binders of N do not capture V and W, even if a binder and a variable of V or W have the same number.
#[test]
fn values_are_not_captured() {
    let mut read = Notation::default().term("v : Real(1) ⊢ 1.rd(x. let y ← sin[1](x) in x)(v)");
    let TermKind::ReverseDerivative { variable, body, .. } = read.subject.kind() else {
        panic!();
    };
    let TermKind::Let(y, ..) = body.kind() else {
        panic!();
    };
    let outer = Term::variable(y, fletch_calculus::Origin::default());
    let ty = read.ty("v");
    let found = rewrite_derivative(&outer, &outer, &ty, variable, body, &mut read.supply);
    let expected = "let x ← y in let z ← sin[1](x) in
         y + (let u ← 0 in let x ← y in let c ← rd[sin[1]](x, u) in c)";
    let expected = Notation::default().term(&format!("y : Real(1) ⊢ {expected}"));
    match found {
        Ok(found) => assert_eq!(print(&found), print(&expected.subject)),
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn what_has_no_type_or_is_too_large_is_refused() {
    let mut read = Notation::default().term("v : Real(1) ⊢ 1.rd(x. y.1)(v)");
    assert!(matches!(
        rewritten(&mut read),
        Err(DerivativeError::IllTyped(typing::TypeError { .. }))
    ));
    // The equation writes each `let` twice: 2²⁰ nodes.
    let lets = "let y ← x + x in ".repeat(20);
    let mut read = Notation::default().term(&format!("v : Real(1) ⊢ 1.rd(x. {lets} y)(v)"));
    let result = rewritten(&mut read);
    assert!(
        matches!(result, Err(DerivativeError::TooLarge { .. })),
        "{}",
        result.is_ok()
    );
}
