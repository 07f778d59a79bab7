//! Sequences of messages about the steps, and what comes of them.

mod heap;
mod idle;
mod linked;
mod place;
mod same;
mod sampled;
mod search;
mod stepping;
mod stopping;
mod words;
