//! The small-step operational semantics: evaluation contexts, the rewriting R of reverse derivatives,
//! the rewriting RH of reverse handlers unfolded lazily, the heap rules, and ordinary handlers.
//!
//! The step relation is data: [`advance`] gives rule, place and next state, never text. States are
//! persistent and share structure, so that a trace may keep all of them.

mod complete;
mod frames;
mod handling;
mod heap;
mod spine;
mod state;
mod step;
mod terms;
mod unfolding;

pub use complete::{Incomplete, unfolded};
pub use frames::{Frame, Frames};
pub use heap::Heap;
pub use spine::Spine;
pub use state::State;
pub use step::{Action, HeapWrite, Locus, Progress, Rule, Step, Stuck, advance};
