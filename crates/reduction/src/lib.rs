//! The small-step operational semantics: evaluation contexts, the rewriting R of reverse derivatives, the rewriting RH of reverse
//! handlers unfolded lazily, the heap rules, and ordinary handlers.
//!
//! The step relation is data: [`advance`] returns the rule, the redex and the next state, never text. States are persistent and share
//! structure, so that a trace may keep all of them.

mod action;
mod clauses;
mod complete;
mod decomposition;
mod elimination;
mod equations;
mod frames;
mod heap;
mod ordinary;
mod setting;
mod shortcuts;
mod state;
mod step;
mod terms;
mod unfolding;

pub use action::{Action, Rule};
pub use complete::{Incomplete, unfolded};
pub use decomposition::{Decomposition, Ordinary};
pub use frames::{Frame, Frames};
pub use heap::Heap;
pub use setting::Setting;
pub use state::State;
pub use step::{Blocked, HeapWrite, Locus, Progress, Step, Stuck, advance};
