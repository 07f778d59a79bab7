//! The rules of reduction, each by programs. One program: each further one is linked with all that it needs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod common;
mod equations;
mod reductions;
