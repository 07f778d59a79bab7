//! Symbols of every family at several sizes, points in the interior of their domains, and finite differences.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use fletch_smooth::generate::SplitMix64;
use fletch_smooth::{
    Axis, Family, Partiality, Shape, Symbol, Tensor, Type, Value, families, family,
};

/// A family, its indices (empty to infer them) and the shapes of the arguments.
pub(crate) type Instance = (&'static str, &'static [usize], &'static [&'static [usize]]);

pub(crate) const INSTANCES: &[Instance] = &[
    ("neg", &[], &[&[3]]),
    ("minus", &[], &[&[4], &[4]]),
    ("minus", &[], &[&[2, 2], &[4]]),
    ("hadamard", &[], &[&[3], &[3]]),
    ("hadamard", &[], &[&[2, 3], &[2, 3]]),
    ("divide", &[], &[&[3], &[3]]),
    ("exp", &[], &[&[3]]),
    ("log", &[], &[&[3]]),
    ("recip", &[], &[&[4]]),
    ("sqrt", &[], &[&[3]]),
    ("sin", &[], &[&[3]]),
    ("cos", &[], &[&[3]]),
    ("tanh", &[], &[&[3]]),
    ("sigmoid", &[], &[&[1]]),
    ("sigmoid", &[], &[&[2, 3]]),
    ("swish", &[], &[&[1]]),
    ("swish", &[], &[&[5]]),
    ("gelu", &[], &[&[5]]),
    ("erf", &[], &[&[4]]),
    ("softplus", &[], &[&[3]]),
    ("relu", &[], &[&[6]]),
    ("abs", &[], &[&[4]]),
    ("square", &[], &[&[4]]),
    ("round", &[], &[&[4]]),
    ("sign", &[], &[&[4]]),
    ("max", &[], &[&[5], &[5]]),
    ("min", &[], &[&[5], &[5]]),
    ("clamp", &[], &[&[1], &[1], &[7]]),
    ("where", &[], &[&[5], &[5], &[5]]),
    ("where", &[], &[&[1], &[2, 3], &[6]]),
    ("where", &[], &[&[1], &[1], &[1]]),
    ("less", &[], &[&[5], &[5]]),
    ("argmax", &[], &[&[5]]),
    ("max_of", &[], &[&[1]]),
    ("max_of", &[], &[&[5]]),
    ("min_of", &[], &[&[2, 3]]),
    ("one_hot", &[4], &[&[1]]),
    ("pow", &[], &[&[1], &[1]]),
    ("pow", &[], &[&[4], &[1]]),
    ("matmul", &[], &[&[2, 3], &[3, 4]]),
    ("matmul", &[], &[&[3, 2], &[2]]),
    ("matmul", &[], &[&[3], &[1, 2]]),
    ("matmul", &[1, 3, 1], &[&[3], &[3]]),
    ("scale", &[], &[&[1], &[2, 2]]),
    ("dot", &[], &[&[6], &[6]]),
    ("dot", &[], &[&[1], &[1]]),
    ("sum", &[], &[&[4]]),
    ("mean", &[], &[&[4]]),
    ("half_sq", &[], &[&[5]]),
    ("norm", &[], &[&[1]]),
    ("norm", &[], &[&[6]]),
    ("broadcast", &[3], &[&[1]]),
    ("count", &[5], &[&[0]]),
    ("softmax", &[], &[&[1]]),
    ("softmax", &[], &[&[4]]),
    ("log_softmax", &[], &[&[4]]),
    ("logsumexp", &[], &[&[4]]),
    ("cross_entropy", &[], &[&[3], &[3]]),
    ("correct", &[], &[&[3], &[3]]),
    ("conv1d", &[], &[&[1, 5], &[1, 1, 2]]),
    ("conv1d", &[], &[&[2, 6], &[3, 2, 3]]),
    ("conv1d", &[4, 4, 2, 1], &[&[8], &[8]]),
    ("conv2d", &[], &[&[3, 4], &[1, 1, 2, 2]]),
    ("conv2d", &[], &[&[2, 4, 3], &[3, 2, 2, 3]]),
    ("conv2d", &[2, 2, 2, 2, 2, 1], &[&[8], &[8]]),
    ("maxpool2d", &[4, 4, 2, 1], &[&[16]]),
    ("maxpool2d", &[3, 5, 2, 2], &[&[2, 3, 5]]),
    ("avgpool2d", &[4, 2, 2, 1], &[&[8]]),
    ("avgpool2d", &[5, 4, 3, 2], &[&[2, 5, 4]]),
    ("maxpool1d", &[6, 2, 1], &[&[6]]),
    ("maxpool1d", &[5, 2, 2], &[&[2, 5]]),
    ("avgpool1d", &[6, 3, 1], &[&[6]]),
    ("avgpool1d", &[5, 2, 2], &[&[2, 5]]),
    ("transpose", &[], &[&[2, 3]]),
    ("transpose", &[], &[&[4]]),
    ("reshape", &[3, 2], &[&[6]]),
    ("slice", &[1, 3], &[&[5]]),
    ("slice", &[0, 0], &[&[2]]),
    ("cumsum", &[], &[&[1]]),
    ("cumsum", &[], &[&[7]]),
    ("reverse", &[], &[&[1]]),
    ("reverse", &[], &[&[5]]),
    ("reverse", &[], &[&[11, 2]]),
    ("padding", &[1, 3, 6], &[&[3]]),
    ("padding", &[2, 3, 5], &[&[2, 3]]),
    ("upscale", &[1, 3, 6], &[&[3]]),
    ("upscale", &[2, 3, 5], &[&[2, 3]]),
    ("upscale", &[2, 5, 2], &[&[2, 5]]),
    ("concat", &[], &[&[2, 3], &[1, 3]]),
];

