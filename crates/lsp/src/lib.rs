//! A language server for Fletch: the answers of `fletch-ide` over the Language Server Protocol.
//!
//! The thread of the server only reads messages and keeps texts. Programs are read, checked and run by three workers: one answers
//! questions about a text, one checks, one runs. A request whose text has changed, or that was given up, is dropped wherever it is.
//! Nothing of the language is known here that `fletch-ide` does not know.

mod abilities;
mod answers;
mod asked;
mod beside;
mod checks;
mod client;
mod commands;
mod completion;
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
mod runs;
mod server;
mod symbols;
mod tokens;

pub use client::Options;
pub use server::{Failure, serve, serve_stdio};
