//! One session of the playground, driven by a front end through plain data: load a program, compute its
//! trace, show any position of it. Also what the command line prints.
//!
//! The text of a step, its sentence and its marks are made for positions that are shown only.

pub mod check;
mod compiled;
pub mod denotation;
pub mod diagram;
pub mod ending;
pub mod export;
pub mod figures;
pub mod generated;
mod heap_view;
mod index_view;
pub mod live;
mod notes;
mod offer;
mod planned;
pub mod plans;
pub mod predictions;
pub mod protocol;
pub mod run;
mod sample;
mod samples;
mod sandwich;
mod search;
mod session;
mod timeline_view;
pub mod training;
pub mod trial;
mod view;
pub mod weights;

pub use protocol::Sample;
pub use search::typed;
pub use session::Session;

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

/// What the command line prints: checks and runs.
pub mod report {
    pub use crate::run::{Engine, Outcome, Precision, Run, run, run_by};
    pub use fletch_ide::{Checked, check, check_bytes, check_with_files, diagnostic_json, no_main};
    pub use fletch_transcript::value_json;
}
