//! Trace of a run: its states and steps, and the records made as it advances: handled calls, heap writes, the stops of each level
//! of detail, and the administrative steps. Sentences about a run are made by `explain`.

mod administrative;
mod budget;
mod calls;
#[cfg(test)]
mod cases;
mod index;
mod level;
mod origin;
mod steps;
mod timeline;
mod trace;
mod writes;

pub use administrative::{administrative, idle, is_zero};
pub use budget::{Budget, Limit};
pub use calls::{
    CallRecord, Calls, Clause, Event, Known, OrdinaryRun, Owner, Pass, ReverseRun, Turn, called,
    callee,
};
pub use index::{Label, TraceIndex};
pub use level::Level;
pub use origin::{Made, added, since};
pub use timeline::{Outside, Timeline, Work};
pub use trace::{Status, Trace};
pub use writes::{Write, Writes, norm};
