//! Assignments on the points of a block: form, operands and destination.

use fletch_smooth::{Binary, Comparison, Elementary};

/// Maximum number of points in a block.
pub(super) const BLOCK: usize = 128;

/// Operand of an assignment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Operand {
    pub(super) at: At,
    /// True if all points have the same number.
    pub(super) same: bool,
}

/// Address of an operand or of a destination, before registers are placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum At {
    /// Current address of a way.
    Way(usize),
    /// Address of a constant.
    Place(usize),
    /// Offset from the first register.
    Register(usize),
}

/// Assignment to a register, or along a way. A computed value goes only along contiguous ways; other ways take a scatter.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) to: At,
    /// True if nothing may be written past the last point.
    pub(super) exactly: bool,
    pub(super) form: Form,
    /// Operands, as many as the form takes.
    pub(super) from: Vec<At>,
}

/// Computation at a point, on operands of type `O`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What<O> {
    /// Operand unchanged.
    Copy(O),
    Map(Elementary, O),
    /// x σ(x), computed together with its derivative in x.
    Swish(O),
    /// x σ(x) of a sum x, computed together with its derivative.
    SwishOfSum([O; 2]),
    /// Derivative that was computed together with this function.
    Slope(O),
    Binary(Binary, [O; 2]),
    /// The first, and the product of two added to it or taken from it.
    Product(Binary, O, [O; 2]),
    /// One operation on two operands, and another one on its result and the third.
    Two([Binary; 2], [O; 3]),
    Choose(Comparison, [O; 4]),
}

/// Instruction for the points of a block: operands are rows, except that a name with `Same` has one number at all points as its
/// last operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    Copy,
    /// Broadcast of one number to all points.
    Same,
    /// Every other number.
    EveryOther,
    /// Each number twice.
    EachTwice,
    /// Two numbers again and again.
    TwoAgain,
    /// Gather of the numbers along a way that is neither constant nor a row.
    Gather,
    /// Scatter of a row along such a way.
    Scatter,
    Neg,
    Abs,
    Sqrt,
    Exp,
    Other(Elementary),
    Logistic,
    /// x σ(x); the operand after x is the destination of the derivative.
    Swish,
    /// x σ(x) of a sum x of two operands.
    SwishOfSum,
    SwishOfSumSame,
    /// Dot product of two rows, as a single sum in lanes.
    Dot,
    Add,
    AddSame,
    Sub,
    SubSame,
    /// Difference: the same number minus each entry.
    SameSub,
    Mul,
    MulSame,
    Div,
    DivSame,
    /// Quotient: the same number divided by each entry.
    SameDiv,
    Max,
    /// b where a < b, and a elsewhere.
    Larger,
    Pow,
    /// a + b · c, and a − b · c.
    Plus,
    PlusSame,
    /// a + b − c.
    SumLess,
    /// a · b · c.
    Products,
    /// b · c · a, where c is the same at all points.
    SameProducts,
    Minus,
    MinusSame,
    /// c where a < b, a ≤ b, a = b, and d elsewhere.
    Less,
    AtMost,
    Equal,
}

impl<O: Copy> What<O> {
    /// Computation with its operands mapped.
    pub(super) fn map<P>(&self, mut other: impl FnMut(O) -> P) -> What<P> {
        match *self {
            What::Copy(x) => What::Copy(other(x)),
            What::Map(function, x) => What::Map(function, other(x)),
            What::Swish(x) => What::Swish(other(x)),
            What::SwishOfSum(both) => What::SwishOfSum(both.map(other)),
            What::Two(operations, three) => What::Two(operations, three.map(other)),
            What::Slope(swish) => What::Slope(other(swish)),
            What::Binary(operation, both) => What::Binary(operation, both.map(other)),
            What::Product(operation, there, factors) => {
                What::Product(operation, other(there), factors.map(other))
            }
            What::Choose(is, four) => What::Choose(is, four.map(other)),
        }
    }

    pub(super) fn operands(&self) -> Vec<O> {
        match *self {
            What::Copy(x) | What::Map(_, x) | What::Swish(x) | What::Slope(x) => {
                vec![x]
            }
            What::Binary(_, both) | What::SwishOfSum(both) => both.to_vec(),
            What::Product(_, there, [a, b]) => vec![there, a, b],
            What::Two(_, three) => three.to_vec(),
            What::Choose(_, four) => four.to_vec(),
        }
    }
}

impl What<Operand> {
    /// Form for its operands that are the same at all points, if there is one, and the operands in the form's order.
    pub(super) fn form(&self) -> Option<(Form, Vec<At>)> {
        let operands = self.operands();
        let same: Vec<bool> = operands.iter().map(|operand| operand.same).collect();
        let at = |operands: &[Operand]| operands.iter().map(|operand| operand.at).collect();
        let form = match (*self, same.as_slice()) {
            (What::Copy(_), [same]) => match same {
                true => Form::Same,
                false => Form::Copy,
            },
            (What::Map(function, _), [false]) => match function {
                Elementary::Neg => Form::Neg,
                Elementary::Abs => Form::Abs,
                Elementary::Sqrt => Form::Sqrt,
                Elementary::Exp => Form::Exp,
                Elementary::Logistic => Form::Logistic,
                other => Form::Other(other),
            },
            (What::Binary(operation, _), [false, false]) => match operation {
                Binary::Add => Form::Add,
                Binary::Sub => Form::Sub,
                Binary::Mul => Form::Mul,
                Binary::Div => Form::Div,
                Binary::Max => Form::Max,
                Binary::Pow => Form::Pow,
            },
            (What::Binary(operation, _), [false, true]) => match operation {
                Binary::Add => Form::AddSame,
                Binary::Sub => Form::SubSame,
                Binary::Mul => Form::MulSame,
                Binary::Div => Form::DivSame,
                Binary::Max | Binary::Pow => return None,
            },
            (What::Binary(operation, [a, b]), [true, false]) => match operation {
                Binary::Add | Binary::Mul => return What::Binary(operation, [b, a]).form(),
                Binary::Sub => return Some((Form::SameSub, at(&[b, a]))),
                Binary::Div => return Some((Form::SameDiv, at(&[b, a]))),
                Binary::Max | Binary::Pow => return None,
            },
            (What::Product(sign, ..), [false, false, false]) => match sign {
                Binary::Sub => Form::Minus,
                _ => Form::Plus,
            },
            (What::Product(sign, ..), [false, false, true]) => match sign {
                Binary::Sub => Form::MinusSame,
                _ => Form::PlusSame,
            },
            (What::Product(sign, there, [a, b]), [false, true, false]) => {
                return What::Product(sign, there, [b, a]).form();
            }
            (What::Two([Binary::Add, Binary::Sub], _), [false, false, false]) => Form::SumLess,
            (What::Two([Binary::Mul, Binary::Mul], _), [false, false, false]) => Form::Products,
            (What::Two([Binary::Mul, Binary::Mul], [a, b, c]), [false, true, false]) => {
                return Some((Form::SameProducts, at(&[c, a, b])));
            }
            (What::Choose(Comparison::Less, [a, b, then, otherwise]), [false, ..])
                if same.iter().all(|same| !same) && (a, b) == (otherwise, then) =>
            {
                return Some((Form::Larger, at(&[a, b])));
            }
            (What::Choose(is, _), [false, false, false, false]) => match is {
                Comparison::Less => Form::Less,
                Comparison::AtMost => Form::AtMost,
                Comparison::Equal => Form::Equal,
            },
            _ => return None,
        };
        Some((form, at(&operands)))
    }
}