/// Lifted families: true for columns, b, then an instance as in [`INSTANCES`] for one column or row.
pub(crate) const LIFTED: &[(bool, usize, Instance)] = &[
    (true, 3, ("swish", &[], &[&[2]])),
    (true, 3, ("softmax", &[], &[&[4]])),
    (false, 3, ("softmax", &[], &[&[4]])),
    (true, 2, ("cross_entropy", &[], &[&[3], &[3]])),
    (false, 2, ("cross_entropy", &[], &[&[3], &[3]])),
    (true, 2, ("clamp", &[], &[&[1], &[1], &[3]])),
    (false, 2, ("maxpool1d", &[5, 2, 1], &[&[5]])),
    (true, 2, ("maxpool1d", &[5, 2, 1], &[&[5]])),
    (false, 2, ("conv1d", &[4, 2, 1, 2], &[&[4], &[4]])),
    (true, 2, ("matmul", &[2, 2, 1], &[&[4], &[2]])),
    (true, 2, ("max", &[], &[&[3], &[3]])),
    (true, 2, ("pow", &[], &[&[2], &[1]])),
    (false, 2, ("where", &[], &[&[1], &[3], &[3]])),
    (true, 2, ("where", &[], &[&[3], &[3], &[3]])),
    (true, 2, ("max_of", &[], &[&[3]])),
    (true, 2, ("min_of", &[], &[&[3]])),
    (false, 3, ("norm", &[], &[&[4]])),
    (true, 2, ("cumsum", &[], &[&[5]])),
    (true, 2, ("reverse", &[5, 1], &[&[5]])),
    (true, 2, ("conv2d", &[2, 3, 2, 2, 1, 2], &[&[6], &[8]])),
    (true, 2, ("maxpool2d", &[3, 2, 2, 1], &[&[6]])),
    (true, 1, ("half_sq", &[], &[&[3]])),
    (false, 4, ("half_sq", &[], &[&[3]])),
    (true, 2, ("minus", &[], &[&[3], &[3]])),
    (false, 2, ("count", &[3], &[&[0]])),
];

pub(crate) fn shapes(dims: &[&[usize]]) -> Vec<Shape> {
    dims.iter().map(|d| Shape::new(d.to_vec())).collect()
}

