//! Parts of small programs, statement by statement: definitions expanded twice, iterations, continuations that are dropped or resumed
//! twice, handlers inside.

use super::timeline;
use fletch_arrows::{Arrow, NodeKind};
use fletch_playground::diagram::link::link;
use fletch_playground::protocol::Work;
use fletch_syntax::LineIndex;
use fletch_tests::random::checked;

/// Part of the run that each map and each operation of the diagram is: a call, forward or back, or what is outside.
fn parts(main: &str) -> Vec<String> {
    let source = format!("{DECLARED}main = {main}");
    let program = checked(&source).unwrap();
    let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
    let timeline = timeline(&source, 1_000).0;
    let timeline = timeline.in_bytes(&LineIndex::new(&source));
    let works = link(&arrow, &timeline, false).into_iter();
    let nodes = arrow.map.statements().iter();
    let nodes = nodes.map(|statement| &statement.applied).zip(works);
    let parts = nodes.filter(|(node, _)| !matches!(node.kind, NodeKind::Constant(_)));
    let parts = parts.map(|(node, work)| {
        let part = match work {
            Some(Work::Call(call, half)) => format!("{half:?} of call {call}"),
            Some(Work::Return(run)) => format!("return of run {run}"),
            Some(Work::Outside(number)) => format!("outside {number}"),
            None => "nothing".to_owned(),
        };
        format!("{}: {part}", node.brief())
    });
    parts.collect()
}

/// Declarations of the programs whose parts are listed.
const DECLARED: &str = "
    loc w ∷ (1) = 2
    op D : Real(1) ▷ Real(1)
    op E : Real(1) ▷ Real(1)
    handler H : Real(1) {
      x ↦ ⌊x⌋
      D ( x ↦ let m ⇐ Get[w]() in ⌊⟨m ⊙ x, m⟩⌋ | y, m ↦ ⌊m ⊙ y⌋ )
    }
    handler J : Real(1) { x ↦ ⌊exp(x)⌋ E ( x ↦ let y ⇐ D(x) in ⌊⟨tanh(y), ()⟩⌋ | y, _ ↦ ⌊neg(y)⌋ ) }
    handler Never : Real(1) ⇒ Real(1) { x ↦ ⌊x⌋ E, k; x ↦ ⌊cos(x)⌋ }
    handler Twice : Real(1) ⇒ Real(1) {
      x ↦ ⌊x⌋
      E, k; x ↦ let a ⇐ k • x in let b ⇐ k • cos(x) in ⌊a + b⌋
    }
    command F(x : Real(1)) : Real(1) = ⌊sin(x)⌋
    ";

#[test]
fn a_definition_that_a_handler_drops_at_its_first_use_has_a_part_at_the_second() {
    assert_eq!(
        parts(
            "rev handle(3)⟨x⟩. let a ⇐ (handle (let y ⇐ E(x) in F(y)) with Never) in F(a) with H"
        ),
        [
            "cos: Forward of call 0",
            "sin: Forward of call 1",
            "rd: Backward of call 1",
            "rd: Backward of call 0",
        ]
    );
    assert_eq!(
        parts("let a ⇐ (handle (let y ⇐ E(3) in F(y)) with Never) in F(a)"),
        ["cos: outside 0", "sin: outside 1",]
    );
}

#[test]
fn the_rounds_of_an_iteration_are_parts_of_their_own() {
    assert_eq!(
        parts("rev handle(3)⟨x⟩. (iterate[i : 2](x)⟨y⟩. let z ⇐ D(y) in ⌊sin(z)⌋) with H"),
        [
            "Get[w]: Forward of call 0",
            "hadamard: Forward of call 0",
            "sin: Forward of call 1",
            "Get[w]: Forward of call 2",
            "hadamard: Forward of call 2",
            "sin: Forward of call 3",
            "rd: Backward of call 3",
            "hadamard: Backward of call 2",
            "rd: Backward of call 1",
            "hadamard: Backward of call 0",
        ]
    );
}

#[test]
fn a_continuation_that_is_resumed_twice_has_the_part_that_ran_first() {
    assert_eq!(
        parts("let c ⇐ (handle (let y ⇐ E(3) in F(y)) with Twice) in F(c)"),
        [
            "sin: outside 0",
            "cos: outside 1",
            "sin: outside 0",
            "plus: outside 3",
            "sin: outside 4",
        ]
    );
    assert_eq!(
        parts(
            "rev handle(3)⟨x⟩. (let c ⇐ (handle (let y ⇐ E(x) in F(y)) with Twice) in F(c)) with H"
        ),
        [
            "sin: Forward of call 0",
            "cos: Forward of call 1",
            "sin: Forward of call 0",
            "plus: Forward of call 3",
            "sin: Forward of call 4",
            "rd: Backward of call 4",
            "rd: Backward of call 0",
            "rd: Backward of call 1",
            "rd: Backward of call 0",
            "plus: Backward of call 0",
        ]
    );
}

#[test]
fn the_terms_of_a_handler_inside_are_met_by_the_one_around_it() {
    assert_eq!(
        parts(
            "rev handle(3)⟨x⟩. (let a ⇐ (rev handle(x)⟨x⟩. let y ⇐ F(x) in F(y) with J) in F(a)) with H"
        ),
        [
            "sin: Forward of call 1",
            "sin: Forward of call 3",
            "exp: Forward of call 4",
            "rd: Forward of call 9",
            "rd: Forward of call 12",
            "sin: Forward of call 13",
            "rd: Backward of call 13",
            "rd: Backward of call 12",
            "rd: Backward of call 9",
            "rd: Backward of call 4",
            "rd: Backward of call 3",
            "plus: Backward of call 3",
            "rd: Backward of call 1",
            "plus: Backward of call 1",
        ]
    );
}

#[test]
fn a_clause_that_two_runs_inside_meet_has_a_part_for_each() {
    assert_eq!(
        parts(
            "rev handle(3)⟨x⟩. (let a ⇐ (rev handle(x)⟨x⟩. E(x) with J) in (rev handle(a)⟨x⟩. E(x) with J)) with H"
        ),
        [
            "Get[w]: Forward of call 1",
            "hadamard: Forward of call 1",
            "tanh: Forward of call 2",
            "exp: Forward of call 5",
            "neg: Forward of call 9",
            "Get[w]: Forward of call 12",
            "hadamard: Forward of call 12",
            "tanh: Forward of call 13",
            "exp: Forward of call 16",
            "neg: Forward of call 20",
            "rd: Backward of call 20",
            "rd: Backward of call 16",
            "rd: Backward of call 13",
            "hadamard: Backward of call 12",
            "rd: Backward of call 9",
            "rd: Backward of call 5",
            "rd: Backward of call 2",
            "hadamard: Backward of call 1",
        ]
    );
}
