//! Tests of the session, which send the requests that a page sends. They form one test program, since each further
//! program would link all dependencies again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod budgets;
mod carrying;
mod ends;
mod heap;
mod links;
mod mains;
mod moments;
mod notes;
mod places;
mod run;
mod sentences;
mod session;
mod stacks;
mod standing;
mod stops;
mod tour;
mod types;
