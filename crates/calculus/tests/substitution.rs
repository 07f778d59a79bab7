//! Substitution: the subterms that it enters, the binders at which it stops, and the absence of capture.

use fletch_calculus::{Command, CommandKind, Origin, Role, Substitution, Term, TermKind};
use fletch_notation::{Notation, print};

const DECLARED: &str = "
  op O : Real(1) ▷ Real(1)
  handler H : Real(1) { x ↦ ⌊x⌋ }
  handler K : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ }";

/// Checks M[V/x], where `judgement` is `… ⊢ ⟨V, M⟩`.
#[track_caller]
fn check(judgement: &str, expect: &str) {
    let notation = Notation::default();
    let mut read = notation.term(judgement);
    let TermKind::Tuple(parts) = read.subject.kind() else {
        panic!("{judgement}");
    };
    let Some((value, body)) = parts.pair() else {
        panic!("{judgement}");
    };
    let found = Substitution::one(&read.variable("x"), value.clone()).term(body, &mut read.supply);
    assert_eq!(
        print(&found),
        print(&notation.term(expect).subject),
        "{judgement}"
    );
}

/// Checks P[y/x], where `judgement` is `x : …, y : … ⊢ P`.
#[track_caller]
fn check_command(judgement: &str, expect: &str) {
    let notation = Notation::new(DECLARED);
    let mut read = notation.command(judgement);
    let y = Term::variable(&read.variable("y"), Origin::default());
    let found = Substitution::one(&read.variable("x"), y).command(&read.subject, &mut read.supply);
    assert_eq!(
        print(&found),
        print(&notation.command(expect).subject),
        "{judgement}"
    );
}

#[test]
fn it_reaches_every_part_of_a_term() {
    check("x : Real(1) ⊢ ⟨2, x⟩", "2");
    check("x : Real(1), y : Real(1) ⊢ ⟨2, y⟩", "y");
    check("x : Real(1) ⊢ ⟨2, swish[1](x)⟩", "swish[1](2)");
    check("x : Real(1) ⊢ ⟨2, x + (1 + x)⟩", "2 + (1 + 2)");
    check("x : Real(1) ⊢ ⟨2, ⟨x, 1, x⟩⟩", "⟨2, 1, 2⟩");
    check("x : Real(1) ⊢ ⟨⟨2, 3⟩, x.2⟩", "⟨2, 3⟩.2");
    check(
        "x : Real(1) ⊢ ⟨2, let y ← x in x + y⟩",
        "let y ← 2 in 2 + y",
    );
    check("x : Real(1) ⊢ ⟨2, x.rd(y. x + y)(x)⟩", "2.rd(y. 2 + y)(2)");
}

#[test]
fn it_stops_at_a_binder_of_the_variable() {
    check("x : Real(1) ⊢ ⟨2, let x ← x in x⟩", "let x ← 2 in x");
    check("x : Real(1) ⊢ ⟨2, x.rd(x. x)(x)⟩", "2.rd(x. x)(2)");
    // The binder of `let y ← y in y` has the number of the free y: a substitution made the term. 2 is then substituted for y.
    let mut read = Notation::default().term("x : Real(1) ⊢ let y ← x in y");
    let TermKind::Let(y, ..) = read.subject.kind() else {
        panic!();
    };
    let outer = Term::variable(y, Origin::default());
    let twice = Substitution::one(&read.variable("x"), outer).term(&read.subject, &mut read.supply);
    let two = Notation::default().term("2").subject;
    let found = Substitution::one(y, two).term(&twice, &mut read.supply);
    assert_eq!(print(&found), "let #1 ← 2 in #1");
}

