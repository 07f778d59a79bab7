//! Laws of delayed traces (`docs/dev/feedback.md`): loops over a state and three rows of Real(2). Besides (P), (C), (S), (R), (K)
//! and (D) of `mod.rs`, these laws use that a loop equals its copies (L), and that entries are selected by `slice` and `concat` (E).

use super::*;
use fletch_tests::pieces::OPERATIONS;

/// Returns a program with two commands over a first state s and three rows xs, which must denote equal arrows.
fn looped(declared: &str, left: &str, right: &str) -> String {
    let side = |name: &str, body: &str| {
        format!("command {name}(s : Real(2), xs : Real(3 × 2)) = {body}\n")
    };
    let sides = [side("Left", left), side("Right", right)].concat();
    format!("loc w ∷ (2)\n{OPERATIONS}{declared}{sides}")
}

/// Declares `command NAME(s : Real(2), x : Real(2)) : Real(2) × Real(2)`, a moment that gives the next state and an output.
fn moment(p: &mut Pieces, name: &str) -> String {
    let (state, output) = (p.command(&["s", "x"]), p.command(&["a", "x"]));
    format!(
        "command {name}(s : Real(2), x : Real(2)) : Real(2) × Real(2) = let a ⇐ ({state}) in let b ⇐ ({output}) in ⌊⟨a, b⟩⌋\n"
    )
}

/// Declares a moment without operations.
fn pure_moment(p: &mut Pieces, name: &str) -> String {
    let (state, output) = (p.term(&["s", "x"]), p.term(&["s", "x"]));
    format!(
        "command {name}(s : Real(2), x : Real(2)) : Real(2) × Real(2) = ⌊⟨{state}, {output}⟩⌋\n"
    )
}

/// Declares a moment whose next state is the result of an operation.
fn performing(p: &mut Pieces, name: &str) -> String {
    let m = p.term(&["s", "x"]);
    format!(
        "command {name}(s : Real(2), x : Real(2)) : Real(2) × Real(2) = let a ⇐ O({m}) in ⌊⟨a, a ⊙ x⟩⌋\n"
    )
}

const LOOP: &str = "feedback[3](s, xs)⟨s, x⟩. P(s, x)";

/// The three moments of P, one after the other.
const UNROLLED: &str = "let ⟨s, a⟩ ⇐ P(s, slice[0, 2](xs)) in let ⟨s, b⟩ ⇐ P(s, slice[2, 2](xs)) in \
     let ⟨s, c⟩ ⇐ P(s, slice[4, 2](xs)) in ⌊⟨s, concat[1, 2, 2](a, concat[1, 1, 2](b, c))⟩⌋";

law!(
    /// feedback[n] is n nested lets (L, E)
    a_feedback_is_its_moments,
    true,
    |mut p: Pieces| looped(&moment(&mut p, "P"), LOOP, UNROLLED)
);

law!(
    /// feedback[n + 1] is one moment, then feedback[n]: the small step (L, E)
    a_feedback_is_a_moment_and_the_others,
    true,
    |mut p: Pieces| looped(
        &moment(&mut p, "P"),
        LOOP,
        "let ⟨s, y⟩ ⇐ P(s, slice[0, 2](xs)) in \
         let ⟨s, ys⟩ ⇐ (feedback[2](s, slice[2, 4](xs))⟨s, x⟩. P(s, x)) in ⌊⟨s, concat[1, 2, 2](y, ys)⟩⌋",
    )
);

law!(
    /// feedback[m + n] is feedback[m], then feedback[n] (L, E)
    time_can_be_split,
    true,
    |mut p: Pieces| looped(
        &moment(&mut p, "P"),
        LOOP,
        "let ⟨s, y⟩ ⇐ (feedback[2](s, slice[0, 4](xs))⟨s, x⟩. P(s, x)) in \
         let ⟨s, z⟩ ⇐ (feedback[1](s, slice[4, 2](xs))⟨s, x⟩. P(s, x)) in ⌊⟨s, concat[2, 1, 2](y, z)⟩⌋",
    )
);

