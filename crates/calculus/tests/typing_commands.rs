//! Rules of Fig. typing-commands-handlers, of ordinary handlers and of RH^V_H, one test each: judgements
//! that a rule derives, and judgements that it rejects.

use fletch_calculus::{CommandKind, Handled, Origin, Term, Type, typing};
use fletch_notation::Notation;
use std::sync::Arc;

const DECLARED: &str = "
  op O : Real(2) ▷ Real(1)
  loc w ∷ (2, 3)
  handler H : Real(1) {
    x ↦ ⌊x⌋
    O (x ↦ ⌊⟨sum[2](x), x⟩⌋ | y, z ↦ ⌊z + broadcast[2](y)⌋)
  }
  handler K : Real(1) ⇒ Real(2) {
    x ↦ ⌊broadcast[2](x)⌋
    O, k; x ↦ let y ⇐ ⌊sum[2](x)⌋ in k • y
  }";

fn said(result: Result<typing::Derivation, typing::TypeError>) -> String {
    match result {
        Ok(derivation) => format!("{} {}", derivation.rule.name(), derivation.ty),
        Err(error) => format!("rejected: {}", error.kind),
    }
}

/// Checks the last rule and the type of the derivation of a command, or the reason why there is none.
#[track_caller]
fn check(judgement: &str, expect: &str) {
    let read = Notation::new(DECLARED).command(judgement);
    let found = typing::command(&read.environment(), &read.subject);
    assert_eq!(said(found), expect, "{judgement}");
}

/// Checks the same for a reverse handler for `O : Real(2) ▷ Real(1)` with these clauses.
#[track_caller]
fn check_reverse(ty: &str, clauses: &str, expect: &str) {
    let source = format!("op O : Real(2) ▷ Real(1)\nhandler H : {ty} {{ {clauses} }}");
    let handler = Notation::new(&source).reverse_handler("H");
    assert_eq!(said(typing::reverse_handler(&handler)), expect, "{clauses}");
}

/// Checks the same for an ordinary handler for `O : Real(2) ▷ Real(1)` with these clauses.
#[track_caller]
fn check_ordinary(ty: &str, clauses: &str, expect: &str) {
    let source = format!("op O : Real(2) ▷ Real(1)\nhandler K : {ty} {{ {clauses} }}");
    let handler = Notation::new(&source).ordinary_handler("K");
    assert_eq!(
        said(typing::ordinary_handler(&handler)),
        expect,
        "{clauses}"
    );
}

#[test]
fn t_pure() {
    check("x : Real(2) ⊢ ⌊⟨x, 1⟩⌋", "T-Pure Real(2) × Real(1)");
    check("⌊x⌋", "rejected: `x` is not bound here");
}

#[test]
fn t_op() {
    check("x : Real(2) ⊢ O(x)", "T-Op Real(1)");
    check("Get[w]()", "T-Op Real(6)");
    check("x : Real(6) ⊢ Put[w](x)", "T-Op 1");
    check(
        "x : Real(3) ⊢ O(x)",
        "rejected: expected Real(2), found Real(3)",
    );
    check(
        "x : Real(2) ⊢ Put[w](x)",
        "rejected: expected Real(6), found Real(2)",
    );
    check("Get[w](1)", "rejected: expected 1, found Real(1)");
}

#[test]
fn t_clet() {
    check(
        "x : Real(2) ⊢ let y ⇐ O(x) in ⌊⟨x, y⟩⌋",
        "T-CLet Real(2) × Real(1)",
    );
    check("x : Real(2) ⊢ let x ⇐ O(x) in ⌊x⌋", "T-CLet Real(1)");
    check(
        "x : Real(2) ⊢ let y ⇐ O(x) in O(y)",
        "rejected: expected Real(2), found Real(1)",
    );
    check("let x ⇐ ⌊x⌋ in ⌊1⌋", "rejected: `x` is not bound here");
}

