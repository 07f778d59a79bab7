//! The Euclidean norm. With ‖x‖^{1−2k} for every k the family is closed: the gradient of ‖x‖^p is p·‖x‖^{p−2}·x.
//!
//! Laws: ‖s·x‖ = |s|·‖x‖; ⟨x, ∇‖x‖⟩ = ‖x‖.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::entrywise::superscript;
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::linear::dot;
use crate::primitive::PrimitiveMap;
use crate::scalar::Comparison::Equal;
use crate::scalar::Elementary::Sqrt;
use crate::scalar::Scalar;
use crate::signature::one;
use crate::{Partiality, Shape};

/// x ↦ 1·(−1)·(−3)⋯(3 − 2k)·‖x‖^{1−2k} : Real(n) → Real(1), the k-th derivative of the norm by ½‖x‖²; 0 at 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Norm {
    order: usize,
    n: usize,
}

impl Norm {
    /// The value for this sum of squares.
    fn of_square<S: Scalar>(&self, square: S) -> S {
        let (zero, length) = (square.lift(0.0), square.map(Sqrt));
        if self.order == 0 {
            return length;
        }
        let factor = (0..self.order).fold(1.0, |c, k| c * (1.0 - 2.0 * k as f64));
        let power = (1..self.order).fold(length, |power, _| power * square);
        square.choose(Equal, zero, zero, square.lift(factor) / power)
    }
}

impl PrimitiveMap for Norm {
    fn name(&self) -> Cow<'static, str> {
        match self.order {
            0 => Cow::Borrowed("norm"),
            order => Cow::Owned(format!("norm⁽{}⁾", superscript(order))),
        }
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed("norm")
    }

    fn orders(&self) -> [usize; 2] {
        [self.order, 0]
    }

    fn inputs(&self) -> Vec<usize> {
        vec![self.n]
    }

    fn output(&self) -> usize {
        1
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        mode == Partiality::Paper
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        let zero = inputs.iter().all(|x| x.iter().all(|x| *x == 0.0));
        match zero && mode == Partiality::Paper {
            true => Err("all entries are 0, where norm is not differentiable".to_owned()),
            false => Ok(()),
        }
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [x] = inputs else { return };
        out.fill(self.of_square(dot(x, x)));
    }

    fn kernel(&self) -> Kernel {
        let output = |stride| Access::new(Buffer::Output, 0, &[stride]);
        let input = Access::new(Buffer::Input(0), 0, &[1]);
        Kernel::of(vec![
            Nest::new(&[self.n], Fold::Four, output(0), [input], |_, [x]| x * x),
            Nest::new(&[1], Fold::Store, output(0), [output(0)], |_, [square]| {
                self.of_square(square)
            }),
        ])
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let [x] = *point else { return vec![] };
        let next = Norm {
            order: self.order + 1,
            n: self.n,
        };
        let slope = b.push(next, &[x]);
        let share = b.hadamard(y, slope);
        vec![Some(b.scale(share, x))]
    }

    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        Shape::vector(1)
    }
}

pub(crate) fn families() -> Vec<Family> {
    vec![Family {
        name: "norm",
        signature: "Real(n) → Real(1)",
        summary: "The Euclidean length of a vector.",
        formula: "out = √(Σᵢ x[i]²)",
        derivative: "x̄ = (y/‖x‖) · x",
        partial: "undefined where all entries are 0, in paper mode",
        convention: "the norm of 0 is 0, with derivative 0",
        build: |_, arguments| {
            Ok(Norm {
                order: 0,
                n: one(arguments)?.size(),
            }
            .into())
        },
        ..Family::PLAIN
    }]
}
