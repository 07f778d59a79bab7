//! Functions of real numbers, written once and generic over the numbers. At `f64` they are computed; at [`Traced`] they are
//! recorded as an [`Expression`] that an engine can run or compile. The operations and their order are the same, so the results
//! are the same to the bit.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An elementary function of one number. All but √x, |x| and −x, which IEEE 754 defines, are computed by `libm`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Elementary {
    /// eˣ.
    Exp,
    /// ln x.
    Log,
    /// ln(1 + x).
    Log1p,
    /// √x.
    Sqrt,
    /// sin x.
    Sin,
    /// cos x.
    Cos,
    /// tanh x.
    Tanh,
    /// erf x = 2/√π ∫₀ˣ e^−t² dt.
    Erf,
    /// 1 − erf x, to full relative precision.
    Erfc,
    /// The nearest integer, half away from zero.
    Round,
    /// |x|.
    Abs,
    /// −x.
    Neg,
    /// σ(x) = 1/(1 + e⁻ˣ): 0 where e⁻ˣ overflows. It is cheaper than a formula that also gives 1 − σ(x) to full relative precision.
    Logistic,
}

impl Elementary {
    /// The value at a number.
    #[inline]
    pub fn at(self, x: f64) -> f64 {
        match self {
            Elementary::Exp => libm::exp(x),
            Elementary::Log => libm::log(x),
            Elementary::Log1p => libm::log1p(x),
            Elementary::Sqrt => x.sqrt(),
            Elementary::Sin => libm::sin(x),
            Elementary::Cos => libm::cos(x),
            Elementary::Tanh => libm::tanh(x),
            Elementary::Erf => libm::erf(x),
            Elementary::Erfc => libm::erfc(x),
            Elementary::Round => libm::round(x),
            Elementary::Abs => x.abs(),
            Elementary::Neg => -x,
            Elementary::Logistic => 1.0 / (1.0 + libm::exp(-x)),
        }
    }
}

/// An operation on two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// a + b.
    Add,
    /// a − b.
    Sub,
    /// a · b.
    Mul,
    /// a / b.
    Div,
    /// The larger operand; if one is a NaN, the other one.
    Max,
    /// aᵇ.
    Pow,
}

impl Binary {
    /// The value at two numbers.
    #[inline]
    pub fn at(self, a: f64, b: f64) -> f64 {
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
            Binary::Max => a.max(b),
            Binary::Pow => libm::pow(a, b),
        }
    }
}

/// A comparison of two numbers; it does not hold if one is a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// a < b.
    Less,
    /// a ≤ b.
    AtMost,
    /// a = b.
    Equal,
}

impl Comparison {
    /// True if the comparison holds.
    #[inline]
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Equal => a == b,
        }
    }
}

/// Number type of a family's functions: `f64`, or a traced number.
pub(crate) trait Scalar:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant, as a number of the same computation as `self`.
    fn lift(self, constant: f64) -> Self;
    fn map(self, function: Elementary) -> Self;
    fn max(self, other: Self) -> Self;
    fn pow(self, exponent: Self) -> Self;
    /// `then` if the comparison holds, else `otherwise`; both are computed.
    fn choose(self, is: Comparison, other: Self, then: Self, otherwise: Self) -> Self;

    /// Variant of [`Scalar::choose`] for a comparison with a constant and two constants.
    fn when(self, is: Comparison, other: f64, then: f64, otherwise: f64) -> Self {
        let [other, then, otherwise] = [other, then, otherwise].map(|c| self.lift(c));
        self.choose(is, other, then, otherwise)
    }
}

impl Scalar for f64 {
    #[inline]
    fn lift(self, constant: f64) -> f64 {
        constant
    }
    #[inline]
    fn map(self, function: Elementary) -> f64 {
        function.at(self)
    }
    #[inline]
    fn max(self, other: f64) -> f64 {
        Binary::Max.at(self, other)
    }
    #[inline]
    fn pow(self, exponent: f64) -> f64 {
        Binary::Pow.at(self, exponent)
    }
    #[inline]
    fn choose(self, is: Comparison, other: f64, then: f64, otherwise: f64) -> f64 {
        if is.holds(self, other) {
            then
        } else {
            otherwise
        }
    }
}

/// Assignment of an [`Expression`]; its operands are the indices of earlier assignments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operation {
    /// A read of the nest, by its position among the reads.
    Read(usize),
    /// The index of this loop, as a number.
    Index(usize),
    /// A constant.
    Constant(f64),
    /// A function of one number.
    Map(Elementary, usize),
    /// An operation on two numbers.
    Binary(Binary, usize, usize),
    /// The third operand if the comparison of the first two holds, else the fourth.
    Choose(Comparison, [usize; 4]),
}

