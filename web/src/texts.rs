//! Words of the page, in English, that stand in several places, and texts with a choice in them: one file for each part of the page. All other
//! words stand where they are shown.
//!
//! Elsewhere, as tables of their own: the titles of the examples (`examples.rs`), the page without a script (`index.html`, `site/404.html`), the editor
//! (`editor/texts.js`, beside the phrases of CodeMirror) and, at the top of their files, `boot.js` and `offline.js`. What is said of a program and of its run comes from the
//! crates below: `syntax` and `elaborate` (diagnostics), `explain` (sentences, the glossary), `print` and `ide`.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod copies;
pub(crate) mod diagram;
pub(crate) mod drafts;
pub(crate) mod editor;
pub(crate) mod header;
pub(crate) mod heap;
pub(crate) mod help;
pub(crate) mod layout;
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