#[test]
fn t_rhandle() {
    // The result has the type of the argument, not of the body.
    check("rev handle([1, 2])⟨x⟩. O(x) with H", "T-RHandle Real(2)");
    check(
        "v : Real(2) ⊢ rev handle(⟨v, 3⟩)⟨x, y⟩. let u ⇐ O(x) in ⌊u + y⌋ with H",
        "T-RHandle Real(2) × Real(1)",
    );
    check(
        "v : Real(2) × Real(1) ⊢ rev handle(v)⟨p⟩. O(p.1) with H",
        "T-RHandle Real(2) × Real(1)",
    );
    // The rule requires R : C and ⊢ʳ H : C.
    check(
        "rev handle([1, 2])⟨x⟩. ⌊x⌋ with H",
        "rejected: expected Real(1), found Real(2)",
    );
    check(
        "rev handle([1, 2])⟨x, y⟩. ⌊x⌋ with H",
        "rejected: 2 variables cannot take apart Real(2)",
    );
    check(
        "rev handle(⟨1, 2, 3⟩)⟨x, y⟩. ⌊x⌋ with H",
        "rejected: 2 variables cannot take apart Real(1) × Real(1) × Real(1)",
    );
}

#[test]
fn the_body_of_rev_handle_has_its_own_variables_only() {
    check(
        "v : Real(1) ⊢ rev handle(v)⟨x⟩. ⌊v⌋ with H",
        "rejected: `v` is not bound here",
    );
    check(
        "k : Real(1) ⇝ Real(1) ⊢ rev handle(1)⟨x⟩. k • x with H",
        "rejected: `k` is not bound here",
    );
}

#[test]
fn t_handle() {
    check("handle O([1, 2]) with K", "T-Handle Real(2)");
    // The body of an ordinary handler may use outer variables.
    check("v : Real(2) ⊢ handle O(v) with K", "T-Handle Real(2)");
    check(
        "k : Real(1) ⇝ Real(1) ⊢ handle k • 1 with K",
        "T-Handle Real(2)",
    );
    check(
        "handle ⌊[1, 2]⌋ with K",
        "rejected: expected Real(1), found Real(2)",
    );
}

#[test]
fn t_resume() {
    check("k : Real(2) ⇝ Real(3) ⊢ k • [1, 2]", "T-Resume Real(3)");
    check(
        "k : Real(2) ⇝ Real(3) ⊢ k • 1",
        "rejected: expected Real(2), found Real(1)",
    );
    check(
        "k : Real(2) ⊢ k • [1, 2]",
        "rejected: `k` is not bound here",
    );
}

#[test]
fn t_rhandler() {
    let good = "O (x ↦ ⌊⟨sum[2](x), x⟩⌋ | y, z ↦ ⌊z + broadcast[2](y)⌋)";
    check_reverse("Real(1)", &format!("x ↦ ⌊x⌋ {good}"), "T-RHandler Real(1)");
    check_reverse("Real(3)", &format!("x ↦ ⌊x⌋ {good}"), "T-RHandler Real(3)");
    // The return clause needs x : C ⊢ P : C.
    check_reverse(
        "Real(2)",
        &format!("x ↦ ⌊sum[2](x)⌋ {good}"),
        "rejected: expected Real(2), found Real(1)",
    );
    // A forward clause needs x : A ⊢ Qᶠ : B × D.
    check_reverse(
        "Real(1)",
        "x ↦ ⌊x⌋ O (x ↦ ⌊sum[2](x)⌋ | y, z ↦ ⌊[0, 0]⌋)",
        "rejected: a forward clause gives a pair of result and saved value, not Real(1)",
    );
    check_reverse(
        "Real(1)",
        "x ↦ ⌊x⌋ O (x ↦ ⌊⟨x, x⟩⌋ | y, z ↦ ⌊[0, 0]⌋)",
        "rejected: a forward clause gives a pair of result and saved value, not Real(2) × Real(2)",
    );
    // A backward clause needs y : B, z : D ⊢ Qᵇ : A.
    check_reverse(
        "Real(1)",
        "x ↦ ⌊x⌋ O (x ↦ ⌊⟨1, ()⟩⌋ | y, z ↦ ⌊y⌋)",
        "rejected: expected Real(2), found Real(1)",
    );
    check_reverse(
        "Real(1)",
        "x ↦ ⌊x⌋ O (x ↦ ⌊⟨1, ()⟩⌋ | y, z ↦ ⌊z + [1, 2]⌋)",
        "rejected: expected 1, found Real(2)",
    );
    // Clauses are closed, and the scope of x is Qᶠ alone.
    check_reverse(
        "Real(1)",
        "x ↦ ⌊x⌋ O (x ↦ ⌊⟨1, x⟩⌋ | y, z ↦ ⌊x⌋)",
        "rejected: `x` is not bound here",
    );
    check_reverse("Real(1)", "x ↦ ⌊v⌋", "rejected: `v` is not bound here");
}

