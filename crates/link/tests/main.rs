//! Tests of links: every link of version 1 opens, and a damaged link gives an error. They are one binary, because every further binary
//! is linked with all dependencies.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod hostile;
mod version_1;
