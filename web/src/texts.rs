//! What the page says, in English: one file for each part of it, and nothing else of it has words. A text is a constant; one with something
//! in it is a function that gives the whole of it. A translation is another folder like this one, and the compiler says what it lacks.
//!
//! Elsewhere, as tables of their own: the titles of the examples (`examples.rs`), the page without a script (`index.html`, `site/404.html`), the editor
//! (`editor/texts.js`, beside the phrases of CodeMirror) and, at the top of their files, `boot.js` and `offline.js`. What is said of a program and of its run comes from the
//! crates below: `syntax` and `elaborate` (diagnostics), `explain` (sentences, the glossary), `print` and `ide`.

pub(crate) mod check;
pub(crate) mod command;
pub(crate) mod compare;
pub(crate) mod copies;
pub(crate) mod diagram;
pub(crate) mod drafts;
pub(crate) mod editor;
pub(crate) mod embed;
pub(crate) mod faults;
pub(crate) mod figures;
pub(crate) mod header;
pub(crate) mod heap;
pub(crate) mod help;
pub(crate) mod jumps;
pub(crate) mod layout;
pub(crate) mod legend;
pub(crate) mod present;
pub(crate) mod same;
pub(crate) mod sandwich;
pub(crate) mod search;
pub(crate) mod share;
pub(crate) mod state;
pub(crate) mod train;
pub(crate) mod transport;
pub(crate) mod types;

/// So many of something.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
