//! The program `fletch`, run as from a shell. One program: each further one is linked with all that it needs.
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