/// A binder that occurs in the substituted value is renamed. The notation gives every binder its own number, so each case substitutes
/// the bound variable itself.
#[test]
fn a_binder_that_would_capture_is_renamed() {
    let notation = Notation::default();
    let mut read = notation.term("x : Real(1) ⊢ let y ← 1 in x + y");
    let TermKind::Let(y, ..) = read.subject.kind() else {
        panic!();
    };
    let outer = Term::variable(y, Origin::default());
    let found = Substitution::one(&read.variable("x"), outer).term(&read.subject, &mut read.supply);
    // The substituted y stays free.
    assert_eq!(print(&found), "let #1 ← 1 in (y + #1)");

    let mut read = notation.term("x : Real(1) ⊢ 1.rd(y. x + y)(2)");
    let TermKind::ReverseDerivative { variable: y, .. } = read.subject.kind() else {
        panic!();
    };
    let outer = Term::variable(y, Origin::default());
    let found = Substitution::one(&read.variable("x"), outer).term(&read.subject, &mut read.supply);
    assert_eq!(print(&found), "(1).rd(#1. (y + #1))(2)");

    let mut read = Notation::new(DECLARED).command("x : Real(1) ⊢ let y ⇐ ⌊x⌋ in ⌊x + y⌋");
    let CommandKind::Let { variable: y, .. } = read.subject.kind() else {
        panic!();
    };
    let outer = Term::variable(y, Origin::default());
    let found =
        Substitution::one(&read.variable("x"), outer).command(&read.subject, &mut read.supply);
    assert_eq!(print(&found), "let #1 ⇐ ⌊y⌋ in ⌊(y + #1)⌋");
}

#[test]
fn all_variables_are_replaced_at_once() {
    let notation = Notation::default();
    let mut read = notation.term("x : Real(1), y : Real(1) ⊢ ⟨x, y⟩");
    let variables = [read.variable("x"), read.variable("y")];
    let swapped: Vec<Term> = variables
        .iter()
        .rev()
        .map(|x| Term::variable(x, Origin::default()))
        .collect();
    let found = Substitution::many(&variables, &swapped).term(&read.subject, &mut read.supply);
    assert_eq!(print(&found), "⟨y, x⟩");
}

#[test]
fn it_reaches_every_part_of_a_command() {
    let check = |command: &str, expect: &str| {
        check_command(&format!("x : Real(1), y : Real(1) ⊢ {command}"), expect);
    };
    check("⌊x⌋", "⌊y⌋");
    check("O(x)", "O(y)");
    check("let z ⇐ O(x) in ⌊x + z⌋", "let z ⇐ O(y) in ⌊y + z⌋");
    check("let x ⇐ O(x) in ⌊x⌋", "let x ⇐ O(y) in ⌊x⌋");
    check("k • x", "k • y");
    check(
        "rev handle(x)⟨z⟩. O(z) with H",
        "rev handle(y)⟨z⟩. O(z) with H",
    );
    // The body of rev handle has no variables but its own.
    check(
        "rev handle(x)⟨x⟩. O(x) with H",
        "rev handle(y)⟨x⟩. O(x) with H",
    );
    check("handle O(x) with K", "handle O(y) with K");
}

/// Checks [(y. C)/k]: `k • M` becomes `let y ⇐ ⌊M⌋ in C`, also under handlers, and no variable of C is captured.
#[test]
fn a_continuation_is_put_in() {
    let notation = Notation::new(DECLARED);
    let check = |judgement: &str, expect: &str| {
        let mut read = notation.command(judgement);
        let rest = notation.command("y : Real(1), u : Real(1) ⊢ O(y + u)");
        let (k, y) = (read.variable("k"), rest.variable("y"));
        let found = Substitution::default()
            .with_continuation(&k, y, rest.subject)
            .command(&read.subject, &mut read.supply);
        assert_eq!(print(&found), expect, "{judgement}");
    };
    check(
        "k : Real(1) ⇝ Real(1) ⊢ k • 2",
        "let #1 ⇐ ⌊2⌋ in O((#1 + u))",
    );
    check(
        "k : Real(1) ⇝ Real(1) ⊢ let a ⇐ k • 2 in k • a",
        // `a` has the number of u, so it is renamed.
        "let #2 ⇐ let #1 ⇐ ⌊2⌋ in O((#1 + u)) in let #3 ⇐ ⌊#2⌋ in O((#3 + u))",
    );
    check(
        "k : Real(1) ⇝ Real(1) ⊢ handle k • 2 with K",
        "handle let #1 ⇐ ⌊2⌋ in O((#1 + u)) with K",
    );
    check("k : Real(1) ⇝ Real(1) ⊢ j • 2", "j • 2");
}

