//! The session of the playground, driven by a front end through plain data: load a program, step through its run, draw it,
//! derive its types, compare it, train it. Each of these is a module of its own. Also what the command line prints.

pub mod check;
pub mod compare;
mod compiled;
pub mod denotation;
pub mod diagram;
pub mod ending;
pub mod export;
pub mod generated;
pub mod live;
mod locations;
mod offer;
mod planned;
pub mod plans;
pub mod predictions;
mod program;
pub mod protocol;
pub mod run;
mod samples;
mod session;
mod steps;
mod train;
pub mod training;
pub mod trial;
mod types;
pub mod weights;

pub use protocol::Sample;
pub use session::Session;
pub use steps::search::typed;

pub use fletch_elaborate::{FILE_LIMIT, Files, Main, decoded};
pub use fletch_explain::gloss;
pub use fletch_ide::{codes, files as file_names, place};
pub use fletch_print::{numbers, space};
pub use fletch_reduction::Setting;
pub use fletch_smooth::{Partiality, Tensor, Value, symbols};
pub use fletch_syntax::{Diagnostic, LineIndex, Severity, Span, Spelling, format, nfc};
pub use fletch_trace::{Budget, Limit, Status, Trace};
pub use fletch_transcript::{numbers_json, value_json};
pub use fletch_transcript::{source, steps as trace_text};

/// A count as the protocol has it.
pub(crate) fn clip(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What the command line prints: checks and runs.
pub mod report {
    pub use crate::run::{Engine, Outcome, Precision, Run, run, run_by};
    pub use fletch_ide::{Checked, check, check_bytes, check_with_files, diagnostic_json, no_main};
    pub use fletch_transcript::value_json;
}
