//! Sentences about steps and about ranges of steps: every rule and equation, with its actual terms and values.

use crate::run::{Run, examples, text};
use fletch_playground::gloss;
use fletch_playground::protocol::{Ask, Level, PieceKind, Reply, Rule, RuleFamily};
use std::collections::{BTreeMap, BTreeSet};

const NETWORK: &str = "
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Noise : Real(1) ▷ Real(1)
loc w ∷ (1, 1) = [[3]]
handler H : Real(1) {
  x ↦ ⌊0.5 · x⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, z ↦ let ⟨w, x⟩ ⇐ ⌊z⌋ in let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
handler I : Real(1) { x ↦ ⌊x⌋ }
handler Back : Real(1) { x ↦ ⌊x⌋ FC[ℓ ∷ (n, m)] ( x ↦ ⌊⟨x, ()⟩⌋ | y, _ ↦ ⌊y⌋ ) }
handler Plain : Real(1) ⇒ Real(1) {
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)
}
";

/// Sentences of all rules: last line of the program, rule, number of earlier steps by it, sentence.
const STEPS: &[(&str, &str, usize, &str)] = &[
    ("main = ⌊tanh(2)⌋", "eval", 0, "tanh of 2 is 0.964."),
    ("main = ⌊2 − 5⌋", "eval", 0, "2 − 5 is −3."),
    (
        "main = rev handle(2)⟨x⟩. ⌊tanh(x)⌋ with I",
        "eval",
        1,
        "Back through tanh at 2: the cotangent 0.964 becomes 0.0681, the cotangent of the input.",
    ),
    ("main = ⌊2 + 3⌋", "add", 0, "2 + 3 is 5."),
    ("main = ⌊0 + 3⌋", "add", 0, "Adding zero leaves 3."),
    (
        "main = let ⟨a, b⟩ ⇐ ⌊⟨1, 2⟩⌋ in ⌊a − b⌋",
        "proj",
        1,
        "Component 2 of the tuple is 2.",
    ),
    (
        "main = let ⟨a, b⟩ ⇐ ⌊⟨1, 2⟩⌋ in ⌊a − b⌋",
        "bind",
        0,
        "⟨1, 2⟩ is taken apart into a and b.",
    ),
    (
        "main = let a ⇐ ⌊7⌋ in ⌊tanh(a)⌋",
        "bind",
        0,
        "7 takes the place of a in the rest.",
    ),
    (
        "main = let _ ⇐ Put[w]([[4]]) in ⌊1⌋",
        "bind",
        0,
        "The result is not needed; the rest goes on.",
    ),
    (
        "main = ⌊let a ← 7 in tanh(a)⌋",
        "let",
        0,
        "7 takes the place of a in the rest of the term.",
    ),
    (
        "main = rev handle(2)⟨x⟩. ⌊tanh(x)⌋ with I",
        "rd",
        0,
        "Now back through tanh, for x: its reverse derivative at 2 is written out by the chain rule, to carry the cotangent 0.964 back.",
    ),
    (
        "main = rev handle(⟨2, 1⟩)⟨x, y⟩. ⌊tanh(x)⌋ with I",
        "rd",
        1,
        "Once more back through tanh, for y: it does not depend on y, so zero goes back there.",
    ),
    (
        "main = rev handle(2)⟨x⟩. FC[w](x) with H",
        "rev-handle",
        0,
        "H starts to handle the network on the input 2: first forward, then back.",
    ),
    (
        "main = handle FC[w](2) with Plain",
        "handle-op",
        0,
        "FC[w] is handled by Plain: its clause runs on 2. The rest of the command waits as its continuation.",
    ),
    (
        "main = handle (let a ⇐ Get[w]() in FC[w](2)) with Plain",
        "handle-op",
        0,
        "Plain has no clause for Get[w], so it is performed outside.",
    ),
    (
        "main = handle FC[w](2) with Plain",
        "handle-ret",
        0,
        "The handled command returns 6; the return clause of Plain takes it.",
    ),
    ("main = Get[w]()", "get", 0, "The heap is read: w holds 3."),
    (
        "main = Put[w]([[4]])",
        "put",
        0,
        "The heap is written: w gets 4 in place of 3.",
    ),
    (
        "main = rev handle(2)⟨x⟩. FC[w](x) with H",
        "RH-ret",
        0,
        "The network has come to 6. The return clause of H turns it into the first cotangent (in training: the step size times how the loss changes with it), and the way back begins.",
    ),
    (
        "main = rev handle(2)⟨x⟩. let a ⇐ ⌊x⌋ in ⌊a⌋ with H",
        "RH-let",
        0,
        "This let only gives x a second name, so it goes.",
    ),
    (
        "main = rev handle(2)⟨x⟩. FC[w](x) with H",
        "RH-op",
        0,
        "FC[w] is handled by H in three parts: its forward clause runs now, on 2; then its continuation, the rest of the network, goes on with the result; its backward clause waits for the cotangent that comes back.",
    ),
    (
        "main = rev handle([[2]])⟨x⟩. let _ ⇐ Put[w](x) in ⌊x⌋ with I",
        "RH-op",
        0,
        "Put[w] is handled by I, which has no clause for it: it is performed outside, and no gradient comes back through it.",
    ),
    (
        "main = rev handle(2)⟨x⟩. ⌊x + tanh(x)⌋ with I",
        "RH-term",
        0,
        "The term x + tanh(x) (+, tanh) performs no operation and needs no clause: it is computed on the way forward, and its reverse derivative waits for the cotangent that comes back.",
    ),
    (
        "main = rev handle(2)⟨x⟩. (rev handle(x)⟨y⟩. FC[w](y) with I) with H",
        "RH-handle",
        0,
        "I starts to handle the network, inside H. What the clauses of I do, H handles in turn: so I only unfolds the network, and H runs what comes of it.",
    ),
    (
        "main = rev handle(2)⟨x⟩. (rev handle(x)⟨y⟩. FC[w](y) with H) with I",
        "RH-op",
        0,
        "FC[w] is handled by H, on x = 2. As H runs inside I, its clauses do not run yet: FC[w] is unfolded into its forward clause, the rest of the network (its continuation) and its backward clause, and I handles what is in them in turn.",
    ),
    (
        "main = rev handle(2)⟨x⟩. ⌊tanh(x)⌋ with I",
        "RH-term",
        0,
        "tanh is a function and needs no clause: it is computed on the way forward, and its reverse derivative waits for the cotangent that comes back.",
    ),
    (
        "main = rev handle(2)⟨x⟩. (rev handle(x)⟨y⟩. ⌊tanh(y)⌋ with I) with H",
        "RH-term",
        0,
        "tanh is a function and needs no clause. As I runs inside H, it is not computed yet: it is unfolded into its computation, the rest of the network and its reverse derivative, and H handles these in turn.",
    ),
    // Function symbols are described by their effect.
    (
        "main = ⌊rows[softmax]([[1, 1], [0, 0]])⌋",
        "eval",
        0,
        "softmax of each row of [1, 1, 0, …] is [0.5, 0.5, 0.5, …].",
    ),
    (
        "main = ⌊slice[0, 2]([5, 6, 7])⌋",
        "eval",
        0,
        "Entries 0–1 of [5, 6, 7] are [5, 6].",
    ),
    (
        "main = ⌊slice[1, 1]([5, 6])⌋",
        "eval",
        0,
        "Entry 1 of [5, 6] is 6.",
    ),
    (
        "main = ⌊[[1, 2]]ᵀ⌋",
        "eval",
        0,
        "The transpose of [1, 2] is [1, 2].",
    ),
    (
        "dim d_key = 2\nmain = ⌊count[d_key]()⌋",
        "eval",
        0,
        "count[d_key] is 2.",
    ),
    (
        "main = ⌊clamp(−1, 1, 3)⌋",
        "eval",
        0,
        "clamp(−1, 1, 3) is 1.",
    ),
    (
        "main = rev handle([5, 6])⟨x⟩. let y ⇐ ⌊slice[0, 1](x)⌋ in ⌊y⌋ with H",
        "RH-term",
        0,
        "slice[0, 1] is a function and needs no clause: it is computed on the way forward, and its reverse derivative waits for the cotangent that comes back.",
    ),
    // A sign is distinguished from an operator.
    ("main = ⌊0 − (−5)⌋", "eval", 0, "0 − (−5) is 5."),
    ("main = ⌊(−2) · (−5)⌋", "eval", 0, "−2 · (−5) is 10."),
    ("main = ⌊2 + (−5)⌋", "add", 0, "2 + (−5) is −3."),
    // The sentence names the rule by which a derivative is written out.
    (
        "main = rev handle(2)⟨x⟩. ⌊x + tanh(x)⌋ with H",
        "rd",
        0,
        "Now back through the term (+, tanh), for x: its reverse derivative at 2 is written out by the sum rule, to carry the cotangent 1.48 back.",
    ),
    // Several inputs, and long tuples.
    (
        "main = rev handle(⟨2, 1⟩)⟨x, y⟩. ⌊tanh(x)⌋ with I",
        "rev-handle",
        0,
        "I starts to handle the network on the inputs 2 and 1: first forward, then back.",
    ),
    (
        "main = let ⟨a, b, c, d, e, f, g⟩ ⇐ ⌊⟨1, 2, 3, 4, 5, 6, 7⟩⌋ in ⌊a⌋",
        "bind",
        0,
        "⟨1, 2, 3, 4, 5, … 2 more⟩ is taken apart into a, b, c, d, e and 2 more.",
    ),
    // A handler runs inside another run of itself.
    (
        "main = rev handle(2)⟨x⟩. (rev handle(x)⟨y⟩. FC[w](y) with H) with H",
        "RH-handle",
        0,
        "The inner H starts to handle the network, inside the outer H. What the clauses of the inner H do, the outer H handles in turn: so the inner H only unfolds the network, and the outer H runs what comes of it.",
    ),
    (
        "main = rev handle(2)⟨x⟩. (rev handle(x)⟨y⟩. FC[w](y) with H) with H",
        "RH-op",
        0,
        "FC[w] is handled by the inner H, on x = 2. As the inner H runs inside the outer H, its clauses do not run yet: FC[w] is unfolded into its forward clause, the rest of the network (its continuation) and its backward clause, and the outer H handles what is in them in turn.",
    ),
    // The middle one of three runs is identified by the step where it starts.
    (
        "main = rev handle(2)⟨x⟩. (rev handle(x)⟨y⟩. (rev handle(y)⟨z⟩. FC[w](z) with H) with H) with H",
        "RH-handle",
        0,
        "The H of step 1 starts to handle the network, inside the outer H. What the clauses of the H of step 1 do, the outer H handles in turn: so the H of step 1 only unfolds the network, and the outer H runs what comes of it.",
    ),
    // A clause gets a term with a variable as its argument.
    (
        "main = rev handle(2)⟨x⟩. (handle (let a ⇐ FC[w](x) in FC[w](tanh(a))) with Plain) with H",
        "handle-op",
        1,
        "FC[w] is handled by Plain: its clause runs on tanh(a). The rest of the command waits as its continuation.",
    ),
    (
        "main = Put[w]([[3]])",
        "put",
        0,
        "The heap is written: w gets 3, which it had already.",
    ),
    (
        "main = rev handle(2)⟨x⟩. let p ⇐ ⌊⟨x, ()⟩⌋ in ⌊p.1⌋ with H",
        "RH-term",
        0,
        "The term ⟨x, ()⟩ only moves values about and needs no clause: it is computed on the way forward, and its reverse derivative waits for the cotangent that comes back.",
    ),
    // The return clause gives a value that is no gradient.
    (
        "main = rev handle(2)⟨x⟩. FC[w](x) with Back",
        "RH-op",
        0,
        "FC[w] is handled by Back in three parts: its forward clause runs now, on 2; then its continuation, the rest of the network, goes on with the result; its backward clause waits for what comes back.",
    ),
    (
        "main = rev handle(2)⟨x⟩. FC[w](x) with Back",
        "RH-ret",
        0,
        "The network has come to 2. The return clause of Back sends it back as it is, and the way back begins. What goes back is 2, which FC[w] has waited for.",
    ),
];

