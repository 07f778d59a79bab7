//! Generator of WebAssembly modules, one for each plan: straight-line code where shapes are small, tiles of vectors where shapes are large.
//! The plan decides what is computed and in which order, so a module gives the results of `fletch_engine::Reference`, to the bit.

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
