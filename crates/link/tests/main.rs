//! Links: every one that was ever made opens, and a damaged one says so. One program: each further one is linked with all that it needs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

mod hostile;
mod version_1;
