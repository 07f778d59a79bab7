//! Tests across crates. They are one binary, because each further binary would link all crates again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // A failed test is a panic.

/// With the allocator of the C library, tests of random programs take 1.4 times as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod arrows;
mod budget;
mod cells;
mod choice;
mod codegen;
mod compare;
mod corpus;
mod denotation;
mod derivatives;
mod diagnostics;
mod diagrams;
mod engine;
mod errata;
mod error_pages;
mod examples;
mod families;
mod feedback;
mod files;
mod fixes;
mod golden;
mod heap;
mod hostile;
mod invariants;
mod jax;
mod large;
mod latex;
mod laws;
mod leaving;
mod linked;
mod live;
mod looped;
mod losses;
mod modules;
mod moments;
mod names;
mod own_functions;
mod pictures;
mod preservation;
mod programs;
mod protocol;
mod random;
mod reading;
mod resuming;
mod runs;
mod same;
mod seeds;
mod shelf;
mod shortcuts;
mod stepping;
mod total;
mod tour;
mod unhandled;
