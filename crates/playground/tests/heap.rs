//! The heap at a position whose sentence tells a write: the cell is shown after the write, with its change.

use crate::run::{self, Run};
use fletch_playground::protocol::{Access, Ask, Blank, CellView, Level, Reply, Rule, StepView};

fn cell<'v>(view: &'v StepView, name: &str) -> &'v CellView {
    view.heap.iter().find(|cell| cell.name == name).unwrap()
}

/// Positions from which a step writes the heap.
fn puts(run: &Run) -> Vec<u32> {
    let rules = run
        .index
        .rule
        .iter()
        .map(|at| run.index.rules[*at as usize]);
    let puts = (0..).zip(rules).filter(|(_, rule)| *rule == Rule::Put);
    puts.map(|(at, _)| at).collect()
}

/// The view at a write shows the contents after it. The count of writes does not include it yet.
#[test]
fn a_write_is_shown_while_its_sentence_tells_it() {
    for (name, writes) in [
        ("mlp", vec![(47, "ℓ1"), (83, "ℓ0")]),
        ("autoencoder", Vec::new()),
        ("momentum", Vec::new()),
    ] {
        let mut run = Run::example(name);
        let puts = puts(&run);
        assert!(puts.len() >= 2, "{name}");
        if !writes.is_empty() {
            let told: Vec<u32> = writes.iter().map(|(at, _)| *at).collect();
            assert_eq!(puts, told, "{name}");
        }
        for at in puts {
            let place = format!("{name} at {at}");
            let earlier = run.show(at - 1, Level::Every);
            let (now, next) = (run.show(at, Level::Plain), run.show(at + 1, Level::Plain));
            let written: Vec<&CellView> = now
                .heap
                .iter()
                .filter(|cell| cell.active == Some(Access::WillWrite))
                .collect();
            let [written] = written.as_slice() else {
                panic!("{place}: {written:?}")
            };
            if let Some((_, location)) = writes.iter().find(|(told, _)| *told == at) {
                assert_eq!(written.name, *location, "{place}");
            }
            let (before, after) = (cell(&earlier, &written.name), cell(&next, &written.name));
            assert_eq!(written.before.as_ref(), Some(&before.entries), "{place}");
            assert_ne!(written.entries, before.entries, "{place}");
            assert_eq!(
                (&written.entries, &written.before, &written.start),
                (&after.entries, &after.before, &after.start),
                "{place}"
            );
            assert_eq!(written.update, after.update, "{place}");
            assert!(written.update.is_some(), "{place}");
            assert_eq!(written.blank, None, "{place}");
            assert_eq!(
                (written.writes, after.writes),
                (before.writes, before.writes + 1)
            );
            assert_eq!(written.history, before.history, "{place}");
            let told = &written.history[before.writes as usize];
            assert_eq!(told.position, at, "{place}");
            // The colour scale covers the contents after the write.
            let shown = written
                .entries
                .iter()
                .chain(written.before.iter().flatten());
            assert!(
                shown.clone().all(|entry| entry.abs() <= now.scale),
                "{place}"
            );
            assert_eq!(after.active, Some(Access::Wrote), "{place}");
        }
    }
}

const NETWORK: &str = "
loc w ∷ (1, 1) = [[3]]
op Layer : Real(1) ▷ Real(1)
handler H : Real(1) {
  x ↦ ⌊x⌋
  Layer ( x ↦ let w ⇐ Get[w]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
        | y, ⟨w, x⟩ ↦ let _ ⇐ Put[w](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
command R() : Real(1) = rev handle(2)⟨x⟩. Layer(x) with H
";

/// A `Put` that is handled by a clause writes nothing, so the heap does not change where it is performed.
#[test]
fn a_write_that_a_handler_takes_is_none() {
    let kept = "handler Frozen : Real(1) ⇒ Real(1) {
  x ↦ ⌊x⌋
  Put[w], k; v ↦ k • ()
}
main = handle R() with Frozen";
    let mut run = Run::of(&format!("{NETWORK}{kept}"), 1000);
    assert_eq!(puts(&run), [] as [u32; 0]);
    let mut asked = false;
    for at in 0..=run.index.steps {
        let view = run.show(at, Level::Every);
        let w = cell(&view, "w");
        assert_eq!((&w.entries[..], &w.before), (&[3.0][..], &None), "{at}");
        assert_eq!(w.blank, Some(Blank::Initial), "{at}");
        assert!(
            !matches!(w.active, Some(Access::WillWrite | Access::Wrote)),
            "{at}"
        );
        let text = run::text(&view.sentence);
        asked |= text.starts_with("Put[w] is handled by Frozen");
    }
    assert!(asked);
    // Without the handler, the same `Put` writes the heap.
    let mut run = Run::of(&format!("{NETWORK}main = R()"), 1000);
    let [at] = puts(&run)[..] else { panic!() };
    assert_eq!(cell(&run.show(at, Level::Plain), "w").entries, [-9.0]);
}

/// A run that was stopped right before a write does not know the write yet.
#[test]
fn a_write_that_the_trace_has_not_reached_is_not_shown() {
    let source = run::example("mlp");
    let mut run = Run::of(&source, 47);
    assert_eq!(run.index.steps, 47);
    let view = run.show(47, Level::Plain);
    let last = cell(&view, "ℓ1");
    assert_eq!((last.active, &last.before), (None, &None));
}

/// Chips belong to a session: the views of another session do not change them.
#[test]
fn two_sessions_keep_their_large_values_apart() {
    let program = |rows: u32| {
        format!(
            "loc ℓ ∷ ({rows}, 70) = normal(seed: {rows}, std: 1)\nmain = let w ⇐ Get[ℓ]() in ⌊w⌋\n"
        )
    };
    let mut runs = [80, 90].map(|rows| Run::of(&program(rows), 10));
    // The second session makes its view before the first is asked for entries.
    let shown = runs.each_mut().map(|run| run.show(0, Level::Every));
    let ids = shown.each_ref().map(|view| view.heap[0].ids.0);
    assert_eq!(ids, [1, 1]);
    let lengths = runs.each_mut().map(|run| {
        let request = Ask::Entries { chip: 1 };
        match run.session.ask(1, request) {
            Reply::Entries(Some(entries)) => entries.entries.len(),
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(lengths, [80 * 70, 90 * 70]);
}
