//! The npm package `fletch`: the functions of the command line for JavaScript. Each function takes the text of a program, the files that
//! the program reads, and options as JSON. Its answer is a plain object. `packages/fletch` has the JavaScript wrapper, and documents both.
//!
//! A rejected program and a run that stops have an answer with the diagnostic. An invalid option throws an exception.

mod answers;
mod check;
mod requests;

#[cfg(feature = "everything")]
mod arrows;
#[cfg(feature = "everything")]
mod heap;
#[cfg(feature = "everything")]
mod link;
#[cfg(feature = "everything")]
mod predict;
#[cfg(feature = "everything")]
mod run;
#[cfg(feature = "everything")]
mod trace;
#[cfg(feature = "everything")]
mod train;

pub use check::{check, format};
pub use requests::DataFiles;

#[cfg(feature = "everything")]
pub use arrows::{arrow, diagram};
#[cfg(feature = "everything")]
pub use heap::GivenHeap;
#[cfg(feature = "everything")]
pub use link::{link, open};
#[cfg(feature = "everything")]
pub use predict::predict;
#[cfg(feature = "everything")]
pub use run::run;
#[cfg(feature = "everything")]
pub use trace::Steps;
#[cfg(feature = "everything")]
pub use train::Epochs;

/// Counts allocated bytes: the memory of a wasm module never shrinks, so its size does not show the memory in use.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;
