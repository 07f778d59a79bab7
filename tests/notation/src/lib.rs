//! The calculus as text, so that test cases can be written as data. [`Notation`] reads judgements such as
//! `x : Real(2) ⊢ swish[2](x)`. Reading checks no types, so ill-typed subjects can be written down. [`print`]
//! writes terms and commands with numbered bound variables, so that α-equivalent subjects have equal texts.
//! [`same`] compares lines with expected text.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // What cannot be read is a mistake in a test.

mod lines;
mod print;
mod read;

pub use lines::same;
pub use print::{Print, print};
pub use read::{Judgement, Notation};
