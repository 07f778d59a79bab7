//! Functions of one real variable applied to every entry: activations, elementary functions, rounding. A primitive
//! is a function *and the order of its derivative*, so the family is closed: RD of f⁽ᵏ⁾ is y ⊙ f⁽ᵏ⁺¹⁾(x).
//!
//! Laws: rd\[f\](x, y) = y ⊙ f′(x); the matrix of the derivative is diagonal, hence symmetric.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::{Family, positive};
use crate::kernel::{Entries, Kernel, Loop};
use crate::normal::{Bell, distribution};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::scalar::Comparison::{AtMost, Equal, Less};
use crate::scalar::{Elementary, Scalar};
use crate::sigmoid::{SigmoidDerivative, sigmoid, sigmoids, softplus};
use crate::signature::one;
use crate::{Partiality, Shape, numeral};

/// The k-th derivative of a function, entry by entry on Real(n).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Entrywise {
    pub(crate) function: Function,
    pub(crate) order: usize,
    pub(crate) n: usize,
}

/// A function of one real variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Function {
    Exp,
    Log,
    Recip,
    Sqrt,
    Sin,
    Cos,
    Tanh,
    Sigmoid,
    Swish,
    Gelu,
    Erf,
    Softplus,
    Relu,
    Abs,
    Square,
    Round,
    Sign,
}

use Function::{
    Abs, Cos, Erf, Exp, Gelu, Log, Recip, Relu, Round, Sigmoid, Sign, Sin, Softplus, Sqrt, Square,
    Swish, Tanh,
};

impl Function {
    const ALL: [Function; 17] = [
        Exp, Log, Recip, Sqrt, Sin, Cos, Tanh, Sigmoid, Swish, Gelu, Erf, Softplus, Relu, Abs,
        Square, Round, Sign,
    ];

    fn name(self) -> &'static str {
        match self {
            Exp => "exp",
            Log => "log",
            Recip => "recip",
            Sqrt => "sqrt",
            Sin => "sin",
            Cos => "cos",
            Tanh => "tanh",
            Sigmoid => "sigmoid",
            Swish => "swish",
            Gelu => "gelu",
            Erf => "erf",
            Softplus => "softplus",
            Relu => "relu",
            Abs => "abs",
            Square => "square",
            Round => "round",
            Sign => "sign",
        }
    }

    /// The derivative of the derivative of this order; `None` when it is zero everywhere.
    fn next(self, order: usize) -> Option<(Function, usize)> {
        match (self, order) {
            (Exp, _) => Some((Exp, 0)),
            (Sin | Cos, 3) => Some((self, 0)),
            (Log, _) => Some((Recip, 0)),
            (Softplus, _) => Some((Sigmoid, 0)),
            (Relu | Abs, 0) | (Square, 0 | 1) => Some((self, order + 1)),
            (Relu | Abs | Square | Round | Sign, _) => None,
            (Recip | Sqrt | Sin | Cos | Tanh | Sigmoid | Swish | Gelu | Erf, _) => {
                Some((self, order + 1))
            }
        }
    }

    /// Reason why a number is outside the domain of the derivative of this order; `None` inside.
    fn obstacle(self, order: usize, x: f64, mode: Partiality) -> Option<&'static str> {
        let paper = mode == Partiality::Paper;
        match self {
            Log if x <= 0.0 || x.is_nan() => Some("where log is not defined"),
            Recip if x == 0.0 => Some("which has no reciprocal"),
            Sqrt if x < 0.0 || x.is_nan() => Some("where sqrt is not defined"),
            Sqrt if x == 0.0 && paper => Some("where sqrt is not differentiable"),
            // No convention applies: the derivative is infinite.
            Sqrt if x == 0.0 && order > 0 => Some("where sqrt has no finite derivative"),
            Relu if x == 0.0 && paper => Some("where relu is not differentiable"),
            Abs if x == 0.0 && paper => Some("where abs is not differentiable"),
            Sign if x == 0.0 && paper => Some("where sign is not continuous"),
            Round if paper && x.abs().fract() == 0.5 => Some("where round is not continuous"),
            _ => None,
        }
    }
}

