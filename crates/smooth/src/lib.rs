//! The reverse differential restriction category PSmooth: shapes, tensors, types and values, primitive maps with
//! their reverse derivatives, straight-line maps and the combinator RD (the paper's Section "Reverse derivatives").
//! The calculus sees it through [`Symbol`] (a function symbol f : A → B) and [`Family`] (what a user writes).
//! It does no I/O, and it knows nothing of terms, commands or handlers.

mod arithmetic;
mod builder;
mod channels;
mod choice;
mod convolution;
pub mod datasets;
mod entrywise;
mod family;
pub mod generate;
mod glyphs;
mod layout;
mod lift;
mod linear;
mod map;
mod parameters;
mod pooling;
mod power;
mod primitive;
mod probability;
mod reductions;
mod reverse;
mod shape;
mod sigmoid;
mod signature;
mod symbol;
mod tensor;
mod types;
mod value;

pub use builder::{Builder, Wire};
pub use datasets::dataset;
pub use family::{Family, Fixity, Operator, families, family, is_symbol, operator, symbols};
pub use generate::initialiser;
pub use lift::Axis;
pub use map::{Map, Statement};
pub use parameters::{Argument, GeneratorError};
pub use primitive::Primitive;
pub use shape::Shape;
pub use signature::{MAX_SIZE, SignatureError};
pub use symbol::{Partiality, Symbol, Undefined};
pub use tensor::Tensor;
pub use types::Type;
pub use value::Value;
