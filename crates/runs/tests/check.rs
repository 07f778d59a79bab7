//! The gradient check on handlers that are gradient descent and on handlers that are not: the reported locations and deviations.

use fletch_elaborate::Files;
use fletch_runs::check::{self, Against, Check, Checked, Fares, NotChecked, Settings, Verdict};
use fletch_runs::generated::Host;
use fletch_runs::training::{Course, train};
use fletch_runs::{Engine, Precision};
use fletch_smooth::Tensor;
use fletch_trace::Budget;
use std::fs;
use std::path::Path;

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    fs::read_to_string(examples.join(format!("{name}.fletch"))).unwrap()
}

/// An example without its `main`, with these items at the end.
fn trained(name: &str, items: &str) -> String {
    let source = example(name);
    let (before, _) = source.split_once("\nmain =").unwrap();
    format!("{before}\n{items}\n")
}

fn try_check(source: &str, settings: Settings) -> Result<Checked, NotChecked> {
    let checked = fletch_ide::check(source);
    assert!(!checked.rejected(), "{:#?}", checked.diagnostics);
    let heap: &[(String, Tensor)] = &[];
    let (files, host) = (Files::default(), Some(fletch_native::host as Host));
    let mut check = Check::new(&checked.program, &files, heap, 0, settings, host)?;
    let reads = std::cell::Cell::new(0);
    // Each slice ends after a few entries.
    let few = || {
        reads.set(reads.get() + 1);
        reads.get() % 7 != 0
    };
    let mut part = check.done();
    while !check.advance(&few) {
        assert!(check.done() > part, "nothing was done in a slice");
        part = check.done();
    }
    assert_eq!(check.done(), 1.0);
    Ok(check.checked())
}

fn checked(source: &str) -> Checked {
    try_check(source, Settings::default()).unwrap_or_else(|why| panic!("{why:?}"))
}

#[test]
fn from_where_a_training_has_ended_nothing_is_said() {
    let source = example("mlp");
    let program = fletch_ide::check(&source).program;
    let course = Course {
        engine: Engine::Compiled(Precision::Double),
        epochs: None,
        budget: Budget::steps(0),
        heap: &[],
        host: Some(fletch_native::host),
        halt: &|| false,
    };
    let (training, _) = train(&program, &Files::default(), course, |_, _| {});
    let begun = Check::new(
        &program,
        &Files::default(),
        &training.heap,
        0,
        Settings::default(),
        Some(fletch_native::host),
    );
    let mut check = begun.unwrap_or_else(|why| panic!("{why:?}"));
    assert!(check.advance(&|| true));
    let checked = check.checked();
    let against = &checked.against[0];
    assert_eq!(against.verdict, Verdict::Rounding);
    let said = check::verdict(&checked, against);
    assert!(said.contains("nothing by more than rounding"), "{said}");
}

fn loss(source: &str) -> Against {
    checked(source).against[0].clone()
}

fn fares(against: &Against) -> Vec<(&str, Fares)> {
    let places = against.places.iter();
    places
        .map(|place| (place.name.as_str(), place.fares))
        .collect()
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-6 * expected.abs(),
        "{found} is not {expected}"
    );
}

#[test]
fn examples_that_train_are_gradient_descent_with_their_learning_rate() {
    for (name, rate, of) in [
        ("attention", 0.05, "H"),
        ("autoencoder", 0.05, "H_MLP"),
        ("bias_relu", 0.05, "H"),
        ("circles", 0.1, "H"),
        ("minibatch", 0.5, "H_MLP"),
        ("mlp", 0.1, "H_MLP"),
        ("recurrent", 0.05, "H_descent"),
        ("sine", 0.05, "H"),
        ("softmax_glyphs", 0.05, "H"),
        ("unet_training", 0.001, "H_CNN"),
    ] {
        let found = checked(&example(name));
        let Verdict::Descent(factor) = found.against[0].verdict else {
            panic!("{name}: {:#?}", check::lines(&found));
        };
        near(factor, rate);
        assert_eq!(
            found.against[0].named,
            Some(("α".to_owned(), of.to_owned()))
        );
        let all = fares(&found.against[0]);
        assert!(
            all.iter().all(|(_, fares)| *fares == Fares::Follows),
            "{name}: {all:?}"
        );
    }
}

#[test]
fn a_measure_that_counts_says_nothing() {
    let found = checked(&example("minibatch"));
    assert_eq!(found.against[1].measure, "accuracy");
    assert_eq!(found.against[1].verdict, Verdict::Flat);
}

