//! The npm package `fletch`: what the command line does, for JavaScript. Each function takes the text of a program, the files that it reads
//! and options as JSON; an answer is a plain object. `packages/fletch` has the JavaScript around it, and documents both.
//!
//! A program that is rejected and a run that stops are answers, with their diagnostic. An option that is none is an exception.

mod asked;
mod check;
mod told;

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

pub use asked::DataFiles;
pub use check::{check, format};

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

/// Counts what is allocated: the memory of a wasm module never shrinks, so its size says nothing.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;
