//! Generated data sets, the same on every platform ("Datasets" of the language page). Below, u is a fresh uniform
//! draw, g a fresh standard normal draw (both by SplitMix64 from `seed`, in the order written), and sample i counts
//! from 0. Noise is added last, entry by entry.

use std::f64::consts::PI;

use crate::generate::{SplitMix64, started};
use crate::glyphs::{DIGITS, WIDTH};
use crate::parameters::{Argument, Parameter, Range, SEED, bind};
use crate::{GeneratorError, MAX_SIZE, Value};

/// The names of the data sets.
pub const DATASETS: [&str; 11] = [
    "xor",
    "circles",
    "moons",
    "spirals",
    "quadrants",
    "blobs",
    "sine",
    "hills",
    "glyphs",
    "blips",
    "adding",
];

/// Returns the samples of a data set, each a tuple of its components. An argument without a name belongs to the parameter at
/// its position. Parameters and defaults are `n: 200, noise: 0.1, seed: 1`, with `classes: 3` after n in `blobs` and
/// `length: 64` before n in `blips`; `xor` has none, and `adding` has `length: 4, n: 200, seed: 1`.
///
/// * `xor` : Real(2) × Real(1): the four rows of the truth table.
/// * `circles` : Real(2) × Real(1): target k = i mod 2; r·(cos θ, sin θ) + noise·g, θ = 2πu, r = 1 for k = 0, ½ for 1.
/// * `moons` : Real(2) × Real(1): k = i mod 2, θ = πu; (cos θ, sin θ) for k = 0, (1 − cos θ, ½ − sin θ) for 1,
///   + noise·g.
/// * `spirals` : Real(2) × Real(1): k = i mod 2, r = 2u; r·(cos θ, sin θ) + noise·g, θ = 3π·r/2 + kπ.
/// * `quadrants` : Real(2) × Real(1): x = 2u − 1, y = 2u − 1; target 1 if x·y < 0, else 0; (x, y) + noise·g.
/// * `blobs` : Real(2) × Real(classes): class k = i mod classes, one-hot; (cos θ, sin θ) + noise·g, θ = 2πk/classes.
/// * `sine` : Real(1) × Real(1): x = 2u − 1 and sin(πx) + noise·g.
/// * `hills` : Real(2) × Real(1): x = 2u − 1, y = 2u − 1, and sin(πx)·sin(πy) + noise·g.
/// * `glyphs` : Real(64) × Real(10): the digit i mod 10 (one-hot target), 7 × 5, ink 1 on paper 0, in an image of
///   8 rows of 8, its upper left corner at row ⌊2u⌋ and column 1 + ⌊2u⌋; + noise·g.
/// * `blips` : Real(length) × Real(length): noisy first, clean second. Clean is the sum of two bumps
///   a·exp(−½((p − c)/w)²) at p = 0 … length − 1, c = length·u, w = length·(1 + 2u)/32, a = ½ + ½u; noisy adds noise·g.
/// * `adding` : Real(2·length) × Real(1): the adding problem of Hochreiter and Schmidhuber (1997). Each of `length` moments has
///   a number u and a mark, which is 1 at two moments and 0 elsewhere. The target is the sum of the two marked numbers. The
///   marked moments are drawn after the numbers, as ⌊length·u⌋ and ⌊(length − 1)·u⌋; the second is increased by 1 if it is not
///   less than the first.
pub fn dataset(
    name: &str,
    arguments: &[(Option<&str>, Argument)],
) -> Result<Vec<Value>, GeneratorError> {
    match name {
        "xor" => bind(name, &[], arguments).map(|[]| xor()),
        "circles" | "moons" | "spirals" | "quadrants" | "sine" | "hills" | "glyphs" => {
            let [n, noise, seed] = bind(name, &[N, NOISE, SEED_1], arguments)?;
            let (n, noise) = (n.real(), noise.real());
            let sample = match name {
                "circles" => circle,
                "moons" => moon,
                "spirals" => spiral,
                "quadrants" => quadrant,
                "sine" => sine,
                "hills" => hill,
                _ => glyph,
            };
            Ok(samples(n, seed, |random, i| sample(random, i, noise)))
        }
        "blobs" => {
            let classes = Parameter {
                name: "classes",
                default: Some(3.0),
                range: Range::Whole(1, 1000),
            };
            let [n, classes, noise, seed] = bind(name, &[N, classes, NOISE, SEED_1], arguments)?;
            let (n, classes, noise) = (n.real(), classes.real(), noise.real());
            bounded(name, n, classes)?;
            Ok(samples(n, seed, |random, i| {
                blob(random, i, noise, classes as usize)
            }))
        }
        "blips" => {
            let length = Parameter {
                name: "length",
                default: Some(64.0),
                range: Range::Whole(1, 100_000),
            };
            let [length, n, noise, seed] = bind(name, &[length, N, NOISE, SEED_1], arguments)?;
            let (length, n, noise) = (length.real(), n.real(), noise.real());
            bounded(name, n, length)?;
            Ok(samples(n, seed, |random, _| {
                blip(random, noise, length as usize)
            }))
        }
        "adding" => {
            let length = Parameter {
                name: "length",
                default: Some(4.0),
                range: Range::Whole(2, 100_000),
            };
            let [length, n, seed] = bind(name, &[length, N, SEED_1], arguments)?;
            let (length, n) = (length.real(), n.real());
            bounded(name, n, 2.0 * length)?;
            Ok(samples(n, seed, |random, _| {
                addition(random, length as usize)
            }))
        }
        _ => Err(GeneratorError::Unknown {
            name: name.to_owned(),
            known: DATASETS.to_vec(),
        }),
    }
}

