//! JAX expressions of the primitives. Each family of `fletch-smooth` has a file, which maps arrays of known shapes to an expression. At
//! kinks and ties, where the frameworks have a choice, the expressions follow Fletch's total mode.

mod arithmetic;
mod channels;
mod choice;
mod convolution;
mod convolution2d;
mod entrywise;
mod extremes;
mod layout;
mod lift;
mod linear;
mod norm;
mod pooling;
mod pooling2d;
mod power;
mod probability;
mod reductions;
mod selection;
mod sequence;

use crate::code::Code;
use fletch_smooth::Primitive;
use std::collections::BTreeSet;

/// The helpers that a module uses, by name.
pub(crate) type Helpers = BTreeSet<&'static str>;

/// A primitive that is to be written as an expression, with its arguments.
pub(crate) struct Call<'a> {
    /// Name of the primitive, or of the primitive whose derivative it is.
    pub(crate) name: &'a str,
    /// Orders of the derivative, one for each of up to two arguments.
    pub(crate) orders: [usize; 2],
    /// Indices of the primitive.
    pub(crate) indices: &'a [usize],
    /// The number of entries of its result.
    pub(crate) output: usize,
    /// The arrays that it is applied to.
    pub(crate) arguments: &'a [Code],
}

/// The expression of a primitive applied to arrays of its sizes; `None` if no family has the primitive.
pub(crate) fn written(
    primitive: &Primitive,
    arguments: &[Code],
    helpers: &mut Helpers,
) -> Option<Code> {
    if let Some((b, axis, inner)) = primitive.each() {
        return lift::written(b, axis, inner, arguments, helpers);
    }
    if let Some(tensor) = primitive.as_constant() {
        return Some(Code::constant(&tensor));
    }
    let call = Call {
        name: &primitive.generator(),
        orders: primitive.orders(),
        indices: &primitive.indices(),
        output: primitive.output(),
        arguments,
    };
    arithmetic::written(&call)
        .or_else(|| entrywise::written(&call, helpers))
        .or_else(|| choice::written(&call))
        .or_else(|| selection::written(&call))
        .or_else(|| extremes::written(&call))
        .or_else(|| power::written(&call, helpers))
        .or_else(|| linear::written(&call))
        .or_else(|| reductions::written(&call))
        .or_else(|| norm::written(&call, helpers))
        .or_else(|| probability::written(&call, helpers))
        .or_else(|| convolution::written(&call, helpers))
        .or_else(|| convolution2d::written(&call, helpers))
        .or_else(|| pooling::written(&call, helpers))
        .or_else(|| pooling2d::written(&call, helpers))
        .or_else(|| layout::written(&call))
        .or_else(|| sequence::written(&call))
        .or_else(|| channels::written(&call, helpers))
}
