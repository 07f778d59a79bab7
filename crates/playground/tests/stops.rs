//! Navigation in a trace: the stops of each level, search, and the marks of the slider.

use crate::run::{self, Run, chain, example, examples};
use fletch_playground::protocol::{Ask, Found, Index, Level, Reply, Search, TickKind};

/// Rules at the stops of a level.
fn rules(index: &Index, stops: &[u32]) -> Vec<String> {
    let rule = |stop: &u32| {
        let number = index.rule.get(*stop as usize);
        number.map_or("end", |number| index.rules[*number as usize].name())
    };
    stops.iter().map(|stop| rule(stop).to_owned()).collect()
}

/// Steps whose label contains all these words.
fn search(index: &Index, words: &str) -> Vec<usize> {
    let has = |label: &&u32| {
        let text = &index.labels[**label as usize];
        words.split(' ').all(|word| text.contains(word))
    };
    let labels = index.label.iter().enumerate();
    labels
        .filter(|(_, label)| has(label))
        .map(|(at, _)| at)
        .collect()
}

#[test]
fn plain_stops_are_worth_looking_at() {
    let index = Run::example("mlp").index;
    let forward = ["RH-op", "get", "eval"];
    let backward = ["bind", "eval", "eval", "put", "eval"];
    let expected = [
        &["rev-handle"][..],
        &forward,
        &["RH-term", "eval"],
        &forward,
        &["RH-ret", "eval", "eval"],
        &backward,
        &["rd", "eval"],
        &backward,
        &["end"],
    ];
    assert_eq!(rules(&index, &index.plain), expected.concat());
}

/// Under two handlers most steps are administrative. The plain stops show the network twice, and no addition of zero.
#[test]
fn plain_stops_of_a_nested_run() {
    let index = Run::example("autoencoder").index;
    let rules = rules(&index, &index.plain);
    let count = |rule: &str| rules.iter().filter(|found| *found == rule).count();
    assert_eq!(count("RH-op"), 3);
    assert_eq!(count("RH-ret"), 2);
    assert_eq!((count("get"), count("put")), (2, 2));
    assert_eq!(count("RH-term") + count("rd") + count("proj"), 0);
    // A backward clause starts at the step that destructures its arguments.
    assert_eq!(count("bind"), 2);
    assert!(index.plain.len() < 28 && index.steps > 400, "{rules:?}");
}

#[test]
fn a_derivative_of_nothing_is_passed_over() {
    // The function uses one of two inputs: the derivative for the other is computed for nothing.
    let source = "
handler H : Real(1) { x ↦ ⌊x⌋ }
main = rev handle(⟨2, 3⟩)⟨x, y⟩. ⌊tanh(x)⌋ with H";
    let index = Run::of(source, 1000).index;
    assert_eq!(
        rules(&index, &index.plain),
        [
            "rev-handle",
            "RH-term",
            "eval",
            "RH-ret",
            "rd",
            "eval",
            "end"
        ]
    );
    assert_eq!(
        search(&index, "rd[tanh]").len(),
        2,
        "it is done all the same"
    );
}

#[test]
fn a_sum_of_two_gradients_is_a_stop() {
    let source = "
handler H : Real(1) { x ↦ ⌊x⌋ }
main = rev handle(2)⟨x⟩. let y ⇐ ⌊tanh(x)⌋ in ⌊x + y⌋ with H";
    let index = Run::of(source, 1000).index;
    let rules = rules(&index, &index.plain);
    // One addition is x + y on the forward pass; the other adds the cotangents of the two uses of x.
    assert_eq!(
        rules.iter().filter(|rule| *rule == "add").count(),
        2,
        "{rules:?}"
    );
}

#[test]
fn operations_stop_at_each_half() {
    let index = Run::example("mlp").index;
    assert_eq!(index.operations, [0, 2, 16, 26, 39, 75, 89]);
    assert_eq!(index.handlers, [0, 26, 89]);
    let index = Run::example("mlp_inference").index;
    assert_eq!(
        rules(&index, &index.operations),
        ["bind", "handle-op", "handle-op", "handle-ret", "end"]
    );
    assert_eq!(index.handlers, [0, 12, 13]);
}

