//! Shapes of sums: products of two rows, or of a row of neighbours and a number.

use crate::loops::{Access, Fold, Sum};
use fletch_smooth::{Binary, Operation, Step};

/// True if terms are summed in the lanes of vectors.
pub(super) fn in_lanes(sum: &Sum) -> bool {
    matches!(sum.fold, Fold::Lanes(_))
}

/// The factors of each product, if products of two numbers are summed.
pub(super) fn products(sum: &Sum) -> Option<Vec<[&Access; 2]>> {
    let read = |register: usize| match sum.body.get(register)? {
        Operation::Read(position) => sum.reads.get(*position),
        _ => None,
    };
    let product = |register: usize| match sum.body.get(register)? {
        Operation::Binary(Binary::Mul, a, b) => Some([read(*a)?, read(*b)?]),
        _ => None,
    };
    sum.addends().into_iter().map(product).collect()
}

/// The two rows of a sum of products in lanes; the second stays along an axis, if one does.
pub(super) fn factors(sum: &Sum, axis: usize) -> Option<[&Access; 2]> {
    let products = products(sum)?;
    let [[a, b]] = products.as_slice() else {
        return None;
    };
    let along = |access: &Access| access.steps.last().copied();
    let row = Step {
        stride: 1,
        scale: (1, 1),
    };
    let rows = along(a) == Some(row) && along(b) == Some(row) && !sum.extents.is_empty();
    let stays = |access: &Access| access.stride(axis) == Some(0);
    let sorted = if stays(a) && !stays(b) {
        [*b, *a]
    } else {
        [*a, *b]
    };
    rows.then_some(sorted)
}

/// The factors of each product: neighbours along an axis, and one number.
pub(super) fn neighbours(sum: &Sum, axis: usize) -> Option<Vec<[&Access; 2]>> {
    if !matches!(sum.fold, Fold::InTurn(_)) {
        return None;
    }
    let products = products(sum)?.into_iter();
    let sorted = products.map(|[a, b]| match [a.stride(axis)?, b.stride(axis)?] {
        [1, 0] => Some([a, b]),
        [0, 1] => Some([b, a]),
        _ => None,
    });
    sorted.collect()
}
