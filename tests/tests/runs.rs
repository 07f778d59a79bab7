//! Comparison of runs as in the page: the handlers that a program could use, and the results of two runs from the same heap.

use fletch_playground::Session;
use fletch_playground::protocol::{
    Ask, Edit, End, Mode, Pair, Ran, Reply, Runs, TextEdit, Variant,
};
use fletch_tests::{examples, must_check, programs, run_json};

fn example(name: &str) -> String {
    let mut all = programs(&examples()).into_iter();
    all.find(|(found, _)| found == name).unwrap().1
}

fn session(source: &str, heap: &[Edit]) -> Session {
    let mut session = Session::default();
    session.ask(
        1,
        Ask::Load {
            source: source.to_owned(),
            heap: heap.to_vec(),
            mode: Mode::default(),
        },
    );
    session
}

fn variants(session: &mut Session) -> Vec<Variant> {
    match session.ask(1, Ask::Variants) {
        Reply::Variants(variants) => variants,
        reply => panic!("{reply:?}"),
    }
}

/// Returns the edit of the variant that inserts this text.
fn edit(session: &mut Session, insert: &str) -> TextEdit {
    let mut all = variants(session).into_iter();
    all.find(|variant| variant.edit.insert == insert)
        .unwrap()
        .edit
}

fn run(session: &mut Session, left: TextEdit, right: TextEdit) -> Ran {
    let asked = Runs { left, right };
    match session.ask(1, Ask::Run(asked)) {
        Reply::Ran(ran) => *ran,
        reply => panic!("{reply:?}"),
    }
}

fn found<'a>(pairs: &'a [Pair], name: &str) -> &'a Pair {
    pairs.iter().find(|pair| pair.name == name).unwrap()
}

