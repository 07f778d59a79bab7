//! Constants as maps without arguments, for functions that users declare, whose maps consist of primitives.

use std::borrow::Cow;
use std::sync::Arc;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::lift::Axis;
use crate::primitive::{Kind, Primitive, PrimitiveMap};
use crate::{Tensor, numeral};

/// A constant: numbers that are equal if their bits are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Constant {
    bits: Arc<[u64]>,
}

impl Constant {
    fn entries(&self) -> impl DoubleEndedIterator<Item = f64> + '_ {
        self.bits.iter().map(|bits| f64::from_bits(*bits))
    }

    /// The constant in each of b rows or columns.
    pub(crate) fn repeated(&self, b: usize, axis: Axis) -> Constant {
        let n = self.bits.len();
        let bits = (0..n * b).filter_map(|place| {
            let one = match axis {
                Axis::Rows => place % n,
                Axis::Cols => place / b,
            };
            self.bits.get(one).copied()
        });
        Constant {
            bits: bits.collect(),
        }
    }
}

impl Primitive {
    /// The map without arguments that gives this constant.
    pub fn constant(tensor: &Tensor) -> Primitive {
        Constant {
            bits: tensor.data().iter().map(|entry| entry.to_bits()).collect(),
        }
        .into()
    }

    /// The numbers, if the primitive is a constant.
    pub fn as_constant(&self) -> Option<Tensor> {
        match &self.0 {
            Kind::Constant(constant) => Some(Tensor::vector(constant.entries().collect())),
            _ => None,
        }
    }
}

impl PrimitiveMap for Constant {
    /// The numbers themselves. No other primitive has its data in its name.
    fn name(&self) -> Cow<'static, str> {
        let entries: Vec<String> = self.entries().map(numeral).collect();
        Cow::Owned(match entries.as_slice() {
            [one] => one.clone(),
            _ => format!("[{}]", entries.join(", ")),
        })
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed("constant")
    }

    fn inputs(&self) -> Vec<usize> {
        Vec::new()
    }

    fn output(&self) -> usize {
        self.bits.len()
    }

    fn apply(&self, _inputs: &[&[f64]], out: &mut [f64]) {
        out.iter_mut()
            .zip(self.entries())
            .for_each(|(out, entry)| *out = entry);
    }

    /// One nest for each entry. A plan of the engine holds the numbers in a buffer instead.
    fn kernel(&self) -> Kernel {
        let nests = self.entries().enumerate().map(|(place, entry)| {
            let write = Access::new(Buffer::Output, place, &[0]);
            Nest::new(&[1], Fold::Store, write, [], |b, []| b.constant(entry))
        });
        Kernel::of(nests.collect())
    }

    fn reverse(
        &self,
        _b: &mut Builder,
        _point: &[Wire],
        _result: Wire,
        _y: Wire,
    ) -> Vec<Option<Wire>> {
        Vec::new()
    }
}

/// Empty, since users write numbers.
pub(crate) fn families() -> Vec<Family> {
    Vec::new()
}
