//! Function symbols: their types, values, derivatives and laws. One program: each further one is linked with all that it needs.
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