impl Entrywise {
    fn entries(&self, e: impl Entries) {
        let order = self.order;
        let map = |function: Elementary| move |x: _| Scalar::map(x, function);
        match (self.function, order) {
            (Exp, _) => e.map(0, map(Elementary::Exp)),
            (Log, _) => e.map(0, map(Elementary::Log)),
            (Recip, 0) => e.map(0, |x| x.lift(1.0) / x),
            (Recip, _) => {
                let c = falling(-1.0, order);
                e.map(0, |x| x.lift(c) / powi(x, order + 1));
            }
            (Sqrt, 0) => e.map(0, map(Elementary::Sqrt)),
            (Sqrt, _) => {
                let c = falling(0.5, order);
                e.map(0, |x| x.lift(c) * x.map(Elementary::Sqrt) / powi(x, order));
            }
            (Sin, 0) | (Cos, 3) => e.map(0, map(Elementary::Sin)),
            (Sin, 1) | (Cos, 0) => e.map(0, map(Elementary::Cos)),
            (Sin, 2) | (Cos, 1) => e.map(0, |x| -x.map(Elementary::Sin)),
            (Sin | Cos, _) => e.map(0, |x| -x.map(Elementary::Cos)),
            (Tanh, 0) => e.map(0, map(Elementary::Tanh)),
            // tanh x = 2σ(2x) − 1, so tanh⁽ᵏ⁾(x) = 2ᵏ⁺¹ σ⁽ᵏ⁾(2x).
            (Tanh, _) => {
                let derivative = SigmoidDerivative::new(order);
                let c = powi(2.0, order + 1);
                e.map(0, |x| x.lift(c) * derivative.at(sigmoids(x.lift(2.0) * x)));
            }
            (Sigmoid, 0) => e.map(0, sigmoid),
            (Sigmoid, _) => {
                let derivative = SigmoidDerivative::new(order);
                e.map(0, |x| derivative.at(sigmoids(x)));
            }
            (Swish, 0) => e.map(0, |x| x * x.map(Elementary::Logistic)),
            // σ + x·σ·(1 − σ). An error of a small 1 − σ does no harm, since the term is then added to σ ≈ 1.
            (Swish, 1) => e.map(0, |x| {
                let s = x.map(Elementary::Logistic);
                s + (x * s) * (x.lift(1.0) - s)
            }),
            // (x·σ)⁽ᵏ⁾ = x·σ⁽ᵏ⁾ + k·σ⁽ᵏ⁻¹⁾, by Leibniz.
            (Swish, _) => {
                let (outer, inner) = (
                    SigmoidDerivative::new(order),
                    SigmoidDerivative::new(order - 1),
                );
                e.map(0, |x| {
                    let at = sigmoids(x);
                    x * outer.at(at) + x.lift(order as f64) * inner.at(at)
                });
            }
            (Gelu, 0) => e.map(0, |x| x * distribution(x)),
            // Φ + x·φ.
            (Gelu, 1) => {
                let density = Bell::density();
                e.map(0, |x| distribution(x) + x * density.at(x));
            }
            (Gelu, _) => {
                let bell = Bell::gelu(order);
                e.map(0, |x| bell.at(x));
            }
            (Erf, 0) => e.map(0, map(Elementary::Erf)),
            (Erf, _) => {
                let bell = Bell::erf(order);
                e.map(0, |x| bell.at(x));
            }
            (Softplus, _) => e.map(0, softplus),
            (Relu, 0) => e.map(0, |x| x.choose(AtMost, x.lift(0.0), x.lift(0.0), x)),
            (Relu, _) => e.map(0, |x| x.lift(0.0).choose(Less, x, x.lift(1.0), x.lift(0.0))),
            (Abs, 0) => e.map(0, map(Elementary::Abs)),
            (Abs | Sign, _) => e.map(0, |x| {
                let negative = x.when(Less, 0.0, -1.0, 0.0);
                x.lift(0.0).choose(Less, x, x.lift(1.0), negative)
            }),
            (Square, 0) => e.map(0, |x| x * x),
            (Square, 1) => e.map(0, |x| x.lift(2.0) * x),
            (Square, _) => e.map(0, |x| x.lift(2.0)),
            (Round, _) => e.map(0, map(Elementary::Round)),
        }
    }
}

