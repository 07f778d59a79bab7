//! Tests of the steps: sequences of messages, and the resulting state and effects.

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
