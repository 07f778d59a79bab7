//! The calculus as the paper defines it: types, substitution, derivatives. One program: each further one is linked with all that it needs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod derivative;
mod measure;
mod substitution;
mod typing_commands;
mod typing_terms;
