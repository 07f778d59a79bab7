//! Tests of the calculus as the paper defines it: types, substitution, derivatives. They are one binary, because every further binary is
//! linked with all dependencies.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod derivative;
mod measure;
mod substitution;
mod typing_commands;
mod typing_terms;