/// A pending substitution of closed values gives the same command for every choice of the moments at which its form is requested.
#[test]
fn closed_values_are_put_in_whenever_one_looks() {
    let judgement = "x : Real(1), y : Real(1), z : Real(1) ⊢
        let u ⇐ O(x) in let x ⇐ (let y ⇐ ⌊y + x⌋ in O(y + z)) in let v ⇐ handle O(x + y) with K in
        let w ⇐ rev handle(y + u)⟨y⟩. O(y) with H in ⌊⟨x, y, z, u, v, w⟩⌋";
    let expected =
        "let u ⇐ O(1) in let x ⇐ (let y ⇐ ⌊2 + 1⌋ in O(y + 3)) in let v ⇐ handle O(x + 2) with K in
        let w ⇐ rev handle(2 + u)⟨y⟩. O(y) with H in ⌊⟨x, 2, 3, u, v, w⟩⌋";
    let notation = Notation::new(DECLARED);
    let expected = print(&notation.command(expected).subject);
    let value = |number: &str| Notation::default().term(number).subject;
    for looks in 0..8_u32 {
        let mut read = notation.command(judgement);
        let variables = ["x", "y", "z"].map(|name| read.variable(name));
        let mut found = read.subject.clone();
        for (at, (x, number)) in variables.iter().zip(["1", "2", "3"]).enumerate() {
            found = Substitution::one(x, value(number)).command(&found, &mut read.supply);
            if looks >> at & 1 == 1 {
                print(&found);
            }
        }
        assert_eq!(print(&found), expected, "looked {looks:b}");
        assert!(found.free().is_empty());
        let all = ["1", "2", "3"].map(value);
        let at_once = Substitution::many(&variables, &all);
        let at_once = at_once.command(&read.subject, &mut read.supply);
        assert_eq!(print(&at_once), expected);
    }
}

/// Pending projections of a tuple are the `let`s of the paper's abbreviation, with the same free variables, also after a substitution
/// into them, and whenever their form is requested.
#[test]
fn components_are_bound_whenever_one_looks() {
    fn same_variables(waiting: &Command, made: &Command) {
        let names = |command: &Command| command.free().ids().count();
        assert_eq!(names(waiting), names(made));
        if let (CommandKind::Let { body, .. }, CommandKind::Let { body: other, .. }) =
            (waiting.kind(), made.kind())
        {
            same_variables(body, other);
        }
    }
    let notation = Notation::new(DECLARED);
    let written = "let p ⇐ O(x) in let a ⇐ ⌊p.1⌋ in let b ⇐ ⌊p.2⌋ in let c ⇐ ⌊p.3⌋ in ⌊⟨c, x, a⟩⌋";
    let written = notation.command(&format!("x : Real(1) ⊢ {written}"));
    let given = "x : Real(1), a : Real(1), b : Real(1), c : Real(1) ⊢ let _ ⇐ O(x) in ⌊⟨c, x, a⟩⌋";
    for looks in [true, false] {
        let mut read = notation.command(given);
        let components = ["a", "b", "c"].map(|name| read.variable(name));
        let CommandKind::Let { bound, body, .. } = read.subject.kind() else {
            panic!();
        };
        let p = read.supply.fresh("p");
        let (role, nowhere) = (Role::Plain, Origin::default());
        let made = Command::bind_tuple(
            p.clone(),
            &components,
            bound.clone(),
            body.clone(),
            role,
            nowhere,
        );
        if looks {
            assert_eq!(print(&made), print(&written.subject));
            same_variables(&made, &written.subject);
        }
        let CommandKind::Let {
            body: projections, ..
        } = made.kind()
        else {
            panic!();
        };
        let values = notation.term("⟨⟨1, 2, 3⟩, 7⟩").subject;
        let TermKind::Tuple(values) = values.kind() else {
            panic!();
        };
        let mut found = projections.clone();
        for (variable, value) in [p, read.variable("x")].iter().zip(values.iter()) {
            found = Substitution::one(variable, value.clone()).command(&found, &mut read.supply);
        }
        let expected = "let a ⇐ ⌊⟨1, 2, 3⟩.1⌋ in let b ⇐ ⌊⟨1, 2, 3⟩.2⌋ in let c ⇐ ⌊⟨1, 2, 3⟩.3⌋ in ⌊⟨c, 7, a⟩⌋";
        assert_eq!(print(&found), print(&notation.command(expected).subject));
        assert!(found.free().is_empty());
        assert_eq!(print(&made), print(&written.subject));
    }
}
