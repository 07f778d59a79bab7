//! Initialisers and data sets: the contract's test values, shapes, determinism, errors.

use fletch_smooth::datasets::{DATASETS, dataset};
use fletch_smooth::generate::{INITIALISERS, SplitMix64, initialiser};
use fletch_smooth::{Argument, GeneratorError, Shape, Value};

/// Named and positional arguments.
type Arguments<'a> = &'a [(Option<&'a str>, Argument)];

#[test]
fn values_of_the_contract() {
    assert_eq!(SplitMix64::new(1).draw(), 0x910a_2dec_8902_5cc1);
    // The location ℓ ∷ (2, 8) holds a tensor 8 × 2.
    let w = initialiser(
        "glorot",
        &[(Some("seed"), 1.0.into())],
        &Shape::matrix(8, 2),
    )
    .unwrap();
    assert_eq!(w.data()[..2], [0.10311674885583078, 0.3807634610720141]);
}

#[test]
fn a_seed_is_any_whole_number_of_64_bits() {
    let shape = Shape::vector(3);
    let drawn = |seed| {
        initialiser(
            "uniform",
            &[(None, 0.0.into()), (None, 1.0.into()), (None, seed)],
            &shape,
        )
    };
    for seed in [0, 1, (1 << 53) + 1, u64::MAX] {
        let mut random = SplitMix64::new(seed);
        let expected: Vec<f64> = (0..3).map(|_| random.uniform()).collect();
        assert_eq!(drawn(Argument::Whole(seed)).unwrap().data(), expected);
    }
    assert!(drawn(Argument::Real(18_446_744_073_709_551_616.0)).is_err());
}

#[test]
fn initialisers() {
    let shape = Shape::new(vec![4, 3, 2]);
    let seed = (Some("seed"), 5.0.into());
    let cases: [(&str, Arguments<'_>, f64); 6] = [
        ("zeros", &[], 0.0),
        ("constant", &[(None, 2.5.into())], 2.5),
        (
            "uniform",
            &[(None, (-1.0).into()), (None, 1.0.into()), seed],
            1.0,
        ),
        ("normal", &[(Some("std"), 0.1.into()), seed], 1.0),
        // fan_in = n₁n₂ = 6, fan_out = n₃n₁ = 8.
        ("glorot", &[seed], (6.0f64 / 14.0).sqrt()),
        ("he", &[(None, 5.0.into())], 5.0 * (2.0f64 / 6.0).sqrt()),
    ];
    assert_eq!(cases.map(|(name, ..)| name), INITIALISERS);
    for (name, arguments, bound) in cases {
        let tensor = initialiser(name, arguments, &shape).unwrap();
        assert_eq!(tensor, initialiser(name, arguments, &shape).unwrap());
        assert_eq!(*tensor.shape(), shape);
        assert!(
            tensor.data().iter().all(|x| x.abs() <= bound),
            "{name} {tensor:?}"
        );
        assert_eq!(
            tensor.data().iter().all(|x| *x == bound),
            name == "zeros" || name == "constant"
        );
    }
    let vector = initialiser("he", &[seed], &Shape::vector(8)).unwrap();
    let normal = initialiser("normal", &[(None, 0.5.into()), seed], &Shape::vector(8)).unwrap();
    assert_eq!(vector, normal);
}

#[test]
fn normal_draws_have_mean_0_and_variance_1() {
    let x = initialiser(
        "normal",
        &[(None, 1.0.into()), (None, 3.0.into())],
        &Shape::vector(20_000),
    )
    .unwrap();
    let mean = x.data().iter().sum::<f64>() / 20_000.0;
    let variance = x.data().iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
    assert!(
        mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03,
        "{mean} {variance}"
    );
}

#[test]
fn data_sets() {
    let types = [
        "Real(2) × Real(1)",
        "Real(2) × Real(1)",
        "Real(2) × Real(1)",
        "Real(2) × Real(1)",
        "Real(2) × Real(1)",
        "Real(2) × Real(3)",
        "Real(1) × Real(1)",
        "Real(2) × Real(1)",
        "Real(64) × Real(10)",
        "Real(64) × Real(64)",
        "Real(8) × Real(1)",
    ];
    for (name, ty) in DATASETS.iter().zip(types) {
        let samples = dataset(name, &[]).unwrap();
        assert_eq!(samples.len(), if *name == "xor" { 4 } else { 200 });
        assert_eq!(samples, dataset(name, &[]).unwrap());
        for sample in &samples {
            assert_eq!(sample.ty().to_string(), ty, "{name}");
            assert!(
                sample
                    .tensors()
                    .iter()
                    .all(|t| t.data().iter().all(|x| x.abs() < 3.0)),
                "{name} {sample:?}"
            );
        }
        if *name != "xor" {
            let others = dataset(
                name,
                &[(Some("seed"), 2.0.into()), (Some("n"), 12.0.into())],
            )
            .unwrap();
            assert_eq!(others.len(), 12);
            assert_ne!(others[..], samples[..12], "{name}");
        }
    }
    assert_eq!(
        dataset("blobs", &[(None, 5.0.into()), (None, 4.0.into())]).unwrap()[3]
            .ty()
            .to_string(),
        "Real(2) × Real(4)"
    );
    assert_eq!(
        dataset("blips", &[(Some("length"), 16.0.into())]).unwrap()[0]
            .ty()
            .to_string(),
        "Real(16) × Real(16)"
    );
}

#[test]
fn without_noise_the_first_blip_component_is_the_second() {
    let Value::Tuple(sample) = dataset("blips", &[(Some("noise"), 0.0.into())]).unwrap()[0].clone()
    else {
        panic!()
    };
    assert_eq!(sample[0], sample[1]);
}

#[test]
fn two_numbers_of_a_sequence_are_marked_and_added() {
    let samples = dataset("adding", &[(Some("length"), 5.0.into())]).unwrap();
    let mut marks = [0; 5];
    for sample in &samples {
        let parts = sample.tensors();
        let (sequence, target) = (parts[0].data(), parts[1].data()[0]);
        let marked: Vec<usize> = (0..5).filter(|k| sequence[2 * k + 1] == 1.0).collect();
        assert_eq!((sequence.len(), marked.len()), (10, 2));
        let sum: f64 = marked.iter().map(|k| sequence[2 * k]).sum();
        assert!((sum - target).abs() < 1e-15);
        marked.iter().for_each(|k| marks[*k] += 1);
    }
    assert!(
        marks.iter().all(|count| (50..110).contains(count)),
        "{marks:?}"
    );
}

#[test]
fn errors() {
    let shape = Shape::vector(2);
    let cases: [(Result<(), GeneratorError>, &str); 8] = [
        (
            initialiser("xavier", &[], &shape).map(drop),
            "there is no generator `xavier`; there are zeros, constant, uniform, normal, glorot, he",
        ),
        (
            initialiser("he", &[], &shape).map(drop),
            "`he` needs the argument `seed`",
        ),
        (
            initialiser("he", &[(Some("sed"), 1.0.into())], &shape).map(drop),
            "`he` has no argument `sed`; it takes `seed`",
        ),
        (
            initialiser("he", &[(None, 1.0.into()), (None, 1.0.into())], &shape).map(drop),
            "`he` has no argument number 2; it takes `seed`",
        ),
        (
            initialiser("he", &[(None, 0.5.into())], &shape).map(drop),
            "`seed` in `he` must be a whole number from 0 to 18446744073709551615, but is 0.5",
        ),
        (
            dataset("moons", &[(Some("noise"), (-1.0).into())]).map(drop),
            "`noise` in `moons` must be a number from 0 on, but is -1",
        ),
        (
            dataset("xor", &[(Some("n"), 1.0.into())]).map(drop),
            "`xor` takes no arguments, but has `n`",
        ),
        (
            dataset("sine", &[(None, 1.0.into()), (Some("n"), 1.0.into())]).map(drop),
            "`sine` has the argument `n` twice",
        ),
    ];
    for (result, message) in cases {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
    assert!(matches!(
        dataset("spiral", &[]),
        Err(GeneratorError::Unknown { .. })
    ));
    assert!(matches!(
        dataset("blips", &[(None, 1e5.into()), (None, 1e5.into())]),
        Err(GeneratorError::BadValue { .. })
    ));
}
