//! Compiler from arrows to plans. An arrow (`fletch_arrows::Arrow`) denotes one training step: a straight-line program of primitives. A
//! [`Plan`] is the list of loops over buffers that remains of it when constants are folded, loops fused, locations updated in place and
//! buffers laid out. A plan is data: backends run it, and no backend decides what is computed, or in which order numbers are summed.

mod axes;
mod body;
#[cfg(test)]
mod cases;
mod compose;
pub mod elementary;
mod fuse;
mod gather;
mod hoist;
mod line;
mod listing;
mod loops;
mod lower;
mod nests;
mod number;
mod order;
mod passes;
mod place;
mod reference;
mod repeat;
mod share;
mod simplify;

pub use body::operands;
pub use line::{Constant, Line, Moments, Op, Repeat};
pub use listing::Counts;
pub use loops::{Access, Body, Buffer, Fold, Holds, Item, Loop, Plan, Rounds, Source, Sum};
pub use lower::{Refused, Wanted, lower, lower_keeping};
pub use number::{Precision, pow, single};
pub use passes::{Pass, looped, passes, plan};
pub use place::Layout;
pub use reference::{Reference, Stop};