const N: Parameter = Parameter {
    name: "n",
    default: Some(200.0),
    range: Range::Whole(1, 100_000),
};
const NOISE: Parameter = Parameter {
    name: "noise",
    default: Some(0.1),
    range: Range::NotNegative,
};
const SEED_1: Parameter = Parameter {
    default: Some(1.0),
    ..SEED
};

/// Checks that n samples of this many entries do not exceed the maximum size.
fn bounded(generator: &str, n: f64, entries: f64) -> Result<(), GeneratorError> {
    let most = (MAX_SIZE as f64 / entries).floor();
    if n <= most {
        return Ok(());
    }
    Err(GeneratorError::BadValue {
        generator: generator.to_owned(),
        argument: "n",
        value: n,
        expected: format!("at most {most} for samples of {entries} entries"),
    })
}

fn samples(
    n: f64,
    seed: Argument,
    mut sample: impl FnMut(&mut SplitMix64, usize) -> Value,
) -> Vec<Value> {
    let mut random = started(seed);
    (0..n as usize).map(|i| sample(&mut random, i)).collect()
}

fn pair(input: Vec<f64>, target: Vec<f64>) -> Value {
    Value::tuple(vec![Value::vector(input), Value::vector(target)])
}

fn noisy(random: &mut SplitMix64, noise: f64, mut data: Vec<f64>) -> Vec<f64> {
    data.iter_mut().for_each(|x| *x += noise * random.normal());
    data
}

fn polar(radius: f64, angle: f64) -> Vec<f64> {
    vec![radius * libm::cos(angle), radius * libm::sin(angle)]
}

fn one_hot(class: usize, classes: usize) -> Vec<f64> {
    (0..classes)
        .map(|k| if k == class { 1.0 } else { 0.0 })
        .collect()
}

fn xor() -> Vec<Value> {
    [
        [0.0, 0.0, 0.0],
        [0.0, 1.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 0.0],
    ]
    .map(|[a, b, target]| pair(vec![a, b], vec![target]))
    .to_vec()
}

fn circle(random: &mut SplitMix64, i: usize, noise: f64) -> Value {
    let class = (i % 2) as f64;
    let point = polar(1.0 - 0.5 * class, 2.0 * PI * random.uniform());
    pair(noisy(random, noise, point), vec![class])
}