/// Position of a step, by its rule and the number of earlier steps by that rule.
fn position(run: &Run, rule: &str, before: usize) -> u32 {
    let number = run
        .index
        .rules
        .iter()
        .position(|known| known.name() == rule);
    let number = number.unwrap_or_else(|| panic!("no {rule}: {:?}", run.index.rules));
    let steps = run.index.rule.iter().enumerate();
    let mut found = steps.filter(|(_, rule)| **rule as usize == number);
    u32::try_from(found.nth(before).unwrap().0).unwrap()
}

#[test]
fn every_rule_has_its_sentence() {
    for (main, rule, before, expected) in STEPS {
        let mut run = Run::of(&format!("{NETWORK}{main}"), 1000);
        let position = position(&run, rule, *before);
        assert_eq!(run.sentence(position, Level::Every), *expected, "{main}");
    }
    let rules: BTreeSet<&str> = STEPS.iter().map(|step| step.1).collect();
    assert_eq!(rules.len(), 16, "{rules:?}");
}

/// Sentences at all stops of a level, each up to the next stop.
fn story(run: &mut Run, level: Level) -> Vec<String> {
    let stops = match level {
        Level::Plain => run.index.plain.clone(),
        Level::Operations => run.index.operations.clone(),
        Level::Handlers => run.index.handlers.clone(),
        Level::Moments => run.index.moments.clone(),
        Level::Every => (0..=run.index.steps).collect(),
    };
    stops
        .iter()
        .map(|stop| run.sentence(*stop, level))
        .collect()
}

