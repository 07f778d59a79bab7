//! The session of the playground. A front end drives it through plain data: load a program, step through its run, draw it, derive its
//! types, compare it, train it. Each of these features is a module of its own. Runs of whole items are in `fletch-runs`.

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

// In addition to the protocol, a page needs these items to make a session, and to write numbers, symbols and terms as replies do. A
// page that imports them from here depends on nothing that could run a program outside of a session.
pub use fletch_elaborate::{FILE_LIMIT, decoded};
pub use fletch_explain::gloss;
pub use fletch_print::{numbers, space};
pub use fletch_smooth::symbols;
pub use fletch_syntax::nfc;
pub use fletch_trace::Budget;

/// Converts a count to the integer type of the protocol. Counts beyond it become `u32::MAX`.
pub(crate) fn clip(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
