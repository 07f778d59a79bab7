//! The stacks of handled calls at every position of whole traces.

use crate::run::{Run, all, chain, example, examples, inner, layers};
use fletch_playground::protocol::{Entry, Layer, Phase, Stack};
use std::collections::BTreeMap;

/// Short outline of a stack.
fn outline(stack: &Stack) -> String {
    let entries: Vec<String> = stack
        .entries
        .iter()
        .map(|entry| match entry {
            Entry::Call(layer) => format!("{} {:?}", layer.name, layer.phase),
            Entry::Inner(stack) => outline(stack),
            Entry::Left(count) => format!("… {count}"),
        })
        .collect();
    format!("{}[{}]", stack.handler, entries.join(", "))
}

fn outlines(run: &mut Run, position: u32) -> Vec<String> {
    run.stacks(position).iter().map(outline).collect()
}

fn find<'s>(stacks: &'s [Stack], name: &str) -> &'s Layer {
    let stacks = stacks.iter().flat_map(all);
    let mut found = stacks.flat_map(layers).filter(|layer| layer.name == name);
    found.next().unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_perceptron_on_its_way() {
    let mut run = Run::example("mlp");
    let at = |run: &mut Run, position| outlines(run, position).join("; ");
    assert_eq!(at(&mut run, 0), "H_MLP[]");
    assert_eq!(at(&mut run, 3), "H_MLP[FC[ℓ0] Forward]");
    assert_eq!(at(&mut run, 12), "H_MLP[FC[ℓ0] Waiting]");
    assert_eq!(
        at(&mut run, 26),
        "H_MLP[FC[ℓ0] Waiting, swish Waiting, FC[ℓ1] Waiting]"
    );
    assert_eq!(
        at(&mut run, 39),
        "H_MLP[FC[ℓ0] Waiting, swish Waiting, FC[ℓ1] Backward]"
    );
    assert_eq!(
        at(&mut run, 60),
        "H_MLP[FC[ℓ0] Waiting, swish Backward, FC[ℓ1] Done]"
    );
    assert_eq!(
        at(&mut run, 89),
        "H_MLP[FC[ℓ0] Done, swish Done, FC[ℓ1] Done]"
    );
}

#[test]
fn a_layer_says_where_it_stands_and_what_it_did() {
    let mut run = Run::example("mlp");
    let stacks = run.stacks(89);
    let layer = find(&stacks, "FC[ℓ1]");
    let source = example("mlp");
    let units: Vec<u16> = source.encode_utf16().collect();
    let (from, to) = layer.source;
    let called = String::from_utf16(&units[from as usize..to as usize]).unwrap();
    assert_eq!(called, "FC[ℓ1](x_hid)");
    let line = source
        .lines()
        .position(|line| line.contains(&called))
        .unwrap()
        + 1;
    assert_eq!(layer.line as usize, line);
    assert_eq!(layer.locations, ["ℓ1"]);
    assert_eq!(layer.puts, [(47, "ℓ1".to_owned())]);
    let saved: Vec<(&str, &str)> = layer
        .saved
        .iter()
        .map(|saved| (saved.name.as_deref().unwrap(), saved.chip.shape.as_str()))
        .collect();
    assert_eq!(saved, [("w", "1 × 8"), ("x", "8")]);
    // A write is listed after its step, not before.
    assert_eq!(find(&run.stacks(47), "FC[ℓ1]").puts, []);
}

