//! Function symbols: their types, values, derivatives and laws. All are one test program, since each further program would link
//! all dependencies again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod boxes;
mod common;
mod derivatives;
mod generators;
mod kernels;
mod laws;
mod partiality;
mod signatures;
mod types;
mod values;
