//! Data sets that are made of others: their samples, their types, and the diagnostics of wrong ones.

use crate::common::{complains, elaborated};
use fletch_elaborate::{Files, file_names, with_items};
use fletch_syntax::parse;

/// The samples of the last data set, each flattened to its numbers, and the type of a sample.
fn samples(source: &str) -> (Vec<Vec<f64>>, String) {
    let (program, _) = parse(source, fletch_smooth::symbols());
    let mut files = Files::default();
    files.insert("points.csv", "1,2,3\n4,5,6\n7,8,9\n".to_owned());
    with_items(&program, &files, |items| {
        let sets = items.data_sets();
        let set = sets.iter().max_by_key(|set| set.rest.start).unwrap();
        let flat = |sample: &fletch_calculus::Value| {
            let tensors = sample.tensors().into_iter();
            tensors.flat_map(|tensor| tensor.data().to_vec()).collect()
        };
        (set.samples.iter().map(flat).collect(), set.ty.clone())
    })
}

#[test]
fn a_data_set_is_a_name_a_file_or_made_of_others() {
    let d = "data d = [⟨1, 10⟩, ⟨2, 20⟩, ⟨3, 30⟩, ⟨4, 40⟩]\n";
    let of = |dataset: &str| samples(&format!("{d}data e = {dataset}")).0;
    assert_eq!(
        of("d"),
        [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0]]
    );
    assert_eq!(of("take(d, 1)"), [[1.0, 10.0]]);
    assert_eq!(of("drop(d, n: 3)"), [[4.0, 40.0]]);
    assert_eq!(
        of("join(drop(d, 3), take(d, 1))"),
        [[4.0, 40.0], [1.0, 10.0]]
    );
    assert_eq!(of("join([⟨0, 5⟩], drop(d, 3))"), [[0.0, 5.0], [4.0, 40.0]]);
    assert_eq!(of("take(xor, 2)"), [[0.0, 0.0, 0.0], [0.0, 1.0, 1.0]]);
    let mut shuffled = of("shuffle(d, seed: 7)");
    assert_ne!(shuffled, of("d"));
    shuffled.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(shuffled, of("d"));
    // Both halves of a split.
    let split = "data all = shuffle(d, seed: 7)\ndata e = join(take(all, 3), drop(all, 3))";
    assert_eq!(samples(&format!("{d}{split}")).0, of("shuffle(d, seed: 7)"));
    let moments = of("standardise(d)");
    assert_eq!(moments[0][0], -1.5 / 1.25_f64.sqrt());
    assert_eq!(moments[3][1], 40.0);
}

#[test]
fn a_file_is_read_as_samples_of_the_declared_type() {
    let file = "Real(2) × Real(1) = shuffle(csv(\"points.csv\"), seed: 1)";
    let (found, ty) = samples(&format!("data d : {file}"));
    assert_eq!((found.len(), ty.as_str()), (3, "Real(2) × Real(1)"));
    let noisy = "Real(2) × Real(1) × Real(4) = noise(drop(csv(\"points.csv\"), 1), 4, seed: 1)";
    let (found, ty) = samples(&format!("data d : {noisy}"));
    assert_eq!(
        (found.len(), ty.as_str()),
        (2, "Real(2) × Real(1) × Real(4)")
    );
    assert_eq!(found[0][..3], [4.0, 5.0, 6.0]);
    let source = "data d : Real(3) = join(csv(\"a.csv\"), take(csv(\"b.csv\"), 4))";
    let (program, _) = parse(source, fletch_smooth::symbols());
    assert_eq!(file_names(&program), ["a.csv", "b.csv"]);
    // The program is checked even without the files.
    complains(source, &[]);
    complains(&format!("{source}\ntrain d as x for 1 epochs = ⌊x⌋"), &[]);
}

/// A generator without arguments may share its name with a data set: in the declaration of that data set, the name means the generator.
#[test]
fn a_declared_name_comes_first_but_in_its_own_declaration() {
    let own = "data xor = take(xor, 1)\n";
    assert_eq!(samples(own).0, [[0.0, 0.0, 0.0]]);
    assert_eq!(samples(&format!("{own}data d = join(xor, xor)")).0.len(), 2);
}

#[test]
fn what_is_wrong_is_said_at_its_place() {
    complains("data a = take(b, 1)\ndata b = drop(a, 1)", &["F0203 a"]);
    complains("data a = take(xor, 5)", &["F0306 take(xor, 5)"]);
    complains("data a = shuffle(xor)", &["F0306 shuffle(xor)"]);
    complains("data a = join(xor)", &["F0306 join(xor)"]);
    complains("data a = join(xor, sine)", &["F0401 sine"]);
    complains(
        "data a = take(xro, 1)\ndata b = drop(xro, 1)",
        &["F0201 xro"],
    );
    complains(
        "data a = shuffle(csv(\"f.csv\"), seed: 1)",
        &["F0407 \"f.csv\""],
    );
    // Data sets that double repeatedly are limited in size.
    let doubling: String = (0..40)
        .map(|i| format!("data d{} = join(d{i}, d{i})\n", i + 1))
        .collect();
    let found = elaborated(&format!("data d0 = xor\n{doubling}")).findings;
    assert!(
        found
            .iter()
            .any(|found| found.diagnostic.message.contains("samples"))
    );
}

/// The grammar and the implementation of the combinators use the same names.
#[test]
fn the_grammar_has_every_combinator() {
    let named = fletch_syntax::COMBINATORS.map(|(name, _)| name);
    assert_eq!(named, fletch_smooth::combinators::COMBINATORS);
}
