//! Programs, and what elaboration makes of them. One program: each further one is linked with all that it needs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod calls;
mod clauses;
mod common;
mod constants;
mod data_sets;
mod inference;
mod sizes;
