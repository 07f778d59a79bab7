//! Tests of what the command line runs: checks, comparisons, trainings, weights. One program: each further one is linked with all that it
//! needs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod check;
mod equal;
mod layers;
mod training;
mod weights;
