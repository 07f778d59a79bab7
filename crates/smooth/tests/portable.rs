//! Same program, same numbers on every platform: each initialiser and each data set gives the same bits natively and in wasm,
//! and so do the transcendental functions. The fingerprints were computed natively, where the other tests check the values.
//! This file also runs in a browser.
#![allow(clippy::unwrap_used)] // A failed test is a panic.

use fletch_smooth::datasets::{DATASETS, dataset};
use fletch_smooth::generate::{INITIALISERS, initialiser};
use fletch_smooth::{Argument, Partiality, Shape, Tensor, Value, family};

#[cfg(not(target_arch = "wasm32"))]
use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// FNV-1a over the bits of all entries.
#[derive(Clone, Copy)]
struct Fingerprint(u64);

impl Fingerprint {
    fn of(values: &[Value]) -> String {
        let mut print = Fingerprint(0xcbf2_9ce4_8422_2325);
        values.iter().for_each(|value| print.add(value));
        format!("{:016x}", print.0)
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Real(tensor) => {
                for byte in tensor.data().iter().flat_map(|x| x.to_bits().to_le_bytes()) {
                    self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
            Value::Tuple(parts) => parts.iter().for_each(|part| self.add(part)),
        }
    }
}

/// Fingerprints as text, one line for each.
fn table(fingerprints: &[(&str, String)]) -> String {
    let lines = fingerprints
        .iter()
        .map(|(name, print)| format!("{name} {print}\n"));
    lines.collect()
}

#[test]
fn initialisers_are_portable() {
    let shape = Shape::new(vec![5, 4, 3]);
    let found = INITIALISERS.map(|name| {
        let arguments: &[(Option<&str>, Argument)] = match name {
            "zeros" => &[],
            "constant" => &[(None, Argument::Real(0.1))],
            "uniform" => &[
                (None, Argument::Real(-1.0)),
                (None, Argument::Real(2.0)),
                (None, Argument::Real(7.0)),
            ],
            "normal" => &[(None, Argument::Real(0.3)), (None, Argument::Real(7.0))],
            _ => &[(None, Argument::Real(7.0))],
        };
        let tensor = initialiser(name, arguments, &shape).unwrap();
        (name, Fingerprint::of(&[Value::Real(tensor)]))
    });
    assert_eq!(
        table(&found),
        "zeros fcfda4c07d71b8a5\n\
         constant 8ff81cd795ce30bd\n\
         uniform 99913697b17627f5\n\
         normal f185eba197c80126\n\
         glorot 2289c254c46c548b\n\
         he b62a5ac8a7520123\n"
    );
}

#[test]
fn datasets_are_portable() {
    let found = DATASETS.map(|name| {
        let samples = dataset(name, &[]).unwrap();
        (name, Fingerprint::of(&samples))
    });
    assert_eq!(
        table(&found),
        "xor 237d3450c9271d25\n\
         circles 14abf2a54a0e6fe5\n\
         moons 248fdf9509e1f2a0\n\
         spirals d1ffd9b5392a5345\n\
         quadrants cf513cafaf61e444\n\
         blobs 2b02afcee564073a\n\
         sine 4077ea274e8d9b7d\n\
         hills b5fc1d8aef2a0d7b\n\
         glyphs b6fa7452476395db\n\
         blips f463aaaf53db9307\n\
         adding 269a9149d936df20\n"
    );
}

#[test]
fn functions_are_portable() {
    let points: Vec<f64> = (1..200).map(|k| f64::from(k) * 0.037).collect();
    let point = Value::Real(Tensor::vector(points));
    let names = [
        "exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "swish", "softplus", "softmax",
    ];
    let found = names.map(|name| {
        let symbol = family(name)
            .unwrap()
            .instantiate(&[], &[Shape::vector(199)])
            .unwrap();
        let value = symbol.eval(&point, Partiality::Paper).unwrap();
        (name, Fingerprint::of(&[value]))
    });
    assert_eq!(
        table(&found),
        "exp 05ddea9986c0f3de\n\
         log c42a40ecc3eb49ac\n\
         sqrt c29aaf3f9afc5905\n\
         sin 5d346f7bf6f09f23\n\
         cos aed1cb7342759ed2\n\
         tanh 89e5788cc58dd6b1\n\
         sigmoid 80978dbe05bd7692\n\
         swish 24153c1615268c6e\n\
         softplus b853e007638ef740\n\
         softmax 15ef56aeb07f9c87\n"
    );
}
