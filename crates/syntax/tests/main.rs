//! Texts: what is a program, what is said of one that is none, and how it is written. One program: each further one is linked with all that it needs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod common;
mod diagnostics;
mod editor;
mod format;
mod format_limits;
mod format_random;
mod generator;
mod grammar;
mod limits;
mod programs;
mod textmate;
