//! The session of the page, asked as the page asks it. One program: each further one is linked with all that it needs.
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