/// Result, saved value and cotangent agree with the heap and the arithmetic of the trace.
#[test]
fn values_are_those_of_the_run() {
    let mut run = Run::example("mlp");
    let initial = run.show(0, Default::default()).heap[0].entries.clone();
    let stacks = run.stacks(89);
    let first = find(&stacks, "FC[ℓ0]");
    assert_eq!(first.saved[0].chip.entries, initial);
    assert_eq!(first.saved[1].chip.entries, [1.0, 0.0]);
    let product: Vec<f64> = initial.chunks(2).map(|row| row[0]).collect();
    assert_eq!(first.result.as_ref().unwrap().entries, product);
    let last = find(&stacks, "FC[ℓ1]");
    let out = last.result.as_ref().unwrap().entries[0];
    assert_eq!(
        last.cotangent.as_ref().unwrap().entries,
        [0.1 * (out - 1.0)]
    );
    let turn = stacks[0].turn.as_ref().unwrap();
    assert_eq!(turn.argument.as_ref().unwrap().entries, [out]);
    assert_eq!(turn.result, last.cotangent);
    // The activation in between saves nothing. The next layer saves its result.
    let swish = find(&stacks, "swish");
    assert!(!swish.operation && swish.saved.is_empty());
    assert_eq!(swish.result.as_ref(), Some(&last.saved[1].chip));
}

#[test]
fn calls_of_an_inner_handler_are_nested() {
    let mut run = Run::example("autoencoder");
    let mut seen = Vec::new();
    for position in 0..=run.index.steps {
        let outline = outlines(&mut run, position).join("; ");
        if seen.last() != Some(&outline) {
            seen.push(outline);
        }
    }
    assert_eq!(
        seen,
        [
            "H_MLP[]",
            "H_MLP[H_AE[]]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Forward]]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Forward], FC[ℓ0] Forward]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Forward], FC[ℓ0] Waiting]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Waiting], FC[ℓ0] Waiting]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Backward], FC[ℓ0] Waiting]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Backward], FC[ℓ0] Waiting, FC[ℓ1] Forward]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Backward], FC[ℓ0] Waiting, FC[ℓ1] Waiting]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Done], FC[ℓ0] Waiting, FC[ℓ1] Waiting]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Done], FC[ℓ0] Waiting, FC[ℓ1] Backward]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Done], FC[ℓ0] Waiting, FC[ℓ1] Done]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Done], FC[ℓ0] Backward, FC[ℓ1] Done]",
            "H_MLP[H_AE[EnDe[ℓ0, ℓ1] Done], FC[ℓ0] Done, FC[ℓ1] Done]",
        ]
    );
    // Heap accesses of an inner call are attributed to the calls in its clauses.
    let stacks = run.stacks(run.index.steps);
    let cells: Vec<&str> = find(&stacks, "EnDe[ℓ0, ℓ1]")
        .puts
        .iter()
        .map(|(_, cell)| cell.as_str())
        .collect();
    assert_eq!(cells, ["ℓ1", "ℓ0"]);
    // The code is the first cotangent of the decoder: the encoder's result.
    let code = &find(&stacks, "FC[ℓ0]").result;
    let pair = find(&stacks, "EnDe[ℓ0, ℓ1]");
    assert!(code.is_some());
    assert_eq!((&pair.result, &pair.cotangent), (code, code));
    assert_eq!(inner(&stacks[0])[0].turn.as_ref().unwrap().argument, *code);
}

#[test]
fn under_an_ordinary_handler() {
    let mut run = Run::example("autoencoder_inference");
    let last = run.index.steps;
    assert_eq!(outlines(&mut run, last), ["H_AE[EnDe[ℓ0, ℓ1] Done]"]);
    // The pair stays at work while the clause of the ordinary handler runs.
    assert_eq!(outlines(&mut run, 4), ["H_AE[EnDe[ℓ0, ℓ1] Forward]"]);
    assert_eq!(outlines(&mut run, 22), ["H_AE[EnDe[ℓ0, ℓ1] Backward]"]);
}

