//! The equations of Fig. rewriterevh, and those that eliminate an ordinary handler under RH: source, RH^V_H(⟨ȳ⟩. R) before, and the
//! result of the equation.

use crate::common::{check, first};
use fletch_calculus::{Called, Part, Role};
use fletch_reduction::{Action, Rule};

const DECLARED: &str = "op O : Real(1) ▷ Real(1)
  op Q : Real(1) ▷ Real(1)
  handler H : Real(1) {
    x ↦ ⌊x + 1⌋
    O (x ↦ ⌊⟨x + 2, x⟩⌋ | y, z ↦ ⌊y + z⌋)
  }
  handler Inner : Real(1) {
    x ↦ ⌊x + 3⌋
    Q (x ↦ let u ⇐ O(x) in ⌊⟨u, x⟩⌋ | y, z ↦ ⌊y⌋)
  }
  handler K : Real(1) ⇒ Real(1) { x ↦ ⌊x + 4⌋  Q, k; x ↦ k • x }
  main = ";

#[track_caller]
fn unfolds(main: &str, rule: Rule, redex: &str, contractum: &str) {
    check(&format!("{DECLARED}{main}"), rule, redex, contractum);
}

#[test]
fn rh_ret() {
    unfolds(
        "rev handle(⟨5, 6⟩)⟨a, b⟩. ⌊b⌋ with H",
        Rule::RhRet,
        "RH(⟨5, 6⟩; ⟨#1, #2⟩. ⌊#2⌋ with H)",
        "let #1 ⇐ ⌊(6 + 1)⌋ in ⌊⟨0, #1⟩⌋",
    );
}

#[test]
fn rh_let() {
    unfolds(
        "rev handle(5)⟨a⟩. let b ⇐ ⌊a⌋ in O(b) with H",
        Rule::RhLet,
        "RH(⟨5⟩; ⟨#1⟩. let #2 ⇐ ⌊#1⌋ in O(#2) with H)",
        "RH(⟨5⟩; ⟨#1⟩. O(#1) with H)",
    );
}

#[test]
fn rh_op() {
    unfolds(
        "rev handle(⟨5, 6⟩)⟨a, b⟩. let c ⇐ O(b) in ⌊c⌋ with H",
        Rule::RhOp,
        "RH(⟨5, 6⟩; ⟨#1, #2⟩. let #3 ⇐ O(#2) in ⌊#3⌋ with H)",
        "let #1 ⇐ ⌊⟨(6 + 2), 6⟩⌋ in let #2 ⇐ ⌊#1.1⌋ in let #3 ⇐ ⌊#1.2⌋ in \
         let #8 ⇐ RH(⟨#2, 5, 6⟩; ⟨#4, #5, #6⟩. let #7 ⇐ ⌊#4⌋ in ⌊#7⌋ with H) in let #9 ⇐ ⌊#8.1⌋ in \
         let #10 ⇐ ⌊#8.2⌋ in let #11 ⇐ ⌊#8.3⌋ in let #12 ⇐ ⌊(#9 + #3)⌋ in ⌊⟨#10, (#11 + #12)⟩⌋",
    );
}

/// The paper's default clauses: forward performs the operation outside and saves nothing, backward returns zero.
#[test]
fn rh_op_without_a_clause() {
    let source = format!("{DECLARED}handle (rev handle(5)⟨a⟩. Q(a) with H) with K");
    check(
        &source,
        Rule::RhOp,
        "RH(⟨5⟩; ⟨#1⟩. Q(#1) with H)",
        "let #2 ⇐ let #1 ⇐ Q(5) in ⌊⟨#1, ()⟩⌋ in let #3 ⇐ ⌊#2.1⌋ in let #4 ⇐ ⌊#2.2⌋ in \
         let #7 ⇐ RH(⟨#3, 5⟩; ⟨#5, #6⟩. ⌊#5⌋ with H) in let #8 ⇐ ⌊#7.1⌋ in let #9 ⇐ ⌊#7.2⌋ in \
         let #10 ⇐ ⌊0⌋ in ⌊(#9 + #10)⌋",
    );
}

#[test]
fn rh_handle() {
    let inner = "rev handle(5)⟨a⟩. let c ⇐ (rev handle(a)⟨b⟩. Q(b) with Inner) in ⌊c⌋ with H";
    unfolds(
        inner,
        Rule::RhHandle,
        "RH(⟨5⟩; ⟨#1⟩. let #3 ⇐ rev handle(#1)⟨#2⟩. Q(#2) with Inner in ⌊#3⌋ with H)",
        "RH(⟨5⟩; ⟨#1⟩. let #3 ⇐ RH(⟨#1⟩; ⟨#2⟩. Q(#2) with Inner) in ⌊#3⌋ with H)",
    );
}