impl PrimitiveMap for Entrywise {
    fn name(&self) -> Cow<'static, str> {
        let name = self.function.name();
        match self.order {
            0 => Cow::Borrowed(name),
            order => Cow::Owned(format!("{name}{}", primes(order))),
        }
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed(self.function.name())
    }

    fn orders(&self) -> [usize; 2] {
        [self.order, 0]
    }

    fn inputs(&self) -> Vec<usize> {
        vec![self.n]
    }

    fn output(&self) -> usize {
        self.n
    }

    fn is_partial(&self) -> bool {
        matches!(
            self.function,
            Log | Recip | Sqrt | Relu | Abs | Round | Sign
        )
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        match mode {
            Partiality::Paper => self.is_partial(),
            Partiality::Total => matches!(self.function, Log | Recip | Sqrt),
        }
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        if !self.is_partial() {
            return Ok(());
        }
        for (i, x) in inputs.iter().flat_map(|x| x.iter()).enumerate() {
            if let Some(obstacle) = self.function.obstacle(self.order, *x, mode) {
                return Err(format!("entry {} is {}, {obstacle}", i + 1, numeral(*x)));
            }
        }
        Ok(())
    }

    /// A NaN is outside the domain of a logarithm or a root, and inside the domain of a reciprocal.
    fn outside(&self, mode: Partiality) -> Option<Kernel> {
        // The comparison of 0 with an entry, the value where it holds, and the value where it fails.
        let (comparison, holds, fails) = match (self.function, mode) {
            (Log, _) => (Less, 0.0, 1.0),
            (Recip, _) => (Equal, 1.0, 0.0),
            (Sqrt, Partiality::Total) if self.order == 0 => (AtMost, 0.0, 1.0),
            (Sqrt, _) => (Less, 0.0, 1.0),
            _ => return None,
        };
        Some(Kernel::entries(self.n, |e| {
            e.map(0, |x| {
                let (holds, fails) = (x.lift(holds), x.lift(fails));
                x.lift(0.0).choose(comparison, x, holds, fails)
            });
        }))
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        self.entries(Loop { inputs, out });
    }

    fn kernel(&self) -> Kernel {
        Kernel::entries(self.n, |entries| self.entries(entries))
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let ([x], Some((function, order))) = (point, self.function.next(self.order)) else {
            return vec![None];
        };
        let slope = b.push(
            Entrywise {
                function,
                order,
                n: self.n,
            },
            &[*x],
        );
        vec![Some(b.hadamard(y, slope))]
    }

    fn result_shape(&self, arguments: &[Shape]) -> Shape {
        arguments
            .first()
            .cloned()
            .unwrap_or_else(|| Shape::vector(self.n))
    }

    fn lifted(&self, b: usize) -> Option<Primitive> {
        Some(
            Entrywise {
                n: self.n.saturating_mul(b),
                ..self.clone()
            }
            .into(),
        )
    }
}

/// The order of a derivative: ′, ″, ‴, ⁽⁴⁾.
fn primes(order: usize) -> String {
    match order {
        0..4 => "′".repeat(order),
        _ => format!("⁽{}⁾", superscript(order)),
    }
}

/// A number as a superscript.
pub(crate) fn superscript(number: usize) -> String {
    let digit = |digit: char| {
        digit
            .to_digit(10)
            .and_then(|d| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(d as usize))
    };
    number.to_string().chars().filter_map(digit).collect()
}

/// The falling factorial a(a−1)⋯(a−k+1).
fn falling(a: f64, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (a - i as f64))
}

/// xᵏ, by repeated squaring.
fn powi<S: Scalar>(x: S, k: usize) -> S {
    let (mut value, mut base, mut k) = (x.lift(1.0), x, k);
    while k > 0 {
        if k % 2 == 1 {
            value = value * base;
        }
        base = base * base;
        k /= 2;
    }
    value
}

pub(crate) fn families() -> Vec<Family> {
    Function::ALL.into_iter().map(declare).collect()
}

/// Function pointers of the builders: one closure for each function, since a family holds a plain function pointer.
macro_rules! builder_of {
    ($($function:ident),*) => {
        fn build_of(function: Function) -> crate::family::Build {
            match function {
                $($function => |_, arguments| {
                    Ok(Entrywise { function: $function, order: 0, n: one(arguments)?.size() }.into())
                }),*
            }
        }
    };
}

builder_of!(
    Exp, Log, Recip, Sqrt, Sin, Cos, Tanh, Sigmoid, Swish, Gelu, Erf, Softplus, Relu, Abs, Square,
    Round, Sign
);

