//! Primitives and kernels agree to the bit, and the name of a primitive distinguishes it from all others.

use std::collections::{BTreeMap, BTreeSet};

use fletch_smooth::generate::SplitMix64;
use fletch_smooth::{Kernel, Partiality, Primitive};

/// The primitives of all families and of their derivatives, up to the third order.
fn primitives() -> Vec<Primitive> {
    let larger: &[crate::common::Instance] = &[
        ("matmul", &[], &[&[3, 19], &[19]]),
        ("matmul", &[], &[&[3, 19], &[19, 2]]),
        ("matmul", &[], &[&[2, 3], &[3, 18]]),
        ("matmul", &[], &[&[4, 4], &[4, 4]]),
        ("dot", &[], &[&[23], &[23]]),
        ("half_sq", &[], &[&[11]]),
        ("conv1d", &[17, 3, 2, 3], &[]),
        ("maxpool1d", &[7, 3, 2], &[]),
        ("cross_entropy", &[], &[&[13], &[13]]),
        ("exp", &[], &[&[0]]),
        ("dot", &[], &[&[0], &[0]]),
        ("sum", &[], &[&[0]]),
    ];
    let mut symbols = crate::common::symbols();
    symbols.extend(larger.iter().map(crate::common::symbol));
    let mut found = BTreeMap::new();
    for mut symbol in symbols {
        for _ in 0..4 {
            for statement in symbol.map().statements() {
                let primitive = statement.applied.clone();
                found.insert(format!("{primitive:?}"), primitive);
            }
            symbol = symbol.reverse();
        }
    }
    found.into_values().collect()
}

/// Arguments with ties, zeros of both signs and halves among them.
fn argument(sizes: &[usize], round: usize, random: &mut SplitMix64) -> Vec<Vec<f64>> {
    let mut number = || {
        let x = 4.0 * random.uniform() - 2.0;
        match (round, (random.uniform() * 8.0) as usize) {
            (0, _) => x,
            (1, _) => 0.1 + x.abs(),
            (_, 0) => 0.0,
            (_, 1) => -0.0,
            (_, 2) => 0.5,
            _ => (2.0 * x).round() / 2.0,
        }
    };
    let mut vector = |n: &usize| (0..*n).map(|_| number()).collect();
    sizes.iter().map(&mut vector).collect()
}

#[test]
fn a_kernel_computes_what_the_primitive_does_to_the_bit() {
    let mut random = SplitMix64::new(5);
    for primitive in primitives() {
        let mut runs = 0;
        for round in [0, 0, 1, 2, 2, 2, 0, 1] {
            let argument = argument(&primitive.inputs(), round, &mut random);
            let inputs: Vec<&[f64]> = argument.iter().map(Vec::as_slice).collect();
            if primitive.check(&inputs, Partiality::Total).is_err() {
                continue;
            }
            let mut applied = vec![0.0; primitive.output()];
            let mut run = applied.clone();
            primitive.apply(&inputs, &mut applied);
            primitive.kernel().run(&inputs, &mut run);
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(&applied),
                bits(&run),
                "{primitive:?} at {inputs:?}: {applied:?} against {run:?}"
            );
            runs += 1;
        }
        assert!(runs > 0, "{primitive:?} is defined nowhere");
    }
}

/// Kind of a primitive: its `Debug` text without the sizes.
fn kind(primitive: &Primitive) -> String {
    let text = format!("{primitive:?}");
    let mut kind = String::new();
    for (position, part) in text.split(": ").enumerate() {
        let sizes = ["n", "m", "k", "c", "d", "i", "b", "h", "w", "kh", "kw"];
        let field = |text: &str| text.rsplit([' ', '{']).next().unwrap_or("").to_owned();
        let before = text.split(": ").take(position).last().map(field);
        let part = match before {
            Some(before) if sizes.contains(&before.as_str()) => {
                part.trim_start_matches(|c: char| c.is_ascii_digit())
            }
            _ => part,
        };
        kind += part;
    }
    kind
}

#[test]
fn a_name_tells_a_primitive_from_all_others() {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut shown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for primitive in primitives() {
        // The name of a lift is `cols` or `rows`; the inner primitive is at the end of its printed form.
        if !["cols", "rows"].contains(&&*primitive.name()) {
            let kinds = names.entry(primitive.name().into_owned()).or_default();
            kinds.insert(kind(&primitive));
        }
        let sizes = (primitive.inputs(), primitive.output());
        let known = shown.entry(format!("{primitive} {sizes:?}")).or_default();
        known.insert(format!("{primitive:?}"));
    }
    assert!(names.len() > 60, "{names:?}");
    for (name, known) in names.iter().chain(&shown) {
        assert_eq!(known.len(), 1, "{name} is said of {known:?}");
    }
}

/// The condition at each entry agrees with the domain check.
#[test]
fn what_is_outside_at_some_entry_is_not_in_the_domain() {
    let mut random = SplitMix64::new(7);
    let (mut inside, mut outside) = (0, 0);
    for primitive in primitives() {
        for mode in [Partiality::Paper, Partiality::Total] {
            let Some(nest) = primitive.outside(mode) else {
                continue;
            };
            let kernel = Kernel {
                temporaries: Vec::new(),
                nests: vec![nest],
            };
            for round in 0..60 {
                let mut arguments = argument(&primitive.inputs(), round % 3, &mut random);
                if round % 10 == 9
                    && let Some(entry) = arguments.iter_mut().flatten().next()
                {
                    *entry = [f64::NAN, f64::INFINITY][round / 10 % 2];
                }
                let inputs: Vec<&[f64]> = arguments.iter().map(Vec::as_slice).collect();
                let mut out = vec![0.0; primitive.output().max(1)];
                kernel.run(&inputs, &mut out);
                let found = out.contains(&1.0);
                let checked = primitive.check(&inputs, mode);
                assert_eq!(
                    found,
                    checked.is_err(),
                    "{primitive} at {inputs:?}: {checked:?}"
                );
                *(if found { &mut outside } else { &mut inside }) += 1;
            }
        }
    }
    assert!(inside > 500 && outside > 500, "{inside} {outside}");
}
