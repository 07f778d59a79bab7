//! Links of small programs, statement by statement: definitions that are expanded twice, iterations, continuations that are dropped
//! or resumed twice, nested handlers. As in `playground::diagram::link`, a *part* of a run is a half of a call, a return clause, or a
//! term or heap access outside of all runs.

use super::{linked, timeline};
use fletch_arrows::{Arrow, NodeKind};
use fletch_calculus::Origin;
use fletch_playground::diagram::link::link;
use fletch_playground::protocol::Work;
use fletch_runs::denotation;
use fletch_syntax::LineIndex;
use fletch_tests::random::checked;

/// Returns the part of the run for each map and each operation of the arrow of `main`.
fn parts(main: &str) -> Vec<String> {
    let source = format!("{DECLARED}main = {main}");
    let program = checked(&source).unwrap();
    let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
    parts_of(&arrow, &source, None)
}

/// Returns the same list, after checking with `linked` that parts and calls have the same values.
fn valued(main: &str) -> Vec<String> {
    if let Err(error) = linked(&format!("{DECLARED}main = {main}"), STEPS) {
        panic!("{error}\n{main}");
    }
    parts(main)
}

/// Returns the part of the run for each statement of the network.
fn network(main: &str) -> Vec<String> {
    let source = format!("{DECLARED}main = {main}");
    let network = denotation::network(&fletch_ide::check(&source), &source, "main");
    let Ok(network) = network else {
        panic!("no network: {main}");
    };
    parts_of(&network.arrow, &source, network.handled)
}

fn parts_of(arrow: &Arrow, source: &str, handled: Option<Origin>) -> Vec<String> {
    let timeline = timeline(source, STEPS).0;
    let timeline = timeline.in_bytes(&LineIndex::new(source));
    let works = link(arrow, &timeline, handled).into_iter();
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

/// Maximal number of steps; each of these programs takes fewer.
const STEPS: usize = 3_000;

/// Declarations that precede each `main`.
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
    handler Begins : Real(1) ⇒ Real(1) {
      x ↦ ⌊x⌋
      D, k; x ↦ let y ⇐ (rev handle(x)⟨x⟩. ⌊cos(x)⌋ with J) in k • y
    }
    handler After : Real(1) ⇒ Real(1) {
      x ↦ ⌊x⌋
      D, k; x ↦ let y ⇐ k • cos(x) in let m ⇐ Get[w]() in ⌊m ⊙ y⌋
    }
    handler Nested : Real(1) ⇒ Real(1) {
      x ↦ ⌊x⌋
      D, k; x ↦ handle (let m ⇐ Get[w]() in let y ⇐ k • cos(x) in let n ⇐ Get[w]() in ⌊sin(y)⌋) with Never
    }
    handler Returns : Real(1) ⇒ Real(1) { x ↦ rev handle(x)⟨x⟩. D(x) with H }
    handler Reads : Real(1) extends H { x ↦ let _ ⇐ Get[w]() in ⌊x⌋ }
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

#[test]
fn a_run_that_begins_in_a_clause_of_an_ordinary_handler_has_parts_of_its_own() {
    assert_eq!(
        valued(
            "handle (let a ⇐ (rev handle(3)⟨x⟩. E(x) with J) in let b ⇐ D(a) in rev handle(b)⟨x⟩. E(x) with J) with Begins"
        ),
        [
            "cos: Forward of call 1",
            "exp: return of run 1",
            "rd: Backward of call 1",
            "tanh: Forward of call 0",
            "exp: return of run 0",
            "neg: Backward of call 0",
            "cos: Forward of call 2",
            "exp: return of run 2",
            "rd: Backward of call 2",
            "cos: Forward of call 4",
            "exp: return of run 4",
            "rd: Backward of call 4",
            "tanh: Forward of call 3",
            "exp: return of run 3",
            "neg: Backward of call 3",
        ]
    );
}

#[test]
fn a_run_after_a_feedback_with_a_handler_inside_has_its_own_calls() {
    let fed = "(feedback[1](x, [[1]])⟨s, x⟩. rev handle(x)⟨x⟩. F(x) with J)";
    let within = format!("(let y ⇐ {fed} in rev handle(y)⟨x⟩. F(x) with J)");
    assert_eq!(
        valued(&format!(
            "let a ⇐ rev handle(3)⟨x⟩. {within} with H in rev handle(a)⟨x⟩. F(x) with H"
        )),
        [
            "loop[1]: Forward of call 1",
            "sin: Forward of call 4",
            "exp: Forward of call 5",
            "rd: Forward of call 9",
            "rd: Backward of call 9",
            "rd: Backward of call 5",
            "rd: Backward of call 4",
            "plus: Backward of call 4",
            "zero: Backward of call 1",
            "loop[1] backwards: Backward of call 1",
            "sin: Forward of call 10",
            "rd: Backward of call 10",
        ]
    );
}

#[test]
fn a_network_has_the_parts_of_its_own_run_also_where_another_one_begins_before() {
    assert_eq!(
        network(
            "let a ⇐ (handle ⌊3⌋ with Returns) in rev handle(a)⟨x⟩. let y ⇐ F(x) in D(y) with H"
        ),
        ["sin: Forward of call 1", "D: Forward of call 2"]
    );
}

#[test]
fn a_result_that_turns_back_beside_an_access_of_the_heap_is_no_saved_value() {
    assert_eq!(
        valued("rev handle(3)⟨x⟩. D(x) with Reads"),
        [
            "Get[w]: Forward of call 0",
            "hadamard: Forward of call 0",
            "Get[w]: return of run 0",
            "hadamard: Backward of call 0",
        ]
    );
}

#[test]
fn what_a_clause_does_once_it_has_resumed_is_outside_of_the_call_that_it_treats() {
    assert_eq!(
        valued("handle (let a ⇐ (rev handle(3)⟨x⟩. E(x) with J) in D(a)) with After"),
        [
            "cos: Forward of call 0",
            "tanh: Forward of call 0",
            "exp: return of run 0",
            "neg: Backward of call 0",
            "cos: outside 0",
            "Get[w]: outside 1",
            "hadamard: outside 2",
            "Get[w]: outside 3",
            "hadamard: outside 4",
        ]
    );
    // The clause resumes inside a handler of its own.
    assert_eq!(
        valued("handle (rev handle(3)⟨x⟩. E(x) with J) with Nested"),
        [
            "Get[w]: Forward of call 0",
            "cos: Forward of call 0",
            "tanh: Forward of call 0",
            "exp: return of run 0",
            "neg: Backward of call 0",
            "Get[w]: outside 0",
            "sin: outside 1",
        ]
    );
}
