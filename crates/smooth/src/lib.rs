//! The reverse differential restriction category PSmooth: shapes, tensors, types and values, primitive maps with their reverse
//! derivatives, straight-line maps and the combinator RD (Def. RDRC, Example PartSmooth-is-RDRC). The calculus uses it through
//! [`Symbol`] (a function symbol f : A → B) and [`Family`] (what a user writes). The crate does no I/O, and it has no terms,
//! commands or handlers.
//!
//! # How it computes
//! A primitive describes its computation as a [`Kernel`], which an engine runs or compiles. A function of single entries is
//! written once, generic over its numbers; its kernel is recorded at symbolic numbers (`scalar.rs`). The other primitives have
//! hand-written loops next to their kernels, and a test checks that both agree to the bit. The reason is speed: to interpret a
//! kernel takes 10 to 400 times as long as the loops (4096 entries: relu 0.7 µs by its loop and 310 µs interpreted, swish 66
//! and 650, softmax 69 and 1190; A ∗ x, 64 × 64: 1.7 and 330). To make a kernel takes 0.1 to 0.5 µs, where a step of a small
//! program takes 1 µs. `nalgebra` multiplies and transposes matrices (8 × 8: 130 ns against 150 by hand-written loops;
//! transposed, 13 against 28). The entrywise loops of this crate are faster than its own (⊙ on 4096 entries: 0.7 µs against
//! 1.0), and so is `dot` up to some hundred entries. Above, the four sums of `dot` take 0.7 µs where the eight of `nalgebra`
//! take 0.55, but the four sums fix the order of additions, so results are known to the bit. All times were measured on one
//! core of a small cloud machine.

mod arithmetic;
mod builder;
mod channels;
mod choice;
pub mod combinators;
mod constant;
mod convolution;
mod convolution2d;
mod counted;
pub mod datasets;
mod entrywise;
mod extremes;
mod family;
pub mod generate;
mod glyphs;
mod kernel;
mod layout;
mod lift;
mod linear;
mod map;
mod norm;
mod normal;
mod numeral;
mod parameters;
mod pooling;
mod pooling2d;
mod power;
mod primitive;
mod probability;
mod reading;
mod reductions;
mod reverse;
mod rows;
mod scalar;
mod selection;
mod sequence;
mod shape;
mod sigmoid;
mod signature;
mod symbol;
mod tensor;
mod types;
mod value;

pub use builder::{Applied, Builder, Differentiable, Wire, among};
pub use counted::counted;
pub use datasets::dataset;
pub use family::{Family, Fixity, Operator, families, family, is_symbol, operator, symbols};
pub use generate::initialiser;
pub use kernel::{Access, Buffer, Fold, Kernel, Nest, Step};
pub use lift::Axis;
pub use map::{Map, Statement};
pub use numeral::numeral;
pub use parameters::{Argument, GeneratorError};
pub use primitive::Primitive;
pub use reading::{Reading, derivative_of};
pub use scalar::{Binary, Comparison, Elementary, Expression, Operation};
pub use shape::Shape;
pub use signature::{MAX_SIZE, SignatureError};
pub use symbol::{Partiality, Symbol, Undefined};
pub use tensor::Tensor;
pub use types::Type;
pub use value::Value;
