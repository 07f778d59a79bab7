//! Tests of elaboration, by programs. One test binary: each further binary would be linked with all dependencies again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod calls;
mod clauses;
mod common;
mod constants;
mod data_sets;
mod inference;
mod sizes;