/// A clause of an outer handler captures a run inside an inner handler, and resumes or drops it.
#[test]
fn taken_out_and_put_back() {
    let program = |resumed: &str| {
        format!(
            "op Ask : 1 ▷ Real(1)
handler Inner : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ }}
handler Outer : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ Ask, k; _ ↦ let a ⇐ ⌊tanh(1)⌋ in {resumed} }}
handler H : Real(1) {{ x ↦ ⌊x⌋ }}
main = handle
         (handle (let a ⇐ rev handle(2)⟨x⟩. let y ⇐ Ask() in ⌊tanh(x)⌋ with H in ⌊a⌋) with Inner)
       with Outer"
        )
    };
    let mut run = Run::of(&program("k • a"), 1000);
    let last = run.index.steps;
    assert_eq!(outlines(&mut run, last), ["H[Ask Done, tanh Done]"]);
    let stack = &run.stacks(last)[0];
    assert!(stack.turn.is_some());
    // Both ordinary handlers return, and neither is over before.
    let rules: Vec<&str> = run
        .index
        .rule
        .iter()
        .map(|at| run.index.rules[*at as usize].name())
        .collect();
    let returns = rules.iter().position(|rule| *rule == "handle-ret").unwrap();
    assert!(stack.done_at.unwrap() as usize <= returns);
    assert!(run.index.handlers.contains(&(returns as u32)));
    let mut run = Run::of(&program("⌊a⌋"), 1000);
    let last = run.index.steps;
    let stack = &run.stacks(last)[0];
    assert_eq!(outline(stack), "H[Ask Forward]");
    assert_eq!((stack.turn.is_some(), stack.done_at), (false, Some(last)));
}