#[test]
fn a_plain_stop_tells_where_its_value_goes() {
    let main = "main = rev handle(2)⟨x⟩. let y ⇐ FC[w](x) in let a ⇐ ⌊tanh(y)⌋ in ⌊a⌋ with H";
    let mut run = Run::of(&format!("{NETWORK}{main}"), 1000);
    let forward = "FC[w] is handled by H in three parts: its forward clause runs now, on 2; then its continuation, the rest of the network, goes on with the result; its backward clause waits for the cotangent that comes back.";
    assert_eq!(
        story(&mut run, Level::Plain),
        [
            "H starts to handle the network on the input 2: first forward, then back.",
            forward,
            "The heap is read: w holds 3, which takes the place of w.",
            "3 ∗ 2 is 6, which takes the place of y; w and x are saved for the way back.",
            "tanh is a function and needs no clause: it is computed on the way forward, and its reverse derivative waits for the cotangent that comes back.",
            "tanh of 6 is 1, which takes the place of a.",
            "The network has come to 1. The return clause of H turns it into the first cotangent (in training: the step size times how the loss changes with it), and the way back begins.",
            "0.5 · 1 is 0.5, the first cotangent, which tanh has waited for.",
            "Now back through tanh, for y: its reverse derivative at 6 is written out by the chain rule, to carry the cotangent 0.5 back.",
            "Back through tanh at 6: the cotangent 0.5 becomes 1.23e−5, the cotangent that FC[w] has waited for.",
            "The backward clause of FC[w] starts: y is the cotangent, 1.23e−5; w and x were saved on the way forward.",
            "1.23e−5 ∗ 2 is 2.46e−5, which is then subtracted from w.",
            "3 − 2.46e−5 is 3, the new contents of w.",
            "The heap is written: w gets 3 in place of 3; the change is too small to be seen here.",
            "3 ∗ 1.23e−5 is 3.69e−5, the cotangent of the input, and with that the run is over.",
            "The run is over: the value is 3.69e−5, the cotangent of the input.",
        ]
    );
}