#[test]
fn momentum_is_gradient_descent_at_its_first_step_alone() {
    let found = loss(&example("spirals"));
    let Verdict::Not(factor) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    near(factor, 0.005);
    assert_eq!(found.descent_at, [0]);
    for place in &found.places {
        let keeps = place.name.starts_with("velocity") || place.name.starts_with("drift");
        let expected = if keeps { Fares::Kept } else { Fares::Differs };
        assert_eq!(place.fares, expected, "{}", place.name);
        assert!(place.worst.as_ref().is_none_or(|worst| worst.step > 0));
    }
    // Momentum 0 is plain gradient descent.
    let plain =
        loss(&example("spirals").replace("H_momentum(0.005, 0.9, t)", "H_momentum(0.005, 0, t)"));
    assert!(
        matches!(plain.verdict, Verdict::Descent(_)),
        "{:?}",
        plain.verdict
    );
}

const NEAR: &str = "data points = [⟨[0.8, 0.2, −0.5], [1, −1]⟩, ⟨[−1.1, 0.7, 0.3], [0.5, 0]⟩, ⟨[2, 1, −1], [0, 1]⟩]
handler H_infer : Real(n_out) ⇒ Real(n_out) {
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)
}
";

fn clipped(name: &str, handler: &str) -> Against {
    let items = format!(
        "{NEAR}train points as ⟨v, t⟩ for 3 epochs = rev handle(v)⟨x⟩. R_MLP(x) with {handler}
measure loss on points as ⟨v, t⟩ = let y ⇐ handle R_MLP(v) with H_infer in ⌊half_sq(y − t)⌋"
    );
    loss(&trained(name, &items))
}

#[test]
fn clipping_by_layers_is_along_the_gradient_but_with_factors_of_its_own() {
    let found = clipped("clip_norm", "H_clip(0.1, 0.5, t)");
    assert_eq!(found.verdict, Verdict::Each);
    // A bound that no gradient reaches leaves gradient descent.
    let found = clipped("clip_norm", "H_clip(0.1, 100, t)");
    let Verdict::Descent(factor) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    near(factor, 0.1);
}

#[test]
fn clipping_entries_turns_the_gradient() {
    let found = clipped("clip_entries", "H_clip(0.1, 0.2, t)");
    assert!(
        matches!(found.verdict, Verdict::Not(_)),
        "{:?}",
        found.verdict
    );
    assert!(
        found
            .places
            .iter()
            .any(|place| place.fares == Fares::Differs)
    );
}

#[test]
fn a_straight_through_estimator_moves_what_has_no_gradient() {
    let items = |handler: &str| {
        format!(
            "data points = [⟨[0.8, 0.2, −0.5], [1, −1]⟩, ⟨[−1.1, 0.7, 0.3], [0.5, 0]⟩]
handler H_infer : Real(n_out) ⇒ Real(n_out) {{
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)
  Layer[n], k; x ↦ k • (round(x))
}}
train points as ⟨v, t⟩ for 3 epochs = rev handle(v)⟨x⟩. R(x) with {handler}(0.1, t)
measure loss on points as ⟨v, t⟩ = let y ⇐ handle R(v) with H_infer in ⌊half_sq(y − t)⌋"
        )
    };
    let found = loss(&trained("ste", &items("H_STE")));
    let Verdict::Not(factor) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    near(factor, 0.1);
    assert_eq!(
        fares(&found),
        [("ℓ0", Fares::Differs), ("ℓ1", Fares::Follows)]
    );
    let worst = found.places[0].worst.as_ref().unwrap();
    assert!(worst.change != 0.0 && worst.expected == 0.0, "{worst:?}");
    // The handler with the derivative of rounding is gradient descent, though only on the layer that has a gradient.
    let found = loss(&trained("ste", &items("H_round")));
    assert!(
        matches!(found.verdict, Verdict::Descent(_)),
        "{:?}",
        found.verdict
    );
    assert_eq!(fares(&found), [("ℓ0", Fares::Flat), ("ℓ1", Fares::Follows)]);
}

fn shared(name: &str) -> Against {
    let items = "data points = [⟨[0.8, 0.2, −0.5], [1, 0, −1]⟩, ⟨[−1, 0.5, 0.3], [0, 1, 0]⟩]
handler H_infer : Real(n_in) ⇒ Real(n_in) {
  x ↦ ⌊x⌋
  FC[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)
}
train points as ⟨v, t⟩ for 3 epochs = rev handle(v)⟨x⟩. R(x) with H_SGD(0.1, t)
measure loss on points as ⟨v, t⟩ = let y ⇐ handle R(v) with H_infer in ⌊half_sq(y − t)⌋";
    loss(&trained(name, items))
}

#[test]
fn the_last_put_of_a_shared_location_loses_a_part_of_the_gradient() {
    let found = shared("shared_last_put");
    assert!(
        matches!(found.verdict, Verdict::Not(_)),
        "{:?}",
        found.verdict
    );
    assert_eq!(fares(&found), [("shared", Fares::Differs)]);
}