#[test]
fn t_ohandler() {
    check_ordinary(
        "Real(1) ⇒ Real(2)",
        "x ↦ ⌊⟨x, x⟩.1 + x⌋",
        "rejected: expected Real(2), found Real(1)",
    );
    check_ordinary(
        "Real(1) ⇒ Real(2)",
        "x ↦ ⌊broadcast[2](x)⌋ O, k; x ↦ k • 1",
        "T-OHandler Real(2)",
    );
    // A clause may resume any number of times, also never.
    check_ordinary(
        "Real(1) ⇒ Real(2)",
        "x ↦ ⌊broadcast[2](x)⌋ O, k; x ↦ ⌊x⌋",
        "T-OHandler Real(2)",
    );
    check_ordinary(
        "Real(1) ⇒ Real(2)",
        "x ↦ ⌊broadcast[2](x)⌋ O, k; x ↦ let a ⇐ k • 1 in let b ⇐ k • 2 in ⌊a + b⌋",
        "T-OHandler Real(2)",
    );
    // The continuation has the type k : B ⇝ D.
    check_ordinary(
        "Real(1) ⇒ Real(2)",
        "x ↦ ⌊broadcast[2](x)⌋ O, k; x ↦ k • x",
        "rejected: expected Real(1), found Real(2)",
    );
    check_ordinary(
        "Real(1) ⇒ Real(3)",
        "x ↦ ⌊broadcast[3](x)⌋ O, k; x ↦ ⌊x⌋",
        "rejected: expected Real(3), found Real(2)",
    );
}

/// Checks RH^V_H(⟨ȳ⟩. R) made from `rev handle(⟨V₁, …⟩)⟨ȳ⟩. R with H`; `types` are the types of ȳ that it
/// carries.
#[track_caller]
fn check_handled(judgement: &str, types: &[Type], expect: &str) {
    let read = Notation::new(DECLARED).command(judgement);
    let CommandKind::RevHandle {
        argument,
        variables,
        body,
        handler,
    } = read.subject.kind()
    else {
        panic!("{judgement}");
    };
    let values: Arc<[Term]> = match argument.kind() {
        fletch_calculus::TermKind::Tuple(parts) => parts.to_vec().into(),
        _ => Arc::from([argument.clone()]),
    };
    let handled = Handled {
        values,
        variables: Arc::clone(variables),
        types: types.into(),
        body: body.clone(),
        handler: Arc::clone(handler),
        run: 0,
    };
    let handled = handled.command(Origin::default());
    let found = typing::command(&read.environment(), &handled);
    assert_eq!(said(found), expect, "{judgement}");
}

/// Lemma type-preservation-RH: Γ; Δ′ ⊢ RH^V_H(⟨ȳ⟩. R) : ∏ Bᵢ.
#[test]
fn t_rh() {
    let (one, two) = (Type::real(1), Type::real(2));
    check_handled(
        "v : Real(2) ⊢ rev handle(⟨v, 3⟩)⟨x, y⟩. let u ⇐ O(x) in ⌊u + y⌋ with H",
        &[two.clone(), one.clone()],
        "T-RH Real(2) × Real(1)",
    );
    check_handled(
        "v : Real(2) ⊢ rev handle(v)⟨x⟩. O(x) with H",
        &[one],
        "rejected: expected Real(1), found Real(2)",
    );
    check_handled(
        "v : Real(2) ⊢ rev handle(v)⟨x⟩. O(v) with H",
        std::slice::from_ref(&two),
        "rejected: `v` is not bound here",
    );
    check_handled(
        "k : Real(2) ⇝ Real(1) ⊢ rev handle([1, 2])⟨x⟩. k • x with H",
        std::slice::from_ref(&two),
        "rejected: `k` is not bound here",
    );
    check_handled(
        "rev handle([1, 2])⟨x⟩. ⌊x⌋ with H",
        &[two],
        "rejected: expected Real(1), found Real(2)",
    );
}
