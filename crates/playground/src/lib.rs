//! The session of the playground, driven by a front end through plain data: load a program, step through its run, draw it,
//! derive its types, compare it, train it. Each of these is a module of its own. Runs of whole items are in `fletch-runs`.

mod bytes;
pub mod compare;
pub mod diagram;
mod locations;
mod offer;
mod program;
pub mod protocol;
mod session;
mod steps;
mod tour;
mod train;
mod types;

pub use protocol::Sample;
pub use session::Session;
pub use steps::search::typed;

// Beside the protocol, a page needs these to make a session, and to write numbers, symbols and terms as its replies do. A page that has
// them from here depends on nothing that could run a program outside of a session.
pub use fletch_elaborate::{FILE_LIMIT, decoded};
pub use fletch_explain::gloss;
pub use fletch_print::{numbers, space};
pub use fletch_smooth::symbols;
pub use fletch_syntax::nfc;
pub use fletch_trace::Budget;

/// A count as the protocol has it.
pub(crate) fn clip(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