fn moon(random: &mut SplitMix64, i: usize, noise: f64) -> Value {
    let angle = PI * random.uniform();
    let (x, y) = (libm::cos(angle), libm::sin(angle));
    let point = if i.is_multiple_of(2) {
        vec![x, y]
    } else {
        vec![1.0 - x, 0.5 - y]
    };
    pair(noisy(random, noise, point), vec![(i % 2) as f64])
}

fn spiral(random: &mut SplitMix64, i: usize, noise: f64) -> Value {
    let class = (i % 2) as f64;
    let radius = 2.0 * random.uniform();
    let point = polar(radius, 1.5 * PI * radius + class * PI);
    pair(noisy(random, noise, point), vec![class])
}

/// A point of the square from −1 to 1.
fn in_square(random: &mut SplitMix64) -> [f64; 2] {
    let x = 2.0 * random.uniform() - 1.0;
    [x, 2.0 * random.uniform() - 1.0]
}

fn quadrant(random: &mut SplitMix64, _: usize, noise: f64) -> Value {
    let [x, y] = in_square(random);
    let class = if x * y < 0.0 { 1.0 } else { 0.0 };
    pair(noisy(random, noise, vec![x, y]), vec![class])
}

fn blob(random: &mut SplitMix64, i: usize, noise: f64, classes: usize) -> Value {
    let class = i % classes;
    let centre = polar(1.0, 2.0 * PI * class as f64 / classes as f64);
    pair(noisy(random, noise, centre), one_hot(class, classes))
}

fn sine(random: &mut SplitMix64, _: usize, noise: f64) -> Value {
    let x = 2.0 * random.uniform() - 1.0;
    pair(vec![x], noisy(random, noise, vec![libm::sin(PI * x)]))
}

fn hill(random: &mut SplitMix64, _: usize, noise: f64) -> Value {
    let [x, y] = in_square(random);
    let height = libm::sin(PI * x) * libm::sin(PI * y);
    pair(vec![x, y], noisy(random, noise, vec![height]))
}

fn glyph(random: &mut SplitMix64, i: usize, noise: f64) -> Value {
    const SIDE: usize = 8;
    let digit = i % DIGITS.len();
    let top = (2.0 * random.uniform()) as usize;
    let left = 1 + (2.0 * random.uniform()) as usize;
    let mut image = vec![0.0; SIDE * SIDE];
    for (row, pixels) in image
        .chunks_exact_mut(SIDE)
        .skip(top)
        .zip(DIGITS.get(digit).into_iter().flatten())
    {
        for (entry, pixel) in row.iter_mut().skip(left).take(WIDTH).zip(pixels.bytes()) {
            *entry = if pixel == b'#' { 1.0 } else { 0.0 };
        }
    }
    pair(noisy(random, noise, image), one_hot(digit, DIGITS.len()))
}

fn blip(random: &mut SplitMix64, noise: f64, length: usize) -> Value {
    let span = length as f64;
    let mut clean = vec![0.0; length];
    for _ in 0..2 {
        let centre = span * random.uniform();
        let width = span * (1.0 + 2.0 * random.uniform()) / 32.0;
        let height = 0.5 + 0.5 * random.uniform();
        for (position, entry) in clean.iter_mut().enumerate() {
            let distance = (position as f64 - centre) / width;
            *entry += height * libm::exp(-0.5 * distance * distance);
        }
    }
    pair(noisy(random, noise, clean.clone()), clean)
}

fn addition(random: &mut SplitMix64, length: usize) -> Value {
    let mut sequence = vec![0.0; 2 * length];
    for moment in sequence.chunks_exact_mut(2) {
        if let Some(number) = moment.first_mut() {
            *number = random.uniform();
        }
    }
    let first = (length as f64 * random.uniform()) as usize;
    let second = ((length - 1) as f64 * random.uniform()) as usize;
    let second = second + usize::from(second >= first);
    let mut sum = 0.0;
    for marked in [first, second] {
        if let Some([number, mark]) = sequence.get_mut(2 * marked..2 * marked + 2) {
            *mark = 1.0;
            sum += *number;
        }
    }
    pair(sequence, vec![sum])
}