#[test]
fn a_component_that_goes_back_is_told() {
    let main = "main = rev handle(2)⟨x⟩. let y ⇐ FC[w](x) in ⌊5 · y⌋ with H";
    let mut run = Run::of(&format!("{NETWORK}{main}"), 1000);
    let told = story(&mut run, Level::Plain);
    let back = "Back through scale at ⟨5, 6⟩: the cotangent 15 becomes ⟨90, 75⟩; of this, 75 is the cotangent that FC[w] has waited for.";
    assert!(told.contains(&back.to_owned()), "{told:#?}");
}

#[test]
fn halves_of_operations() {
    let main = "main = rev handle(2)⟨x⟩. let y ⇐ FC[w](x) in let a ⇐ ⌊tanh(y)⌋ in FC[w](a) with H";
    let mut run = Run::of(&format!("{NETWORK}{main}"), 1000);
    assert_eq!(
        story(&mut run, Level::Operations),
        [
            "H starts to handle the network on the input 2: first forward, then back.",
            "FC[w] runs forward on 2: it reads w, gives 6 and saves w and x for the way back. Then tanh gives 1.",
            "FC[w] runs forward on 1: it reads w, gives 3 and saves w and x for the way back.",
            "The network of H has come to 3. Its return clause turns it into the first cotangent, 1.5 (in training: the step size times how the loss changes with it).",
            "FC[w] gets its cotangent 1.5: it writes w and passes 4.5 back to what came before. From there the cotangent goes back through tanh.",
            "FC[w] gets its cotangent 0.000111: it writes w and passes 0.000332 back to what came before.",
            "The run is over: the value is 0.000332, the cotangent of the input.",
        ]
    );
    assert_eq!(
        story(&mut run, Level::Handlers),
        [
            "H starts to handle the network on the input 2: first forward, then back. Up to the next stop, FC[w] and tanh run forward.",
            "The network of H has come to 3. Its return clause turns it into the first cotangent, 1.5 (in training: the step size times how the loss changes with it). Up to the next stop, FC[w] and tanh run backward, and w is written.",
            "The run is over: the value is 0.000332, the cotangent of the input.",
        ]
    );
}