/// Returns the law that a map of inputs can be inside the loop, or in a separate loop before it.
fn tightened(p: &mut Pieces, before: &str, declared: &str) -> String {
    let declared = [p.map("f"), p.map("h"), declared.to_owned()].concat();
    looped(
        &declared,
        &format!(
            "feedback[3](s, xs)⟨s, x⟩. let x ⇐ {before} in let ⟨s, y⟩ ⇐ P(s, x) in ⌊⟨s, h(y)⟩⌋"
        ),
        &format!(
            "let ⟨_, xs⟩ ⇐ (feedback[3]((), xs)⟨_, x⟩. let x ⇐ {before} in ⌊⟨(), x⟩⌋) in \
             let ⟨s, ys⟩ ⇐ ({LOOP}) in \
             let ⟨_, ys⟩ ⇐ (feedback[3]((), ys)⟨_, y⟩. ⌊⟨(), h(y)⟩⌋) in ⌊⟨s, ys⟩⌋"
        ),
    )
}

law!(
    /// Tightening: pure maps of inputs and outputs can be inside the loop or outside (L, P)
    pure_maps_move_out_of_a_loop,
    true,
    |mut p: Pieces| {
        let declared = moment(&mut p, "P");
        tightened(&mut p, "⌊f(x)⌋", &declared)
    }
);

#[test]
fn operations_do_not_move_out_of_a_loop() {
    fails(
        "tightening with operations",
        |_| true,
        |choices| {
            let mut p = Pieces::new(choices);
            let declared = performing(&mut p, "P");
            tightened(&mut p, "O(x)", &declared)
        },
    );
}

law!(
    /// Superposing: a wire that bypasses the loop can be a component of the state (L)
    a_wire_that_goes_by_is_a_state,
    true,
    |mut p: Pieces| looped(
        &moment(&mut p, "P"),
        "let ⟨⟨s, k⟩, ys⟩ ⇐ (feedback[3](⟨s, slice[0, 2](xs)⟩, xs)⟨⟨s, k⟩, x⟩. let ⟨s, y⟩ ⇐ P(s, x) in ⌊⟨⟨s, k⟩, y⟩⌋) in ⌊⟨s, ys, k⟩⌋",
        &format!("let ⟨s, ys⟩ ⇐ ({LOOP}) in ⌊⟨s, ys, slice[0, 2](xs)⟩⌋"),
    )
);

law!(
    /// Sliding: a command at the end of a moment can move to the beginning of the next moment, with its operations (L, P)
    what_ends_a_moment_begins_the_next,
    true,
    |mut p: Pieces| {
        let declared = [moment(&mut p, "P"), p.arrow("H")].concat();
        looped(
            &declared,
            "let t ⇐ H(s) in feedback[3](t, xs)⟨t, x⟩. let ⟨s, y⟩ ⇐ P(t, x) in let t ⇐ H(s) in ⌊⟨t, y⟩⌋",
            "let ⟨s, ys⟩ ⇐ (feedback[3](s, xs)⟨s, x⟩. let t ⇐ H(s) in P(t, x)) in let t ⇐ H(s) in ⌊⟨t, ys⟩⌋",
        )
    }
);

law!(
    /// Joining and vanishing: states can be paired in another way, and a state of type 1 can be added (L)
    states_are_joined_and_vanish,
    true,
    |mut p: Pieces| {
        let (first, second) = (p.command(&["a", "b", "x"]), p.command(&["a", "b", "x"]));
        let declared = format!(
            "command P(a : Real(2), b : Real(2), x : Real(2)) = let c ⇐ ({first}) in let d ⇐ ({second}) in ⌊⟨c, d⟩⌋\n"
        );
        looped(
            &declared,
            "let ⟨a, b⟩ ⇐ (feedback[3](⟨s, s⟩, xs)⟨⟨a, b⟩, x⟩. P(a, b, x)) in ⌊⟨a, b⟩⌋",
            "let ⟨⟨b, _⟩, a⟩ ⇐ (feedback[3](⟨⟨s, ()⟩, s⟩, xs)⟨⟨⟨b, _⟩, a⟩, x⟩. let ⟨a, b⟩ ⇐ P(a, b, x) in ⌊⟨⟨b, ()⟩, a⟩⌋) in ⌊⟨a, b⟩⌋",
        )
    }
);

