//! A language server for Fletch: the answers of `fletch-ide` over the Language Server Protocol.
//!
//! The thread of the server only reads messages and keeps texts. Three workers parse, check and run programs: one answers questions about a
//! text, one checks, one runs. A request is dropped at any stage if its text has changed or the client has cancelled it. All knowledge of
//! the language is in `fletch-ide`.

mod abilities;
mod answers;
mod checks;
mod client;
mod commands;
mod completion;
mod data_files;
mod diagnostics;
mod documents;
mod fixes;
mod folders;
mod folding;
mod formatting;
mod hints;
mod hover;
mod lenses;
mod navigation;
mod places;
mod program;
mod requests;
mod runs;
mod server;
mod symbols;
mod tokens;

pub use client::Options;
pub use server::{Failure, serve, serve_stdio};
