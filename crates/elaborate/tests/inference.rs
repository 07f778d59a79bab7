//! Indices that need not be written: of handlers, by the type that they handle; of `broadcast`, by the other operand; of `concat`.

use crate::common::{complains, elaborated, program};
use fletch_elaborate::LeftOut;

/// Checks that both programs have the same type, and that the first gets no diagnostics.
#[track_caller]
fn same(short: &str, long: &str) {
    complains(short, &[]);
    assert_eq!(program(short).ty, program(long).ty);
}

const NETWORK: &str = "
op Act[n, b] : Real(n × b) ▷ Real(n × b)
command R[b](x : Real(2 × b)) : Real(2 × b) = Act(x)
handler Infer[n, b] : Real(n × b) ⇒ Real(n × b) { x ↦ ⌊x⌋ Act[n, b], k; x ↦ k • tanh(x) }
handler Learn[b](t : Real(2 × b)) : Real(2 × b) { x ↦ ⌊x − t⌋ Act[n, b] ( x ↦ ⌊⟨x, x⟩⌋ | y, x ↦ ⌊y⌋ ) }
handler Again[b] : Real(1 × b) { x ↦ ⌊x⌋ }
handler Once : Real(1 × 3) extends Again {}
";

#[test]
fn a_handler_is_of_the_type_that_it_handles() {
    let with = |main: &str| format!("{NETWORK}main = {main}");
    same(
        &with("handle R([[1, 2, 3], [4, 5, 6]]) with Infer"),
        &with("handle R[3]([[1, 2, 3], [4, 5, 6]]) with Infer[2, 3]"),
    );
    same(
        &with("rev handle([[1, 2, 3], [4, 5, 6]])⟨x⟩. R(x) with Learn([[0, 0, 0], [1, 1, 1]])"),
        &with("rev handle([[1, 2, 3], [4, 5, 6]])⟨x⟩. R(x) with Learn[3]([[0, 0, 0], [1, 1, 1]])"),
    );
    same(
        &with("rev handle([[1, 2, 3]])⟨x⟩. ⌊x⌋ with Once"),
        &with("rev handle([[1, 2, 3]])⟨x⟩. ⌊x⌋ with Again[3]"),
    );
    // A vector of six entries may be any of several matrices.
    complains(
        &with("handle ⌊[1, 2, 3, 4, 5, 6]⌋ with Infer"),
        &["F0304 Infer"],
    );
    // An index that differs from the handled type is a mismatch.
    complains(
        &with("handle R([[1, 2, 3], [4, 5, 6]]) with Infer[2, 4]"),
        &["F0406 R([[1, 2, 3], [4, 5, 6]])"],
    );
}

#[test]
fn broadcast_and_concat_fit_what_is_beside_them() {
    let term = |term: &str| format!("main = ⌊let x ← [1, 2, 3] in {term}⌋");
    let pairs = [
        ("x − broadcast(mean(x))", "x − broadcast[3](mean(x))"),
        ("broadcast(2) ⊙ x + x", "broadcast[3](2) ⊙ x + x"),
        (
            "x / broadcast(sum(x)) + broadcast(1)",
            "x / broadcast[3](sum(x)) + broadcast[3](1)",
        ),
        ("concat(x, x)", "concat[1, 1, 3](x, x)"),
    ];
    for (short, long) in pairs {
        same(&term(short), &term(long));
        let shown = |source: &str| fletch_notation::print(&program(&term(source)).main);
        assert_eq!(shown(short), shown(long));
    }
    complains(
        &term("broadcast(1) − broadcast(2)"),
        &["F0304 broadcast(1)"],
    );
    // Consequences of an unknown name are not reported.
    complains(&term("z − broadcast(mean(x))"), &["F0201 z"]);
    complains(&term("broadcast(mean(z)) + y"), &["F0201 z", "F0201 y"]);
    complains(&term("2 · broadcast(1)"), &["F0304 broadcast(1)"]);
    // A declared function `broadcast` replaces the symbol.
    complains(
        "fun broadcast(x : Real(1)) : Real(2) = [1, 2]\nmain = ⌊[3, 4] − broadcast(1)⌋",
        &[],
    );
}

/// The types and indices that the source omits, each with the name that it belongs to.
fn left_out(source: &str) -> Vec<String> {
    let names = elaborated(source).names.into_iter();
    let told = names.filter_map(|name| {
        Some(match name.left_out? {
            LeftOut::Type(ty) => format!("{}: {ty}", name.name),
            LeftOut::Indices(all) => format!("{}[{all}]", name.name),
        })
    });
    told.collect()
}

#[test]
fn what_is_left_out_is_told_where_it_is_one_thing() {
    let with = |main: &str| left_out(&format!("{NETWORK}main = {main}"));
    assert_eq!(
        with("handle R([[1, 2, 3], [4, 5, 6]]) with Infer"),
        ["Again[3]", "R[3]", "Infer[2, 3]"]
    );
    assert_eq!(with("let y ⇐ ⌊[1, 2]⌋ in ⌊y⌋"), ["Again[3]", "y: Real(2)"]);
}