/// A network of two layers. `backward` are further clauses of its handler, `between` is the clause of the operation between the layers.
fn two(backward: &str, between: &str) -> String {
    format!(
        "loc a ∷ (2, 2) = [[0.5, −0.3], [0.2, 0.7]]
loc b ∷ (2, 2) = [[0.4, 0.1], [−0.6, 0.9]]
loc kept ∷ (1)
op Layer[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op Between[n] : Real(n) ▷ Real(n)
command R(x : Real(2)) : Real(2) = let z ⇐ Layer[a](x) in let z' ⇐ Between(z) in Layer[b](z')
handler H(α : Real(1), t : Real(2)) : Real(2) {{
  y ↦ ⌊α · (y − t)⌋
  {backward}
  Layer[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                    | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
  Between[n] {between}
}}
handler H_infer : Real(2) ⇒ Real(2) {{
  y ↦ ⌊y⌋
  Layer[ℓ ∷ (n, m)], k; x ↦ let w ⇐ Get[ℓ]() in k • (w ∗ x)
  Between[n], k; x ↦ k • (tanh(x))
}}
data points = [⟨[1, 2], [0.5, 0]⟩, ⟨[−1, 0.5], [0, 1]⟩, ⟨[0.3, 0.3], [1, 1]⟩]
train points as ⟨v, t⟩ for 4 epochs = rev handle(v)⟨x⟩. R(x) with H(0.1, t)
measure loss on points as ⟨v, t⟩ = let y ⇐ handle R(v) with H_infer in ⌊half_sq(y − t)⌋"
    )
}

const BETWEEN: &str = "( x ↦ ⌊⟨tanh(x), x⟩⌋ | y, x ↦ ⌊rd[tanh](x, y)⌋ )";

fn other_a(put: &str) -> String {
    format!(
        "Layer[a] ( x ↦ let w ⇐ Get[a]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
          | y, ⟨w, x⟩ ↦ {put} ⌊wᵀ ∗ y⌋ )"
    )
}

#[test]
fn locations_that_go_their_own_way_are_named() {
    assert!(matches!(
        loss(&two("", BETWEEN)).verdict,
        Verdict::Descent(_)
    ));

    // First a frozen layer, then a layer with a learning rate of its own.
    let frozen = loss(&two(&other_a(""), BETWEEN));
    assert_eq!(frozen.verdict, Verdict::Locations);
    assert_eq!(fares(&frozen), [("a", Fares::Left), ("b", Fares::Follows)]);
    let slow = loss(&two(
        &other_a("let _ ⇐ Put[a](w − 0.25 · (y ∗ xᵀ)) in"),
        BETWEEN,
    ));
    assert_eq!(slow.verdict, Verdict::Locations);
    near(slow.places[0].own.unwrap(), 0.025);
    near(slow.places[1].own.unwrap(), 0.1);

    // First weight decay, then a gradient that is cut between the layers.
    let decays = loss(&two(
        &other_a("let _ ⇐ Put[a](w − y ∗ xᵀ − 0.001 · w) in"),
        BETWEEN,
    ));
    assert!(
        matches!(decays.verdict, Verdict::Not(_)),
        "{:?}",
        decays.verdict
    );
    assert_eq!(
        fares(&decays),
        [("a", Fares::Differs), ("b", Fares::Follows)]
    );
    let cut = loss(&two("", "( x ↦ ⌊⟨tanh(x), ()⟩⌋ | y, _ ↦ ⌊0 · y⌋ )"));
    assert_eq!(fares(&cut), [("a", Fares::Left), ("b", Fares::Follows)]);

    // First the wrong sign, then a cotangent that skips the derivative of `tanh`.
    let up = loss(&two("", BETWEEN).replace("α · (y − t)", "α · (t − y)"));
    assert!(matches!(up.verdict, Verdict::Ascent(_)), "{:?}", up.verdict);
    let wrong = loss(&two("", "( x ↦ ⌊⟨tanh(x), x⟩⌋ | y, x ↦ ⌊y⌋ )"));
    assert_eq!(
        fares(&wrong),
        [("a", Fares::Differs), ("b", Fares::Follows)]
    );

    let nothing = loss(&two("", BETWEEN).replace("α · (y − t)", "0 · (y − t)"));
    assert_eq!(nothing.verdict, Verdict::Still);
}

#[test]
fn the_worst_entry_is_where_it_was_changed_otherwise() {
    let one = "let _ ⇐ Put[a](w − y ∗ xᵀ − [[0, 0], [0.5, 0]]) in";
    let found = loss(&two(&other_a(one), BETWEEN));
    let worst = found.places[0].worst.clone().unwrap();
    assert_eq!(worst.entry, [2, 1]);
    assert!(
        (worst.change - worst.expected + 0.5).abs() < 1e-6,
        "{worst:?}"
    );
    let (change, expected) = &found.places[0].changes;
    assert_eq!(
        (change.data()[2], expected.data()[2]),
        (worst.change, worst.expected)
    );
}