#[test]
fn clauses_of_an_ordinary_handler() {
    let main = "main = handle (let y ⇐ FC[w](2) in FC[w](y)) with Plain";
    let mut run = Run::of(&format!("{NETWORK}{main}"), 1000);
    assert_eq!(
        story(&mut run, Level::Operations),
        [
            "FC[w] is handled by Plain: its clause runs on 2, reads w, and the rest goes on with 6.",
            "FC[w] is handled by Plain: its clause runs on 6, reads w, and the rest goes on with 18.",
            "The handled command returns 18; the return clause of Plain takes it.",
            "The run is over: the value is 18.",
        ]
    );
    let plain = story(&mut run, Level::Plain);
    assert!(
        plain.contains(&"3 ∗ 2 is 6, with which the rest after FC[w] goes on as y.".to_owned()),
        "{plain:#?}"
    );
    assert_eq!(
        story(&mut run, Level::Handlers)[0],
        "Plain handles the command in it, one operation after the other. Up to the next stop, FC[w] is handled."
    );
}

/// An operation that a handler forwards still belongs to the clause that performs it.
#[test]
fn what_a_handler_passes_on() {
    let told = story(&mut Run::example("weight_decay"), Level::Operations);
    let says = |start: &str, end: &str| {
        let found = told
            .iter()
            .any(|told| told.starts_with(start) && told.ends_with(end));
        assert!(found, "{start} … {end}\n{told:#?}");
    };
    says(
        "FC[ℓ1] runs forward on",
        "]: it reads ℓ1, gives [0.101, 0.405] and saves w and x for the way back.",
    );
    says(
        "Put[ℓ0] is handled by H_decay",
        "reads and writes ℓ0, and the rest goes on.",
    );
}

#[test]
fn an_inner_handlers_halves() {
    let mut run = Run::example("autoencoder");
    let story = story(&mut run, Level::Operations);
    let about = |name: &str| {
        let told = story.iter().filter(|told| told.starts_with(name));
        told.cloned().collect::<Vec<_>>()
    };
    let pair = about("EnDe");
    assert_eq!(pair.len(), 2, "{story:#?}");
    assert!(
        pair[0].contains("As H_AE runs inside H_MLP, its clauses do not run yet"),
        "{pair:#?}"
    );
    let back = "EnDe[ℓ0, ℓ1] gets back [−0.166, −0.403], and its backward clause starts. FC[ℓ1] runs forward on";
    assert!(pair[1].starts_with(back), "{pair:#?}");
    // The return clause returns its argument unchanged, which is no gradient here.
    assert!(about("The network of H_AE has come to [−0.166, −0.403]").len() == 1);
}

