//! Tests of the rules of reduction by programs. One test binary: each further binary would be linked with all dependencies again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod common;
mod equations;
mod reductions;