const LAYERS: &str = "
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Twice[ℓ ∷ (n, n)] : Real(n) ▷ Real(n)
loc w ∷ (2, 2) = [[0.5, −1], [0.25, 2]]
loc v ∷ (2, 2) = [[1, 0.5], [−0.75, 0.3]]
handler SGD(t : Real(2)) : Real(2) {
  x ↦ ⌊x − t⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
handler Same : Real(2) {
  x ↦ ⌊x⌋
  Twice[ℓ ∷ (n, n)] ( x ↦ let y ⇐ FC[ℓ](x) in ⌊⟨y, ()⟩⌋ | y, _ ↦ FC[ℓ](y) )
}
";

#[test]
fn runs_one_after_the_other() {
    let source = format!(
        "{LAYERS}
main = let a ⇐ rev handle([1, 0])⟨x⟩. FC[w](x) with SGD([0, 0]) in
       rev handle(a)⟨x⟩. FC[v](x) with SGD([0, 0])"
    );
    let mut run = Run::of(&source, 10_000);
    let last = run.index.steps;
    assert_eq!(
        outlines(&mut run, last),
        ["SGD[… 1]", "SGD[FC[v] Done]"],
        "the one that is over is short"
    );
    let stacks = run.stacks(last);
    assert!(stacks[0].done_at.unwrap() <= stacks[1].from);
    assert_eq!(stacks[1].done_at, Some(last));
}

#[test]
fn of_many_runs_the_last_ones_are_shown() {
    let source = format!(
        "{LAYERS}
main = iterate[i : 30]([1, 0])⟨a⟩. rev handle(a)⟨x⟩. FC[w](x) with SGD([0, 0])"
    );
    let mut run = Run::of(&source, 10_000);
    let last = run.index.steps;
    let outlines = outlines(&mut run, last);
    assert_eq!(outlines.len(), 12);
    assert_eq!(outlines[10..], ["SGD[… 1]", "SGD[FC[w] Done]"]);
}

/// Calls after the end of a run inside a clause belong to the enclosing run.
#[test]
fn a_run_inside_a_forward_clause() {
    let source = format!(
        "{LAYERS}
op Tuned[ℓ ∷ (n, n)] : Real(n) ▷ Real(n)
handler Outer : Real(2) {{
  x ↦ ⌊x⌋
  Tuned[ℓ ∷ (n, n)] ( x ↦ let y ⇐ rev handle([1, 1])⟨a⟩. FC[ℓ](a) with SGD([0, 0]) in
                          let w ⇐ Get[ℓ]() in ⌊⟨w ∗ y, w⟩⌋
                    | y, w ↦ ⌊wᵀ ∗ y⌋ )
}}
main = rev handle([1, 0])⟨x⟩. let y ⇐ Tuned[w](x) in let z ⇐ Tuned[v](y) in ⌊tanh(z)⌋ with Outer"
    );
    let mut run = Run::of(&source, 10_000);
    let last = run.index.steps;
    assert_eq!(
        outlines(&mut run, last),
        [
            "SGD[… 1]",
            "SGD[… 1]",
            "Outer[Tuned[w] Done, Tuned[v] Done, tanh Done]"
        ]
    );
    let stacks = run.stacks(last);
    // The first inner run is the newest while it runs.
    let within = stacks[0].from + 2;
    assert_eq!(
        outlines(&mut run, within),
        ["Outer[Tuned[w] Forward]", "SGD[FC[w] Forward]"]
    );
    assert_eq!(
        outlines(&mut run, stacks[0].done_at.unwrap()),
        ["SGD[… 1]", "Outer[Tuned[w] Forward]"]
    );
    // The write inside the clause belongs to the inner call.
    let cells = |layer: &Layer| layer.puts.len();
    assert_eq!(cells(find(&stacks, "Tuned[w]")), 0);
}

#[test]
fn three_handlers_inside_each_other() {
    let source = format!(
        "{LAYERS}
op Block[ℓ ∷ (n, n)] : Real(n) ▷ Real(n)
handler Blocks : Real(2) {{
  x ↦ ⌊x⌋
  Block[ℓ ∷ (n, n)] ( x ↦ let y ⇐ Twice[ℓ](x) in ⌊⟨y, ()⟩⌋ | y, _ ↦ ⌊y⌋ )
}}
main = rev handle([1, 0])⟨x⟩.
         (rev handle(x)⟨x⟩. (rev handle(x)⟨x⟩. Block[w](x) with Blocks) with Same)
       with SGD([0.5, 0.5])"
    );
    // The backward pass takes hundreds of thousands of steps, because the outermost handler runs the code of the inner ones.
    let mut run = Run::of(&source, 5_000);
    let mut seen = Vec::new();
    let turn = run.stacks(0)[0].turns_at.unwrap();
    for position in 0..=turn {
        let stacks = run.stacks(position);
        let mut named = stacks.iter().flat_map(all).map(|stack| {
            let calls = layers(stack).into_iter();
            let calls = calls.filter(|layer| layer.operation);
            let calls = calls.map(|layer| format!("{} {:?}", layer.name, layer.phase));
            format!(
                "{}[{}]",
                stack.handler,
                calls.collect::<Vec<_>>().join(", ")
            )
        });
        let outline: Vec<String> = [named.next(), named.next(), named.next()]
            .into_iter()
            .flatten()
            .collect();
        if seen.last() != Some(&outline) {
            seen.push(outline);
        }
    }
    let expected = [
        "SGD[]",
        "SGD[] Same[]",
        "SGD[] Same[] Blocks[]",
        "SGD[] Same[] Blocks[Block[w] Forward]",
        "SGD[] Same[Twice[w] Forward] Blocks[Block[w] Forward]",
        "SGD[FC[w] Forward] Same[Twice[w] Forward] Blocks[Block[w] Forward]",
        "SGD[FC[w] Waiting] Same[Twice[w] Forward] Blocks[Block[w] Forward]",
        "SGD[FC[w] Waiting] Same[Twice[w] Waiting] Blocks[Block[w] Forward]",
        "SGD[FC[w] Waiting] Same[Twice[w] Waiting] Blocks[Block[w] Waiting]",
        "SGD[FC[w] Waiting] Same[Twice[w] Waiting] Blocks[Block[w] Backward]",
        "SGD[FC[w] Waiting] Same[Twice[w] Waiting] Blocks[Block[w] Done]",
        "SGD[FC[w] Waiting] Same[Twice[w] Backward] Blocks[Block[w] Done]",
        "SGD[FC[w] Waiting, FC[w] Forward] Same[Twice[w] Backward] Blocks[Block[w] Done]",
        "SGD[FC[w] Waiting, FC[w] Waiting] Same[Twice[w] Backward] Blocks[Block[w] Done]",
        "SGD[FC[w] Waiting, FC[w] Waiting] Same[Twice[w] Done] Blocks[Block[w] Done]",
    ];
    assert_eq!(
        seen.iter()
            .map(|outline| outline.join(" "))
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn of_many_layers_those_near_the_one_at_work_are_shown() {
    let mut run = Run::of(&chain(40), 100_000);
    let turn = run.stacks(0)[0].turns_at.unwrap();
    let entries = |run: &mut Run, position| run.stacks(position)[0].entries.clone();
    // The run has 80 calls. At the turn the last one is current, at the end the first one.
    let found = entries(&mut run, turn);
    assert!(matches!(found[0], Entry::Left(67)), "{:?}", found[0]);
    assert_eq!(found.len(), 14);
    let last = run.index.steps;
    let found = entries(&mut run, last);
    assert!(matches!(found[7], Entry::Left(73)), "{:?}", found[7]);
    for position in (turn..last).step_by(50) {
        let counted = entries(&mut run, position)
            .into_iter()
            .map(|entry| match entry {
                Entry::Call(_) => 1,
                Entry::Left(count) => count,
                Entry::Inner(_) => panic!("nothing is nested"),
            });
        assert_eq!(counted.sum::<u32>(), 80);
        let near = entries(&mut run, position).len();
        assert!((8..=15).contains(&near), "{near}");
    }
}

/// Checks whole traces: every call goes through its phases in order, the last call is the first on the backward
/// pass, and at the end all calls are done.
#[test]
fn every_layer_goes_its_way() {
    for name in examples() {
        let mut run = Run::example(&name);
        let last = run.index.steps;
        let mut phases: BTreeMap<(u32, String), Phase> = BTreeMap::new();
        // Every position of a short trace; of a long one, the stops and the positions next to them.
        let positions: Vec<u32> = if last < 150 {
            (0..=last).collect()
        } else {
            let near = |stop: &u32| [stop.saturating_sub(1), *stop, (*stop + 1).min(last)];
            let mut near: Vec<u32> = run.index.plain.iter().flat_map(near).collect();
            near.dedup();
            near
        };
        for position in positions {
            let stacks = run.stacks(position);
            for stack in stacks.iter().flat_map(all) {
                let place = format!("{name} at {position}: {}", outline(stack));
                let layers = layers(stack);
                for layer in &layers {
                    let key = (layer.met_at, layer.name.clone());
                    let before = phases
                        .insert(key, layer.phase)
                        .map_or(0, |phase| phase as u8);
                    assert!(before <= layer.phase as u8, "{place}");
                    let waiting = layer.phase != Phase::Forward;
                    assert_eq!(layer.result.is_some(), waiting, "{place}");
                    let back = matches!(layer.phase, Phase::Backward | Phase::Done);
                    assert_eq!(layer.cotangent_at.is_some(), back, "{place}");
                    assert_eq!(
                        layer.done_at.is_some(),
                        layer.phase == Phase::Done,
                        "{place}"
                    );
                    assert!(!back || stack.turn.is_some(), "{place}");
                }
                // On the forward pass at most the last call runs. On the backward pass all calls after the current one are done.
                let rank = |layer: &&Layer| match layer.phase {
                    Phase::Waiting => 0,
                    Phase::Forward | Phase::Backward => 1,
                    Phase::Done => 2,
                };
                assert!(layers.is_sorted_by_key(rank), "{place}");
                let running = layers.iter().filter(|layer| rank(layer) == 1).count();
                assert!(running <= 1, "{place}");
                if position == last {
                    let done = |layer: &&Layer| layer.phase == Phase::Done;
                    assert!(layers.iter().all(done), "{place}");
                    assert!(stack.done_at.is_some(), "{place}");
                }
            }
        }
    }
}