/// Checks that all sentences of all examples end, and have the kinds of pieces that their rules require.
#[test]
fn every_stop_of_every_example_is_told() {
    let parts: BTreeMap<&str, &[PieceKind]> = BTreeMap::from([
        ("get", &[PieceKind::Location, PieceKind::Value][..]),
        ("put", &[PieceKind::Location, PieceKind::Value]),
        ("eval", &[PieceKind::Value]),
        ("RH-op", &[PieceKind::Operation]),
        ("RH-ret", &[PieceKind::Handler]),
        ("rev-handle", &[PieceKind::Handler, PieceKind::Value]),
        ("handle-op", &[PieceKind::Operation, PieceKind::Handler]),
        ("handle-ret", &[PieceKind::Handler, PieceKind::Value]),
    ]);
    for name in examples() {
        let mut run = Run::example(&name);
        let levels = [
            (Level::Plain, run.index.plain.clone()),
            (Level::Operations, run.index.operations.clone()),
            (Level::Handlers, run.index.handlers.clone()),
        ];
        for (level, stops) in levels {
            for stop in stops {
                let view = run.show(stop, level);
                let told = text(&view.sentence);
                let place = format!("{name} at {stop}, {level:?}: {told}");
                assert!(told.ends_with('.') && !told.contains("  "), "{place}");
                assert!(!told.contains("..") && !told.contains(" ."), "{place}");
                assert!(told.chars().count() < 700, "{place}");
                let Some(rule) = view.rule else { continue };
                for kind in parts.get(rule.rule.name()).copied().unwrap_or_default() {
                    let has = view.sentence.iter().any(|piece| piece.kind == *kind);
                    assert!(has, "{place}: {kind:?}");
                }
            }
        }
    }
}

/// The sentence and the badge at the start of a backward clause tell the start, with the clause's own name for the
/// cotangent. The rule stays unchanged.
#[test]
fn a_backward_clause_starts_with_the_name_it_gives_its_cotangent() {
    let op = "op F : Real(1) ▷ Real(1) × Real(1)\n";
    for (backward, said) in [
        (
            "z', _ ↦ ⌊z'.1⌋",
            "The backward clause of F starts: z' is what came back, ⟨1, 2⟩.",
        ),
        (
            "⟨a, b⟩, _ ↦ ⌊a + b⌋",
            "The backward clause of F starts. What came back is ⟨1, 2⟩.",
        ),
        (
            "_, _ ↦ ⌊5⌋",
            "The backward clause of F starts. What came back is ⟨1, 2⟩.",
        ),
        (
            "p, _ ↦ let ⟨a, b⟩ ⇐ ⌊p⌋ in ⌊a + b⌋",
            "The backward clause of F starts. What came back is ⟨1, 2⟩.",
        ),
        (
            "y, _ ↦ let ⟨a, b⟩ ⇐ ⌊y⌋ in ⌊a + b⌋",
            "The backward clause of F starts: y is what came back, ⟨1, 2⟩.",
        ),
    ] {
        let source = format!(
            "{op}handler H : Real(1) × Real(1) {{ x ↦ ⌊x⌋ F ( x ↦ ⌊⟨⟨1, 2⟩, ()⟩⌋ | {backward} ) }}
main = rev handle(3)⟨x⟩. F(x) with H"
        );
        let mut run = Run::of(&source, 1000);
        let starts: Vec<u32> = (0..run.index.steps)
            .filter(|at| {
                let rule = run.show(*at, Level::Every).rule.unwrap();
                rule.badge == "backward clause"
            })
            .collect();
        let [at] = starts[..] else {
            panic!("{source}: {starts:?}")
        };
        for level in [Level::Every, Level::Plain] {
            let view = run.show(at, level);
            let told = text(&view.sentence);
            assert!(told.starts_with(said), "{source}: {told}");
            let rule = view.rule.unwrap();
            assert_eq!(rule.family, RuleFamily::Backward);
            let why = run.session.ask(1, Ask::Why { position: at });
            let Reply::Why(Some(why)) = why else { panic!() };
            assert_eq!(why.rule.rule, rule.rule);
            assert_eq!(why.rule.badge, rule.rule.name());
            let started = why.title.strip_prefix("start the backward clause: ");
            assert_eq!(started, Some(&*why.rule.title));
        }
    }
    let mut run = Run::example("mlp");
    let view = run.show(39, Level::Plain);
    let rule = view.rule.unwrap();
    assert_eq!((rule.rule, &*rule.badge), (Rule::Bind, "backward clause"));
    assert_eq!(
        text(&view.sentence),
        "The backward clause of FC[ℓ1] starts: y is the cotangent, −0.0606; w and x were saved on the way forward."
    );
}

