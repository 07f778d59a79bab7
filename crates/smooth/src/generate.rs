//! Initial values of locations, the same on every platform: SplitMix64 and the initialisers of the language page
//! ("Generators"). Entries are drawn row-major. Data sets are in `datasets.rs`.

use crate::parameters::{Argument, Parameter, Range, SEED, bind};
use crate::{GeneratorError, MAX_SIZE, Shape, Tensor};

/// The generator SplitMix64 of Steele, Lea and Flood (2014): one 64-bit state; one addition and a mixer for each draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator in this state. Seed 1 draws 0x910a2dec89025cc1 first.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// u = (next ≫ 11)·2⁻⁵³, uniform on [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.draw() >> 11) as f64 * UNIT
    }

    /// √(−2 ln u₁)·cos(2πu₂), u₁ = ((next ≫ 11) + 1)·2⁻⁵³: standard normal, two draws for each value (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let u1 = ((self.draw() >> 11) + 1) as f64 * UNIT;
        let u2 = self.uniform();
        (-2.0 * libm::log(u1)).sqrt() * libm::cos(2.0 * std::f64::consts::PI * u2)
    }
}

/// 2⁻⁵³.
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

/// The names of the initialisers.
pub const INITIALISERS: [&str; 6] = ["zeros", "constant", "uniform", "normal", "glorot", "he"];

/// Returns the tensor of an initialiser, as in `loc w ∷ (n₁, …, n_t) = glorot(seed: 1)`. The shape is n_t × … × n₁. An argument
/// without a name belongs to the parameter at its position.
///
/// * `zeros`; `constant(c)`; `uniform(lo, hi, seed)`: lo + (hi − lo)·u; `normal(std, seed)`: std·standard normal;
/// * `glorot(seed)`: uniform between ∓√(6/(fan_in + fan_out)) (Glorot and Bengio 2010);
/// * `he(seed)`: normal with standard deviation √(2/fan_in) (He et al. 2015);
///
/// where fan_in = n₁⋯n_{t−1} and fan_out = n_t·n₁⋯n_{t−2}, both n₁ for a vector.
pub fn initialiser(
    name: &str,
    arguments: &[(Option<&str>, Argument)],
    shape: &Shape,
) -> Result<Tensor, GeneratorError> {
    if shape.size() > MAX_SIZE {
        return Err(GeneratorError::TooLarge {
            generator: name.to_owned(),
            shape: shape.clone(),
        });
    }
    let number = |name| Parameter {
        name,
        default: None,
        range: Range::Number,
    };
    let (fan_in, fan_out) = fans(shape);
    match name {
        "zeros" => bind(name, &[], arguments).map(|[]| Tensor::zeros(shape.clone())),
        "constant" => {
            let [c] = bind(name, &[number("c")], arguments)?;
            Ok(filled(shape, || c.real()))
        }
        "uniform" => {
            let [lo, hi, seed] = bind(name, &[number("lo"), number("hi"), SEED], arguments)?;
            Ok(uniform(lo.real(), hi.real(), seed, shape))
        }
        "normal" => {
            let std = Parameter {
                range: Range::NotNegative,
                ..number("std")
            };
            let [std, seed] = bind(name, &[std, SEED], arguments)?;
            Ok(normal(std.real(), seed, shape))
        }
        "glorot" => {
            let [seed] = bind(name, &[SEED], arguments)?;
            let limit = (6.0 / (fan_in + fan_out)).sqrt();
            Ok(uniform(-limit, limit, seed, shape))
        }
        "he" => {
            let [seed] = bind(name, &[SEED], arguments)?;
            Ok(normal((2.0 / fan_in).sqrt(), seed, shape))
        }
        _ => Err(GeneratorError::Unknown {
            name: name.to_owned(),
            known: INITIALISERS.to_vec(),
        }),
    }
}

/// fan_in and fan_out of a shape n_t × … × n₁.
fn fans(shape: &Shape) -> (f64, f64) {
    let product = |sizes: &[usize]| sizes.iter().fold(1.0, |product, n| product * *n as f64);
    match shape.dims() {
        [outermost, rest @ ..] if !rest.is_empty() => (
            product(rest),
            *outermost as f64 * product(rest.get(1..).unwrap_or(&[])),
        ),
        sizes => (product(sizes), product(sizes)),
    }
}

/// The generator in the state given by a seed. A bound seed is in range.
pub(crate) fn started(seed: Argument) -> SplitMix64 {
    SplitMix64::new(seed.whole().unwrap_or_default())
}

fn uniform(lo: f64, hi: f64, seed: Argument, shape: &Shape) -> Tensor {
    let mut random = started(seed);
    filled(shape, || lo + (hi - lo) * random.uniform())
}

fn normal(std: f64, seed: Argument, shape: &Shape) -> Tensor {
    let mut random = started(seed);
    filled(shape, || std * random.normal())
}

/// The tensor whose entries are drawn one after the other, row-major.
fn filled(shape: &Shape, mut draw: impl FnMut() -> f64) -> Tensor {
    let data = (0..shape.size()).map(|_| draw()).collect();
    Tensor::new(shape.clone(), data).unwrap_or_else(|| Tensor::zeros(shape.clone()))
}