#[test]
fn a_kink_and_a_place_without_a_value_are_left_out() {
    // The measure has a kink at relu of 0: it rises above and is constant below.
    let kink = "loc w ∷ (2) = [0, 1]
data points = [1]
train points as v for 1 epochs = let w ⇐ Get[w]() in Put[w](w − 0.1 · [0, 1])
measure loss on points as v = let w ⇐ Get[w]() in ⌊sum(relu(w))⌋";
    let found = loss(kink);
    assert_eq!(found.places[0].doubts, (1, 0));
    let Verdict::Descent(factor) = found.verdict else {
        panic!("{:?}", found.verdict);
    };
    near(factor, 0.1);
    let edge = kink.replace("sum(relu(w))", "sum(sqrt(w))");
    let found = loss(&edge);
    assert_eq!(found.places[0].doubts, (0, 1), "{found:?}");
    let alone = loss(
        &kink
            .replace("(2) = [0, 1]", "(1) = 0")
            .replace("[0, 1]", "1"),
    );
    assert_eq!(alone.verdict, Verdict::Doubtful);
}

#[test]
fn what_cannot_be_checked_says_why() {
    let plain = two("", BETWEEN);
    let said = |source: &str, settings: Settings| match try_check(source, settings) {
        Err(NotChecked::Asked(message)) => message,
        other => panic!("{other:?}"),
    };
    let named = |name: &str| Settings {
        measure: Some(name.to_owned()),
        ..Settings::default()
    };
    assert!(said(&plain, named("los")).contains("no measure `los`: the program has `loss`"));
    let (without, _) = plain.split_once("measure").unwrap();
    assert!(said(without, Settings::default()).contains("measures nothing"));
    let other = plain.replace(
        "measure loss on points as ⟨v, t⟩ =",
        "data more = [1, 2]\nmeasure loss on more as _ = let ⟨v, t⟩ ⇐ ⌊⟨[1, 2], [1, 2]⟩⌋ in",
    );
    assert!(
        said(&other, Settings::default()).contains("no measure is taken of samples"),
        "{other}"
    );
    assert!(
        said(
            &plain,
            Settings {
                step: 0.0,
                ..Settings::default()
            }
        )
        .contains("between 0 and 1")
    );
    assert!(matches!(
        try_check("main = ⌊1⌋", Settings::default()),
        Err(NotChecked::Stopped(error)) if error.code == "F0604"
    ));
}

#[test]
fn the_stated_numbers_decide() {
    // Weight decay of a thousandth of the gradient passes with a larger tolerance.
    let decays = two(
        &other_a("let _ ⇐ Put[a](w − y ∗ xᵀ − 0.00001 · w) in"),
        BETWEEN,
    );
    assert!(matches!(loss(&decays).verdict, Verdict::Not(_)));
    let rough = Settings {
        tolerance: 1e-2,
        ..Settings::default()
    };
    let rough = try_check(&decays, rough).unwrap();
    assert!(matches!(rough.against[0].verdict, Verdict::Descent(_)));
    // Differences with too wide a step do not determine the gradient.
    let wide = Settings {
        step: 0.5,
        ..Settings::default()
    };
    let wide = try_check(&two("", BETWEEN), wide).unwrap();
    assert_eq!(wide.against[0].places[0].fares, Fares::Doubtful, "{wide:?}");
    let said = check::verdict(&wide, &wide.against[0]);
    assert!(
        said.ends_with("`a`: the differences say nothing."),
        "{said}"
    );
    // The number of steps and the first step can be set.
    let one = Settings {
        steps: 1,
        first: 2,
        ..Settings::default()
    };
    assert_eq!(try_check(&two("", BETWEEN), one).unwrap().steps, [2]);
}

#[test]
fn a_large_heap_is_looked_at_here_and_there() {
    let source = "loc w ∷ (300, 20) = normal(std: 0.1, seed: 1)
data points = [1, 2]
train points as v for 1 epochs = let w ⇐ Get[w]() in Put[w](w − 0.1 · w)
measure loss on points as v = let w ⇐ Get[w]() in ⌊half_sq(w)⌋";
    let found = loss(source);
    let (looked, of) = found.places[0].looked;
    assert!(
        of == 6_000 && (1000..=10_000).contains(&looked),
        "{looked} of {of}"
    );
    assert!(
        matches!(found.verdict, Verdict::Descent(_)),
        "{:?}",
        found.verdict
    );
}