/// Each technical term in a sentence is a piece of its own at its first occurrence, and has an explanation.
#[test]
fn words_of_art_have_a_meaning() {
    let mut seen = BTreeSet::new();
    for name in examples() {
        let mut run = Run::example(&name);
        for level in [
            Level::Every,
            Level::Plain,
            Level::Operations,
            Level::Handlers,
        ] {
            for stop in run.index.operations.clone() {
                let view = run.show(stop, level);
                let terms = view.sentence.iter();
                let terms = terms.filter(|piece| piece.kind == PieceKind::Term);
                let terms: Vec<&str> = terms.map(|piece| piece.text.as_str()).collect();
                let place = format!("{name} at {stop}, {level:?}: {terms:?}");
                let meanings = terms.iter().map(|term| gloss(term).unwrap_or_default());
                let lengths = meanings.map(|meaning| meaning.split_whitespace().count());
                assert!(
                    lengths.clone().all(|words| (10..45).contains(&words)),
                    "{place}"
                );
                let once: BTreeSet<&str> = terms.iter().copied().collect();
                assert_eq!(once.len(), terms.len(), "{place}");
                seen.extend(terms.into_iter().map(str::to_owned));
            }
        }
    }
    let expected = [
        "backward clause",
        "continuation",
        "cotangent",
        "forward clause",
        "return clause",
        "reverse derivative",
    ];
    assert_eq!(
        seen.iter().map(String::as_str).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn what_an_evaluation_is_for() {
    let cases: [(&str, &[&str]); 7] = [
        // A pattern is named by its variables, and the argument of a clause may be a term.
        ("cnn", &["which is taken apart into x' and w'."]),
        // Only the needed one of several cotangents is named.
        (
            "recurrent",
            &["; of this, [−0.0355, 0.0452, −0.0451, …] goes on."],
        ),
        (
            "shared_get",
            &[
                "FC[shared] is handled by H_layers: its clause runs on swish(z). The rest of the command waits as its continuation.",
            ],
        ),
        // Another handler has a clause for the `Put`, so the heap gets a different value.
        (
            "weight_decay",
            &[
                "is [0.00972, 0.0129, −0.047, …].",
                "is [0.164, 0.46, 0.229, …], the new contents of ℓ1.",
            ],
        ),
        (
            "momentum",
            &[
                "is [0.00972, 0.0129, −0.047, …], the new contents of velocity[ℓ1].",
                "The run of H_momentum is over: it gives [0.0341, −0.00949, −0.0502], the cotangent of its input.",
            ],
        ),
        // A function inside a term is evaluated on both passes.
        (
            "two_inputs",
            &[
                "tanh of [−0.246, −0.346, 0.766, …] is [−0.242, −0.333, 0.645, …].",
                "tanh of [−0.246, −0.346, 0.766, …] is [−0.242, −0.333, 0.645, …], computed again for the way back.",
                "the first cotangent, which hadamard has waited for.",
            ],
        ),
        // The decoder's first cotangent is the code, a result of an outer layer.
        (
            "autoencoder",
            &[
                "What goes back is [−0.166, −0.403], which EnDe[ℓ0, ℓ1] has waited for.",
                "is [−0.0246, −0.0659], the cotangent that FC[ℓ0] has waited for.",
            ],
        ),
    ];
    for (name, expected) in cases {
        let told = story(&mut Run::example(name), Level::Plain);
        for expected in expected {
            let found = told.iter().any(|told| told.ends_with(expected));
            let starts = told.iter().any(|told| told.starts_with(expected));
            assert!(found || starts, "{name}: {expected}\n{told:#?}");
        }
    }
}

/// The derivative of a function is taken for every variable; the sentence says where it does not depend on one.
#[test]
fn a_derivative_for_each_variable() {
    let mut run = Run::example("mlp");
    for (position, expected) in [
        (
            60,
            "Now back through swish, for z_hid: its reverse derivative at [0.103, 0.73, −0.0863, …] is written out by the chain rule, to carry the cotangent [−0.00903, −0.0247, −0.00947, …] back.",
        ),
        (
            65,
            "Once more back through swish, for x_in: it does not depend on x_in, so zero goes back there.",
        ),
        (
            67,
            "Back through swish at [0.103, 0.73, −0.0863, …]: the cotangent [−0.00903, −0.0247, −0.00947, …] becomes [−0.00498, −0.0206, −0.00433, …], which is not needed: zero goes back to x_in.",
        ),
    ] {
        assert_eq!(run.sentence(position, Level::Every), expected);
    }
}
