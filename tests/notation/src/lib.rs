//! The calculus as text, for tests that read as data. [`Notation`] reads judgements such as
//! `x : Real(2) ⊢ swish[2](x)` without checking anything, so that ill-typed subjects can be written down;
//! [`print`] writes terms and commands with bound variables numbered, so that equal texts are α-equivalence;
//! [`same`] holds lines against expected text.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // What cannot be read is a mistake in a test.

mod lines;
mod print;
mod read;

pub use lines::same;
pub use print::{Print, print};
pub use read::{Judgement, Notation};