#[test]
fn without_handled_operations_the_heap_is_what_happens() {
    let source = "
loc w ∷ (1, 1) = [[3]]
main = let x ⇐ Get[w]() in let _ ⇐ Put[w](x + x) in Get[w]()";
    let index = Run::of(source, 1000).index;
    assert_eq!(
        rules(&index, &index.operations),
        ["get", "put", "get", "end"]
    );
}

#[test]
fn runs_one_after_the_other_each_have_their_stops() {
    let index = Run::example("momentum").index;
    let rules = rules(&index, &index.handlers);
    assert_eq!(rules[..2], ["rev-handle", "RH-ret"]);
    assert_eq!(rules.iter().filter(|rule| *rule == "rev-handle").count(), 2);
    assert_eq!(rules.iter().filter(|rule| *rule == "RH-ret").count(), 2);
}

#[test]
fn a_search_finds_what_a_step_is_about() {
    let index = Run::example("mlp").index;
    assert_eq!(search(&index, "Put ℓ1"), [47]);
    assert_eq!(search(&index, "Put[ℓ0]"), [83]);
    assert_eq!(search(&index, "RH-op"), [2, 16]);
    assert_eq!(search(&index, "RH-op FC[ℓ1]"), [16]);
    assert_eq!(search(&index, "swish forward"), [13, 14]);
    assert_eq!(search(&index, "heap"), [3, 17, 47, 83]);
    assert!(search(&index, "FC[ℓ1] backward").contains(&47));
    assert!(!search(&index, "FC[ℓ1] backward").contains(&83));
    assert!(search(&index, "FC[ℓ1] forward").contains(&17));
    assert!(search(&index, "z_hid").contains(&8));
    assert_eq!(search(&index, "return clause H_MLP eval"), [27, 28]);
    assert_eq!(search(&index, "matmul FC[ℓ0] forward"), [5]);
    let index = Run::example("autoencoder_inference").index;
    assert_eq!(search(&index, "Get ℓ0 FC[ℓ0] clause"), [4]);
}

#[test]
fn places_are_those_of_the_source() {
    let index = Run::example("mlp").index;
    let source = example("mlp");
    let units: Vec<u16> = source.encode_utf16().collect();
    let (from, to, line) = index.places[index.place[47] as usize];
    let text = String::from_utf16(&units[from as usize..to as usize]).unwrap();
    assert_eq!(text, "Put[ℓ](w − y ∗ xᵀ)");
    assert!(
        source
            .lines()
            .nth(line as usize - 1)
            .unwrap()
            .contains(&text)
    );
}

#[test]
fn the_marks_of_the_slider() {
    let index = Run::example("autoencoder").index;
    let ticks: Vec<(TickKind, &str)> = index
        .ticks
        .iter()
        .map(|tick| (tick.kind, tick.label.as_str()))
        .collect();
    let (forward, backward) = (TickKind::Forward, TickKind::Backward);
    assert_eq!(
        ticks,
        [
            (forward, "EnDe[ℓ0, ℓ1] runs forward inside H_MLP"),
            (forward, "FC[ℓ0] runs forward"),
            (TickKind::Return, "the return clause of H_AE"),
            (backward, "EnDe[ℓ0, ℓ1] runs backward inside H_MLP"),
            (forward, "FC[ℓ1] runs forward"),
            (TickKind::Return, "the return clause of H_MLP"),
            (backward, "FC[ℓ1] runs backward"),
            (TickKind::Put, "Put[ℓ1]"),
            (backward, "FC[ℓ0] runs backward"),
            (TickKind::Put, "Put[ℓ0]"),
        ]
    );
}

/// Tables and stops of every example are consistent. The number of labels does not grow with the number of steps.
#[test]
fn the_index_of_every_example() {
    for name in examples() {
        let mut run = Run::example(&name);
        let index = run.index.clone();
        let steps = index.steps as usize;
        assert_eq!(index.rule.len(), steps, "{name}");
        assert!(
            index
                .rule
                .iter()
                .all(|at| (*at as usize) < index.rules.len())
        );
        assert!(
            index
                .label
                .iter()
                .all(|at| (*at as usize) < index.labels.len())
        );
        assert!(
            index
                .place
                .iter()
                .all(|at| (*at as usize) < index.places.len())
        );
        let levels = [
            (Level::Plain, &index.plain),
            (Level::Operations, &index.operations),
            (Level::Handlers, &index.handlers),
        ];
        for (level, stops) in levels {
            assert!(stops.is_sorted_by(|left, right| left < right), "{name}");
            assert_eq!(
                (stops[0], stops[stops.len() - 1]),
                (0, index.steps),
                "{name}"
            );
            // A view knows the next stop.
            for pair in stops.windows(2).step_by(7) {
                assert_eq!(run.show(pair[0], level).next, Some(pair[1]), "{name}");
            }
            assert_eq!(run.show(index.steps, level).next, None);
        }
        // The plain stops are at least as many as the stops of operations.
        assert!(index.plain.len() >= index.operations.len(), "{name}");
        assert!(index.ticks.is_sorted_by_key(|tick| tick.position), "{name}");
    }
}

