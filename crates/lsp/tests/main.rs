//! Tests of the language server through its protocol. All modules are one test binary, since each further binary links all dependencies
//! again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod answers;
mod client;
mod commands;
mod examples;
mod files;
mod hostile;
mod order;