/// Projections destructure an argument of product type first.
#[test]
fn rh_handle_of_a_tuple() {
    let source = "handler One : Real(1) { x ↦ ⌊x⌋ }
      handler Two : (Real(1) × Real(1)) { x ↦ ⌊x⌋ }
      main = rev handle(⟨1, 2⟩)⟨a, b⟩. let p ⇐ ⌊⟨a, b⟩⌋ in rev handle(p)⟨c, d⟩. ⌊c⌋ with One with Two";
    check(
        source,
        Rule::RhHandle,
        "RH(⟨⟨1, 2⟩, 1, 2⟩; ⟨#1, #2, #3⟩. rev handle(#1)⟨#4, #5⟩. ⌊#4⌋ with One with Two)",
        "RH(⟨⟨1, 2⟩, 1, 2⟩; ⟨#1, #2, #3⟩. let #4 ⇐ ⌊#1.1⌋ in let #5 ⇐ ⌊#1.2⌋ in \
         RH(⟨#4, #5⟩; ⟨#6, #7⟩. ⌊#6⌋ with One) with Two)",
    );
}

#[test]
fn rh_term() {
    unfolds(
        "rev handle(⟨5, 6⟩)⟨a, b⟩. ⌊hadamard(a, b)⌋ with H",
        Rule::RhTerm,
        "RH(⟨5, 6⟩; ⟨#1, #2⟩. ⌊hadamard[1](⟨#1, #2⟩)⌋ with H)",
        "let #1 ⇐ ⌊hadamard[1](⟨5, 6⟩)⌋ in let #5 ⇐ RH(⟨#1, 5, 6⟩; ⟨#2, #3, #4⟩. ⌊#2⌋ with H) in \
         let #6 ⇐ ⌊#5.1⌋ in let #7 ⇐ ⌊#5.2⌋ in let #8 ⇐ ⌊#5.3⌋ in \
         ⌊⟨(#7 + (#6).rd(#9. hadamard[1](⟨#9, 6⟩))(5)), (#8 + (#6).rd(#10. hadamard[1](⟨5, #10⟩))(6))⟩⌋",
    );
}

/// The hole of F^t is also the argument of an operation and of `rev handle`.
#[test]
fn rh_term_in_an_argument() {
    unfolds(
        "rev handle(5)⟨a⟩. O(a + 1) with H",
        Rule::RhTerm,
        "RH(⟨5⟩; ⟨#1⟩. O((#1 + 1)) with H)",
        "let #1 ⇐ ⌊(5 + 1)⌋ in let #4 ⇐ RH(⟨#1, 5⟩; ⟨#2, #3⟩. O(#2) with H) in let #5 ⇐ ⌊#4.1⌋ in \
         let #6 ⇐ ⌊#4.2⌋ in ⌊(#6 + (#5).rd(#7. (#7 + 1))(5))⌋",
    );
    let inner = "rev handle(5)⟨a⟩. rev handle(a + 1)⟨b⟩. ⌊b⌋ with Inner with H";
    unfolds(
        inner,
        Rule::RhTerm,
        "RH(⟨5⟩; ⟨#1⟩. rev handle((#1 + 1))⟨#2⟩. ⌊#2⌋ with Inner with H)",
        "let #1 ⇐ ⌊(5 + 1)⌋ in \
         let #5 ⇐ RH(⟨#1, 5⟩; ⟨#2, #3⟩. rev handle(#2)⟨#4⟩. ⌊#4⌋ with Inner with H) in \
         let #6 ⇐ ⌊#5.1⌋ in let #7 ⇐ ⌊#5.2⌋ in ⌊(#7 + (#6).rd(#8. (#8 + 1))(5))⌋",
    );
}

/// An RH at the head of another RH is unfolded in place.
#[test]
fn rh_under_rh() {
    let source = "rev handle(5)⟨a⟩. rev handle(a)⟨b⟩. Q(b) with Inner with H";
    unfolds(
        source,
        Rule::RhOp,
        "RH(⟨5⟩; ⟨#1⟩. RH(⟨#1⟩; ⟨#2⟩. Q(#2) with Inner) with H)",
        "RH(⟨5⟩; ⟨#1⟩. let #3 ⇐ let #2 ⇐ O(#1) in ⌊⟨#2, #1⟩⌋ in let #4 ⇐ ⌊#3.1⌋ in let #5 ⇐ ⌊#3.2⌋ in \
         let #8 ⇐ RH(⟨#4, #1⟩; ⟨#6, #7⟩. ⌊#6⌋ with Inner) in let #9 ⇐ ⌊#8.1⌋ in let #10 ⇐ ⌊#8.2⌋ in \
         let #11 ⇐ ⌊#9⌋ in ⌊(#10 + #11)⌋ with H)",
    );
}

#[test]
fn an_ordinary_return_under_rh() {
    unfolds(
        "rev handle(5)⟨a⟩. handle ⌊a⌋ with K with H",
        Rule::HandleRet,
        "RH(⟨5⟩; ⟨#1⟩. handle ⌊#1⌋ with K with H)",
        "RH(⟨5⟩; ⟨#1⟩. let #2 ⇐ ⌊#1⌋ in ⌊(#2 + 4)⌋ with H)",
    );
}

