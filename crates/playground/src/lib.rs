//! One session of the playground, driven by a front end through plain data: load a program, compute its
//! trace, show any position of it. Also what the command line prints.
//!
//! The text of a step, its sentence and its marks are made here, and only for positions that are shown.

mod assist;
mod budget;
mod calls;
mod check;
mod chips;
pub mod codes;
mod consequences;
mod explain;
mod export;
mod heap_view;
mod index;
mod inspect;
mod made;
mod moves;
mod names;
pub mod numbers;
mod parts;
pub mod place;
mod print;
pub mod protocol;
pub mod report;
mod sandwich;
mod search;
mod session;
pub mod source;
mod trace;
pub mod trace_text;
pub mod training;
mod view;
mod walk;
mod why;
mod writes;

pub use budget::{Budget, Limit};
pub use explain::gloss;
pub use search::typed;
pub use session::Session;
pub use trace::{Status, Trace};

pub use fletch_elaborate::Main;
pub use fletch_smooth::{Partiality, Value};
pub use fletch_syntax::{Diagnostic, LineIndex, Severity, Span, Spelling, format};