fn written(source: &str) -> Vec<String> {
    let all = variants(&mut session(source, &[])).into_iter();
    let text = |variant: Variant| match (variant.main, variant.is_original()) {
        (_, true) => format!("= {}", variant.edit.insert),
        (true, false) => format!("main {}", variant.edit.insert),
        (false, false) => variant.edit.insert,
    };
    all.map(text)
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn the_handlers_that_fit_are_offered_with_the_arguments_that_are_known() {
    assert_eq!(
        written(&example("frozen_layer")),
        [
            "= H_tuning(0.1, [1, −1])",
            "H_SGD(0.1, [1, −1])",
            "= rev handle([0.8, 0.2, −0.5])⟨x_in⟩. R_MLP(x_in) with H_tuning(0.1, [1, −1])"
        ]
    );
    // The handler is used in a command that `main` calls twice.
    assert_eq!(
        written(&example("momentum")),
        [
            "= H_momentum(0.1, 0.9, [1, −1])",
            "H_SGD(0.1, [1, −1])",
            "= let _ ⇐ Step() in Step()",
            "main Step()"
        ]
    );
    // A parameter without a known argument gets a value of its type. Only ordinary handlers are offered for an
    // ordinary handler.
    let plain = example("momentum").replace("H_momentum(0.1, 0.9, [1, −1])", "H_SGD(0.1, [1, −1])");
    assert!(
        written(&plain).contains(&"H_momentum(0.1, 0.1, [1, −1])".to_owned()),
        "{:?}",
        written(&plain)
    );
    assert_eq!(written(&example("mlp_inference")).len(), 2);
    for (name, source) in programs(&examples()) {
        let all = variants(&mut session(&source, &[]));
        assert!(all.iter().any(Variant::is_original), "{name}");
        for variant in all {
            let mut units: Vec<u16> = source.encode_utf16().collect();
            let (from, to) = (variant.edit.from as usize, variant.edit.to as usize);
            let before = String::from_utf16(&units[..from]).unwrap();
            assert_eq!(variant.line as usize, before.matches('\n').count() + 1);
            units.splice(from..to, variant.edit.insert.encode_utf16());
            must_check(&String::from_utf16(&units).unwrap());
        }
    }
}

#[test]
fn a_frozen_layer_keeps_its_contents() {
    let source = example("frozen_layer");
    let mut session = session(&source, &[]);
    let tuning = edit(&mut session, "H_tuning(0.1, [1, −1])");
    let descent = edit(&mut session, "H_SGD(0.1, [1, −1])");
    let ran = run(&mut session, descent, tuning.clone());
    assert_eq!((&ran.left, &ran.right), (&End::Value, &End::Value));
    let frozen = found(&ran.heap, "ℓ0");
    let (left, right) = (
        frozen.left.as_ref().unwrap(),
        frozen.right.as_ref().unwrap(),
    );
    assert_eq!(right.entries, *frozen.start.as_ref().unwrap());
    assert_eq!(right.norm, 0.0);
    assert!(left.norm > 0.0);
    let difference = frozen.difference.as_ref().unwrap();
    assert!((difference.norm - left.norm).abs() < 1e-12);
    assert_eq!(difference.entries[3], right.entries[3] - left.entries[3]);
    assert!(frozen.whole);
    let learned = found(&ran.heap, "ℓ1");
    assert_eq!(learned.difference.as_ref().unwrap().norm, 0.0);
    assert_eq!(
        found(&ran.values, "result")
            .difference
            .as_ref()
            .unwrap()
            .norm,
        0.0
    );
    // The heap equals that of `run`.
    let json = run_json(&source);
    let numbers = json["heap"]["ℓ1"]["data"].as_array().unwrap().iter();
    let numbers: Vec<f64> = numbers.map(|number| number.as_f64().unwrap()).collect();
    assert_eq!(learned.right.as_ref().unwrap().entries, numbers);
    let same = run(&mut session, tuning.clone(), tuning);
    let norms = same
        .heap
        .iter()
        .map(|pair| pair.difference.as_ref().unwrap().norm);
    assert!(norms.eq(vec![0.0; same.heap.len()]));
}

#[test]
fn a_location_may_be_of_one_run_alone_and_both_start_from_what_a_reader_put_there() {
    let source = example("momentum");
    let edited = Edit {
        location: "ℓ1".to_owned(),
        entries: vec![0.25; 8],
    };
    let mut session = session(&source, &[edited]);
    let momentum = edit(&mut session, "H_momentum(0.1, 0.9, [1, −1])");
    let descent = edit(&mut session, "H_SGD(0.1, [1, −1])");
    let ran = run(&mut session, descent, momentum);
    let velocity = found(&ran.heap, "velocity[ℓ1]");
    assert_eq!(velocity.left, None);
    assert_eq!(velocity.difference, None);
    assert!(velocity.right.as_ref().unwrap().norm > 0.0);
    let weights = found(&ran.heap, "ℓ1");
    assert_eq!(weights.start, Some(vec![0.25; 8]));
    assert!(weights.difference.as_ref().unwrap().norm > 0.0);
    let names: Vec<&str> = ran.heap.iter().map(|pair| &*pair.name).collect();
    assert_eq!(names, ["ℓ0", "ℓ1", "velocity[ℓ0]", "velocity[ℓ1]"]);
}

#[test]
fn why_a_run_has_no_value_is_said() {
    let source = "loc ℓ ∷ (1) = [1]
op Step[ℓ ∷ (n)] : Real(n) ▷ Real(n)
handler H(α : Real(1)) : Real(1) {
  x ↦ ⌊x⌋
  Step[ℓ ∷ (n)] ( x ↦ let _ ⇐ Put[ℓ](α · x) in let w ⇐ Get[ℓ]() in ⌊⟨log(w), ()⟩⌋ | y, z ↦ ⌊y⌋ )
}
main = rev handle([1])⟨x⟩. Step[ℓ](x) with H(1)";
    let mut session = session(source, &[]);
    let fine = edit(&mut session, "H(1)");
    let other = |insert: &str| TextEdit {
        insert: insert.to_owned(),
        ..fine.clone()
    };
    let ran = run(&mut session, fine.clone(), other("H(−1)"));
    assert_eq!(ran.left, End::Value);
    let End::Stopped(wrong) = ran.right else {
        panic!("{:?}", ran.right);
    };
    assert_eq!(wrong.code, "F0601");
    assert!(
        wrong.message.starts_with("`log` is undefined here"),
        "{}",
        wrong.message
    );
    assert_eq!(ran.values, []);
    // Contents that were written before the run stopped are shown.
    assert_eq!(ran.heap[0].right.as_ref().unwrap().entries, [-1.0]);
    let ran = run(&mut session, other("J(1)"), fine.clone());
    let End::Rejected(wrong) = ran.left else {
        panic!("{:?}", ran.left);
    };
    assert_eq!(wrong.code, "F0201");
    assert_eq!(ran.heap[0].left, None);
    assert_eq!(ran.right, End::Value);
}
