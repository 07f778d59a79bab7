//! A plan as a WebAssembly module of its own: straight code where shapes are small, tiles of vectors where they are large. The plan has
//! decided what is computed and in which order; so what a module computes equals what `fletch_engine::Reference` does, to the bit.

#[cfg(test)]
mod cases;
mod code;
mod entries;
mod kernel;
mod lanes;
mod memory;
mod module;
mod roles;
mod rounds;
mod scatter;
mod stops;
mod sums;
mod values;
mod walk;
mod width;

pub use memory::{Base, Memory};
pub use module::{Function, Module, Refused, generate};
