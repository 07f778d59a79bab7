//! Tests of texts: parsing of programs, diagnostics of faulty ones, and their layout. They are one binary, because every further binary is
//! linked with all dependencies.
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