pub(crate) fn symbol(instance: &Instance) -> Symbol {
    let (name, indices, arguments) = *instance;
    let family = family(name).unwrap_or_else(|| panic!("no family {name}"));
    family
        .instantiate(indices, &shapes(arguments))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn lifted((by_columns, b, instance): &(bool, usize, Instance)) -> Symbol {
    let f = symbol(instance);
    let axis = if *by_columns { Axis::Cols } else { Axis::Rows };
    let matrix = |n, b| {
        if *by_columns {
            Shape::matrix(n, b)
        } else {
            Shape::matrix(b, n)
        }
    };
    let arguments: Vec<Shape> = f.domain().sizes().iter().map(|n| matrix(*n, *b)).collect();
    assert_eq!(axis.split(None, &arguments).unwrap().0, *b);
    let g = axis.lift(Some(*b), &f, &arguments).unwrap();
    if f.domain() != Type::unit() {
        assert_eq!(axis.lift(None, &f, &arguments).unwrap(), g);
    }
    g
}

/// Symbols of every family, lifted or not.
pub(crate) fn symbols() -> Vec<Symbol> {
    let samples = families().iter().flat_map(Family::samples);
    let instances = INSTANCES
        .iter()
        .map(symbol)
        .chain(LIFTED.iter().map(lifted));
    instances.chain(samples).collect()
}

/// Name of the innermost symbol, which determines the points inside the domain.
fn innermost(f: &Symbol) -> String {
    let text = f.to_string();
    let rest = text.trim_start_matches("rd[").trim_end_matches(']');
    match rest.strip_prefix("cols[").or(rest.strip_prefix("rows[")) {
        Some(inner) => inner.split_once(", ").map_or(inner, |(_, f)| f).to_owned(),
        None => rest.to_owned(),
    }
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value
        .tensors()
        .into_iter()
        .flat_map(|t| t.data().to_vec())
        .collect()
}

pub(crate) fn value(ty: &Type, numbers: &[f64]) -> Value {
    let mut numbers = numbers.iter().copied();
    let mut tensors = ty
        .sizes()
        .into_iter()
        .map(|n| Tensor::vector(numbers.by_ref().take(n).collect()));
    Value::assemble(ty, &mut tensors).unwrap()
}

/// Numbers between −1.6 and 1.6, none near 0, ±½ or ±1½. Fewer than 100 numbers are not near one another either.
pub(crate) fn scattered(n: usize, random: &mut SplitMix64) -> Vec<f64> {
    let mut numbers: Vec<f64> = Vec::new();
    while numbers.len() < n {
        let x = 3.2 * random.uniform() - 1.6;
        let near = |y: f64| (x - y).abs() < 0.01;
        if near(0.0)
            || [0.5, 1.5, -0.5, -1.5].into_iter().any(near)
            || n < 100 && numbers.iter().any(|y| (x - y).abs() < 0.002)
        {
            continue;
        }
        numbers.push(x);
    }
    numbers
}

/// A point of A inside the domain of f : A → B (or of the f in rd\[…\], with any cotangents).
pub(crate) fn point(f: &Symbol, random: &mut SplitMix64) -> Vec<f64> {
    if let Some(inner) = f.reverse_of() {
        let mut x = point(inner, random);
        x.extend(scattered(inner.codomain().dimension(), random));
        return x;
    }
    let x = scattered(f.domain().dimension(), random);
    let name = innermost(f);
    let name = name.split('[').next().unwrap();
    let interior = family(name)
        .unwrap_or_else(|| panic!("no family {name}"))
        .interior;
    let sizes = f.domain().sizes().into_iter().enumerate();
    let arguments = sizes.flat_map(|(argument, n)| std::iter::repeat_n(argument, n));
    arguments
        .zip(x)
        .map(|(argument, x)| interior(argument, x))
        .collect()
}

pub(crate) fn eval(f: &Symbol, x: &[f64]) -> Vec<f64> {
    let result = f
        .eval(&value(&f.domain(), x), Partiality::Paper)
        .unwrap_or_else(|error| panic!("{error} at {x:?}"));
    assert_eq!(result.ty(), f.codomain(), "{f}");
    numbers(&result)
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// D f(x) v by central differences.
pub(crate) fn difference(f: &Symbol, x: &[f64], v: &[f64]) -> Vec<f64> {
    const H: f64 = 1e-5;
    let shifted = |h: f64| -> Vec<f64> { x.iter().zip(v).map(|(x, v)| x + h * v).collect() };
    let (after, before) = (eval(f, &shifted(H)), eval(f, &shifted(-H)));
    after
        .iter()
        .zip(&before)
        .map(|(a, b)| (a - b) / (2.0 * H))
        .collect()
}

pub(crate) fn assert_close(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let scale = 1.0 + a.abs().max(b.abs());
        assert!(
            (a - b).abs() <= tolerance * scale,
            "{what}: entry {i} is {a} against {b}"
        );
    }
}

/// Checks rd\[f\](x, y) against ∂ᵢ⟨y, f(x)⟩ by central differences, for every i.
pub(crate) fn check_reverse(f: &Symbol, seed: u64) {
    let random = &mut SplitMix64::new(seed);
    let x = point(f, random);
    let y = scattered(f.codomain().dimension(), random);
    let argument: Vec<f64> = x.iter().chain(&y).copied().collect();
    let found = eval(&f.reverse(), &argument);
    let expected: Vec<f64> = (0..x.len())
        .map(|i| {
            let unit: Vec<f64> = (0..x.len()).map(|j| f64::from(u8::from(i == j))).collect();
            dot(&y, &difference(f, &x, &unit))
        })
        .collect();
    assert_close(&found, &expected, 2e-7, &format!("rd[{f}] at {argument:?}"));
}