/// A scalar expression: a list of distinct single assignments, of which the last one is the value.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression(Vec<Operation>);

impl Expression {
    /// The assignments, in order.
    pub fn operations(&self) -> &[Operation] {
        &self.0
    }

    /// The value at these reads and these loop indices; `values` is scratch space.
    pub(crate) fn at(&self, reads: &[f64], indices: &[usize], values: &mut Vec<f64>) -> f64 {
        let at =
            |values: &[f64], register: usize| values.get(register).copied().unwrap_or(f64::NAN);
        values.clear();
        for operation in &self.0 {
            let value = match *operation {
                Operation::Read(position) => at(reads, position),
                Operation::Index(level) => indices.get(level).map_or(f64::NAN, |i| *i as f64),
                Operation::Constant(constant) => constant,
                Operation::Map(function, x) => function.at(at(values, x)),
                Operation::Binary(operation, a, b) => operation.at(at(values, a), at(values, b)),
                Operation::Choose(is, [a, b, then, otherwise]) => {
                    at(values, a).choose(is, at(values, b), at(values, then), at(values, otherwise))
                }
            };
            values.push(value);
        }
        values.last().copied().unwrap_or(f64::NAN)
    }

    /// The expression inside one more outer loop.
    pub(crate) fn deeper(&self) -> Expression {
        let deeper = |operation: &Operation| match *operation {
            Operation::Index(level) => Operation::Index(level + 1),
            other => other,
        };
        Expression(self.0.iter().map(deeper).collect())
    }
}

/// Recorder of an expression.
#[derive(Default)]
pub(crate) struct Recorder(RefCell<Vec<Operation>>);

impl Recorder {
    pub(crate) fn read(&self, position: usize) -> Traced<'_> {
        self.push(Operation::Read(position))
    }

    pub(crate) fn index(&self, level: usize) -> Traced<'_> {
        self.push(Operation::Index(level))
    }

    pub(crate) fn constant(&self, constant: f64) -> Traced<'_> {
        self.push(Operation::Constant(constant))
    }

    /// Returns the expression with this register as its value. The value must be the last assignment, so later ones are dropped.
    pub(crate) fn finish(&self, register: usize) -> Expression {
        let mut operations = self.0.borrow().clone();
        if register + 1 < operations.len() {
            operations.truncate(register + 1);
        }
        Expression(operations)
    }

    fn push(&self, operation: Operation) -> Traced<'_> {
        let mut operations = self.0.borrow_mut();
        // Constants are compared by their bits, since −0 is not 0.
        let same = |other: &Operation| match (operation, *other) {
            (Operation::Constant(a), Operation::Constant(b)) => a.to_bits() == b.to_bits(),
            (operation, other) => operation == other,
        };
        let register = operations.iter().position(same).unwrap_or_else(|| {
            operations.push(operation);
            operations.len() - 1
        });
        Traced {
            recorder: self,
            register,
        }
    }
}

/// A number of an expression that is being recorded.
#[derive(Clone, Copy)]
pub(crate) struct Traced<'a> {
    recorder: &'a Recorder,
    pub(crate) register: usize,
}

impl Traced<'_> {
    fn binary(self, operation: Binary, other: Self) -> Self {
        let Traced { recorder, register } = self;
        recorder.push(Operation::Binary(operation, register, other.register))
    }
}

impl Add for Traced<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.binary(Binary::Add, other)
    }
}

impl Sub for Traced<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.binary(Binary::Sub, other)
    }
}

impl Mul for Traced<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.binary(Binary::Mul, other)
    }
}

impl Div for Traced<'_> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.binary(Binary::Div, other)
    }
}

impl Neg for Traced<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.map(Elementary::Neg)
    }
}

impl Scalar for Traced<'_> {
    fn lift(self, constant: f64) -> Self {
        self.recorder.constant(constant)
    }
    fn map(self, function: Elementary) -> Self {
        self.recorder.push(Operation::Map(function, self.register))
    }
    fn max(self, other: Self) -> Self {
        self.binary(Binary::Max, other)
    }
    fn pow(self, exponent: Self) -> Self {
        self.binary(Binary::Pow, exponent)
    }
    fn choose(self, is: Comparison, other: Self, then: Self, otherwise: Self) -> Self {
        let operands = [self, other, then, otherwise].map(|number| number.register);
        self.recorder.push(Operation::Choose(is, operands))
    }
}
