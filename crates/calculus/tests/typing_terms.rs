//! Rules of Fig. typing-terms, one test each: judgements that a rule derives, and judgements that
//! it rejects.

use fletch_calculus::typing;
use fletch_notation::Notation;

/// Checks the last rule and the type of the derivation, or the reason why there is none.
#[track_caller]
fn check(judgement: &str, expect: &str) {
    let read = Notation::default().term(judgement);
    let found = match typing::term(&read.environment(), &read.subject) {
        Ok(derivation) => format!("{} {}", derivation.rule.name(), derivation.ty),
        Err(error) => format!("rejected: {}", error.kind),
    };
    assert_eq!(found, expect, "{judgement}");
}

#[test]
fn t_var() {
    check("x : Real(2) × 1 ⊢ x", "T-Var Real(2) × 1");
    check("x : Real(2), x : Real(3) ⊢ x", "T-Var Real(3)");
    check("x : Real(2) ⊢ y", "rejected: `y` is not bound here");
    check(
        "k : Real(1) ⇝ Real(1) ⊢ k",
        "rejected: `k` is not bound here",
    );
}

#[test]
fn t_const() {
    check("[1, 2, 3]", "T-Const Real(3)");
    check("()", "T-Const 1");
}

#[test]
fn t_func() {
    check("x : Real(2) ⊢ swish[2](x)", "T-Func Real(2)");
    check(
        "x : Real(4), y : Real(2) ⊢ matmul[2, 2, 1](x, y)",
        "T-Func Real(2)",
    );
    check(
        "x : Real(2), w : Real(2) ⊢ rd[swish[2]](x, w)",
        "T-Func Real(2)",
    );
    check(
        "x : Real(2) ⊢ swish[3](x)",
        "rejected: expected Real(3), found Real(2)",
    );
    check("swish[1](y)", "rejected: `y` is not bound here");
}

#[test]
fn t_plus() {
    check("x : Real(2) ⊢ x + [1, 2]", "T-Plus Real(2)");
    // Sums at products are componentwise.
    check("x : Real(2) × Real(1) ⊢ x + x", "T-Plus Real(2) × Real(1)");
    check(
        "x : Real(2) ⊢ x + 1",
        "rejected: expected Real(2), found Real(1)",
    );
    check(
        "x : Real(2) × Real(1) ⊢ x + x.1",
        "rejected: expected Real(2) × Real(1), found Real(2)",
    );
}

#[test]
fn t_tuple() {
    check(
        "x : Real(2) ⊢ ⟨x, 1, ⟨x, ()⟩⟩",
        "T-Tuple Real(2) × Real(1) × (Real(2) × 1)",
    );
    check("x : Real(2) ⊢ ⟨x, y⟩", "rejected: `y` is not bound here");
}

#[test]
fn t_proj() {
    check("x : Real(2) × Real(3) ⊢ x.1", "T-Proj Real(2)");
    check("x : Real(2) × Real(3) ⊢ x.2", "T-Proj Real(3)");
    check(
        "x : Real(2) × Real(3) ⊢ x.3",
        "rejected: there is no component 3 in Real(2) × Real(3)",
    );
    check(
        "x : Real(2) ⊢ x.1",
        "rejected: there is no component 1 in Real(2)",
    );
}

#[test]
fn t_let() {
    check(
        "x : Real(2) ⊢ let y ← sum[2](x) in ⟨x, y⟩",
        "T-Let Real(2) × Real(1)",
    );
    check("x : Real(2) ⊢ let x ← sum[2](x) in x", "T-Let Real(1)");
    check(
        "let y ← [1, 2] in y + 1",
        "rejected: expected Real(2), found Real(1)",
    );
    // The scope of x is the body, not the bound term.
    check("let x ← x in 1", "rejected: `x` is not bound here");
}

#[test]
fn t_rd() {
    check(
        "w : Real(1), v : Real(2) ⊢ w.rd(x. sum[2](x))(v)",
        "T-RD Real(2)",
    );
    check(
        "w : Real(2), v : Real(2) × Real(1) ⊢ w.rd(x. x.1)(v)",
        "T-RD Real(2) × Real(1)",
    );
    check(
        "w : Real(2), v : Real(2) ⊢ w.rd(x. sum[2](x))(v)",
        "rejected: expected Real(1), found Real(2)",
    );
    check(
        "w : Real(1), v : Real(3) ⊢ w.rd(x. sum[2](x))(v)",
        "rejected: expected Real(2), found Real(3)",
    );
    // The scope of x is N alone.
    check(
        "v : Real(1) ⊢ x.rd(x. x)(v)",
        "rejected: `x` is not bound here",
    );
    check(
        "w : Real(1) ⊢ w.rd(x. x)(x)",
        "rejected: `x` is not bound here",
    );
}

#[test]
fn premises_stand_in_the_order_of_the_figure() {
    let read = Notation::default().term("⟨1, ()⟩.rd(x. ⟨x.1, ()⟩)(⟨2, 3⟩)");
    let types: Vec<String> = typing::term(&read.environment(), &read.subject)
        .map(|derivation| derivation.premises)
        .unwrap_or_default()
        .iter()
        .map(|premise| format!("{} {}", premise.rule.name(), premise.ty))
        .collect();
    assert_eq!(
        types,
        [
            "T-Tuple Real(1) × 1",
            "T-Tuple Real(1) × 1",
            "T-Tuple Real(1) × Real(1)"
        ]
    );
}