#[test]
fn labels_do_not_grow_with_the_steps() {
    let (short, long) = (
        Run::of(&chain(10), 100_000).index,
        Run::of(&chain(20), 100_000).index,
    );
    assert!(long.steps > 3 * short.steps);
    assert!(long.labels.len() <= 2 * short.labels.len());
}

const FLIPS: &str = "op Flip : 1 ▷ Real(1)
command ones() : Real(1) = iterate[i : 14](0)⟨sum⟩. let bit ⇐ Flip() in ⌊sum + bit⌋
handler All : Real(1) ⇒ Real(1) {
  x ↦ ⌊x⌋
  Flip, k; _ ↦ let a ⇐ k • 0 in let b ⇐ k • 1 in ⌊a + b⌋
}
main = handle ones() with All";

/// A long run of an ordinary handler that resumes twice: its index has no more marks than the slider can draw.
#[test]
fn of_a_long_run() {
    let mut run = Run::of(FLIPS, 150_000);
    assert!(run.index.steps > 100_000);
    let index = run::index(&mut run.session);
    assert!(index.ticks.len() <= 2000 && index.labels.len() < 100);
}

/// Stops of a level whose sentences contain all the words.
fn told(run: &mut Run, level: Level, words: &str) -> Found {
    let asked = Search {
        level,
        words: words.to_owned(),
    };
    match run.session.ask(1, Ask::Search(asked)) {
        Reply::Found(found) => found,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_search_finds_the_words_of_sentences() {
    let mut run = Run::example("mlp");
    let mut found = |level, words: &str| {
        let found = told(&mut run, level, words);
        assert_eq!((found.searched, found.more), (None, false));
        found.positions
    };
    assert_eq!(found(Level::Plain, "first cotangent"), [26, 28]);
    assert_eq!(found(Level::Plain, "waited fc[l1]"), [28]);
    assert_eq!(found(Level::Plain, "WAITED FC[ℓ1]"), [28]);
    assert_eq!(found(Level::Plain, "contents"), [46, 82]);
    assert_eq!(found(Level::Plain, "run is over"), [86, 89]);
    assert_eq!(found(Level::Operations, "passes"), [39, 75]);
    assert_eq!(found(Level::Every, "chain rule"), [60]);
    // A word is found at the start of a word only, not inside `input` or `computed`.
    assert!(found(Level::Plain, "put").is_empty());
    assert!(found(Level::Plain, "  ").is_empty());
}

/// Values made for a search do not change the view on display.
#[test]
fn a_search_leaves_the_view_as_it_is() {
    let source = "loc big ∷ (100, 90) = glorot(seed: 1)
main = let w ⇐ Get[big]() in let v ⇐ ⌊2 · w⌋ in ⌊sum(v)⌋";
    let mut run = Run::of(source, 100);
    let view = run.show(1, Level::Every);
    let chips = view.lines.iter().flat_map(|line| &line.pieces);
    let chip = chips.filter_map(|piece| piece.chip.as_ref()).next();
    let entries = |run: &mut Run| {
        let chip = chip.map_or(0, |chip| chip.id);
        run.session.ask(1, Ask::Entries { chip })
    };
    let before = entries(&mut run);
    assert!(matches!(before, Reply::Entries(Some(_))));
    assert_eq!(told(&mut run, Level::Every, "heap").positions, [0]);
    assert_eq!(entries(&mut run), before);
}

/// Only the first sentences of a long run are searched.
#[test]
fn a_search_has_an_end() {
    let mut run = Run::of(FLIPS, 30_000);
    let found = told(&mut run, Level::Every, "flip");
    assert_eq!((found.searched, found.more), (Some(20_000), false));
    assert!(found.positions.len() > 1000, "{}", found.positions.len());
}
