//! Tests of the runs behind the command line: checks, comparisons, trainings, weights. They are one test program, since each further
//! program would be linked with all dependencies again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod check;
mod equal;
mod layers;
mod training;
mod weights;