law!(
    /// Yanking fails, as it should: the feedback of the swap is a delay (L, E)
    the_feedback_of_the_swap_is_a_delay,
    false,
    |mut p: Pieces| looped(
        &p.map("f"),
        "feedback[3](f(s), xs)⟨s, x⟩. ⌊⟨x, s⟩⌋",
        "⌊⟨slice[4, 2](xs), concat[1, 2, 2](f(s), slice[0, 4](xs))⟩⌋",
    )
);

const APART: &str = "let ⟨s, ys⟩ ⇐ (feedback[3](s, xs)⟨s, x⟩. P(s, x)) in \
     let ⟨t, zs⟩ ⇐ (feedback[3](slice[0, 2](xs), ys)⟨t, y⟩. Q(t, y)) in ⌊⟨s, t, zs⟩⌋";
const TOGETHER: &str = "let ⟨⟨s, t⟩, zs⟩ ⇐ (feedback[3](⟨s, slice[0, 2](xs)⟩, xs)⟨⟨s, t⟩, x⟩. \
     let ⟨s, y⟩ ⇐ P(s, x) in let ⟨t, z⟩ ⇐ Q(t, y) in ⌊⟨⟨s, t⟩, z⟩⌋) in ⌊⟨s, t, zs⟩⌋";

law!(
    /// Exchange: two loops can be fused into one if one of them is pure (L, P)
    two_loops_are_one_if_one_is_pure,
    true,
    |mut p: Pieces| {
        let declared = [pure_moment(&mut p, "P"), moment(&mut p, "Q")].concat();
        looped(&declared, APART, TOGETHER)
    }
);

#[test]
fn two_loops_with_operations_are_not_one() {
    fails(
        "exchange with operations",
        |_| true,
        |choices| {
            let mut p = Pieces::new(choices);
            let declared = [performing(&mut p, "P"), performing(&mut p, "Q")].concat();
            looped(&declared, APART, TOGETHER)
        },
    );
}

law!(
    /// RH-feedback: the reverse algebra on a loop equals the reverse algebra on its moments (L, E, R)
    a_handled_feedback_is_its_handled_moments,
    true,
    |mut p: Pieces| {
        p.partial = false;
        let (clauses, handled) = p.clauses();
        let declared = [moment(&mut p, "P"), p.map("g"), clauses].concat();
        let side = |body: &str| {
            format!("rev handle(s, xs)⟨s, xs⟩. ({body}) with {{ x ↦ ⌊⟨g(x.1), x.2⟩⌋{handled} }}")
        };
        looped(&declared, &side(LOOP), &side(UNROLLED))
    }
);

/// Returns a program whose loop has this number of moments.
fn sized(moments: usize) -> String {
    format!(
        "loc w ∷ (2, 2) = [1, 2, 3, 4]
         handler H : Real(2) × Real({moments} × 2) {{ x ↦ ⌊x⌋ Get[ℓ] ( _ ↦ let w ⇐ Get[ℓ]() in ⌊⟨w, ()⟩⌋
           | g, _ ↦ let w ⇐ Get[ℓ]() in let _ ⇐ Put[ℓ](w − g) in ⌊()⌋ ) }}
         command Left(s : Real(2), xs : Real({moments} × 2)) = rev handle(s, xs)⟨s, xs⟩.
           feedback[{moments}](s, xs)⟨s, x⟩. let w ⇐ Get[w]() in let h ⇐ ⌊tanh(w ∗ s + x)⌋ in ⌊⟨h, w ∗ h⟩⌋ with H
         command Right(s : Real(2), xs : Real({moments} × 2)) = Left(s, xs)\n"
    )
}

#[test]
fn an_arrow_does_not_grow_with_time() {
    let counts = |moments| sides(&sized(moments)).unwrap().map(|arrow| arrow.counts());
    assert_eq!(counts(3), counts(8));
    assert_eq!(counts(8), counts(1000));
    let (statements, operations) = counts(3)[0];
    assert!(
        statements < 30 && operations == 3,
        "{statements}, {operations}"
    );
}
