//! Tests of the program `fletch`, run as from a shell. All modules are one test binary, since each further binary links all dependencies
//! again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod check;
mod command_line;
mod common;
mod diagram;
mod embedding;
mod encoding;
mod engine;
mod format;
mod insert;
mod json;
mod link;
mod lsp;
mod messages;
mod options;
mod too_large;
mod tour;