fn declare(function: Function) -> Family {
    let (summary, formula, derivative, partial, convention) = match function {
        Exp => (
            "The exponential, entry by entry.",
            "out[i] = e^x[i]",
            "x̄ = y ⊙ exp(x)",
            "",
            "",
        ),
        Log => (
            "The natural logarithm, entry by entry.",
            "out[i] = ln x[i]",
            "x̄ = y ⊙ recip(x)",
            "undefined where an entry is 0 or negative, in both modes",
            "",
        ),
        Recip => (
            "The reciprocal, entry by entry.",
            "out[i] = 1/x[i]",
            "x̄[i] = −y[i]/x[i]²",
            "undefined where an entry is 0, in both modes",
            "",
        ),
        Sqrt => (
            "The square root, entry by entry.",
            "out[i] = √x[i]",
            "x̄[i] = y[i]/(2√x[i])",
            "undefined where an entry is negative, and at 0 in paper mode",
            "√0 = 0, which has no derivative",
        ),
        Sin => (
            "The sine, entry by entry.",
            "out[i] = sin x[i]",
            "x̄ = y ⊙ cos(x)",
            "",
            "",
        ),
        Cos => (
            "The cosine, entry by entry.",
            "out[i] = cos x[i]",
            "x̄ = −y ⊙ sin(x)",
            "",
            "",
        ),
        Tanh => (
            "The hyperbolic tangent, entry by entry.",
            "out[i] = tanh x[i]",
            "x̄[i] = y[i]·(1 − tanh² x[i])",
            "",
            "",
        ),
        Sigmoid => (
            "The logistic function σ, entry by entry.",
            "out[i] = σ(x[i]) = 1/(1 + e^−x[i])",
            "x̄[i] = y[i]·σ(x[i])·σ(−x[i])",
            "",
            "",
        ),
        Swish => (
            "The activation x·σ(x), entry by entry.",
            "out[i] = x[i]·σ(x[i]) = x[i]/(1 + e^−x[i])",
            "x̄[i] = y[i]·(σ(x[i]) + x[i]·σ(x[i])·σ(−x[i]))",
            "",
            "",
        ),
        Gelu => (
            "The activation x·Φ(x), entry by entry, for the distribution Φ of a standard normal number.",
            "out[i] = x[i]·Φ(x[i]) = x[i]·(1 + erf(x[i]/√2))/2",
            "x̄[i] = y[i]·(Φ(x[i]) + x[i]·φ(x[i])), φ(x) = e^(−x²/2)/√(2π)",
            "",
            "",
        ),
        Erf => (
            "The error function, entry by entry.",
            "out[i] = erf x[i] = 2/√π · ∫ e^−t² dt from 0 to x[i]",
            "x̄[i] = y[i]·2/√π·e^−x[i]²",
            "",
            "",
        ),
        Softplus => (
            "The smooth version of relu, entry by entry.",
            "out[i] = ln(1 + e^x[i])",
            "x̄ = y ⊙ sigmoid(x)",
            "",
            "",
        ),
        Relu => (
            "The positive part, entry by entry.",
            "out[i] = max(x[i], 0)",
            "x̄[i] = y[i] where x[i] > 0, else 0",
            "undefined where an entry is 0, in paper mode",
            "relu′(0) = 0",
        ),
        Abs => (
            "The absolute value, entry by entry.",
            "out[i] = |x[i]|",
            "x̄[i] = y[i]·sign(x[i])",
            "undefined where an entry is 0, in paper mode",
            "abs′(0) = 0",
        ),
        Square => (
            "The square, entry by entry.",
            "out[i] = x[i]²",
            "x̄ = 2·x ⊙ y",
            "",
            "",
        ),
        Round => (
            "The nearest integer, entry by entry.",
            "out[i] = ⌊x[i]⌉",
            "x̄ = 0",
            "undefined where an entry is halfway between two integers, in paper mode",
            "a half is rounded away from zero",
        ),
        Sign => (
            "The sign, entry by entry.",
            "out[i] = −1, 0 or 1 as x[i] is negative, 0 or positive",
            "x̄ = 0",
            "undefined where an entry is 0, in paper mode",
            "sign(0) = 0",
        ),
    };
    Family {
        name: function.name(),
        summary,
        formula,
        derivative,
        partial,
        convention,
        interior: match function {
            Log | Sqrt | Recip => positive,
            _ => Family::PLAIN.interior,
        },
        build: build_of(function),
        ..Family::PLAIN
    }
}