#[test]
fn an_ordinary_clause_under_rh() {
    let source = "rev handle(5)⟨a⟩. handle (let b ⇐ Q(a) in ⌊b⌋) with K with H";
    unfolds(
        source,
        Rule::HandleOp,
        "RH(⟨5⟩; ⟨#1⟩. handle let #2 ⇐ Q(#1) in ⌊#2⌋ with K with H)",
        "RH(⟨5⟩; ⟨#1⟩. let #2 ⇐ ⌊#1⌋ in let #3 ⇐ ⌊#2⌋ in handle let #4 ⇐ ⌊#3⌋ in ⌊#4⌋ with K with H)",
    );
}

#[test]
fn an_operation_leaves_an_ordinary_handler_under_rh() {
    let source = "rev handle(5)⟨a⟩. handle (let b ⇐ O(a) in ⌊b⌋) with K with H";
    unfolds(
        source,
        Rule::HandleOp,
        "RH(⟨5⟩; ⟨#1⟩. handle let #2 ⇐ O(#1) in ⌊#2⌋ with K with H)",
        "RH(⟨5⟩; ⟨#1⟩. let #2 ⇐ ⌊#1⌋ in let #3 ⇐ O(#2) in handle let #4 ⇐ ⌊#3⌋ in ⌊#4⌋ with K with H)",
    );
}

#[test]
fn a_term_leaves_an_ordinary_handler_under_rh() {
    let source = "rev handle(5)⟨a⟩. handle (let b ⇐ ⌊a + 1⌋ in ⌊b⌋) with K with H";
    unfolds(
        source,
        Rule::RhTerm,
        "RH(⟨5⟩; ⟨#1⟩. handle let #2 ⇐ ⌊(#1 + 1)⌋ in ⌊#2⌋ with K with H)",
        "RH(⟨5⟩; ⟨#1⟩. let #2 ⇐ ⌊(#1 + 1)⌋ in handle let #3 ⇐ ⌊#2⌋ in ⌊#3⌋ with K with H)",
    );
}

/// The metavariables of RH-op are the variables of the `let`s that the equation makes.
#[test]
fn the_letters_of_rh_op() {
    let main = "rev handle(⟨5, 6⟩)⟨a, b⟩. let c ⇐ O(b) in ⌊c⌋ with H";
    let (_, step) = first(&format!("{DECLARED}{main}"), Rule::RhOp);
    let Action::RhOp {
        argument,
        call,
        cotangents,
        contribution,
        ..
    } = &step.action
    else {
        panic!("{:?}", step.action);
    };
    let names = [argument, &call.result, &call.cotangent, contribution].map(|x| &*x.name);
    assert_eq!(names, ["b", "c", "c′", "b″"]);
    assert_eq!(
        cotangents.iter().map(|x| &*x.name).collect::<Vec<_>>(),
        ["a′", "b′"]
    );
    assert!(matches!(&call.called, Called::Operation(operation) if &*operation.name == "O"));
    // The outermost frame is the `let` of the forward half; its body is let ⟨y′, ȳ′⟩ ⇐ … in let y″ ⇐ … in ….
    let waiting = step
        .next
        .frames()
        .iter()
        .last()
        .map(|frame| frame.plug(step.next.focus().clone()));
    let mut bound = Vec::new();
    let mut place = waiting.as_ref().map(Part::Command);
    while let Some(Part::Command(command)) = place {
        if let (Some(Role::Backward(of)), [x]) =
            (command.role(), Part::Command(command).variables())
        {
            assert!(std::sync::Arc::ptr_eq(of, call));
            assert_eq!(x, contribution);
        }
        bound.extend(Part::Command(command).bound_in(1));
        place = Part::Command(command).child(1);
    }
    let expected = [&call.result]
        .into_iter()
        .chain(&call.saved)
        .chain([&call.cotangent]);
    for x in expected.chain(cotangents.iter()).chain([contribution]) {
        assert!(bound.contains(&x), "{} is not bound", x.name);
    }
}

/// Runs are numbered in the order in which they begin. A call records its run and the clause in which it occurs.
#[test]
fn a_call_knows_its_run() {
    let main = "rev handle(5)⟨a⟩. rev handle(a)⟨b⟩. Q(b) with Inner with H";
    let (steps, _) = crate::common::run(&format!("{DECLARED}{main}"));
    let calls = steps.iter().filter_map(|(_, step)| step.action.call());
    let told: Vec<String> = calls
        .map(|call| {
            let within = match &call.within {
                Role::Plain => String::new(),
                Role::Forward(of) => format!(" in the forward clause of {}", of.result.name),
                Role::Continuation(of) => format!(" in the continuation of {}", of.result.name),
                Role::Backward(of) => format!(" in the backward clause of {}", of.result.name),
            };
            format!("{} of run {}{within}", call.result.name, call.run)
        })
        .collect();
    assert_eq!(
        told.get(..4).unwrap_or_default(),
        [
            "y of run 1",
            "u of run 0 in the forward clause of y",
            "p of run 0 in the forward clause of y",
            "y of run 0",
        ]
    );
}
