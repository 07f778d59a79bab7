//! The language server, asked as an editor asks it. One program: each further one is linked with all that it needs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod answers;
mod client;
mod commands;
mod examples;
mod files;
mod hostile;
mod order;
